//! Surrogate pairs that a server splits over two events: `"\ud83d"`, then `"\ude00"`.
//!
//! Neither event is valid text by itself (RFC 8259 §8.2), so the first half is moved to the second
//! event. A half without its partner becomes U+FFFD.

use std::borrow::Cow;

/// The first half of a pair, as its escape, until the second arrives.
#[derive(Default)]
pub(super) struct Surrogates {
    first: Option<String>,
}

/// Length of an escape: `\ud83d`.
const ESCAPE: usize = 6;

impl Surrogates {
    /// Returns an event's JSON with complete pairs only.
    pub(super) fn join<'a>(&mut self, json: &'a str) -> Cow<'a, str> {
        if !json.contains("\\ud") && !json.contains("\\uD") {
            return Cow::Borrowed(json);
        }
        let mut joined = String::with_capacity(json.len() + ESCAPE);
        let mut rest = json;
        while let Some(start) = rest.find('\\') {
            let (before, escape) = rest.split_at(start);
            joined.push_str(before);
            let is_first = (0xd800..0xdc00).contains(&unit(escape));
            let after = escape.get(ESCAPE..).unwrap_or_default();
            let is_second = |text: &str| (0xdc00..0xe000).contains(&unit(text));
            let length = if is_first && is_second(after) {
                2 * ESCAPE
            } else if is_first {
                if after.starts_with('"') {
                    self.first = escape.get(..ESCAPE).map(str::to_owned);
                } else {
                    joined.push('\u{fffd}');
                }
                rest = after;
                continue;
            } else if is_second(escape) {
                let Some(first) = self.first.take() else {
                    joined.push('\u{fffd}');
                    rest = after;
                    continue;
                };
                joined.push_str(&first);
                ESCAPE
            } else {
                // Two bytes, so that an escaped backslash does not begin an escape.
                escape.len().min(2)
            };
            // A multi-byte character cannot follow a backslash in JSON.
            let (escape, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
            joined.push_str(escape);
            rest = after;
        }
        joined.push_str(rest);
        Cow::Owned(joined)
    }
}

/// The code unit of an escape at the start of a text. 0 if there is none.
fn unit(text: &str) -> u32 {
    let digits = text.strip_prefix("\\u").and_then(|digits| digits.get(..ESCAPE - 2));
    digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(events: &[&str]) -> Vec<String> {
        let mut surrogates = Surrogates::default();
        let joined = events.iter().map(|event| surrogates.join(event));
        joined.map(Cow::into_owned).collect()
    }

    #[test]
    fn a_pair_split_over_two_events_is_whole_in_the_second() {
        assert_eq!(
            joined(&[r#"{"t":"a\ud83d"}"#, r#"{"t":"\ude00b"}"#]),
            [r#"{"t":"a"}"#, r#"{"t":"\ud83d\ude00b"}"#]
        );
        assert_eq!(
            joined(&[r#"["\uD83D"]"#, r#"[""]"#, r#"["\uDE00"]"#])[2],
            r#"["\uD83D\uDE00"]"#
        );
    }

    #[test]
    fn whole_pairs_and_escaped_backslashes_stay_and_lone_halves_are_replaced() {
        for text in [r#"["\ud83d\ude00"]"#, r#"["\\ud83d"]"#, r#"["\u00e9\n"]"#] {
            assert_eq!(joined(&[text]), [text]);
        }
        assert_eq!(joined(&[r#"["\ude00 \ud83dx"]"#]), ["[\"\u{fffd} \u{fffd}x\"]"]);
    }
}
