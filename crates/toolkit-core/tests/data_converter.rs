//! `data-converter` through JSON input and output: round trips between all pairs of formats.

#![cfg(test)]

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use toolkit_core::input::Surface;
use toolkit_core::json::Layout;
use toolkit_core::{Context, Node, Number, Warnings, registry};

/// The answer, with `result`, `type` and `warnings`, or the error.
fn run(slug: &str, input: &Json) -> Result<Json, String> {
    let tool = registry::by_slug(slug).unwrap();
    let (mut ctx, mut out) = (Context::fixed(), b"{".to_vec());
    let body = serde_json::to_vec(input).unwrap();
    tool.run_json(&body, Surface::Rest, &mut ctx, &mut out).map_err(|error| error.to_string())?;
    out.push(b'}');
    let mut answer: Json = serde_json::from_slice(&out).unwrap();
    answer["warnings"] = json!(ctx.warnings.sentences());
    Ok(answer)
}

fn convert(text: &str, from: &str, to: &str, more: &Json) -> Result<Json, String> {
    let mut input = json!({"text": text, "from_format": from, "to_format": to});
    let (Json::Object(input_members), Json::Object(more)) = (&mut input, more) else {
        panic!("{more} is an object");
    };
    input_members.extend(more.clone());
    run("data-converter", &input)
}

/// Result of a call without warnings.
fn plain(text: &str, from: &str, to: &str, more: &Json) -> String {
    let answer = convert(text, from, to, more).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(answer["type"], to);
    assert_eq!(answer["warnings"], json!([]), "{text:?}");
    answer["result"].as_str().unwrap().to_owned()
}

/// The same value in each format, pretty and minified.
const SAME: [(&str, &str, &str); 3] = [
    (
        "json",
        "{\n  \"order\": {\n    \"@id\": \"7\",\n    \"item\": [\n      \"tea\",\n      \"no\"\n    ],\n    \"note\": null\n  }\n}",
        "{\"order\":{\"@id\":\"7\",\"item\":[\"tea\",\"no\"],\"note\":null}}",
    ),
    (
        "yaml",
        "order:\n  \"@id\": \"7\"\n  item:\n    - tea\n    - \"no\"\n  note: null\n",
        "{order: {\"@id\": \"7\",item: [tea,\"no\"],note: null}}",
    ),
    (
        "xml",
        "<order id=\"7\">\n  <item>tea</item>\n  <item>no</item>\n  <note/>\n</order>",
        "<order id=\"7\"><item>tea</item><item>no</item><note/></order>",
    ),
];

#[test]
fn a_value_reads_the_same_in_all_nine_pairs_of_formats() {
    for (from, pretty_from, minified_from) in SAME {
        for (to, pretty, minified) in SAME {
            for text in [pretty_from, minified_from] {
                assert_eq!(plain(text, from, to, &json!({})), pretty);
                assert_eq!(plain(text, from, to, &json!({"action": "convert"})), pretty);
                assert_eq!(plain(text, from, to, &json!({"action": "pretty"})), pretty);
                assert_eq!(plain(text, from, to, &json!({"action": "minify"})), minified);
            }
        }
    }
}

#[test]
fn an_indent_is_1_to_8_spaces_in_every_format() {
    for (from, text, _) in SAME {
        for (to, pretty, _) in SAME {
            let two = plain(text, from, to, &json!({"indent": "2"}));
            assert_eq!(two, pretty);
            let eight = plain(text, from, to, &json!({"indent": 8}));
            let widest = |text: &str| {
                let indents = text.lines().map(|line| line.len() - line.trim_start().len());
                indents.max().unwrap()
            };
            assert_eq!(widest(&eight), 4 * widest(&two), "{eight}");
        }
    }
    assert_eq!(convert("[1 ]", "json", "json", &json!({"indent": 0})).unwrap()["result"], "[1]");
    for indent in [json!(-1), json!(9), json!("tab")] {
        let refused = convert("1", "json", "json", &json!({"indent": indent})).unwrap_err();
        assert!(refused.ends_with("Use a whole number from 0 to 8."), "{refused}");
    }
}

