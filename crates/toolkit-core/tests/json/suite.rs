//! nst's JSON parsing test suite, in the folder that `TOOLKIT_SUITES` names.

use std::path::PathBuf;

use serde::Deserialize;
use toolkit_core::{Warnings, json};

use crate::{MINIFIED, PRETTY, SORTED, format};

#[derive(Deserialize)]
struct Case {
    id: String,
    expect: String,
    /// Absent if the bytes are not UTF-8, which our texts always are.
    input: Option<String>,
}

fn cases(expect: &str) -> Vec<(String, String)> {
    let Some(folder) = std::env::var_os("TOOLKIT_SUITES") else {
        println!("skipped: TOOLKIT_SUITES is not set");
        return Vec::new();
    };
    let text = std::fs::read(PathBuf::from(folder).join("json_parsing.json")).unwrap();
    let cases: Vec<Case> = serde_json::from_slice(&text).unwrap();
    let cases = cases.into_iter().filter(|case| case.expect == expect);
    let cases: Vec<_> = cases.filter_map(|case| Some((case.id, case.input?))).collect();
    assert!(!cases.is_empty());
    println!("{} cases to {expect}", cases.len());
    cases
}

#[test]
fn every_text_to_accept_is_accepted_and_keeps_its_value() {
    for (id, text) in cases("accept") {
        let minified = format(&text, MINIFIED).unwrap_or_else(|error| panic!("{id}: {error}"));
        let pretty = format(&text, PRETTY).unwrap();
        assert_eq!(format(&pretty, MINIFIED).as_ref(), Ok(&minified), "{id}");
        assert!(format(&text, SORTED).is_ok(), "{id}");
        assert!(json::check(&text, &mut Warnings::new()).is_ok(), "{id}");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&minified), value(&text), "{id}");
        assert_eq!(value(&pretty), value(&text), "{id}");
    }
}

#[test]
fn every_text_to_reject_is_rejected_with_a_place_and_a_hint() {
    for (id, text) in cases("reject") {
        let refused = format(&text, PRETTY).expect_err(&id);
        let deep = refused.to_string().contains("is nested deeper");
        assert!(refused.position().is_some(), "{id}");
        assert!(
            deep || refused.to_string().trim_end_matches('.').contains(". "),
            "{id}: {refused}"
        );
        assert_eq!(format(&text, MINIFIED), Err(refused.clone()), "{id}");
        assert_eq!(format(&text, SORTED), Err(refused.clone()), "{id}");
        assert_eq!(json::check(&text, &mut Warnings::new()), Err(refused.clone()), "{id}");
        assert_eq!(json::parse(&text, &mut Warnings::new()), Err(refused), "{id}");
    }
}

#[test]
fn a_text_that_may_be_either_is_kept_or_refused_and_never_changed() {
    for (id, text) in cases("either") {
        if let Ok(minified) = format(&text, MINIFIED) {
            let kept = text.trim_start_matches('\u{FEFF}');
            let blanks = [' ', '\n', '\r', '\t'];
            assert_eq!(minified, kept.replace(blanks, ""), "{id}");
        }
    }
}
