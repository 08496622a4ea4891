//! Prolog: the declaration and the DOCTYPE (XML 1.0 §2.8, §2.9 and §4.3.3).

use super::cursor::Cursor;
use super::errors::{Checked, Defect, Short};
use super::name::Name;
use crate::echo::Echo;
use crate::error::ErrorKind;
use crate::warnings::{WarningKind, Warnings};

/// Parts of a declaration in the required order.
const PARTS: [&str; 3] = ["version", "encoding", "standalone"];

/// Parses `<?xml version="1.0" …?>` at the start of a document (§2.8, productions 23 to 26).
pub(super) fn read_declaration(cursor: &mut Cursor<'_>, warnings: &mut Warnings) -> Checked<()> {
    cursor.skip("<?xml".len());
    let mut next = 0;
    loop {
        let white = cursor.white();
        if cursor.rest().starts_with("?>") {
            break;
        }
        let at = cursor.at();
        let (name, value) = part(cursor)?;
        let mut later = PARTS.iter().enumerate().skip(next);
        let found = later.find(|(_, part)| **part == name.text());
        // The version comes first, and is mandatory.
        let found = found.filter(|(index, _)| !white.is_empty() && (*index == 0) == (next == 0));
        let Some((index, _)) = found else {
            return Err(disordered().at(at));
        };
        next = index + 1;
        check_part(name.text(), value, warnings).map_err(|defect| defect.at(at))?;
    }
    if next == 0 {
        return Err(disordered().at(0));
    }
    cursor.skip("?>".len());
    Ok(())
}

/// Parses one `name="value"` of a declaration.
fn part<'a>(cursor: &mut Cursor<'a>) -> Checked<(Name<'a>, &'a str)> {
    let Some(name) = cursor.name()? else {
        return Err(cursor.unexpected("an XML declaration").at(cursor.at()));
    };
    cursor.white();
    if !cursor.eat(b'=') {
        return Err(disordered().at(cursor.at()));
    }
    cursor.white();
    Ok((name, cursor.literal(name)?.raw))
}

fn disordered() -> Defect {
    Defect::new("an XML declaration of another form than `<?xml version=\"1.0\"?>`")
        .with_hint("after `version` may come `encoding`, then `standalone`, each in quotes")
}

fn check_part(name: &str, value: &str, warnings: &mut Warnings) -> Result<(), Defect> {
    let is_sound = match name {
        "version" => value.strip_prefix("1.").is_some_and(|minor| {
            !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit())
        }),
        "encoding" => is_encoding_name(value),
        _ => matches!(value, "yes" | "no"),
    };
    if !is_sound {
        let what = format!(
            "{} is not a valid {name} of an XML declaration",
            Echo(value)
        );
        return Err(Defect::new(what));
    }
    match name {
        "version" if value != "1.0" => {
            let version = Echo(value);
            warnings.add(
                WarningKind::Assumed,
                format!("The document declares version {version}; it was read as XML 1.0."),
            );
        }
        "encoding" => return check_encoding(value, warnings),
        _ => {}
    }
    Ok(())
}

/// §4.3.3, production 81.
fn is_encoding_name(value: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    value.starts_with(|first: char| first.is_ascii_alphabetic()) && value.bytes().all(is_inner)
}

/// The text arrives as UTF-8. A declared 16- or 32-bit encoding contradicts that (a fatal error
/// according to §4.3.3); any other one is possible, at least for its ASCII part.
fn check_encoding(value: &str, warnings: &mut Warnings) -> Result<(), Defect> {
    let name = value.to_ascii_uppercase();
    if matches!(name.as_str(), "UTF-8" | "UTF8" | "US-ASCII" | "ASCII") {
        return Ok(());
    }
    if ["UTF-16", "UTF-32", "UCS-2", "UCS-4", "ISO-10646-UCS-"]
        .iter()
        .any(|wide| name.starts_with(wide))
    {
        let what = format!(
            "the encoding {} is declared for a text in UTF-8",
            Echo(value)
        );
        return Err(Defect::new(what).with_hint("write `encoding=\"UTF-8\"`, or leave it out"));
    }
    let encoding = Echo(value);
    warnings.add(
        WarningKind::Assumed,
        format!("The document declares the encoding {encoding}; it was read as UTF-8."),
    );
    Ok(())
}

