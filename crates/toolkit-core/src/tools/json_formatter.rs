//! `json-formatter`: formats or validates JSON.
//!
//! Standard: RFC 8259, strictly. Lossless: numbers keep their digits, strings their escapes and
//! members their order. Repeated names are kept, with a warning.

use std::borrow::Cow;

use serde_json::{Map, Value as Json, json};

use crate::around;
use crate::choice::choice;
use crate::context::Context;
use crate::error::{ErrorKind, ToolError};
use crate::input::{self, Int, Scalar, Value, input};
use crate::json::{self, Format, Layout};
use crate::limits::RESULT_BYTES_MAX;
use crate::tool::{Answer, Example, Spec, Text, Tool};

/// Formats JSON.
#[derive(Debug)]
pub struct JsonFormatter;

input! {
    /// Inputs of `json-formatter`.
    pub struct Input<'a> {
        /// The JSON text: one value of any kind.
        text: Cow<'a, str> as text,
        /// `pretty` writes one item or member per line, `minify` removes all white space,
        /// `validate` checks the text and returns it unchanged.
        action: Action = Action::Pretty,
        /// Spaces of each level when pretty-printing, from 0 to 8, or `tab`; 0 minifies.
        indent: Indent = Indent(Layout::spaces(2)),
        /// Whether to sort the members of every object by the code points of their names.
        sort_keys: bool = false,
    }
}

choice! {
    /// Operation on the text.
    pub enum Action {
        /// One item or member per line.
        Pretty = "pretty" | "beautify" | "prettify" | "format",
        /// No white space.
        Minify = "minify",
        /// Validation only.
        Validate = "validate",
    }
}

/// Indentation per level.
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
        if matches!(&scalar, Scalar::Text(word) if word.eq_ignore_ascii_case("tab")) {
            return Ok(Self(Layout::TABS));
        }
        let spaces = Int::<0, 8>::from_scalar(scalar).map_err(|_| refusal)?;
        Ok(Self(match u8::try_from(spaces.get()).unwrap_or(u8::MAX) {
            0 => Layout::Minified,
            spaces => Layout::spaces(spaces),
        }))
    }

    fn to_json(&self) -> Json {
        match self.0 {
            Layout::Pretty { indent: json::Indent::Spaces(spaces) } => spaces.into(),
            Layout::Pretty { indent: json::Indent::Tab } => "tab".into(),
            Layout::Minified => 0.into(),
        }
    }
}

