//! `jwt-decoder`, `decode_jwt`: header, payload and dates of a JSON Web Token.
//!
//! Standard: RFC 7519 over RFC 7515. See [`crate::jwt`]. The signature is not verified, since that
//! requires a key, and a secret key has no place in a request.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};

use crate::context::Context;
use crate::error::ToolError;
use crate::input::input;
use crate::jwt::{NumericDate, Status, Token, TokenType};
use crate::tool::{Answer, Example, Mcp, Spec, Tool};

/// Decodes JSON Web Tokens.
#[derive(Debug)]
pub struct JwtDecoder;

input! {
    /// Inputs of `jwt-decoder`.
    pub struct Input<'a> {
        /// The token in its compact form: three parts separated by full stops. `Authorization:`,
        /// `Bearer` and white space around it are removed, other text with a warning.
        token: Cow<'a, str> as secret,
    }
}

/// Contents of a token, and whether it is currently valid.
#[derive(Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Output {
    /// The header, as written in the token.
    #[schemars(with = "Map<String, Json>")]
    pub header: Box<RawValue>,
    /// The claims, as written in the token; null if they are detached or encrypted.
    #[schemars(with = "Option<Map<String, Json>>")]
    pub payload: Option<Box<RawValue>>,
    /// The third part as written; null if the token is encrypted.
    pub signature: Option<String>,
    /// The header's `alg`; null without one.
    pub algorithm: Option<String>,
    /// What protects the token: a signature (`jws`), nothing (`unsecured`) or encryption (`jwe`).
    pub token_type: TokenType,
    /// `active`, `expired` or `not_yet_valid` at the time of the call; `no_expiry` without `exp`;
    /// `unknown` if a date is invalid or the payload is missing.
    pub status: Status,
    /// Whether `exp` is now or has passed; null without an `exp` that can be read.
    pub expired: Option<bool>,
    /// `iat` as ISO 8601 in UTC, or null.
    pub issued_at: Option<String>,
    /// `nbf` as ISO 8601 in UTC, or null.
    pub not_before: Option<String>,
    /// `exp` as ISO 8601 in UTC, or null.
    pub expires_at: Option<String>,
    /// Whole seconds until `exp`, negative when it has passed; null without one.
    pub expires_in_seconds: Option<i64>,
    /// Always false: whoever trusts a token must verify its signature first.
    pub signature_verified: bool,
}

impl Tool for JwtDecoder {
    const SPEC: Spec = Spec {
        slug: Some("jwt-decoder"),
        mcp: Some(Mcp {
            name: "decode_jwt",
            title: "Decode a JSON Web Token",
            description: "Show the header and the claims of a JWT, with its dates in ISO 8601 and \
                whether it is active, expired or not yet valid. Use it to read a token instead of \
                decoding it yourself. The signature is NOT verified: the answer is no proof of \
                authenticity. Of an encrypted token (JWE) only the header is shown. Not for other \
                Base64: that is for base64_transform. \
                Example: {\"token\": \"eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.\"} gives the payload \
                {\"sub\": \"a\"}.",
            inputs: &["token"],
            idempotent: true,
        }),
        summary: "Decodes a JSON Web Token and reports its expiry without verifying the signature.",
        kinds: &["jwt"],
        quick_bytes_max: 64 << 10,
        examples: EXAMPLES,
    };
    type Input<'a> = Input<'a>;
    type Output = Output;

    fn run(input: Input<'_>, ctx: &mut Context) -> Result<Answer<Output>, ToolError> {
        let token = Token::decode(&input.token, &mut ctx.warnings)
            .map_err(|refusal| refusal.in_field("token"))?;
        let validity = token.validity(ctx.now());
        let date = |of: fn(&crate::jwt::Payload) -> NumericDate| {
            token.payload.as_ref().and_then(|payload| of(payload).iso())
        };
        let output = Output {
            issued_at: date(|payload| payload.issued_at),
            not_before: date(|payload| payload.not_before),
            expires_at: date(|payload| payload.expires_at),
            header: token.header,
            payload: token.payload.map(|payload| payload.claims),
            signature: token.signature,
            algorithm: token.algorithm,
            token_type: token.token_type,
            status: validity.status,
            expired: validity.expired,
            expires_in_seconds: validity.expires_in_seconds,
            signature_verified: false,
        };
        Ok(Answer::new("jwt", output))
    }
}

const EXAMPLES: &[Example] = &[
    Example {
        title: "The token of RFC 7519 §3.1",
        input: r#"{"token": "Bearer eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"}"#,
    },
    Example {
        title: "An unsecured token",
        input: r#"{"token": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."}"#,
    },
];
