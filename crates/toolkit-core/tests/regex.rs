//! Regular expressions: JavaScript's replacements, positions, refusals, limits and hostile patterns.

#![expect(
    clippy::unwrap_used,
    reason = "clippy.toml allows it in tests, but not in their helpers"
)]

use std::cell::Cell;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde::Deserialize;
use toolkit_core::Warnings;
use toolkit_core::limits::{
    MATCHES_MAX, PATTERN_BYTES_MAX, REGEX_TEXT_BYTES_MAX, RUN_MILLISECONDS_MAX,
};
use toolkit_core::regex::{Flags, Found, Pattern};

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    about: String,
    pattern: String,
    flags: String,
    text: String,
    replacement: String,
    replaced: String,
}

fn pattern(pattern: &str, flags: &str) -> Result<Pattern, String> {
    Pattern::new(pattern, Flags::parse(flags).unwrap())
        .map_err(|error| error.field("pattern").to_string())
}

fn search<'t>(
    regex: &str,
    flags: &str,
    text: &'t str,
    replacement: Option<&str>,
) -> Result<(Found<'t>, Warnings), String> {
    let mut warnings = Warnings::new();
    let found = pattern(regex, flags)?
        .search(text, replacement, None, &mut warnings)
        .map_err(|error| error.field("pattern").to_string())?;
    Ok((found, warnings))
}

/// Start and text of each match.
fn matches<'t>(regex: &str, flags: &str, text: &'t str) -> Vec<(usize, &'t str)> {
    let (found, _) = search(regex, flags, text, None).unwrap();
    let matches = found.matches.iter();
    matches
        .map(|found| (found.start.characters, found.text))
        .collect()
}

#[test]
fn replacements_are_those_of_javascript() {
    let vectors: Vectors = serde_json::from_str(include_str!("vectors/regex.json")).unwrap();
    for case in vectors.cases {
        let (found, _) = search(
            &case.pattern,
            &case.flags,
            &case.text,
            Some(&case.replacement),
        )
        .unwrap();
        assert_eq!(found.replaced, Some(case.replaced), "{}", case.about);
    }
}

#[test]
fn braces_name_a_group_too() {
    for (replacement, replaced) in [
        ("${1}0", "ab0"),
        ("${name}", "ab"),
        ("${2}", "${2}"),
        ("${0}", "${0}"),
        ("${other}", "${other}"),
        ("${}", "${}"),
        ("${1", "${1"),
        ("${01}", "ab"),
    ] {
        let (found, _) = search("(?<name>ab)", "g", "ab", Some(replacement)).unwrap();
        assert_eq!(found.replaced.as_deref(), Some(replaced), "{replacement}");
    }
}

#[test]
fn a_reference_to_no_group_is_warned_about() {
    for (replacement, reference) in [
        ("$2", "$2"),
        ("$0", "$0"),
        ("${x}", "${x}"),
        ("$<x>", "$<x>"),
    ] {
        let (_, warnings) = search("(?<n>a)", "g", "a", Some(replacement)).unwrap();
        let sentence = format!(
            "`{reference}` in the replacement names no group of the pattern; `$&` is the whole match."
        );
        assert_eq!(warnings.sentences(), [sentence]);
    }
    let (_, warnings) = search("(a)", "g", "a", Some("$1 $& $$ $` $' $ $x")).unwrap();
    assert!(warnings.is_empty());
}

