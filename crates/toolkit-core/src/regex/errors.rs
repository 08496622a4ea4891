//! Pattern errors: message and offset.

use std::fmt::Display;

use fancy_regex::{CompileError, Error, ParseError};

use crate::error::{ErrorKind, Position, ToolError};

/// Describes what is wrong with a pattern.
pub(super) fn refusal(pattern: &str, error: &Error) -> ToolError {
    match error {
        Error::ParseError(place, error) => parse_error(pattern, *place, error),
        Error::CompileError(error) => compile_error(pattern, error),
        // Other variants only come from a search.
        _ => problem("it cannot be read").at(Position::Offset(0)),
    }
}

/// Error for an invalid pattern; its position is set last.
fn problem(reason: impl Display) -> ToolError {
    ToolError::new(format!("is not a valid pattern: {reason}"))
}

fn parse_error(pattern: &str, mut place: usize, error: &ParseError) -> ToolError {
    let problem = match error {
        ParseError::UnclosedOpenParen => {
            place = opened(pattern, '(').unwrap_or(place);
            problem("a `(` is not closed")
                .with_hint("close it with `)`, or write `\\(` for the character")
        }
        ParseError::InvalidClass => {
            place = opened(pattern, '[').unwrap_or(place);
            problem("a `[` is not closed").with_hint(
                "close it with `]`, or write `\\[` for the character; \
                 a `]` right after `[` stands for itself",
            )
        }
        ParseError::GeneralParseError(reason) if reason == "end of string not reached" => {
            problem("a `)` closes nothing").with_hint("write `\\)` for the character")
        }
        ParseError::GeneralParseError(reason) => problem(reason),
        ParseError::TargetNotRepeatable => {
            problem("there is nothing to repeat before a `*`, `+`, `?` or `{`")
                .with_hint("write `\\*` and the like for the character")
        }
        ParseError::InvalidRepeat => {
            problem("a repetition is malformed").with_hint("write `{2}`, `{2,}` or `{2,5}`")
        }
        ParseError::RecursionExceeded => problem("it is nested too deeply"),
        ParseError::TrailingBackslash => {
            problem("it ends in a `\\`").with_hint("write `\\\\` for the character")
        }
        ParseError::InvalidEscape(escape) => unknown_escape(escape),
        ParseError::UnclosedUnicodeName => problem("a `\\p{` is not closed"),
        ParseError::InvalidHex => problem("a `\\x` or `\\u` lacks its hexadecimal digits")
            .with_hint("write `\\x41`, `\\u0041` or `\\x{1F600}`"),
        ParseError::InvalidCodepointValue => {
            problem("there is no character with this number").with_hint("10FFFF is the last")
        }
        ParseError::UnknownFlag(flag) => problem(format!("`{flag}` opens no known group"))
            .with_hint("use `(?:…)`, `(?<name>…)`, `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`, `(?>…)` or `(?i)`"),
        ParseError::ChangingUnicodeModeUnsupported => problem("Unicode cannot be turned off"),
        ParseError::InvalidBackref | ParseError::InvalidGroupNameBackref(_) => {
            problem("it refers to a group that does not exist")
        }
        ParseError::InvalidGroupName => problem("the name of a group is malformed")
            .with_hint("write `(?<name>…)` with letters, digits and `_`"),
        _ => problem("it cannot be read"),
    };
    problem.at(Position::offset(pattern, place))
}

fn unknown_escape(escape: &str) -> ToolError {
    let problem = problem(format!("`{escape}` is not a known escape"));
    match escape {
        "\\Q" | "\\E" => problem.with_hint("escape each special character by itself"),
        "\\c" => problem.with_hint("write a control character as `\\x01`"),
        "\\X" => problem.with_hint("write `\\P{M}\\p{M}*` for a character with its marks"),
        _ => problem.with_hint("a letter stands for itself without a backslash"),
    }
}

fn compile_error(pattern: &str, error: &CompileError) -> ToolError {
    let first = |part: &str| pattern.find(part).unwrap_or_default();
    let too_large = |what| {
        let message = format!("is too large once its {what} are written out");
        ToolError::new(message).of(ErrorKind::TooLarge)
    };
    let (problem, place) = match error {
        CompileError::InnerError(error) => {
            let class_error = |error| class_error(pattern, error);
            let error = error.syntax_error().map(class_error);
            return error.unwrap_or_else(|| too_large("repetitions"));
        }
        CompileError::PatternTooComplex => return too_large("calls of groups"),
        CompileError::InvalidBackref(group) => (
            problem(format_args!("there is no group {group} to refer to")),
            first(&format!("\\{group}")),
        ),
        CompileError::SubroutineCallTargetNotFound(_, place) => {
            (problem("it calls a group that does not exist"), *place)
        }
        CompileError::LeftRecursiveSubroutineCall(_) | CompileError::NeverEndingRecursion => {
            (problem("a group calls itself without an end"), first("\\g"))
        }
        CompileError::NamedBackrefOnly => (
            problem("it refers to a group by number, though groups have names")
                .with_hint("refer to it by its name, as in `\\k<name>`"),
            first("\\"),
        ),
        CompileError::FeatureNotYetSupported(feature) => {
            (problem(format_args!("this is not supported: {feature}")), 0)
        }
        _ => (problem("it cannot be compiled"), 0),
    };
    problem.at(Position::offset(pattern, place))
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
        _ => return problem("it cannot be read").at(Position::Offset(0)),
    };
    // The parser was given part of the source as written, or all of it rewritten, with property
    // names in lower case.
    let lower = pattern.to_ascii_lowercase();
    let place = |text: &str| lower.find(&text.to_ascii_lowercase());
    let start = span.start.offset;
    let marked = part.get(start..span.end.offset).unwrap_or_default();
    let start = place(part).map(|place| place + start).or_else(|| place(marked));
    problem(reason).at(Position::offset(pattern, start.unwrap_or(0)))
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
