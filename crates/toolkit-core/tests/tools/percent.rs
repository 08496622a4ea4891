//! Percent-encoding against RFC 3986 and the WHATWG URL standard, through `url-encoder`.

use crate::support::call;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use toolkit_core::Warnings;
use toolkit_core::percent::{Scope, decode, encode};

#[test]
fn each_scope_keeps_the_characters_that_its_standard_names() {
    let unreserved = "-._~";
    let reserved = ":/?#[]@!$&'()*+,;=";
    for character in (0..=0x7F_u8).map(char::from) {
        let text = character.to_string();
        let escape = format!("%{:02X}", u32::from(character));
        let is_plain = character.is_ascii_alphanumeric();
        let kept = [
            // RFC 3986 §2.3
            (Scope::Component, is_plain || unreserved.contains(character)),
            // RFC 3986 §2.2
            (
                Scope::Uri,
                is_plain || unreserved.contains(character) || reserved.contains(character),
            ),
            // URL standard §1.3, the application/x-www-form-urlencoded percent-encode set
            (Scope::Form, is_plain || "*-._".contains(character)),
        ];
        for (scope, is_kept) in kept {
            let expected = match character {
                ' ' if scope == Scope::Form => "+",
                _ if is_kept => &text,
                _ => &escape,
            };
            assert_eq!(encode(&text, scope), expected);
        }
    }
}

fn run(mode: &str, text: &str, scope: &str) -> Result<Json, String> {
    call("url-encoder", &json!({"text": text, "mode": mode, "scope": scope}))
}

#[test]
fn a_result_over_8_mib_is_refused() {
    let says = "The input gives a result of over 8 MiB. Send less at once.";
    let text = "\u{e9}".repeat((8 << 20) / 6 + 1);
    assert_eq!(run("encode", &text, "component"), Err(says.to_owned()));
}

#[test]
fn every_byte_of_the_utf_8_is_escaped() {
    // RFC 3986 §2.5 has the first three.
    for (text, encoded) in [
        ("A", "A"),
        ("À", "%C3%80"),
        ("ア", "%E3%82%A2"),
        ("😀", "%F0%9F%98%80"),
        ("\0", "%00"),
        ("", ""),
    ] {
        for scope in ["component", "uri", "form"] {
            let answer = run("encode", text, scope).unwrap();
            assert_eq!(
                (&answer["result"], &answer["type"]),
                (&json!(encoded), &json!("url-encoded"))
            );
            let answer = run("decode", encoded, scope).unwrap();
            assert_eq!((&answer["result"], &answer["type"]), (&json!(text), &json!("text")));
        }
    }
}

#[test]
fn decoding_depends_on_the_scope_for_plus_and_reserved_characters() {
    const KEPT: &str = "Escapes of reserved characters were kept, since decoding them would change \
                        the meaning of a URL; the scope `component` decodes them too.";
    for (text, scope, decoded, warnings) in [
        ("a+b%2B%20c", "component", "a+b+ c", json!([])),
        ("a+b%2B%20c", "form", "a b+ c", json!([])),
        ("a+b%2B%20c", "uri", "a+b%2B c", json!([KEPT])),
        ("/a%2fb?c=%26%3D%25%41", "uri", "/a%2fb?c=%26%3D%A", json!([KEPT])),
        (
            "%5B%5d%3A%40%21%24%27%28%29%2A%2C%3B%23%3F",
            "uri",
            "%5B%5d%3A%40%21%24%27%28%29%2A%2C%3B%23%3F",
            json!([KEPT]),
        ),
        ("%C3%BC%7E%20", "uri", "ü~ ", json!([])),
        ("%e2%82%AC ü €", "component", "€ ü €", json!([])),
    ] {
        let answer = run("decode", text, scope).unwrap();
        assert_eq!(
            (&answer["result"], &answer["warnings"]),
            (&json!(decoded), &warnings),
            "{text}"
        );
    }
}

#[test]
fn an_escape_that_is_encoded_again_is_warned_about_in_a_whole_url() {
    let input = json!({"text": "https://example.com/a%20b", "scope": "uri"});
    let answer = call("url-encoder", &input).unwrap();
    assert_eq!(answer["result"], "https://example.com/a%2520b");
    let warning =
        "`%20` was encoded again, as `%2520`; decode the URL first if it is encoded already.";
    assert_eq!(answer["warnings"], json!([warning]));
    for input in [json!({"text": "a%20b"}), json!({"text": "100%, 5%z", "scope": "uri"})] {
        assert_eq!(call("url-encoder", &input).unwrap()["warnings"], json!([]));
    }
}

#[test]
fn a_bad_escape_is_refused_with_the_offset() {
    for (text, offset) in [
        ("%", 0),
        ("%4", 0),
        ("ü%", 1),
        ("100% sure", 3),
        ("%41%4G", 3),
        ("%G1", 0),
        ("%%41", 0),
        ("a%+1", 1),
        ("%-1", 0),
        ("%ü", 0),
        ("%u00FC", 0),
    ] {
        for scope in ["component", "uri", "form"] {
            let refused = run("decode", text, scope).unwrap_err();
            let start = format!("offset {offset}: `text` has a bad escape `%");
            assert!(refused.starts_with(&start), "{text}: {refused}");
        }
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_refused_with_the_offset() {
    for (text, offset) in [
        ("%FF", 0),
        ("ab%C3", 2),
        ("ü%20%C3%28", 4),
        ("%C0%80", 0),
        ("%ED%A0%80", 0),
        ("%F4%90%80%80", 0),
        ("%C3%BC%E2%82é", 6),
        ("%2F%80", 3),
    ] {
        for scope in ["component", "uri", "form"] {
            let refused = run("decode", text, scope).unwrap_err();
            assert_eq!(
                refused,
                format!(
                    "offset {offset}: `text` decodes to bytes that are not UTF-8. Only escapes of UTF-8 text can be decoded."
                ),
                "{text}"
            );
        }
    }
}

proptest! {
    #[test]
    fn text_survives_a_round_trip(text: String) {
        for &scope in Scope::ALL {
            let encoded = encode(&text, scope);
            prop_assert!(encoded.is_ascii());
            let decoded = decode(&encoded, scope, &mut Warnings::new());
            prop_assert_eq!(decoded.as_deref(), Ok(text.as_str()));
        }
    }

    #[test]
    fn any_text_is_decoded_or_refused_where_it_is_wrong(text in "([%+a-fA-F0-9ü]|%[89a-f][0-9a-f]){0,12}") {
        for &scope in Scope::ALL {
            if let Err(refusal) = decode(&text, scope, &mut Warnings::new()) {
                prop_assert!(refusal.position().is_some());
            }
        }
    }
}
