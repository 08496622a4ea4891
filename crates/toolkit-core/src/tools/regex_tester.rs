//! `regex-tester`, `regex_test`: matches of a pattern in a text, and the replaced text.
//!
//! Standard: the syntax of fancy-regex; ECMA-262 for flags, iteration and replacements. What it takes
//! for hostile patterns to end in time is in [`crate::regex`].

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::context::Context;
use crate::error::ToolError;
use crate::input::input;
use crate::limits::RESULT_BYTES_MAX;
use crate::regex::{self, Flags, Found, Pattern};
use crate::tool::{Answer, Example, Mcp, Spec, Tool};

/// Tests a regular expression.
#[derive(Debug)]
pub struct RegexTester;

input! {
    /// What `regex-tester` takes.
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

/// What was found.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Output {
    /// Whether there is a match.
    pub matched: bool,
    /// The number of matches that are shown.
    pub count: usize,
    /// The matches from left to right, at most 1,000.
    pub matches: Vec<Match>,
    /// The named groups of the first match, each with its text, or null where it took no part.
    pub named_groups: NamedGroups,
    /// The text with every match replaced, or null without a replacement.
    pub replaced: Option<String>,
    /// Whether there are more matches than are shown.
    pub truncated: bool,
    /// The flags as they were used.
    pub flags: String,
}

/// A match. Ends are exclusive.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Match {
    /// The text that matched.
    pub text: String,
    /// Where it starts, in characters (code points).
    pub start: usize,
    /// Where it ends, in characters.
    pub end: usize,
    /// Where it starts, in bytes of UTF-8.
    pub byte_start: usize,
    /// Where it ends, in bytes of UTF-8.
    pub byte_end: usize,
    /// Where it starts, in units of UTF-16, as JavaScript counts.
    pub utf16_start: usize,
    /// Where it ends, in units of UTF-16.
    pub utf16_end: usize,
    /// The groups of the pattern, in its order.
    pub groups: Vec<Group>,
}

/// A group of a match.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Group {
    /// Its number, from 1.
    pub index: usize,
    /// Its name, or null.
    pub name: Option<String>,
    /// The text that it matched, or null if it took no part.
    pub text: Option<String>,
    /// Where it starts, in characters, or null.
    pub start: Option<usize>,
    /// Where it ends, in characters, or null.
    pub end: Option<usize>,
}

/// Names and texts in the order of the pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedGroups(Vec<(String, Option<String>)>);

impl NamedGroups {
    /// The text of a group, where there is such a group and it took part.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.and_then(|(_, text)| text.as_deref())
    }

    /// Names and texts in the order of the pattern.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.0
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_deref()))
    }
}

impl Serialize for NamedGroups {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, text)| (name, text)))
    }
}

impl schemars::JsonSchema for NamedGroups {
    fn schema_name() -> Cow<'static, str> {
        "NamedGroups".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "object",
            "additionalProperties": {"type": ["string", "null"]},
        })
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
                The syntax is Perl's with look-around and back-references; replacements are \
                JavaScript's. Patterns have at most 8 KiB, texts 256 KiB; 1,000 matches are shown, \
                and a pattern that runs away is refused. Example: \
                {\"pattern\": \"(?<year>\\\\d{4})-(\\\\d\\\\d)\", \"text\": \"on 2023-11-14\", \
                \"replacement\": \"$2/$<year>\"}.",
            inputs: &["pattern", "text", "flags?", "replacement?"],
            idempotent: true,
        }),
        summary: "Tests a regular expression: matches with their positions, groups and substitution.",
        kinds: &["regex"],
        // A short pattern on a short text can take all the time there is.
        quick_bytes_max: 0,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Output;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Output>, ToolError> {
        let flags = Flags::parse(&input.flags).map_err(|error| error.field("flags"))?;
        let pattern =
            Pattern::new(&input.pattern, flags).map_err(|error| error.field("pattern"))?;
        let mut warnings = std::mem::take(&mut ctx.warnings);
        let found = pattern
            .search(
                &input.text,
                input.replacement.as_deref(),
                ctx.deadline(),
                &mut warnings,
            )
            .map_err(|error| error.field("pattern"))?;
        ctx.warnings = warnings;
        if found.matches.is_empty() && has_delimiters(&input.pattern) {
            ctx.warn(
                "The slashes around the pattern are matched literally: leave them out, and put the \
                 letters after them into `flags`.",
            );
        }
        let output = Output::new(&pattern, found, flags)?;
        Ok(Answer::new("regex", output))
    }
}

