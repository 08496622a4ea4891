//! Tables from spreadsheets and mailing tools: CSV, record by record.
//!
//! Standard: RFC 4180, with `;` or a tab instead of the comma, any line ending, and UTF-16 (Excel's
//! "Unicode Text"). Cells are bytes, and their reader checks the encoding. A quote that is never
//! closed is a slip, and the lines after it are separate records, if they have all columns: what
//! looks like an address in a note must not be taken for one. Leaves out other quotes and escapes.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};

/// Maximum lines of a quoted cell.
const CELL_LINES_MAX: usize = 20;

/// Lines in which a quote must be closed, so that the cell is refused as one.
const QUOTE_LINES_MAX: usize = 1_000;

/// A record, with the number of its first line.
pub(super) struct Record {
    pub(super) line: u64,
    /// The cells, or what is wrong with the line.
    pub(super) cells: Result<Vec<Vec<u8>>, String>,
}

/// The records of a table.
pub(super) struct Table {
    source: Box<dyn BufRead>,
    delimiter: u8,
    /// How many cells the first record has.
    columns: usize,
    /// The number of the last line read.
    line: u64,
    /// Whether an unclosed quote came after the last record with all columns, so that the next line
    /// may belong to its cell.
    is_adrift: bool,
    /// Lines to read next, without line endings.
    waiting: VecDeque<Vec<u8>>,
}

impl Table {
    /// Begins to read a file. The first line determines the separator.
    pub(super) fn new(file: impl Read + 'static) -> io::Result<Self> {
        let mut table = Self {
            source: decoded(file)?,
            delimiter: b',',
            columns: 0,
            line: 0,
            is_adrift: false,
            waiting: VecDeque::new(),
        };
        if let Some(first) = table.next_line()? {
            if let [b's', b'e', b'p', b'=', delimiter] = *first {
                // Excel's own way to name the separator.
                (table.delimiter, table.line) = (delimiter, 1);
            } else {
                let mut is_quoted = false;
                let outside = first.iter().filter(|byte| {
                    is_quoted ^= **byte == b'"';
                    !is_quoted
                });
                let outside: Vec<u8> = outside.copied().collect();
                let count = |it: &u8| outside.split(|byte| byte == it).count();
                table.delimiter = [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',');
                table.waiting.push_front(first);
            }
        }
        Ok(table)
    }

    /// The next record. Skips empty lines.
    pub(super) fn next(&mut self) -> io::Result<Option<Record>> {
        loop {
            let line = self.line + 1;
            let (cells, mut lines) = self.read_cells()?;
            let is_record = lines.len() <= CELL_LINES_MAX || cells.done.len() == self.columns;
            if cells.are_whole && !cells.are_torn && is_record {
                self.line += lines.len() as u64;
                if cells.done.iter().all(Vec::is_empty) {
                    continue;
                }
                return Ok(Some(Record { line, cells: self.checked(cells.done, lines.len()) }));
            }
            if lines.pop_front().is_none() {
                return Ok(None);
            }
            self.line += 1;
            self.is_adrift = true;
            lines.append(&mut self.waiting);
            self.waiting = lines;
            return Ok(Some(Record { line, cells: Err("a quote is not closed".to_owned()) }));
        }
    }

    /// Reads a record, if its quotes are closed, with its lines.
    fn read_cells(&mut self) -> io::Result<(Cells, VecDeque<Vec<u8>>)> {
        let mut cells = Cells::default();
        let mut lines = VecDeque::new();
        while !(cells.are_whole || cells.are_torn) && lines.len() < QUOTE_LINES_MAX {
            let Some(next) = self.next_line()? else { break };
            cells.read(&next, self.delimiter);
            lines.push_back(next);
        }
        Ok((cells, lines))
    }

    fn checked(&mut self, cells: Vec<Vec<u8>>, lines: usize) -> Result<Vec<Vec<u8>>, String> {
        let found = cells.len();
        if self.columns == 0 {
            self.columns = found;
        }
        self.is_adrift &= found != self.columns;
        if lines > CELL_LINES_MAX {
            Err(format!("a quoted cell has more than {CELL_LINES_MAX} lines"))
        } else if self.is_adrift {
            Err(format!("after an unclosed quote, {found} cells in place of {}", self.columns))
        } else {
            Ok(cells)
        }
    }

    fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        if self.waiting.is_empty() {
            let mut line = Vec::new();
            if self.source.read_until(b'\n', &mut line)? == 0 {
                return Ok(None);
            }
            let line = line.strip_suffix(b"\n").unwrap_or(&line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            // Old Mac programs end lines with CR.
            self.waiting.extend(line.split(|byte| *byte == b'\r').map(<[u8]>::to_vec));
        }
        Ok(self.waiting.pop_front())
    }
}

/// The cells of a record, as far as its lines have been read.
#[derive(Default)]
struct Cells {
    done: Vec<Vec<u8>>,
    cell: Vec<u8>,
    place: Place,
    are_whole: bool,
    /// Whether a multi-line cell ended with a quote followed by text, so that the quote belongs to
    /// another cell.
    are_torn: bool,
    has_line_end: bool,
}

/// A position in a cell.
#[derive(Default, Clone, Copy)]
enum Place {
    #[default]
    Start,
    Plain,
    Quoted,
    /// After a quote in a quoted cell: the end, or half of an escaped quote.
    Quote,
}

