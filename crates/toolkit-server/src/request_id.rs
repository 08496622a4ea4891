//! Request ID: on the response and in every log line of the request.
//!
//! Standard: the de facto `X-Request-Id` header; RFC 9562, section 5.7 (UUID version 7) for
//! generated IDs.

use actix_web::http::header::{HeaderName, HeaderValue};
use uuid::Uuid;

/// The header that carries the ID, in both directions.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const LENGTH_MAX: usize = 64;

/// A request ID: 1 to 64 characters of `A-Za-z0-9._-`.
#[derive(Clone, PartialEq, Eq, derive_more::Debug, derive_more::Display)]
#[display("{}", self.as_str())]
#[debug("{}", self.as_str())]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// Generates an ID that sorts after earlier ones.
    #[expect(clippy::missing_panics_doc, reason = "a UUID is ASCII")]
    pub fn make() -> Self {
        let id = HeaderValue::try_from(Uuid::now_v7().to_string());
        Self(id.expect("a UUID may be in a header"))
    }

    /// Accepts the caller's ID if it is valid.
    pub fn take(given: &HeaderValue) -> Option<Self> {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
        let fits = (1..=LENGTH_MAX).contains(&given.len()) && given.as_bytes().iter().all(plain);
        fits.then(|| Self(given.clone()))
    }

    /// The ID as text.
    #[expect(clippy::missing_panics_doc, reason = "an id is checked when it is made")]
    pub fn as_str(&self) -> &str {
        self.0.to_str().expect("an id is ASCII")
    }

    /// The ID as a header value.
    pub fn to_header(&self) -> HeaderValue {
        self.0.clone()
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
            assert_eq!(RequestId::take(&HeaderValue::from_bytes(text.as_bytes()).unwrap()), None);
        }
    }

    #[test]
    fn a_generated_id_is_a_uuid_of_version_7() {
        let uuid: Uuid = RequestId::make().as_str().parse().unwrap();
        assert_eq!(uuid.get_version_num(), 7);
        assert_ne!(RequestId::make(), RequestId::make());
    }
}
