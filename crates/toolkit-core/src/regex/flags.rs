//! Flags: letters that change how a pattern is parsed and searched.

use std::fmt;

use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};

/// The letters in the order in which they are written, each with its effect.
const LETTERS: [(char, &str); 6] = [
    ('g', "all matches"),
    ('i', "ignore case"),
    ('m', "^ and $ at lines"),
    ('s', ". matches a newline"),
    ('u', "Unicode, always on"),
    ('x', "ignore white space and #comments"),
];

/// Flags of a search: a set of the letters `g i m s u x`.
///
/// ```
/// use toolkit_core::regex::Flags;
///
/// let flags = Flags::parse("mg")?;
/// assert!(flags.has('g') && !flags.has('i'));
/// assert_eq!(flags.to_string(), "gm");
/// # Ok::<(), toolkit_core::ToolError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags([bool; LETTERS.len()]);

impl Flags {
    /// Parses the letters, in any order and case.
    ///
    /// ```
    /// use toolkit_core::regex::Flags;
    ///
    /// assert!(Flags::parse("gi")?.has('i'));
    /// assert_eq!(Flags::parse("gg").unwrap_err().message(), "has `g` twice");
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Names a letter that is unknown or repeated, and the known ones.
    pub fn parse(letters: &str) -> Result<Self, ToolError> {
        let mut flags = Self::default();
        for letter in letters.chars() {
            // `U` means ungreedy elsewhere.
            let lower = if letter == 'U' { letter } else { letter.to_ascii_lowercase() };
            let known = LETTERS.iter().zip(&mut flags.0);
            match known.into_iter().find(|((known, _), _)| *known == lower) {
                Some((_, set)) if *set => {
                    return Err(ToolError::new(format!("has `{letter}` twice")));
                }
                Some((_, set)) => *set = true,
                None => return Err(unknown(letter)),
            }
        }
        Ok(flags)
    }

    /// Whether a letter is in the set.
    ///
    /// ```
    /// use toolkit_core::regex::Flags;
    ///
    /// assert!(!Flags::default().has('g'));
    /// ```
    pub fn has(self, letter: char) -> bool {
        self.letters().any(|set| set == letter)
    }

    fn letters(self) -> impl Iterator<Item = char> {
        LETTERS.iter().zip(self.0).filter_map(|((letter, _), set)| set.then_some(*letter))
    }
}

/// The letters in alphabetical order, as JavaScript writes them.
impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letters().try_for_each(|letter| write!(f, "{letter}"))
    }
}

fn unknown(letter: char) -> ToolError {
    let known = LETTERS.map(|(letter, about)| format!("{letter} ({about})"));
    let (shown, known) = (letter.to_string(), known.join(", "));
    let error = ToolError::new(format!("has no flag {}", Echo(&shown))).of(ErrorKind::Range);
    match letter {
        'd' => error.with_hint("leave it out: every match has its offsets"),
        'v' => error.with_hint("leave it out: `u` is always on, and classes take `&&` and `--`"),
        'y' => error.with_hint("begin the pattern with `\\G` instead"),
        _ => error.with_hint(format!("use any of {known}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_in_any_order_and_go_out_in_one() {
        for (given, shown) in [("", ""), ("g", "g"), ("xusmig", "gimsux"), ("GI", "gi")] {
            assert_eq!(Flags::parse(given).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn an_unknown_or_repeated_letter_is_refused() {
        let refused = |letters| Flags::parse(letters).unwrap_err().in_field("flags").to_string();
        assert_eq!(refused("gig"), "`flags` has `g` twice.");
        assert_eq!(
            refused("U"),
            "`flags` has no flag `U`. Use any of g (all matches), i (ignore case), m (^ and $ at lines), s (. matches a newline), u (Unicode, always on), x (ignore white space and #comments)."
        );
        assert!(refused("gy").ends_with(". Begin the pattern with `\\G` instead."));
        assert!(refused("d").contains("Leave it out: every match"));
        assert!(refused("v").contains("Leave it out: `u`"));
        assert!(refused("g i").starts_with("`flags` has no flag ` `"));
    }
}
