//! JSON as a value during conversion from or to another format.

use toolkit_core::json::{self, Layout};
use toolkit_core::{Node, Number, ToolError, Warnings};

fn parse(text: &str) -> Result<Node, ToolError> {
    json::parse(text, &mut Warnings::new())
}

fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

fn number(digits: &str) -> Node {
    Number::new(digits).unwrap().into()
}

fn object(members: &[(&str, Node)]) -> Node {
    let owned = |(name, value): &(&str, Node)| ((*name).to_owned(), value.clone());
    Node::Object(members.iter().map(owned).collect())
}

#[test]
fn a_value_keeps_type_digits_and_order() {
    let read = parse(
        "{\"b\":[1.10,-0,1E400,true,false,null],\"a\":{},\"c\":[],\"\\u0064\":\"\\n\\ud834\\udd1e/\"}",
    );
    let items = [
        number("1.10"),
        number("-0"),
        number("1E400"),
        Node::Bool(true),
        Node::Bool(false),
        Node::Null,
    ];
    let expected = object(&[
        ("b", Node::Array(items.to_vec())),
        ("a", object(&[])),
        ("c", Node::Array(Vec::new())),
        ("d", text("\n𝄞/")),
    ]);
    assert_eq!(read, Ok(expected));
    assert_eq!(parse(" \"\" "), Ok(text("")));
}

#[test]
fn a_value_is_written_with_only_the_necessary_escapes() {
    let value = object(&[
        ("\"", text("\\/\u{1}\u{7F}é\u{2028}")),
        ("", Node::Array(vec![Node::Null, number("1e5"), Node::Array(Vec::new()), object(&[])])),
    ]);
    assert_eq!(
        json::write(&value, Layout::Minified).as_deref(),
        Ok("{\"\\\"\":\"\\\\/\\u0001\u{7F}é\u{2028}\",\"\":[null,1e5,[],{}]}"),
    );
    assert_eq!(
        json::write(&value, Layout::TABS).as_deref(),
        Ok(
            "{\n\t\"\\\"\": \"\\\\/\\u0001\u{7F}é\u{2028}\",\n\t\"\": [\n\t\tnull,\n\t\t1e5,\n\t\t[],\n\t\t{}\n\t]\n}"
        ),
    );
}

#[test]
fn a_repeated_name_is_refused_when_it_would_become_a_value() {
    assert_eq!(
        parse("{\"a\":1,\n \"b\":{},\n \"\\u0061\":2}").unwrap_err().to_string(),
        "line 3, column 2: the input has the name `a` twice in one object. It is first used at line 1, column 2: remove or rename one.",
    );
    assert!(parse("[{\"a\":1},{\"a\":1}]").is_ok());
}

#[test]
fn a_lone_surrogate_is_refused_when_it_would_become_a_value() {
    for place in ["\"x\\uD800\"", "{\"x\\uD800\":1}"] {
        let refused = parse(place).unwrap_err().to_string();
        assert!(
            refused.starts_with("line 1, column ")
                && refused.contains(": the input has half of a surrogate pair, `\\uD800`."),
            "{refused}"
        );
    }
}

#[test]
fn a_byte_order_mark_is_dropped_with_a_warning() {
    let mut warnings = Warnings::new();
    assert_eq!(json::parse("\u{FEFF}1", &mut warnings), Ok(number("1")));
    assert_eq!(json::check("\u{FEFF}1", &mut warnings), Ok(()));
    assert_eq!(warnings.sentences(), ["The byte order mark at the start was dropped."]);
}

#[test]
fn a_value_that_grows_over_the_bound_is_refused() {
    let deep =
        (0..500).fold(Node::Array(vec![Node::Null; 10_000]), |value, _| Node::Array(vec![value]));
    assert_eq!(
        json::write(&deep, Layout::spaces(8)).unwrap_err().to_string(),
        "The input gives a result of over 8 MiB. Use a smaller indent, or send less at once.",
    );
    assert!(json::write(&deep, Layout::Minified).is_ok());
}

#[test]
fn a_value_that_nests_too_deeply_is_not_written() {
    let nested = |depth| {
        let wrap = |node, _| Node::Object(vec![("a".to_owned(), Node::Array(vec![node]))]);
        (0..depth / 2).fold(Node::Null, wrap)
    };
    for layout in [Layout::Minified, Layout::spaces(1)] {
        assert!(json::write(&nested(512), layout).is_ok());
        let refused = json::write(&nested(514), layout).unwrap_err();
        assert_eq!(refused.to_string(), "The input is nested deeper than 512 levels.");
    }
}

#[test]
fn only_what_the_grammar_allows_is_a_number() {
    for number in ["0", "-0", "1.10", "1E400", "-12.5e-7"] {
        assert_eq!(Number::new(number).unwrap().to_string(), number);
    }
    for other in ["", "-", "01", "+1", ".5", "1.", "1e", "NaN", " 1", "1 ", "1,2"] {
        assert_eq!(Number::new(other), None, "{other}");
    }
}
