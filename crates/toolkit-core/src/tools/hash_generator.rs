//! `hash-generator`, `hash_text`: digests and HMACs.
//!
//! Standard: RFC 1321, FIPS 180-4, RFC 2104; see [`crate::digest`]. Neither the text nor the key is
//! ever repeated.

use std::borrow::Cow;

use data_encoding::{BASE64, BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};

use crate::base64;
use crate::choice::choice;
use crate::context::Context;
use crate::digest::{self, Algorithm};
use crate::error::{Position, ToolError};
use crate::input::input;
use crate::tool::{Answer, Example, Mcp, Spec, Tool};
use crate::warnings::{WarningKind, Warnings};

/// What a webhook's secret begins with, before its Base64 (Standard Webhooks).
const SECRET_PREFIX: &str = "whsec_";

/// Computes digests and HMACs.
#[derive(Debug)]
pub struct HashGenerator;

choice! {
    /// Encoding of a digest.
    pub enum Encoding {
        /// Lower-case hexadecimal.
        Hex = "hex",
        /// Base64 with padding.
        Base64 = "base64",
        /// URL-safe Base64 without padding.
        Base64url = "base64url",
    }
}

choice! {
    /// Encoding of an input.
    pub enum TextEncoding {
        /// UTF-8 text.
        Utf8 = "utf8",
        /// Hexadecimal.
        Hex = "hex",
        /// Base64, in either alphabet.
        Base64 = "base64",
    }
}

input! {
    /// Inputs of `hash-generator`.
    pub struct Input<'a> {
        /// The text to hash.
        text: Cow<'a, str> as text,
        /// The digest algorithm: `sha256`, `sha384` or `sha512`; `md5` and `sha1` are broken, not
        /// for security. Case, `-` and `_` do not matter.
        algorithm: Algorithm = Algorithm::Sha256,
        /// A secret key: with it an HMAC is computed; an empty key is a key too.
        key: Option<Cow<'a, str>> as secret,
        /// How the digest is written: `hex` in lower case, `base64` with padding or `base64url`
        /// without; default `hex`.
        encoding: Encoding = Encoding::Hex,
        /// Encoding of `text`: `utf8` hashes its UTF-8 bytes, `hex` and `base64` the decoded bytes;
        /// default `utf8`.
        input_encoding: TextEncoding = TextEncoding::Utf8,
        /// Encoding of `key`, likewise; default `utf8`.
        key_encoding: Option<TextEncoding>,
    }
}

impl Tool for HashGenerator {
    const SPEC: Spec = Spec {
        slug: Some("hash-generator"),
        mcp: Some(Mcp {
            name: "hash_text",
            title: "Hash or HMAC of a text",
            description: "Compute the MD5, SHA-1, SHA-256, SHA-384 or SHA-512 digest of a text or, \
                with `key`, its HMAC. Use it whenever a digest is wanted: it cannot be computed by \
                reasoning. Not for storing passwords; not for encoding: that is for \
                base64_transform. Example: {\"text\": \"abc\", \"algorithm\": \
                \"sha256\"} gives \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\".",
            inputs: &["text", "algorithm", "key?", "encoding?"],
            idempotent: true,
        }),
        summary: "Computes MD5, SHA-1 and SHA-2 digests, or an HMAC when a key is given.",
        kinds: &[
            "md5",
            "sha1",
            "sha256",
            "sha384",
            "sha512",
            "hmac-md5",
            "hmac-sha1",
            "hmac-sha256",
            "hmac-sha384",
            "hmac-sha512",
        ],
        quick_bytes_max: 256 << 10,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = String;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<String>, ToolError> {
        let algorithm = input.algorithm;
        let message = bytes("text", &input.text, input.input_encoding, &mut ctx.warnings)?;
        let (kind, digest) = match &input.key {
            Some(key) => {
                ask_encoding(key, input.key_encoding, &mut ctx.warnings);
                let encoding = input.key_encoding.unwrap_or(TextEncoding::Utf8);
                let key = bytes("key", key, encoding, &mut ctx.warnings)?;
                (keyed(algorithm), digest::hmac(algorithm, &key, &message))
            }
            None => (algorithm.word(), digest::digest(algorithm, &message)),
        };
        if input.key.as_deref() == Some("") {
            ctx.warn(
                "The key is empty, so this is an HMAC with an empty key; leave `key` out for the \
                 plain digest.",
            );
        }
        if algorithm.is_broken() {
            ctx.warn(warning(algorithm, input.key.is_some()));
        }
        let written = match input.encoding {
            Encoding::Hex => HEXLOWER,
            Encoding::Base64 => BASE64,
            Encoding::Base64url => BASE64URL_NOPAD,
        };
        Ok(Answer::new(kind, written.encode(digest.as_bytes())))
    }
}

fn keyed(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Md5 => "hmac-md5",
        Algorithm::Sha1 => "hmac-sha1",
        Algorithm::Sha256 => "hmac-sha256",
        Algorithm::Sha384 => "hmac-sha384",
        Algorithm::Sha512 => "hmac-sha512",
    }
}

fn warning(algorithm: Algorithm, is_keyed: bool) -> String {
    let name = algorithm.word();
    if is_keyed {
        return format!(
            "HMAC with {name} is outdated (RFC 6151, RFC 6194); use sha256 for new uses."
        );
    }
    format!("{name} is broken: two texts with one digest can be made. Use sha256 for security.")
}