/// Parses `<!DOCTYPE name>` (§2.8, production 28).
///
/// Declarations in an internal or external subset change the meaning of a document, and the
/// external one would have to be fetched; so only a DOCTYPE with neither is accepted.
pub(super) fn read_doctype(cursor: &mut Cursor<'_>) -> Checked<()> {
    let start = cursor.at();
    cursor.skip("<!DOCTYPE".len());
    let white = cursor.white();
    let name = match cursor.name()? {
        Some(name) if !white.is_empty() => name,
        _ => return Err(Defect::new("`<!DOCTYPE` is not followed by a name").at(start)),
    };
    cursor.white();
    let rest = cursor.rest();
    let predicate = if rest.starts_with("SYSTEM") || rest.starts_with("PUBLIC") {
        "has a DOCTYPE that names an external DTD, which is never fetched,"
    } else if cursor.eat(b'[') && !skip_empty_subset(cursor) {
        "has a DOCTYPE that declares something"
    } else if cursor.eat(b'>') {
        return Ok(());
    } else {
        return Err(cursor.unexpected("the DOCTYPE").at(cursor.at()));
    };
    let name = Short(name.text());
    let hint = format!("keep its name alone, `<!DOCTYPE {name}>`, or leave it out");
    Err(Defect::policy(ErrorKind::Unsupported, predicate)
        .with_hint(hint)
        .at(start))
}

/// Skips the rest of an internal subset without declarations.
fn skip_empty_subset(cursor: &mut Cursor<'_>) -> bool {
    cursor.white();
    let is_empty = cursor.eat(b']');
    cursor.white();
    is_empty
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declaration(token: &str) -> Result<Vec<String>, usize> {
        let mut warnings = Warnings::new();
        let mut cursor = Cursor::new(token, 0);
        read_declaration(&mut cursor, &mut warnings).map_err(|fault| fault.at)?;
        assert_eq!(cursor.rest(), "");
        Ok(warnings
            .sentences()
            .iter()
            .map(ToString::to_string)
            .collect())
    }

    #[test]
    fn a_declaration_has_a_version_then_perhaps_an_encoding_then_perhaps_standalone() {
        for token in [
            "<?xml version=\"1.0\"?>",
            "<?xml\r\n version = '1.0' ?>",
            "<?xml version='1.0' encoding='UTF-8'?>",
            "<?xml version='1.0' encoding='utf-8' standalone='no' ?>",
            "<?xml version='1.0' standalone='yes'?>",
        ] {
            assert_eq!(declaration(token), Ok(vec![]), "{token}");
        }
        for (token, at) in [
            ("<?xml?>", 0),
            ("<?xml ?>", 0),
            ("<?xml encoding='UTF-8'?>", 6),
            ("<?xml encoding='UTF-8' version='1.0'?>", 6),
            (
                "<?xml version='1.0' standalone='yes' encoding='UTF-8'?>",
                37,
            ),
            ("<?xml version='1.0' version='1.0'?>", 20),
            ("<?xml version='1.0'encoding='UTF-8'?>", 19),
            ("<?xml version='1.0' valid='no'?>", 20),
            ("<?xml version='1.0 '?>", 6),
            ("<?xml version='1.'?>", 6),
            ("<?xml version='2.0'?>", 6),
            ("<?xml version=1.0?>", 14),
            ("<?xml version='1.0\"?>", 14),
            ("<?xml version?>", 13),
            ("<?xml version='1.0' encoding=''?>", 20),
            ("<?xml version='1.0' encoding='a/b'?>", 20),
            ("<?xml version='1.0' standalone='YES'?>", 20),
        ] {
            assert_eq!(declaration(token), Err(at), "{token}");
        }
    }

    #[test]
    fn another_version_or_encoding_is_warned_about_and_a_wide_encoding_refused() {
        assert_eq!(
            declaration("<?xml version='1.1' encoding='ISO-8859-1'?>"),
            Ok(vec![
                "The document declares version `1.1`; it was read as XML 1.0.".to_owned(),
                "The document declares the encoding `ISO-8859-1`; it was read as UTF-8.".to_owned(),
            ])
        );
        for wide in ["UTF-16", "utf-16le", "UTF-32", "UCS-4", "ISO-10646-UCS-2"] {
            assert_eq!(
                declaration(&format!("<?xml version='1.0' encoding='{wide}'?>")),
                Err(20)
            );
        }
    }

    #[test]
    fn only_a_bare_doctype_is_accepted() {
        for token in [
            "<!DOCTYPE a>",
            "<!DOCTYPE\na:b >",
            "<!DOCTYPE a []>",
            "<!DOCTYPE a[ \n] >",
        ] {
            assert!(read_doctype(&mut Cursor::new(token, 0)).is_ok(), "{token}");
        }
        for token in [
            "<!DOCTYPE>",
            "<!DOCTYPE >",
            "<!DOCTYPEa>",
            "<!DOCTYPE 1>",
            "<!DOCTYPE a b>",
            "<!DOCTYPE a -- c -- []>",
            "<!DOCTYPE a [] b>",
            "<!DOCTYPE a []]>",
            "<!DOCTYPE a SYSTEM 'a.dtd'>",
            "<!DOCTYPE a PUBLIC '-//A' 'a.dtd'>",
            "<!DOCTYPE a [<!ENTITY b 'c'>]>",
            "<!DOCTYPE a [%b;]>",
        ] {
            assert!(read_doctype(&mut Cursor::new(token, 0)).is_err(), "{token}");
        }
    }
}
