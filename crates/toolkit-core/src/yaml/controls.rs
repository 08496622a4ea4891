//! Characters that only quotes may hold: DEL, C1 controls and two noncharacters (YAML 1.2.2 §5.1).
//!
//! The parser refuses them everywhere. So a text with some of them is parsed with others in their
//! place, which it does not contain, and the result gets them back.

use super::compose::compose;
use super::errors;
use super::tree::{Style, Tree};
use crate::error::{Position, ToolError};
use crate::node::Node;
use crate::warnings::Warnings;

/// First of the private characters from which substitutes are taken, and how many are taken.
const PRIVATE: u32 = 0xF_0000;
const SUBSTITUTES: u32 = 64;

/// Runs `work` on a text whose quotes may contain such characters, and restores them in the result.
pub(super) fn with_controls<T>(
    text: &str,
    mut work: impl FnMut(&str) -> Result<T, ToolError>,
    restore: impl FnOnce(&mut T, Substitutes),
) -> Result<T, ToolError> {
    let result = work(text);
    if result.is_ok() {
        return result;
    }
    let Some(substitutes) = Substitutes::for_text(text) else {
        return result;
    };
    let replaced: String = text.chars().map(|c| substitutes.substitute(c)).collect();
    let tree = compose(&replaced, &mut Warnings::new())?;
    substitutes.check(&tree, &replaced)?;
    let mut result = work(&replaced)?;
    restore(&mut result, substitutes);
    Ok(result)
}

/// Consecutive characters that a text does not contain.
#[derive(Clone, Copy)]
pub(super) struct Substitutes {
    first: u32,
}

impl Substitutes {
    /// Chooses them for a text that has a character to be replaced.
    fn for_text(text: &str) -> Option<Self> {
        text.chars().find_map(index)?;
        let blocks = (u32::from(char::MAX) + 1 - PRIVATE) / SUBSTITUTES;
        let mut used = vec![false; blocks as usize];
        let private = text.chars().filter_map(|c| u32::from(c).checked_sub(PRIVATE));
        private.for_each(|code| used[(code / SUBSTITUTES) as usize] = true);
        let block = used.iter().position(|&used| !used)?;
        let first = PRIVATE + u32::try_from(block).ok()? * SUBSTITUTES;
        Some(Self { first })
    }

    fn substitute(self, character: char) -> char {
        let other = index(character).and_then(|index| char::from_u32(self.first + index));
        other.unwrap_or(character)
    }

    fn original(self, character: char) -> Option<char> {
        let index = u32::from(character).checked_sub(self.first)?;
        char::from_u32(match index {
            0..=0x20 => 0x7F + index,
            0x21..=0x22 => 0xFFFE + index - 0x21,
            _ => return None,
        })
    }

    /// Puts the original characters back into a text.
    pub(super) fn restore_text(self, text: &mut String) {
        *text = text.chars().map(|c| self.original(c).unwrap_or(c)).collect();
    }

    /// Puts the original characters back into a value.
    pub(super) fn restore(self, node: &mut Node) {
        match node {
            Node::Text(text) => self.restore_text(text),
            Node::Array(items) => items.iter_mut().for_each(|item| self.restore(item)),
            Node::Object(members) => {
                for (name, value) in members {
                    self.restore_text(name);
                    self.restore(value);
                }
            }
            Node::Null | Node::Bool(_) | Node::Number(_) => {}
        }
    }

    /// Refuses one that is not between quotes.
    fn check(self, tree: &Tree<'_>, text: &str) -> Result<(), ToolError> {
        let is_quoted = |style| matches!(style, Some(Style::SingleQuoted | Style::DoubleQuoted));
        let quoted = tree.vertices.iter().filter(|vertex| is_quoted(vertex.style()));
        let mut places = quoted.map(|vertex| vertex.place).peekable();
        for (at, character) in text.char_indices() {
            let Some(original) = self.original(character) else {
                continue;
            };
            while places.next_if(|place| place.end as usize <= at).is_some() {}
            if places.peek().is_none_or(|place| place.start as usize > at) {
                return Err(errors::of_character(original).at(Position::line_column(text, at)));
            }
        }
        Ok(())
    }
}

/// Number of a character that only quotes may hold.
fn index(character: char) -> Option<u32> {
    match character {
        // U+0085 is a printable character.
        '\u{85}' => None,
        '\u{7F}'..='\u{9F}' => Some(u32::from(character) - 0x7F),
        '\u{FFFE}'..='\u{FFFF}' => Some(u32::from(character) - 0xFFFE + 0x21),
        _ => None,
    }
}
