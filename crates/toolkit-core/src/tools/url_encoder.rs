//! `url-encoder`: percent-encoding and decoding.
//!
//! Standard: RFC 3986 §2, and the form encoding of the WHATWG URL standard; see [`crate::percent`].

use std::borrow::Cow;

use crate::choice::choice;
use crate::context::Context;
use crate::error::ToolError;
use crate::input::input;
use crate::percent::{self, Scope};
use crate::tool::{Answer, Example, Spec, Text, Tool};

/// Encodes and decodes URL escapes.
#[derive(Debug)]
pub struct UrlEncoder;

choice! {
    /// Direction.
    pub enum Mode {
        /// Text to escapes.
        Encode = "encode",
        /// Escapes to text.
        Decode = "decode",
    }
}

input! {
    /// Inputs of `url-encoder`.
    pub struct Input<'a> {
        /// The text to encode or to decode.
        text: Cow<'a, str> as text,
        /// `encode` escapes text, `decode` reverses that; default `encode`.
        mode: Mode = Mode::Encode,
        /// What the text is: `component` for a piece of a URL such as a query value, of which only
        /// letters, digits and `-._~` stay as they are; `uri` for a whole URL, where `/`, `?`, `&`
        /// and the other reserved characters stay too; `form` for a name or value of an HTML form,
        /// where a space is `+`. Default `component`.
        scope: Scope = Scope::Component,
    }
}

impl Tool for UrlEncoder {
    const SPEC: Spec = Spec {
        slug: Some("url-encoder"),
        mcp: None,
        summary: "Percent-encodes and decodes URL components, whole URLs and form data.",
        kinds: &["url-encoded", "text"],
        quick_bytes_max: 256 << 10,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Text;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Text>, ToolError> {
        let (kind, text) = match input.mode {
            Mode::Encode => {
                let escape =
                    percent::first_escape(&input.text).filter(|_| input.scope == Scope::Uri);
                if let Some(escape) = escape {
                    ctx.warn(format!(
                        "`{escape}` was encoded again, as `%25{}`; decode the URL first if it is \
                         encoded already.",
                        escape.trim_start_matches('%')
                    ));
                }
                ("url-encoded", percent::encode(&input.text, input.scope))
            }
            Mode::Decode => {
                let text = percent::decode(&input.text, input.scope, &mut ctx.warnings);
                ("text", text.map_err(|refusal| refusal.in_field("text"))?)
            }
        };
        Ok(Answer::new(kind, Text::Plain(text)))
    }
}

const EXAMPLES: &[Example] = &[
    Example { title: "Encode a query value", input: r#"{"text": "Tom & Jerry/ü"}"# },
    Example {
        title: "Encode a whole URL",
        input: r#"{"text": "https://example.com/a b?q=ü", "scope": "uri"}"#,
    },
    Example {
        title: "Decode a form value",
        input: r#"{"text": "1+%2B+1", "mode": "decode", "scope": "form"}"#,
    },
];
