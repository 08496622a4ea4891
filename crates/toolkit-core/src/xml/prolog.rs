//! XML declaration (XML 1.0 §2.8, §2.9 and §4.3.3).

use super::cursor::Cursor;
use super::errors::{Checked, Defect};
use super::name::Name;
use crate::echo::Echo;
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
        let what = format!("{} is not a valid {name} of an XML declaration", Echo(value));
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
        // The transport has decided (RFC 7303 §3), and the text is Unicode already.
        "encoding" if !value.eq_ignore_ascii_case("UTF-8") => {
            let encoding = Echo(value);
            warnings.add(
                WarningKind::Assumed,
                format!("The document declares the encoding {encoding}; it was read as UTF-8."),
            );
        }
        _ => {}
    }
    Ok(())
}

/// §4.3.3, production 81.
fn is_encoding_name(value: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    value.starts_with(|first: char| first.is_ascii_alphabetic()) && value.bytes().all(is_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declaration(token: &str) -> Result<Vec<String>, usize> {
        let mut warnings = Warnings::new();
        let mut cursor = Cursor::new(token, 0);
        read_declaration(&mut cursor, &mut warnings).map_err(|fault| fault.at)?;
        assert_eq!(cursor.rest(), "");
        Ok(warnings.sentences().iter().map(ToString::to_string).collect())
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
            ("<?xml version='1.0' standalone='yes' encoding='UTF-8'?>", 37),
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
    fn another_version_or_encoding_is_warned_about() {
        assert_eq!(
            declaration("<?xml version='1.1' encoding='ISO-8859-1'?>"),
            Ok(vec![
                "The document declares version `1.1`; it was read as XML 1.0.".to_owned(),
                "The document declares the encoding `ISO-8859-1`; it was read as UTF-8.".to_owned(),
            ])
        );
        for name in ["UTF-16", "utf-16le", "UTF-32", "ISO-10646-UCS-2", "US-ASCII"] {
            let token = format!("<?xml version='1.0' encoding='{name}'?>");
            let warning =
                format!("The document declares the encoding `{name}`; it was read as UTF-8.");
            assert_eq!(declaration(&token), Ok(vec![warning]));
        }
    }
}
