//! `data-converter`, `format_data`: formats JSON, YAML and XML, and converts between them.
//!
//! Standards: RFC 8259, YAML 1.2 with its core schema, XML 1.0 with namespaces; their modules
//! define how values correspond. Within one format nothing is converted: JSON keeps every token, as
//! in `json-formatter`, YAML its documents and comments, XML its comments and declarations.

use std::borrow::Cow;

use crate::choice::choice;
use crate::context::Context;
use crate::convert::{Language, convert, convert_to_quoted_json};
use crate::error::ToolError;
use crate::input::{Int, input};
use crate::layout::Layout;
use crate::tool::{Answer, Example, Mcp, Spec, Text, Tool};

/// Formats and converts structured data.
#[derive(Debug)]
pub struct DataConverter;

input! {
    /// Inputs of `data-converter`.
    pub struct Input<'a> {
        /// The JSON, YAML or XML text.
        text: Cow<'a, str> as text,
        /// The format of the text: `json`, `yaml` (1.2) or `xml` (1.0).
        from_format: Language,
        /// The format of the result, `json`, `yaml` or `xml`; that of the text when left out.
        to_format: Option<Language>,
        /// How the result is written, in whichever format: `pretty` with a line for each item,
        /// `minify` as short as possible; `convert` is the same as `pretty`. Default: `convert`
        /// when the formats differ, else `pretty`.
        action: Option<Action>,
        /// Spaces of each level, from 1 to 8; `minify` uses none.
        indent: Int<1, 8> = Int::nearest(2),
    }
}

choice! {
    /// Operation on the text.
    pub enum Action {
        /// One item per line.
        Pretty = "pretty",
        /// No unnecessary white space.
        Minify = "minify",
        /// Conversion to another format.
        Convert = "convert",
    }
}

impl Tool for DataConverter {
    const SPEC: Spec = Spec {
        slug: Some("data-converter"),
        mcp: Some(Mcp {
            name: "format_data",
            title: "Format or convert data",
            description: "Pretty-prints, minifies or converts JSON, YAML and XML. Use it to reformat \
                a document, to check whether it is well-formed (an error names line and column), or \
                to turn one format into another without losing digits or the order of keys. XML \
                attributes become `@name` and text beside them `#text`. Not for searching: that is \
                for regex_test. Example: text `a: [1, x]`, \
                from_format `yaml`, to_format `json`, action `minify` gives `{\"a\":[1,\"x\"]}`.",
            inputs: &["text", "from_format", "to_format?", "action?", "indent?"],
            idempotent: true,
        }),
        summary: "Converts and reformats data between JSON, YAML and XML.",
        kinds: &["json", "yaml", "xml"],
        // A deeply nested text of one kilobyte can become one megabyte of indentation.
        quick_bytes_max: 1 << 10,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Text;
    const LESS: &'static str = "set `action` to `minify`, or send a part of the document";

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Text>, ToolError> {
        let layout = match input.action {
            Some(Action::Minify) => Layout::Minified,
            Some(Action::Pretty | Action::Convert) | None => {
                Layout::spaces(u8::try_from(input.indent.get()).unwrap_or(u8::MAX))
            }
        };
        let (from, to) = (
            input.from_format,
            input.to_format.unwrap_or(input.from_format),
        );
        let (text, warnings) = (&input.text, &mut ctx.warnings);
        let result = match to {
            Language::Json => {
                convert_to_quoted_json(text, from, layout, warnings).map(Text::Quoted)
            }
            _ => convert(text, from, to, layout, warnings).map(Text::Plain),
        };
        let result = result.map_err(|error| error.field("text"))?;
        Ok(Answer::new(to.word(), result))
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "YAML to JSON",
        input: r#"{"text": "name: demo\nports: [80, 0o17]\non: no\n", "from_format": "yaml", "to_format": "json"}"#,
        answer: r#"{
            "result": "{\n  \"name\": \"demo\",\n  \"ports\": [\n    80,\n    15\n  ],\n  \"on\": \"no\"\n}",
            "type": "json"
        }"#,
    },
    Example {
        title: "XML to JSON, minified",
        input: r#"{"text": "<list id=\"7\"><item>a</item><item/></list>", "from_format": "xml", "to_format": "json", "action": "minify"}"#,
        answer: r#"{"result": "{\"list\":{\"@id\":\"7\",\"item\":[\"a\",null]}}", "type": "json"}"#,
    },
    Example {
        title: "JSON to XML",
        input: r#"{"text": "{\"a\": 1.10, \"b\": [true, null]}", "from_format": "json", "to_format": "xml"}"#,
        answer: r#"{
            "result": "<root>\n  <a>1.10</a>\n  <b>true</b>\n  <b/>\n</root>",
            "type": "xml",
            "warnings": ["There is no single root element, so the value was wrapped in `<root>`."]
        }"#,
    },
    Example {
        title: "JSON, indented by four, with every digit kept",
        input: r#"{"text": "{\"n\":1.10}", "from_format": "json", "indent": 4}"#,
        answer: r#"{"result": "{\n    \"n\": 1.10\n}", "type": "json"}"#,
    },
];
