//! Line reader: splits standard input into messages of bounded length.

use std::io::{self, BufRead, Read as _};

use actix_web::web::Bytes;
use tokio::sync::mpsc::Sender;

/// Maximum line length, as in rmcp: any message that fits over HTTP fits here, escapes included.
pub(super) const LINE_BYTES_MAX: u64 = 16 << 20;

/// UTF-8 byte order mark.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// One line of standard input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line that is not blank, without its line ending.
    Text(Bytes),
    /// A line over [`LINE_BYTES_MAX`], which was skipped.
    TooLong,
    /// Standard input can no longer be read.
    Failed(io::ErrorKind),
}

/// Reads lines until the input ends or the receiver is dropped.
pub(super) fn read(mut input: impl BufRead, lines: &Sender<Line>) {
    let mut first = true;
    loop {
        let line = match next(&mut input) {
            Ok(Some(line)) => line,
            Ok(None) => return,
            Err(error) => {
                // If the receiver is gone, there is no one to tell.
                let _ = lines.blocking_send(Line::Failed(error.kind()));
                return;
            }
        };
        let Some(line) = trimmed(line, std::mem::take(&mut first)) else {
            continue;
        };
        if lines.blocking_send(line).is_err() {
            return;
        }
    }
}

/// The next line with its ending, which the last one may lack. `None` at the end of the input.
fn next(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut limited = input.by_ref().take(LINE_BYTES_MAX + 1);
    let read = limited.read_until(b'\n', &mut line)?;
    if limited.limit() == 0 && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    Ok((read > 0).then(|| Line::Text(line.into())))
}

/// A line without surrounding white space and, for the first, without a byte order mark. `None` if
/// nothing is left.
fn trimmed(line: Line, is_first: bool) -> Option<Line> {
    let Line::Text(bytes) = line else {
        return Some(line);
    };
    let mut text: &[u8] = &bytes;
    if is_first {
        text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    }
    let text = text.trim_ascii();
    (!text.is_empty()).then(|| Line::Text(bytes.slice_ref(text)))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(input: impl io::Read) -> Vec<Line> {
        let (sender, mut receiver) = tokio::sync::mpsc::channel(64);
        // A small buffer, so that lines arrive in pieces.
        read(BufReader::with_capacity(7, input), &sender);
        drop(sender);
        std::iter::from_fn(|| receiver.try_recv().ok()).collect()
    }

    fn text(line: &str) -> Line {
        Line::Text(line.to_owned().into())
    }

    #[test]
    fn line_ends_blank_lines_and_a_byte_order_mark_are_accepted() {
        let input = b"\xEF\xBB\xBF{\"a\":1}\r\n\n  \r\n\t{\"b\":2} \n{\"c\":3}";
        let expected = ["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"].map(text);
        assert_eq!(lines(&input[..]), expected);
        assert_eq!(lines(&b""[..]), []);
        assert_eq!(lines(&b"\n\n"[..]), []);
    }

    /// Standard input that is interrupted by a signal before each read, and then fails.
    struct Interrupted {
        text: &'static [u8],
        is_next: bool,
    }

    impl io::Read for Interrupted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.is_next = !self.is_next;
            if self.is_next {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if self.text.is_empty() {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            io::Read::read(&mut self.text, buffer)
        }
    }

    #[test]
    fn a_read_that_a_signal_interrupts_is_repeated_and_one_that_fails_ends_the_input() {
        let input = Interrupted { text: b"one\ntwo\n", is_next: false };
        let failed = Line::Failed(io::ErrorKind::BrokenPipe);
        assert_eq!(lines(input), [text("one"), text("two"), failed]);
    }

    #[test]
    fn a_line_at_the_limit_is_accepted_and_one_past_it_skipped() {
        let limit = usize::try_from(LINE_BYTES_MAX).unwrap();
        let mut input = vec![b'x'; limit];
        input.extend_from_slice(b"\nshort\n");
        let accepted = lines(&input[..]);
        assert!(
            matches!(&accepted[..], [Line::Text(line), _] if line.len() == limit),
            "the line at the limit is not skipped"
        );
        input.insert(0, b'x');
        assert_eq!(lines(&input[..]), [Line::TooLong, text("short")]);
        input.truncate(limit + 1);
        assert_eq!(lines(&input[..]), [Line::TooLong], "without an end");
    }
}
