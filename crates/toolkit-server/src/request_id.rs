//! Request id: on the response, and in every log line of the request.
//!
//! Standard: the common `X-Request-Id` header; RFC 9562, section 5.7 (UUID version 7) for generated
//! ones.

use std::fmt;

use actix_web::http::header::{HeaderName, HeaderValue};
use uuid::Uuid;

/// The header with the id, in both directions.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const LENGTH_MAX: usize = 64;

/// A request id: 1 to 64 characters of `A-Za-z0-9._-`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RequestId {
    // Stored inline, so that an id costs no allocation.
    text: [u8; LENGTH_MAX],
    length: usize,
}

impl RequestId {
    /// Generates an id that sorts after earlier ones.
    pub fn make() -> Self {
        let mut text = [0; LENGTH_MAX];
        let length = Uuid::now_v7().as_hyphenated().encode_lower(&mut text).len();
        Self { text, length }
    }

    /// Accepts the caller's id, if it is valid.
    pub fn take(given: &HeaderValue) -> Option<Self> {
        let given = given.as_bytes();
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        if given.is_empty() || !given.iter().all(plain) {
            return None;
        }
        let mut text = [0; LENGTH_MAX];
        text.get_mut(..given.len())?.copy_from_slice(given);
        Some(Self {
            text,
            length: given.len(),
        })
    }

    /// The id as text.
    #[expect(
        clippy::missing_panics_doc,
        reason = "an id is checked when it is made"
    )]
    pub fn as_str(&self) -> &str {
        let text = self.text.get(..self.length);
        text.and_then(|text| std::str::from_utf8(text).ok())
            .expect("an id is at most 64 ASCII characters")
    }

    /// The id as the value of a header.
    #[expect(
        clippy::missing_panics_doc,
        reason = "an id is checked when it is made"
    )]
    pub fn to_header(&self) -> HeaderValue {
        HeaderValue::from_str(self.as_str())
            .expect("all characters of an id are allowed in a header")
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_of_64_plain_characters_is_accepted_and_one_of_65_is_not() {
        let longest = "a".repeat(64);
        for text in ["x", "0192e4c8-7a9d", "A.b_c-9", &longest] {
            let id = RequestId::take(&HeaderValue::from_str(text).unwrap()).unwrap();
            assert_eq!(id.as_str(), text);
        }
        let too_long = "a".repeat(65);
        for text in ["", " ", "a b", "a/b", "a\tb", "a%0a", "ü", &too_long] {
            assert_eq!(
                RequestId::take(&HeaderValue::from_bytes(text.as_bytes()).unwrap()),
                None
            );
        }
    }

    #[test]
    fn a_generated_id_is_a_uuid_of_version_7() {
        let uuid: Uuid = RequestId::make().as_str().parse().unwrap();
        assert_eq!(uuid.get_version_num(), 7);
        assert_ne!(RequestId::make(), RequestId::make());
    }
}
