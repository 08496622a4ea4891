//! ALTCHA: challenges for browsers, and their solutions.
//!
//! Standard: the ALTCHA proof of work, version 1 (<https://altcha.org/docs/v2/proof-of-work/>),
//! which version 3 of its widget solves too. A challenge is the SHA-256 of a salt and a number,
//! which the browser finds by trying. Its signature is an HMAC-SHA256, so nothing is stored before
//! it is solved. The salt ends with `&`. Otherwise a digit of the number could be passed off as a
//! later expiry.

use std::time::Duration;

use data_encoding::{BASE64, HEXLOWER};
use hmac::{Hmac, KeyInit, Mac};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use time::OffsetDateTime;

use crate::error::ApiError;

/// Maximum number in a quiet minute. A phone tries all in about a second.
const NUMBER_MAX: u32 = 50_000;

/// Solutions per minute that count as quiet.
const QUIET: u32 = 30;

/// Maximum factor by which the number grows, as far as the widget's makers go.
const FACTOR_MAX: u32 = 20;

/// Time for a person to fill in a form.
const LIFETIME: Duration = Duration::from_mins(30);

/// Maximum bytes of a solution. A usual one has about 400.
const SOLUTION_BYTES_MAX: usize = 2_048;

/// The name of the hash.
const ALGORITHM: &str = "SHA-256";

/// Signs challenges.
pub(crate) struct Altcha {
    key: [u8; 64],
}

/// A challenge.
#[expect(clippy::struct_field_names, reason = "the names of the protocol")]
#[derive(Serialize, JsonSchema)]
pub(crate) struct Challenge {
    /// Always `SHA-256`.
    #[schemars(extend("const" = "SHA-256"))]
    algorithm: &'static str,
    /// The SHA-256 of the salt with the number, in hexadecimal digits.
    challenge: String,
    /// Maximum of the number to find.
    maxnumber: u32,
    /// Random text, with the Unix time of expiry.
    salt: String,
    /// The signature of the challenge.
    signature: String,
}

/// A solution, as the widget sends it in Base64. It has further members.
#[derive(Deserialize)]
struct Solution {
    algorithm: String,
    challenge: String,
    number: u32,
    salt: String,
    signature: String,
}

/// Counts events in the last minute: this minute's, plus the remaining share of the one before.
#[derive(Default)]
pub(crate) struct Recent {
    minute: i64,
    count: u32,
    before: u32,
}

impl Recent {
    /// Counts one.
    pub(crate) fn add(&mut self, now: OffsetDateTime) {
        self.turn(now);
        self.count = self.count.saturating_add(1);
    }

    /// The number in the last minute.
    pub(crate) fn in_last_minute(&mut self, now: OffsetDateTime) -> u32 {
        self.turn(now);
        let left = u64::from(self.before) * u64::from(60 - now.second()) / 60;
        self.count.saturating_add(u32::try_from(left).unwrap_or(u32::MAX))
    }

    fn turn(&mut self, now: OffsetDateTime) {
        let minute = now.unix_timestamp().div_euclid(60);
        if minute != self.minute {
            self.before = if minute == self.minute + 1 { self.count } else { 0 };
            (self.minute, self.count) = (minute, 0);
        }
    }
}

impl Altcha {
    /// Signs with the SHA-256 of a secret of any length.
    pub(crate) fn new(secret: &[u8]) -> Self {
        let mut key = [0; 64];
        let digest = Sha256::digest(secret);
        key.iter_mut().zip(digest).for_each(|(byte, own)| *byte = own);
        Self { key }
    }

    /// Makes a challenge, given the number of solutions in the last minute.
    pub(crate) fn challenge(&self, now: OffsetDateTime, solved: u32) -> Challenge {
        let maxnumber = NUMBER_MAX * (solved / QUIET).clamp(1, FACTOR_MAX);
        let expires = (now + LIFETIME).unix_timestamp();
        let random = HEXLOWER.encode(&rand::random::<[u8; 12]>());
        let salt = format!("{random}?expires={expires}&");
        let challenge = digest(&salt, rand::random_range(0..=maxnumber));
        Challenge {
            algorithm: ALGORITHM,
            maxnumber,
            signature: HEXLOWER.encode(&self.sign(&challenge).finalize().into_bytes()),
            salt,
            challenge,
        }
    }

