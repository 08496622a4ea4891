//! `base64-encoder`, `base64_transform`: Base64 both ways.
//!
//! Standard: RFC 4648 §4 and §5; what is tolerated when decoding is in [`crate::base64`].

use std::borrow::Cow;

use data_encoding::HEXLOWER;

use crate::base64::{self, Alphabet};
use crate::choice::choice;
use crate::context::Context;
use crate::error::ToolError;
use crate::input::input;
use crate::tool::{Answer, Example, Mcp, Spec, Tool};

/// Encodes and decodes Base64.
#[derive(Debug)]
pub struct Base64Encoder;

choice! {
    /// Which way to go.
    pub enum Mode {
        /// Text to Base64.
        Encode = "encode",
        /// Base64 to text.
        Decode = "decode",
    }
}

input! {
    /// What `base64-encoder` takes.
    pub struct Input<'a> {
        /// The text to encode, or the Base64 to decode. White space, missing padding and a `data:`
        /// URL around it are tolerated when decoding.
        text: Cow<'a, str> as text,
        /// `encode` to turn text into Base64, `decode` for the way back; default `encode`.
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
                URL-safe alphabet. Use it instead of working Base64 out yourself: the answer is \
                exact. Decoded bytes that are not UTF-8 text come back as lower-case hex with type \
                `hex`. Example: {\"text\": \"SGk\", \"mode\": \"decode\"} gives \"Hi\".",
            inputs: &["text", "mode", "url_safe?"],
            idempotent: true,
        }),
        summary: "Encodes and decodes Base64 in the standard or URL-safe alphabet.",
        kinds: &["base64", "base64url", "text", "hex"],
        quick_bytes_max: 512 << 10,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = String;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<String>, ToolError> {
        let alphabet = match input.url_safe {
            Some(true) => Some(Alphabet::Url),
            Some(false) => Some(Alphabet::Standard),
            None => None,
        };
        match input.mode {
            Mode::Encode => Ok(encoded(&input.text, alphabet.unwrap_or(Alphabet::Standard))),
            Mode::Decode => base64::decode(&input.text, alphabet, &mut ctx.warnings)
                .map(shown)
                .map_err(|refusal| refusal.field("text")),
        }
    }
}

fn encoded(text: &str, alphabet: Alphabet) -> Answer<String> {
    let kind = match alphabet {
        Alphabet::Standard => "base64",
        Alphabet::Url => "base64url",
    };
    Answer::new(kind, base64::encode(text.as_bytes(), alphabet))
}

/// Shows bytes as text or, where they are none, as hex: never mangled.
fn shown(bytes: Vec<u8>) -> Answer<String> {
    match String::from_utf8(bytes) {
        Ok(text) => Answer::new("text", text),
        Err(error) => Answer::new("hex", HEXLOWER.encode(error.as_bytes())),
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "encode text",
        input: r#"{"text": "Grüße"}"#,
        answer: r#"{"result": "R3LDvMOfZQ==", "type": "base64"}"#,
    },
    Example {
        title: "encode for a URL",
        input: r#"{"text": "a?>", "url_safe": true}"#,
        answer: r#"{"result": "YT8-", "type": "base64url"}"#,
    },
    Example {
        title: "decode either alphabet",
        input: r#"{"text": "YT8-", "mode": "decode"}"#,
        answer: r#"{"result": "a?>", "type": "text"}"#,
    },
    Example {
        title: "decode bytes that are no text",
        input: r#"{"text": "data:image/png;base64,iVBORw0KGgo", "mode": "decode"}"#,
        answer: r#"{"result": "89504e470d0a1a0a", "type": "hex", "warnings": [
            "The head of a data: URL was taken off.",
            "Missing padding (`=`) was added at the end of the Base64 text."
        ]}"#,
    },
];
