//! Pattern errors: message and offset.

use fancy_regex::{CompileError, Error, ParseError};

use crate::error::{ErrorKind, Position, ToolError};

/// Describes what is wrong with a pattern.
pub(super) fn refusal(pattern: &str, error: &Error) -> ToolError {
    match error {
        Error::ParseError(place, error) => parse_error(pattern, *place, error),
        Error::CompileError(error) => compile_error(pattern, error),
        // Other variants only come from a search.
        _ => Problem::new("it cannot be read").at(pattern, 0),
    }
}

/// A reason and a hint.
struct Problem {
    reason: String,
    hint: &'static str,
}

impl Problem {
    fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            hint: "",
        }
    }

    fn with_hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }

    fn at(self, pattern: &str, place: usize) -> ToolError {
        let error = ToolError::new(format!("is not a valid pattern: {}", self.reason))
            .at(Position::offset(pattern, place));
        if self.hint.is_empty() {
            return error;
        }
        error.with_hint(self.hint)
    }
}

fn parse_error(pattern: &str, place: usize, error: &ParseError) -> ToolError {
    let problem = match error {
        ParseError::UnclosedOpenParen => {
            let opened = opened(pattern, '(').unwrap_or(place);
            return Problem::new("a `(` is not closed")
                .with_hint("close it with `)`, or write `\\(` for the character")
                .at(pattern, opened);
        }
        ParseError::InvalidClass => {
            let opened = opened(pattern, '[').unwrap_or(place);
            return Problem::new("a `[` is not closed")
                .with_hint(
                    "close it with `]`, or write `\\[` for the character; \
                     a `]` right after `[` stands for itself",
                )
                .at(pattern, opened);
        }
        ParseError::GeneralParseError(reason) if reason == "end of string not reached" => {
            Problem::new("a `)` closes nothing").with_hint("write `\\)` for the character")
        }
        ParseError::GeneralParseError(reason) => Problem::new(reason),
        ParseError::TargetNotRepeatable => {
            Problem::new("there is nothing to repeat before a `*`, `+`, `?` or `{`")
                .with_hint("write `\\*` and the like for the character")
        }
        ParseError::InvalidRepeat => {
            Problem::new("a repetition is malformed").with_hint("write `{2}`, `{2,}` or `{2,5}`")
        }
        ParseError::RecursionExceeded => Problem::new("it is nested too deeply"),
        ParseError::TrailingBackslash => {
            Problem::new("it ends in a `\\`").with_hint("write `\\\\` for the character")
        }
        ParseError::InvalidEscape(escape) => unknown_escape(escape),
        ParseError::UnclosedUnicodeName => Problem::new("a `\\p{` is not closed"),
        ParseError::InvalidHex => Problem::new("a `\\x` or `\\u` lacks its hexadecimal digits")
            .with_hint("write `\\x41`, `\\u0041` or `\\x{1F600}`"),
        ParseError::InvalidCodepointValue => {
            Problem::new("there is no character with this number").with_hint("10FFFF is the last")
        }
        ParseError::UnknownFlag(flag) => Problem::new(format!("`{flag}` opens no known group"))
            .with_hint("use `(?:…)`, `(?<name>…)`, `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`, `(?>…)` or `(?i)`"),
        ParseError::ChangingUnicodeModeUnsupported => Problem::new("Unicode cannot be turned off"),
        ParseError::InvalidBackref | ParseError::InvalidGroupNameBackref(_) => {
            Problem::new("it refers to a group that does not exist")
        }
        ParseError::InvalidGroupName => Problem::new("the name of a group is malformed")
            .with_hint("write `(?<name>…)` with letters, digits and `_`"),
        _ => Problem::new("it cannot be read"),
    };
    problem.at(pattern, place)
}

fn unknown_escape(escape: &str) -> Problem {
    let problem = Problem::new(format!("`{escape}` is not a known escape"));
    match escape {
        "\\Q" | "\\E" => problem.with_hint("escape each special character by itself"),
        "\\c" => problem.with_hint("write a control character as `\\x01`"),
        "\\X" => problem.with_hint("write `\\P{M}\\p{M}*` for a character with its marks"),
        _ => problem.with_hint("a letter stands for itself without a backslash"),
    }
}

fn compile_error(pattern: &str, error: &CompileError) -> ToolError {
    let first = |part: &str| pattern.find(part).unwrap_or_default();
    match error {
        CompileError::InnerError(error) => match error.syntax_error() {
            Some(error) => class_error(pattern, error),
            None => ToolError::new("is too large once its repetitions are written out")
                .of(ErrorKind::TooLarge),
        },
        CompileError::PatternTooComplex => {
            ToolError::new("is too large once its calls of groups are written out")
                .of(ErrorKind::TooLarge)
        }
        CompileError::InvalidBackref(group) => {
            Problem::new(format!("there is no group {group} to refer to"))
                .at(pattern, first(&format!("\\{group}")))
        }
        CompileError::SubroutineCallTargetNotFound(_, place) => {
            Problem::new("it calls a group that does not exist").at(pattern, *place)
        }
        CompileError::LeftRecursiveSubroutineCall(_) | CompileError::NeverEndingRecursion => {
            Problem::new("a group calls itself without an end").at(pattern, first("\\g"))
        }
        CompileError::NamedBackrefOnly => {
            Problem::new("it refers to a group by number, though groups have names")
                .with_hint("refer to it by its name, as in `\\k<name>`")
                .at(pattern, first("\\"))
        }
        CompileError::FeatureNotYetSupported(feature) => {
            Problem::new(format!("this is not supported: {feature}")).at(pattern, 0)
        }
        _ => Problem::new("it cannot be compiled").at(pattern, 0),
    }
}

/// Describes an error in a class or a repetition, the only ones left to the automaton's parser.
fn class_error(pattern: &str, error: &regex_syntax::Error) -> ToolError {
    let (part, span, reason) = match error {
        regex_syntax::Error::Parse(error) => {
            (error.pattern(), error.span(), error.kind().to_string())
        }
        regex_syntax::Error::Translate(error) => {
            (error.pattern(), error.span(), error.kind().to_string())
        }
        _ => return Problem::new("it cannot be read").at(pattern, 0),
    };
    // The parser was given part of the source as written, or all of it rewritten, with property
    // names in lower case.
    let place = |text: &str| {
        pattern
            .to_ascii_lowercase()
            .find(&text.to_ascii_lowercase())
    };
    let start = span.start.offset;
    let marked = part.get(start..span.end.offset).unwrap_or_default();
    let start = place(part)
        .map(|place| place + start)
        .or_else(|| place(marked));
    Problem::new(reason).at(pattern, start.unwrap_or(0))
}

/// The last unclosed bracket of a kind.
fn opened(pattern: &str, bracket: char) -> Option<usize> {
    let mut open = Vec::new();
    let mut characters = pattern.char_indices();
    while let Some((place, character)) = characters.next() {
        let in_class = open.iter().any(|(open, _)| *open == '[');
        match character {
            '\\' => {
                characters.next();
            }
            '(' if !in_class => open.push(('(', place)),
            '[' => open.push(('[', place)),
            ')' if !in_class => {
                open.pop();
            }
            ']' if in_class => {
                open.pop();
            }
            _ => {}
        }
    }
    let last = open.iter().rfind(|(open, _)| *open == bracket)?;
    Some(last.1)
}
