//! API key format: `tk_`, or `pk_` for a public key, 43 random letters and digits, and a checksum
//! of 6.
//!
//! 43 of 62 characters carry 256 bits. The checksum (the first 32 bits of a SHA-256, in base 62) is
//! not secret. It tells a mistyped key from a wrong one, and finds keys in leaked text, without a
//! database query.

use rand::distr::{Alphanumeric, SampleString};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Prefixes of a server key and of a public site key.
const PREFIXES: [&str; 2] = ["tk_", "pk_"];
const RANDOM_CHARACTERS: usize = 43;
const CHECKSUM_CHARACTERS: usize = 6;
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The stored digest of a key.
pub(super) type Digest = [u8; 32];

/// A well-formed key, issued or not. Never appears in debug output.
#[derive(Clone, derive_more::Debug)]
#[debug("ApiKey(…)")]
pub struct ApiKey(String);

/// The text is not a key: its format or its checksum is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a key: a character is wrong or missing")]
pub struct MalformedKey;

impl ApiKey {
    /// Parses a key and verifies its checksum, but not whether it was issued.
    ///
    /// # Errors
    ///
    /// [`MalformedKey`], without a position.
    pub fn parse(text: &str) -> Result<Self, MalformedKey> {
        let of = |prefix: &&'static str| Some((*prefix, text.strip_prefix(*prefix)?));
        let (prefix, body) = PREFIXES.iter().find_map(of).ok_or(MalformedKey)?;
        if body.len() != RANDOM_CHARACTERS + CHECKSUM_CHARACTERS {
            return Err(MalformedKey);
        }
        let (random, sum) = body.split_at_checked(RANDOM_CHARACTERS).ok_or(MalformedKey)?;
        let is_right = random.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && bool::from(sum.as_bytes().ct_eq(checksum(prefix, random).as_bytes()));
        is_right.then(|| Self(text.to_owned())).ok_or(MalformedKey)
    }

    /// The key, to show to its owner once.
    pub fn expose(&self) -> &str {
        &self.0
    }

    pub(super) fn generate(is_public: bool) -> Self {
        let [secret, public] = PREFIXES;
        let prefix = if is_public { public } else { secret };
        let random = Alphanumeric.sample_string(&mut rand::rng(), RANDOM_CHARACTERS);
        Self(format!("{prefix}{random}{}", checksum(prefix, &random)))
    }

    pub(super) fn digest(&self) -> Digest {
        <Sha256 as sha2::Digest>::digest(&self.0).into()
    }
}

fn checksum(prefix: &str, random: &str) -> String {
    let digest: Digest = <Sha256 as sha2::Digest>::digest(format!("{prefix}{random}")).into();
    let mut number = digest.iter().take(4).fold(0_u32, |sum, &byte| sum << 8 | u32::from(byte));
    let mut digits = [b'0'; CHECKSUM_CHARACTERS];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET.get((number % 62) as usize).copied().unwrap_or(b'0');
        number /= 62;
    }
    digits.iter().map(|&digit| char::from(digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_the_published_form() {
        let key = ApiKey::generate(false);
        let body = key.expose().strip_prefix("tk_").unwrap();
        assert_eq!(body.len(), 43 + 6);
        assert!(body.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert!(ApiKey::parse(key.expose()).is_ok());
        assert_ne!(key.expose(), ApiKey::generate(false).expose());
        assert_eq!(format!("{key:?}"), "ApiKey(…)");
    }

    #[test]
    fn a_public_key_begins_with_pk_and_is_no_other_key() {
        let key = ApiKey::generate(true).expose().to_owned();
        assert!(key.starts_with("pk_") && ApiKey::parse(&key).is_ok());
        assert!(ApiKey::parse(&key.replacen("pk_", "tk_", 1)).is_err());
    }

    #[test]
    fn a_checksum_is_the_same_for_ever() {
        // Keys in use would stop working if this changed. The SHA-256 of the text, `tk_` included,
        // begins with c03f4d60.
        assert_eq!(checksum("tk_", &"a".repeat(43)), "3WHL84");
    }

    #[test]
    fn every_single_mistyped_character_is_detected() {
        let key = ApiKey::generate(false).expose().to_owned();
        for place in 0..key.len() {
            let mut typo = key.clone().into_bytes();
            typo[place] = if typo[place] == b'x' { b'y' } else { b'x' };
            assert_eq!(
                ApiKey::parse(str::from_utf8(&typo).unwrap()).err(),
                Some(MalformedKey),
                "{place}"
            );
        }
    }

    #[test]
    fn a_text_without_the_form_of_a_key_is_refused() {
        let key = ApiKey::generate(false).expose().to_owned();
        let body = key.strip_prefix("tk_").unwrap();
        for text in [
            "",
            "tk_",
            body,
            &format!("TK_{body}"),
            &format!("{key} "),
            &format!(" {key}"),
            &key.chars().take(51).collect::<String>(),
            &format!("tk_{}{}", "ä".repeat(21), "a".repeat(7)),
            &format!("tk_{}", "\0".repeat(49)),
            &"x".repeat(100_000),
        ] {
            assert!(ApiKey::parse(text).is_err(), "{text:?}");
        }
    }
}
