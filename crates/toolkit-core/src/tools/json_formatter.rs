//! `json-formatter`: formats or validates JSON.
//!
//! Standard: RFC 8259, strictly. Lossless: numbers keep their digits, strings their escapes and
//! members their order; repeated names are kept, with a warning.

use std::borrow::Cow;

use serde_json::{Map, Value as Json, json};

use crate::choice::choice;
use crate::context::Context;
use crate::error::ToolError;
use crate::input::{self, Int, Scalar, Surface, Value, input};
use crate::json::{self, Format, Layout};
use crate::tool::{self, Answer, AnswerMeta, Example, Spec, Tool};

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
        Pretty = "pretty",
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
        if matches!(&scalar, Scalar::Text(word) if word == "tab") {
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
        summary: "Pretty-prints, minifies and validates JSON without changing its values.",
        kinds: &["json"],
        quick_bytes_max: QUICK_BODY_BYTES_MAX,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = String;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<String>, ToolError> {
        let Some(format) = format_of(&input) else {
            return Ok(Answer::new("json", validated(input, ctx)?));
        };
        let result = json::format(&input.text, format, &mut ctx.warnings);
        let result = result.map_err(|error| error.field("text"))?;
        Ok(Answer::new("json", result))
    }

    fn run_into(
        input: Input<'_>,
        ctx: &mut Context,
        out: &mut Vec<u8>,
    ) -> Result<AnswerMeta, ToolError> {
        tool::write_quoted("json", |bytes_max| write(input, bytes_max, ctx, out))
    }

    fn run_if_quick(
        body: &[u8],
        accepted: Surface,
        ctx: &mut Context,
        out: &mut Vec<u8>,
    ) -> Option<Result<AnswerMeta, ToolError>> {
        if body.len() > QUICK_BODY_BYTES_MAX {
            return None;
        }
        let input = input::from_body(body, accepted);
        let done = input.and_then(|input| write(input, QUICK_RESULT_BYTES_MAX, ctx, out));
        let meta = done.map(|is_done| is_done.then(|| Answer::new("json", ()).meta()));
        meta.transpose()
    }
}

/// Maximum length of a body that is formatted immediately: parsing it takes a small fraction of a
/// millisecond.
const QUICK_BODY_BYTES_MAX: usize = 64 << 10;

/// Maximum length of a result that is written immediately, likewise. A deeply nested text of one
/// kilobyte can become one megabyte of indentation, which only shows while writing.
const QUICK_RESULT_BYTES_MAX: usize = 512 << 10;

/// Format options of the result; `None` if the text is only validated.
fn format_of(input: &Input<'_>) -> Option<Format> {
    let layout = match input.action {
        Action::Pretty => input.indent.0,
        Action::Minify => Layout::Minified,
        Action::Validate => return None,
    };
    Some(Format {
        sort_keys: input.sort_keys,
        ..Format::new(layout)
    })
}

/// Writes the result as a JSON string; returns `false` if that would exceed the given number of
/// bytes.
fn write(
    input: Input<'_>,
    quoted_bytes_max: usize,
    ctx: &mut Context,
    out: &mut Vec<u8>,
) -> Result<bool, ToolError> {
    if let Some(format) = format_of(&input) {
        let (text, warnings) = (&input.text, &mut ctx.warnings);
        return json::format_quoted(text, format, quoted_bytes_max, warnings, out)
            .map_err(|error| error.field("text"));
    }
    let start = out.len();
    json::append_string(&validated(input, ctx)?, out);
    Ok(out.len() - start <= quoted_bytes_max)
}

