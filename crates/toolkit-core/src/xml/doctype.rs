//! DOCTYPE: the identifiers of a DTD, and an internal subset (XML 1.0 §2.8, §3.2, §4.2.2 and §4.7).
//!
//! Nothing is fetched: identifiers are checked and kept. Element and notation declarations only
//! matter to validity, so only their grammar is checked. Left out: `ENTITY`, `ATTLIST` and
//! references to parameter entities are refused, since they change the content.

use super::cursor::Cursor;
use super::errors::{Checked, Defect};
use super::markup;
use super::name::Name;
use crate::error::ErrorKind;

/// Parses `<!DOCTYPE name …>` (production 28).
pub(super) fn read(cursor: &mut Cursor<'_>) -> Checked<()> {
    let start = cursor.at();
    cursor.skip("<!DOCTYPE".len());
    let white = cursor.white();
    if white.is_empty() || cursor.name()?.is_none() {
        return Err(Defect::new("`<!DOCTYPE` is not followed by a name").at(start));
    }
    if !cursor.white().is_empty() {
        external_id(cursor, true)?;
        cursor.white();
    }
    if cursor.eat(b'[') {
        subset(cursor)?;
        cursor.white();
    }
    close(cursor, "the DOCTYPE")
}

/// Parses the end of a declaration.
fn close(cursor: &mut Cursor<'_>, declaration: &str) -> Checked<()> {
    if cursor.eat(b'>') {
        return Ok(());
    }
    Err(cursor.unexpected(declaration).at(cursor.at()))
}

/// Parses the identifiers of an external entity, if there are any (productions 75 and 83). Only a
/// notation may have a public identifier alone.
fn external_id(cursor: &mut Cursor<'_>, needs_system: bool) -> Checked<bool> {
    let is_public = cursor.rest().starts_with("PUBLIC");
    if !is_public && !cursor.rest().starts_with("SYSTEM") {
        return Ok(false);
    }
    cursor.skip("PUBLIC".len());
    if is_public {
        let (at, text) = identifier(cursor, "the public identifier")?;
        if let Some(index) = text.find(|character| !is_public_character(character)) {
            let at = at + 1 + index;
            let inside = Cursor::new(cursor.source(), at).unexpected("a public identifier");
            return Err(inside.at(at));
        }
        let mut after = *cursor;
        after.white();
        if !needs_system && !matches!(after.next(), Some(b'"' | b'\'')) {
            return Ok(true);
        }
    }
    identifier(cursor, "the system identifier").map(|_| true)
}

/// Parses white space and a quoted identifier. Returns the position of its quote, and its content.
fn identifier<'a>(cursor: &mut Cursor<'a>, part: &str) -> Checked<(usize, &'a str)> {
    let white = cursor.white();
    let at = cursor.at();
    let Some(quote @ (b'"' | b'\'')) = cursor.next().filter(|_| !white.is_empty()) else {
        let what = format!("a DOCTYPE or notation without {part}");
        let hint = "write it in quotes, after a space; `\"\"` will do";
        return Err(Defect::new(what).with_hint(hint).at(at));
    };
    cursor.skip(1);
    let text = cursor.through(&[quote]);
    text.map(|text| (at, text))
        .ok_or_else(|| Defect::new(format!("{part} has no closing quote")).at(at))
}

/// §2.3, production 13.
fn is_public_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || " \r\n-'()+,./:=?;!*#@$_%".contains(character)
}

/// Parses an internal subset through its `]` (production 28b).
fn subset(cursor: &mut Cursor<'_>) -> Checked<()> {
    loop {
        cursor.white();
        let at = cursor.at();
        let rest = cursor.rest();
        if cursor.eat(b']') {
            return Ok(());
        } else if rest.starts_with("<!--") {
            markup::read_comment(cursor)?;
        } else if rest.starts_with("<?") {
            markup::read_instruction(cursor)?;
        } else if rest.starts_with("<!ELEMENT") {
            element(cursor)?;
        } else if rest.starts_with("<!NOTATION") {
            notation(cursor)?;
        } else if rest.starts_with("<!ATTLIST") {
            let predicate = "has an attribute list (`<!ATTLIST`) in its DOCTYPE";
            let hint = "write the default values in the elements, and remove the list";
            return Err(refused(predicate, hint).at(at));
        } else if rest.starts_with("<!ENTITY") || rest.starts_with('%') {
            let predicate = "has an entity (`<!ENTITY`, `%name;`) in its DOCTYPE";
            let hint = "replace each reference by its text, and remove the declaration";
            return Err(refused(predicate, hint).at(at));
        } else {
            return Err(cursor.unexpected("the DOCTYPE").at(at));
        }
    }
}

