//! Token segments, after stripping the surroundings of a pasted token.

use crate::around;
use crate::base64::{self, Alphabet, Defect, Fault};
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::{WarningKind, Warnings};

/// What may follow a token.
const CLOSING: &str = "\"'`,;&)}]<\\";

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

/// Splits a token at its full stops, after stripping its surroundings.
pub(super) fn split<'a>(
    whole: &'a str,
    warnings: &mut Warnings,
) -> Result<Segments<'a>, ToolError> {
    let mut around = Warnings::new();
    let (mut token, mut start) = unwrapped(whole, &mut around);
    if let Some(found) = within(token)? {
        start += found;
        token = run_at(token, found);
        token = token.strip_suffix('.').filter(|_| has_full_stop(token)).unwrap_or(token);
        around = Warnings::new();
        around.add(WarningKind::Dropped, "The text around the token was left out.");
    }
    around.iter().for_each(|warning| warnings.add(warning.kind, warning.text.to_owned()));
    if let Some(kind @ ("v1" | "v2" | "v3" | "v4")) = token.split('.').next()
        && token.split('.').nth(1).is_some_and(|purpose| ["local", "public"].contains(&purpose))
    {
        let message = format!("is a PASETO (`{kind}`), not a JSON Web Token");
        return Err(ToolError::new(message).of(ErrorKind::Unsupported));
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

/// A text without the line breaks of a terminal or a mail inside its token, if it has any.
pub(super) fn unbroken(text: &str) -> Option<String> {
    let (token, start) = unwrapped(text, &mut Warnings::new());
    let is_alone = token.starts_with(TOKEN_START)
        && token.lines().count() > 1
        && token.lines().all(|line| !line.trim_ascii().contains([' ', '\t']))
        && token.bytes().all(|byte| is_token(byte) || byte.is_ascii_whitespace());
    if !is_alone {
        return unbroken_within(text);
    }
    let (before, rest) = text.split_at_checked(start)?;
    let joined: String = token.split_ascii_whitespace().collect();
    let is_whole = [2, 4].contains(&joined.matches('.').count());
    is_whole.then(|| [before, &joined, rest.get(token.len()..).unwrap_or_default()].concat())
}

/// Joins the lines of a token within other text: up to the last of its parts, and those of the
/// signature if a closing quote follows, or if they complete the length of its algorithm.
fn unbroken_within(text: &str) -> Option<String> {
    let start = starts(text).next()?;
    let run = run_at(text, start);
    let (mut token, mut rest) = (run.to_owned(), text.get(start + run.len()..)?);
    let mut ends = vec![(token.len(), rest)];
    while let Some((line, after)) = next_line(rest) {
        token.push_str(line);
        rest = after;
        ends.push((token.len(), rest));
    }
    let (dots, lengths) = form(token.split('.').next()?);
    let mut dots = token.match_indices('.').map(|(place, _)| place).skip(dots - 1);
    let last = dots.next()? + 1;
    let beyond = dots.next().unwrap_or(token.len());
    let mut ends = ends.iter().skip_while(|(end, _)| *end < last);
    let first = ends.next()?;
    let is_last = |&&(end, rest): &&(usize, &str)| {
        end <= beyond && (rest.starts_with(['"', '\'', '`']) || lengths.contains(&(end - last)))
    };
    let (end, rest) = ends.filter(is_last).last().unwrap_or(first);
    token.truncate(*end);
    (token.len() > run.len())
        .then(|| [text.get(..start).unwrap_or_default(), &token, rest].concat())
}

/// The next line, if it has nothing but a token's characters up to its end or a quote or the like.
fn next_line(rest: &str) -> Option<(&str, &str)> {
    let line = rest.trim_start_matches([' ', '\t', '\r']).strip_prefix('\n')?.trim_start();
    let run = run_at(line, 0);
    let after = line.get(run.len()..).filter(|_| !run.is_empty())?;
    let next = after.trim_start_matches([' ', '\t', '\r']).chars().next();
    next.is_none_or(|next| next == '\n' || CLOSING.contains(next)).then_some((run, after))
}

/// Lengths of a signature in Base64, by what its algorithm begins with.
const SIGNATURES: [(&str, &[usize]); 9] = [
    ("HS256", &[43]),
    ("HS384", &[64]),
    ("HS512", &[86]),
    ("ES256", &[86]),
    ("ES384", &[128]),
    ("ES512", &[176]),
    ("EdDSA", &[86]),
    ("RS", &[342, 512, 683]),
    ("PS", &[342, 512, 683]),
];

/// Number of full stops in a token with this header, and lengths that its signature can have.
fn form(header: &str) -> (usize, &'static [usize]) {
    let header = base64::read(header.as_bytes(), Some(Alphabet::Url)).ok();
    let header = header.and_then(|read| String::from_utf8(read.bytes).ok()).unwrap_or_default();
    let named = |&&(name, _): &&(&str, _)| header.contains(&format!("\"{name}"));
    let lengths = SIGNATURES.iter().find(named).map_or(&[][..], |(_, lengths)| *lengths);
    (if header.contains("\"enc\"") { 4 } else { 2 }, lengths)
}

/// Finds the one token within a cookie, a JSON object, a command line or other text.
fn within(text: &str) -> Result<Option<usize>, ToolError> {
    let mut found: Vec<(usize, &str)> = Vec::new();
    // The characters of a token from the last start on. One after `=` may have many starts, of which
    // each end is looked for once.
    let mut run = "";
    let (mut last, mut dots, mut ends) = (0, 0, false);
    for index in starts(text) {
        let rest = run.split_at_checked(index - last).filter(|(_, rest)| !rest.is_empty());
        if let Some((skipped, rest)) = rest {
            dots -= skipped.matches('.').count();
            run = rest;
        } else {
            run = run_at(text, index);
            dots = run.matches('.').count();
            let after = text.get(index + run.len()..).and_then(|rest| rest.chars().next());
            ends = after.is_none_or(|next| next.is_whitespace() || CLOSING.contains(next));
        }
        last = index;
        if ends && ([2, 4].contains(&dots) || has_full_stop(run)) {
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
                .with_hint("send one token per call"))
        }
    }
}

