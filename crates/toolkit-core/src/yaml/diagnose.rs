//! Diagnosis of a syntax error: what the author has to correct, which is often before the place
//! where the parser stops.
//!
//! Only the text after the last event is examined, by rules coarser than the grammar. They choose a
//! sentence but do not decide what is valid.

use granit_parser::{ErrorKind as Reason, ScanError};

use super::errors;
use crate::error::{Position, ToolError};

/// The state when the parser stops.
pub(super) struct Scene<'t> {
    pub(super) text: &'t str,
    /// Byte offset up to which the parser has reported events.
    pub(super) reached: usize,
    /// Byte offsets of the open brackets before that.
    pub(super) brackets: Vec<usize>,
}

/// The quotes and brackets open at some place.
struct Open {
    quote: Option<usize>,
    brackets: Vec<usize>,
}

impl Open {
    /// Follows quotes and brackets, optionally only until the last bracket is closed. Returns the
    /// position.
    fn scan(mut self, bytes: &[u8], from: usize, until: usize, once: bool) -> (Self, usize) {
        let mut at = from.min(until);
        while at < until {
            match bytes[at] {
                b' ' | b'\t' | b'\r' | b'\n' | b',' => at += 1,
                b'#' => at = end_of_line(bytes, at),
                b'[' | b'{' => {
                    self.brackets.push(at);
                    at += 1;
                }
                b']' | b'}' => {
                    self.brackets.pop();
                    at += 1;
                    if once && self.brackets.is_empty() {
                        break;
                    }
                }
                b'\'' | b'"' => {
                    let Some(end) = end_of_quote(bytes, at).filter(|&end| end <= until) else {
                        self.quote = Some(at);
                        break;
                    };
                    at = end;
                }
                b'-' | b'?' | b':' if is_blank(bytes.get(at + 1)) => at += 1,
                b'&' | b'*' | b'!' => at = end_of_property(bytes, at),
                _ => at = end_of_plain(bytes, at, !self.brackets.is_empty()),
            }
        }
        (self, at)
    }
}

/// Builds the error for a syntax error of the parser.
pub(super) fn explain(error: &ScanError, scene: &Scene<'_>) -> ToolError {
    let at = error.marker().byte_offset().unwrap_or_default();
    let explained = scene.template(at).or_else(|| match error.kind() {
        Reason::UnclosedQuotedScalar => Some(scene.unclosed(at, "close it")),
        Reason::DocumentIndicatorInQuotedScalar => {
            Some(scene.unclosed(at, "close it, or indent a line that begins with `---` or `...`"))
        }
        Reason::UnclosedFlowCollection { .. } | Reason::MismatchedFlowCollectionEnd { .. } => {
            Some(scene.unclosed_bracket(at, None))
        }
        Reason::InvalidQuotedScalarIndent
        | Reason::InvalidIndentation
        | Reason::InvalidFlowScalarIndent
        | Reason::TabInIndentation => scene.under_indented(at),
        Reason::ExpectedFlowSequenceSeparator
        | Reason::ExpectedFlowMappingSeparator
        | Reason::UnexpectedEofFlowSequence
        | Reason::UnexpectedEofFlowMapping => scene.missing_comma(at),
        Reason::UnknownQuotedScalarEscape
        | Reason::InvalidQuotedScalarHexEscape
        | Reason::InvalidLowSurrogateHexEscape
        | Reason::MissingLowSurrogate
        | Reason::InvalidLowSurrogate
        | Reason::UnpairedLowSurrogate
        | Reason::InvalidUnicodeEscape => scene.escape(at),
        Reason::InvalidTrailingSingleQuotedScalar | Reason::InvalidTrailingDoubleQuotedScalar => {
            scene.between_brackets(at)
        }
        Reason::MappingValueNotAllowed => scene.misplaced_key(at),
        Reason::CommentInterceptedScalar => scene.after_comment(at),
        Reason::ExpectedBlockMappingKey | Reason::ExpectedBlockSequenceEntry => scene.trailing(at),
        Reason::ExpectedDocumentStart => scene.directive(at),
        Reason::UnexpectedCharacter { character } => Some(scene.character(*character, at)),
        _ => None,
    });
    let tab =
        || errors::is_tab(error.kind()).then(|| errors::of_tab().at(scene.place(scene.tab(at))));
    explained.or_else(tab).unwrap_or_else(|| errors::of_syntax(error))
}

