//! Start tags and their attributes: XML 1.0 §3.1, productions 40, 41 and 44.

use std::borrow::Cow;

use super::cursor::{Cursor, Literal};
use super::errors::{Checked, Defect, Short};
use super::name::Name;
use super::reference;
use crate::echo::Echo;

/// An attribute as written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attribute<'a> {
    pub(super) name: Name<'a>,
    literal: Literal<'a>,
    /// Byte offset in the document.
    pub(super) at: usize,
}

impl<'a> Attribute<'a> {
    /// Normalized value.
    pub(super) fn value(&self) -> Cow<'a, str> {
        if self.literal.is_plain {
            Cow::Borrowed(self.literal.raw)
        } else {
            Cow::Owned(reference::normalized_value(self.literal.raw))
        }
    }
}

/// White space in a tag that the formatter would change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// Byte offset at which the white space begins.
    pub(super) start: usize,
    /// Byte offset after it.
    pub(super) end: usize,
    /// Replacement: one space, or nothing.
    pub(super) tidy: &'static str,
}

/// Parts of a start tag, reused for each tag of a document.
#[derive(Debug, Default)]
pub(super) struct Tag<'a> {
    pub(super) attributes: Vec<Attribute<'a>>,
    pub(super) gaps: Vec<Gap>,
    /// Whether any attribute has a prefix or declares one.
    pub(super) has_prefixes: bool,
}

impl<'a> Tag<'a> {
    /// Parses a tag from its `<` through its `>` or `/>`. Returns whether the element is empty.
    pub(super) fn read(&mut self, cursor: &mut Cursor<'a>) -> Checked<(Name<'a>, bool)> {
        self.attributes.clear();
        self.gaps.clear();
        self.has_prefixes = false;
        let start = cursor.at();
        cursor.skip(1);
        let Some(name) = cursor.name()? else {
            return Err(Defect::new("`<` is not followed by a name")
                .with_hint("write `&lt;` for the character itself")
                .at(start));
        };
        loop {
            let white = cursor.white();
            let is_empty = match cursor.next() {
                Some(b'>') => false,
                Some(b'/') if cursor.rest().starts_with("/>") => true,
                Some(_) => {
                    let attribute = self.attribute(name, cursor, white)?;
                    self.attributes.push(attribute);
                    continue;
                }
                None => return Err(Defect::not_closed("a tag", ">").at(start)),
            };
            self.gap(white, cursor.at(), "");
            cursor.skip(1 + usize::from(is_empty));
            return Ok((name, is_empty));
        }
    }

    /// Parses an end tag from its `</` through its `>`. Returns the name, which may be empty.
    pub(super) fn read_end(&mut self, cursor: &mut Cursor<'a>) -> Checked<&'a str> {
        self.gaps.clear();
        let start = cursor.at();
        cursor.skip("</".len());
        let Some(inside) = cursor.through(b">") else {
            return Err(Defect::not_closed("a tag", ">").at(start));
        };
        let name = inside.trim_end_matches([' ', '\t', '\n', '\r']);
        let white = &inside[name.len()..];
        self.gap(white, cursor.at() - 1, "");
        Ok(name)
    }

    fn attribute(
        &mut self,
        element: Name<'a>,
        cursor: &mut Cursor<'a>,
        white: &'a str,
    ) -> Checked<Attribute<'a>> {
        let at = cursor.at();
        self.gap(white, at, " ");
        let Some(name) = cursor.name()? else {
            return Err(misplaced(cursor, element).at(at));
        };
        if white.is_empty() {
            let what = format!("no white space before the attribute {}", Echo(name.text()));
            return Err(Defect::new(what).at(at));
        }
        self.gap(cursor.white(), cursor.at(), "");
        if !cursor.eat(b'=') {
            let what = format!("the attribute {} has no value", Echo(name.text()));
            let hint = format!("write `{}=\"…\"`", Short(name.text()));
            return Err(Defect::new(what).with_hint(hint).at(at));
        }
        self.gap(cursor.white(), cursor.at(), "");
        let value_at = cursor.at() + 1;
        let literal = cursor.literal(name)?;
        if !literal.is_plain {
            reference::check_value(literal.raw, value_at)?;
        }
        self.has_prefixes |= name.is_prefixed() || name.text() == "xmlns";
        Ok(Attribute { name, literal, at })
    }

