//! `hash-generator`, `hash_text`: digests and HMACs.
//!
//! Standard: RFC 1321, FIPS 180-4, RFC 2104. See [`crate::digest`]. Neither text nor key is
//! repeated in the answer.

use std::borrow::Cow;

use data_encoding::{BASE64, BASE64URL_NOPAD, HEXLOWER, HEXLOWER_PERMISSIVE};
use serde_json::{Map, Value as Json};

use crate::around;
use crate::base64;
use crate::choice::choice;
use crate::context::Context;
use crate::digest::{self, Algorithm};
use crate::error::{ErrorKind, Position, ToolError};
use crate::input::{Scalar, Value, input};
use crate::tool::{Answer, Example, Mcp, Spec, Tool};
use crate::warnings::{WarningKind, Warnings};

/// Prefix of a webhook secret, before its Base64 (Standard Webhooks).
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

/// A digest algorithm, by its own name or that of its HMAC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    algorithm: Algorithm,
    /// The name is that of the HMAC: `hmac-sha256`, `HS256`.
    is_keyed: bool,
}

impl From<Algorithm> for Named {
    fn from(algorithm: Algorithm) -> Self {
        Self { algorithm, is_keyed: false }
    }
}

impl<'de> Value<'de> for Named {
    fn schema() -> Map<String, Json> {
        Algorithm::schema()
    }

    fn from_scalar(scalar: Scalar<'de>) -> Result<Self, ToolError> {
        let keyed = match &scalar {
            Scalar::Text(word) => keyed_name(&word.to_ascii_lowercase()),
            _ => None,
        };
        match keyed {
            Some(algorithm) => Ok(Self { algorithm, is_keyed: true }),
            None => Algorithm::from_scalar(scalar).map(Self::from),
        }
    }

    fn to_json(&self) -> Json {
        self.algorithm.to_json()
    }
}

/// The algorithm of an HMAC, by its name in lower case.
fn keyed_name(word: &str) -> Option<Algorithm> {
    match word.strip_prefix("hmac") {
        Some(name) => Algorithm::from_word(name),
        None => Algorithm::from_word(&format!("sha{}", word.strip_prefix("hs")?)),
    }
}

input! {
    /// Inputs of `hash-generator`.
    pub struct Input<'a> {
        /// The text to hash.
        text: Cow<'a, str> as text,
        /// The digest algorithm: `sha256`, `sha384` or `sha512`; `md5` and `sha1` are broken, not
        /// for security. Case, `-` and `_` do not matter.
        algorithm: Named = Named::from(Algorithm::Sha256),
        /// A secret key, for an HMAC: `hex:`, `base64:` or `whsec_` in front says how the rest is
        /// read. Over MCP an empty key counts as none.
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
        let Named { algorithm, is_keyed } = input.algorithm;
        if is_keyed && input.key.is_none() {
            let refusal = ToolError::new("is required for an HMAC").of(ErrorKind::Input);
            return Err(refusal.in_field("key"));
        }
        let message = bytes("text", &input.text, input.input_encoding, &mut ctx.warnings)?;
        let (kind, digest) = match &input.key {
            Some(key) => {
                let key = match input.key_encoding {
                    Some(encoding) => bytes("key", key, encoding, &mut ctx.warnings)?,
                    None => read_key(key, &mut ctx.warnings),
                };
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

/// Reads a key that may begin with its encoding, and says how it was read, since the HMAC differs
/// if the key's text is used instead of its bytes.
fn read_key<'a>(key: &'a str, warnings: &mut Warnings) -> Cow<'a, [u8]> {
    let prefixes = [
        ("hex:", TextEncoding::Hex),
        ("base64:", TextEncoding::Base64),
        (SECRET_PREFIX, TextEncoding::Base64),
    ];
    let bare = key.trim_matches(|c: char| c.is_whitespace() || around::QUOTES.contains(&c));
    for (prefix, encoding) in prefixes {
        let Some((start, rest)) = bare.split_at_checked(prefix.len()) else {
            continue;
        };
        if !start.eq_ignore_ascii_case(prefix) {
            continue;
        }
        let read = bytes("key", rest, encoding, warnings).ok().filter(|read| !read.is_empty());
        let how = if read.is_some() { "so the rest was read as" } else { "but the rest is not" };
        let text = if read.is_some() { "" } else { ": all of it was taken as text" };
        warnings.add(
            WarningKind::Assumed,
            format!("The key begins with `{prefix}`, {how} {}{text}.", encoding.word()),
        );
        return read.unwrap_or(key.as_bytes().into());
    }
    ask_encoding(bare, warnings);
    key.as_bytes().into()
}

/// Asks whether a key that looks encoded is, with what is around it and between its bytes.
fn ask_encoding(key: &str, warnings: &mut Warnings) {
    const BASE64_MIN: usize = 24;
    const HEX_BYTES_MIN: usize = 16;
    let mut unused = Warnings::new();
    let is_hex = hex("key", key, &mut unused).is_ok_and(|bytes| bytes.len() >= HEX_BYTES_MIN);
    let is_base64 = key.len() >= BASE64_MIN
        && key.ends_with('=')
        && base64_of("key", key, &mut unused).is_ok_and(|bytes| !bytes.is_empty());
    let named = match () {
        () if is_hex => "hex",
        () if is_base64 => "base64",
        () => return,
    };
    warnings.add(
        WarningKind::Assumed,
        format!("The key was taken as text. If it is {named}, put `{named}:` in front of it."),
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

/// Decodes Base64. Strips a webhook secret's prefix, a PEM block's lines, quotes and white space.
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

/// Parses hexadecimal digits of either case, exactly two per byte. Ignores what surrounds a value, and
/// what dumps write between and before the bytes.
fn hex(field: &str, whole: &str, warnings: &mut Warnings) -> Result<Vec<u8>, ToolError> {
    let text = around::bare(whole, "the hexadecimal digits", warnings);
    let offset = text.as_ptr().addr() - whole.as_ptr().addr();
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
                .at(Position::offset(whole, offset + place(index)))
                .with_hint("use 0-9 and a-f alone"),
            None => ToolError::new("has an odd number of hexadecimal digits")
                .at(Position::offset(whole, offset + place(digits.len().saturating_sub(1))))
                .with_hint("each byte takes two"),
        }
    })?;
    if digits.len() < text.len() {
        took_off("Spaces, colons, quotes or `0x`", field, warnings);
    }
    Ok(decoded)
}

const EXAMPLES: &[Example] = &[
    Example { title: "SHA-256 of a text", input: r#"{"text": "abc", "algorithm": "sha256"}"# },
    Example {
        title: "HMAC with a key, in Base64",
        input: r#"{"text": "what do ya want for nothing?", "algorithm": "sha256", "key": "Jefe",
            "encoding": "base64"}"#,
    },
    Example {
        title: "MD5 (broken) of bytes given as hexadecimal digits",
        input: r#"{"text": "616263", "input_encoding": "hex", "algorithm": "md5"}"#,
    },
];
