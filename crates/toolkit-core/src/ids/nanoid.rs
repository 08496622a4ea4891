//! `NanoID`s: random characters of an alphabet, uniformly distributed.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::random::Random;
use crate::echo::Echo;
use crate::error::{ErrorKind, Position, ToolError};

/// Default length of a NanoID, in characters: 126 random bits with the default alphabet.
pub const NANOID_SIZE: usize = 21;

/// Permitted sizes of the alphabet: one random byte selects a character.
const ALPHABET_CHARACTERS: RangeInclusive<usize> = 2..=255;

/// The default alphabet, which needs no escapes in URLs.
const URL_SAFE: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/// Alphabet of identifiers: 2 to 255 distinct code points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alphabet(Vec<char>);

impl Default for Alphabet {
    /// `A-Z`, `a-z`, `0-9`, `_` and `-`.
    fn default() -> Self {
        Self(URL_SAFE.chars().collect())
    }
}

impl Alphabet {
    /// Creates an alphabet from the characters of a string.
    ///
    /// ```
    /// use toolkit_core::ids::Alphabet;
    ///
    /// assert!(Alphabet::new("0123456789abcdef").is_ok());
    /// assert!(Alphabet::new("aab").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Says that there are too few or too many characters, or which one is repeated.
    pub fn new(characters: &str) -> Result<Self, ToolError> {
        let (fewest, most) = ALPHABET_CHARACTERS.into_inner();
        let refusal = |message: String| {
            let hint = format!("give {fewest} to {most} different characters");
            ToolError::new(message).of(ErrorKind::Range).with_hint(hint)
        };
        let count = characters.chars().take(most + 1).count();
        if count > most {
            return Err(refusal(format!("has over {most} characters")));
        }
        let mut seen = HashSet::with_capacity(count);
        for (index, character) in characters.char_indices() {
            if !seen.insert(character) {
                let message = format!("repeats {}", Echo(&character.to_string()));
                return Err(refusal(message).at(Position::offset(characters, index)));
            }
        }
        if count < fewest {
            let count = if count == 0 { "no" } else { "one" };
            return Err(refusal(format!("has {count} character")));
        }
        Ok(Self(characters.chars().collect()))
    }
}

/// Generates `count` `NanoID`s of `size` characters.
///
/// A byte selects by as many low bits as the alphabet needs. A value outside the alphabet is
/// rejected rather than reduced, so the distribution is uniform.
///
/// ```
/// use toolkit_core::ids::{Alphabet, nanoids};
///
/// let mut random = |bytes: &mut [u8]| bytes.fill(1);
/// let digits = Alphabet::new("0123456789")?;
/// assert_eq!(nanoids(&mut random, &digits, 4, 2), ["1111", "1111"]);
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
pub fn nanoids(
    random: &mut dyn Random,
    alphabet: &Alphabet,
    size: usize,
    count: usize,
) -> Vec<String> {
    let characters = &alphabet.0;
    let mask = characters.len().next_power_of_two() - 1;
    let id = |_| {
        let (mut id, mut missing) = (String::with_capacity(size), size);
        while missing > 0 {
            let mut bytes = vec![0; missing];
            random.fill(&mut bytes);
            for index in bytes.into_iter().map(|byte| usize::from(byte) & mask) {
                if let Some(character) = characters.get(index) {
                    id.push(*character);
                    missing -= 1;
                }
            }
        }
        id
    };
    (0..count).map(id).collect()
}

#[cfg(test)]
mod tests {
    use super::{Alphabet, nanoids};

    /// Counts through all byte values, so that each is drawn equally often.
    fn counter() -> impl FnMut(&mut [u8]) + Send {
        let mut next = 0_u8;
        move |bytes| {
            for byte in bytes {
                *byte = next;
                next = next.wrapping_add(1);
            }
        }
    }

    #[test]
    fn no_character_is_more_likely_than_another() {
        for count in [2, 10, 62, 64, 65, 200, 255] {
            let characters: String = ('\u{100}'..).take(count).collect();
            let alphabet = Alphabet::new(&characters).unwrap();
            let ids = nanoids(&mut counter(), &alphabet, 256, count).concat();
            let of = |wanted| ids.chars().filter(|&character| character == wanted).count();
            assert!(characters.chars().all(|character| of(character) == 256), "{count}");
        }
    }

    #[test]
    fn the_original_gives_the_same_for_the_same_bytes() {
        for alphabet in ["abc", "0123456789abcdef", super::URL_SAFE] {
            let characters: Vec<_> = alphabet.chars().collect();
            let mut source = counter();
            let bytes = |length| {
                let mut bytes = vec![0; length];
                source(&mut bytes);
                bytes
            };
            let expected = nanoid::format(bytes, &characters, 64);
            let alphabet = Alphabet::new(alphabet).unwrap();
            assert_eq!(nanoids(&mut counter(), &alphabet, 64, 1), [expected]);
        }
    }

    #[test]
    fn an_alphabet_has_2_to_255_different_characters() {
        let of = |count| Alphabet::new(&('!'..).take(count).collect::<String>());
        assert!(of(2).is_ok() && of(255).is_ok());
        for (alphabet, refusal) in [
            (of(0), "The input has no character. Give 2 to 255 different characters."),
            (of(1), "The input has one character. Give 2 to 255 different characters."),
            (of(256), "The input has over 255 characters. Give 2 to 255 different characters."),
            (
                Alphabet::new("äbcä"),
                "offset 3: the input repeats `ä`. Give 2 to 255 different characters.",
            ),
        ] {
            assert_eq!(alphabet.unwrap_err().to_string(), refusal);
        }
    }
}
