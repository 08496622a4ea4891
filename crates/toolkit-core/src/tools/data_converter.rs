//! `data-converter`, `format_data`: JSON, YAML and XML, laid out anew or turned into one another.
//!
//! Standards: RFC 8259, YAML 1.2 in its core schema, XML 1.0 with namespaces; their modules say how
//! their values correspond. Within one format nothing is converted: JSON keeps every token, as in
//! `json-formatter`, YAML its documents and comments, XML its comments and declarations.

use std::borrow::Cow;

use crate::context::Context;
use crate::error::ToolError;
use crate::input::{Int, choice, input};
use crate::json;
use crate::node::Node;
use crate::tool::{Answer, Example, Mcp, Spec, Tool};
use crate::warnings::Warnings;
use crate::{xml, yaml};

/// Formats and converts structured data.
#[derive(Debug)]
pub struct DataConverter;

input! {
    /// What `data-converter` takes.
    pub struct Input<'a> {
        /// The JSON, YAML or XML text.
        text: Cow<'a, str>,
        /// The format that the text is in.
        from_format: Language,
        /// The format of the result; the same as `from_format` when left out.
        to_format: Option<Language>,
        /// `convert` turns the text into `to_format`, `pretty` writes a line for each item, `minify`
        /// as little as possible. Between two formats all of them convert, and `convert` is written
        /// like `pretty`; within one format `convert` is `pretty`. By default `convert` when the
        /// formats differ, else `pretty`.
        action: Option<Action>,
        /// Spaces of each level, from 1 to 8; `minify` uses none.
        indent: Int<1, 8> = Int::nearest(2),
    }
}

choice! {
    /// A format of structured data.
    pub enum Language {
        /// RFC 8259.
        Json = "json",
        /// YAML 1.2.
        Yaml = "yaml",
        /// XML 1.0.
        Xml = "xml",
    }
}

choice! {
    /// What is done with the text.
    pub enum Action {
        /// A line for each item.
        Pretty = "pretty",
        /// As little as possible.
        Minify = "minify",
        /// Another format.
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
                a document, to check whether it is well-formed (a refusal names line and column), or \
                to turn one format into another without losing digits or the order of keys. XML \
                attributes become `@name` and text beside them `#text`. Example: text `a: [1, x]`, \
                from_format `yaml`, to_format `json`, action `minify` gives `{\"a\":[1,\"x\"]}`.",
            inputs: &["text", "from_format", "to_format?", "action?", "indent?"],
            idempotent: true,
        }),
        summary: "Pretty-prints, minifies and converts JSON, YAML and XML.",
        kinds: &["json", "yaml", "xml"],
        // A deep text of one kilobyte can become one megabyte of indentation.
        quick_bytes_max: 1 << 10,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = String;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<String>, ToolError> {
        let to_format = input.to_format.unwrap_or(input.from_format);
        let style = match input.action {
            Some(Action::Minify) => Style::Minified,
            Some(Action::Pretty | Action::Convert) | None => Style::Pretty(input.indent.get()),
        };
        let result = if to_format == input.from_format {
            style.reformat(&input.text, to_format, &mut ctx.warnings)
        } else {
            read(&input.text, input.from_format, &mut ctx.warnings)
                .and_then(|value| style.write(value, to_format, &mut ctx.warnings))
        };
        let result = result.map_err(|error| error.field("text"))?;
        Ok(Answer::new(to_format.word(), result))
    }
}

/// Reads a text as one value.
fn read(text: &str, format: Language, warnings: &mut Warnings) -> Result<Node, ToolError> {
    match format {
        Language::Json => json::parse(text, warnings),
        Language::Yaml => yaml::parse(text, warnings).map(|documents| one(documents, warnings)),
        Language::Xml => xml::parse(text, warnings),
    }
}

/// The documents of a YAML stream as the one value that JSON and XML can hold.
fn one(mut documents: Vec<Node>, warnings: &mut Warnings) -> Node {
    if documents.len() > 1 {
        let count = documents.len();
        warnings.push(format!(
            "The {count} documents became the items of one array."
        ));
        return Node::Array(documents);
    }
    documents.pop().unwrap_or(Node::Null)
}

/// How much white space a result has.
#[derive(Debug, Clone, Copy)]
enum Style {
    /// A line for each item, with this many spaces a level.
    Pretty(u32),
    Minified,
}

impl Style {
    /// Lays a text out anew in its own format.
    fn reformat(
        self,
        text: &str,
        format: Language,
        warnings: &mut Warnings,
    ) -> Result<String, ToolError> {
        match (format, self) {
            (Language::Json, _) => json::format(text, json::Format::new(self.json()), warnings),
            (Language::Yaml, Self::Pretty(indent)) => yaml::pretty(text, indent as usize, warnings),
            (Language::Yaml, Self::Minified) => yaml::minify(text, warnings),
            (Language::Xml, Self::Pretty(indent)) => xml::pretty(text, indent as usize, warnings),
            (Language::Xml, Self::Minified) => xml::minify(text, warnings),
        }
    }

    /// Writes a value that was read from another format.
    fn write(
        self,
        value: Node,
        format: Language,
        warnings: &mut Warnings,
    ) -> Result<String, ToolError> {
        match (format, self) {
            (Language::Json, _) => json::write(&value, self.json()),
            (Language::Yaml, Self::Pretty(indent)) => yaml::write(&[value], indent as usize),
            (Language::Yaml, Self::Minified) => yaml::write_minified(&[value]),
            (Language::Xml, _) => xml::write(&value, self.xml(), warnings),
        }
    }

    fn json(self) -> json::Layout {
        match self {
            Self::Pretty(indent) => json::Layout::Spaces(u8::try_from(indent).unwrap_or(u8::MAX)),
            Self::Minified => json::Layout::Minified,
        }
    }

    const fn xml(self) -> xml::Layout {
        match self {
            Self::Pretty(indent) => xml::Layout::Pretty {
                indent: indent as usize,
            },
            Self::Minified => xml::Layout::Minified,
        }
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
        title: "JSON to JSON keeps every digit",
        input: r#"{"text": "{\"n\":1.10}", "from_format": "json", "indent": 4}"#,
        answer: r#"{"result": "{\n    \"n\": 1.10\n}", "type": "json"}"#,
    },
];
