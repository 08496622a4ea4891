//! Vectors: texts parsed, refused, formatted and written (`vectors/yaml.json`).
//!
//! The sections are those of YAML 1.2.2; the merge key is of yaml.org/type/merge.

use serde::Deserialize;
use toolkit_core::{Layout, Node, ToolError, Warnings, json, yaml};

#[derive(Deserialize)]
struct Vectors {
    read: Vec<Read>,
    refused: Vec<Refused>,
    laid_out: Vec<LaidOut>,
    written: Vec<Written>,
}

#[derive(Deserialize)]
struct Read {
    about: String,
    yaml: String,
    json: Vec<String>,
    warnings: Vec<String>,
}

#[derive(Deserialize)]
struct Refused {
    about: String,
    yaml: String,
    says: String,
}

#[derive(Deserialize)]
struct LaidOut {
    about: String,
    yaml: String,
    pretty: String,
    minified: String,
    /// Warnings of the minified text.
    warnings: Vec<String>,
}

#[derive(Deserialize)]
struct Written {
    about: String,
    json: String,
    block: String,
    flow: String,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../vectors/yaml.json")).unwrap()
}

fn parse(text: &str) -> Result<Vec<Node>, ToolError> {
    yaml::parse_documents(text, &mut Warnings::new())
}

fn from_json(text: &str) -> Node {
    json::parse(text, &mut Warnings::new()).unwrap()
}

#[test]
fn a_text_is_read_as_the_values_that_yaml_1_2_gives_it() {
    for Read { about, yaml, json, warnings } in vectors().read {
        let mut told = Warnings::new();
        let documents = yaml::parse_documents(&yaml, &mut told);
        let expected: Vec<Node> = json.iter().map(|text| from_json(text)).collect();
        assert_eq!(documents, Ok(expected), "{about}");
        assert_eq!(told.sentences(), warnings, "{about}");
    }
}

#[test]
fn a_meaningless_text_is_refused_with_its_position() {
    for Refused { about, yaml, says } in vectors().refused {
        let refusal = parse(&yaml).unwrap_err();
        assert_eq!(refusal.to_string(), says, "{about}");
    }
}

#[test]
fn a_layout_keeps_what_was_written() {
    for LaidOut { about, yaml, pretty, minified, warnings } in vectors().laid_out {
        let mut told = Warnings::new();
        assert_eq!(
            yaml::format(&yaml, Layout::spaces(2), &mut told),
            Ok(pretty.clone()),
            "{about}"
        );
        assert_eq!(told, Warnings::new(), "{about}");
        assert_eq!(
            yaml::format(&yaml, Layout::Minified, &mut told),
            Ok(minified.clone()),
            "{about}"
        );
        assert_eq!(told.sentences(), warnings, "{about}");
        assert_eq!(
            yaml::format(&pretty, Layout::spaces(2), &mut told).as_ref(),
            Ok(&pretty),
            "{about}"
        );
        assert_eq!(
            yaml::format(&minified, Layout::Minified, &mut told).as_ref(),
            Ok(&minified),
            "{about}"
        );
    }
}

#[test]
fn values_are_written_so_that_every_parser_reads_them_back() {
    for Written { about, json, block, flow } in vectors().written {
        let documents = [from_json(&json)];
        assert_eq!(
            yaml::write_documents(&documents, Layout::spaces(2)).as_ref(),
            Ok(&block),
            "{about}"
        );
        assert_eq!(
            yaml::write_documents(&documents, Layout::Minified).as_ref(),
            Ok(&flow),
            "{about}"
        );
        assert_eq!(parse(&block).as_deref(), Ok(&documents[..]), "{about}");
        assert_eq!(parse(&flow).as_deref(), Ok(&documents[..]), "{about}");
    }
}