#[test]
fn the_result_stays_in_the_format_of_the_text_unless_another_is_named() {
    let input = json!({"text": "{\"b\":1.0,\"a\":\"\\ud800\"}", "from_format": "json"});
    let answer = run("data-converter", &input).unwrap();
    assert_eq!(answer["type"], "json");
    assert_eq!(answer, run("json-formatter", &json!({"text": input["text"]})).unwrap());
    assert_eq!(
        run("data-converter", &json!({"text": "1"})).unwrap_err(),
        "`from_format` is required. Use one of json, yaml, xml.",
    );
    assert_eq!(
        run("data-converter", &json!({"text": "1", "from_format": "toml"})).unwrap_err(),
        "`from_format` is `toml`. Use one of json, yaml, xml.",
    );
}

#[test]
fn json_to_json_is_the_same_as_json_formatter() {
    for text in [
        "{\"b\":1.0,\"a\":[1E400,-0,\"\\u00e9\\/\"],\"b\":{}}",
        "\u{FEFF}[\"\\udc00\"]",
        "[1,]",
        "",
    ] {
        for (action, indent) in [("pretty", 1), ("pretty", 8), ("minify", 2), ("convert", 2)] {
            let ours = convert(text, "json", "json", &json!({"action": action, "indent": indent}));
            let same = if action == "minify" { "minify" } else { "pretty" };
            let theirs = json!({"text": text, "action": same, "indent": indent});
            assert_eq!(ours, run("json-formatter", &theirs));
        }
    }
}

#[test]
fn lossy_conversions_are_refused_with_field_and_position() {
    for (text, from, to, refused) in [
        (
            "{\"a\":1,\"a\":2}",
            "json",
            "yaml",
            "line 1, column 8: `text` has the name `a` twice in one object. ",
        ),
        (
            "{\"a\":1,\"a\":2}",
            "json",
            "xml",
            "line 1, column 8: `text` has the name `a` twice in one object. ",
        ),
        (
            "[\"\\ud800\"]",
            "json",
            "yaml",
            "line 1, column 3: `text` has half of a surrogate pair, `\\ud800`. ",
        ),
        ("[1,]", "json", "yaml", "line 1, column 3: `text` is not valid JSON: a trailing comma. "),
        ("{\"a b\":1}", "json", "xml", "line 1, column 2: `text` "),
        ("{\"a\":\"\\u0001\"}", "json", "xml", "line 1, column 6: `text` "),
        ("a: 1\na: 2", "yaml", "json", "line 2, column 1: `text` "),
        ("a: .inf", "yaml", "json", "line 1, column 4: `text` "),
        ("a: [", "yaml", "json", "line 1, column 4: `text` "),
        ("<a>", "xml", "json", "line 1, column 1: `text` "),
        ("<a/><b/>", "xml", "yaml", "line 1, column 5: `text` "),
    ] {
        let error = convert(text, from, to, &json!({})).unwrap_err();
        assert!(error.starts_with(refused), "{error}");
    }
}

#[test]
fn several_documents_become_one_array_and_stay_several_in_yaml() {
    let text = "a: 1\n---\n- 2\n";
    let answer = convert(text, "yaml", "json", &json!({"action": "minify"})).unwrap();
    assert_eq!(answer["result"], "[{\"a\":1},[2]]");
    assert_eq!(answer["warnings"], json!(["The 2 documents became the items of one array."]));
    assert_eq!(plain(text, "yaml", "yaml", &json!({})), text);
    // The round trip gives one document, as it was one array.
    assert_eq!(
        plain("[{\"a\":1},[2]]", "json", "yaml", &json!({"action": "minify"})),
        "[{a: 1},[2]]"
    );
    let answer = convert("1\n---\n2\n", "yaml", "xml", &json!({"action": "minify"})).unwrap();
    assert_eq!(answer["result"], "<root><item>1</item><item>2</item></root>");
}

#[test]
fn a_text_without_a_document_is_null() {
    assert_eq!(plain("", "yaml", "json", &json!({})), "null");
    assert_eq!(plain("{\"a\":null}", "json", "xml", &json!({})), "<a/>");
}

