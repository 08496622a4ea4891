//! Event stream reader: bytes in, events out, with a bound on each event.
//!
//! Standard: WHATWG HTML, section 9.2.6. Lines end with LF, CR or CRLF. A byte order mark, comments
//! and unknown fields are ignored. Several `data` lines are joined. It deviates in two ways:
//! invalid UTF-8 is an error instead of being replaced, and an event may have 256 KiB at most.
//!
//! Bytes are framed first and decoded event by event, so chunk boundaries don't matter.

use std::collections::VecDeque;

/// Maximum length of an event, and of one line, in bytes: a hundred times what vendors send in one
/// event.
pub const EVENT_BYTES_MAX: usize = 256 << 10;

/// Maximum length of JSON outside events, in bytes. A vendor's error report has a few hundred.
const STRAY_BYTES_MAX: usize = 64 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// Value of its `event` line. Empty without one.
    pub name: String,
    /// Its `data` lines, joined by line feeds.
    pub data: String,
}

/// Error: a stream cannot be read any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// An event or a line is longer than [`EVENT_BYTES_MAX`].
    #[error("an event is longer than {EVENT_BYTES_MAX} bytes")]
    TooLong,
    /// An event is not valid UTF-8.
    #[error("an event is not UTF-8")]
    NotUtf8,
}

/// Data left when the stream ended.
#[derive(Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rest {
    /// A last event without its closing blank line. It may be truncated.
    pub event: Option<Event>,
    /// JSON outside any event, since some gateways report errors this way.
    pub json: Vec<u8>,
}

/// Reader of one stream's events.
#[derive(Debug, Default)]
pub struct Reader {
    /// Start of a line whose end has not arrived yet.
    line: Vec<u8>,
    name: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    /// Whether the last line ended with a CR, so that a following LF belongs to it.
    after_cr: bool,
    begun: bool,
    events: VecDeque<Event>,
    stray: Vec<u8>,
}

impl Reader {
    /// Creates a reader at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds more bytes.
    ///
    /// # Errors
    ///
    /// When an event is too long or not valid UTF-8. The stream is unusable from then on.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), ReadError> {
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (head, tail) = bytes.split_at(end);
            self.end_line(head)?;
            bytes = match tail.split_first() {
                Some((b'\r', [])) => {
                    self.after_cr = true;
                    &[]
                }
                Some((b'\r', rest)) => rest.strip_prefix(b"\n").unwrap_or(rest),
                Some((_, rest)) => rest,
                None => tail,
            };
        }
        append(&mut self.line, bytes)
    }

    /// Returns the next complete event.
    pub fn pop(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Ends the stream.
    ///
    /// # Errors
    ///
    /// When the rest is too long or not valid UTF-8.
    pub fn finish(mut self) -> Result<Rest, ReadError> {
        if !self.line.is_empty() {
            self.end_line(&[])?;
        }
        self.dispatch()?;
        Ok(Rest { event: self.events.pop_back(), json: self.stray })
    }

    /// Ends a line with its last bytes.
    fn end_line(&mut self, tail: &[u8]) -> Result<(), ReadError> {
        if self.line.is_empty() {
            return self.take_line(tail);
        }
        let mut line = std::mem::take(&mut self.line);
        append(&mut line, tail)?;
        let result = self.take_line(&line);
        line.clear();
        self.line = line;
        result
    }

    fn take_line(&mut self, mut line: &[u8]) -> Result<(), ReadError> {
        if !self.begun {
            self.begun = true;
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                self.has_data = true;
                append(&mut self.data, value)?;
                append(&mut self.data, b"\n")?;
            }
            b"event" => {
                self.name.clear();
                append(&mut self.name, value)?;
            }
            // A comment, or a field without content.
            b"" | b"id" | b"retry" => {}
            _ => self.keep_stray(line),
        }
        Ok(())
    }

    /// Keeps a line that begins or continues JSON outside events.
    fn keep_stray(&mut self, line: &[u8]) {
        let begins = line.trim_ascii_start().starts_with(b"{");
        let fits = self.stray.len() + line.len() < STRAY_BYTES_MAX;
        if fits && (begins || !self.stray.is_empty()) {
            self.stray.extend_from_slice(line);
            self.stray.push(b'\n');
        }
    }

    fn dispatch(&mut self) -> Result<(), ReadError> {
        let name = std::mem::take(&mut self.name);
        if !std::mem::take(&mut self.has_data) {
            return Ok(());
        }
        let mut data = std::mem::take(&mut self.data);
        // The line feed after the last line.
        data.pop();
        let text = |bytes| String::from_utf8(bytes).map_err(|_| ReadError::NotUtf8);
        self.events.push_back(Event { name: text(name)?, data: text(data)? });
        Ok(())
    }
}