/// Whether a pattern looks like `/…/g`.
fn has_delimiters(pattern: &str) -> bool {
    let inside = pattern
        .strip_prefix('/')
        .and_then(|rest| rest.rsplit_once('/'));
    inside.is_some_and(|(_, flags)| flags.bytes().all(|byte| byte.is_ascii_lowercase()))
}

impl Output {
    fn new(pattern: &Pattern, found: Found<'_>, flags: Flags) -> Result<Self, ToolError> {
        let names: Vec<Option<&str>> = pattern.group_names().collect();
        let replaced_bytes = found.replaced.as_deref().map_or(0, json_bytes);
        let first_bytes = found
            .matches
            .first()
            .map_or(0, |first| match_bytes(&names, first));
        // Beside the matches: the other fields, and the named groups of the first one.
        let mut room = RESULT_BYTES_MAX.checked_sub(1_000 + replaced_bytes + 2 * first_bytes);
        let named_groups = found
            .matches
            .first()
            .map_or(Vec::new(), |first| named_texts(&names, first));
        let mut truncated = found.truncated;
        let mut matches = Vec::new();
        for found in &found.matches {
            let bytes = if matches.is_empty() {
                0
            } else {
                match_bytes(&names, found)
            };
            room = room.and_then(|room| room.checked_sub(bytes));
            if room.is_none() {
                truncated = true;
                break;
            }
            matches.push(Match::new(&names, found));
        }
        if matches.is_empty() && truncated {
            return Err(ToolError::result_too_large(RESULT_BYTES_MAX)
                .with_hint("shorten the text")
                .field("pattern"));
        }
        Ok(Self {
            matched: !matches.is_empty(),
            count: matches.len(),
            matches,
            named_groups: NamedGroups(named_groups),
            replaced: found.replaced,
            truncated,
            flags: flags.to_string(),
        })
    }
}

/// The bytes that a match takes as JSON, or somewhat more.
fn match_bytes(names: &[Option<&str>], found: &regex::Match<'_>) -> usize {
    let groups = names.iter().zip(&found.groups).map(|(name, group)| {
        let name = name.map_or(4, json_bytes);
        90 + name + group.map_or(4, |group| json_bytes(group.text))
    });
    170 + json_bytes(found.text) + groups.sum::<usize>()
}

/// The bytes that a text takes in JSON, without the quotation marks.
fn json_bytes(text: &str) -> usize {
    let escaped = |byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0C => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum()
}

/// The texts of the named groups; of several with one name, the one that took part.
fn named_texts(names: &[Option<&str>], found: &regex::Match<'_>) -> Vec<(String, Option<String>)> {
    let mut texts: Vec<(String, Option<String>)> = Vec::new();
    for (name, group) in names.iter().zip(&found.groups) {
        let Some(name) = name else {
            continue;
        };
        let text = group.map(|group| group.text.to_owned());
        match texts.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = text.or(known.take()),
            None => texts.push(((*name).to_owned(), text)),
        }
    }
    texts
}