    /// Records the white space before the byte `end` if the formatter would change it.
    fn gap(&mut self, white: &str, end: usize, tidy: &'static str) {
        let is_tidy = match white.as_bytes() {
            [] => tidy.is_empty(),
            [b' '] => !tidy.is_empty(),
            _ => false,
        };
        if !is_tidy {
            self.gaps.push(Gap { start: end - white.len(), end, tidy });
        }
    }
}

/// Error for something that is neither an attribute nor the end of the tag.
fn misplaced(cursor: &Cursor<'_>, element: Name<'_>) -> Defect {
    let tag = format!("the tag {}", Echo(&format!("<{}>", element.text())));
    let defect = cursor.unexpected(&tag);
    match cursor.next() {
        Some(b'<') => defect.with_hint("end the tag with `>`"),
        _ => defect,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, and values as written.
    type Parts<'a> = Vec<(&'a str, &'a str)>;

    /// The attributes, and whether the element is empty, or else the position of the error.
    fn read(text: &str) -> Result<(Parts<'_>, bool), usize> {
        let mut tag = Tag::default();
        let mut cursor = Cursor::new(text, 0);
        let (_, is_empty) = tag.read(&mut cursor).map_err(|fault| fault.at)?;
        assert_eq!(cursor.rest(), "...");
        let attributes = tag.attributes.iter();
        let parts = attributes.map(|attribute| (attribute.name.text(), attribute.literal.raw));
        Ok((parts.collect(), is_empty))
    }

    #[test]
    fn attributes_are_read_in_order_with_their_values_as_written() {
        assert_eq!(read("<a>..."), Ok((vec![], false)));
        assert_eq!(read("<a/>..."), Ok((vec![], true)));
        let attributes = vec![("x", "1/>"), ("y:z", "'&amp;>")];
        let text = "<a x='1/>' y:z = \"'&amp;>\"\n/>...";
        assert_eq!(read(text), Ok((attributes, true)));
    }

    #[test]
    fn a_defect_is_found_at_its_byte() {
        for (text, at) in [
            ("<", 0),
            ("<>", 0),
            ("< a>", 0),
            ("<1a>", 1),
            ("<a", 0),
            ("<a x='1'", 0),
            ("<a x>", 3),
            ("<a x", 3),
            ("<a x=1>", 5),
            ("<a x='1>", 5),
            ("<a x='<'>", 6),
            ("<a x='&'>", 6),
            ("<a x='1'y='2'>", 8),
            ("<a / >", 3),
            ("<a /", 3),
            ("<a 1='2'>", 3),
            ("<a b='1' <c>", 9),
        ] {
            assert_eq!(read(text), Err(at), "{text:?}");
        }
    }

    #[test]
    fn an_end_tag_has_a_name_and_perhaps_white_space() {
        for (text, name) in [("</a>", "a"), ("</a:b \n>", "a:b"), ("</>", ""), ("</ a>", " a")] {
            let mut tag = Tag::default();
            assert_eq!(tag.read_end(&mut Cursor::new(text, 0)), Ok(name), "{text}");
            assert_eq!(tag.gaps.len(), usize::from(text.contains('\n')), "{text}");
        }
        assert!(Tag::default().read_end(&mut Cursor::new("</a", 0)).is_err());
    }

    #[test]
    fn non_canonical_white_space_is_recorded() {
        let mut tag = Tag::default();
        tag.read(&mut Cursor::new("<a x='1' y='2'>", 0)).unwrap();
        assert!(tag.gaps.is_empty());
        tag.read(&mut Cursor::new("<a\n  x = '1'\ty='2' >", 0)).unwrap();
        let gaps: Vec<_> = tag.gaps.iter().map(|gap| (gap.start, gap.end, gap.tidy)).collect();
        assert_eq!(gaps, [(2, 5, " "), (6, 7, ""), (8, 9, ""), (12, 13, " "), (18, 19, "")]);
    }
}