#[test]
fn matches_are_found_from_left_to_right() {
    assert_eq!(
        matches(r"\d+", "g", "1 22 333"),
        [(0, "1"), (2, "22"), (5, "333")]
    );
    assert_eq!(matches(r"\d+", "", "1 22 333"), [(0, "1")]);
    assert_eq!(matches("", "g", "é😀"), [(0, ""), (1, ""), (2, "")]);
    assert_eq!(
        matches("a*", "g", "baac"),
        [(0, ""), (1, "aa"), (3, ""), (4, "")]
    );
    assert_eq!(matches(r"\Ga", "g", "aaba"), [(0, "a"), (1, "a")]);
    assert_eq!(matches(r"\G\d?", "g", "1a"), [(0, "1"), (1, "")]);
    assert_eq!(matches(r"a\Kb", "g", "abab"), [(1, "b"), (3, "b")]);
    assert_eq!(matches("(?i)straße", "g", "STRAßE"), [(0, "STRAßE")]);
    assert_eq!(matches(" a # one letter", "gx", "ba"), [(1, "a")]);
    assert_eq!(matches("a b", "g", "a b"), [(0, "a b")]);
}

#[test]
fn places_count_characters_bytes_and_utf16() {
    let (found, _) = search("(b)|(c)", "g", "é😀b", None).unwrap();
    let found = &found.matches[0];
    let counts = [found.start, found.end].map(|place| (place.characters, place.bytes, place.utf16));
    assert_eq!(counts, [(2, 6, 3), (3, 7, 4)]);
    assert_eq!(
        found.groups[0].map(|group| (group.text, group.end.bytes)),
        Some(("b", 7))
    );
    assert_eq!(found.groups[1], None);
}

#[test]
fn groups_keep_their_numbers_and_names() {
    let names = |regex| {
        let pattern = pattern(regex, "g").unwrap();
        pattern
            .group_names()
            .map(|name| name.map(str::to_owned))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(r"(a)(?<b>b)(?:c)(?P<d>d)"),
        [None, Some("b".into()), Some("d".into())]
    );
    // None of these changes what a group's number is.
    for regex in ["(a){0}(b)", "(?:(a){0})(b)", "(?!(a))(b)", "x*(a)?(b)(?=c)"] {
        let (found, _) = search(regex, "g", "bc", None).unwrap();
        let groups = &found.matches[0].groups;
        assert_eq!(
            (groups.len(), groups[1].map(|group| group.text)),
            (2, Some("b")),
            "{regex}"
        );
    }
}

#[test]
fn a_bad_pattern_is_refused_with_reason_and_offset() {
    for (regex, detail) in [
        (
            "a(b",
            "a `(` is not closed at offset 1; close it with `)`, or write `\\(` for the character.",
        ),
        (
            "é[a",
            "a `[` is not closed at offset 1; close it with `]`, or write `\\[` for the character; a `]` right after `[` stands for itself.",
        ),
        (
            "a)",
            "a `)` closes nothing at offset 1; write `\\)` for the character.",
        ),
        (
            "é*é**",
            "there is nothing to repeat before a `*`, `+`, `?` or `{` at offset 4; write `\\*` and the like for the character.",
        ),
        (
            "ab{3,2}",
            "the repetition {3,2} has its numbers in the wrong order at offset 2.",
        ),
        (
            "ab\\",
            "it ends in a `\\` at offset 2; write `\\\\` for the character.",
        ),
        (
            "a\\q",
            "`\\q` is no known escape at offset 1; a letter stands for itself without a backslash.",
        ),
        (
            "\\Qa.b\\E",
            "`\\Q` is no known escape at offset 0; escape each special character by itself.",
        ),
        (
            "é[z-a]",
            "invalid character class range, the start must be <= the end at offset 2.",
        ),
        ("x\\p{Foo}", "Unicode property not found at offset 1."),
        (
            "x(?<n",
            "the name of a group is malformed at offset 2; write `(?<name>…)` with letters, digits and `_`.",
        ),
        ("(a)\\2", "there is no group 2 to refer to at offset 3."),
        (
            "\\k<n>",
            "it refers to a group that does not exist at offset 2.",
        ),
        (
            "a\\g<n>",
            "it calls a group that does not exist at offset 3.",
        ),
        (
            "(?<a>\\g<a>)",
            "a group calls itself without an end at offset 5.",
        ),
        (
            "(?z)",
            "`(?z` opens no known group at offset 2; use `(?:…)`, `(?<name>…)`, `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`, `(?>…)` or `(?i)`.",
        ),
        (
            "\\x{110000}",
            "there is no character with this number at offset 2; 10FFFF is the last.",
        ),
        ("(?-u)a", "Unicode cannot be turned off at offset 3."),
    ] {
        let refused = pattern(regex, "g").unwrap_err();
        assert_eq!(
            refused,
            format!("`pattern` is not a valid pattern: {detail}"),
            "{regex}"
        );
        // The offset does not depend on how the flags are passed on.
        assert_eq!(pattern(regex, "gims").unwrap_err(), refused);
    }
}

