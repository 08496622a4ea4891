//! Echo: a piece of an input, quoted in an error message.

use std::fmt;

use crate::limits::ECHO_CHARACTERS_MAX;

/// Input text repeated to the caller: quoted, escaped and truncated, so that it can neither flood
/// nor forge a message.
#[derive(Debug)]
pub struct Echo<'a>(pub &'a str);

impl fmt::Display for Echo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut characters = self.0.chars();
        f.write_str("`")?;
        for character in characters.by_ref().take(ECHO_CHARACTERS_MAX) {
            if character == '"' || character == '\'' {
                write!(f, "{character}")?;
            } else {
                write!(f, "{}", character.escape_debug())?;
            }
        }
        let is_cut = characters.next().is_some();
        f.write_str(if is_cut { "…`" } else { "`" })
    }
}
