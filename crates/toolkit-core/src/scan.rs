//! Byte scanning, eight at a time: finds the end of plain string text, of digits or of spaces.
//!
//! Each of the functions named `…_stops` examines a word of eight bytes in little-endian order, so
//! that the first byte is the lowest, and sets a bit in the byte that ends the run. The arithmetic
//! may also flag bytes above the first one; only the lowest flag counts.
#![cfg_attr(
    not(feature = "json"),
    allow(dead_code, reason = "`tools` alone only needs the string functions")
)]

/// Bytes of a word.
pub(crate) const WORD: usize = 8;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
const SECOND_BITS: u64 = ONES * 2;
const BACKSLASHES: u64 = ONES * b'\\' as u64;
const SPACES: u64 = ONES * b' ' as u64;
const ZEROS: u64 = ONES * b'0' as u64;

/// The eight bytes from `at` on; beyond the end of the text they are zero, which ends any run.
#[inline]
pub(crate) fn word(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => last_word(bytes, at),
    }
}

#[cold]
fn last_word(bytes: &[u8], at: usize) -> u64 {
    let mut chunk = [0; WORD];
    for (to, from) in chunk.iter_mut().zip(bytes.iter().skip(at)) {
        *to = *from;
    }
    u64::from_le_bytes(chunk)
}

/// Flags the bytes that are not plain text inside a string: `"`, `\` and control characters.
///
/// With its second bit flipped, `"` comes right after the control characters.
#[inline]
pub(crate) const fn string_stops(word: u64) -> u64 {
    (below(word ^ SECOND_BITS, 0x21) | below(word ^ BACKSLASHES, 1)) & HIGH_BITS
}

/// Sets the high bit of each byte that is below a bound of at most 128.
#[inline]
const fn below(word: u64, bound: u64) -> u64 {
    word.wrapping_sub(ONES * bound) & !word
}

/// Flags the bytes that are not decimal digits.
#[inline]
pub(crate) const fn digit_stops(word: u64) -> u64 {
    let values = word ^ ZEROS;
    (values.wrapping_add(ONES * (0x80 - 10)) | values) & HIGH_BITS
}

/// Flags, somewhere in their byte, those that are not spaces.
#[inline]
pub(crate) const fn space_stops(word: u64) -> u64 {
    word ^ SPACES
}

/// Number of bytes before the first one flagged: eight if there is none.
#[inline]
pub(crate) const fn run(stops: u64) -> usize {
    (stops.trailing_zeros() / 8) as usize
}

/// Skips the bytes from `at` on up to the first one that `stops` flags.
#[inline]
pub(crate) fn skip(bytes: &[u8], mut at: usize, stops: impl Fn(u64) -> u64) -> usize {
    loop {
        let run = run(stops(word(bytes, at)));
        at += run;
        if run < WORD {
            return at;
        }
    }
}

/// A byte of a word, by its index.
#[inline]
pub(crate) const fn byte_of(word: u64, index: usize) -> u8 {
    let [byte, ..] = (word >> (index * 8)).to_le_bytes();
    byte
}

/// The bytes of a word before an index below eight; the others are zero.
#[inline]
pub(crate) const fn head(word: u64, index: usize) -> u64 {
    word & ((1 << (index * 8)) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries every byte at every index of a word, among bytes that belong to the run.
    fn agrees(stops: fn(u64) -> u64, filler: u8, ends: fn(u8) -> bool) {
        for index in 0..WORD {
            for byte in 0..=u8::MAX {
                let mut chunk = [filler; WORD];
                chunk[index] = byte;
                let expected = if ends(byte) { index } else { WORD };
                assert_eq!(run(stops(u64::from_le_bytes(chunk))), expected, "{chunk:?}");
            }
        }
    }

    #[test]
    fn a_string_ends_at_a_quote_a_backslash_and_a_control_character() {
        let ends = |byte| matches!(byte, b'"' | b'\\' | 0..0x20);
        agrees(string_stops, b'a', ends);
        agrees(string_stops, 0xFF, ends);
        agrees(string_stops, b' ', ends);
    }

    #[test]
    fn digits_end_at_any_other_byte() {
        agrees(digit_stops, b'0', |byte| !byte.is_ascii_digit());
        agrees(digit_stops, b'9', |byte| !byte.is_ascii_digit());
    }

    #[test]
    fn spaces_end_at_any_other_byte() {
        agrees(space_stops, b' ', |byte| byte != b' ');
    }

    #[test]
    fn only_the_first_stop_counts() {
        for (text, plain) in [(b"ab\"\"\"\"\"\"", 2), (b"\\bcdefgh", 0), (b"abcdefg\n", 7)] {
            assert_eq!(run(string_stops(u64::from_le_bytes(*text))), plain);
        }
    }

    #[test]
    fn after_the_end_there_are_zeros() {
        assert_eq!(word(b"abcdefgh", 0), u64::from_le_bytes(*b"abcdefgh"));
        assert_eq!(word(b"abcdefgh", 6), u64::from_le_bytes(*b"gh\0\0\0\0\0\0"));
        assert_eq!(word(b"abcdefgh", 8), 0);
        assert_eq!(word(b"", 3), 0);
        assert_eq!(
            head(word(b"abcdefgh", 0), 3),
            u64::from_le_bytes(*b"abc\0\0\0\0\0")
        );
        assert_eq!(byte_of(word(b"abcdefgh", 0), 7), b'h');
    }
}