fn refused(predicate: &'static str, hint: &'static str) -> Defect {
    Defect::policy(ErrorKind::Unsupported, predicate).with_hint(hint)
}

/// Parses `<!ELEMENT name content>` (§3.2, production 45).
fn element(cursor: &mut Cursor<'_>) -> Checked<()> {
    const INSIDE: &str = "an element declaration";
    cursor.skip("<!ELEMENT".len());
    declared(cursor, INSIDE)?;
    if cursor.rest().starts_with("EMPTY") {
        cursor.skip("EMPTY".len());
    } else if cursor.rest().starts_with("ANY") {
        cursor.skip("ANY".len());
    } else if cursor.eat(b'(') {
        cursor.white();
        if cursor.rest().starts_with("#PCDATA") {
            cursor.skip("#PCDATA".len());
            mixed(cursor)?;
        } else {
            children(cursor)?;
        }
    } else {
        return Err(cursor.unexpected(INSIDE).at(cursor.at()));
    }
    cursor.white();
    close(cursor, INSIDE)
}

/// Parses `<!NOTATION name id>` (§4.7, production 82).
fn notation(cursor: &mut Cursor<'_>) -> Checked<()> {
    const INSIDE: &str = "a notation";
    cursor.skip("<!NOTATION".len());
    let name = declared(cursor, INSIDE)?;
    let at = cursor.at();
    if name.is_prefixed() || !external_id(cursor, false)? {
        let what = "a notation of another form than `<!NOTATION name SYSTEM \"…\">`";
        return Err(Defect::new(what).at(at));
    }
    cursor.white();
    close(cursor, INSIDE)
}

/// Parses a declared name and the white space around it.
fn declared<'a>(cursor: &mut Cursor<'a>, inside: &str) -> Checked<Name<'a>> {
    let before = cursor.white();
    let name = if before.is_empty() { None } else { cursor.name()? };
    let at = cursor.at();
    let is_apart = !cursor.white().is_empty() || cursor.next() == Some(b'>');
    name.filter(|_| is_apart)
        .ok_or_else(|| Cursor::new(cursor.source(), at).unexpected(inside).at(at))
}

/// Parses a content model after its first parenthesis (§3.2.1, productions 47 to 50).
fn children(cursor: &mut Cursor<'_>) -> Checked<()> {
    // Separators of the open groups, which nest without recursion.
    let mut groups = vec![None];
    loop {
        cursor.white();
        if cursor.eat(b'(') {
            groups.push(None);
            continue;
        }
        if cursor.name()?.is_none() {
            return Err(cursor.unexpected("a content model").at(cursor.at()));
        }
        occurrence(cursor);
        while let Some(group) = groups.last_mut() {
            cursor.white();
            match cursor.next() {
                Some(b')') => {
                    cursor.skip(1);
                    occurrence(cursor);
                    groups.pop();
                }
                Some(separator @ (b',' | b'|')) if group.is_none_or(|same| same == separator) => {
                    cursor.skip(1);
                    *group = Some(separator);
                    break;
                }
                _ => return Err(cursor.unexpected("a content model").at(cursor.at())),
            }
        }
        if groups.is_empty() {
            return Ok(());
        }
    }
}

/// Parses how often a part of a content model occurs.
fn occurrence(cursor: &mut Cursor<'_>) {
    let is_one = matches!(cursor.next(), Some(b'?' | b'*' | b'+'));
    cursor.skip(is_one.into());
}