#[test]
fn a_document_cannot_grow_over_the_bound_in_any_format() {
    let deep = format!("{}{}1{}", "[".repeat(500), "1,".repeat(4_000), "]".repeat(500));
    for (from, to) in [("json", "json"), ("yaml", "json")] {
        let refused = convert(&deep, from, to, &json!({"indent": 8})).unwrap_err();
        assert!(refused.contains("result of over 8 MiB"), "{from} to {to}: {refused}");
    }
    for (from, to) in [("json", "yaml"), ("json", "xml"), ("yaml", "yaml"), ("yaml", "xml")] {
        if let Err(refused) = convert(&deep, from, to, &json!({"indent": 8})) {
            assert!(refused.contains("8 MiB"), "{from} to {to}: {refused}");
        }
    }
}

#[test]
fn markup_in_a_value_stays_text_in_every_format() {
    let value = "{\"a\":\"</a><b x='1'>&amp;]]>\\\"\\n- c: 1 # d\"}";
    for to in ["yaml", "xml"] {
        for action in ["pretty", "minify"] {
            let there = plain(value, "json", to, &json!({"action": action}));
            assert_eq!(plain(&there, to, "json", &json!({"action": "minify"})), value);
        }
    }
}

/// Any value; names do not repeat.
fn values() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(Node::Null),
        any::<bool>().prop_map(Node::Bool),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?"
            .prop_map(|digits| Node::from(Number::new(digits).unwrap())),
        any::<String>().prop_map(Node::Text),
        prop::sample::select(vec![
            "no",
            "1",
            "null",
            "~",
            "2001-12-14",
            "- a",
            "a: b",
            "<a>",
            " ",
            ""
        ])
        .prop_map(|text| Node::Text(text.to_owned())),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Node::Array),
            prop::collection::btree_map(any::<String>(), inner, 0..5)
                .prop_map(|members| Node::Object(members.into_iter().collect())),
        ]
    })
}

/// Possible values of an XML element under the mapping.
fn elements() -> impl Strategy<Value = Node> {
    let text = || "[a-z<&>'\"éß名😀\\]-]{1,8}( [a-z]{1,3})?";
    let leaf = prop_oneof![Just(Node::Null), text().prop_map(Node::Text)];
    leaf.prop_recursive(4, 32, 5, move |inner| {
        let repeated = prop::collection::vec(inner.clone(), 2..4).prop_map(Node::Array);
        let child = ("[a-z][a-z0-9._-]{0,5}", prop_oneof![3 => inner, 1 => repeated]);
        let attribute = ("@[a-z]{1,5}", text().prop_map(Node::Text));
        let attributes = prop::collection::btree_map(attribute.0, attribute.1, 0..3);
        let children = prop::collection::btree_map(child.0, child.1, 1..4);
        (attributes, children).prop_map(|(attributes, children)| {
            Node::Object(attributes.into_iter().chain(children).collect())
        })
    })
}

fn json_text(value: &Node) -> String {
    toolkit_core::json::write(value, Layout::Minified).unwrap()
}

fn there_and_back(value: &Node, other: &str, there: &str, indent: u32) -> Node {
    let more = json!({"action": there, "indent": indent});
    let text = plain(&json_text(value), "json", other, &more);
    let back = plain(&text, other, "json", &more);
    toolkit_core::json::parse(&back, &mut Warnings::new()).unwrap()
}

fn actions() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["pretty", "minify"])
}

proptest! {
    #[test]
    fn json_survives_a_round_trip_through_yaml(value in values(), action in actions(), indent in 1..=8_u32) {
        prop_assert_eq!(there_and_back(&value, "yaml", action, indent), value);
    }

    #[test]
    fn json_survives_a_round_trip_through_xml(value in elements(), action in actions(), indent in 1..=8_u32) {
        let document = Node::Object(vec![("root".to_owned(), value)]);
        prop_assert_eq!(there_and_back(&document, "xml", action, indent), document);
    }

    #[test]
    fn yaml_survives_a_round_trip_through_xml(value in elements(), action in actions()) {
        let document = Node::Object(vec![("root".to_owned(), value)]);
        let more = json!({"action": action});
        let yaml = plain(&json_text(&document), "json", "yaml", &more);
        let xml = plain(&yaml, "yaml", "xml", &more);
        prop_assert_eq!(plain(&xml, "xml", "yaml", &more), yaml);
    }

    #[test]
    fn no_text_makes_a_conversion_panic(text in any::<String>(), from in 0..3_usize, to in 0..3_usize) {
        let words = ["json", "yaml", "xml"];
        drop(convert(&text, words[from], words[to], &json!({})));
    }
}

