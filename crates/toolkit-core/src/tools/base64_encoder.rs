//! `base64-encoder`, `base64_transform`: Base64 encoding and decoding.
//!
//! Standard: RFC 4648 §4 and §5. [`crate::base64`] lists what decoding tolerates.

use std::borrow::Cow;

use data_encoding::HEXLOWER;

use crate::base64::{self, Alphabet};
use crate::choice::choice;
use crate::context::Context;
use crate::error::ToolError;
use crate::input::input;
use crate::tool::{Answer, Example, Mcp, Spec, Text, Tool};
use crate::warnings::Warnings;

/// Encodes and decodes Base64.
#[derive(Debug)]
pub struct Base64Encoder;

choice! {
    /// Direction.
    pub enum Mode {
        /// Text to Base64.
        Encode = "encode",
        /// Base64 to text.
        Decode = "decode",
    }
}

input! {
    /// Inputs of `base64-encoder`.
    pub struct Input<'a> {
        /// The text to encode, or the Base64 to decode. White space, missing padding and a `data:`
        /// URL around it are tolerated when decoding.
        text: Cow<'a, str> as text,
        /// `encode` turns text into Base64, `decode` turns Base64 into text.
        mode: Mode = Mode::Encode,
        /// Encoding: `true` for the URL-safe alphabet without padding, `false` (the default) for the
        /// standard one. Decoding: `true` or `false` accepts that alphabet alone; left out, either.
        url_safe: Option<bool>,
    }
}

impl Tool for Base64Encoder {
    const SPEC: Spec = Spec {
        slug: Some("base64-encoder"),
        mcp: Some(Mcp {
            name: "base64_transform",
            title: "Base64 encode or decode",
            description: "Encode text to Base64 or decode Base64 to text, in the standard or the \
                URL-safe alphabet. Use it instead of computing Base64 yourself: the result is \
                exact. Decoded bytes that are not UTF-8 text come back as lower-case hex with type \
                `hex`. Not for a token, parts with dots between them: that is for decode_jwt. \
                Example: {\"text\": \"SGk\", \"mode\": \"decode\"} gives \"Hi\".",
            inputs: &["text", "mode", "url_safe?"],
            idempotent: true,
        }),
        summary: "Encodes and decodes Base64 text in the standard or URL-safe alphabet.",
        kinds: &["base64", "base64url", "text", "hex"],
        quick_bytes_max: 512 << 10,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Text;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Text>, ToolError> {
        let (kind, text) = match input.mode {
            Mode::Encode => {
                let (kind, alphabet) = target(input.url_safe);
                (kind, base64::encode(input.text.as_bytes(), alphabet))
            }
            // Bytes that are not UTF-8 are shown as hex rather than mangled.
            Mode::Decode => {
                let bytes = decoded(&input, ctx)?;
                if let Some(text) = utf16(&bytes) {
                    ctx.warn("The bytes were read as UTF-16, as PowerShell writes it.");
                    return Ok(Answer::new("text", Text::Plain(text)));
                }
                match String::from_utf8(bytes) {
                    Ok(text) => ("text", text),
                    Err(error) => ("hex", HEXLOWER.encode(error.as_bytes())),
                }
            }
        };
        Ok(Answer::new(kind, Text::Plain(text)))
    }
}

/// The text of bytes that are UTF-16: with a byte order mark, or with every second byte zero and the
/// others printable, mostly ASCII.
fn utf16(bytes: &[u8]) -> Option<String> {
    // A mark alone is no text.
    let (pairs @ [_, _, ..], []) = bytes.as_chunks::<2>() else {
        return None;
    };
    let is_printed = |letter: u8| matches!(letter, b'\t' | b'\n' | b'\r' | b' '..=b'~' | 0xA0..);
    let is_half = |half: fn(&[u8; 2]) -> (u8, u8)| {
        let ascii = pairs.iter().filter(|pair| half(pair).0.is_ascii()).count();
        let is_text = pairs.iter().map(half).all(|(letter, zero)| zero == 0 && is_printed(letter));
        is_text && 2 * ascii > pairs.len()
    };
    let (is_little, pairs) = match pairs {
        [[0xFF, 0xFE], rest @ ..] => (true, rest),
        [[0xFE, 0xFF], rest @ ..] => (false, rest),
        _ if is_half(|&[letter, zero]| (letter, zero)) => (true, pairs),
        _ if is_half(|&[zero, letter]| (letter, zero)) => (false, pairs),
        _ => return None,
    };
    let units = pairs
        .iter()
        .map(|pair| if is_little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) });
    char::decode_utf16(units).collect::<Result<_, _>>().ok()
}

/// Type of the result, and alphabet, when encoding.
fn target(url_safe: Option<bool>) -> (&'static str, Alphabet) {
    if url_safe == Some(true) {
        ("base64url", Alphabet::Url)
    } else {
        ("base64", Alphabet::Standard)
    }
}

fn decoded(input: &Input<'_>, ctx: &mut Context) -> Result<Vec<u8>, ToolError> {
    let alphabet = input.url_safe.map(|url_safe| target(Some(url_safe)).1);
    base64::decode(&input.text, alphabet, &mut ctx.warnings).map_err(|refusal| {
        let is_readable = base64::decode(&input.text, None, &mut Warnings::new()).is_ok();
        let refusal = if is_readable {
            refusal.with_hint("leave `url_safe` out, which accepts either alphabet")
        } else {
            refusal
        };
        refusal.in_field("text")
    })
}

const EXAMPLES: &[Example] = &[
    Example { title: "Text to Base64", input: r#"{"text": "Grüße"}"# },
    Example {
        title: "Text to Base64 that is safe in a URL",
        input: r#"{"text": "a?>", "url_safe": true}"#,
    },
    Example {
        title: "Base64 of either alphabet to text",
        input: r#"{"text": "YT8-", "mode": "decode"}"#,
    },
    Example {
        title: "An image's data URL to hexadecimal digits",
        input: r#"{"text": "data:image/png;base64,iVBORw0KGgo", "mode": "decode"}"#,
    },
];
