//! References and the two normalizations of text: XML 1.0 §2.11, §3.3.3, §4.1 and §4.6.

use std::borrow::Cow;

use super::character::is_allowed;
use super::errors::{Checked, Defect};
use super::name::Name;
use crate::echo::Echo;

/// HTML entities that XML lacks, and their code points: the most frequent ones, for the hint.
const HTML_ENTITIES: &str = "nbsp 160, iexcl 161, cent 162, pound 163, yen 165, sect 167, uml 168, \
    copy 169, laquo 171, shy 173, reg 174, deg 176, plusmn 177, sup2 178, acute 180, micro 181, \
    para 182, middot 183, raquo 187, frac12 189, iquest 191, Auml 196, Ouml 214, times 215, \
    Uuml 220, szlig 223, agrave 224, aacute 225, auml 228, ccedil 231, egrave 232, eacute 233, \
    iacute 237, ntilde 241, oacute 243, ouml 246, divide 247, uacute 250, uuml 252, ensp 8194, \
    emsp 8195, thinsp 8201, zwnj 8204, zwj 8205, ndash 8211, mdash 8212, lsquo 8216, rsquo 8217, \
    sbquo 8218, ldquo 8220, rdquo 8221, bdquo 8222, dagger 8224, bull 8226, hellip 8230, \
    permil 8240, euro 8364, trade 8482, larr 8592, uarr 8593, rarr 8594, darr 8595, infin 8734, \
    ne 8800, le 8804, ge 8805";

/// Resolves the name between `&` and `;`.
pub(super) fn resolve(name: &str) -> Result<char, Defect> {
    match name {
        "amp" => Ok('&'),
        "lt" => Ok('<'),
        "gt" => Ok('>'),
        "quot" => Ok('"'),
        "apos" => Ok('\''),
        _ => match name.strip_prefix('#') {
            Some(number) => character(number),
            None => Err(unknown(name)),
        },
    }
}

/// Resolves a character reference, given the part after its `#`.
fn character(number: &str) -> Result<char, Defect> {
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let is_number = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    if !is_number {
        let what = format!("{} is not a reference", Echo(&format!("&#{number};")));
        return Err(Defect::new(what).with_hint("write `&#160;`, or `&#xA0;` with a small `x`"));
    }
    // A number over 32 bits is not a character either.
    let code = u32::from_str_radix(digits, radix).ok();
    let found = code.and_then(char::from_u32);
    found.filter(|&found| is_allowed(found)).ok_or_else(|| {
        let reference = format!("&#{number};");
        let what = "does not denote an XML character";
        let defect = Defect::new(format!("{} {what}", Echo(&reference)));
        match code {
            Some(0xD800..=0xDFFF) => defect.with_hint(
                "it is half of a surrogate pair: write one reference for both, as in `&#x1F600;`",
            ),
            _ => defect,
        }
    })
}

fn unknown(name: &str) -> Defect {
    if Name::new(name).is_err() {
        return lone_ampersand();
    }
    let what = format!("the entity {} is not declared", Echo(&format!("&{name};")));
    let mut entities = HTML_ENTITIES.split(", ");
    let code = entities.find_map(|entity| entity.strip_prefix(name)?.strip_prefix(' '));
    Defect::new(what).with_hint(match code {
        Some(code) => format!("a DTD may declare it; none is read: write `&#{code};`"),
        None => "a DTD may declare it; none is read: write its text, or `&amp;` for a lone `&`"
            .to_owned(),
    })
}

/// An `&` that does not begin a reference.
pub(super) fn lone_ampersand() -> Defect {
    Defect::new("`&` begins no reference")
        .with_hint("write `&amp;` for the character itself; a reference ends with `;`")
}

/// Checks the references in an attribute's value that begins at byte `at` of the document.
pub(super) fn check_value(value: &str, at: usize) -> Checked<()> {
    let mut rest = value;
    while let Some((_, after)) = rest.split_once('&') {
        rest = after;
        let result = match after.split_once(';') {
            Some((name, _)) => resolve(name),
            None => Err(lone_ampersand()),
        };
        result.map_err(|defect| defect.at(at + value.len() - after.len() - 1))?;
    }
    Ok(())
}

/// Normalized value of a checked attribute (§3.3.3, for type CDATA): white space becomes spaces,
/// and references are resolved.
pub(super) fn normalized_value(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut pieces = value.split('&');
    out.push_str(&spaced(pieces.next().expect("a split has a first piece")));
    for piece in pieces {
        let (name, rest) = piece.split_once(';').unwrap_or((piece, ""));
        out.extend(resolve(name));
        out.push_str(&spaced(rest));
    }
    out
}

/// A line break becomes one space, in any notation (§2.11 precedes §3.3.3).
fn spaced(text: &str) -> String {
    normalized(text).replace(['\t', '\n'], " ")
}

/// Character data after line-end normalization (§2.11): a line ends with one `\n`.
pub(super) fn normalized(text: &str) -> Cow<'_, str> {
    if text.as_bytes().contains(&b'\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_section_4_1_and_4_6_are_resolved() {
        for (name, expected) in [
            ("lt", '<'),
            ("gt", '>'),
            ("amp", '&'),
            ("quot", '"'),
            ("apos", '\''),
            ("#38", '&'),
            ("#x26", '&'),
            ("#xa0", '\u{A0}'),
            ("#xA0", '\u{A0}'),
            ("#0000000000000000009", '\t'),
            ("#x10FFFF", '\u{10FFFF}'),
            ("#xD", '\r'),
        ] {
            assert_eq!(resolve(name), Ok(expected), "{name}");
        }
    }

    #[test]
    fn invalid_references_and_characters_are_refused() {
        for name in [
            "",
            "#",
            "#x",
            "#X26",
            "#-1",
            "#+1",
            "# 65",
            "#65 ",
            "#A",
            "#x4G",
            "#0",
            "#5",
            "#xD800",
            "#xFFFE",
            "#x110000",
            "#99999999999999999999",
            "LT",
            "foo",
            ".entity",
            "a:b",
            "a b",
        ] {
            assert!(resolve(name).is_err(), "{name}");
        }
    }

    #[test]
    fn values_are_normalized_as_the_table_of_section_3_3_3_says() {
        // The standard's own examples declare entities for CR and LF. Character references show the
        // same.
        for (raw, expected) in [
            ("\n\nxyz", "  xyz"),
            ("&#xD;&#xD;A&#xA;&#xA;B&#xD;&#xA;", "\r\rA\n\nB\r\n"),
            ("a\r\nb\rc\td", "a b c d"),
            ("&lt;&#9;&amp;lt;", "<\t&lt;"),
            ("plain", "plain"),
        ] {
            assert_eq!(normalized_value(raw), expected, "{raw:?}");
        }
    }

    #[test]
    fn line_ends_are_normalized_as_section_2_11_says() {
        for (raw, expected) in
            [("a\r\nb\rc\n\rd\r", "a\nb\nc\n\nd\n"), ("\r\r\n", "\n\n"), ("a", "a")]
        {
            assert_eq!(normalized(raw), expected, "{raw:?}");
        }
    }
}
