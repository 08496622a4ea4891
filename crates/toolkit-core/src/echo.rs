//! Echo: a piece of an input, quoted in an error message.

use std::fmt;

use crate::limits::ECHO_CHARACTERS_MAX;

/// Maximum length of the text with its escapes, in bytes: an escape takes up to ten.
const ECHO_BYTES_MAX: usize = 2 * ECHO_CHARACTERS_MAX;

/// Input text repeated to the caller: quoted, escaped and truncated, so that it can neither flood
/// nor forge a message.
#[derive(Debug)]
pub struct Echo<'a>(pub &'a str);

impl fmt::Display for Echo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut quoted = String::new();
        for (index, character) in self.0.chars().enumerate() {
            let start = quoted.len();
            if character == '"' || character == '\'' {
                quoted.push(character);
            } else {
                quoted.extend(character.escape_debug());
            }
            if index == ECHO_CHARACTERS_MAX || quoted.len() > ECHO_BYTES_MAX {
                quoted.truncate(start);
                quoted.push('…');
                break;
            }
        }
        write!(f, "`{quoted}`")
    }
}