impl Cells {
    fn read(&mut self, line: &[u8], delimiter: u8) {
        for &byte in line.iter().chain(b"\n") {
            self.place = match (self.place, byte) {
                (Place::Start, b'"') => Place::Quoted,
                (Place::Quoted, b'"') => Place::Quote,
                (place, byte) => {
                    let is_quoted =
                        matches!((place, byte), (Place::Quoted, _) | (Place::Quote, b'"'));
                    if !is_quoted && (byte == delimiter || byte == b'\n') {
                        self.done.push(std::mem::take(&mut self.cell));
                        self.are_whole = byte == b'\n';
                        Place::Start
                    } else {
                        self.are_torn |=
                            self.has_line_end && matches!(place, Place::Quote) && !is_quoted;
                        self.has_line_end |= byte == b'\n';
                        self.cell.push(byte);
                        if is_quoted { Place::Quoted } else { Place::Plain }
                    }
                }
            };
        }
    }
}

/// Reads a code unit of UTF-16.
type Unit = fn([u8; 2]) -> u16;

/// Decodes a file to ASCII-compatible bytes, without its byte order mark. UTF-16 is read whole.
fn decoded(file: impl Read + 'static) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(file);
    let (length, unit): (_, Option<Unit>) = match file.fill_buf()? {
        [0xff, 0xfe, ..] => (2, Some(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => (2, Some(u16::from_be_bytes)),
        [0xef, 0xbb, 0xbf, ..] => (3, None),
        // A heading in ASCII needs no mark.
        [a, 0, b, 0, ..] if a.min(b) > &0 => (0, Some(u16::from_le_bytes)),
        [0, a, 0, b, ..] if a.min(b) > &0 => (0, Some(u16::from_be_bytes)),
        _ => (0, None),
    };
    file.consume(length);
    let Some(unit) = unit else {
        return Ok(Box::new(file));
    };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let units: Vec<_> = bytes.as_chunks().0.iter().map(|&pair| unit(pair)).collect();
    Ok(Box::new(io::Cursor::new(String::from_utf16_lossy(&units))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &[u8]) -> Vec<(u64, String)> {
        let mut table = Table::new(io::Cursor::new(text.to_vec())).unwrap();
        let mut records = Vec::new();
        while let Some(Record { line, cells }) = table.next().unwrap() {
            let cells = cells.map(|cells| {
                cells.iter().map(|cell| String::from_utf8_lossy(cell)).collect::<Vec<_>>().join("|")
            });
            records.push((line, cells.unwrap_or_else(|fault| fault)));
        }
        records
    }

    fn of(lines: &[(u64, &str)]) -> Vec<(u64, String)> {
        lines.iter().map(|&(line, text)| (line, text.to_owned())).collect()
    }

    #[test]
    fn records_are_read_with_any_separator_and_line_end() {
        for end in ["\n", "\r\n", "\r"] {
            for separator in [",", ";", "\t"] {
                let text = format!(
                    "a{separator}b{end}1{separator}\"x{separator}\"\"y\"{end}{end}2{separator}{end}{end}"
                );
                let quoted = format!("1|x{separator}\"y");
                let expected = of(&[(1, "a|b"), (2, &quoted), (4, "2|")]);
                assert_eq!(records(text.as_bytes()), expected, "{text:?}");
            }
        }
        assert_eq!(records(b"\xef\xbb\xbfa;b"), of(&[(1, "a|b")]));
        assert_eq!(records(b"sep=|\r\na|b,c"), of(&[(2, "a|b,c")]));
        assert_eq!(records(b"name;\"e-mail, private\"\n"), of(&[(1, "name|e-mail, private")]));
        assert_eq!(records(b""), of(&[]));
    }

    #[test]
    fn utf_16_is_read_with_and_without_its_mark() {
        let text = "\u{feff}Name\tE-Mail\r\nÄda 🎉\ta@example.org\r\n";
        let expected = of(&[(1, "Name|E-Mail"), (2, "Äda 🎉|a@example.org")]);
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let file: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
            assert_eq!(records(&file), expected);
            assert_eq!(records(&file[2..]), expected);
        }
        let long = format!("\u{feff}{}\n", "🎉ä€x".repeat(10_000));
        let file: Vec<u8> = long.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(records(&file)[0].1, "🎉ä€x".repeat(10_000));
    }

    #[test]
    fn a_quote_that_is_not_closed_costs_its_line_alone() {
        let slip = "a quote is not closed";
        assert_eq!(
            records(b"email\n\"oops\nb@c.d\n\"x\ny\"\n"),
            of(&[(1, "email"), (2, slip), (3, "b@c.d"), (4, "x\ny")])
        );
        let text = format!("email\n{}", "\"oops\n".repeat(3_000));
        assert_eq!(records(text.as_bytes()).len(), 3_001);
        let long = format!("email\n\"oops\n{}", "a@b.c\n".repeat(5_000));
        assert_eq!(records(long.as_bytes()).len(), 5_002);
    }

    #[test]
    fn the_lines_of_a_note_are_no_records() {
        let note = |lines: usize| {
            let lines = vec!["stranger@example.org"; lines].join("\n");
            records(format!("email,note\na@b.c,\"{lines}\"\nd@e.f,ok\n").as_bytes())
        };
        assert!(note(20)[1].1.starts_with("a@b.c|stranger"));
        let refused = "a quoted cell has more than 20 lines";
        assert_eq!(note(21), of(&[(1, "email|note"), (2, refused), (23, "d@e.f|ok")]));
        // A quote within the note that was not doubled, and one that is never closed.
        for quote in ["\"quote\"", "\"quote"] {
            let text = format!("email,note\na@b.c,\"a\n{quote}\nstranger@example.org\nd@e.f,ok\n");
            let records = records(text.as_bytes());
            assert!(
                records.iter().all(|(_, cells)| cells != "stranger@example.org"),
                "{records:?}"
            );
            assert_eq!(records.last().unwrap().1, "d@e.f|ok");
        }
    }
}
