//! `regex-tester`, `regex_test`: matches of a pattern in a text, and the replaced text.
//!
//! Standard: fancy-regex's syntax; ECMA-262 for flags, iteration and replacements. [`crate::regex`]
//! explains how the time of hostile patterns is bounded.

mod notation;
mod output;

use std::borrow::Cow;

pub use self::output::{Group, Groups, Match, NamedGroups, Offsets, Output};
use crate::context::Context;
use crate::error::ToolError;
use crate::input::{Surface, input};
use crate::regex::{Flags, Pattern};
use crate::tool::{Answer, Example, Mcp, Spec, Tool};

/// Tests a regular expression.
#[derive(Debug)]
pub struct RegexTester;

input! {
    /// Inputs of `regex-tester`.
    pub struct Input<'a>, main = 1 {
        /// The regular expression, without delimiters: Perl's syntax with Unicode classes, named groups
        /// (`(?<name>…)`), look-around and back-references. At most 8 KiB.
        pattern: Cow<'a, str>,
        /// The text to search. At most 256 KiB.
        text: Cow<'a, str> as text,
        /// Any of the letters g (all matches, not only the first), i (ignore case), m (^ and $ match at
        /// lines), s (. matches a newline), u (Unicode, always on) and x (ignore white space and
        /// #comments in the pattern).
        flags: Cow<'a, str> = Cow::Borrowed("g"),
        /// The text to put in place of each match, as in JavaScript: `$1` or `${1}` for a group, `$<name>`
        /// or `${name}` for a named one, `$&` for the match, `$$` for a dollar sign.
        replacement: Option<Cow<'a, str>>,
    }
}

impl Tool for RegexTester {
    const SPEC: Spec = Spec {
        slug: Some("regex-tester"),
        mcp: Some(Mcp {
            name: "regex_test",
            title: "Test a regular expression",
            description: "Runs a regular expression on a text: use it to check a pattern, to extract \
                what it matches with exact positions and named groups, or to try a substitution. \
                The first 100 matches are shown, and a pattern that would take too long is \
                refused. Not for reading JSON, YAML or XML: that is for format_data. Example: \
                {\"pattern\": \"(?<year>\\\\d{4})-(\\\\d\\\\d)\", \"text\": \"on 2023-11-14\", \
                \"replacement\": \"$2/$<year>\"}.",
            inputs: &["pattern", "text", "flags?", "replacement?"],
            idempotent: true,
        }),
        summary: "Tests a regular expression and lists matches, groups and substitutions.",
        kinds: &["regex"],
        // A short pattern on a short text can use up all the time allowed. It then checks its
        // deadline.
        quick_bytes_max: 0,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Output;
    const LESS: &'static str =
        "use fewer groups (`(?:…)` captures nothing), or send a part of the text";

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Output>, ToolError> {
        let flags = Flags::parse(&input.flags).map_err(|error| error.in_field("flags"))?;
        let pattern = Pattern::cached(&input.pattern, flags, || ctx.is_over())
            .map_err(|error| error.in_field("pattern"))?;
        let mut warnings = std::mem::take(&mut ctx.warnings);
        let replacement = input.replacement.as_deref();
        let found = pattern.search(&input.text, replacement, ctx.deadline(), &mut warnings);
        ctx.warnings = warnings;
        let found = found.map_err(|error| error.in_field("pattern"))?;
        let is_found = !found.matches.is_empty();
        notation::warn(&input.pattern, &pattern, &input.text, is_found, &mut ctx.warnings);
        let mut output = Output::new(&pattern, found)?;
        if let Surface::Mcp(_) = ctx.surface {
            output.shorten(&mut ctx.warnings);
        }
        Ok(Answer::new("regex", output))
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "Groups by number and by name, and a replacement",
        input: r#"{"pattern": "(?<year>\\d{4})-(\\d\\d)", "text": "on 2023-11-14", "replacement": "$2/$<year>"}"#,
    },
    Example {
        title: "Only the first match without g, and offsets beyond ASCII",
        input: r#"{"pattern": "(?<=😀)B", "text": "b😀b😀b", "flags": "i"}"#,
    },
    Example {
        title: "No match",
        input: r#"{"pattern": "\\d+", "text": "none", "replacement": "-"}"#,
    },
];

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::limits::RESULT_BYTES_MAX;

    use crate::tool::{self, DynTool as _};

