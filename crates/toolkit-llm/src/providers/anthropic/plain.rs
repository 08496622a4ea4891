//! Messages API: fast path for events that contain only text, as most events of a stream do.
//!
//! Serde gives the same result in ten times the time.

use std::borrow::Cow;

use super::super::scan::Scanner;

/// Contents of the event.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Plain<'a> {
    /// Index of the block that the text belongs to.
    pub(super) index: u64,
    pub(super) text: Cow<'a, str>,
    /// Bytes of the members of its `delta`.
    pub(super) bytes: usize,
}

/// Reads an event if it contains only text.
pub(super) fn read(json: &str) -> Option<Plain<'_>> {
    let mut plain = Plain::default();
    let [mut kind, mut index, mut said] = [false; 3];
    let mut scanner = Scanner::new(json);
    scanner.object(|scanner, name| match name {
        "type" => scanner.once(&mut kind)?.word("\"content_block_delta\""),
        "index" => {
            let index = scanner.once(&mut index)?.measured(Scanner::scalar)?;
            plain.index = index.parse().ok()?;
            Some(())
        }
        "delta" => {
            (plain.text, plain.bytes) = delta(scanner.once(&mut said)?)?;
            Some(())
        }
        _ => scanner.scalar(),
    })?;
    scanner.end()?;
    (kind && said).then_some(plain)
}

fn delta<'a>(scanner: &mut Scanner<'a>) -> Option<(Cow<'a, str>, usize)> {
    let (mut text, mut bytes) = (Cow::default(), 0);
    let [mut kind, mut said] = [false; 2];
    scanner.object(|scanner, name| {
        let value = match name {
            "type" => {
                let kind = scanner.once(&mut kind)?;
                kind.measured(|scanner| scanner.word("\"text_delta\""))
            }
            "text" => scanner.once(&mut said)?.measured(|scanner| {
                text = scanner.string()?;
                Some(())
            }),
            _ => None,
        };
        bytes += value?.len();
        Some(())
    })?;
    (kind && said).then_some((text, bytes))
}

#[cfg(test)]
mod tests {
    use super::super::super::Members;
    use super::super::super::scan::variations;
    use super::*;

    const EVENTS: [&str; 3] = [
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Zwölf "}}"#,
        r#"{"type": "content_block_delta", "index": 12, "delta": {"type": "text_delta", "text": "\n\"🦀\u00e9"}, "x": 1}"#,
        r#" { "delta" : { "text" : "" , "type" : "text_delta" } , "type" : "content_block_delta" } "#,
    ];

    fn by_serde(json: &str) -> Option<Plain<'static>> {
        #[derive(serde::Deserialize)]
        struct Event {
            r#type: String,
            #[serde(default)]
            index: u64,
            delta: Members,
        }
        let event: Event = serde_json::from_str(json).ok()?;
        let member = |name: &str| serde_json::from_str::<String>(event.delta.get(name)?.get()).ok();
        let is_text = event.r#type == "content_block_delta"
            && member("type").as_deref() == Some("text_delta");
        is_text.then(|| Plain {
            index: event.index,
            text: Cow::Owned(member("text").unwrap_or_default()),
            bytes: event.delta.values().map(|value| value.get().len()).sum(),
        })
    }

    #[test]
    fn a_slightly_different_event_is_read_the_same_or_left_to_serde() {
        let members = [
            "\"text\":\"x\",",
            "\"index\":1,",
            "\"type\":\"ping\",",
            "\"more\":1,",
        ];
        for json in EVENTS {
            assert!(read(json).is_some(), "{json}");
            for text in variations(json, &members) {
                let Some(plain) = read(&text) else { continue };
                assert_eq!(Some(plain), by_serde(&text), "{text}");
            }
        }
    }
}
