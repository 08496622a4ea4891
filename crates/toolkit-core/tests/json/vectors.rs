//! Vectors of RFC 8259: texts accepted and refused, with the messages.

use serde::Deserialize;
use toolkit_core::Warnings;
use toolkit_core::json::{self, Format, Layout};

use crate::{MINIFIED, PRETTY, SORTED, format, refusal};

#[derive(Deserialize)]
struct Vector {
    source: String,
    text: String,
    minified: String,
    pretty: String,
    warning: Option<String>,
}

#[derive(Deserialize)]
struct Refused {
    text: String,
    /// Text after "The input is not valid JSON: ".
    defect: String,
}

#[test]
fn every_text_keeps_its_tokens() {
    let vectors = include_str!("../vectors/json.json");
    let vectors: Vec<Vector> = serde_json::from_str(vectors).unwrap();
    for vector in vectors {
        let (text, source) = (&vector.text, &vector.source);
        assert_eq!(format(text, MINIFIED).as_ref(), Ok(&vector.minified), "{source}");
        let mut warnings = Warnings::new();
        let pretty = json::format(text, PRETTY, &mut warnings);
        assert_eq!(pretty.as_ref(), Ok(&vector.pretty), "{source}");
        let expected = Vec::from_iter(vector.warning);
        assert_eq!(warnings.sentences(), expected, "{source}");
    }
}

#[test]
fn every_defect_is_named_with_its_position_and_a_hint() {
    let refused = include_str!("../vectors/json_defects.json");
    let refused: Vec<Refused> = serde_json::from_str(refused).unwrap();
    assert!(refused.len() > 150);
    for Refused { text, defect } in refused {
        assert_eq!(refusal(&text), defect, "{text:?}");
    }
}

#[test]
fn an_indent_is_any_number_of_spaces_or_a_tab() {
    let lines = |layout| format("[{\"a\":1}]", Format::new(layout)).unwrap();
    assert_eq!(lines(Layout::spaces(0)), "[\n{\n\"a\": 1\n}\n]");
    assert_eq!(lines(Layout::TABS), "[\n\t{\n\t\t\"a\": 1\n\t}\n]");
    for width in [1, 3, 7, 8, 15, 16, 17, 100] {
        let indent = " ".repeat(width.into());
        let expected = format!("[\n{indent}{{\n{indent}{indent}\"a\": 1\n{indent}}}\n]");
        assert_eq!(lines(Layout::spaces(width)), expected);
    }
}

#[test]
fn keys_are_sorted_by_code_point_at_every_depth() {
    for (text, sorted) in [
        ("{\"b\":1,\"a\":2}", "{\"a\":2,\"b\":1}"),
        (
            "{\"b\":{\"d\":1,\"c\":[{\"f\":1,\"e\":2}]},\"a\":{}}",
            "{\"a\":{},\"b\":{\"c\":[{\"e\":2,\"f\":1}],\"d\":1}}",
        ),
        // Code points, not UTF-16: U+FF5E sorts before U+1F600, whose surrogates are lower.
        (
            "{\"😀\":1,\"～\":2,\"é\":3,\"z\":4,\"Z\":5,\"\":6}",
            "{\"\":6,\"Z\":5,\"z\":4,\"é\":3,\"～\":2,\"😀\":1}",
        ),
        // By decoded names, which keep their escapes.
        ("{\"b\":1,\"\\u0061\":2,\"A\":3}", "{\"A\":3,\"\\u0061\":2,\"b\":1}"),
        (
            "{\"\\ud83d\\ude00\":1,\"\\ue000\":2,\"\\ud800\":3}",
            "{\"\\ud800\":3,\"\\ue000\":2,\"\\ud83d\\ude00\":1}",
        ),
        // A name that is a prefix of another one.
        (
            "{\"aaaaaaaab\":1,\"aaaaaaaa\":2,\"aaaaaaaa\\u0000\":3,\"a\":4}",
            "{\"a\":4,\"aaaaaaaa\":2,\"aaaaaaaa\\u0000\":3,\"aaaaaaaab\":1}",
        ),
        // Members with the same name keep their order.
        (
            "{\"b\":1,\"a\":1,\"b\":2,\"a\":2,\"\\u0062\":3}",
            "{\"a\":1,\"a\":2,\"b\":1,\"b\":2,\"\\u0062\":3}",
        ),
        ("[3,1,2]", "[3,1,2]"),
        ("\"b\"", "\"b\""),
        ("{}", "{}"),
    ] {
        assert_eq!(format(text, SORTED).as_deref(), Ok(sorted));
    }
    let lines = PRETTY.sort_keys(true);
    let sorted = format("{\"b\":[1,{}],\"a\":1.0}", lines).unwrap();
    assert_eq!(sorted, "{\n  \"a\": 1.0,\n  \"b\": [\n    1,\n    {}\n  ]\n}");
}

#[test]
fn positions_count_characters_after_the_byte_order_mark() {
    for (text, place, what) in [
        ("\u{FEFF}[é😀]", "line 1, column 2", "the word `é` without quotes."),
        ("[\"é😀\", x]", "line 1, column 8", "the word `x` without quotes."),
        ("[\r\n\"é\"\r\n\"😀\"]", "line 3, column 1", "a missing comma."),
    ] {
        let start = format!("{place}: the input is not valid JSON: {what}");
        assert!(refusal(text).starts_with(&start), "{text}");
    }
}

#[test]
fn many_warnings_are_summarised_in_a_few() {
    let members = (0..100).map(|_| "\"a\":0").collect::<Vec<_>>().join(",");
    let text = format!("[{{{members}}}, \"{}\"]", "\\udc00".repeat(10));
    let mut warnings = Warnings::new();
    json::check(&text, &mut warnings).unwrap();
    let sentences = warnings.sentences();
    assert_eq!(sentences.len(), 18);
    assert_eq!(
        sentences[0],
        "The name `a` at line 1, column 9 is already used at line 1, column 3: both are kept."
    );
    assert_eq!(sentences[8], "91 more names are repeated in their objects.");
    assert!(sentences[16].starts_with("The escape `\\udc00` at line 1, column "));
    assert_eq!(sentences[17], "2 more escapes are half of a surrogate pair.");
}

#[test]
fn a_long_name_is_cut_in_a_warning() {
    let name = "n".repeat(1000);
    let mut warnings = Warnings::new();
    json::check(&format!("{{\"{name}\":1,\"{name}\":2}}"), &mut warnings).unwrap();
    assert_eq!(
        warnings.sentences(),
        [format!(
            "The name `{}…` at line 1, column 1007 is already used at line 1, column 2: both are kept.",
            "n".repeat(40)
        )],
    );
}
