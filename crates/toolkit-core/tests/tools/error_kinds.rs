//! Kind of each error, by which programs decide what to do.

use serde_json::{Value as Json, json};
use toolkit_core::input::Surface;
use toolkit_core::{Context, ErrorKind, registry};

fn kind(slug: &str, input: &Json) -> ErrorKind {
    let tool = registry::by_slug(slug).unwrap();
    let body = input.to_string();
    let refused =
        tool.run_json(body.as_bytes(), Surface::Rest, &mut Context::fixed(), &mut Vec::new());
    let error = refused.err();
    error.unwrap_or_else(|| panic!("{slug} takes {body}")).kind()
}

fn assert_kinds(expected: ErrorKind, calls: &[(&str, Json)]) {
    for (slug, input) in calls {
        assert_eq!(kind(slug, input), expected, "{slug} {input}");
    }
}

fn convert(from: &str, to: &str, text: impl Into<String>) -> (&'static str, Json) {
    let text = text.into();
    ("data-converter", json!({"text": text, "from_format": from, "to_format": to}))
}

#[test]
fn violations_of_a_grammar_are_of_kind_syntax() {
    assert_kinds(
        ErrorKind::Syntax,
        &[
            ("json-formatter", json!({"text": "[1,]"})),
            convert("yaml", "json", "a: [1"),
            convert("xml", "json", "<a></b>"),
            ("base64-encoder", json!({"text": "a", "mode": "decode"})),
            ("url-encoder", json!({"text": "%zz", "mode": "decode"})),
            ("jwt-decoder", json!({"token": "a.b"})),
            ("regex-tester", json!({"pattern": "(", "text": "a"})),
            ("cron-explainer", json!({"expression": "* * *"})),
            ("timestamp-converter", json!({"value": "soon"})),
            ("cidr-calculator", json!({"cidr": "192.0.2"})),
        ],
    );
}

#[test]
fn well_formed_values_outside_the_range_are_of_kind_range() {
    assert_kinds(
        ErrorKind::Range,
        &[
            ("uuid-generator", json!({"count": 0})),
            ("nanoid-generator", json!({"alphabet": "aa"})),
            ("nanoid-generator", json!({"alphabet": "a"})),
            ("hash-generator", json!({"text": "a", "algorithm": "crc32"})),
            ("regex-tester", json!({"pattern": "a", "text": "a", "flags": "q"})),
            ("cron-explainer", json!({"expression": "60 * * * *"})),
            ("cron-explainer", json!({"expression": "*/0 * * * *"})),
            ("cron-explainer", json!({"expression": "30-10 * * * *"})),
            ("timestamp-converter", json!({"value": "2023-02-30"})),
            ("timestamp-converter", json!({"value": "999999999999", "unit": "s"})),
            ("cidr-calculator", json!({"cidr": "192.0.2.0/33"})),
            convert("yaml", "json", "!!int abc"),
        ],
    );
}

#[test]
fn exceeded_limits_are_of_kind_too_large() {
    assert_kinds(
        ErrorKind::TooLarge,
        &[
            ("json-formatter", json!({"text": "[".repeat(513)})),
            convert("yaml", "json", "[".repeat(513) + &"]".repeat(513)),
            convert("yaml", "json", format!("[&a 1{}]", ",*a".repeat(250_001))),
            convert("xml", "json", "<a>".repeat(513)),
            ("cron-explainer", json!({"expression": "0,".repeat(501)})),
            ("regex-tester", json!({"pattern": "a".repeat(8_193), "text": "a"})),
            ("regex-tester", json!({"pattern": "((a{1000}){1000}){1000}", "text": "a"})),
        ],
    );
}

#[test]
fn unsupported_parts_of_a_format_are_of_kind_unsupported() {
    assert_kinds(
        ErrorKind::Unsupported,
        &[
            convert("json", "yaml", r#"{"a": 1, "a": 2}"#),
            convert("json", "yaml", r#"["\ud800"]"#),
            convert("yaml", "json", "[.inf]"),
            convert("yaml", "json", "? [a]\n: b"),
            convert("yaml", "json", "&a [*a]"),
            convert("xml", "json", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>"),
            convert("xml", "json", "<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>"),
            convert("json", "xml", r#"["\u0000"]"#),
            ("jwt-decoder", json!({"token": r#"{"payload": ""}"#})),
            ("cron-explainer", json!({"expression": "@reboot"})),
            ("cron-explainer", json!({"expression": "0 0 L * *"})),
            ("cidr-calculator", json!({"cidr": "fe80::1%eth0/64"})),
            ("cidr-calculator", json!({"cidr": "192.0.2.0/0.0.0.255"})),
        ],
    );
}

#[test]
fn errors_of_the_inputs_themselves_are_of_kind_input() {
    assert_kinds(
        ErrorKind::Input,
        &[
            ("cidr-calculator", json!({})),
            ("cidr-calculator", json!({"cidr": true})),
            ("cidr-calculator", json!({"cidr": "::/0", "block": "::/0"})),
            ("cidr-calculator", json!({"cidr": "::/0", "input": "::/0"})),
            ("cidr-calculator", json!([])),
        ],
    );
}