#[test]
fn keys_that_are_not_names_are_encoded_where_that_is_asked_for_and_come_back() {
    let keys = r##"{
        "a": {"$ref": "#/x", "": 1, "b c": [1, 2], "@on": "x", "@b/c": "y", "_x0024_": null},
        "@context": {"@vocab": "v"}, "n:m": {"@xmlns:n": "urn:n", "n:k": "z", "o:k": "z"}, "#text": {}
    }"##;
    let refused = convert(r#"{"$ref": 1}"#, "json", "xml", &json!({})).unwrap_err();
    assert_eq!(
        refused,
        "line 1, column 2: `text` cannot be written as XML: `$ref` is not an XML name (at `/$ref`). Set `names` to `encode` to write it as `_x0024_ref`."
    );
    let there = json!({"names": "encode", "action": "minify"});
    let answer = convert(keys, "json", "xml", &there).unwrap();
    let xml = answer["result"].as_str().unwrap();
    assert_eq!(
        xml,
        "<root><a on=\"x\" b_x002F_c=\"y\"><_x0024_ref>#/x</_x0024_ref><_x_>1</_x_>\
         <b_x0020_c>1</b_x0020_c><b_x0020_c>2</b_x0020_c><_x005F_x0024_/></a>\
         <_x0040_context vocab=\"v\"/>\
         <n:m xmlns:n=\"urn:n\"><n:k>z</n:k><o_x003A_k>z</o_x003A_k></n:m><_x0023_text/></root>"
    );
    let back = json!({"names": "decode", "action": "minify"});
    let answer = convert(xml, "xml", "json", &back).unwrap();
    assert_eq!(
        answer["result"],
        r##"{"root":{"a":{"@on":"x","@b/c":"y","$ref":"#/x","":"1","b c":["1","2"],"_x0024_":null},"@context":{"@vocab":"v"},"n:m":{"@xmlns:n":"urn:n","n:k":"z","o:k":"z"},"#text":null}}"##
    );
    let undecoded = convert("<_x0024_ref/>", "xml", "json", &json!({"action": "minify"})).unwrap();
    assert_eq!(undecoded["result"], r#"{"_x0024_ref":null}"#);
    for (names, from, to) in
        [("encode", "xml", "json"), ("encode", "json", "yaml"), ("decode", "xml", "xml")]
    {
        let refused = convert("<a/>", from, to, &json!({"names": names})).unwrap_err();
        assert!(refused.starts_with(&format!("`names` is `{names}`, which needs `")), "{refused}");
    }
}

#[test]
fn an_input_beside_those_offered_over_mcp_is_taken_there_too() {
    let tool = registry::by_slug("data-converter").unwrap();
    let mcp = tool.spec().mcp.as_ref().unwrap();
    assert!(!mcp.inputs.iter().any(|name| name.contains("names")));
    let body = json!({"text": r#"{"$a": 1}"#, "from_format": "json", "to_format": "xml", "names": "encode"});
    let (mut ctx, mut answer) = (Context::fixed(), Vec::new());
    let body = body.to_string();
    tool.run_json(body.as_bytes(), Surface::Mcp(mcp.inputs), &mut ctx, &mut answer).unwrap();
    assert!(String::from_utf8(answer).unwrap().contains("<_x0024_a>1</_x0024_a>"));
}

#[test]
fn an_undeclared_prefix_is_kept_with_a_warning() {
    let warning = json!(["The prefix `xlink` is not declared; it was kept as it is."]);
    let text = "<svg><use xlink:href=\"#a\" xlink:title=\"b\"/></svg>";
    for (text, from, to, more, result) in [
        (text, "xml", "xml", json!({"action": "minify"}), text),
        (
            text,
            "xml",
            "json",
            json!({"action": "minify"}),
            r##"{"svg":{"use":{"@xlink:href":"#a","@xlink:title":"b"}}}"##,
        ),
        (
            r##"{"svg":{"use":{"@xlink:href":"#a","@xlink:title":"b"}}}"##,
            "json",
            "xml",
            json!({"action": "minify"}),
            text,
        ),
    ] {
        let answer = convert(text, from, to, &more).unwrap();
        assert_eq!((&answer["result"], &answer["warnings"]), (&json!(result), &warning), "{text}");
    }
    let refused = convert("<xmlns:a/>", "xml", "xml", &json!({})).unwrap_err();
    assert!(refused.contains("has the prefix `xmlns`"), "{refused}");
    let twice = convert("<a p:b='' p:b=''/>", "xml", "xml", &json!({})).unwrap_err();
    assert!(twice.contains("`p:b` is repeated"), "{twice}");
}

#[test]
fn a_value_that_no_xml_can_hold_is_named_with_its_index_and_place() {
    for (text, place, path) in [
        ("{\"cells\": [1, 2, {\"x\": \"\\u001b\"}]}", "line 1, column 24", "/cells[2]/x"),
        ("{\"r\": {\"cells\": [\n {\"a b\": 1}]}}", "line 2, column 3", "/r/cells[0]/a b"),
        ("[0,\n{\"a b\": 1}]", "line 2, column 2", "/item[1]/a b"),
        ("{\"a\":{\"$ref\":1}}", "line 1, column 7", "/a/$ref"),
        ("{\"a\":{\"b\\\"\" : [1, 2]}}", "line 1, column 7", "/a/b\"[0]"),
        ("{\"r\": [{\"@b\": []}]}", "line 1, column 15", "/r[0]/@b"),
    ] {
        let refused = convert(text, "json", "xml", &json!({})).unwrap_err();
        let (start, end) = (format!("{place}: `text` cannot be"), format!("(at `{path}`)"));
        assert!(refused.starts_with(&start) && refused.contains(&end), "{refused}");
    }
}

#[test]
fn a_space_that_does_not_indent_yaml_is_named_by_its_line() {
    for (text, said) in [
        (
            "a:\n\u{A0}\u{A0}b: 1\n",
            "Line 2 begins with a no-break space (U+00A0), which does not indent.",
        ),
        (
            "{ a: A,\u{A0}b:\u{A0}C }\n",
            "The text at line 1, column 8 has a no-break space (U+00A0), which does not separate.",
        ),
        ("a:\n \u{2003}b: 1\n", "Line 2 begins with an em space (U+2003), which does not indent."),
    ] {
        let answer = convert(text, "yaml", "json", &json!({})).unwrap();
        assert_eq!(answer["warnings"], json!([said]), "{text}");
    }
    for text in ["a: 10\u{A0}000\n", "a: \"\u{A0}b\"\n", "a: Prix\u{A0}: 1\n", "# \u{A0}\na: 1\n"] {
        let answer = convert(text, "yaml", "yaml", &json!({}));
        assert!(answer.is_err() || answer.unwrap()["warnings"] == json!([]), "{text}");
    }
}

#[test]
fn a_code_fence_around_a_document_is_left_out_and_places_stay() {
    let fence = json!(["Left out around the text: a code fence."]);
    for (text, format) in [
        ("```json\n{\"a\": 1}\n```", "json"),
        ("\n```\na: 1\n```\n", "yaml"),
        ("```xml\n<?xml version=\"1.0\"?><a>1</a>\n```", "xml"),
    ] {
        let to = if format == "json" { "yaml" } else { "json" };
        let answer = convert(text, format, to, &json!({})).unwrap();
        assert_eq!(answer["warnings"], fence, "{text}");
    }
    let refused = run("json-formatter", &json!({"text": "```json\n[1,]\n```"})).unwrap_err();
    assert!(refused.starts_with("line 2, column 3: "), "{refused}");
}

#[test]
fn another_notation_is_refused_with_what_to_write() {
    for (text, from, said) in [
        ("{\"a\": 1}", "xml", "This looks like JSON: set `from_format` to `json`."),
        ("cb({\"a\": 1});", "json", "Remove `cb(`, and the `)` at the end."),
        (
            "- name: x\n image: y\n",
            "yaml",
            "Indent it like the other keys of the item, or begin a new item with `- `.",
        ),
        ("<a>&#xD83D;&#xDE00;</a>", "xml", "write one reference for both, as in `&#x1F600;`."),
    ] {
        let to = if from == "yaml" { "json" } else { "yaml" };
        let refused = convert(text, from, to, &json!({})).unwrap_err();
        assert!(refused.ends_with(said), "{refused}");
    }
}