impl Scene<'_> {
    fn place(&self, at: usize) -> Position {
        Position::line_column(self.text, at)
    }

    fn error(&self, defect: &str, at: usize, hint: impl Into<String>) -> ToolError {
        let error = ToolError::new(format!("is not valid YAML: {defect}"));
        error.at(self.place(at)).with_hint(hint.into())
    }

    /// Error for a quote or a bracket that is not closed.
    fn unclosed(&self, opener: usize, hint: impl Into<String>) -> ToolError {
        let what = match self.text.as_bytes()[opener] {
            b'[' => "`[`",
            b'{' => "`{`",
            _ => "quote",
        };
        let message = format!("is not valid YAML: the {what} that opens here is not closed");
        ToolError::new(message).at(self.place(opener)).with_hint(hint.into())
    }

    /// Error for a bracket that is not closed, perhaps before the line of `end`.
    fn unclosed_bracket(&self, opener: usize, end: Option<usize>) -> ToolError {
        let close = match self.text.as_bytes()[opener] {
            b'[' => ']',
            _ => '}',
        };
        let before = end.map(|end| format!(" before line {}", self.line_number(end)));
        let hint = format!("end it with `{close}`{}", before.unwrap_or_default());
        self.unclosed(opener, hint)
    }

    fn line_number(&self, at: usize) -> usize {
        self.text[..at].bytes().filter(|&byte| byte == b'\n').count() + 1
    }

    /// A line between quotes or brackets that is not indented: mostly one that should not be there.
    fn under_indented(&self, at: usize) -> Option<ToolError> {
        let open = self.open(at);
        if let Some(quote) = open.quote {
            let hint = match self.text[at..].trim() {
                "" => "close it".to_owned(),
                _ => format!("close it, or indent line {} deeper", self.line_number(at)),
            };
            return Some(self.unclosed(quote, hint));
        }
        let bracket = open.brackets.last().copied()?;
        if !self.is_closed_later(bracket) {
            return Some(self.unclosed_bracket(bracket, Some(at)));
        }
        let character = &self.text[bracket..=bracket];
        let place = self.place(bracket);
        let defect = format!(
            "a line inside the `{character}` that opens at {place} is not indented deeper than its \
             block"
        );
        Some(self.error(&defect, at, "indent it"))
    }

    fn missing_comma(&self, at: usize) -> Option<ToolError> {
        let bracket = self.open(at).brackets.last().copied()?;
        if !self.is_closed_later(bracket) {
            return Some(self.unclosed_bracket(bracket, None));
        }
        let (open, close) = match self.text.as_bytes()[bracket] {
            b'[' => ('[', ']'),
            _ => ('{', '}'),
        };
        let place = self.place(bracket);
        let hint = format!("write it, or quote the text; the `{open}` opens at {place}");
        Some(self.error(&format!("a comma or `{close}` is missing"), at, hint))
    }

    /// A text after a closing quote, between brackets: probably a comma is missing.
    fn between_brackets(&self, at: usize) -> Option<ToolError> {
        self.open(at).brackets.last()?;
        let hint =
            "put a comma or a colon between them, or write a quote inside quotes as `\\\"` or `''`";
        Some(self.error("a text goes on after its closing quote", at, hint))
    }

    /// The quote and the brackets that are open at a place.
    fn open(&self, until: usize) -> Open {
        let open = Open { quote: None, brackets: self.brackets.clone() };
        open.scan(self.text.as_bytes(), self.reached, until, false).0
    }

    /// Whether a bracket has its closing bracket, whatever the indentation.
    fn is_closed_later(&self, bracket: usize) -> bool {
        let open = Open { quote: None, brackets: Vec::new() };
        let bytes = self.text.as_bytes();
        let (open, end) = open.scan(bytes, bracket, bytes.len(), true);
        open.brackets.is_empty()
            && bytes[..end].ends_with(if bytes[bracket] == b'[' { b"]" } else { b"}" })
    }

    /// An escape that is none, between the double quotes that open at `quote`.
    fn escape(&self, quote: usize) -> Option<ToolError> {
        const HINT: &str = "double the backslash, or use single quotes";
        let mut at = quote + 1;
        loop {
            at += self.text.get(at..)?.find(['\\', '"'])?;
            let mut rest = self.text[at..].strip_prefix('\\')?.chars();
            let kind = rest.next()?;
            let digits = match kind {
                'x' => 2,
                'u' => 4,
                'U' => 8,
                _ if "0abt\tnvfre \"/\\N_LP\r\n".contains(kind) => {
                    at += 2;
                    continue;
                }
                _ if kind.is_ascii_graphic() => {
                    return Some(self.error(&format!("`\\{kind}` is not an escape"), at, HINT));
                }
                _ => return Some(self.error("a backslash begins no escape", at, HINT)),
            };
            let hex = rest.as_str().get(..digits);
            let code = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok());
            let Some(code) = code.filter(|_| !rest.as_str().starts_with('+')) else {
                let defect = format!("`\\{kind}` without its {digits} hexadecimal digits");
                return Some(self.error(&defect, at, HINT));
            };
            let written = &self.text[at..at + 2 + digits];
            at += written.len();
            match code {
                0xD800..=0xDBFF if kind == 'u' && self.is_low_surrogate(at) => at += written.len(),
                0xD800..=0xDFFF => {
                    let defect = format!("`{written}` is half of a surrogate pair");
                    let hint = "write the character itself, or both halves";
                    return Some(self.error(&defect, at - written.len(), hint));
                }
                0x11_0000.. => {
                    let defect = format!("`{written}` does not denote a character");
                    return Some(self.error(&defect, at - written.len(), "write one up to 10FFFF"));
                }
                _ => {}
            }
        }
    }

    fn is_low_surrogate(&self, at: usize) -> bool {
        let hex = self.text[at..].strip_prefix("\\u").and_then(|rest| rest.get(..4));
        let code = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok());
        code.is_some_and(|code| (0xDC00..=0xDFFF).contains(&code))
    }

    /// A colon where no key can end: in a line that is indented too far, or after a line without one.
    fn misplaced_key(&self, at: usize) -> Option<ToolError> {
        let line = self.line_start(at);
        let first = line + indentation(&self.text[line..]);
        if self.text.get(first..at)?.contains(": ") {
            return None;
        }
        let above = self.content_line_before(line)?;
        let start = above + indentation(&self.text[above..]);
        if first - line > start - above {
            return Some(self.too_deep(first));
        }
        let text = &self.text[start..self.end_of_line(start)];
        if let Some(colon) = colon_without_space(text) {
            let hint = "put a space after it, or quote the text";
            return Some(self.error("a colon without a space after it", start + colon, hint));
        }
        let hint = "add `: ` after the key, or indent the line if it continues the value above";
        Some(self.error("expected `key: value`", start, hint))
    }

    /// The line after a comment that ends a text: a key that is indented too far.
    fn after_comment(&self, at: usize) -> Option<ToolError> {
        let above = self.line_start(at);
        let line = self.end_of_line(at) + 1;
        let text = self.text.get(line..)?.lines().next()?;
        let is_deeper = indentation(text) > indentation(&self.text[above..]);
        let is_key = text.contains(": ") || text.trim_end().ends_with(':');
        (is_deeper && is_key).then(|| self.too_deep(line + indentation(text)))
    }

    fn too_deep(&self, at: usize) -> ToolError {
        let hint = "align the two, or end the line above with `:`";
        self.error("this line is indented more than the one above", at, hint)
    }

    /// A token after the end of a value, or a line that belongs nowhere, reported at its start.
    fn trailing(&self, at: usize) -> Option<ToolError> {
        let line = self.line_start(at);
        let first = line + indentation(&self.text[line..]);
        let before = self.text.get(first..at)?.trim_end();
        if before.is_empty() {
            return None;
        }
        Some(if before.trim_matches(['-', ' ', '\t']).is_empty() {
            let hint = "indent it like the other items, or give the mapping a key for them";
            self.error("an item stands where a key should", first, hint)
        } else {
            self.error("a text goes on after the end of a value", at, "quote the whole text")
        })
    }

    /// A line that begins with `%`, which is a directive.
    fn directive(&self, at: usize) -> Option<ToolError> {
        let above = self.content_line_before(self.line_start(at))?;
        self.text[above..].starts_with('%').then(|| {
            let hint = "quote the text, or begin the document after it with `---`";
            self.error("a line that begins with `%` is a directive", above, hint)
        })
    }

    /// A forbidden character in a text, which begins at `start`.
    fn character(&self, character: char, start: usize) -> ToolError {
        let at = start + self.text[start..].find(character).unwrap_or_default();
        let defect = match character {
            '`' => "a backquote cannot begin a text".to_owned(),
            _ if character.is_ascii_graphic() => format!("`{character}` cannot begin a text"),
            _ => return errors::of_character(character).at(self.place(at)),
        };
        self.error(&defect, at, "quote the text")
    }

    /// A template of Helm, Jinja and the like in the line: the text is not YAML yet.
    fn template(&self, at: usize) -> Option<ToolError> {
        let line = self.line_start(at);
        let text = &self.text[line..self.end_of_line(line)];
        let (start, _) = text.match_indices('{').find(|&(start, _)| {
            let before = text[..start].trim_end();
            (text[start..].starts_with("{{") || text[start..].starts_with("{%"))
                && (before.is_empty() || before.ends_with([':', '-', ',', '[', '?']))
        })?;
        let start = line + start;
        let is_quoted = self.reached < start && self.open(start).quote.is_some();
        (!is_quoted).then(|| errors::of_template().at(self.place(start)))
    }

    /// The tab that indents a line, for an error at or before it.
    fn tab(&self, at: usize) -> usize {
        let leading = |line: usize| {
            let blanks = self.text[line..].trim_start_matches([' ', '\t']);
            let end = self.text.len() - blanks.len();
            self.text[line..end].find('\t').map(|index| line + index)
        };
        let line = self.line_start(at);
        let later = self.text[at..].match_indices('\n');
        let mut lines = std::iter::once(line).chain(later.map(|(index, _)| at + index + 1));
        lines
            .find_map(leading)
            .or_else(|| self.text[line..at].rfind('\t').map(|index| line + index))
            .unwrap_or(at)
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |index| index + 1)
    }

    fn end_of_line(&self, at: usize) -> usize {
        end_of_line(self.text.as_bytes(), at)
    }

    /// Start of the last line before `line` that is neither blank nor a comment.
    fn content_line_before(&self, mut line: usize) -> Option<usize> {
        loop {
            line = self.line_start(line.checked_sub(1)?);
            let text = self.text[line..self.end_of_line(line)].trim_start();
            if !text.is_empty() && !text.starts_with('#') {
                return Some(line);
            }
        }
    }
}

