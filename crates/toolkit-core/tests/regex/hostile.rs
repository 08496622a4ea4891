//! Regular expressions that exhaust an engine, and ordinary ones on long texts.

use std::cell::Cell;
use std::time::Duration;

use cpu_time::ThreadTime;
use toolkit_core::limits::{PATTERN_BYTES_MAX, REGEX_TEXT_BYTES_MAX, RUN_MILLISECONDS_MAX};
use toolkit_core::{ErrorKind, Warnings};

use super::{pattern, search};

/// Patterns that exhaust unbounded engines, each with a text that triggers it.
fn hostile() -> Vec<(String, String)> {
    let many = |part: &str| part.repeat(PATTERN_BYTES_MAX / part.len());
    let numbered = |part: &str| -> String {
        (0..300).map(|index| part.replace('#', &index.to_string())).collect()
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
        // Backtracking: exponential, with and without reading the text.
        (r"^(?:(\w+)\s?)*\1!$".into(), "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".into()),
        (r"(?:(?=.*z)a|a)*b".into(), letters(20_000)),
        (format!("(?:(?=)|(?=)){{60}}{}(*FAIL)", "()(?=)".repeat(20)), "a".into()),
        (r"(?:(?:(?:(?=x)|(?=)){1000}){1000}){1000}(?=x)".into(), "a".into()),
        // Quadratic: the rest of the text is scanned from each position.
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
        (r"(?<a>(?<b>(?<c>\g<a>?x)\g<a>?)\g<a>?)".into(), letters(100)),
        (r"\g<1>".to_owned() + &calls.concat() + "(x)", "x".into()),
        // Nested.
        ("(".repeat(4000) + &")".repeat(4000), "a".into()),
        ("[".repeat(4000) + &"]".repeat(4000), "a".into()),
        ("(?:a|".repeat(60) + &")*".repeat(60), letters(1000)),
    ];
    // Memory: groups saved for backtracking.
    cases.push((format!("(?:{}(a))+\\1", "()".repeat(40)), letters(100_000)));
    cases
}

#[test]
fn a_hostile_pattern_ends_when_its_time_is_over() {
    for (regex, text) in hostile() {
        let started = ThreadTime::now();
        let over = Cell::new(None);
        let is_over = || {
            let is_over = started.elapsed() > Duration::from_millis(RUN_MILLISECONDS_MAX);
            if is_over && over.get().is_none() {
                over.set(Some(ThreadTime::now()));
            }
            is_over
        };
        let shown: String = regex.chars().take(40).collect();
        if let Ok(pattern) = pattern(&regex, "g") {
            let found = pattern.search(&text, Some("-"), Some(&is_over), &mut Warnings::new());
            assert!(
                found.is_ok()
                    || over.get().is_none_or(|over| over.elapsed() < Duration::from_millis(500))
            );
        }
        // Ten times the limit, for an unoptimized build on a busy machine.
        assert!(started.elapsed() < Duration::from_secs(5), "{shown} took {:?}", started.elapsed());
    }
}

#[test]
fn a_search_that_is_stopped_says_so() {
    let pattern = pattern("(?=.*z)q", "g").unwrap();
    let text = "a".repeat(100_000);
    let refused = pattern.search(&text, None, Some(&|| true), &mut Warnings::new()).unwrap_err();
    assert_eq!(
        refused.in_field("pattern").to_string(),
        "`pattern` takes too long on this text and was stopped. Simplify the pattern, or shorten the \
         text."
    );
    // The engine can be used again after it was stopped.
    let found = pattern.search("qz", None, Some(&|| false), &mut Warnings::new()).unwrap();
    assert_eq!(found.matches.len(), 1);
}