    fn run(input: &Json) -> Result<(Json, Context), String> {
        let (mut answer, ctx) = tool::run(&RegexTester, &input.to_string())?;
        Ok((answer["result"].take(), ctx))
    }

    #[test]
    fn a_model_is_shown_fewer_matches_with_their_start_and_end() {
        const MCP: Surface = Surface::Mcp(&["pattern", "text", "flags?", "replacement?"]);
        for (count, shown, counted, warning) in [
            (100, 100, 100, None),
            (101, 100, 101, Some("Only the first 100 of 101 matches are shown.")),
            (1_001, 100, 1_000, Some("Only the first 100 of more than 1000 matches are shown.")),
        ] {
            let body = json!({"pattern": "(a)", "text": "a".repeat(count)}).to_string();
            let (mut ctx, mut out) = (Context::fixed(), b"{".to_vec());
            RegexTester.run_json(body.as_bytes(), MCP, &mut ctx, &mut out).unwrap();
            out.push(b'}');
            let answer: Json = serde_json::from_slice(&out).unwrap();
            let result = &answer["result"];
            let matches = result["matches"].as_array().unwrap();
            assert_eq!((matches.len(), &result["count"]), (shown, &json!(counted)));
            assert_eq!(result["truncated"], json!(warning.is_some()));
            assert_eq!(ctx.warnings.sentences(), warning.as_slice());
            let last = json!({"text": "a", "start": 99, "end": 100, "groups": ["a"]});
            assert_eq!(matches.last(), Some(&last));
        }
    }

    #[test]
    fn a_run_that_may_take_longer_than_a_millisecond_asks_for_its_time() {
        for (pattern, text, asks) in [
            (r"(\w+)@(\w+)", "ada@example", false),
            (r"(\w+)@(\w+)", "ä@b", false),
            ("a(?=b)", "ab", false),
            ("a(?!b)", "ac", true),
            (r"(.)\1", "aa", true),
            ("(?:a{60}){60}", "", true),
            ("()()()()()()()()()()", &"a".repeat(400), true),
            ("(?i)[\\wa][\\wb][\\wc][\\wd][\\we][\\wf]", "", true),
        ] {
            let input = json!({"pattern": pattern, "text": text});
            assert_eq!(tool::asks_for_time(&RegexTester, &input), asks, "{pattern}");
        }
    }

    #[test]
    fn a_group_that_does_not_participate_is_null() {
        let input = json!({"pattern": "(?<a>x)|(?<b>y)", "input": "y"});
        let (result, _) = run(&input).unwrap();
        assert_eq!(
            result["matches"][0]["groups"],
            json!([
                {"index": 1, "name": "a", "text": null, "start": null, "end": null},
                {"index": 2, "name": "b", "text": "y", "start": 0, "end": 1},
            ])
        );
        assert_eq!(result["named_groups"], json!({"a": null, "b": "y"}));
    }

    #[test]
    fn of_groups_with_one_name_the_one_that_took_part_counts() {
        let (result, _) = run(&json!({"pattern": "(?<a>x)|(?<a>y)", "text": "x"})).unwrap();
        assert_eq!(result["named_groups"], json!({"a": "x"}));
    }

    #[test]
    fn flags_are_named_as_they_were_used() {
        for (flags, used) in [(json!(null), "g"), (json!(""), ""), (json!("mig"), "gim")] {
            let (result, _) = run(&json!({"pattern": "", "text": "", "flags": flags})).unwrap();
            assert_eq!(result["flags"], used);
        }
    }

    #[test]
    fn a_refusal_names_its_input() {
        let text = "a".repeat(262_145);
        for (input, start) in [
            (
                json!({"pattern": "(", "text": ""}),
                "offset 0: `pattern` is not a valid pattern: a `(",
            ),
            (json!({"pattern": "", "text": "", "flags": "z"}), "`flags` has no flag `z`"),
            (json!({"pattern": "", "text": text}), "`text` has 262145 bytes"),
            (json!({"pattern": ""}), "`text` is required."),
            (json!({"text": ""}), "`pattern` is required."),
        ] {
            let refused = run(&input).unwrap_err();
            assert!(refused.starts_with(start), "{refused}");
        }
    }