/// Where a token may start.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let places = text.match_indices(TOKEN_START).map(|(index, _)| index);
    places.filter(move |index| {
        let before = index.checked_sub(1).and_then(|before| text.as_bytes().get(before));
        !before.is_some_and(is_part)
    })
}

/// Whether a token has a full stop too many, at its end: that of a sentence.
fn has_full_stop(token: &str) -> bool {
    token.ends_with('.') && [3, 5].contains(&token.bytes().filter(|&byte| byte == b'.').count())
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
        _ if has_full_stop(token) => refusal.with_hint("remove the full stop at the end"),
        _ => refusal.with_hint("send one token per call"),
    }
}

/// Strips `Authorization:`, `Bearer` and white space and, with a warning, quotes and the like. Also
/// returns the offset of the rest.
fn unwrapped<'a>(whole: &'a str, warnings: &mut Warnings) -> (&'a str, usize) {
    let mut rest = whole;
    loop {
        let before = rest.len();
        rest = around::bare(rest, "the token", warnings).trim();
        rest = without(rest, "authorization:").unwrap_or(rest);
        rest = without(rest, "bearer")
            .filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
            .unwrap_or(rest);
        if rest.len() == before {
            return (rest, rest.as_ptr().addr() - whole.as_ptr().addr());
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

    /// Validates a segment that is shown as is, or not at all.
    ///
    /// Non-zero trailing bits only cause a warning here, so that people who alter a token's last
    /// character to see whether its signature still holds can see the result.
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
        let what = fault.defect.what();
        let name = self.name;
        let article = if name.starts_with(['a', 'e', 'i']) { "an" } else { "a" };
        let refusal =
            ToolError::new(format!("has {article} {name} that is not base64url: it has {what}"))
                .at(Position::offset(self.whole, self.start + fault.index));
        let rest = self.text.get(fault.index..).unwrap_or_default();
        if rest.starts_with(char::is_whitespace) { refusal.with_hint("remove it") } else { refusal }
    }
}
