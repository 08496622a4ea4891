//! Base64 against RFC 4648, and the tolerance and refusals of `base64-encoder`.

use crate::support::{about, call};
use data_encoding::HEXLOWER;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use toolkit_core::Warnings;
use toolkit_core::base64::{Alphabet, decode, decode_exact, encode};

#[derive(Deserialize)]
struct Vector {
    source: String,
    bytes: String,
    standard: String,
    url: String,
}

#[test]
fn the_vectors_of_the_standards_go_both_ways() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../vectors/base64.json")).unwrap();
    for vector in vectors {
        let bytes = HEXLOWER.decode(vector.bytes.as_bytes()).unwrap();
        for (alphabet, text) in
            [(Alphabet::Standard, &vector.standard), (Alphabet::Url, &vector.url)]
        {
            assert_eq!(encode(&bytes, alphabet), *text, "{}", vector.source);
            for accepted in [None, Some(alphabet)] {
                let decoded = decode(text, accepted, &mut Warnings::new());
                assert_eq!(decoded.unwrap(), bytes, "{}", vector.source);
            }
        }
    }
}

fn decoded(text: &str, url_safe: Option<bool>) -> Result<Json, String> {
    let input = json!({"text": text, "mode": "decode", "url_safe": url_safe});
    call("base64-encoder", &input)
}

fn result(text: &str, url_safe: Option<bool>) -> (String, Vec<String>) {
    let answer = decoded(text, url_safe).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    (
        answer["result"].as_str().unwrap().to_owned(),
        serde_json::from_value(answer["warnings"].clone()).unwrap(),
    )
}

#[test]
fn what_encloses_base64_is_taken_off_with_a_warning() {
    const SPACE: &str = "White space in the Base64 text was dropped.";
    const PEM: &str = "The BEGIN and END lines of a PEM block were taken off.";
    const QUOTES: &str = "Left out around the Base64 text: quotes.";
    const BASIC: &str = "`Basic` in front of the Base64 text was taken off.";
    for (text, warnings) in [
        ("-----BEGIN X-----\naGk=\n-----END X-----\n", vec![PEM, SPACE]),
        ("-----BEGIN X-----\\naGk=\\n-----END X-----\\n", vec![PEM, SPACE]),
        ("a: b\n-----BEGIN X-----\naG\nk=\n-----END X-----", vec![PEM, SPACE]),
        ("\"aGk=\"", vec![QUOTES]),
        (" 'aGk='\n", vec![QUOTES]),
        ("b'aGk='", vec![QUOTES]),
        ("“aGk=”", vec![QUOTES]),
        ("Basic aGk=", vec![BASIC]),
        ("authorization: basic aGk=", vec![BASIC]),
        ("```\naGk=\n```", vec!["Left out around the Base64 text: a code fence."]),
        (
            "['aGk='],",
            vec!["Left out around the Base64 text: a comma or semicolon, brackets, quotes."],
        ),
        ("aGk=\u{200B}", vec!["Left out around the Base64 text: a zero-width space."]),
        ("=?UTF-8?B?aGk=?=", vec!["`=?UTF-8?B?` and `?=` of a mail were taken off."]),
        ("sha512-aGk=", vec!["`sha512-` in front of the Base64 text was taken off."]),
    ] {
        let (decoded, said) = result(text, None);
        assert_eq!(
            (decoded.as_str(), said),
            ("hi", warnings.iter().map(ToString::to_string).collect()),
            "{text}"
        );
    }
}

#[test]
fn bytes_that_are_utf_16_are_read_as_text_with_a_warning() {
    const UTF16: &str = "The bytes were read as UTF-16, as PowerShell writes it.";
    const HEX: &str = "The text looks like hexadecimal digits; it was read as Base64.";
    for (text, decoded, warnings) in [
        ("VwByAGkAdABlAA==", "Write", vec![UTF16]),
        ("AFcAcgBpAHQAZQ==", "Write", vec![UTF16]),
        ("//5HAHIA/ADfAGUA", "Grüße", vec![UTF16]),
        ("RwByAPwA3wBlAA==", "Grüße", vec![UTF16]),
        ("YWIA", "ab\0", vec![]),
        ("/wD+AA==", "ff00fe00", vec![]),
        ("gACBAA==", "80008100", vec![]),
        ("AQACAA==", "\u{1}\0\u{2}\0", vec![]),
        ("48656c6c6f2c20776f726c64", "e3ceb9e9ce9ce9fe9cdb6d1eebbeff7e9ebae9ce", vec![HEX]),
    ] {
        let (found, said) = result(text, None);
        let said: Vec<_> = said.iter().map(String::as_str).collect();
        if text.starts_with("486") {
            assert_eq!(said, warnings);
        } else {
            assert_eq!((found.as_str(), said), (decoded, warnings), "{text}");
        }
    }
}