fn append(buffer: &mut Vec<u8>, bytes: &[u8]) -> Result<(), ReadError> {
    if buffer.len() + bytes.len() > EVENT_BYTES_MAX {
        return Err(ReadError::TooLong);
    }
    buffer.extend_from_slice(bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(pieces: &[&[u8]]) -> Result<Vec<(String, String)>, ReadError> {
        let mut reader = Reader::new();
        let mut events = Vec::new();
        for piece in pieces {
            reader.push(piece)?;
            while let Some(Event { name, data }) = reader.pop() {
                events.push((name, data));
            }
        }
        let rest = reader.finish()?;
        events.extend(rest.event.map(|event| (event.name, event.data)));
        Ok(events)
    }

    fn read(text: &str) -> Vec<(String, String)> {
        events(&[text.as_bytes()]).unwrap()
    }

    fn data(text: &str) -> Vec<String> {
        read(text).into_iter().map(|(_, data)| data).collect()
    }

    #[test]
    fn the_examples_of_the_standard_are_read_as_it_says() {
        assert_eq!(data("data: YHOO\ndata: +2\ndata: 10\n\n"), ["YHOO\n+2\n10"]);
        assert_eq!(
            data(
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"
            ),
            ["first event", "second event", " third event"]
        );
        assert_eq!(data("data\n\ndata\ndata\n\n"), ["", "\n"]);
        assert_eq!(data("data:test\n\ndata: test\n\n"), ["test", "test"]);
        assert_eq!(
            read("event: add\ndata: 73857293\n\nevent: remove\n\ndata: 1\n\n"),
            [("add".to_owned(), "73857293".to_owned()), (String::new(), "1".to_owned())]
        );
    }

    #[test]
    fn bytes_split_anywhere_give_the_same_events_with_every_kind_of_line_end() {
        let text = "\u{feff}: comment\nevent: a\ndata: {\"x\":\"é🦀\"}\nretry: 5\nfoo: bar\nfoo\n\n\
                    data: one\ndata:\ndata: two\n\n:\n\ndata: [DONE]\n\n";
        for end in ["\n", "\r", "\r\n"] {
            let bytes = text.replace('\n', end).into_bytes();
            let whole = events(&[&bytes]).unwrap();
            assert_eq!(whole.len(), 3, "{end:?}");
            assert_eq!(whole[1].1, "one\n\ntwo");
            for cut in 0..=bytes.len() {
                let (head, tail) = bytes.split_at(cut);
                assert_eq!(events(&[head, tail]).unwrap(), whole, "{end:?} at {cut}");
            }
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(events(&single).unwrap(), whole, "{end:?}");
        }
    }

    #[test]
    fn a_last_event_without_its_blank_line_is_handed_over_as_a_rest() {
        let mut reader = Reader::new();
        reader.push(b"data: whole\n\ndata: la").unwrap();
        assert_eq!(reader.pop().unwrap().data, "whole");
        assert_eq!(reader.pop(), None);
        let rest = reader.finish().unwrap();
        assert_eq!(rest.event.unwrap().data, "la");
        assert!(rest.json.is_empty());
    }

    #[test]
    fn json_outside_of_events_is_kept_up_to_a_bound() {
        let mut reader = Reader::new();
        reader.push(b"data: 1\n\nodd: {\n{\n  \"error\": {\"code\": 503}\n}\n").unwrap();
        assert_eq!(reader.finish().unwrap().json, b"{\n  \"error\": {\"code\": 503}\n}\n");
        let mut reader = Reader::new();
        reader.push(b"{\n").unwrap();
        for _ in 0..10_000 {
            reader.push(b"\"0123456789\": 0,\n").unwrap();
        }
        assert!(reader.finish().unwrap().json.len() <= STRAY_BYTES_MAX);
    }

    #[test]
    fn an_event_of_256_kib_is_accepted_and_a_longer_one_is_not() {
        let fits = format!("data: {}\n\n", "x".repeat(EVENT_BYTES_MAX - 6));
        assert_eq!(data(&fits)[0].len(), EVENT_BYTES_MAX - 6);
        let over = "x".repeat(EVENT_BYTES_MAX + 1);
        for text in [
            format!("data: {over}\n\n"),
            format!(": {over}"),
            over.clone(),
            format!("data: {}\n", "x".repeat(1_000)).repeat(300),
        ] {
            assert_eq!(events(&[text.as_bytes()]), Err(ReadError::TooLong));
        }
        // Many short lines do not count as one long one.
        assert_eq!(data(&"data: x\n\n".repeat(100_000)).len(), 100_000);
    }

    #[test]
    fn invalid_utf8_is_refused_only_in_events() {
        assert_eq!(events(&[b"data: \xff\n\n"]), Err(ReadError::NotUtf8));
        assert_eq!(events(&[b": \xff\n\n\xff: 1\n\n"]), Ok(vec![]));
    }
}
