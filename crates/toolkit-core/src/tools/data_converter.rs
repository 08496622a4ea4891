//! `data-converter`, `format_data`: formats JSON, YAML and XML, and converts between them.
//!
//! Standards: RFC 8259, YAML 1.2 with its core schema, XML 1.0 with namespaces; their modules
//! define how values correspond. Within one format nothing is converted: JSON keeps every token, as
//! in `json-formatter`, YAML its documents and comments, XML its comments and declarations.

use std::borrow::Cow;

use crate::around;
use crate::choice::choice;
use crate::context::Context;
use crate::convert::Language;
use crate::error::{ErrorKind, ToolError};
use crate::input::{Int, Surface, input};
use crate::layout::{Layout, Options};
use crate::limits::RESULT_BYTES_MAX;
use crate::tool::{Answer, Example, Mcp, Spec, Text, Tool};
use crate::warnings::Warnings;
use crate::{json, xml};

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
        /// Spaces of each level, from 0 to 8; 0 and `minify` use none.
        indent: Int<0, 8> = Int::nearest(2),
        /// For keys that are not XML names, such as `$ref`: `encode` writes them as `_x0024_ref`
        /// towards XML, `decode` reads them back from it. Without it they are refused.
        names: Option<Names>,
    }
}

choice! {
    /// Operation on the text.
    pub enum Action {
        /// One item per line.
        Pretty = "pretty" | "beautify" | "prettify" | "format",
        /// No unnecessary white space.
        Minify = "minify",
        /// Conversion to another format.
        Convert = "convert",
    }
}

choice! {
    /// Operation on the names of elements and attributes.
    pub enum Names {
        /// From keys to names.
        Encode = "encode",
        /// From names to keys.
        Decode = "decode",
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
        // YAML of this length takes a quarter of a millisecond.
        quick_bytes_max: 4 << 10,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Text;
    const LESS: &'static str = "set `action` to `minify`, or send a part of the document";

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Text>, ToolError> {
        let layout = match (input.action, input.indent.get()) {
            (Some(Action::Minify), _) | (_, 0) => Layout::Minified,
            (_, spaces) => Layout::spaces(u8::try_from(spaces).unwrap_or(u8::MAX)),
        };
        let (from, to) = (input.from_format, input.to_format.unwrap_or(input.from_format));
        if let Some(names) = input.names {
            check_names(names, from, to)?;
        }
        // Aliases can expand to thousands of times a text's length.
        if from == Language::Yaml && input.text.contains('*') && ctx.is_over() {
            let error = ToolError::new("takes too long").of(ErrorKind::TimedOut);
            return Err(error.in_field("text"));
        }
        // So can the indents of a deeply nested text: some milliseconds of work.
        let options = Options::from(layout);
        let few = RESULT_BYTES_MAX.min(8 * input.text.len() + (64 << 10));
        let mut result = converted(&input, to, options.result_bytes(few), &mut ctx.warnings);
        if matches!(&result, Err(error) if error.kind() == ErrorKind::TooLarge) && !ctx.is_over() {
            ctx.warnings = Warnings::new();
            result = converted(&input, to, options, &mut ctx.warnings);
        }
        let result = result.map_err(|error| match ctx.surface {
            Surface::Rest => error.in_field("text"),
            Surface::Mcp(_) => without_names(error).in_field("text"),
        })?;
        Ok(Answer::new(to.word(), result))
    }
}

/// The refusal of a key without the input `names`, which is not in a model's list.
fn without_names(error: ToolError) -> ToolError {
    let hint = error.hint().and_then(|hint| {
        if let Some((before, _)) = hint.split_once("; with `names`") {
            return Some(before.to_owned());
        }
        let (before, after) = hint.split_once("set `names` to `encode` to write it as ")?;
        Some(format!("{before}rename it, as in {after}"))
    });
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// Converts or formats the text, JSON as the string that the answer holds.
fn converted(
    input: &Input<'_>,
    to: Language,
    options: Options,
    warnings: &mut Warnings,
) -> Result<Text, ToolError> {
    let from = input.from_format;
    let brackets = match from {
        Language::Json => around::JSON,
        Language::Xml => "<>",
        Language::Yaml => "",
    };
    let text = around::document(&input.text, brackets, warnings);
    if from == to {
        return match to {
            Language::Json => {
                json::format_as::<true>(&text, options.into(), warnings).map(Text::Quoted)
            }
            _ => to.format(&text, options, warnings).map(Text::Plain),
        };
    }
    let node = from.parse(&text, warnings)?;
    let node = match input.names {
        Some(Names::Encode) => xml::encode_names(node),
        Some(Names::Decode) => xml::decode_names(node),
        None => node,
    };
    match to {
        Language::Json => json::write_as::<true>(&node, options.into()).map(Text::Quoted),
        Language::Xml if from == Language::Json => {
            xml::write_from(&text, &node, options, warnings).map(Text::Plain)
        }
        _ => to.write(&node, options, warnings).map(Text::Plain),
    }
}

/// Refuses an operation on names where there are none to convert.
fn check_names(names: Names, from: Language, to: Language) -> Result<(), ToolError> {
    let is_for = |this, other| this == Language::Xml && other != Language::Xml;
    let (is_meant, needed) = match names {
        Names::Encode => (is_for(to, from), "`to_format` `xml` and another `from_format`"),
        Names::Decode => (is_for(from, to), "`from_format` `xml` and another `to_format`"),
    };
    if is_meant {
        return Ok(());
    }
    let error = ToolError::new(format!("is `{names}`, which needs {needed}"));
    Err(error.of(ErrorKind::Input).in_field("names"))
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "YAML to JSON",
        input: r#"{"text": "name: demo\nports: [80, 0o17]\non: no\n", "from_format": "yaml", "to_format": "json"}"#,
    },
    Example {
        title: "XML to JSON, minified",
        input: r#"{"text": "<list id=\"7\"><item>a</item><item/></list>", "from_format": "xml", "to_format": "json", "action": "minify"}"#,
    },
    Example {
        title: "JSON to XML",
        input: r#"{"text": "{\"a\": 1.10, \"b\": [true, null]}", "from_format": "json", "to_format": "xml"}"#,
    },
    Example {
        title: "JSON to XML, with a key that is not a name",
        input: r#"{"text": "{\"$ref\": \"a\"}", "from_format": "json", "to_format": "xml", "names": "encode"}"#,
    },
    Example {
        title: "JSON, indented by four, with every digit kept",
        input: r#"{"text": "{\"n\":1.10}", "from_format": "json", "indent": 4}"#,
    },
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::DataConverter;
    use crate::tool;

    #[test]
    fn only_a_text_that_grows_a_lot_asks_whether_its_time_is_over() {
        let deep = |open: &str, close: &str| open.repeat(500) + "1" + &close.repeat(500);
        for (text, from, to, indent, is_asked) in [
            ("a: 1".to_owned(), "yaml", "json", 2, false),
            (deep("[", "]"), "json", "yaml", 2, false),
            (deep("[", "]"), "json", "json", 8, true),
            (deep("<a>", "</a>"), "xml", "xml", 8, true),
            ("a: &a [1]\nb: *a".to_owned(), "yaml", "json", 2, true),
        ] {
            let input =
                json!({"text": text, "from_format": from, "to_format": to, "indent": indent});
            let found = tool::asks_for_time(&DataConverter, &input);
            assert_eq!(found, is_asked, "{text:.20} {from} {to} {indent}");
        }
    }
}