#[test]
fn another_notation_is_refused_by_name() {
    const HEX: &str = "is hexadecimal digits, not Base64.";
    for (text, refusal) in [
        ("0x48656c6c6f", HEX),
        ("48 65 6c 6c 6f", HEX),
        (
            "48:65:6c",
            "offset 2: `text` has a character that is not Base64. `:` is in no alphabet of Base64; it looks like hexadecimal digits.",
        ),
        (
            "eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
            "offset 20: `text` has a character that is not Base64. `.` is in no alphabet of Base64; it looks like a JSON Web Token: use jwt-decoder, over MCP decode_jwt.",
        ),
        (
            "aGk%3D",
            "offset 3: `text` has a character that is not Base64. `%` is in no alphabet of Base64; write `+`, `/` and `=` for `%2B`, `%2F` and `%3D`.",
        ),
        (
            "aGVsbG8=%",
            "offset 8: `text` has a character that is not Base64. `%` is in no alphabet of Base64; remove what follows the `=`.",
        ),
        (
            "aGVsbG8=.",
            "offset 8: `text` has a character that is not Base64. `.` is in no alphabet of Base64; remove what follows the `=`.",
        ),
        (
            "aGVsbG8= # c",
            "offset 9: `text` has a character that is not Base64. `#` is in no alphabet of Base64; remove what follows the `=`.",
        ),
        (
            "data: aGVsbG8=",
            "offset 4: `text` has a character that is not Base64. `:` is in no alphabet of Base64; remove the key and the colon in front.",
        ),
        (
            "password: aGVsbG8=",
            "offset 8: `text` has a character that is not Base64. `:` is in no alphabet of Base64; remove the key and the colon in front.",
        ),
        (
            "-----BEGIN X-----\naGk=",
            "is a PEM block without its END line. Give the whole block, or only the lines between BEGIN and END.",
        ),
        (
            "-----BEGIN X-----\naGk=\n-----END X-----\n-----BEGIN X-----\n",
            "has more than one PEM block. Decode one block a call.",
        ),
    ] {
        assert_eq!(decoded(text, None).unwrap_err(), about("text", refusal), "{text}");
    }
}

#[test]
fn clean_text_gives_no_warning() {
    for (text, url_safe) in [
        ("", None),
        ("aGk=", None),
        ("aGk=", Some(false)),
        ("aGk", Some(true)),
        ("aGk=", Some(true)),
        ("_-7_7g", None),
        ("_-7_7g==", Some(true)),
    ] {
        assert_eq!(result(text, url_safe).1, [""; 0], "{text}");
    }
}

#[test]
fn tolerated_input_is_reported() {
    const SPACE: &str = "White space in the Base64 text was dropped.";
    const PADDING: &str = "Missing padding (`=`) was added at the end of the Base64 text.";
    const HEAD: &str = "The head of a data: URL was taken off.";
    for (text, url_safe, text_decoded, warnings) in [
        ("aGk", None, "hi", vec![PADDING]),
        ("aGk", Some(false), "hi", vec![PADDING]),
        ("aA=", None, "h", vec![PADDING]),
        ("aA=", Some(true), "h", vec![PADDING]),
        (" aG\tVs\r\nbG\u{c}8=\n", None, "hello", vec![SPACE]),
        ("aGk =", None, "hi", vec![SPACE]),
        ("aGk=\n", Some(false), "hi", vec![SPACE]),
        ("aG VsbG8", None, "hello", vec![SPACE, PADDING]),
        ("data:;base64,aGk=", None, "hi", vec![HEAD]),
        (" Data:text/plain;charset=utf-8;BASE64,aGk=", None, "hi", vec![HEAD]),
        ("data:text/html;base64,YT8-", None, "a?>", vec![HEAD]),
        ("data:;base64,", None, "", vec![HEAD]),
    ] {
        let (decoded, said) = result(text, url_safe);
        assert_eq!(
            (decoded.as_str(), said),
            (text_decoded, warnings.iter().map(ToString::to_string).collect()),
            "{text}"
        );
    }
}

