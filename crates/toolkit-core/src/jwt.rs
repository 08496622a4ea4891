//! JSON Web Tokens (RFC 7519) in the compact serialization (RFC 7515 §7.1, RFC 7516 §7.1): decodes
//! them without verifying them.
//!
//! Signatures are not verified and nothing is decrypted. Header and payload are returned with their
//! original JSON, digit for digit. A payload that is not a JSON object is refused as RFC 7519 §7.2
//! requires, although a JWS may carry any bytes. A detached payload (RFC 7515 appendix F) and an
//! unencoded one (RFC 7797) are accepted. The JSON serializations, which can have several
//! signatures, are left out.

mod dates;
mod object;
mod segment;

use serde_json::value::RawValue;

pub use self::dates::{NumericDate, Status, Validity};
use self::object::Object;
use self::segment::{Segment, Segments};
use crate::error::ToolError;
use crate::warnings::{WarningKind, Warnings};

/// Protection of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "tools", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum TokenType {
    /// A signature or a message authentication code (RFC 7515).
    Jws,
    /// No protection: `alg` is `none` (RFC 7519 §6).
    Unsecured,
    /// Encryption (RFC 7516).
    Jwe,
}

/// Decoded token.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Token {
    /// The header, a JSON object as written in the token.
    pub header: Box<RawValue>,
    /// The header's `alg`.
    pub algorithm: Option<String>,
    /// Protection of the token.
    pub token_type: TokenType,
    /// The payload, unless it is detached or encrypted.
    pub payload: Option<Payload>,
    /// The third part as written, unless the token is encrypted.
    pub signature: Option<String>,
}

/// Decoded payload.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Payload {
    /// The claims, a JSON object as written in the token.
    pub claims: Box<RawValue>,
    /// `iat`: when the token was issued.
    pub issued_at: NumericDate,
    /// `nbf`: the token must not be accepted before this time.
    pub not_before: NumericDate,
    /// `exp`: the token must not be accepted from this time on.
    pub expires_at: NumericDate,
}

impl Token {
    /// Decodes a token, including one surrounded by `Authorization:`, `Bearer`, white space or, with a
    /// warning, by quotes or other text.
    ///
    /// ```
    /// use toolkit_core::{Warnings, jwt::Token};
    ///
    /// let token = "Bearer eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2ln";
    /// let token = Token::decode(token, &mut Warnings::new())?;
    /// assert_eq!(token.header.get(), r#"{"alg":"HS256"}"#);
    /// assert_eq!(token.signature.as_deref(), Some("c2ln"));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Names the invalid segment, and says why.
    pub fn decode(text: &str, warnings: &mut Warnings) -> Result<Self, ToolError> {
        if let Some(token) = segment::unbroken(text) {
            warnings.add(WarningKind::Dropped, "The line breaks inside the token were left out.");
            return Self::decode(&token, warnings);
        }
        match segment::split(text, warnings)? {
            Segments::Signed([header, payload, signature]) => {
                let header = Header::read(&header, warnings)?;
                Self::signed(header, &payload, &signature, warnings)
            }
            Segments::Encrypted([header, key, vector, ciphertext, tag]) => {
                let header = Header::read(&header, warnings)?;
                if !header.is_encrypted && ciphertext.text.is_empty() && tag.text.is_empty() {
                    warnings.push("The signature is cut off: full stops stand in its place.");
                    let [payload, signature] = [key.named("payload"), vector.named("signature")];
                    return Self::signed(header, &payload, &signature, warnings);
                }
                if !header.is_encrypted {
                    return Err(ToolError::new("has 5 parts, but its header has no `enc`")
                        .with_hint("send one token per call"));
                }
                Self::encrypted(header, &[key, vector, ciphertext, tag], warnings)
            }
        }
    }

    fn signed(
        header: Header,
        payload: &Segment<'_>,
        signature: &Segment<'_>,
        warnings: &mut Warnings,
    ) -> Result<Self, ToolError> {
        let payload = Payload::read(payload, &header, warnings)?;
        signature.check(warnings)?;
        let is_unsecured = header.is_unsecured();
        if is_unsecured {
            warnings.push("`alg` is `none`: nothing protects the token, anybody can have made it.");
        }
        if is_unsecured != signature.text.is_empty() {
            warnings.push(if is_unsecured {
                "The token has a signature, though `alg` is `none`."
            } else {
                "The signature is empty."
            });
        }
        Ok(Self {
            header: header.json,
            algorithm: header.algorithm,
            token_type: if is_unsecured { TokenType::Unsecured } else { TokenType::Jws },
            payload,
            signature: Some(signature.text.to_owned()),
        })
    }

