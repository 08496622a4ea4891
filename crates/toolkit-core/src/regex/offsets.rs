//! Offsets: a position in code points, bytes and UTF-16 units.

/// A position in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Characters (code points) before it.
    pub characters: usize,
    /// Bytes of UTF-8 before it.
    pub bytes: usize,
    /// UTF-16 code units before it, as JavaScript, Java and C# count.
    pub utf16: usize,
}

/// Distance between two cached positions.
const STRIDE: usize = 64;

/// Finds positions by their byte offset, each in a bounded number of steps.
pub(super) struct Places<'t> {
    text: &'t str,
    /// The position at each multiple of [`STRIDE`], or at the start of the character that contains
    /// it; `None` if all units are the same.
    kept: Vec<Place>,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut kept = Vec::new();
        if !text.is_ascii() {
            let mut place = Place::default();
            for character in text.chars() {
                let end = place.bytes + character.len_utf8();
                if kept.len() * STRIDE < end {
                    kept.push(place);
                }
                place = place.after(character);
            }
        }
        Self { text, kept }
    }

    /// The position at a byte that starts a character, or at the end.
    pub(super) fn at(&self, byte: usize) -> Place {
        let Some(mut place) = self.kept.get(byte / STRIDE).or(self.kept.last()).copied() else {
            return Place { characters: byte, bytes: byte, utf16: byte };
        };
        let (_, rest) = self.text.split_at(place.bytes);
        for character in rest.chars() {
            if place.bytes >= byte {
                break;
            }
            place = place.after(character);
        }
        place
    }
}

impl Place {
    fn after(self, character: char) -> Self {
        Self {
            characters: self.characters + 1,
            bytes: self.bytes + character.len_utf8(),
            utf16: self.utf16 + character.len_utf16(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn positions_equal_those_counted_from_the_start(text in "[a-cé漢😀]{0,300}") {
            let places = Places::new(&text);
            let ends = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
            for byte in ends {
                let before = text.get(..byte).unwrap();
                let counted = Place {
                    characters: before.chars().count(),
                    bytes: byte,
                    utf16: before.encode_utf16().count(),
                };
                prop_assert_eq!(places.at(byte), counted);
            }
        }
    }
}
