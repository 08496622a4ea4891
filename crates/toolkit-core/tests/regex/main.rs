//! Regular expressions: JavaScript's replacements, positions, refusals, limits and hostile
//! patterns.

#![expect(clippy::unwrap_used, reason = "clippy.toml allows it in tests, but not in their helpers")]

mod hostile;

use proptest::prelude::*;
use serde::Deserialize;
use toolkit_core::Warnings;
use toolkit_core::limits::{MATCHES_MAX, PATTERN_BYTES_MAX, REGEX_TEXT_BYTES_MAX};
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
        .map_err(|error| error.in_field("pattern").to_string())
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
        .map_err(|error| error.in_field("pattern").to_string())?;
    Ok((found, warnings))
}

/// Start and text of each match.
fn matches<'t>(regex: &str, flags: &str, text: &'t str) -> Vec<(usize, &'t str)> {
    let (found, _) = search(regex, flags, text, None).unwrap();
    let matches = found.matches.iter();
    matches.map(|found| (found.start.characters, found.text)).collect()
}

#[test]
fn a_match_that_begins_before_the_end_of_the_previous_one_is_found_once() {
    assert_eq!(matches(r"(?<=\Ka)", "g", "aba"), [(0, "a"), (2, "a")]);
    let (found, _) = search(r"(?<=\Ka)", "g", "aba", Some("<$&>")).unwrap();
    assert_eq!(found.replaced.as_deref(), Some("<a>b<a>"));
}

