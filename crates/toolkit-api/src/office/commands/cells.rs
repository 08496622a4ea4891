//! CSV cells that no spreadsheet takes for a formula.
//!
//! Standard: OWASP ASVS 5.0, 1.2.10. An apostrophe is put before whatever could begin a formula: at
//! the start of a cell, and after anything that a spreadsheet may take for the end of one. Reading
//! a file removes it, so a cell survives the round trip.

/// Put before a character that begins a formula, and before an apostrophe, which would be removed.
const MARK: char = '\'';

/// Adds the marks to a cell.
pub(super) fn inert(cell: &str) -> String {
    let mut marked = String::with_capacity(cell.len());
    let mut begins = true;
    for (place, c) in cell.chars().enumerate() {
        // At the very start, ASVS includes white space.
        let is_control = place == 0 && matches!(c, '\t' | '\r' | '\n' | '\0');
        if begins && (begins_formula(c) || c == MARK || is_control) {
            marked.push(MARK);
        }
        marked.push(c);
        begins = ends_cell(c) || (begins && c == ' ');
    }
    marked
}

/// Removes the marks from a cell.
pub(super) fn plain(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    let mut begins = true;
    let mut rest = cell.chars().peekable();
    while let Some(mut c) = rest.next() {
        let is_mark = |c: char| begins_formula(c) || c == MARK || (text.is_empty() && ends_cell(c));
        if begins && c == MARK && rest.peek().is_some_and(|&next| is_mark(next) || next == '\0') {
            c = rest.next().unwrap_or(c);
        }
        text.push(c);
        begins = ends_cell(c) || (begins && c == ' ');
    }
    text
}

/// Includes the full-width forms that some spreadsheets treat the same.
fn begins_formula(c: char) -> bool {
    "=+-@\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".contains(c)
}

fn ends_cell(c: char) -> bool {
    matches!(c, ';' | ',' | '|' | '\t' | '\r' | '\n' | '"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_never_a_formula_and_survives_the_way_there_and_back() {
        for (text, marked) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t'=1"),
            ("\r=1", "'\r'=1"),
            ("\n=cmd", "'\n'=cmd"),
            ("\0", "'\0"),
            ("x;=A1", "x;'=A1"),
            ("x, \"=A1", "x, \"'=A1"),
            ("  =A1", "  '=A1"),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("'=1", "''=1"),
            ("''", "'''"),
            ("o'neil@example.org", "o'neil@example.org"),
            ("a=1", "a=1"),
            ("", ""),
        ] {
            assert_eq!(inert(text), marked);
            assert_eq!(plain(marked), text, "{marked:?}");
        }
        // Never marked in the first place.
        assert_eq!(plain("'tis@example.org"), "'tis@example.org");
    }
}
