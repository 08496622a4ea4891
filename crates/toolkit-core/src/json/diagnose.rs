//! Diagnosis of a syntax error: turns the parser's position and expectation into the defect that a
//! person would name.

mod after;
mod member;
mod other_syntax;
mod token;
mod value;

use std::borrow::Cow;

use super::token::{Bracket, Frame};
use crate::error::{ErrorKind, Position, ToolError};
use crate::limits::NESTING_MAX;

/// Position where the text stops being JSON.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fault {
    pub kind: FaultKind,
    /// Offset of the unexpected byte.
    pub at: usize,
}

/// Expectation of the parser at the position of a fault.
#[derive(Debug, Clone, Copy)]
pub(super) enum FaultKind {
    /// A value.
    Value,
    /// The name of a member.
    Name,
    /// The colon after a name.
    Colon,
    /// A comma or the end of the array or object.
    CommaOrEnd,
    /// The end of the text.
    End,
    /// The rest of the string that starts at `open`.
    String { open: usize },
    /// A valid number. The position is its start.
    Number,
    /// No further level of nesting.
    Depth,
}

impl Fault {
    pub(super) const fn new(kind: FaultKind, at: usize) -> Self {
        Self { kind, at }
    }

    /// Builds the error. `frames` are the open arrays and objects.
    #[cold]
    pub(super) fn explain(self, text: &str, frames: &[Frame]) -> ToolError {
        let ctx = ErrorContext { text, at: self.at, frames };
        let defect = match self.kind {
            FaultKind::Value => value::defect(ctx),
            FaultKind::Name => member::name_defect(ctx),
            FaultKind::Colon => member::colon_defect(ctx),
            FaultKind::CommaOrEnd => after::value_defect(ctx),
            FaultKind::End => after::document_defect(ctx),
            FaultKind::String { open } => token::string_defect(ctx, open),
            FaultKind::Number => token::number_defect(ctx),
            FaultKind::Depth => {
                let what = format!("is nested deeper than {NESTING_MAX} levels");
                let refusal = ToolError::new(what).of(ErrorKind::TooLarge);
                return refusal.at(ctx.position(self.at));
            }
        };
        ToolError::new(format!("is not valid JSON: {}", defect.what))
            .at(ctx.position(defect.at))
            .with_hint(defect.hint)
    }
}

/// The defect as a person would name it.
struct Defect {
    what: Cow<'static, str>,
    hint: Cow<'static, str>,
    at: usize,
}

/// Text around a fault.
#[derive(Clone, Copy)]
struct ErrorContext<'a> {
    text: &'a str,
    at: usize,
    frames: &'a [Frame],
}

impl<'a> ErrorContext<'a> {
    fn position(self, at: usize) -> Position {
        Position::line_column(self.text, at)
    }

    /// The same text, at another position.
    fn moved_to(self, at: usize) -> Self {
        Self { at, ..self }
    }

    /// The same text, with the position before its last bytes.
    fn before_last(self, bytes: usize) -> Self {
        self.moved_to(self.text.len() - bytes)
    }

    /// Text from the fault on.
    fn rest(self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Character at the fault.
    fn next(self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Text before the fault.
    fn before(self) -> &'a str {
        self.text.get(..self.at).unwrap_or_default()
    }

    /// Last character before the fault that is not white space.
    fn last(self) -> Option<char> {
        self.before().trim_ascii_end().chars().next_back()
    }

    /// A defect at the fault itself.
    fn defect(
        self,
        what: impl Into<Cow<'static, str>>,
        hint: impl Into<Cow<'static, str>>,
    ) -> Defect {
        Defect { what: what.into(), hint: hint.into(), at: self.at }
    }

    /// Word that starts at the fault.
    fn word(self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|next: char| !is_word(next));
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
    }

    /// Array or object left open at the end of the text.
    fn unclosed(self) -> Defect {
        let Some(frame) = self.frames.last() else {
            return self.defect("the text ends too early", "send one JSON value");
        };
        let (kind, closing) = frame.bracket.words();
        let what = format!("no `{closing}` for the {kind} that opens here");
        let hint = format!("the text ends at {}", self.position(self.at));
        self.moved_to(frame.open).defect(what, hint)
    }

    /// Closing bracket of the wrong kind.
    fn mismatch(self, found: char) -> Defect {
        let Some(frame) = self.frames.last() else {
            let what = format!("`{found}` without an opening bracket");
            return self.defect(what, "remove it, or add what it should close");
        };
        let (kind, closing) = frame.bracket.words();
        let opened = self.position(frame.open);
        let hint = format!("the {kind} opened at {opened} ends with `{closing}`");
        self.defect(format!("`{found}` in place of `{closing}`"), hint)
    }

    /// Comma before a closing bracket.
    fn trailing_comma(self, closing: char) -> Defect {
        let comma = self.before().trim_ascii_end().len().saturating_sub(1);
        let hint = format!("remove the comma before `{closing}`");
        self.moved_to(comma).defect("a trailing comma", hint)
    }
}

impl Bracket {
    /// Its content, and the bracket that ends it.
    const fn words(self) -> (&'static str, char) {
        match self {
            Self::Array => ("array", ']'),
            Self::Object => ("object", '}'),
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}
