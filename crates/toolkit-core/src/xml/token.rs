//! Where each piece of a document begins and ends, found by quick-xml.
//!
//! quick-xml splits a text into markup and character data fast, and checks little of it: its own
//! checks are turned off, and the rest of this module makes all of them. A token is kept as the
//! slice of the document that it is, so that it can be written back as it was.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::defect::{Checked, Defect, Fault};
use super::reference;
use super::tag::Tag;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    StartTag,
    EmptyTag,
    EndTag,
    Text,
    Reference,
    CData,
    Comment,
    Doctype,
    /// A processing instruction, or the declaration.
    Instruction,
}

/// A piece of the document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// The byte of the document at which it begins.
    pub(super) at: usize,
    /// All of it, delimiters too.
    pub(super) raw: &'a str,
}

impl<'a> Token<'a> {
    /// The byte behind it.
    pub(super) const fn end(&self) -> usize {
        self.at + self.raw.len()
    }

    /// What stands between its delimiters.
    pub(super) fn inside(&self) -> &'a str {
        let (before, behind) = match self.kind {
            Kind::StartTag | Kind::Reference | Kind::Doctype => (1, 1),
            Kind::EmptyTag => (1, 2),
            Kind::EndTag => (2, 1),
            Kind::Text => (0, 0),
            Kind::CData => ("<![CDATA[".len(), "]]>".len()),
            Kind::Comment => ("<!--".len(), "-->".len()),
            Kind::Instruction => (2, 2),
        };
        let range = before..self.raw.len() - behind;
        self.raw.get(range).unwrap_or_default()
    }
}

/// The tokens of a document.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    source: &'a str,
    reader: Reader<&'a [u8]>,
}

impl<'a> Tokens<'a> {
    /// Starts at the beginning of `source`, which has no byte order mark.
    pub(super) fn new(source: &'a str) -> Self {
        let mut reader = Reader::from_str(source);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.trim_markup_names_in_closing_tags = false;
        Self { source, reader }
    }

    /// Takes the next token; there is none behind the last one.
    pub(super) fn next(&mut self) -> Checked<Option<Token<'a>>> {
        let at = self.position();
        let kind = match self.reader.read_event() {
            Ok(Event::Start(_)) => Kind::StartTag,
            Ok(Event::Empty(_)) => Kind::EmptyTag,
            Ok(Event::End(_)) => Kind::EndTag,
            Ok(Event::Text(_)) => Kind::Text,
            Ok(Event::GeneralRef(_)) => Kind::Reference,
            Ok(Event::CData(_)) => Kind::CData,
            Ok(Event::Comment(_)) => Kind::Comment,
            Ok(Event::DocType(_)) => Kind::Doctype,
            Ok(Event::PI(_) | Event::Decl(_)) => Kind::Instruction,
            Ok(Event::Eof) => return Ok(None),
            Err(_) => return Err(unfinished(self.source, at)),
        };
        let raw = self.source.get(at..self.position()).unwrap_or_default();
        Ok(Some(Token { kind, at, raw }))
    }

    fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }
}

/// Says what is wrong with the markup at byte `at`, which has no end or no known beginning.
fn unfinished(source: &str, at: usize) -> Fault {
    let rest = source.get(at..).unwrap_or_default();
    let starts = |prefix: &str| rest.starts_with(prefix);
    let defect = if starts("&") {
        reference::lone_ampersand()
    } else if starts("<!--") {
        Defect::new("a comment that is not closed").hint("end it with `-->`")
    } else if starts("<![CDATA[") {
        Defect::new("a CDATA section that is not closed").hint("end it with `]]>`")
    } else if starts("<!DOCTYPE") {
        Defect::new("a DOCTYPE that is not closed, or has no name")
    } else if starts("<!") {
        Defect::new("`<!` begins neither a comment nor a CDATA section nor a DOCTYPE")
            .hint("write `<!--`, `<![CDATA[` or `<!DOCTYPE`, in capitals and without a space")
    } else if starts("<?") {
        Defect::new("a processing instruction that is not closed").hint("end it with `?>`")
    } else {
        return unfinished_tag(rest, at);
    };
    defect.at(at)
}

/// A tag runs on when its `>` is missing, or a quote: what is read as a part of it tells which.
fn unfinished_tag(rest: &str, at: usize) -> Fault {
    let content = rest.strip_prefix('<').unwrap_or(rest);
    let not_closed = || {
        Defect::new("a tag that is not closed")
            .hint("end it with `>`")
            .at(at)
    };
    if content.starts_with('/') {
        return not_closed();
    }
    match Tag::default().read(content, at + 1) {
        Ok(_) => not_closed(),
        Err(fault) => fault,
    }
}
