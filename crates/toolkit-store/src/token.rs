//! Link tokens: the secrets in mail links.

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

/// 256 random bits as 43 characters of URL-safe Base64 (RFC 4648 section 5), stored only as a
/// SHA-256, or a derived token. Never appears in debug output.
#[derive(Clone, derive_more::Debug)]
#[debug("Token(…)")]
pub struct Token(String);

impl Token {
    /// The token, for use in a link.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub(crate) fn of(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn generate() -> Self {
        Self(BASE64URL_NOPAD.encode(&rand::random::<[u8; 32]>()))
    }

    pub(crate) fn digest(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }
}

/// Returns the digest under which a token is stored. `None` if the text cannot be a token, which
/// saves a query.
pub(crate) fn digest_of(text: &str) -> Option<[u8; 32]> {
    let is_token = BASE64URL_NOPAD.decode(text.as_bytes()).is_ok_and(|bytes| bytes.len() == 32);
    is_token.then(|| Sha256::digest(text).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_43_characters_that_need_no_escape_in_a_link() {
        let token = Token::generate();
        assert_eq!(token.expose().len(), 43);
        assert!(token.expose().bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)));
        assert_eq!(digest_of(token.expose()), Some(token.digest()));
        assert_ne!(token.expose(), Token::generate().expose());
        assert_eq!(format!("{token:?}"), "Token(…)");
    }

    #[test]
    fn an_invalid_token_has_no_digest() {
        let token = Token::generate();
        let shorter: String = token.expose().chars().skip(1).collect();
        for text in [
            "",
            "x",
            &shorter,
            &format!("{}A", token.expose()),
            &format!("{shorter}="),
            &format!("{shorter}ä"),
        ] {
            assert_eq!(digest_of(text), None, "{text}");
        }
        // The last character has two bits that must be zero. Otherwise one token would have four
        // spellings.
        assert_eq!(digest_of(&format!("{}B", "A".repeat(42))), None);
    }
}
