//! Segments of a token, after stripping what surrounds a pasted token.

use crate::base64::{self, Alphabet, Defect, Fault};
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::{WarningKind, Warnings};

/// Quotes that editors and shells put around a token.
const QUOTES: [char; 7] = ['"', '\'', '`', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}'];

/// How the header of every token begins: `{"`.
const TOKEN_START: &str = "eyJ";

/// Names of the parts of a signed token, and of an encrypted one.
const SIGNED_PARTS: [&str; 3] = ["header", "payload", "signature"];
const ENCRYPTED_PARTS: [&str; 5] =
    ["header", "encrypted key", "initialization vector", "ciphertext", "authentication tag"];

/// Part of a token between full stops.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment<'a> {
    /// Name in error messages.
    pub(super) name: &'static str,
    pub(super) text: &'a str,
    /// The text that contains it, and its offset there.
    whole: &'a str,
    start: usize,
}

/// The segments of a token.
#[derive(Debug)]
pub(super) enum Segments<'a> {
    /// Header, payload and signature.
    Signed([Segment<'a>; 3]),
    /// The header, and the parts that only the key can decrypt.
    Encrypted([Segment<'a>; 5]),
}

/// Splits a token at its full stops, after stripping what surrounds it.
pub(super) fn split<'a>(
    whole: &'a str,
    warnings: &mut Warnings,
) -> Result<Segments<'a>, ToolError> {
    let (mut token, mut start) = unwrapped(whole);
    if let Some(found) = within(token)? {
        start += found;
        token = run_at(token, found);
        warnings.add(WarningKind::Dropped, "The text around the token was left out.");
    }
    if token.is_empty() {
        return Err(ToolError::new("is empty").with_hint("give a token"));
    }
    let mut parts = token.split('.');
    let next = |name| {
        let text = parts.next().expect("there are as many parts as names");
        let segment = Segment { name, text, whole, start };
        start += text.len() + 1;
        segment
    };
    match token.bytes().filter(|&byte| byte == b'.').count() + 1 {
        3 => Ok(Segments::Signed(SIGNED_PARTS.map(next))),
        5 => Ok(Segments::Encrypted(ENCRYPTED_PARTS.map(next))),
        count => Err(wrong_count(token, count)),
    }
}

/// Finds the one token within a cookie, a JSON object, a command line or other text.
fn within(text: &str) -> Result<Option<usize>, ToolError> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let mut found: Vec<(usize, &str)> = Vec::new();
    // The characters of a token from the last start on. One after `=` may have many starts, of which
    // each end is looked for once.
    let mut run = "";
    let (mut last, mut dots, mut ends) = (0, 0, false);
    for (index, _) in text.match_indices(TOKEN_START) {
        let before = index.checked_sub(1).and_then(|before| text.as_bytes().get(before));
        if before.is_some_and(is_part) {
            continue;
        }
        let rest = run.split_at_checked(index - last).filter(|(_, rest)| !rest.is_empty());
        if let Some((skipped, rest)) = rest {
            dots -= skipped.matches('.').count();
            run = rest;
        } else {
            run = run_at(text, index);
            dots = run.matches('.').count();
            let after = text.get(index + run.len()..).and_then(|rest| rest.chars().next());
            ends = after.is_none_or(|next| next.is_whitespace() || "\"'`,;&)}]<\\".contains(next));
        }
        last = index;
        if ends && [2, 4].contains(&dots) {
            found.push((index, run));
        }
    }
    found.dedup_by_key(|&mut (_, run)| run);
    match found.as_slice() {
        [] => Ok(None),
        // The rest may be that of a token broken into lines.
        [(0, _)] if text.bytes().all(|byte| is_token(byte) || byte.is_ascii_whitespace()) => {
            Ok(None)
        }
        [(index, _)] => Ok(Some(*index)),
        several => {
            let message = format!("has {} tokens", several.len());
            Err(ToolError::new(message)
                .of(ErrorKind::Unsupported)
                .with_hint("give one token alone"))
        }
    }
}

/// The characters of a token from an index on.
fn run_at(text: &str, index: usize) -> &str {
    let rest = text.get(index..).unwrap_or_default();
    let length = rest.bytes().take_while(|&byte| is_token(byte)).count();
    rest.get(..length).unwrap_or_default()
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.=".contains(&byte)
}

fn wrong_count(token: &str, count: usize) -> ToolError {
    let parts = if count == 1 { "part" } else { "parts" };
    let refusal = ToolError::new(format!(
        "has {count} {parts} where a token has three (header, payload, signature) or, encrypted, five"
    ));
    if token.starts_with('{') {
        return refusal
            .of(ErrorKind::Unsupported)
            .with_hint("the JSON serialization is not read: give the compact one");
    }
    match count {
        1 => refusal.with_hint("full stops divide the parts"),
        2 => refusal.with_hint("a token without a signature ends in a full stop"),
        _ => refusal.with_hint("give one token alone"),
    }
}

/// Strips `Authorization:`, `Bearer`, quotes and white space; also returns the offset of the rest.
fn unwrapped(whole: &str) -> (&str, usize) {
    let around = |character: char| {
        character.is_whitespace() || character == '\u{FEFF}' || QUOTES.contains(&character)
    };
    let mut rest = whole.trim_end_matches(around);
    let end = rest.len();
    loop {
        let before = rest.len();
        rest = rest.trim_start_matches(around);
        rest = without(rest, "authorization:").unwrap_or(rest);
        rest = without(rest, "bearer")
            .filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
            .unwrap_or(rest);
        if rest.len() == before {
            return (rest, end - before);
        }
    }
}

/// Strips a prefix, ignoring its case.
fn without<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

impl Segment<'_> {
    /// The same text as another part of a token.
    pub(super) fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    /// Decodes the segment as text.
    pub(super) fn decode(&self, warnings: &mut Warnings) -> Result<String, ToolError> {
        let decoded = base64::read(self.text.as_bytes(), Some(Alphabet::Url))
            .map_err(|fault| self.not_base64url(fault))?;
        self.warn_of_padding(warnings);
        String::from_utf8(decoded.bytes).map_err(|_| {
            ToolError::new(format!(
                "has a {} that is not a JSON object: it is not UTF-8 text",
                self.name
            ))
        })
    }

    /// Validates a segment that is shown as it is, or not at all.
    ///
    /// Non-zero trailing bits only cause a warning here: those who alter a token's last character
    /// to see whether its signature still holds should see the result.
    pub(super) fn check(&self, warnings: &mut Warnings) -> Result<(), ToolError> {
        match base64::read(self.text.as_bytes(), Some(Alphabet::Url)) {
            Err(Fault { defect: Defect::TrailingBits, .. }) => warnings.push(format!(
                "The last character of the {} has unused bits that are set; strict readers refuse it.",
                self.name
            )),
            Err(fault) => return Err(self.not_base64url(fault)),
            Ok(_) => {}
        }
        self.warn_of_padding(warnings);
        Ok(())
    }

    fn warn_of_padding(&self, warnings: &mut Warnings) {
        if self.text.ends_with('=') {
            let name = self.name;
            warnings.push(format!("The {name} has padding (`=`), which a token must not have."));
        }
    }

    fn not_base64url(&self, fault: Fault) -> ToolError {
        let what = fault.defect.what().trim_end_matches(',');
        let name = self.name;
        let article = if name.starts_with(['a', 'e', 'i']) { "an" } else { "a" };
        ToolError::new(format!("has {article} {name} that is not base64url: it has {what},"))
            .at(Position::offset(self.whole, self.start + fault.index))
    }
}
