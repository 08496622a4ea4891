//! Digests and HMACs against their RFCs, through `hash-generator`.

use crate::support::call;
use data_encoding::{BASE64, BASE64URL_NOPAD, HEXLOWER};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;
use toolkit_core::digest::{Algorithm, digest, hmac};

#[derive(Deserialize)]
struct Vector {
    source: String,
    algorithm: String,
    key: Option<String>,
    message: String,
    #[serde(default = "once")]
    repeat: usize,
    digest: String,
}

const fn once() -> usize {
    1
}

#[test]
fn the_vectors_of_the_rfcs_come_out() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("../vectors/digest.json")).unwrap();
    assert_eq!(vectors.len(), 58);
    for vector in vectors {
        let algorithm = Algorithm::from_word(&vector.algorithm).unwrap();
        let message = HEXLOWER.decode(vector.message.as_bytes()).unwrap().repeat(vector.repeat);
        let digest = match &vector.key {
            Some(key) => hmac(algorithm, &HEXLOWER.decode(key.as_bytes()).unwrap(), &message),
            None => digest(algorithm, &message),
        };
        let hex = HEXLOWER.encode(digest.as_bytes());
        // One vector of RFC 4231 is truncated to 128 bits.
        assert!(hex.starts_with(&vector.digest), "{}: {hex}", vector.source);
        assert!(hex.len() == vector.digest.len() || vector.source == "RFC 4231 §4.6");
    }
}

#[test]
fn an_empty_key_makes_an_hmac() {
    let answer = call("hash-generator", &json!({"text": "", "key": ""})).unwrap();
    assert_eq!(answer["type"], "hmac-sha256");
    assert_eq!(
        answer["result"],
        "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
    );
    let warning = "The key is empty, so this is an HMAC with an empty key; leave `key` out for the \
                   plain digest.";
    assert_eq!(answer["warnings"], json!([warning]));
    let bare = call("hash-generator", &json!({"text": "", "key": null})).unwrap();
    assert_eq!(bare["type"], "sha256");
    assert_eq!(bare["warnings"], json!([]));
    assert_ne!(bare["result"], answer["result"]);
}

#[test]
fn an_algorithm_is_found_in_any_case_and_with_any_hyphens() {
    for word in ["sha256", "SHA-256", "Sha_256", "sha-2-5-6"] {
        let answer = call("hash-generator", &json!({"text": "", "algorithm": word})).unwrap();
        assert_eq!(answer["type"], "sha256", "{word}");
    }
    for word in ["sha3", "sha224", "", "sha 256"] {
        let refused = call("hash-generator", &json!({"text": "", "algorithm": word})).unwrap_err();
        assert_eq!(
            refused,
            format!("`algorithm` is `{word}`. Use one of md5, sha1, sha256, sha384, sha512.")
        );
    }
}

#[test]
fn a_digest_is_shown_without_its_unused_bytes() {
    let md5 = digest(Algorithm::Md5, b"");
    assert_eq!(format!("{md5:?}"), "Digest(d41d8cd98f00b204e9800998ecf8427e)");
}

#[test]
fn broken_algorithms_carry_a_warning_and_no_other_does() {
    for &algorithm in Algorithm::ALL {
        for key in [None, Some("k")] {
            let input = json!({"text": "", "algorithm": algorithm.word(), "key": key});
            let answer = call("hash-generator", &input).unwrap();
            let warnings = answer["warnings"].as_array().unwrap().len();
            assert_eq!(warnings, usize::from(algorithm.is_broken()), "{input}");
        }
    }
}

#[test]
fn the_result_is_written_as_asked_for() {
    let result = |encoding: &str| {
        let input = json!({"text": "abc", "algorithm": "sha1", "encoding": encoding});
        call("hash-generator", &input).unwrap()["result"].as_str().unwrap().to_owned()
    };
    let bytes = HEXLOWER.decode(result("hex").as_bytes()).unwrap();
    assert_eq!(bytes.len(), 20);
    assert_eq!(BASE64.decode(result("base64").as_bytes()).unwrap(), bytes);
    assert_eq!(BASE64URL_NOPAD.decode(result("base64url").as_bytes()).unwrap(), bytes);
}