/// Parses mixed content after its `#PCDATA` (§3.2.2, production 51).
fn mixed(cursor: &mut Cursor<'_>) -> Checked<()> {
    let mut has_names = false;
    loop {
        cursor.white();
        let is_end = cursor.eat(b')');
        if is_end && (cursor.eat(b'*') || !has_names) {
            return Ok(());
        }
        if is_end || !cursor.eat(b'|') {
            return Err(cursor.unexpected("mixed content").at(cursor.at()));
        }
        cursor.white();
        has_names = cursor.name()?.is_some();
        if !has_names {
            return Err(cursor.unexpected("mixed content").at(cursor.at()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doctype_may_have_identifiers_and_a_subset_that_changes_no_content() {
        for token in [
            "<!DOCTYPE a>",
            "<!DOCTYPE\na:b >",
            "<!DOCTYPE a []>",
            "<!DOCTYPE a[ \n] >",
            "<!DOCTYPE a SYSTEM 'a.dtd'>",
            "<!DOCTYPE a SYSTEM \"it's > 'a'.dtd\" >",
            "<!DOCTYPE a PUBLIC '-//A//B' \"\">",
            "<!DOCTYPE a PUBLIC \"-//it's\"\n'a.dtd'[]>",
            "<!DOCTYPE a [ <!-- > ]> --> <?b ]> ?> ]>",
            "<!DOCTYPE a [<!ELEMENT a EMPTY><!ELEMENT b:c ANY >\n<!ELEMENT d (#PCDATA)>]>",
            "<!DOCTYPE a [<!ELEMENT a ( #PCDATA )*><!ELEMENT b (#PCDATA | c|d )*>]>",
            "<!DOCTYPE a [<!ELEMENT a (b)><!ELEMENT a ( b , (c | d+)* , e? )+ >]>",
            "<!DOCTYPE a [<!NOTATION b SYSTEM 'c'><!NOTATION d PUBLIC 'e' ><!NOTATION f PUBLIC 'g' 'h'>]>",
        ] {
            let mut cursor = Cursor::new(token, 0);
            assert_eq!(read(&mut cursor), Ok(()), "{token}");
            assert_eq!(cursor.rest(), "", "{token}");
        }
    }

    #[test]
    fn other_doctypes_are_refused_at_the_defect() {
        for (token, at) in [
            ("<!DOCTYPE>", 0),
            ("<!DOCTYPE >", 0),
            ("<!DOCTYPEa>", 0),
            ("<!DOCTYPE 1>", 10),
            ("<!DOCTYPE a b>", 12),
            ("<!DOCTYPE a -- c -- []>", 12),
            ("<!DOCTYPE a [] b>", 15),
            ("<!DOCTYPE a []]>", 14),
            ("<!DOCTYPE a public 'b' 'c'>", 12),
            ("<!DOCTYPE a SYSTEM>", 18),
            ("<!DOCTYPE a SYSTEM'b'>", 18),
            ("<!DOCTYPE a SYSTEM 'b>", 19),
            ("<!DOCTYPE a PUBLIC 'b'>", 22),
            ("<!DOCTYPE a PUBLIC 'b''c'>", 22),
            ("<!DOCTYPE a PUBLIC 'b<' 'c'>", 21),
            ("<!DOCTYPE a PUBLIC 'ä' 'c'>", 20),
            ("<!DOCTYPE a SYSTEM 'b' 'c'>", 23),
            ("<!DOCTYPE a [<!ENTITY b 'c'>]>", 13),
            ("<!DOCTYPE a [<!ATTLIST b c CDATA 'd'>]>", 13),
            ("<!DOCTYPE a [ %b;]>", 14),
            ("<!DOCTYPE a [b]>", 13),
            ("<!DOCTYPE a [<b/>]>", 13),
            ("<!DOCTYPE a [<![INCLUDE[]]>]>", 13),
            ("<!DOCTYPE a [<!-- b]>", 13),
            ("<!DOCTYPE a [<?xml version='1.0'?>]>", 13),
            ("<!DOCTYPE a [<!ELEMENT b>]>", 24),
            ("<!DOCTYPE a [<!ELEMENTb ANY>]>", 22),
            ("<!DOCTYPE a [<!ELEMENT b(c)>]>", 24),
            ("<!DOCTYPE a [<!ELEMENT b ()>]>", 26),
            ("<!DOCTYPE a [<!ELEMENT b (c,)>]>", 28),
            ("<!DOCTYPE a [<!ELEMENT b (c,d|e)>]>", 29),
            ("<!DOCTYPE a [<!ELEMENT b ((c)>]>", 29),
            ("<!DOCTYPE a [<!ELEMENT b (c))>]>", 28),
            ("<!DOCTYPE a [<!ELEMENT b (c, #PCDATA)>]>", 29),
            ("<!DOCTYPE a [<!ELEMENT b (#PCDATA|c)>]>", 36),
            ("<!DOCTYPE a [<!ELEMENT b (#PCDATA)+>]>", 34),
            ("<!DOCTYPE a [<!ELEMENT b (%c;)>]>", 26),
            ("<!DOCTYPE a [<!NOTATION b>]>", 25),
            ("<!DOCTYPE a [<!NOTATION b:c SYSTEM 'd'>]>", 28),
            ("<!DOCTYPE a [<!NOTATION b SYSTEM>]>", 32),
            ("<!DOCTYPE a [", 13),
            ("<!DOCTYPE a [<!ELEMENT b ", 25),
        ] {
            let found = read(&mut Cursor::new(token, 0)).map_err(|fault| fault.at);
            assert_eq!(found, Err(at), "{token}");
        }
    }
}
