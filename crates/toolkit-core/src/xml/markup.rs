//! Markup allowed anywhere between tags: comments, processing instructions and CDATA sections (XML
//! 1.0 §2.5 to §2.7).

use super::character::is_white;
use super::cursor::Cursor;
use super::errors::{Checked, Defect};
use crate::echo::Echo;

/// Whether an XML declaration is next, at any position.
pub(super) fn is_declaration(rest: &str) -> bool {
    let after = rest.strip_prefix("<?xml").map(str::as_bytes);
    let next = after.and_then(<[u8]>::first);
    next.is_some_and(|&byte| is_white(byte) || byte == b'?')
}

/// Parses `<?target data?>` (§2.6).
pub(super) fn read_instruction(cursor: &mut Cursor<'_>) -> Checked<()> {
    let start = cursor.at();
    if is_declaration(cursor.rest()) {
        let what = "an XML declaration that is not at the very start";
        let hint = "move it there, before any white space, or remove it";
        return Err(Defect::new(what).with_hint(hint).at(start));
    }
    cursor.skip("<?".len());
    let at = cursor.at();
    let Some(target) = cursor.name()? else {
        return Err(Defect::new("`<?` is not followed by a name").at(start));
    };
    if target.text().eq_ignore_ascii_case("xml") || target.is_prefixed() {
        let target = Echo(target.text());
        let what = format!("{target} is not a name of a processing instruction");
        return Err(Defect::new(what).at(at));
    }
    let after = *cursor;
    let is_apart = !cursor.white().is_empty() || cursor.rest().starts_with("?>");
    if cursor.through(b"?>").is_none() {
        return Err(Defect::not_closed("a processing instruction", "?>").at(start));
    }
    if !is_apart {
        let inside = "the name of a processing instruction";
        return Err(after.unexpected(inside).at(after.at()));
    }
    Ok(())
}

/// Parses `<!--…-->` (§2.5).
pub(super) fn read_comment(cursor: &mut Cursor<'_>) -> Checked<()> {
    let start = cursor.at();
    cursor.skip("<!--".len());
    if cursor.through(b"--").is_none() {
        return Err(Defect::not_closed("a comment", "-->").at(start));
    }
    if cursor.eat(b'>') {
        return Ok(());
    }
    Err(Defect::new("`--` inside a comment")
        .with_hint("write `- -`; a comment ends with `-->`")
        .at(cursor.at() - "--".len()))
}

/// Parses `<![CDATA[…]]>` (§2.7). Returns its content.
pub(super) fn read_cdata<'a>(cursor: &mut Cursor<'a>) -> Checked<&'a str> {
    let start = cursor.at();
    cursor.skip("<![CDATA[".len());
    let content = cursor.through(b"]]>");
    content.ok_or_else(|| Defect::not_closed("a CDATA section", "]]>").at(start))
}

/// Error for other markup that begins with `<!`.
pub(super) fn unknown(rest: &str) -> Defect {
    let is_doctype = rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!DOCTYPE"));
    if is_doctype {
        return Defect::new("a DOCTYPE that is not in capitals").with_hint("write `<!DOCTYPE`");
    }
    Defect::new("`<!` begins neither a comment nor a CDATA section nor a DOCTYPE")
        .with_hint("write `<!--`, `<![CDATA[` or `<!DOCTYPE`, in capitals and without a space")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of bytes consumed, or the position of the error.
    fn taken(text: &str, read: fn(&mut Cursor<'_>) -> Checked<()>) -> Result<usize, usize> {
        let mut cursor = Cursor::new(text, 0);
        read(&mut cursor).map_err(|fault| fault.at)?;
        Ok(cursor.at())
    }

    #[test]
    fn an_instruction_has_a_target_that_is_not_xml() {
        for text in ["<?a?>", "<?a ?>", "<?a '?>", "<?xml-stylesheet href='a'?>", "<?xmlx ? ??>"] {
            assert_eq!(taken(text, read_instruction), Ok(text.len()), "{text}");
        }
        for (text, at) in [
            ("<??>", 0),
            ("<? a?>", 0),
            ("<?1?>", 2),
            ("<?a+?>", 3),
            ("<?a?", 0),
            ("<?a ", 0),
            ("<?XML a?>", 2),
            ("<?xMl?>", 2),
            ("<?xml a?>", 0),
            ("<?xml?>", 0),
            ("<?a:b c?>", 2),
        ] {
            assert_eq!(taken(text, read_instruction), Err(at), "{text}");
        }
    }

    #[test]
    fn a_comment_ends_with_its_first_two_dashes() {
        for text in ["<!---->", "<!-- a - b -->", "<!-->-->", "<!--->-->"] {
            assert_eq!(taken(text, read_comment), Ok(text.len()), "{text}");
        }
        for (text, at) in [
            ("<!-- a -- b -->", 7),
            ("<!--a--->", 5),
            ("<!----->", 4),
            ("<!------>", 4),
            ("<!-- a", 0),
            ("<!-->", 0),
            ("<!--->", 0),
        ] {
            assert_eq!(taken(text, read_comment), Err(at), "{text}");
        }
    }

    #[test]
    fn a_cdata_section_ends_with_its_first_end() {
        for (text, inside) in [
            ("<![CDATA[]]>", ""),
            ("<![CDATA[]]]]>", "]]"),
            ("<![CDATA[<![CDATA[ ]] > & ]]>", "<![CDATA[ ]] > & "),
        ] {
            assert_eq!(read_cdata(&mut Cursor::new(text, 0)), Ok(inside));
        }
        for text in ["<![CDATA[", "<![CDATA[]]", "<![CDATA[]>"] {
            assert!(read_cdata(&mut Cursor::new(text, 0)).is_err(), "{text}");
        }
    }
}
