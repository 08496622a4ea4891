//! Invalid JSON Web Tokens and the message that refuses each.

use crate::support::about;
use std::fmt::Write as _;

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value as Json;
use toolkit_core::Warnings;
use toolkit_core::jwt::Token;

use super::{NOW, base64url, decode, token};

#[test]
fn invalid_tokens_are_refused_naming_the_segment() {
    let header = base64url(r#"{"alg":"HS256"}"#);
    let encrypted = base64url(r#"{"alg":"dir","enc":"x"}"#);
    let nested = base64url(r#"{"alg":"HS256","cty":"jwt"}"#);
    for (token, refusal) in [
        (String::new(), "is empty. Give a token."),
        ("Bearer ".to_owned(), "is empty. Give a token."),
        ("abc".to_owned(), "has 1 part where a token has three"),
        (format!("{header}.e30"), "has 2 parts where a token has three"),
        (format!("{header}.e30.a.b"), "has 4 parts where a token has three"),
        ("......".to_owned(), "has 7 parts where a token has three"),
        (
            "{\"payload\":\"e30\"}".to_owned(),
            "has 1 part where a token has three (header, payload, signature) or, encrypted, five. The JSON serialization is not read",
        ),
        (
            " !.e30.".to_owned(),
            "offset 1: `token` has a header that is not base64url: it has a character that is not Base64.",
        ),
        (
            format!("{header}.e3+.c2ln"),
            "offset 23: `token` has a payload that is not base64url: it has a `+` or `/`, which the URL-safe alphabet lacks.",
        ),
        (
            format!("Bearer {header}.e30.c2ln c2ln"),
            "offset 36: `token` has a signature that is not base64url: it has a character that is not Base64.",
        ),
        (
            format!("{header}.e30.c2lnc"),
            "offset 29: `token` has a signature that is not base64url: it has one character left over.",
        ),
        (
            format!("{header}.e31.c2ln"),
            "offset 23: `token` has a payload that is not base64url: it has a last character whose unused bits are set.",
        ),
        (
            format!("{encrypted}.a.YQ.YQ.YQ"),
            "offset 32: `token` has an encrypted key that is not base64url: it has one character left over.",
        ),
        (
            format!("{encrypted}.YQ.!.YQ.YQ"),
            "offset 35: `token` has an initialization vector that is not base64url: it has a character that is not Base64.",
        ),
        (
            format!("{encrypted}.YQ.YQ.!.YQ"),
            "offset 38: `token` has a ciphertext that is not base64url: it has a character that is not Base64.",
        ),
        (
            format!("{encrypted}.YQ.YQ.YQ.!"),
            "offset 41: `token` has an authentication tag that is not base64url: it has a character that is not Base64.",
        ),
        (".e30.".to_owned(), "has a header that is not a JSON object: it does not start with `{`."),
        (
            format!("{}.e30.", base64url("[]")),
            "has a header that is not a JSON object: it does not start with `{`.",
        ),
        (
            format!("{}.e30.", base64url("{\"alg\"}")),
            "has a header that is not a JSON object: expected `:` in line 1, column 7 of it.",
        ),
        (
            format!("{}.e30.", base64url("{} {}")),
            "has a header that is not a JSON object: trailing characters in line 1, column 4 of it.",
        ),
        (
            format!("{}.e30.", base64url(b"{\"\xff\":1}")),
            "has a header that is not a JSON object: it is not UTF-8 text.",
        ),
        (
            format!("{header}.{}.c2ln", base64url("{\"exp\":01}")),
            "has a payload that is not a JSON object: invalid number in line 1, column 9 of it.",
        ),
        (
            format!("{header}.{}.c2ln", base64url("123400")),
            "has a payload that is not a JSON object: it does not start with `{`.",
        ),
        (
            format!("{nested}.{}.c2ln", base64url("eyJ.e30.")),
            "has a payload that is not a JSON object: it does not start with `{`. The payload is a nested token",
        ),
    ] {
        let refused = decode(&token).expect_err(&token);
        assert!(refused.starts_with(&about("token", refusal)), "{token}: {refused}");
        assert!(refused.ends_with('.'), "{refused}");
    }
}

#[test]
fn a_token_of_another_kind_is_refused_by_name() {
    let header = "eyJhbGciOiJIUzI1NiJ9";
    for (token, refusal) in [
        (
            format!("{header}.e30.c2ln.{header}.e30"),
            "has 5 parts, but its header has no `enc`. Send one token per call.",
        ),
        ("v4.public.eyJzdWIiOiIxIn0".to_owned(), "is a PASETO (`v4`), not a JSON Web Token."),
    ] {
        assert_eq!(decode(&token).unwrap_err(), about("token", refusal));
    }
    let broken = format!("{header}.eyJzdWIi\n  OiIxIn0.\nc2ln");
    let answer = decode(&broken).unwrap();
    assert_eq!(answer["result"]["payload"], serde_json::json!({"sub": "1"}));
    let warning = "The line breaks inside the token were left out.";
    assert_eq!(answer["warnings"], serde_json::json!([warning]));
}

fn read(token: &str) -> Result<Token, String> {
    Token::decode(token, &mut Warnings::new()).map_err(|refusal| refusal.to_string())
}

#[test]
fn nesting_is_bounded_and_long_tokens_are_read() {
    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth - 1), "]".repeat(depth - 1));
        format!("{{\"a\":{open}{close}}}")
    };
    let header = r#"{"alg":"HS256"}"#;
    assert!(read(&token(header, &nested(512))).is_ok());
    let refused = read(&token(header, &nested(513))).unwrap_err();
    let reason = "has a payload that is not a JSON object: it nests over 512 levels deep";
    assert!(refused.contains(reason), "{refused}");
    assert!(read(&token(&nested(200_000), "{}")).is_err());
    // Brackets in strings do not nest.
    assert!(read(&token(header, &format!("{{\"a\":\"\\\"{}\"}}", "[".repeat(600)))).is_ok());
    let mut many = String::new();
    for index in 0..50_000 {
        write!(many, "\"{index}\":{index},").unwrap();
    }
    assert!(read(&token(header, &format!("{{{many}\"exp\":1}}"))).is_ok());
}