    /// Checks a solution and returns the challenge, which must not be accepted twice.
    ///
    /// # Errors
    ///
    /// When it is wrong or has expired.
    pub(crate) fn verify(&self, text: &str, now: OffsetDateTime) -> Result<String, ApiError> {
        let verified = self.verified(text, now);
        verified.ok_or(ApiError::TokenRefused("altcha"))
    }

    fn verified(&self, text: &str, now: OffsetDateTime) -> Option<String> {
        let bytes = (text.len() <= SOLUTION_BYTES_MAX).then(|| BASE64.decode(text.as_bytes()));
        let solution: Solution = serde_json::from_slice(&bytes?.ok()?).ok()?;
        let (_, rest) = solution.salt.split_once("?expires=")?;
        let expires: i64 = rest.strip_suffix('&')?.parse().ok()?;
        let signature = HEXLOWER.decode(solution.signature.as_bytes()).ok()?;
        let digest = digest(&solution.salt, solution.number);
        let is_right = bool::from(digest.as_bytes().ct_eq(solution.challenge.as_bytes()))
            && self.sign(&solution.challenge).verify_slice(&signature).is_ok()
            && solution.algorithm == ALGORITHM
            && now.unix_timestamp() < expires;
        is_right.then(|| format!("altcha {}", solution.challenge))
    }

    fn sign(&self, challenge: &str) -> Hmac<Sha256> {
        Hmac::<Sha256>::new(&self.key.into()).chain_update(challenge)
    }
}

fn digest(salt: &str, number: u32) -> String {
    HEXLOWER.encode(&Sha256::digest(format!("{salt}{number}")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn solve(challenge: &Challenge) -> u32 {
        let mut all = 0..=challenge.maxnumber;
        all.find(|&number| digest(&challenge.salt, number) == challenge.challenge).unwrap()
    }

    #[test]
    fn a_challenge_is_harder_the_more_were_solved_in_the_last_minute() {
        let start = OffsetDateTime::from_unix_timestamp(1_800_000_000).unwrap();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let altcha = Altcha::new(b"secret");
        let mut recent = Recent::default();
        let mut after = |solved: u32, now| {
            (0..solved).for_each(|_| recent.add(now));
            altcha.challenge(now, recent.in_last_minute(now)).maxnumber
        };
        assert_eq!(after(59, at(0)), 50_000);
        assert_eq!(after(61, at(30)), 200_000);
        assert_eq!(after(0, at(90)), 100_000);
        assert_eq!(after(60_000, at(95)), 1_000_000);
        assert_eq!(after(0, at(180)), 50_000);
        assert_eq!(after(0, at(0)), 50_000);
    }

    #[test]
    fn a_solution_is_accepted_until_it_expires_and_nothing_else_is() {
        let now = OffsetDateTime::from_unix_timestamp(1_800_000_000).unwrap();
        let altcha = Altcha::new(b"secret");
        let challenge = altcha.challenge(now, 0);
        let number = solve(&challenge);
        let solution = json!({
            "algorithm": "SHA-256", "challenge": challenge.challenge, "number": number,
            "salt": challenge.salt, "signature": challenge.signature, "took": 12,
        });
        let check = |solution: &serde_json::Value, by: &Altcha, at| {
            by.verify(&BASE64.encode(solution.to_string().as_bytes()), at).is_ok()
        };
        assert!(check(&solution, &altcha, now));
        assert!(check(&solution, &altcha, now + LIFETIME - Duration::from_secs(1)));
        assert!(!check(&solution, &altcha, now + LIFETIME));
        assert!(!check(&solution, &Altcha::new(b"other"), now));
        let mut digits = number.to_string();
        let first = digits.remove(0);
        for (name, value) in [
            ("number", json!(number + 1)),
            ("number", json!(number.to_string())),
            ("algorithm", json!("SHA-1")),
            ("challenge", json!(digest(&challenge.salt, 0))),
            ("signature", json!("00")),
            ("salt", json!(challenge.salt.trim_end_matches('&'))),
            // A later expiry, made from the number's first digit.
            ("salt", json!(format!("{}{first}&", challenge.salt.trim_end_matches('&')))),
        ] {
            let mut other = solution.clone();
            other[name] = value;
            assert!(!check(&other, &altcha, now), "{other}");
        }
        for text in ["", "x", "e30=", &"A".repeat(4_000)] {
            assert!(altcha.verify(text, now).is_err(), "{text}");
        }
    }
}
