//! XML parser: a document as checked events (XML 1.0 §2 to §4, and Namespaces in XML 1.0).
//!
//! The reader keeps the open elements in a list, so nesting uses memory but no stack.

use super::character::{first_forbidden, is_blank, is_white};
use super::cursor::Cursor;
use super::errors::{Checked, Defect, Fault, Short, forbidden};
use super::name::Name;
use super::namespace::{Scope, check_repeated, is_declaration};
use super::reference::{lone_ampersand, resolve};
use super::tag::{Attribute, Gap, Tag};
use super::{doctype, markup, prolog};
use crate::echo::Echo;
use crate::error::{ErrorKind, Position};
use crate::limits::NESTING_MAX;
use crate::warnings::Warnings;

/// HTML elements without end tags.
const HTML_VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];

/// Content of an element, as far as it determines the meaning of white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// Text or nothing: no element, comment or instruction. White space is text.
    Text,
    /// Text and markup. White space is text.
    Mixed,
    /// Markup and white space, which is text because of `xml:space="preserve"`.
    Preserved,
    /// Markup and white space, which is layout.
    Elements,
}

/// Event of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event<'a> {
    /// A start tag. The reader holds its attributes.
    Start(&'a str),
    /// An empty-element tag: a start tag and an end tag in one.
    Empty(&'a str),
    /// An end tag.
    End(Content),
    /// Character data inside the root, without references.
    Text(&'a str),
    /// A resolved reference inside the root.
    Reference(char),
    /// Content of a CDATA section.
    CData(&'a str),
    /// A comment.
    Comment,
    /// A processing instruction.
    Instruction,
    /// The XML declaration.
    Declaration,
    /// A DOCTYPE.
    Doctype,
    /// White space outside the root.
    Between,
}

/// An open element.
#[derive(Debug)]
struct Open<'a> {
    name: &'a str,
    at: usize,
    /// Namespace scope to restore at its end.
    mark: usize,
    preserves: bool,
    has_markup: bool,
    has_text: bool,
}

/// Parser of a document that must be well-formed.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    source: &'a str,
    cursor: Cursor<'a>,
    /// Byte offset of the last event.
    start: usize,
    /// Length of the XML declaration, in bytes.
    declaration: usize,
    tag: Tag<'a>,
    scope: Scope<'a>,
    open: Vec<Open<'a>>,
    has_doctype: bool,
    has_root: bool,
    forbidden: Option<usize>,
}

impl<'a> Reader<'a> {
    /// Creates a reader at the beginning of a document without a byte order mark, and parses its
    /// declaration.
    pub(super) fn new(source: &'a str, warnings: &mut Warnings) -> Checked<Self> {
        let cursor = Cursor::new(source, 0);
        let mut after = cursor;
        if markup::is_declaration(source) {
            prolog::read_declaration(&mut after, warnings)?;
        }
        Ok(Self {
            source,
            cursor,
            start: 0,
            declaration: after.at(),
            tag: Tag::default(),
            scope: Scope::default(),
            open: Vec::new(),
            has_doctype: false,
            has_root: false,
            forbidden: first_forbidden(source),
        })
    }

    /// Warns about what was tolerated, at the end of the document.
    pub(super) fn warn(&self, warnings: &mut Warnings) {
        self.scope.warn(warnings);
    }

    /// Byte range of the last event in the document.
    pub(super) const fn span(&self) -> (usize, usize) {
        (self.start, self.cursor.at())
    }

    /// The attributes of the last start tag.
    pub(super) fn attributes(&self) -> &[Attribute<'a>] {
        &self.tag.attributes
    }

    /// Non-canonical white space of the last tag.
    pub(super) fn gaps(&self) -> &[Gap] {
        &self.tag.gaps
    }

    /// Whether white space is text in the innermost open element.
    pub(super) fn preserves(&self) -> bool {
        self.open.last().is_some_and(|open| open.preserves)
    }

    /// Returns the next event. `None` after the last one.
    pub(super) fn next(&mut self) -> Checked<Option<Event<'a>>> {
        self.start = self.cursor.at();
        self.event().map_err(|fault| self.first_of(fault))
    }

    /// A forbidden character before a defect is reported instead of it.
    fn first_of(&self, fault: Fault) -> Fault {
        match self.forbidden {
            Some(at) if at <= fault.at => forbidden(self.source, at).at(at),
            _ => fault,
        }
    }

    fn event(&mut self) -> Checked<Option<Event<'a>>> {
        let rest = self.cursor.rest();
        let event = match rest.as_bytes() {
            [] => return self.finish().map(|()| None),
            [b'<', b'/', ..] => Event::End(self.end()?),
            [b'<', b'!', ..] => self.bang(rest)?,
            [b'<', b'?', ..] if self.start < self.declaration => {
                self.cursor.skip(self.declaration);
                Event::Declaration
            }
            [b'<', b'?', ..] => {
                self.mark_markup();
                markup::read_instruction(&mut self.cursor)?;
                Event::Instruction
            }
            [b'<', ..] => self.tag()?,
            [b'&', ..] => self.reference()?,
            bytes => {
                let length = memchr::memchr2(b'<', b'&', bytes).unwrap_or(bytes.len());
                self.cursor.skip(length);
                self.text()?
            }
        };
        Ok(Some(event))
    }

    /// Parses markup that begins with `<!`.
    fn bang(&mut self, rest: &str) -> Checked<Event<'a>> {
        if rest.starts_with("<!--") {
            self.mark_markup();
            markup::read_comment(&mut self.cursor)?;
            return Ok(Event::Comment);
        }
        if rest.starts_with("<![CDATA[") {
            self.mark_text()?;
            return markup::read_cdata(&mut self.cursor).map(Event::CData);
        }
        if !rest.starts_with("<!DOCTYPE") {
            return Err(markup::unknown(rest).at(self.start));
        }
        if self.has_root {
            return Err(Defect::new("a DOCTYPE after the start of the root element").at(self.start));
        }
        if self.has_doctype {
            return Err(Defect::new("a second DOCTYPE").at(self.start));
        }
        self.has_doctype = true;
        doctype::read(&mut self.cursor)?;
        Ok(Event::Doctype)
    }

    fn mark_markup(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.has_markup = true;
        }
    }

    /// Records text that is not just white space: a reference or CDATA counts as text, whatever its
    /// characters.
    fn mark_text(&mut self) -> Checked<()> {
        let Some(open) = self.open.last_mut() else {
            return Err(outside_root("").at(self.start));
        };
        open.has_text = true;
        Ok(())
    }

    fn reference(&mut self) -> Checked<Event<'a>> {
        self.mark_text()?;
        self.cursor.skip(1);
        let found = match self.cursor.through(b";") {
            Some(name) => resolve(name),
            None => Err(lone_ampersand()),
        };
        found.map(Event::Reference).map_err(|defect| defect.at(self.start))
    }

    /// Checks the character data just consumed.
    fn text(&mut self) -> Checked<Event<'a>> {
        let text = self.cursor.since(self.start);
        if is_blank(text) {
            return Ok(if self.open.is_empty() { Event::Between } else { Event::Text(text) });
        }
        if self.open.is_empty() {
            let white = text.bytes().position(|byte| !is_white(byte));
            let defect = outside_root(text.trim_ascii_start());
            return Err(defect.at(self.start + white.unwrap_or_default()));
        }
        self.mark_text()?;
        if text.as_bytes().contains(&b'>')
            && let Some(index) = text.find("]]>")
        {
            let defect = Defect::new("`]]>` in text").with_hint("write `]]&gt;`");
            return Err(defect.at(self.start + index));
        }
        Ok(Event::Text(text))
    }

    /// Parses a start tag or an empty-element tag.
    fn tag(&mut self) -> Checked<Event<'a>> {
        if self.open.is_empty() && self.has_root {
            let hint = "wrap the elements in one";
            return Err(Defect::new("a second root element").with_hint(hint).at(self.start));
        }
        if self.open.len() >= NESTING_MAX {
            let predicate = format!("nests elements deeper than {NESTING_MAX}");
            return Err(Defect::policy(ErrorKind::TooLarge, predicate).at(self.start));
        }
        self.has_root = true;
        self.mark_markup();
        let mark = self.scope.mark();
        let (name, is_empty) = self.tag.read(&mut self.cursor)?;
        let checked = self.check_names(name);
        checked.map_err(|(at, defect)| defect.at(at.unwrap_or(self.start + 1)))?;
        if is_empty {
            self.scope.leave(mark);
            return Ok(Event::Empty(name.text()));
        }
        self.open.push(Open {
            name: name.text(),
            at: self.start,
            mark,
            preserves: self.space().unwrap_or_else(|| self.preserves()),
            has_markup: false,
            has_text: false,
        });
        Ok(Event::Start(name.text()))
    }

    /// The `xml:space` of the last tag (§2.10). `None` for any other value.
    fn space(&self) -> Option<bool> {
        if !self.tag.has_prefixes {
            return None;
        }
        let mut attributes = self.tag.attributes.iter();
        let space = attributes.find(|attribute| attribute.name.text() == "xml:space")?;
        match space.value().as_ref() {
            "preserve" => Some(true),
            "default" => Some(false),
            _ => None,
        }
    }

    /// Checks a tag's names against one another and against the prefixes in scope. The error has
    /// the byte offset if an attribute is at fault.
    fn check_names(&mut self, name: Name<'a>) -> Result<(), (Option<usize>, Defect)> {
        let Tag { attributes, has_prefixes, .. } = &self.tag;
        let names = attributes.iter().map(|attribute| attribute.name);
        let blame = |(index, defect): (usize, Defect)| {
            (attributes.get(index).map(|attribute| attribute.at), defect)
        };
        check_repeated(names.clone()).map_err(blame)?;
        if *has_prefixes {
            for (index, attribute) in attributes.iter().enumerate() {
                if is_declaration(attribute.name) {
                    let namespace = attribute.value();
                    let declared = self.scope.declare(attribute.name, namespace);
                    declared.map_err(|defect| blame((index, defect)))?;
                }
            }
            let checked = self.scope.check_attributes(names);
            checked.map_err(blame)?;
        }
        self.scope.check_element(name).map_err(|defect| (None, defect))
    }

    fn end(&mut self) -> Checked<Content> {
        let name = self.tag.read_end(&mut self.cursor)?;
        let Some(open) = self.open.pop_if(|open| open.name == name) else {
            return Err(self.mismatch(name).at(self.start));
        };
        self.scope.leave(open.mark);
        Ok(match (open.has_markup, open.has_text) {
            (false, _) => Content::Text,
            (true, true) => Content::Mixed,
            (true, false) if open.preserves => Content::Preserved,
            (true, false) => Content::Elements,
        })
    }

    fn mismatch(&self, name: &str) -> Defect {
        let end_tag = format!("</{name}>");
        let Some(open) = self.open.last() else {
            return Defect::new(format!("{} ends no element", Echo(&end_tag)));
        };
        let start_tag = format!("<{}>", open.name);
        let (end, start) = (Echo(&end_tag), Echo(&start_tag));
        let defect = Defect::new(format!("{end} does not match {start}"));
        let place = Position::line_column(self.source, open.at);
        let name = Short(open.name);
        defect.with_hint(if HTML_VOID.contains(&open.name) {
            format!("write `<{name}/>` at {place}: XML has no element without an end")
        } else {
            format!("close {start}, opened at {place}, with `</{name}>`")
        })
    }

    fn finish(&self) -> Checked<()> {
        if let Some(open) = self.open.last() {
            let start_tag = format!("<{}>", open.name);
            let what = format!("{} without an end tag", Echo(&start_tag));
            let hint = format!("close it with `</{}>`", Short(open.name));
            return Err(Defect::new(what).with_hint(hint).at(open.at));
        }
        if !self.has_root {
            return Err(Defect::new("no root element").at(self.source.len()));
        }
        match self.forbidden {
            Some(at) => Err(forbidden(self.source, at).at(at)),
            None => Ok(()),
        }
    }
}

/// Checks a document that has no byte order mark.
pub(super) fn check(source: &str, warnings: &mut Warnings) -> Checked<()> {
    let mut reader = Reader::new(source, warnings)?;
    while reader.next()?.is_some() {}
    reader.warn(warnings);
    Ok(())
}

fn outside_root(text: &str) -> Defect {
    Defect::new("text outside the root element").with_hint(if text.starts_with(['{', '[']) {
        "this looks like JSON: set `from_format` to `json`"
    } else {
        "only comments, processing instructions and white space may stand there"
    })
}
