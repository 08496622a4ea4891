//! Properties of every XML document and value.

use proptest::prelude::*;
use toolkit_core::{Layout, Node, Number, Warnings, xml};

use crate::nodes::to_json;

fn parse(text: &str) -> Node {
    xml::parse(text, &mut Warnings::new()).unwrap()
}

fn pretty(text: &str) -> String {
    xml::format(text, Layout::spaces(2), &mut Warnings::new()).unwrap()
}

fn minify(text: &str) -> String {
    xml::format(text, Layout::Minified, &mut Warnings::new()).unwrap()
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c]", "[a-c]", "[A-Za-z_é名][A-Za-z0-9_.é·-]{0,3}"]
}

/// Text that XML can represent, with many problematic characters.
fn text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        proptest::sample::select("\t\n\r &<>\"'];#-".chars().collect::<Vec<_>>()),
        proptest::char::any(),
    ];
    let is_allowed = |character: &char| {
        !matches!(character, '\u{FFFE}' | '\u{FFFF}') && *character >= ' '
            || matches!(character, '\t' | '\n' | '\r')
    };
    let characters = proptest::collection::vec(character.prop_filter("allowed", is_allowed), 1..6);
    characters.prop_map(|characters| characters.into_iter().collect())
}

/// Value of an element, as the mapping produces it.
fn value() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![Just(Node::Null), text().prop_map(Node::Text)];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let repeated = proptest::collection::vec(inner.clone(), 2..4).prop_map(Node::Array);
        let child = prop_oneof![3 => inner, 1 => repeated];
        let attribute = prop_oneof![
            8 => (name(), text()),
            1 => (Just("xml:space".to_owned()), prop_oneof!["preserve", "default"]),
        ];
        let attributes = proptest::collection::vec(attribute, 0..3);
        let children = proptest::collection::vec((name(), child), 0..4);
        let beside = proptest::option::of((text(), any::<prop::sample::Index>()));
        (attributes, children, beside)
            .prop_map(|(attributes, children, beside)| object(attributes, children, beside))
    })
}

fn object(
    attributes: Vec<(String, String)>,
    children: Vec<(String, Node)>,
    beside: Option<(String, prop::sample::Index)>,
) -> Node {
    let attributes =
        attributes.into_iter().map(|(name, value)| (format!("@{name}"), Node::Text(value)));
    let mut members: Vec<(String, Node)> = Vec::new();
    for (name, value) in attributes.chain(children) {
        if members.iter().all(|(other, _)| *other != name) {
            members.push((name, value));
        }
    }
    let first = members.iter().take_while(|(name, _)| name.starts_with('@')).count();
    match beside {
        // Text alone is a string, not an object.
        Some((text, _)) if members.is_empty() => return Node::Text(text),
        Some((text, place)) => {
            let place = first + place.index(members.len() - first + 1);
            members.insert(place, ("#text".to_owned(), Node::Text(text)));
        }
        None if members.is_empty() => return Node::Null,
        None => {}
    }
    Node::Object(members)
}

fn root() -> impl Strategy<Value = Node> {
    (name(), value()).prop_map(|member| Node::Object(vec![member]))
}

/// Any value, including names that XML does not allow.
fn any_value() -> impl Strategy<Value = Node> {
    let key = prop_oneof![
        4 => name(),
        2 => name().prop_map(|name| format!("@{name}")),
        1 => Just("#text".to_owned()),
        1 => Just("@xmlns:a".to_owned()),
        1 => "[a-c]:[a-c]",
        1 => any::<String>(),
    ];
    let leaf = prop_oneof![
        Just(Node::Null),
        any::<bool>().prop_map(Node::Bool),
        any::<f64>().prop_map(|number| Node::from(Number::new(number.to_string()).unwrap())),
        text().prop_map(Node::Text),
        any::<String>().prop_map(Node::Text),
    ];
    leaf.prop_recursive(5, 30, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Node::Array),
            proptest::collection::vec((key.clone(), inner), 0..4).prop_map(Node::Object),
        ]
    })
}

/// A well-formed element with all kinds of content.
fn element() -> impl Strategy<Value = String> {
    let space = prop_oneof![
        4 => Just(""), 1 => Just(" xml:space='preserve'"), 1 => Just("\n xml:space = \"default\" "),
    ];
    let one_of = |pieces: &'static [&str]| proptest::sample::select(pieces).prop_map(str::to_owned);
    let leaf = prop_oneof![
        3 => one_of(&[" ", "\n", "\n  ", "\t", "\r\n"]),
        1 => one_of(&["x", " x y\n", "&amp;", "&#32;", "<![CDATA[]]>", "<![CDATA[ & ]]>"]),
        1 => one_of(&["<!-- c -->", "<!---->", "<?pi data?>"]),
        1 => one_of(&["<e/>", "<e ></e\n>", "<f  a='1'\tb=\"2\" />"]),
    ];
    leaf.prop_recursive(6, 60, 5, move |inner| {
        let content = proptest::collection::vec(inner, 0..5);
        (name(), space.clone(), content).prop_map(|(name, space, content)| {
            format!("<{name}{space}>{}</{name}>", content.concat())
        })
    })
}

