//! Properties of every JSON text and value.

use proptest::prelude::*;
use serde::de::IgnoredAny;
use toolkit_core::json::{self, Format, Layout};
use toolkit_core::{Node, Number, Warnings};

use crate::{MINIFIED, PRETTY, SORTED, format};

/// Texts assembled from pieces of JSON: some valid, most nearly so.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec!["[", "]", "{", "}", ",", ":", "\"a\":", "\"b\"", "1", "[]", "{}"]),
        1 => prop::sample::select(vec![
            " ", "\n", "\t", "\r", "-", "0", "1.5e3", ".", "e", "+", "true", "false", "null", "tru", "\"",
            "\\", "\\u0041", "\\ud800", "'", "/", "é", "😀", "\u{FEFF}", "\u{A0}", "\0", "\u{1}", "        ",
            "\"long enough for two words\"", "12345678901234567890",
        ]),
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

/// Values without repeated names.
fn values() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(Node::Null),
        any::<bool>().prop_map(Node::Bool),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?"
            .prop_map(|digits| Node::from(Number::new(digits).unwrap())),
        any::<String>().prop_map(Node::Text),
    ];
    leaf.prop_recursive(5, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Node::Array),
            prop::collection::btree_map(any::<String>(), inner, 0..8)
                .prop_map(|members| Node::Object(members.into_iter().rev().collect())),
        ]
    })
}

fn layouts() -> impl Strategy<Value = Layout> {
    let spaces = (0..20_u8).prop_map(Layout::spaces);
    prop_oneof![spaces, Just(Layout::TABS), Just(Layout::Minified)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_text_is_valid_exactly_if_another_parser_accepts_it(text in pieces()) {
        let bare = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
        let theirs = serde_json::from_str::<IgnoredAny>(bare).is_ok();
        let ours = json::check(&text, &mut Warnings::new());
        prop_assert_eq!(ours.is_ok(), theirs, "{:?}", ours);
    }

}

proptest! {
    #[test]
    fn no_text_makes_a_parser_panic(text in any::<String>()) {
        let mut warnings = Warnings::new();
        let valid = json::check(&text, &mut warnings).is_ok();
        for shape in [PRETTY, MINIFIED, SORTED] {
            prop_assert_eq!(json::format(&text, shape, &mut warnings).is_ok(), valid);
        }
        prop_assert!(valid || json::parse(&text, &mut warnings).is_err());
    }

    #[test]
    fn a_value_survives_a_round_trip_in_every_layout(value in values(), layout in layouts()) {
        let text = json::write(&value, layout).unwrap();
        prop_assert_eq!(json::parse(&text, &mut Warnings::new()).unwrap(), value);
    }

    #[test]
    fn a_layout_does_not_depend_on_the_one_before(
        value in values(),
        before in layouts(),
        layout in layouts(),
    ) {
        let text = json::write(&value, layout).unwrap();
        let other = json::write(&value, before).unwrap();
        prop_assert_eq!(format(&other, Format::new(layout)).unwrap(), text.clone());
        prop_assert_eq!(format(&text, Format::new(layout)).unwrap(), text);
    }

    #[test]
    fn sorting_orders_names_as_another_writer_does(value in values()) {
        let text = json::write(&value, Layout::Minified).unwrap();
        let sorted = format(&text, SORTED).unwrap();
        prop_assert_eq!(format(&sorted, SORTED).unwrap(), sorted.clone());
        prop_assert_eq!(json::parse(&sorted, &mut Warnings::new()).unwrap(), sorted_value(value));
    }
}

fn sorted_value(value: Node) -> Node {
    match value {
        Node::Array(items) => Node::Array(items.into_iter().map(sorted_value).collect()),
        Node::Object(mut members) => {
            members.sort_by(|one, other| one.0.chars().cmp(other.0.chars()));
            let sorted = members.into_iter().map(|(name, value)| (name, sorted_value(value)));
            Node::Object(sorted.collect())
        }
        other => other,
    }
}