#[test]
fn patterns_and_texts_are_taken_up_to_their_limits() {
    assert!(pattern(&"a".repeat(PATTERN_BYTES_MAX), "g").is_ok());
    assert_eq!(
        pattern(&"a".repeat(PATTERN_BYTES_MAX + 1), "g").unwrap_err(),
        "`pattern` has 8193 bytes; at most 8192 are accepted."
    );
    let text = "a".repeat(REGEX_TEXT_BYTES_MAX + 1);
    assert_eq!(matches("b", "g", text.get(1..).unwrap()), []);
    assert_eq!(
        search("b", "g", &text, None).unwrap_err(),
        "`text` has 262145 bytes; at most 262144 are accepted."
    );
}

#[test]
fn matches_are_shown_up_to_a_thousand_and_all_are_replaced() {
    for (count, shown, truncated) in [
        (MATCHES_MAX, MATCHES_MAX, false),
        (MATCHES_MAX + 1, MATCHES_MAX, true),
    ] {
        let text = "a".repeat(count);
        let (found, _) = search("a", "g", &text, Some("b")).unwrap();
        assert_eq!((found.matches.len(), found.truncated), (shown, truncated));
        assert_eq!(found.replaced, Some("b".repeat(count)));
    }
    // 400 groups in each of 1,000 matches would be 400,000.
    let text = "a".repeat(1000);
    let (found, _) = search(&"()".repeat(400), "g", &text, None).unwrap();
    assert_eq!((found.matches.len(), found.truncated), (124, true));
}

#[test]
fn a_replacement_that_grows_too_large_is_refused() {
    for (regex, text, replacement) in [
        ("a", "a".repeat(9000), "x".repeat(1000)),
        ("a", "a".repeat(9000), "$`".to_owned()),
        ("", "a".repeat(9000), "$&$'".to_owned()),
    ] {
        assert_eq!(
            search(regex, "g", &text, Some(&replacement)).unwrap_err(),
            "`pattern` gives a text of over 8 MiB; shorten the text or the replacement."
        );
    }
}