/// Number of spaces at the start of a line.
fn indentation(line: &str) -> usize {
    line.bytes().take_while(|&byte| byte == b' ').count()
}

/// A colon within a word: `key:value`, but not `http://`.
pub(super) fn colon_without_space(text: &str) -> Option<usize> {
    let (key, value) = text.split_once(':')?;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte);
    let is_key =
        key.starts_with(|first: char| first.is_ascii_alphabetic()) && key.bytes().all(is_word);
    let is_joined = !value.is_empty()
        && !value.starts_with([' ', '\t', '\r', '\n'])
        && !value.starts_with("//");
    (is_key && is_joined).then_some(key.len())
}

fn is_blank(byte: Option<&u8>) -> bool {
    byte.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    let length = bytes[at..].iter().position(|&byte| byte == b'\n');
    length.map_or(bytes.len(), |length| at + length)
}

/// Offset after the quote that closes the one at `at`.
fn end_of_quote(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes[at];
    let mut at = at + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' if quote == b'"' => at += 2,
            b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

fn end_of_property(bytes: &[u8], at: usize) -> usize {
    let is_end = |byte: &u8| is_blank(Some(byte)) || b",[]{}".contains(byte);
    let length = bytes[at + 1..].iter().position(is_end);
    length.map_or(bytes.len(), |length| at + 1 + length)
}

/// Offset after a plain scalar, or its part in this line. At least one byte further.
fn end_of_plain(bytes: &[u8], at: usize, in_flow: bool) -> usize {
    let is_end = |index: usize| match bytes[index] {
        b'\n' => true,
        b':' => is_blank(bytes.get(index + 1)) || in_flow && b",[]{}".contains(&bytes[index + 1]),
        b'#' => is_blank(bytes.get(index - 1)),
        byte => in_flow && b",[]{}".contains(&byte),
    };
    (at + 1..bytes.len()).find(|&index| is_end(index)).unwrap_or(bytes.len())
}