#[test]
fn invalid_base64_is_refused_with_the_offset() {
    for (text, url_safe, refusal) in [
        ("aG!k", None, "offset 2: `text` has a character that is not Base64"),
        ("äöü!", None, "offset 0: `text` has a character that is not Base64"),
        ("aGkü", None, "offset 3: `text` has a character that is not Base64"),
        ("aGk\u{a0}", None, "offset 3: `text` has a character that is not Base64"),
        ("a G\u{FEFF}k", None, "offset 3: `text` has a character that is not Base64"),
        ("aGk%3D", None, "offset 3: `text` has a character that is not Base64"),
        (
            "+_8=",
            None,
            "offset 1: `text` has characters of both the standard and the URL-safe alphabet",
        ),
        (
            "-/8=",
            None,
            "offset 1: `text` has characters of both the standard and the URL-safe alphabet",
        ),
        (
            "a- b+",
            None,
            "offset 4: `text` has characters of both the standard and the URL-safe alphabet",
        ),
        (
            "ab-_",
            Some(false),
            "offset 2: `text` has a `-` or `_`, which the standard alphabet lacks",
        ),
        (
            "ab+/",
            Some(true),
            "offset 2: `text` has a `+` or `/`, which the URL-safe alphabet lacks",
        ),
        ("=", None, "offset 0: `text` has a misplaced `=`"),
        ("====", None, "offset 0: `text` has a misplaced `=`"),
        ("aG=k", None, "offset 2: `text` has a misplaced `=`"),
        ("aA==aA==", None, "offset 2: `text` has a misplaced `=`"),
        ("aGk==", None, "offset 4: `text` has a misplaced `=`"),
        ("aA===", None, "offset 4: `text` has a misplaced `=`"),
        ("aGVs=", None, "offset 4: `text` has a misplaced `=`"),
        ("aGVs =", None, "offset 5: `text` has a misplaced `=`"),
        ("a", None, "offset 0: `text` has one character left over"),
        ("a===", None, "offset 0: `text` has one character left over"),
        ("aGVsb", None, "offset 4: `text` has one character left over"),
        (" aGVs\nb ", None, "offset 6: `text` has one character left over"),
        ("aB==", None, "offset 1: `text` has a last character whose unused bits are set"),
        ("aGl=", None, "offset 2: `text` has a last character whose unused bits are set"),
        ("a G l", Some(true), "offset 4: `text` has a last character whose unused bits are set"),
        ("data:,aGk", None, "is a data: URL whose data is not Base64"),
        ("data:text/plain;base64", None, "is a data: URL without a comma and data"),
    ] {
        let refused = decoded(text, url_safe).expect_err(text);
        let start = about("text", refusal);
        let rest = refused.strip_prefix(&start).unwrap_or_else(|| panic!("{text}: {refused}"));
        assert!(rest == "." || rest.starts_with(". ") && rest.ends_with('.'), "{refused}");
    }
}

#[test]
fn text_of_the_other_alphabet_is_told_to_leave_out_url_safe() {
    for (text, url_safe) in [("YT8_", false), ("YT8/", true)] {
        let refused = decoded(text, Some(url_safe)).unwrap_err();
        assert!(refused.ends_with(". Leave `url_safe` out, which accepts either alphabet."));
    }
    let refused = decoded("YT8_!", Some(false)).unwrap_err();
    assert!(!refused.contains("url_safe"), "{refused}");
}

#[test]
fn exact_base64_has_complete_padding_or_none() {
    for (text, exact) in [("Dw==", true), ("Dw", true), ("Dw=", false), ("_-8=", true)] {
        assert_eq!(decode_exact(text).is_ok(), exact, "{text}");
    }
    let refused = decode_exact("Dw=").unwrap_err().to_string();
    assert!(refused.starts_with("offset 2: the input has a misplaced `=`. "));
}

#[test]
fn the_type_names_the_kind_of_result() {
    for (input, kind) in [
        (json!({"text": "x"}), "base64"),
        (json!({"text": "x", "url_safe": false}), "base64"),
        (json!({"text": "x", "url_safe": "true"}), "base64url"),
        (json!({"text": "/w==", "mode": "decode"}), "hex"),
        (json!({"text": "YQ==", "mode": "decode"}), "text"),
    ] {
        assert_eq!(call("base64-encoder", &input).unwrap()["type"], kind);
    }
}

#[test]
fn bytes_that_are_not_text_come_as_hex_and_unharmed() {
    for (text, hex) in [("/w==", "ff"), ("4pyF4pw=", "e29c85e29c"), ("7aCA", "eda080")] {
        assert_eq!(result(text, None).0, hex);
    }
    // A byte order mark and NUL are text, and are kept.
    assert_eq!(result("77u/AGE=", None).0, "\u{FEFF}\0a");
}

proptest! {
    #[test]
    fn bytes_survive_a_round_trip(bytes: Vec<u8>, url: bool) {
        let alphabet = if url { Alphabet::Url } else { Alphabet::Standard };
        let text = encode(&bytes, alphabet);
        let mut warnings = Warnings::new();
        prop_assert_eq!(&decode(&text, None, &mut warnings).unwrap(), &bytes);
        prop_assert_eq!(&decode(&text, Some(alphabet), &mut warnings).unwrap(), &bytes);
        prop_assert!(warnings.is_empty() || url);
        prop_assert_eq!(&decode_exact(&text).unwrap(), &bytes);
        let wrapped: String = text.chars().flat_map(|character| [character, '\n']).collect();
        prop_assert_eq!(&decode(&wrapped, None, &mut warnings).unwrap(), &bytes);
        prop_assert_eq!(decode_exact(&wrapped).is_ok(), bytes.is_empty());
    }

    #[test]
    fn any_text_is_decoded_or_refused_where_it_is_wrong(text in "[ -/=A-Fa-c_ü\n]{0,12}|\\PC*") {
        if let Err(refusal) = decode(&text, None, &mut Warnings::new()) {
            let place = refusal.to_string();
            prop_assert!(place.starts_with("offset ") || place.contains("data: URL"), "{}", place);
        }
    }
}