#[test]
fn replacements_are_those_of_javascript() {
    let vectors: Vectors = serde_json::from_str(include_str!("../vectors/regex.json")).unwrap();
    for case in vectors.cases {
        let (found, _) =
            search(&case.pattern, &case.flags, &case.text, Some(&case.replacement)).unwrap();
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
    for (replacement, reference) in [("$2", "$2"), ("$0", "$0"), ("${x}", "${x}"), ("$<x>", "$<x>")]
    {
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
fn without_g_other_matches_are_warned_about() {
    for (regex, flags, text, warns) in [
        ("a", "", "aa", true),
        ("a*", "", "aa", true),
        ("(?<=x)a", "", "xa xa", true),
        ("a", "", "ab", false),
        ("b", "", "a", false),
        ("a", "g", "aa", false),
    ] {
        let (found, warnings) = search(regex, flags, text, Some("-")).unwrap();
        let sentence = "The flag `g` is off: only the first match is shown.";
        assert_eq!(warnings.sentences() == [sentence], warns, "{regex}");
        assert!(!found.truncated && (flags == "g" || found.matches.len() < 2));
    }
}

#[test]
fn references_in_other_notations_are_warned_about() {
    for (replacement, reference, accepted) in [
        (r"\1", r"\1", "$1"),
        (r"a \0", r"\0", "$&"),
        (r"\g<1>", r"\g<1>", "$1"),
        (r"\g<0>", r"\g<0>", "$&"),
        (r"\g<year>", r"\g<year>", "$<year>"),
        ("$year-", "$year", "$<year>"),
    ] {
        let (found, warnings) = search(r"(?<year>\d+)", "g", "7", Some(replacement)).unwrap();
        assert_eq!(found.replaced.as_deref(), Some(replacement));
        let sentence = format!(
            "`{reference}` in the replacement is literal text; write `{accepted}` instead."
        );
        assert_eq!(warnings.sentences(), [sentence]);
    }
    let (found, warnings) = search("(a)", "g", "a", Some(r"\U$1\E")).unwrap();
    assert_eq!(found.replaced.as_deref(), Some(r"\Ua\E"));
    let sentence = r"`\U` in the replacement is literal text: the case of letters is not changed.";
    assert_eq!(warnings.sentences(), [sentence]);
    for replacement in [r"\n \\ \g \g<other> \g<year C:\Users", "$$year $years $yea $"] {
        let (_, warnings) = search(r"(?<year>\d+)", "g", "7", Some(replacement)).unwrap();
        assert!(warnings.is_empty(), "{replacement}: {warnings:?}");
    }
}

#[test]
fn of_groups_with_one_name_the_one_that_took_part_is_written() {
    for replacement in ["[$<a>]", "[${a}]"] {
        let (found, _) = search("(?<a>x)|(?<a>y)", "g", "xy", Some(replacement)).unwrap();
        assert_eq!(found.replaced.as_deref(), Some("[x][y]"));
    }
}

#[test]
fn a_replacement_is_read_in_time_in_proportion_to_its_length() {
    let names: Vec<String> = (0..500).map(|index| format!("(?<n{index}>)")).collect();
    let same = "(?<a>)".repeat(1_000);
    for (regex, replacement) in [
        ("(a)", "$<".repeat(500_000) + ">"),
        ("(a)", "${".repeat(500_000)),
        ("(a)", "${".repeat(500_000) + "}"),
        ("(a)", r"\g<".repeat(300_000) + ">"),
        ("(a)", "$2".repeat(500_000)),
        (&names.concat(), "$<no>".repeat(200_000)),
        (&same, "$<a>".repeat(200_000)),
    ] {
        let started = cpu_time::ThreadTime::now();
        let _ = search(regex, "", "a", Some(&replacement));
        // Far more than an unoptimized build takes on a busy machine.
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}

#[test]
fn matches_are_found_from_left_to_right() {
    assert_eq!(matches(r"\d+", "g", "1 22 333"), [(0, "1"), (2, "22"), (5, "333")]);
    assert_eq!(matches(r"\d+", "", "1 22 333"), [(0, "1")]);
    assert_eq!(matches("", "g", "é😀"), [(0, ""), (1, ""), (2, "")]);
    assert_eq!(matches("a*", "g", "baac"), [(0, ""), (1, "aa"), (3, ""), (4, "")]);
    assert_eq!(matches(r"\Ga", "g", "aaba"), [(0, "a"), (1, "a")]);
    assert_eq!(matches(r"\G\d?", "g", "1a"), [(0, "1"), (1, "")]);
    assert_eq!(matches(r"a\Kb", "g", "abab"), [(1, "b"), (3, "b")]);
    assert_eq!(matches("(?i)straße", "g", "STRAßE"), [(0, "STRAßE")]);
    assert_eq!(matches(" a # one letter", "gx", "ba"), [(1, "a")]);
    assert_eq!(matches("a b", "g", "a b"), [(0, "a b")]);
}

#[test]
fn positions_count_characters_bytes_and_utf16() {
    let (found, _) = search("(b)|(c)", "g", "é😀b", None).unwrap();
    let found = &found.matches[0];
    let counts = [found.start, found.end].map(|place| (place.characters, place.bytes, place.utf16));
    assert_eq!(counts, [(2, 6, 3), (3, 7, 4)]);
    assert_eq!(found.groups[0].map(|group| (group.text, group.end.bytes)), Some(("b", 7)));
    assert_eq!(found.groups[1], None);
}

#[test]
fn groups_keep_their_numbers_and_names() {
    let names = |regex| {
        let pattern = pattern(regex, "g").unwrap();
        pattern.group_names().map(|name| name.map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(names(r"(a)(?<b>b)(?:c)(?P<d>d)"), [None, Some("b".into()), Some("d".into())]);
    // None of these changes the number of a group.
    for regex in ["(a){0}(b)", "(?:(a){0})(b)", "(?!(a))(b)", "x*(a)?(b)(?=c)"] {
        let (found, _) = search(regex, "g", "bc", None).unwrap();
        let groups = &found.matches[0].groups;
        assert_eq!((groups.len(), groups[1].map(|group| group.text)), (2, Some("b")), "{regex}");
    }
}

#[test]
fn a_bad_pattern_is_refused_with_reason_and_offset() {
    for (regex, detail) in [
        (
            "a(b",
            "offset 1: `pattern` is not a valid pattern: a `(` is not closed. Close it with `)`, or write `\\(` for the character.",
        ),
        (
            "é[a",
            "offset 1: `pattern` is not a valid pattern: a `[` is not closed. Close it with `]`, or write `\\[` for the character; a `]` right after `[` stands for itself.",
        ),
        (
            "a)",
            "offset 1: `pattern` is not a valid pattern: a `)` closes nothing. Write `\\)` for the character.",
        ),
        (
            "é*é**",
            "offset 4: `pattern` is not a valid pattern: a quantifier follows another. Leave one out, or write `\\*` and the like for the character.",
        ),
        (
            "ab{3,2}",
            "offset 2: `pattern` is not a valid pattern: the repetition {3,2} has its numbers in the wrong order.",
        ),
        (
            "ab\\",
            "offset 2: `pattern` is not a valid pattern: it ends in a `\\`. Write `\\\\` for the character.",
        ),
        (
            "a\\q",
            "offset 1: `pattern` is not a valid pattern: `\\q` is not a known escape. A letter stands for itself without a backslash.",
        ),
        (
            "\\Qa.b\\E",
            "offset 0: `pattern` is not a valid pattern: `\\Q` is not a known escape. Escape each special character by itself.",
        ),
        (
            "é[z-a]",
            "offset 2: `pattern` is not a valid pattern: the range `z-a` has its ends in the wrong order. Begin with the character of the lower number, as in `[a-z]`.",
        ),
        (
            "x[\\d-z]",
            "offset 2: `pattern` is not a valid pattern: `\\d` is not a single character, so no range has it as an end. Write `\\-` for the hyphen.",
        ),
        (
            "x\\p{Foo}",
            "offset 1: `pattern` is not a valid pattern: `\\p{Foo}` names no Unicode property. Write a category or a script, as in `\\p{L}`, `\\p{Lu}` or `\\p{Greek}`.",
        ),
        (
            "x(?<n",
            "offset 2: `pattern` is not a valid pattern: the name of a group is malformed. Write `(?<name>…)` with letters, digits and `_`.",
        ),
        ("(a)\\2", "offset 3: `pattern` is not a valid pattern: there is no group 2 to refer to."),
        (
            "\\k<n>",
            "offset 2: `pattern` is not a valid pattern: it refers to a group that does not exist.",
        ),
        (
            "a\\g<n>",
            "offset 3: `pattern` is not a valid pattern: it calls a group that does not exist.",
        ),
        (
            "(?<a>\\g<a>)",
            "offset 5: `pattern` is not a valid pattern: a group calls itself without an end.",
        ),
        (
            "(?z)",
            "offset 2: `pattern` is not a valid pattern: `(?z` opens no known group. Use `(?:…)`, `(?<name>…)`, `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`, `(?>…)` or `(?i)`.",
        ),
        (
            "(a|b)\\g1",
            "offset 5: `pattern` is not a valid pattern: `\\g1` is not a back-reference here. Write `\\1` for the text of the group, or `\\g<1>` to call it.",
        ),
        (
            "(a)\\g{-1}",
            "offset 3: `pattern` is not a valid pattern: `\\g{-1}` is not a back-reference here. Write `\\k<-1>` for the text of the group, or `\\g<-1>` to call it.",
        ),
        (
            "(?<n>a)\\g{n}",
            "offset 7: `pattern` is not a valid pattern: `\\g{n}` is not a back-reference here. Write `\\k<n>` for the text of the group, or `\\g<n>` to call it.",
        ),
        (
            "x[^]",
            "offset 1: `pattern` is not a valid pattern: a `[` is not closed. Write `[\\s\\S]` for JavaScript's `[^]`, any character.",
        ),
        (
            "(?<n>a)(?&n)",
            "offset 9: `pattern` is not a valid pattern: `(?&` opens no known group. Write `\\g<name>` for `(?&name)`.",
        ),
        (
            "\\x{110000}",
            "offset 2: `pattern` is not a valid pattern: there is no character with this number. 10FFFF is the last.",
        ),
        ("(?-u)a", "offset 3: `pattern` is not a valid pattern: Unicode cannot be turned off."),
    ] {
        let refused = pattern(regex, "g").unwrap_err();
        assert_eq!(refused, detail, "{regex}");
        // The offset does not depend on how the flags are passed on.
        assert_eq!(pattern(regex, "gims").unwrap_err(), refused);
    }
}

#[test]
fn a_notation_of_another_language_is_refused_with_what_to_write() {
    for (regex, said) in [
        ("(?:(?=a))?", "Write `(?:(?=…)|)` for `(?:(?=…))?`."),
        ("(?!a)*", "Write `(?:(?=…)|)` for `(?:(?=…))?`."),
        (
            "(?!a)+b",
            "a group that only looks around is not repeated here. Leave out the `+` after it.",
        ),
        ("b(?<=b)+", "Leave out the `+` after it."),
        ("(?=a){2}", "Leave out the `{2}` after it."),
        (
            "(ab)**",
            "a quantifier follows another. Leave one out, or write `\\*` and the like for the character.",
        ),
        (
            "(\\d+)+*",
            "a quantifier follows another. Leave one out, or write `\\*` and the like for the character.",
        ),
        (
            "*a",
            "there is nothing to repeat before a `*`, `+`, `?` or `{`. Write `\\*` and the like for the character.",
        ),
        ("(*UTF8)a", "`(*UTF8)` is a verb of PCRE. Leave it out."),
        (
            "a(?R)?b",
            "`(?R)` is the flag R here, which cannot be repeated. Write `\\g<0>` to call the whole pattern.",
        ),
        ("(a)(?1)", "Write `\\g<1>` for `(?1)`, a call of a group."),
        ("(a)(?-1)", "Write `\\g<-1>` for `(?-1)`, a call of a group."),
        ("(a)(?+1)(b)", "Write `\\g<+1>` for `(?+1)`, a call of a group."),
        ("a(?0)b", "Write `\\g<0>` for `(?0)`, a call of a group."),
        ("\\mcat", "Write `\\<` for PostgreSQL's start of a word."),
    ] {
        let refused = pattern(regex, "g").unwrap_err();
        assert!(refused.ends_with(said), "{refused}");
    }
}

#[test]
fn a_pattern_as_it_is_advised_means_what_the_other_language_means() {
    for (regex, text, found) in [
        ("(?!a)b", "ab", 1),
        ("(a)\\g<1>", "aa", 1),
        ("(a)\\g<-1>", "aa", 1),
        ("(a)\\g<+1>(b)", "abb", 1),
        ("a(?:\\g<0>)?b", "aabb", 1),
        ("\\<cat\\>", "a cat", 1),
        ("\\bcat\\b", "a cat", 1),
        ("\\Bat\\b", "a cat", 1),
        ("[^\\n\\x0B\\f\\r\\x{85}\\x{2028}\\x{2029}]+", "a\r\u{2028}b", 2),
        ("[^\\n]+", "a\nb", 2),
        ("[\\p{L}_:]", "1é-:", 2),
        ("[^\\p{L}_:]", "1é-:", 2),
        ("a[ \\t]+b", "a \tb", 1),
    ] {
        assert_eq!(matches(regex, "g", text).len(), found, "{regex}");
    }
}

#[test]
fn patterns_and_texts_are_accepted_up_to_their_limits() {
    assert!(pattern(&"a".repeat(PATTERN_BYTES_MAX), "g").is_ok());
    assert_eq!(
        pattern(&"a".repeat(PATTERN_BYTES_MAX + 1), "g").unwrap_err(),
        "`pattern` has 8193 bytes. At most 8192 are accepted."
    );
    let text = "a".repeat(REGEX_TEXT_BYTES_MAX + 1);
    assert_eq!(matches("b", "g", text.get(1..).unwrap()), []);
    assert_eq!(
        search("b", "g", &text, None).unwrap_err(),
        "`text` has 262145 bytes. At most 262144 are accepted."
    );
}

#[test]
fn matches_are_shown_up_to_a_thousand_and_all_are_replaced() {
    for (count, shown, truncated) in
        [(MATCHES_MAX, MATCHES_MAX, false), (MATCHES_MAX + 1, MATCHES_MAX, true)]
    {
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
            "`pattern` gives a text of over 8 MiB. Shorten the text or the replacement."
        );
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
            let (place, rest) = refused.split_once("`pattern` ").unwrap();
            prop_assert!(place.is_empty() || place.starts_with("offset "), "{}{}", place, rest);
        }
    }
}
