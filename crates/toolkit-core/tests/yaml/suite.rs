//! The yaml-test-suite, in the folder that `TOOLKIT_SUITES` names.

use std::path::PathBuf;

use granit_parser::{Event, Parser, ScalarStyle};
use serde::Deserialize;
use serde_json::Value as Json;
use toolkit_core::{Layout, Node, ToolError, Warnings, yaml};

#[derive(Deserialize)]
struct Case {
    id: String,
    input: String,
    expect: String,
    /// Value of each document; absent if JSON cannot represent it.
    json_docs: Option<Vec<Json>>,
}

/// Cases with valid or invalid documents, or none without the suites.
fn cases(expect: &str, count: usize) -> Vec<Case> {
    let Some(folder) = std::env::var_os("TOOLKIT_SUITES") else {
        println!("skipped: TOOLKIT_SUITES is not set");
        return Vec::new();
    };
    let text = std::fs::read(PathBuf::from(folder).join("yaml_suite.json")).unwrap();
    let mut cases: Vec<Case> = serde_json::from_slice(&text).unwrap();
    cases.retain(|case| case.expect == expect);
    assert_eq!(cases.len(), count);
    cases
}

/// Whether a value equals the suite's; numbers may be written differently.
fn is_same(node: &Node, json: &Json) -> bool {
    match (node, json) {
        (Node::Null, Json::Null) => true,
        (Node::Bool(one), Json::Bool(other)) => one == other,
        (Node::Number(text), Json::Number(number)) => {
            let number = number.as_f64().unwrap();
            (text.as_str().parse::<f64>().unwrap() - number).abs() <= f64::EPSILON * number.abs()
        }
        (Node::Text(one), Json::String(other)) => one == other,
        (Node::Array(items), Json::Array(values)) => {
            items.len() == values.len()
                && items.iter().zip(values).all(|(node, json)| is_same(node, json))
        }
        (Node::Object(members), Json::Object(values)) => {
            members.len() == values.len()
                && members
                    .iter()
                    .all(|(name, node)| values.get(name).is_some_and(|json| is_same(node, json)))
        }
        _ => false,
    }
}

fn parse(text: &str) -> Result<Vec<Node>, ToolError> {
    yaml::parse_documents(text, &mut Warnings::new())
}

/// Meaning of a text apart from its form: the nodes of all documents with their anchors and full
/// tags.
pub(crate) fn meaning(text: &str) -> Vec<String> {
    Parser::new_from_str(text)
        .filter_map(|event| match event.unwrap().0 {
            Event::DocumentStart(..) => Some("document".to_owned()),
            Event::Scalar(value, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                // A string with indicators, spaces or line breaks may itself be another kind of
                // stream: `1`, a line break and `...` are a document of its own.
                let is_space = |c: char| c.is_whitespace() || c == '\u{FEFF}';
                let plain = plain && !value.starts_with(['.', '-']) && !value.contains(is_space);
                let value = match parse(&value).as_deref() {
                    Ok([Node::Null]) if plain => "null".to_owned(),
                    Ok([Node::Bool(_) | Node::Number(_)]) if plain => value.into_owned(),
                    _ => format!("{value:?}"),
                };
                Some(format!("{value} {anchor} {tag:?}"))
            }
            Event::SequenceStart(_, anchor, tag) => Some(format!("[ {anchor} {tag:?}")),
            Event::MappingStart(_, anchor, tag) => Some(format!("{{ {anchor} {tag:?}")),
            Event::SequenceEnd => Some("]".to_owned()),
            Event::MappingEnd => Some("}".to_owned()),
            Event::Alias(anchor) => Some(format!("*{anchor}")),
            _ => None,
        })
        .collect()
}

#[test]
fn every_document_with_a_json_value_is_read_as_that_value() {
    let mut right = 0;
    for case in cases("accept", 308) {
        let Some(expected) = &case.json_docs else {
            continue;
        };
        let documents = parse(&case.input);
        let is_right = documents.as_ref().is_ok_and(|documents| {
            // A stream without a document is read as null.
            let none = expected.is_empty() && *documents == [Node::Null];
            let mut pairs = documents.iter().zip(expected);
            none || documents.len() == expected.len()
                && pairs.all(|(node, json)| is_same(node, json))
        });
        assert!(is_right, "{}: {documents:?}, not {expected:?}", case.id);
        right += 1;
    }
    assert!(right == 279 || right == 0, "{right}");
}

#[test]
fn every_invalid_document_is_refused() {
    for case in cases("reject", 94) {
        assert!(parse(&case.input).is_err(), "{}", case.id);
        assert!(
            yaml::format(&case.input, Layout::spaces(2), &mut Warnings::new()).is_err(),
            "{}",
            case.id
        );
        assert!(
            yaml::format(&case.input, Layout::Minified, &mut Warnings::new()).is_err(),
            "{}",
            case.id
        );
    }
}

#[test]
fn formatting_preserves_the_meaning_of_a_document() {
    for case in cases("accept", 308) {
        let said = meaning(&case.input);
        if ["yts-2JQS", "yts-X38W"].contains(&case.id.as_str()) {
            // The suite checks syntax only: these have a repeated key.
            assert!(yaml::format(&case.input, Layout::spaces(2), &mut Warnings::new()).is_err());
            continue;
        }
        for indent in [1, 2, 4, 8] {
            let pretty =
                yaml::format(&case.input, Layout::spaces(indent), &mut Warnings::new()).unwrap();
            assert_eq!(meaning(&pretty), said, "{}:\n{}\n---->\n{pretty}", case.id, case.input);
            let again =
                yaml::format(&pretty, Layout::spaces(indent), &mut Warnings::new()).unwrap();
            assert_eq!(again, pretty, "{}", case.id);
        }
        let minified = yaml::format(&case.input, Layout::Minified, &mut Warnings::new()).unwrap();
        assert_eq!(meaning(&minified), said, "{}:\n{}\n---->\n{minified}", case.id, case.input);
    }
}

#[test]
fn values_are_read_back_from_both_styles() {
    for case in cases("accept", 308) {
        let Ok(documents) = parse(&case.input) else {
            continue;
        };
        for indent in 1..=8 {
            let written = yaml::write_documents(&documents, Layout::spaces(indent)).unwrap();
            assert_eq!(parse(&written).as_ref(), Ok(&documents), "{}:\n{written}", case.id);
        }
        let written = yaml::write_documents(&documents, Layout::Minified).unwrap();
        assert_eq!(parse(&written).as_ref(), Ok(&documents), "{}:\n{written}", case.id);
        assert_eq!(written.lines().count(), documents.len(), "{}:\n{written}", case.id);
    }
}