    #[test]
    fn slashes_around_the_pattern_are_warned_about_where_nothing_matches() {
        for (pattern, text, warns) in [
            ("/a/g", "a", true),
            ("/a/", "a", true),
            ("/a/", "/a/", false),
            ("a/g", "a", false),
            ("/", "a", false),
            ("/a/1", "a", false),
        ] {
            let (_, ctx) = run(&json!({"pattern": pattern, "text": text})).unwrap();
            assert_eq!(!ctx.warnings.is_empty(), warns, "{pattern}");
        }
    }

    #[test]
    fn notations_of_other_languages_are_warned_about() {
        const BACKSLASH: &str = "`\\\\` matches a backslash";
        const QUOTES: &str = "The quotes around the pattern";
        const CASE: &str = "A back-reference that ignores case";
        for (pattern, flags, text, start) in [
            (r"\\d+", "g", "42", Some(BACKSLASH)),
            (r"\\d+", "g", r"\dd", None),
            (r"a\\", "g", "42", None),
            (r#"r"\d+""#, "g", "42", Some(QUOTES)),
            (r"'\d+'", "g", "42", Some(QUOTES)),
            (r##"r#"\d+"#"##, "g", "42", Some(QUOTES)),
            (r#""a""#, "g", r#""a""#, None),
            ("(?R)a", "g", "a", Some("`(?R)` is the flag R")),
            ("a\\h+b", "g", "a \tb", Some("`\\h` is a hexadecimal digit here")),
            ("a[\\h]b", "g", "afb", Some("`\\h` is a hexadecimal digit here")),
            ("a\\\\h", "g", "a\\h", None),
            (r"\(?R", "g", "R", None),
            (r"\d{,3}", "g", "42", Some("`{,n}` is a repetition")),
            (r"[{,3}]", "g", ",", None),
            (r"(.)\1", "gi", "ẞß", Some(CASE)),
            (r"(.)\1", "gi", "K\u{212A}", Some(CASE)),
            (r"(?i)(.)\1", "g", "ſs", Some(CASE)),
            (r"(.)\1", "g", "ẞß", None),
            (r"(.)\1", "gi", "éÉ", None),
            ("ß", "gi", "ẞ", None),
        ] {
            let (_, ctx) = run(&json!({"pattern": pattern, "flags": flags, "text": text})).unwrap();
            let said = ctx.warnings.sentences().first().map(ToString::to_string);
            let is_right = match (start, &said) {
                (Some(start), Some(said)) => said.starts_with(start),
                (start, said) => start.is_none() && said.is_none(),
            };
            assert!(is_right, "{pattern} on {text}: {said:?}");
        }
    }

    #[test]
    fn patterns_that_an_engine_once_read_wrongly_match_as_in_perl() {
        for (pattern, text, matched) in [
            (r"(?:(\1|a)b){2}", "abab", json!(["abab"])),
            ("^((?(1)b|a))$", "a", json!(["a"])),
            ("^((?(1)b|a))$", "b", json!([])),
            ("(a(?i)b)c", "aBC", json!([])),
            ("(a(?i)b)c", "aBc", json!(["aBc"])),
            ("(?x)G(o(?-x)o) g", "Goog", json!(["Goog"])),
            (r"(?=x|(x))\1x", "xx", json!([])),
            (r"(b*)(?<!\1)c", "abc", json!([])),
            ("(z)?(?>a*(?(1)x))a", "aaa", json!([])),
            (r"(?:(?=(?:a|(?=b)){2,})a){2}", "aa", json!([])),
        ] {
            let (result, _) = run(&json!({"pattern": pattern, "text": text})).unwrap();
            let texts = result["matches"].as_array().unwrap().iter();
            let texts: Vec<_> = texts.map(|found| found["text"].clone()).collect();
            assert_eq!(json!(texts), matched, "{pattern} on {text}");
        }
    }

    #[test]
    fn matches_are_cut_where_the_answer_would_grow_too_large() {
        // Each of 30 nested groups repeats the match, and a control character takes six bytes.
        let pattern = "(".repeat(30) + "[^-]+" + &")".repeat(30);
        let text = ("\u{1}".repeat(1000) + "-").repeat(60);
        let (result, _) = run(&json!({"pattern": pattern, "text": text})).unwrap();
        assert_eq!((&result["count"], &result["truncated"]), (&json!(43), &json!(true)));
        assert!(result.to_string().len() <= RESULT_BYTES_MAX);

        let text = "\u{1}".repeat(60_000);
        let refused = run(&json!({"pattern": pattern, "text": text})).unwrap_err();
        assert!(refused.contains("gives a result of over 8 MiB"), "{refused}");
    }
}