#[derive(Deserialize)]
struct Case {
    id: String,
    input: String,
    expect: Expected,
}

#[derive(Deserialize)]
struct Expected {
    parts: usize,
    header: Option<Json>,
}

/// The suite tests JWS, whose payloads here are not claims: they are refused as such, unless they
/// are detached; a header is refused only if it is broken.
#[test]
fn the_wycheproof_suite_is_refused_for_the_right_segment() {
    let Some(folder) = std::env::var_os("TOOLKIT_SUITES") else {
        println!("skipped: TOOLKIT_SUITES is not set");
        return;
    };
    let file = std::path::Path::new(&folder).join("jws_wycheproof.json");
    let cases: Vec<Case> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(cases.len(), 401);
    let mut detached = 0;
    for Case { id, input, expect } in cases {
        match (decode(&input), expect.header) {
            (Ok(answer), Some(header)) => {
                detached += 1;
                assert_eq!(answer["result"]["payload"], Json::Null, "{id}");
                assert_eq!(answer["result"]["header"], header, "{id}");
            }
            (Ok(answer), None) => panic!("{id}: {answer}"),
            (Err(refusal), header) => {
                let is_counted =
                    refusal.contains(" where a token has three") || refusal.contains("is empty");
                assert_eq!(is_counted, expect.parts != 3, "{id}: {refusal}");
                let is_broken = refusal.contains("has a header that is not")
                    || refusal.contains("has a payload that is not base64url");
                // Two payloads have non-zero trailing bits, which the suite's decoder accepts.
                let is_altered = refusal.contains("whose unused bits are set");
                let expected = expect.parts == 3 && header.is_none();
                assert_eq!(is_broken && !is_altered, expected, "{id}: {refusal}");
            }
        }
    }
    assert_eq!(detached, 9);
}

proptest! {
    #[test]
    fn any_token_is_decoded_or_refused(text in "\\PC*|[ e30.=+\"-_]{0,20}|(Bearer )?[A-Za-z0-9_-]{0,9}\\.[A-Za-z0-9_-]{0,9}\\.[A-Za-z0-9_=-]{0,9}") {
        let _ = read(&text);
    }

    #[test]
    fn any_bytes_in_the_segments_are_decoded_or_refused(header: Vec<u8>, payload in "\\{(\"(exp|nbf|a)\":(-?[0-9]{1,20}(\\.[0-9]{1,3})?(e[+-]?[0-9]{1,3})?|null|\"x\"),?){0,3}\\}?") {
        let _ = read(&format!("{}.e30.", base64url(header)));
        if let Ok(read) = read(&token("{}", &payload)) {
            let now = time::OffsetDateTime::from_unix_timestamp(NOW).unwrap();
            let validity = read.validity(now);
            prop_assert_eq!(validity.expired.is_some(), validity.expires_in_seconds.is_some());
        }
    }
}