/// May precede the text, but is not part of it.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Returns the text itself, without a copy if the input was already decoded.
fn validated(input: Input<'_>, ctx: &mut Context) -> Result<String, ToolError> {
    if input.sort_keys {
        ctx.warn("`sort_keys` has no effect when validating.");
    }
    let text = input.text;
    json::check(&text, &mut ctx.warnings).map_err(|error| error.field("text"))?;
    let mut text = text.into_owned();
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "Pretty-print: digits, escapes and order stay",
        input: r#"{"text": "{\"b\":1.0,\"a\":[\"\\u00e9\",1E400],\"c\":{}}"}"#,
        answer: r#"{
            "result": "{\n  \"b\": 1.0,\n  \"a\": [\n    \"\\u00e9\",\n    1E400\n  ],\n  \"c\": {}\n}",
            "type": "json"
        }"#,
    },
    Example {
        title: "Minify, with sorted keys",
        input: r#"{"text": "{\"b\": 1, \"a\": [1, 2]}", "action": "minify", "sort_keys": true}"#,
        answer: r#"{"result": "{\"a\":[1,2],\"b\":1}", "type": "json"}"#,
    },
    Example {
        title: "A duplicate name",
        input: r#"{"text": "{\"a\": 1, \"\\u0061\": 2}", "indent": 0}"#,
        answer: r#"{
            "result": "{\"a\":1,\"\\u0061\":2}",
            "type": "json",
            "warnings": ["The name `a` at line 1, column 10 is already used at line 1, column 2: both are kept."]
        }"#,
    },
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value as Json, json};

    use super::{Indent, JsonFormatter};
    use crate::context::Context;
    use crate::input::{Scalar, Surface, Value};
    use crate::json::{self, Format};
    use crate::tool::DynTool;
    use crate::warnings::Warnings;

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

    /// Result of the quick path, without its `[`; `None` if the path is not taken.
    fn run_if_quick(input: &Json) -> Option<Result<String, String>> {
        let (mut ctx, mut out) = (Context::fixed(), b"[".to_vec());
        let body = input.to_string();
        let done = JsonFormatter.run_if_quick(body.as_bytes(), Surface::Rest, &mut ctx, &mut out);
        let text = String::from_utf8(out).unwrap();
        if done.is_none() {
            assert_eq!((text.as_str(), ctx.warnings.is_empty()), ("[", true));
        }
        let done = done?.map_err(|refusal| refusal.to_string());
        Some(done.map(|_| text.chars().skip(1).collect()))
    }

    fn nested(depth: usize, items: usize) -> String {
        "[".repeat(depth) + &"1,".repeat(items) + "1" + &"]".repeat(depth)
    }

    #[test]
    fn a_shallow_text_is_quick_and_a_deep_one_of_the_same_length_is_not() {
        let rows = Json::from(vec![json!({"id": 1, "name": "Ada"}); 100]).to_string();
        let deep = nested(400, 1_000);
        assert!((2_000..3_000).contains(&rows.len()) && deep.len() < 3_000);
        assert!(run_if_quick(&json!({"text": rows})).unwrap().is_ok());
        assert_eq!(run_if_quick(&json!({"text": deep})), None);
        // That a text is not JSON may only show at its end, which takes no longer.
        let unclosed = deep.trim_end_matches(']');
        assert!(run_if_quick(&json!({"text": unclosed})).unwrap().is_err());
        assert_eq!(result(&json!({"text": deep})).matches('\n').count(), 1_800);
    }

    #[test]
    fn a_long_text_is_not_quick() {
        let spaces = |count| json!({"text": " ".repeat(count) + "1"});
        assert_eq!(run_if_quick(&spaces(65_000)), Some(Ok("\"1\"".to_owned())));
        assert_eq!(run_if_quick(&spaces(66_000)), None);
    }

    #[test]
    fn no_quick_text_becomes_more_than_what_is_bounded() {
        for (depth, items) in [
            (1, 900),
            (8, 500),
            (40, 300),
            (100, 100),
            (100, 500),
            (500, 1),
        ] {
            let input = json!({"text": nested(depth, items), "indent": 8});
            let quoted = json!(result(&input)).to_string();
            let bounded = (quoted.len() <= super::QUICK_RESULT_BYTES_MAX).then_some(Ok(quoted));
            assert_eq!(run_if_quick(&input), bounded, "{depth} {items}");
        }
    }

    #[test]
    fn an_answer_that_escapes_make_too_large_is_refused() {
        // Half the limit as text, with each quote and backslash doubled in the answer.
        let text = format!("\"{}\"", "\\\"".repeat(crate::limits::RESULT_BYTES_MAX / 4));
        let refused = refusal(&json!({"text": text}));
        assert_eq!(
            refused,
            "The input gives a result of over 8 MiB; send less at once."
        );
        let spaced = "[".repeat(500) + &"1,".repeat(4_500) + "1" + &"]".repeat(500);
        let refused = refusal(&json!({"text": spaced, "indent": 8}));
        assert!(
            refused.starts_with("`text` gives a result of over 8 MiB; use a smaller indent"),
            "{refused}"
        );
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
            let layout = <Indent as Value>::from_scalar(match &indent {
                Json::String(tab) => Scalar::Text(tab.into()),
                number => Scalar::Integer(number.as_i64().unwrap_or(0).into()),
            });
            let format = Format { sort_keys, ..Format::new(layout.unwrap().0) };
            let text = value.to_string();
            let formatted = json::format(&text, format, &mut Warnings::new()).unwrap();
            let expected = serde_json::to_string(&formatted).unwrap();
            let input = json!({"text": text, "indent": indent, "sort_keys": sort_keys});
            prop_assert_eq!(run_if_quick(&input), Some(Ok(expected)));
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
