//! Offsets in code points, bytes and UTF-16 units.

/// An offset in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offset {
    /// Characters (code points) before it.
    pub characters: usize,
    /// Bytes of UTF-8 before it.
    pub bytes: usize,
    /// UTF-16 code units before it, as JavaScript, Java and C# count.
    pub utf16: usize,
}

/// Distance between two cached offsets.
const STRIDE: usize = 64;

/// Finds offsets by that in bytes, each in a bounded number of steps.
pub(super) struct Offsets<'t> {
    text: &'t str,
    /// The offset at each multiple of [`STRIDE`], or at the start of the character that contains
    /// it. `None` if all units are the same.
    kept: Vec<Offset>,
}

impl<'t> Offsets<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut kept = Vec::new();
        if !text.is_ascii() {
            let mut offset = Offset::default();
            for character in text.chars() {
                let end = offset.bytes + character.len_utf8();
                if kept.len() * STRIDE < end {
                    kept.push(offset);
                }
                offset = offset.after(character);
            }
        }
        Self { text, kept }
    }

    /// The offset at a byte that starts a character, or at the end.
    pub(super) fn at(&self, byte: usize) -> Offset {
        let Some(mut offset) = self.kept.get(byte / STRIDE).or(self.kept.last()).copied() else {
            return Offset { characters: byte, bytes: byte, utf16: byte };
        };
        let (_, rest) = self.text.split_at(offset.bytes);
        for character in rest.chars() {
            if offset.bytes >= byte {
                break;
            }
            offset = offset.after(character);
        }
        offset
    }
}

impl Offset {
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
        fn offsets_equal_those_counted_from_the_start(text in "[a-cé漢😀]{0,300}") {
            let offsets = Offsets::new(&text);
            let ends = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
            for byte in ends {
                let before = text.get(..byte).unwrap();
                let counted = Offset {
                    characters: before.chars().count(),
                    bytes: byte,
                    utf16: before.encode_utf16().count(),
                };
                prop_assert_eq!(offsets.at(byte), counted);
            }
        }
    }
}