/// A well-formed document.
pub(crate) fn document() -> impl Strategy<Value = String> {
    let prolog = prop_oneof![
        Just(""),
        Just("<?xml version='1.0'?>"),
        Just("\n<!DOCTYPE r>\n"),
        Just("<!-- c --> "),
    ];
    let content = proptest::collection::vec(element(), 0..4);
    (prolog, content).prop_map(|(prolog, content)| format!("{prolog}<r>{}</r>\n", content.concat()))
}

/// Pieces of markup in any order: mostly malformed.
fn soup() -> impl Strategy<Value = String> {
    let pieces = vec![
        "<a>",
        "</a>",
        "<a/>",
        "<a",
        ">",
        "/>",
        " b='1'",
        " b=\"",
        "'",
        "<",
        "&",
        "&amp;",
        "&#x41;",
        ";",
        "<!--",
        "-->",
        "--",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "<?xml version='1.0'?>",
        "<!DOCTYPE a>",
        "<!DOCTYPE",
        "[",
        "]",
        " ",
        "\n",
        "x",
        "é",
        "\u{1}",
        "\u{FEFF}",
        ":",
        "xmlns:p='u'",
        "<p:a/>",
    ];
    let piece = prop_oneof![
        20 => proptest::sample::select(pieces).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn mapped_documents_survive_a_round_trip(node in root()) {
        for layout in [Layout::Minified, Layout::spaces(3)] {
            let mut warnings = Warnings::new();
            let text = xml::write(&node, layout, &mut warnings).unwrap();
            prop_assert_eq!(to_json(&parse(&text)), to_json(&node), "{}", text);
            prop_assert!(warnings.is_empty());
        }
    }

    #[test]
    fn a_value_is_formatted_like_a_document(node in root()) {
        let write = |layout| xml::write(&node, layout, &mut Warnings::new()).unwrap();
        let minified = write(Layout::Minified);
        prop_assert_eq!(pretty(&minified), write(Layout::spaces(2)));
        prop_assert_eq!(minify(&minified), minified);
    }

    #[test]
    fn whatever_is_written_is_well_formed(node in any_value()) {
        for layout in [Layout::Minified, Layout::spaces(1)] {
            if let Ok(text) = xml::write(&node, layout, &mut Warnings::new()) {
                prop_assert_eq!(xml::check(&text, &mut Warnings::new()), Ok(()), "{}", text);
            }
        }
    }

    #[test]
    fn layout_changes_no_value(text in document()) {
        let node = parse(&text);
        prop_assert_eq!(to_json(&parse(&pretty(&text))), to_json(&node));
        prop_assert_eq!(to_json(&parse(&minify(&text))), to_json(&node));
    }

    #[test]
    fn layouts_reverse_each_other(text in document()) {
        let (pretty_text, minified) = (pretty(&text), minify(&text));
        prop_assert_eq!(&pretty(&minified), &pretty_text);
        prop_assert_eq!(&pretty(&pretty_text), &pretty_text);
        prop_assert_eq!(&minify(&pretty_text), &minified);
        prop_assert_eq!(&minify(&minified), &minified);
    }

    #[test]
    fn layout_changes_nothing_but_white_space(text in document()) {
        let bare = |text: &str| text.split_ascii_whitespace().collect::<String>();
        prop_assert_eq!(bare(&pretty(&text)), bare(&text));
        prop_assert_eq!(bare(&minify(&text)), bare(&text));
    }

    #[test]
    fn no_text_makes_a_panic_and_what_is_accepted_stays_accepted(text in soup()) {
        let mut warnings = Warnings::new();
        let is_sound = xml::check(&text, &mut warnings).is_ok();
        let results = [xml::format(&text, Layout::spaces(2), &mut warnings), xml::format(&text, Layout::Minified, &mut warnings)];
        for result in results {
            prop_assert_eq!(result.is_ok(), is_sound);
            if let Ok(laid_out) = result {
                prop_assert_eq!(xml::check(&laid_out, &mut warnings), Ok(()));
            }
        }
        prop_assert_eq!(xml::parse(&text, &mut warnings).is_ok(), is_sound);
    }
}
