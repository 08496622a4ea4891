//! `json-formatter`: formats or validates JSON.
//!
//! Standard: RFC 8259, strictly. Lossless: numbers keep their digits, strings their escapes, members
//! their order, and repeated names stay, with a warning.

use std::borrow::Cow;

use serde_json::{Map, Value as Json, json};

use crate::choice::choice;
use crate::context::Context;
use crate::error::ToolError;
use crate::input::{self, Int, Scalar, Value, input};
use crate::json::{self, Format, Layout};
use crate::tool::{Answer, Example, Spec, Tool};

/// Spaces of a level, at most.
const INDENT_MAX: usize = 8;

/// Formats JSON.
#[derive(Debug)]
pub struct JsonFormatter;

input! {
    /// What `json-formatter` takes.
    pub struct Input<'a> {
        /// The JSON text: one value of any kind.
        text: Cow<'a, str> as text,
        /// `pretty` writes one item or member a line, `minify` takes all white space out, `validate`
        /// checks the text and returns it as it came.
        action: Action = Action::Pretty,
        /// Spaces of each level when pretty-printing, from 0 to 8, or `tab`; 0 minifies.
        indent: Indent = Indent(Layout::spaces(2)),
        /// Whether to sort the members of every object by the code points of their names.
        sort_keys: bool = false,
    }
}

choice! {
    /// What is done with the text.
    pub enum Action {
        /// One item or member a line.
        Pretty = "pretty",
        /// No white space.
        Minify = "minify",
        /// The text is only checked.
        Validate = "validate",
    }
}

/// The white space of each level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Indent(Layout);

impl From<Layout> for Indent {
    fn from(layout: Layout) -> Self {
        Self(layout)
    }
}

impl<'de> Value<'de> for Indent {
    fn schema() -> Map<String, Json> {
        let spaces = <Int<0, 8> as Value>::schema();
        let tab = json!({"type": "string", "enum": ["tab"]});
        input::schema([("anyOf", json!([spaces, tab]))])
    }

    fn from_scalar(scalar: Scalar<'de>) -> Result<Self, ToolError> {
        let refusal = input::no_such_word(&scalar, &["0 to 8", "tab"]);
        if matches!(&scalar, Scalar::Text(word) if word == "tab") {
            return Ok(Self(Layout::TABS));
        }
        let spaces = Int::<0, 8>::from_scalar(scalar).map_err(|_| refusal)?;
        Ok(Self(match u8::try_from(spaces.get()) {
            Ok(0) => Layout::Minified,
            Ok(spaces) => Layout::spaces(spaces),
            Err(_) => Layout::spaces(u8::MAX),
        }))
    }

    fn to_json(&self) -> Json {
        match self.0 {
            Layout::Pretty {
                indent: json::Indent::Spaces(spaces),
            } => spaces.into(),
            Layout::Pretty {
                indent: json::Indent::Tab,
            } => "tab".into(),
            Layout::Minified => 0.into(),
        }
    }
}