#[test]
fn several_documents_are_set_apart() {
    let documents = ["1", "null", r#"{"a":[]}"#, r#"["b"]"#].map(from_json);
    let block = "1\n--- null\n---\na: []\n---\n- b\n";
    assert_eq!(yaml::write_documents(&documents, Layout::spaces(2)).as_deref(), Ok(block));
    assert_eq!(parse(block).as_deref(), Ok(&documents[..]));
    let flow = "1\n--- null\n--- {a: []}\n--- [b]";
    assert_eq!(yaml::write_documents(&documents, Layout::Minified).as_deref(), Ok(flow));
    assert_eq!(parse(flow).as_deref(), Ok(&documents[..]));
    assert_eq!(yaml::write_documents(&[], Layout::spaces(2)).as_deref(), Ok(""));
}

#[test]
fn the_indentation_is_as_asked() {
    let documents = [from_json(r#"{"a":{"b":[1,{"c":"x\n","d":" x\ny"}]}}"#)];
    assert_eq!(
        yaml::write_documents(&documents, Layout::spaces(1)).as_deref(),
        Ok("a:\n b:\n  - 1\n  - c: |\n     x\n    d: |1-\n      x\n     y\n"),
    );
    assert_eq!(
        yaml::write_documents(&documents, Layout::spaces(4)).as_deref(),
        Ok(concat!(
            "a:\n    b:\n        - 1\n        - c: |\n              x\n",
            "          d: |4-\n               x\n              y\n",
        )),
    );
    for indent in 1..=8 {
        let text = yaml::write_documents(&documents, Layout::spaces(indent)).unwrap();
        assert_eq!(parse(&text).as_deref(), Ok(&documents[..]), "{text}");
    }
}

#[test]
fn a_long_key_follows_a_question_mark() {
    let object = |length: usize| {
        let member = ("k".repeat(length), Node::from(1));
        [Node::Object(vec![member])]
    };
    let key = "k".repeat(1024);
    assert_eq!(yaml::write_documents(&object(1024), Layout::spaces(2)), Ok(format!("{key}: 1\n")));
    assert_eq!(
        yaml::write_documents(&object(1025), Layout::spaces(2)),
        Ok(format!("? {key}k\n: 1\n"))
    );
    assert_eq!(
        yaml::write_documents(&object(1025), Layout::Minified),
        Ok(format!("{{? {key}k: 1}}"))
    );
    for length in [1024, 1025] {
        let written = yaml::write_documents(&object(length), Layout::spaces(2)).unwrap();
        assert_eq!(parse(&written).as_deref(), Ok(&object(length)[..]));
        let written = yaml::write_documents(&object(length), Layout::Minified).unwrap();
        assert_eq!(parse(&written).as_deref(), Ok(&object(length)[..]));
    }
}

#[test]
fn text_that_is_json_has_the_value_of_json() {
    let text = r#"{"a": [1.0, 1E400, -0, "x\ty", null], "<<": {"b": "no"}}"#;
    let mut warnings = Warnings::new();
    assert_eq!(yaml::parse(text, &mut warnings), json::parse(text, &mut Warnings::new()));
    let flow = yaml::parse("{a: 1, b: [no]} # flow", &mut warnings).unwrap();
    assert_eq!(flow.get("a"), Some(&Node::from(1)));
    let repeated = yaml::parse(r#"{"a": 1, "a": 2}"#, &mut warnings).unwrap_err();
    assert!(repeated.to_string().contains("repeats the key"), "{repeated}");
}

#[test]
fn a_template_that_happens_to_be_yaml_is_warned_about() {
    let mut warnings = Warnings::new();
    let pretty = yaml::format("a: {{ b }}\n", Layout::spaces(2), &mut warnings);
    assert_eq!(pretty.as_deref(), Ok("a:\n  ? b:\n  :\n"));
    assert_eq!(
        warnings.sentences(),
        ["`{{` at line 1, column 4 was read as a mapping inside a mapping; render a template \
             first, or quote it."],
    );
}