impl Match {
    fn new(names: &[Option<&str>], found: &regex::Match<'_>) -> Self {
        let groups = names.iter().zip(&found.groups).enumerate();
        Self {
            text: found.text.to_owned(),
            start: found.start.characters,
            end: found.end.characters,
            byte_start: found.start.bytes,
            byte_end: found.end.bytes,
            utf16_start: found.start.utf16,
            utf16_end: found.end.utf16,
            groups: groups
                .map(|(index, (name, group))| Group {
                    index: index + 1,
                    name: name.map(str::to_owned),
                    text: group.map(|group| group.text.to_owned()),
                    start: group.map(|group| group.start.characters),
                    end: group.map(|group| group.end.characters),
                })
                .collect(),
        }
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "groups by number and by name, and a replacement",
        input: r#"{"pattern": "(?<year>\\d{4})-(\\d\\d)", "text": "on 2023-11-14", "replacement": "$2/$<year>"}"#,
        answer: r#"{
            "result": {
                "matched": true,
                "count": 1,
                "matches": [{
                    "text": "2023-11", "start": 3, "end": 10, "byte_start": 3, "byte_end": 10,
                    "utf16_start": 3, "utf16_end": 10,
                    "groups": [
                        {"index": 1, "name": "year", "text": "2023", "start": 3, "end": 7},
                        {"index": 2, "name": null, "text": "11", "start": 8, "end": 10}
                    ]
                }],
                "named_groups": {"year": "2023"},
                "replaced": "on 11/2023-14",
                "truncated": false,
                "flags": "g"
            },
            "type": "regex"
        }"#,
    },
    Example {
        title: "characters, bytes and units of UTF-16 beyond ASCII; only the first match without g",
        input: r#"{"pattern": "(?<=😀)B", "text": "b😀b😀b", "flags": "i"}"#,
        answer: r#"{
            "result": {
                "matched": true,
                "count": 1,
                "matches": [{
                    "text": "b", "start": 2, "end": 3, "byte_start": 5, "byte_end": 6,
                    "utf16_start": 3, "utf16_end": 4, "groups": []
                }],
                "named_groups": {},
                "replaced": null,
                "truncated": false,
                "flags": "i"
            },
            "type": "regex"
        }"#,
    },
    Example {
        title: "no match",
        input: r#"{"pattern": "\\d+", "text": "none", "replacement": "-"}"#,
        answer: r#"{
            "result": {
                "matched": false, "count": 0, "matches": [], "named_groups": {}, "replaced": "none",
                "truncated": false, "flags": "g"
            },
            "type": "regex"
        }"#,
    },
];

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::input::Surface;
    use crate::tool::DynTool;

    fn run(input: &Json) -> Result<(Json, Context), String> {
        let mut ctx = Context::fixed();
        let mut out = Vec::new();
        RegexTester
            .run_json(
                input.to_string().as_bytes(),
                Surface::Rest,
                &mut ctx,
                &mut out,
            )
            .map_err(|error| error.to_string())?;
        Ok((serde_json::from_slice(&out).unwrap(), ctx))
    }

    #[test]
    fn a_group_that_takes_no_part_is_null() {
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
                "`pattern` is not a valid pattern: a `(",
            ),
            (
                json!({"pattern": "", "text": "", "flags": "z"}),
                "`flags` has no flag `z`",
            ),
            (
                json!({"pattern": "", "text": text}),
                "`text` has 262145 bytes",
            ),
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
    fn matches_are_cut_where_the_answer_would_grow_too_large() {
        // Each of 30 nested groups repeats the match, and a control character takes six bytes.
        let pattern = "(".repeat(30) + "[^-]+" + &")".repeat(30);
        let text = ("\u{1}".repeat(1000) + "-").repeat(60);
        let (result, _) = run(&json!({"pattern": pattern, "text": text})).unwrap();
        assert_eq!(
            (&result["count"], &result["truncated"]),
            (&json!(43), &json!(true))
        );
        assert!(result.to_string().len() <= RESULT_BYTES_MAX);

        let text = "\u{1}".repeat(60_000);
        let refused = run(&json!({"pattern": pattern, "text": text})).unwrap_err();
        assert!(
            refused.contains("gives a result of over 8 MiB"),
            "{refused}"
        );
    }

    #[test]
    fn the_estimate_of_a_match_is_not_below_its_size() {
        let pattern = Pattern::new("(?<name>\"\u{1}\n)(x)?", Flags::default()).unwrap();
        let text = "\"\u{1}\n".repeat(2);
        let found = pattern
            .search(&text, None, None, &mut crate::Warnings::new())
            .unwrap();
        let names: Vec<Option<&str>> = pattern.group_names().collect();
        let estimate = match_bytes(&names, &found.matches[0]);
        let actual = serde_json::to_string(&Match::new(&names, &found.matches[0])).unwrap();
        assert!((actual.len()..actual.len() + 200).contains(&estimate));
    }
}