impl Tool for JsonFormatter {
    const SPEC: Spec = Spec {
        slug: Some("json-formatter"),
        mcp: None,
        summary: "Pretty-prints, minifies or validates JSON without changing a digit of it.",
        kinds: &["json"],
        // A deep text of one kilobyte can become one megabyte of indentation.
        quick_bytes_max: 1 << 10,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = String;

    fn is_quick(body: &[u8]) -> bool {
        body.len() <= Self::SPEC.quick_bytes_max
            || (body.len() <= SHALLOW_BYTES_MAX && indentation_max(body) <= QUICK_INDENTATION_MAX)
    }

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<String>, ToolError> {
        let layout = match input.action {
            Action::Pretty => input.indent.0,
            Action::Minify => Layout::Minified,
            Action::Validate => {
                if input.sort_keys {
                    ctx.warn("`sort_keys` has no effect when validating.");
                }
                return Ok(Answer::new("json", validated(input.text, ctx)?));
            }
        };
        let format = Format {
            sort_keys: input.sort_keys,
            ..Format::new(layout)
        };
        let result = json::format(&input.text, format, &mut ctx.warnings);
        let result = result.map_err(|error| error.field("text"))?;
        Ok(Answer::new("json", result))
    }
}

/// Bodies above this are not looked at for how deep they are.
const SHALLOW_BYTES_MAX: usize = 64 << 10;

/// So much white space is written in a small part of a millisecond.
const QUICK_INDENTATION_MAX: usize = 256 << 10;

/// More white space than the longest indentation of any text in a body: no line is deeper than there are
/// brackets that open, and each of these, each that closes and each comma begins no more than one line.
fn indentation_max(body: &[u8]) -> usize {
    let (mut depth, mut commas) = (0_usize, 0_usize);
    for byte in body {
        depth += usize::from(matches!(byte, b'[' | b'{'));
        commas += usize::from(*byte == b',');
    }
    (commas + 2 * depth) * depth * INDENT_MAX
}

/// What a text may begin with, though it is no part of it.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// The text itself, without a copy where the input was decoded already.
fn validated(text: Cow<'_, str>, ctx: &mut Context) -> Result<String, ToolError> {
    json::check(&text, &mut ctx.warnings).map_err(|error| error.field("text"))?;
    let mut text = text.into_owned();
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "pretty-print: digits, escapes and order stay",
        input: r#"{"text": "{\"b\":1.0,\"a\":[\"\\u00e9\",1E400],\"c\":{}}"}"#,
        answer: r#"{
            "result": "{\n  \"b\": 1.0,\n  \"a\": [\n    \"\\u00e9\",\n    1E400\n  ],\n  \"c\": {}\n}",
            "type": "json"
        }"#,
    },
    Example {
        title: "minify, with sorted keys",
        input: r#"{"text": "{\"b\": 1, \"a\": [1, 2]}", "action": "minify", "sort_keys": true}"#,
        answer: r#"{"result": "{\"a\":[1,2],\"b\":1}", "type": "json"}"#,
    },
    Example {
        title: "a name that stands twice",
        input: r#"{"text": "{\"a\": 1, \"\\u0061\": 2}", "indent": 0}"#,
        answer: r#"{
            "result": "{\"a\":1,\"\\u0061\":2}",
            "type": "json",
            "warnings": ["The name `a` at line 1, column 10 stands already at line 1, column 2: both are kept."]
        }"#,
    },
];

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::JsonFormatter;
    use crate::context::Context;
    use crate::input::Surface;
    use crate::tool::DynTool;

    fn run(input: &Json) -> Result<(String, Context), String> {
        let (mut ctx, mut out) = (Context::fixed(), Vec::new());
        let body = input.to_string();
        JsonFormatter
            .run_json(body.as_bytes(), Surface::Rest, &mut ctx, &mut out)
            .map_err(|error| error.to_string())?;
        Ok((serde_json::from_slice(&out).unwrap(), ctx))
    }

    fn result(input: &Json) -> String {
        run(input).unwrap().0
    }

    fn refusal(input: &Json) -> String {
        run(input).map(drop).expect_err("it is refused")
    }

    #[test]
    fn a_shallow_text_is_quick_and_a_deep_one_of_the_same_length_is_not() {
        let rows =
            json!({"text": Json::from(vec![json!({"id": 1, "name": "Ada"}); 60]).to_string()})
                .to_string();
        let deep = format!(r#"{{"text": "{}{}"}}"#, "[".repeat(500), "1,".repeat(1_000));
        assert!(rows.len() > 1 << 10 && deep.len() < rows.len() + (1 << 10));
        assert!(JsonFormatter.is_quick(rows.as_bytes()));
        assert!(!JsonFormatter.is_quick(deep.as_bytes()));
    }

    #[test]
    fn no_quick_text_becomes_more_than_what_is_bounded() {
        for (depth, items) in [(1, 900), (8, 500), (40, 300), (100, 100), (150, 1)] {
            let text = format!(
                "{}{}0{}",
                "[".repeat(depth),
                "1,".repeat(items),
                "]".repeat(depth)
            );
            let input = json!({"text": text, "indent": 8});
            let bound = super::indentation_max(input.to_string().as_bytes());
            let white = result(&input).bytes().filter(|byte| *byte == b' ').count();
            assert!(white <= bound, "{depth} {items}: {white} of {bound}");
        }
    }

    #[test]
    fn the_indent_is_0_to_8_spaces_or_a_tab() {
        let with = |indent: Json| result(&json!({"text": "[1]", "indent": indent}));
        assert_eq!(result(&json!({"text": "[1]"})), "[\n  1\n]");
        assert_eq!(with(json!(null)), "[\n  1\n]");
        for (indent, line) in [
            (json!(1), " 1"),
            (json!(8), "        1"),
            (json!("3"), "   1"),
        ] {
            assert_eq!(with(indent), format!("[\n{line}\n]"));
        }
        assert_eq!(with(json!("tab")), "[\n\t1\n]");
        assert_eq!(with(json!(0)), "[1]");
        assert_eq!(with(json!("0")), "[1]");
    }

    #[test]
    fn another_indent_is_refused_with_what_is_accepted() {
        for indent in [
            json!(9),
            json!(-1),
            json!(1.5),
            json!("9"),
            json!("Tab"),
            json!("\t"),
        ] {
            let refused = refusal(&json!({"text": "[]", "indent": indent}));
            assert!(refused.starts_with("`indent` is "), "{refused}");
            assert!(refused.ends_with("; use one of 0 to 8, tab."), "{refused}");
        }
        assert_eq!(
            refusal(&json!({"text": "[]", "indent": true})),
            "`indent` must be one of 0 to 8, tab, not a boolean."
        );
    }

    #[test]
    fn validate_returns_the_text_as_it_came() {
        let text = " { \"b\" : [ 1.0 ,\r\n\t-0 ] , \"a\" : \"\\ud834\\udd1e\" } ";
        let input = json!({"text": text, "action": "validate", "indent": 0});
        assert_eq!(result(&input), text);
        let sorted = json!({"text": "{\"b\":1,\"a\":2}", "action": "validate", "sort_keys": true});
        let (result, ctx) = run(&sorted).unwrap();
        assert_eq!(result, "{\"b\":1,\"a\":2}");
        let sentences = ctx.warnings.sentences();
        assert_eq!(sentences, ["`sort_keys` has no effect when validating."]);
    }

    #[test]
    fn a_byte_order_mark_is_dropped_with_a_warning_by_every_action() {
        for action in ["pretty", "minify", "validate"] {
            let (result, ctx) = run(&json!({"text": "\u{FEFF}7", "action": action})).unwrap();
            assert_eq!(result, "7");
            let sentences = ctx.warnings.sentences();
            assert_eq!(sentences, ["The byte order mark at the start was dropped."]);
        }
    }

    #[test]
    fn every_action_refuses_what_is_not_json_with_the_field_and_the_place() {
        for action in ["pretty", "minify", "validate"] {
            assert_eq!(
                refusal(&json!({"text": "[\n 01]", "action": action})),
                "`text` is not valid JSON: a number with a leading zero at line 2, column 2; \
                 remove the zero, or put the digits in double quotes."
            );
        }
        assert!(
            refusal(&json!({"text": ""}))
                .starts_with("`text` is not valid JSON: the text is empty")
        );
        assert_eq!(refusal(&json!({})), "`text` is required.");
        assert_eq!(
            refusal(&json!({"text": 1})),
            "`text` must be a string, not a number."
        );
        assert_eq!(
            refusal(&json!({"text": "1", "action": "Minify"})),
            "`action` is `Minify`; use one of pretty, minify, validate."
        );
    }

    #[test]
    fn an_indent_that_amplifies_is_refused() {
        let text = format!(
            "{}{}1{}",
            "[".repeat(500),
            "1,".repeat(3_000),
            "]".repeat(500)
        );
        assert_eq!(
            refusal(&json!({"text": text, "indent": 8})),
            "`text` gives a result of over 8 MiB; use a smaller indent, or send less at once."
        );
        assert_eq!(result(&json!({"text": text, "indent": 0})), text);
    }
}