#[test]
fn work_is_bounded_without_a_clock() {
    let asked = ThreadTime::now();
    for (regex, text) in [
        ("z|(?:(?=.*z)a)+q", "a".repeat(100_000)),
        ("(?:(?=.*z)a)+q", "a".repeat(100_000) + "z"),
        (".*[^A-Z]|[A-Z]", "A".repeat(REGEX_TEXT_BYTES_MAX)),
    ] {
        let refused = search(regex, "g", &text, Some("-")).unwrap_err();
        assert!(refused.contains("takes too long"), "{regex}: {refused}");
    }
    let text = "a".repeat(100_000);
    let pattern = pattern("(?=.*z)q", "g").unwrap();
    let replaced = pattern.replace_all(&text, |_| String::new());
    assert_eq!(replaced.unwrap_err().kind(), ErrorKind::TimedOut);
    assert_eq!(pattern.find(&text).unwrap_err().kind(), ErrorKind::TimedOut);
    assert_eq!(pattern.is_match(&text).unwrap_err().kind(), ErrorKind::TimedOut);
    assert!(asked.elapsed() < Duration::from_secs(50), "{:?}", asked.elapsed());
}

const LOG: &str =
    "127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] \"GET /a.gif HTTP/1.0\" 200 2326\n";
const ORDINARY: [&str; 6] = [
    r#"(?m)^(\S+) \S+ (\S+) \[([^\]]+)\] "(GET|POST) ([^"]+) HTTP/1\.\d" (\d{3}) (\d+)$"#,
    r"\b(\w+) \1\b",
    r"(?<!\d)\d{3}(?!\d)x",
    r"^(?=.*[A-Z])(?=.*\d).{8,64}$",
    r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+",
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)",
];

#[test]
fn ordinary_patterns_are_not_refused_on_long_texts_without_a_deadline() {
    let text = LOG.repeat(REGEX_TEXT_BYTES_MAX / LOG.len());
    let more = [
        "id=42",
        r"\d+",
        r"\w+",
        r"(?<=GET )\S+",
        r"\w+(?=\.gif)",
        r#"(["'])(?:(?!\1).)*\1"#,
        r"(?m)^(?!.*POST).*200 \d+$",
    ];
    for regex in ORDINARY.iter().chain(&more) {
        let pattern = pattern(regex, "g").unwrap();
        let found = pattern.search(&text, Some("-"), None, &mut Warnings::new());
        let found = found.unwrap_or_else(|refused| panic!("{regex}: {refused}"));
        let replaced = pattern.replace_all(&text, |_| "-".to_owned()).unwrap();
        assert_eq!(found.replaced, Some(replaced), "{regex}");
        assert_eq!(pattern.is_match(&text), Ok(!found.matches.is_empty()));
        assert_eq!(pattern.find(&text).unwrap().as_ref(), found.matches.first());
    }
}

#[test]
fn the_first_match_is_found_without_searching_for_others() {
    // Only the rest of the text takes long.
    let text = "z".to_owned() + &"a".repeat(100_000);
    let pattern = pattern("z|(?:(?=.*z)a)+q", "g").unwrap();
    assert_eq!(pattern.find(&text).unwrap().unwrap().text, "z");
    assert!(pattern.is_match(&text).unwrap());
    assert!(pattern.replace_all(&text, |_| String::new()).is_err());
    // Nor is it lost if the search for others, to warn of them, takes too long.
    let (found, warnings) = search("z|(?:(?=.*z)a)+q", "", &text, None).unwrap();
    assert!(found.matches.len() == 1 && warnings.is_empty());
}

#[test]
fn ordinary_patterns_are_not_refused_on_long_texts() {
    let text = LOG.repeat(REGEX_TEXT_BYTES_MAX / LOG.len());
    for regex in ORDINARY {
        let started = ThreadTime::now();
        let is_over = || started.elapsed() > Duration::from_secs(5);
        let pattern = pattern(regex, "g").unwrap();
        let found = pattern.search(&text, None, Some(&is_over), &mut Warnings::new());
        assert!(found.is_ok(), "{regex}: {:?}", found.map(|_| ()));
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
        let long = [&regex, "a1 Ab-.", "\n"].concat().repeat(20_000 / (regex.len() + 8));
        for text in ["a".repeat(50), "a1 Ab-.\n".repeat(30), long] {
            let started = ThreadTime::now();
            let limit = Duration::from_millis(RUN_MILLISECONDS_MAX);
            let is_over = || started.elapsed() > limit;
            let _ = pattern.search(&text, Some("<$1>"), Some(&is_over), &mut Warnings::new());
            worst = worst.max(started.elapsed());
        }
    }
    println!("the slowest took {worst:?}");
    assert!(worst < Duration::from_secs(5));
}