/// Patterns that exhaust engines without bounds, each with the kind of text that it needs.
fn hostile() -> Vec<(String, String)> {
    let many = |part: &str| part.repeat(PATTERN_BYTES_MAX / part.len());
    let numbered = |part: &str| -> String {
        (0..300)
            .map(|index| part.replace('#', &index.to_string()))
            .collect()
    };
    let letters = |count| "a".repeat(count);
    let calls: Vec<String> = (2..200).map(|group| format!(r"(\g<{group}>)")).collect();
    let mut seed = 1_u32;
    let coin = |_| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if seed >> 31 == 0 { 'a' } else { 'b' }
    };
    let random: String = (0..100_000).map(coin).collect();
    let mut cases = vec![
        // Backtracking: exponential, with and without a look at the text.
        (
            r"^(?:(\w+)\s?)*\1!$".into(),
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".into(),
        ),
        (r"(?:(?=.*z)a|a)*b".into(), letters(20_000)),
        (
            format!("(?:(?=)|(?=)){{60}}{}(*FAIL)", "()(?=)".repeat(20)),
            "a".into(),
        ),
        (
            r"(?:(?:(?:(?=x)|(?=)){1000}){1000}){1000}(?=x)".into(),
            "a".into(),
        ),
        // Quadratic: each place scans the rest of the text.
        (r"(?=.*z)q".into(), letters(100_000)),
        (r"(?:(?=.*z)a)+q".into(), letters(100_000) + "z"),
        (r"(?:(?!.*\x{4e00})a)+q".into(), letters(20_000)),
        (r"(?:(?~z.*y)a)+q".into(), letters(100_000)),
        (r".*[^A-Z]|[A-Z]".into(), "A".repeat(100_000)),
        (many("(?!.*x)"), letters(100_000)),
        (r"(?<=(\w+)\1)x".into(), letters(100_000)),
        // Linear, with a large factor.
        ("(?:a|b)*a(?:a|b){1000}c".into(), random.clone()),
        ("(?!(?:a|b)*a(?:a|b){1000}c)q".into(), random.clone()),
        ("((a{0,30}){100})*$".into(), letters(100_000)),
        // Large when compiled.
        (numbered(r"(?=\w{20}#)"), letters(100)),
        (numbered("(?=[a-z]{9000}#)"), letters(100)),
        (r"((((\w{100}){100}){100}){100})".into(), letters(100)),
        (
            r"(?<a>(?<b>(?<c>\g<a>?x)\g<a>?)\g<a>?)".into(),
            letters(100),
        ),
        (r"\g<1>".to_owned() + &calls.concat() + "(x)", "x".into()),
        // Nested.
        ("(".repeat(4000) + &")".repeat(4000), "a".into()),
        ("[".repeat(4000) + &"]".repeat(4000), "a".into()),
        ("(?:a|".repeat(60) + &")*".repeat(60), letters(1000)),
    ];
    // Memory: groups that are kept for going back.
    cases.push((format!("(?:{}(a))+\\1", "()".repeat(40)), letters(100_000)));
    cases
}

#[test]
fn a_hostile_pattern_ends_when_its_time_is_over() {
    for (regex, text) in hostile() {
        let started = Instant::now();
        let over = Cell::new(None);
        let is_over = || {
            let is_over = started.elapsed() > Duration::from_millis(RUN_MILLISECONDS_MAX);
            if is_over && over.get().is_none() {
                over.set(Some(Instant::now()));
            }
            is_over
        };
        let shown: String = regex.chars().take(40).collect();
        if let Ok(pattern) = pattern(&regex, "g") {
            let found = pattern.search(&text, Some("-"), Some(&is_over), &mut Warnings::new());
            assert!(
                found.is_ok()
                    || over
                        .get()
                        .is_none_or(|over| over.elapsed().as_millis() < 50)
            );
        }
        // Ten times the promise, for a build without optimisation on a busy machine.
        assert!(
            started.elapsed() < Duration::from_secs(5),
            "{shown} took {:?}",
            started.elapsed()
        );
    }
}

#[test]
fn a_search_that_is_stopped_says_so() {
    let pattern = pattern("(?=.*z)q", "g").unwrap();
    let text = "a".repeat(100_000);
    let refused = pattern
        .search(&text, None, Some(&|| true), &mut Warnings::new())
        .unwrap_err();
    assert_eq!(
        refused.field("pattern").to_string(),
        "`pattern` takes too long on this text and was stopped; simplify the pattern, or shorten the \
         text."
    );
    // The engine can be used again after it was stopped.
    let found = pattern
        .search("qz", None, Some(&|| false), &mut Warnings::new())
        .unwrap();
    assert_eq!(found.matches.len(), 1);
}

#[test]
fn work_is_bounded_without_a_clock() {
    let asked = Instant::now();
    for (regex, text) in [
        ("(?:(?=.*z)a)+q", "a".repeat(100_000) + "z"),
        (".*[^A-Z]|[A-Z]", "A".repeat(REGEX_TEXT_BYTES_MAX)),
    ] {
        let refused = search(regex, "g", &text, Some("-")).unwrap_err();
        assert!(refused.contains("takes too long"), "{regex}: {refused}");
    }
    assert!(
        asked.elapsed() < Duration::from_secs(50),
        "{:?}",
        asked.elapsed()
    );
}