#[test]
fn text_and_key_can_encode_other_bytes() {
    // RFC 4231 §4.4, whose key and data are not text.
    let digest = "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe";
    for (text, key, encoding) in [
        ("dd".repeat(50), "Aa".repeat(20), "hex"),
        (BASE64.encode(&[0xdd; 50]), BASE64.encode(&[0xaa; 20]), "base64"),
        (BASE64URL_NOPAD.encode(&[0xdd; 50]), BASE64URL_NOPAD.encode(&[0xaa; 20]), "base64"),
    ] {
        let answer = call(
            "hash-generator",
            &json!({"text": text, "key": key, "input_encoding": encoding, "key_encoding": encoding}),
        );
        assert_eq!(answer.unwrap()["result"], digest);
    }
}

#[test]
fn spaces_and_what_is_around_encoded_bytes_are_left_out_with_a_warning() {
    const HEX: &str = "Spaces, colons, quotes or `0x` in `key` were left out.";
    const SPACES: &str = "Spaces in `key` were left out.";
    const PEM: &str = "The BEGIN and END lines of a PEM block were taken off.";
    const QUOTES: &str = "Left out around the Base64 text: quotes.";
    let hmac = |key: &str, encoding: &str| {
        let input = json!({"text": "A", "key": key, "key_encoding": encoding});
        call("hash-generator", &input).unwrap_or_else(|refusal| panic!("{key}: {refusal}"))
    };
    let expected = hmac("AA", "utf8")["result"].clone();
    for (encoding, key, warnings) in [
        ("hex", "4141", vec![]),
        ("hex", "41 41", vec![HEX]),
        ("hex", "41:41", vec![HEX]),
        ("hex", "0x4141", vec![HEX]),
        ("hex", "\"41\n41\"\n", vec!["Left out around the hexadecimal digits: quotes.", HEX]),
        ("hex", "\u{FEFF}4141", vec!["Left out around the hexadecimal digits: a byte order mark."]),
        (
            "hex",
            "4141\u{200B}",
            vec!["Left out around the hexadecimal digits: a zero-width space."],
        ),
        ("hex", "4141,", vec!["Left out around the hexadecimal digits: a comma or semicolon."]),
        (
            "hex",
            "'4141';",
            vec!["Left out around the hexadecimal digits: a comma or semicolon, quotes."],
        ),
        ("hex", "```\n4141\n```", vec!["Left out around the hexadecimal digits: a code fence."]),
        ("base64", "QUE=", vec![]),
        ("base64", "QU\nE=\n", vec![SPACES]),
        ("base64", "'QUE='", vec![QUOTES]),
        ("base64", "whsec_QUE=", vec!["`whsec_` in front of `key` was left out."]),
        ("base64", "-----BEGIN KEY-----\nQUE=\n-----END KEY-----\n", vec![PEM, SPACES]),
    ] {
        let answer = hmac(key, encoding);
        assert_eq!(answer["result"], expected, "{key}");
        assert_eq!(answer["warnings"], json!(warnings), "{key}");
    }
}