    fn encrypted(
        header: Header,
        parts: &[Segment<'_>],
        warnings: &mut Warnings,
    ) -> Result<Self, ToolError> {
        for part in parts {
            part.check(warnings)?;
        }
        warnings.push("The token is encrypted (JWE): its payload cannot be shown without the key.");
        Ok(Self {
            header: header.json,
            algorithm: header.algorithm,
            token_type: TokenType::Jwe,
            payload: None,
            signature: None,
        })
    }

    /// Evaluates the dates of the token at a given time.
    ///
    /// ```
    /// use time::OffsetDateTime;
    /// use toolkit_core::{Warnings, jwt::Token};
    ///
    /// let token = Token::decode("eyJhbGciOiJub25lIn0.eyJleHAiOjF9.", &mut Warnings::new())?;
    /// let validity = token.validity(OffsetDateTime::UNIX_EPOCH);
    /// assert_eq!(validity.expired, Some(false));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn validity(&self, now: time::OffsetDateTime) -> Validity {
        self.payload.as_ref().map_or(Validity::UNKNOWN, |payload| {
            let dates = [payload.expires_at, payload.not_before, payload.issued_at];
            Validity::of(dates, now)
        })
    }
}

/// A header, and the members that matter for the rest.
struct Header {
    json: Box<RawValue>,
    algorithm: Option<String>,
    /// There is an `enc` (RFC 7516 §4.1.2).
    is_encrypted: bool,
    /// `b64` is `false`: the payload is in the token unencoded (RFC 7797).
    is_payload_plain: bool,
    /// `cty` is `JWT`: the payload is another token (RFC 7519 §5.2).
    is_payload_token: bool,
}

impl Header {
    fn read(segment: &Segment<'_>, warnings: &mut Warnings) -> Result<Self, ToolError> {
        let text = segment.decode(warnings)?;
        let members = Object::read(&text, segment.name, warnings)?;
        let algorithm = members.text("alg");
        if algorithm.is_none() {
            warnings.push(match members.get("alg") {
                Some(_) => "The `alg` of the header is not a string.",
                None => "The header has no `alg`, which every token must have.",
            });
        }
        Ok(Self {
            algorithm,
            is_encrypted: members.get("enc").is_some(),
            is_payload_plain: members.get("b64") == Some("false"),
            is_payload_token: members
                .text("cty")
                .is_some_and(|content_type| content_type.eq_ignore_ascii_case("JWT")),
            json: object::raw(text),
        })
    }

    /// Some libraries ignore the case of `none`, which attackers exploit.
    fn is_unsecured(&self) -> bool {
        let algorithm = self.algorithm.as_deref();
        algorithm.is_some_and(|algorithm| algorithm.eq_ignore_ascii_case("none"))
    }
}

impl Payload {
    fn read(
        segment: &Segment<'_>,
        header: &Header,
        warnings: &mut Warnings,
    ) -> Result<Option<Self>, ToolError> {
        if segment.text.is_empty() {
            warnings.push("The payload is detached: it is not in the token.");
            return Ok(None);
        }
        let text = if header.is_payload_plain {
            warnings.push(
                "The payload is not encoded (`b64` is false), which RFC 7797 forbids for a JWT.",
            );
            segment.text.to_owned()
        } else {
            segment.decode(warnings)?
        };
        let claims = Object::read(&text, segment.name, warnings).map_err(|refusal| {
            if header.is_payload_token {
                return refusal.with_hint(
                    "the payload is a nested token: decode it from Base64, then as a token",
                );
            }
            refusal
        })?;
        Ok(Some(Self {
            issued_at: NumericDate::read("iat", &claims, warnings),
            not_before: NumericDate::read("nbf", &claims, warnings),
            expires_at: NumericDate::read("exp", &claims, warnings),
            claims: object::raw(text),
        }))
    }
}
