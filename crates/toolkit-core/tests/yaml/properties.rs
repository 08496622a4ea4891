//! Properties of every YAML text and value.

use proptest::prelude::*;
use toolkit_core::{Layout, Node, Number, Warnings, yaml};

use crate::suite::meaning;

/// Words and pieces that some parser does not read as a string.
const AWKWARD: [&str; 40] = [
    "no",
    "Y",
    "on",
    "~",
    "null",
    "true",
    "1_000",
    "0777",
    "0o17",
    "0x1F",
    "0b1",
    "12:30",
    "1e3",
    "1.",
    ".5",
    "-1",
    "+1",
    ".inf",
    ".NaN",
    "2001-12-14",
    "=",
    "<<",
    "- ",
    "-",
    "? ",
    ": ",
    ":",
    " #",
    "#",
    "---",
    "...",
    "%",
    "@",
    "`",
    "|",
    ">",
    "&a",
    "*a",
    "!!str",
    "\u{FEFF}",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => proptest::sample::select(AWKWARD.to_vec()).prop_map(str::to_owned),
        4 => "[a-c \n]{1,4}",
        1 => "[\\[\\]{},'\"\\\\]",
        1 => "[\t\r\u{85}\u{2028}\u{A0}\u{0}\u{7F}é😀]",
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn number() -> impl Strategy<Value = String> {
    "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,9})?([eE][-+]?[0-9]{1,3})?"
}

fn value() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        1 => Just(Node::Null),
        1 => any::<bool>().prop_map(Node::Bool),
        1 => number().prop_map(|digits| Node::from(Number::new(digits).unwrap())),
        5 => text().prop_map(Node::Text),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Node::Array),
            proptest::collection::btree_map(text(), inner, 0..4)
                .prop_map(|members| Node::Object(members.into_iter().collect())),
        ]
    })
}

/// Pieces of YAML in any order, on lines of any indentation.
fn soup() -> impl Strategy<Value = String> {
    let pieces = vec![
        "- ",
        "? ",
        ": ",
        "a: ",
        "b:",
        "c",
        "a",
        "1",
        "~",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "&a ",
        "*a",
        "!!str ",
        "!x ",
        "! ",
        "'q'",
        "\"d\\n\"",
        "|",
        ">-",
        "|+",
        " # c",
        "---\n",
        "...\n",
        "<<: *a",
        "\t",
        "x y",
        "é",
        "\u{FEFF}",
        "\u{1}",
        "%YAML 1.2\n",
        "'",
        "\"",
    ];
    let piece = prop_oneof![
        30 => proptest::sample::select(pieces).prop_map(str::to_owned),
        12 => " {0,4}".prop_map(|spaces| format!("\n{spaces}")),
        1 => any::<String>(),
    ];
    proptest::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

fn parse(text: &str) -> Result<Vec<Node>, String> {
    yaml::parse_documents(text, &mut Warnings::new()).map_err(|error| error.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn written_values_are_read_back(
        documents in proptest::collection::vec(value(), 1..3),
        indent in 1..=8_u8,
    ) {
        let block = yaml::write_documents(&documents, Layout::spaces(indent)).unwrap();
        prop_assert_eq!(parse(&block), Ok(documents.clone()), "{}", block);
        let flow = yaml::write_documents(&documents, Layout::Minified).unwrap();
        prop_assert_eq!(parse(&flow), Ok(documents.clone()), "{}", flow);
        prop_assert_eq!(flow.lines().count(), documents.len());
    }

    #[test]
    fn written_values_are_already_formatted(node in value(), indent in 1..=8_u8) {
        let block = yaml::write_documents(std::slice::from_ref(&node), Layout::spaces(indent)).unwrap();
        let pretty = yaml::format(&block, Layout::spaces(indent), &mut Warnings::new());
        prop_assert_eq!(pretty.as_deref(), Ok(block.as_str()));
        let flow = yaml::write_documents(&[node], Layout::Minified).unwrap();
        let minified = yaml::format(&flow, Layout::Minified, &mut Warnings::new());
        prop_assert_eq!(minified.as_deref(), Ok(flow.as_str()));
    }

    #[test]
    fn formatting_preserves_the_meaning(text in soup(), indent in 1..=8_u8) {
        let Ok(pretty) = yaml::format(&text, Layout::spaces(indent), &mut Warnings::new()) else {
            prop_assert!(yaml::format(&text, Layout::Minified, &mut Warnings::new()).is_err());
            return Ok(());
        };
        let said = meaning(text.trim_start_matches('\u{FEFF}'));
        prop_assert_eq!(&meaning(&pretty), &said, "{}", pretty);
        prop_assert_eq!(parse(&pretty).ok(), parse(&text).ok());
        let minified = yaml::format(&text, Layout::Minified, &mut Warnings::new()).unwrap();
        prop_assert_eq!(&meaning(&minified), &said, "{}", minified);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>()) {
        let _ = parse(&text);
        let _ = yaml::format(&text, Layout::spaces(2), &mut Warnings::new());
    }
}
