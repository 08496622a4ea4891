//! Class narrowing: character classes reduced to the characters that occur in the text.
//!
//! `\w` has over seven hundred ranges, and an automaton for them takes a thousand times as long to
//! build as to run over a short text. A class only ever meets the characters of the text, so it can
//! be narrowed to those first.

use regex_syntax::hir::{Capture, Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind};

/// Narrows every class to the characters of a text; the narrowed pattern matches the same on that
/// text.
pub(super) fn narrowed(pattern: &Hir, text: &str) -> Hir {
    let characters = text.chars();
    let ranges = characters.map(|character| ClassUnicodeRange::new(character, character));
    narrow(pattern, &ClassUnicode::new(ranges))
}

// Recursion is as deep as the parser lets a pattern nest.
fn narrow(pattern: &Hir, alphabet: &ClassUnicode) -> Hir {
    let all = |parts: &[Hir]| parts.iter().map(|part| narrow(part, alphabet)).collect();
    match pattern.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            let mut class = class.clone();
            class.intersect(alphabet);
            Hir::class(Class::Unicode(class))
        }
        HirKind::Repetition(repetition) => {
            Hir::repetition(repetition.with(narrow(&repetition.sub, alphabet)))
        }
        HirKind::Capture(capture) => Hir::capture(Capture {
            index: capture.index,
            name: capture.name.clone(),
            sub: Box::new(narrow(&capture.sub, alphabet)),
        }),
        HirKind::Concat(parts) => Hir::concat(all(parts)),
        HirKind::Alternation(parts) => Hir::alternation(all(parts)),
        HirKind::Empty
        | HirKind::Literal(_)
        | HirKind::Class(Class::Bytes(_))
        | HirKind::Look(_) => pattern.clone(),
    }
}