#[test]
fn ordinary_patterns_are_not_refused_on_long_texts() {
    let log = "127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] \"GET /a.gif HTTP/1.0\" 200 2326\n";
    let text = log.repeat(REGEX_TEXT_BYTES_MAX / log.len());
    for regex in [
        r#"(?m)^(\S+) \S+ (\S+) \[([^\]]+)\] "(GET|POST) ([^"]+) HTTP/1\.\d" (\d{3}) (\d+)$"#,
        r"\b(\w+) \1\b",
        r"(?<!\d)\d{3}(?!\d)x",
        r"^(?=.*[A-Z])(?=.*\d).{8,64}$",
        r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+",
        r"(?:January|February|March|April|May|June|July|August|September|October|November|December)",
    ] {
        let started = Instant::now();
        let is_over = || started.elapsed() > Duration::from_secs(5);
        let pattern = pattern(regex, "g").unwrap();
        let found = pattern.search(&text, None, Some(&is_over), &mut Warnings::new());
        assert!(found.is_ok(), "{regex}: {:?}", found.map(|_| ()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_pattern_and_text_give_an_answer(
        regex in r"([a-c.*+?(){}\[\]|^$\\0-9<>=!:,é#-]|\(\?[:=!>]|\(\?<[=!]|\\[bBdwsKGRZAzpg]){0,20}",
        text in "[a-c1 é\n]{0,40}",
        replacement in proptest::option::of("[$&0-9<>{}a`']{0,6}"),
        flags in "g?i?m?s?x?",
    ) {
        let found = search(&regex, &flags, &text, replacement.as_deref());
        if let Ok((found, _)) = found {
            for found in found.matches {
                prop_assert_eq!(text.get(found.start.bytes..found.end.bytes), Some(found.text));
            }
        }
    }

    #[test]
    fn any_characters_are_a_pattern_or_refused(regex in ".{0,40}", text in ".{0,40}") {
        if let Err(refused) = search(&regex, "g", &text, None) {
            prop_assert!(refused.starts_with("`pattern` "), "{}", refused);
        }
    }
}

#[test]
fn the_public_suites_are_answered_in_time() {
    let Ok(folder) = std::env::var("TOOLKIT_SUITES") else {
        println!("skipped: TOOLKIT_SUITES is not set");
        return;
    };
    let mut worst = Duration::ZERO;
    let mut patterns = Vec::new();
    for file in ["redos_regex101_sample", "gofuzz_sample"] {
        let suite = std::fs::read_to_string(format!("{folder}/{file}.json")).unwrap();
        let cases: Vec<serde_json::Value> = serde_json::from_str(&suite).unwrap();
        patterns.extend(cases.iter().filter_map(|case| {
            let is_regex = case["kind"] == "regexp" || case["input"].is_object();
            let input = case["input"].get("pattern").unwrap_or(&case["input"]);
            input.as_str().filter(|_| is_regex).map(str::to_owned)
        }));
    }
    assert!(patterns.len() > 500);
    for regex in patterns {
        let Ok(pattern) = pattern(&regex, "g") else {
            continue;
        };
        let long = [&regex, "a1 Ab-.", "\n"]
            .concat()
            .repeat(20_000 / (regex.len() + 8));
        for text in ["a".repeat(50), "a1 Ab-.\n".repeat(30), long] {
            let started = Instant::now();
            let limit = Duration::from_millis(RUN_MILLISECONDS_MAX);
            let is_over = || started.elapsed() > limit;
            let _ = pattern.search(&text, Some("<$1>"), Some(&is_over), &mut Warnings::new());
            worst = worst.max(started.elapsed());
        }
    }
    println!("the slowest took {worst:?}");
    assert!(worst < Duration::from_secs(5));
}