#[test]
fn a_key_that_looks_encoded_is_asked_about_unless_its_encoding_is_given() {
    let hex = "0b".repeat(16);
    let read = |prefix, how| vec![format!("The key begins with `{prefix}`, {how}")];
    let asked = |named| {
        vec![format!("The key was taken as text. If it is {named}, put `{named}:` in front of it.")]
    };
    for (key, warnings) in [
        (hex.as_str(), asked("hex")),
        ("MDEyMzQ1Njc4OTAxMjM0NTY=", asked("base64")),
        (
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            read("whsec_", "so the rest was read as base64."),
        ),
        ("hex:4141", read("hex:", "so the rest was read as hex.")),
        ("base64:QUE=", read("base64:", "so the rest was read as base64.")),
        ("hex:xyz", read("hex:", "but the rest is not hex: all of it was taken as text.")),
        ("hex:", read("hex:", "but the rest is not hex: all of it was taken as text.")),
        ("HEX:4141", read("hex:", "so the rest was read as hex.")),
        (" hex:4141", read("hex:", "so the rest was read as hex.")),
        ("\"hex:4141\"", read("hex:", "so the rest was read as hex.")),
        ("Base64:QUE=", read("base64:", "so the rest was read as base64.")),
        ("WHSEC_QUE=", read("whsec_", "so the rest was read as base64.")),
        (&(hex.clone() + "\n"), asked("hex")),
        (&("0x".to_owned() + &hex), asked("hex")),
        (&["0b"; 16].join(":"), asked("hex")),
        ("MDEyMzQ1Njc4OTAxMjM0NTY=\n", asked("base64")),
        (&"0b".repeat(15), vec![]),
        (&("0b".repeat(15) + "0"), vec![]),
        ("MDEyMzQ1Njc4OTAxMjM0NTY3", vec![]),
        ("correct horse battery staple=", vec![]),
    ] {
        let input = json!({"text": hex, "key": key});
        let answer = call("hash-generator", &input).unwrap();
        assert_eq!(answer["warnings"], json!(warnings), "{key}");
        let input = json!({"text": hex, "key": key, "key_encoding": "utf8"});
        assert_eq!(call("hash-generator", &input).unwrap()["warnings"], json!([]), "{key}");
    }
    let hmac = |key: &str| {
        let input = json!({"text": hex, "key": key});
        call("hash-generator", &input).unwrap()["result"].clone()
    };
    for key in ["HEX:4141", " hex:4141", "\"hex:4141\"", "Base64:QUE=", "WHSEC_QUE="] {
        assert_eq!(hmac(key), hmac("AA"), "{key}");
    }
    // A digest or the id of a commit is a text.
    let answer = call("hash-generator", &json!({"text": hex})).unwrap();
    assert_eq!(answer["warnings"], json!([]));
}

#[test]
fn bytes_that_cannot_be_read_are_refused_with_the_offset_and_not_repeated() {
    for (encoding, value, refusal) in [
        ("hex", "0g", "offset 1: `{}` has a character that is not a hexadecimal digit"),
        ("hex", "üab0", "offset 0: `{}` has a character that is not a hexadecimal digit"),
        ("hex", "'0g'", "offset 2: `{}` has a character that is not a hexadecimal digit"),
        ("hex", "abc", "offset 2: `{}` has an odd number of hexadecimal digits"),
        ("base64", "aGk§", "offset 3: `{}` has a character that is not Base64"),
        ("base64", "aGl=", "offset 2: `{}` has a last character whose unused bits are set"),
        (
            "base64",
            "+_",
            "offset 1: `{}` has characters of both the standard and the URL-safe alphabet",
        ),
    ] {
        let text = json!({"text": value, "input_encoding": encoding, "key": "k"});
        let key = json!({"text": "", "key": value, "key_encoding": encoding});
        for (field, input) in [("text", text), ("key", key)] {
            let refused = call("hash-generator", &input).unwrap_err();
            assert!(refused.starts_with(&refusal.replace("{}", field)), "{refused}");
            assert!(!refused.contains(value), "{refused}");
        }
    }
}

proptest! {
    #[test]
    fn a_key_longer_than_a_block_counts_as_its_digest(key in prop::collection::vec(any::<u8>(), 65..200)) {
        // RFC 2104 §2
        for algorithm in [Algorithm::Md5, Algorithm::Sha1, Algorithm::Sha256] {
            let short = digest(algorithm, &key);
            let (long, short) = (hmac(algorithm, &key, b"x"), hmac(algorithm, short.as_bytes(), b"x"));
            prop_assert_eq!(long.as_bytes(), short.as_bytes());
        }
    }
}