impl Tool for JsonFormatter {
    const SPEC: Spec = Spec {
        slug: Some("json-formatter"),
        mcp: None,
        summary: "Pretty-prints, minifies and validates JSON without changing its values.",
        kinds: &["json"],
        // A deeply nested text of two kilobytes can become two megabytes of indentation.
        quick_bytes_max: 2 << 10,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Text;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Text>, ToolError> {
        let layout = match input.action {
            Action::Pretty => input.indent.0,
            Action::Minify => Layout::Minified,
            Action::Validate => {
                return Ok(Answer::new("json", Text::Plain(validated(input, ctx)?)));
            }
        };
        let format = Format::new(layout).sort_keys(input.sort_keys);
        // The indents of a deeply nested text can be thousands of times its length: some milliseconds of work.
        let few = RESULT_BYTES_MAX.min(8 * input.text.len() + (64 << 10));
        let few = format.result_bytes(few);
        let text = around::document(&input.text, around::JSON, &mut ctx.warnings);
        let mut result = json::format_as::<true>(&text, few, &mut ctx.warnings);
        if matches!(&result, Err(error) if error.kind() == ErrorKind::TooLarge) && !ctx.is_over() {
            result = json::format_as::<true>(&text, format, &mut ctx.warnings);
        }
        let result = result.map_err(|error| error.in_field("text"))?;
        Ok(Answer::new("json", Text::Quoted(result)))
    }
}

/// May precede the text, but is not part of it.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Returns the text itself without its surroundings, without a copy if the input was already decoded.
fn validated(input: Input<'_>, ctx: &mut Context) -> Result<String, ToolError> {
    if input.sort_keys {
        ctx.warn("`sort_keys` has no effect when validating.");
    }
    let text = around::document(&input.text, around::JSON, &mut ctx.warnings);
    json::check(&text, &mut ctx.warnings).map_err(|error| error.in_field("text"))?;
    let mut text = match text {
        Cow::Owned(text) => text.trim().to_owned(),
        Cow::Borrowed(_) => input.text.into_owned(),
    };
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "Pretty-print: digits, escapes and order stay",
        input: r#"{"text": "{\"b\":1.0,\"a\":[\"\\u00e9\",1E400],\"c\":{}}"}"#,
    },
    Example {
        title: "Minify, with sorted keys",
        input: r#"{"text": "{\"b\": 1, \"a\": [1, 2]}", "action": "minify", "sort_keys": true}"#,
    },
    Example {
        title: "A duplicate name",
        input: r#"{"text": "{\"a\": 1, \"\\u0061\": 2}", "indent": 0}"#,
    },
];

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;
    use serde_json::{Value as Json, json};

    use super::{Indent, JsonFormatter};
    use crate::context::Context;
    use crate::input::{Scalar, Value};
    use crate::json::{self, Format};
    use crate::tool;
    use crate::warnings::Warnings;

    fn run(input: &Json) -> Result<(String, Context), String> {
        let (answer, ctx) = tool::run(&JsonFormatter, &input.to_string())?;
        Ok((answer["result"].as_str().unwrap().to_owned(), ctx))
    }

    fn result(input: &Json) -> String {
        run(input).unwrap().0
    }

    fn refusal(input: &Json) -> String {
        run(input).map(drop).expect_err("it is refused")
    }

    #[test]
    fn an_answer_that_escapes_make_too_large_is_refused() {
        // Half the limit as text, with each quote and backslash doubled in the answer.
        let text = format!("\"{}\"", "\\\"".repeat(crate::limits::RESULT_BYTES_MAX / 4));
        let refused = refusal(&json!({"text": text}));
        assert_eq!(
            refused,
            "`text` gives a result of over 8 MiB. Use a smaller indent, or send less at once."
        );
        let spaced = "[".repeat(500) + &"1,".repeat(4_500) + "1" + &"]".repeat(500);
        let refused = refusal(&json!({"text": spaced, "indent": 8}));
        assert!(
            refused.starts_with("`text` gives a result of over 8 MiB. Use a smaller indent"),
            "{refused}"
        );
    }

    #[test]
    fn only_a_text_that_grows_a_lot_asks_whether_its_time_is_over() {
        let deep = "[".repeat(500) + &"1,".repeat(1_500) + "1" + &"]".repeat(500);
        for (text, is_asked) in [(deep, true), (format!("[{}1]", "1,".repeat(20_000)), false)] {
            let input = json!({"text": text, "indent": 8});
            assert_eq!(tool::asks_for_time(&JsonFormatter, &input), is_asked);
        }
    }

    fn value() -> impl Strategy<Value = Json> {
        let text = "[ -~é漢😀\"\\\\\u{0}-\u{1f}]{0,40}";
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            text.prop_map(Json::from),
        ];
        leaf.prop_recursive(5, 60, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
                prop::collection::vec((text, inner), 0..6)
                    .prop_map(|members| Json::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_string_in_the_answer_is_the_formatted_text(
            value in value(),
            indent in prop_oneof![(0..9).prop_map(Json::from), Just(json!("tab"))],
            sort_keys: bool,
        ) {
            let text = indent.as_str().map(Cow::from);
            let digits = indent.to_string();
            let layout = <Indent as Value>::from_scalar(match text {
                Some(tab) => Scalar::Text(tab),
                None => Scalar::Number(&digits),
            });
            let format = Format::new(layout.unwrap().0).sort_keys(sort_keys);
            let text = value.to_string();
            let formatted = json::format(&text, format, &mut Warnings::new()).unwrap();
            let input = json!({"text": text, "indent": indent, "sort_keys": sort_keys});
            prop_assert_eq!(result(&input), formatted);
        }
    }

    #[test]
    fn the_indent_is_0_to_8_spaces_or_a_tab() {
        let with = |indent: Json| result(&json!({"text": "[1]", "indent": indent}));
        assert_eq!(result(&json!({"text": "[1]"})), "[\n  1\n]");
        assert_eq!(with(json!(null)), "[\n  1\n]");
        for (indent, line) in [(json!(1), " 1"), (json!(8), "        1"), (json!("3"), "   1")] {
            assert_eq!(with(indent), format!("[\n{line}\n]"));
        }
        assert_eq!(with(json!("tab")), "[\n\t1\n]");
        assert_eq!(with(json!("Tab")), "[\n\t1\n]");
        assert_eq!(with(json!(0)), "[1]");
        assert_eq!(with(json!("0")), "[1]");
    }

    #[test]
    fn another_indent_is_refused_with_what_is_accepted() {
        for indent in [json!(9), json!(-1), json!(1.5), json!("9"), json!("\t")] {
            let refused = refusal(&json!({"text": "[]", "indent": indent}));
            assert!(refused.starts_with("`indent` is "), "{refused}");
            assert!(refused.ends_with(". Use one of 0 to 8, tab."), "{refused}");
        }
        assert_eq!(
            refusal(&json!({"text": "[]", "indent": true})),
            "`indent` must be one of 0 to 8, tab, not a boolean."
        );
    }

    #[test]
    fn validate_returns_the_text_unchanged() {
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
    fn what_surrounds_the_text_is_left_out_with_a_warning_by_every_action() {
        for action in ["pretty", "minify", "validate"] {
            for (text, taken) in [
                ("'7'", ""),
                ("'[]'", "quotes"),
                ("`[]`", "quotes"),
                ("“[]”", "quotes"),
                ("[],", "a comma or semicolon"),
                ("[];\n", "a comma or semicolon"),
                ("```json\n[]\n```", "a code fence"),
                ("~~~\n[]\n~~~", "a code fence"),
                ("```json\n[]\n", "a code fence"),
            ] {
                let found = run(&json!({"text": text, "action": action}));
                if taken.is_empty() {
                    assert!(found.is_err(), "{text}");
                    continue;
                }
                let (result, ctx) = found.unwrap();
                assert_eq!(result, "[]", "{text}");
                let said = format!("Left out around the text: {taken}.");
                assert_eq!(ctx.warnings.sentences(), [said]);
            }
        }
        assert_eq!(result(&json!({"text": "\"{\"a\":1}\"", "indent": 0})), "{\"a\":1}");
        assert_eq!(result(&json!({"text": "\"{}\"", "indent": 0})), "\"{}\"");
        assert!(refusal(&json!({"text": "'{\"a\":1,}'"})).starts_with("line 1, column 8: "));
    }

    #[test]
    fn every_action_refuses_what_is_not_json_with_the_field_and_the_place() {
        for action in ["pretty", "minify", "validate"] {
            assert_eq!(
                refusal(&json!({"text": "[\n 01]", "action": action})),
                "line 2, column 2: `text` is not valid JSON: a number with a leading zero. Remove the zero, or put the digits in double quotes."
            );
        }
        assert!(
            refusal(&json!({"text": ""}))
                .starts_with("line 1, column 1: `text` is not valid JSON: the text is empty")
        );
        assert_eq!(refusal(&json!({})), "`text` is required.");
        assert_eq!(refusal(&json!({"text": 1})), "`text` must be a string, not a number.");
        assert_eq!(result(&json!({"text": "[1 ]", "action": "Minify"})), "[1]");
        assert_eq!(
            refusal(&json!({"text": "1", "action": "sort"})),
            "`action` is `sort`. Use one of pretty, minify, validate."
        );
    }

    #[test]
    fn an_indent_that_amplifies_is_refused() {
        let text = format!("{}{}1{}", "[".repeat(500), "1,".repeat(3_000), "]".repeat(500));
        assert_eq!(
            refusal(&json!({"text": text, "indent": 8})),
            "`text` gives a result of over 8 MiB. Use a smaller indent, or send less at once."
        );
        assert_eq!(result(&json!({"text": text, "indent": 0})), text);
    }
}