/// Asks whether a key that looks encoded is, unless its encoding is given: with the text of the key
/// in place of its bytes the HMAC is another one.
fn ask_encoding(key: &str, encoding: Option<TextEncoding>, warnings: &mut Warnings) {
    const BASE64_MIN: usize = 24;
    const HEX_MIN: usize = 32;
    let is_hex = key.len() >= HEX_MIN
        && key.len().is_multiple_of(2)
        && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_base64 = key.len() >= BASE64_MIN
        && key.len().is_multiple_of(4)
        && key.ends_with('=')
        && base64::decode_exact(key).is_ok();
    let named = match encoding {
        None if is_hex => "hex",
        None if is_base64 || key.starts_with(SECRET_PREFIX) => "base64",
        _ => return,
    };
    warnings.add(
        WarningKind::Assumed,
        format!(
            "The key was taken as text; is it {named}? Then send `key_encoding` `{named}` too."
        ),
    );
}

fn bytes<'a>(
    field: &'static str,
    text: &'a str,
    encoding: TextEncoding,
    warnings: &mut Warnings,
) -> Result<Cow<'a, [u8]>, ToolError> {
    let decoded = match encoding {
        TextEncoding::Utf8 => return Ok(text.as_bytes().into()),
        TextEncoding::Hex => hex(field, text, warnings),
        TextEncoding::Base64 => base64_of(field, text, warnings),
    };
    decoded.map(Cow::Owned).map_err(|refusal| refusal.in_field(field))
}

fn took_off(what: &str, field: &str, warnings: &mut Warnings) {
    let sentence = format!("{what} in `{field}` were left out.");
    warnings.add(WarningKind::Dropped, sentence);
}

/// Decodes Base64; the prefix of a webhook's secret, a PEM block's lines, quotes and white space are
/// taken off.
fn base64_of(field: &str, text: &str, warnings: &mut Warnings) -> Result<Vec<u8>, ToolError> {
    let mut data = text;
    if let Some(secret) = text.strip_prefix(SECRET_PREFIX) {
        let sentence = format!("`{SECRET_PREFIX}` in front of `{field}` was left out.");
        warnings.add(WarningKind::Dropped, sentence);
        data = secret;
    }
    let bare = base64::taken_off(data, warnings)?;
    let has_space = bare.bytes().any(|byte| byte.is_ascii_whitespace());
    if !has_space {
        return base64::decode_exact(bare);
    }
    let packed: String = bare.split_ascii_whitespace().collect();
    let decoded = base64::decode_exact(&packed).or_else(|_| base64::decode_exact(bare))?;
    took_off("Spaces", field, warnings);
    Ok(decoded)
}

/// Parses hexadecimal digits of either case, exactly two per byte; what dumps write between the bytes
/// and in front of them is left out.
fn hex(field: &str, text: &str, warnings: &mut Warnings) -> Result<Vec<u8>, ToolError> {
    let is_around = |byte: u8| byte.is_ascii_whitespace() || b":\"'".contains(&byte);
    let start = text.find(|c: char| !u8::try_from(c).is_ok_and(is_around)).unwrap_or(0);
    let has_prefix =
        text.get(start..).is_some_and(|text| text.starts_with("0x") || text.starts_with("0X"));
    let first = if has_prefix { start + 2 } else { 0 };
    let places = text.bytes().enumerate().skip(first);
    let (places, digits): (Vec<_>, Vec<_>) = places.filter(|(_, byte)| !is_around(*byte)).unzip();
    let decoded = HEXLOWER_PERMISSIVE.decode(&digits).map_err(|_| {
        let position = digits.iter().position(|byte| !byte.is_ascii_hexdigit());
        let place = |index: usize| places.get(index).copied().unwrap_or_default();
        match position {
            Some(index) => ToolError::new("has a character that is not a hexadecimal digit")
                .at(Position::offset(text, place(index)))
                .with_hint("use 0-9 and a-f alone"),
            None => ToolError::new("has an odd number of hexadecimal digits")
                .at(Position::offset(text, place(digits.len().saturating_sub(1))))
                .with_hint("each byte takes two"),
        }
    })?;
    if digits.len() < text.len() {
        took_off("Spaces, colons, quotes or `0x`", field, warnings);
    }
    Ok(decoded)
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "SHA-256 of a text",
        input: r#"{"text": "abc", "algorithm": "sha256"}"#,
        answer: r#"{
            "result": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "type": "sha256"
        }"#,
    },
    Example {
        title: "HMAC with a key, in Base64",
        input: r#"{"text": "what do ya want for nothing?", "algorithm": "sha256", "key": "Jefe",
            "encoding": "base64"}"#,
        answer: r#"{
            "result": "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=",
            "type": "hmac-sha256"
        }"#,
    },
    Example {
        title: "MD5 (broken) of bytes given as hexadecimal digits",
        input: r#"{"text": "616263", "input_encoding": "hex", "algorithm": "md5"}"#,
        answer: r#"{
            "result": "900150983cd24fb0d6963f7d28e17f72",
            "type": "md5",
            "warnings": [
                "md5 is broken: two texts with one digest can be made. Use sha256 for security."
            ]
        }"#,
    },
];
