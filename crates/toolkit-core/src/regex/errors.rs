//! Pattern errors: message and offset.

use std::fmt::Display;

use fancy_regex::{CompileError, Error, ParseError};
use regex_syntax::ast::ErrorKind as AstErrorKind;
use regex_syntax::hir::ErrorKind as HirErrorKind;

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

/// Refuses Perl's back-references `\g1`, `\g{-1}` and `\g{name}`, which are calls of groups here, or nothing.
pub(super) fn refuse_perl(pattern: &str) -> Result<(), ToolError> {
    let is_number = |c: char| c == '-' || c.is_ascii_digit();
    let mut rest = pattern;
    while let Some((_, after)) = rest.split_once('\\') {
        let bare = after.strip_prefix('g').unwrap_or_default();
        let (name, braces) = match bare.strip_prefix('{') {
            Some(braced) => (braced.split('}').next().unwrap_or_default(), 2),
            None => (bare.split(|c| !is_number(c)).next().unwrap_or_default(), 0),
        };
        let is_name = name.chars().all(|c| c == '_' || c.is_alphanumeric() || is_number(c));
        let written = bare.get(..name.len() + braces).filter(|_| is_name && name.len() < 64);
        if let Some(written) = written.filter(|_| name.contains(char::is_alphanumeric)) {
            let is_digits = name.bytes().all(|byte| byte.is_ascii_digit());
            let reference = if is_digits { name.to_owned() } else { format!("k<{name}>") };
            let place = Position::offset(pattern, pattern.len() - after.len() - 1);
            let message = format!("`\\g{written}` is not a back-reference here");
            let hint = format!(
                "write `\\{reference}` for the text of the group, or `\\g<{name}>` to call it"
            );
            return Err(problem(message).with_hint(hint).at(place));
        }
        rest = after.get(after.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
    }
    Ok(())
}

/// Error for an invalid pattern. Its position is set last.
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
            let any = pattern.find("[^]");
            place = any.or_else(|| opened(pattern, '[')).unwrap_or(place);
            problem("a `[` is not closed").with_hint(if any.is_some() {
                "write `[\\s\\S]` for JavaScript's `[^]`, any character"
            } else {
                "close it with `]`, or write `\\[` for the character; \
                 a `]` right after `[` stands for itself"
            })
        }
        ParseError::GeneralParseError(reason) if reason == "end of string not reached" => {
            problem("a `)` closes nothing").with_hint("write `\\)` for the character")
        }
        ParseError::GeneralParseError(reason) => problem(reason),
        ParseError::TargetNotRepeatable => nothing_to_repeat(pattern, place),
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
        ParseError::UnknownFlag(flag) if flag.starts_with("(?&") => {
            problem("`(?&` opens no known group").with_hint("write `\\g<name>` for `(?&name)`")
        }
        ParseError::UnknownFlag(flag) if called_group(pattern, place).is_some() => {
            let group = called_group(pattern, place).unwrap_or_default();
            problem(format!("`{flag}` opens no known group"))
                .with_hint(format!("write `\\g<{group}>` for `(?{group})`, a call of a group"))
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

/// The number in `(?1)`, which calls a group in Perl, from its place on.
fn called_group(pattern: &str, place: usize) -> Option<&str> {
    let number = pattern.get(place..)?.split(')').next()?;
    let digits = number.strip_prefix(['+', '-']).unwrap_or(number);
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// Describes a quantifier, or the last character of one, that repeats nothing.
fn nothing_to_repeat(pattern: &str, place: usize) -> ToolError {
    let (before, rest) = pattern.split_at_checked(place).unwrap_or((pattern, ""));
    let verb = rest.split(')').next().unwrap_or_default();
    let is_verb = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "_=".contains(c);
    if before.ends_with('(') && verb.len() > 1 && verb.trim_start_matches('*').chars().all(is_verb)
    {
        return problem(format_args!("`({verb})` is a verb of PCRE")).with_hint("leave it out");
    }
    let start = if rest.starts_with('}') { before.rfind('{').unwrap_or(place) } else { place };
    let before = pattern.get(..start).unwrap_or_default();
    let quantifier = pattern.get(start..=place).unwrap_or_default();
    let group = before.strip_suffix(')').and_then(|before| before.get(opened(before, '(')?..));
    if group == Some("(?R") {
        return problem("`(?R)` is the flag R here, which cannot be repeated")
            .with_hint("write `\\g<0>` to call the whole pattern");
    }
    if group
        .is_some_and(|group| ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| group.contains(look)))
    {
        let is_optional = ["?", "*"].contains(&quantifier) || quantifier.starts_with("{0");
        let problem = problem("a group that only looks around is not repeated here");
        return if is_optional {
            problem.with_hint("write `(?:(?=…)|)` for `(?:(?=…))?`")
        } else {
            problem.with_hint(format!("leave out the `{quantifier}` after it"))
        };
    }
    if before.ends_with(['*', '+', '?', '}']) {
        return problem("a quantifier follows another")
            .with_hint("leave one out, or write `\\*` and the like for the character");
    }
    problem("there is nothing to repeat before a `*`, `+`, `?` or `{`")
        .with_hint("write `\\*` and the like for the character")
}

fn unknown_escape(escape: &str) -> ToolError {
    let problem = problem(format!("`{escape}` is not a known escape"));
    match escape {
        "\\Q" | "\\E" => problem.with_hint("escape each special character by itself"),
        "\\c" => problem.with_hint("write a control character as `\\x01`"),
        "\\X" => problem.with_hint("write `\\P{M}\\p{M}*` for a character with its marks"),
        "\\V" => problem
            .with_hint("write `[^\\n\\x0B\\f\\r\\x{85}\\x{2028}\\x{2029}]` for no vertical space"),
        "\\N" => problem.with_hint("write `[^\\n]` for any character but a line feed"),
        "\\y" => problem.with_hint("write `\\b` for PostgreSQL's word boundary"),
        "\\Y" => problem.with_hint("write `\\B` where PostgreSQL has no word boundary"),
        "\\m" => problem.with_hint("write `\\<` for PostgreSQL's start of a word"),
        "\\M" => problem.with_hint("write `\\>` for PostgreSQL's end of a word"),
        "\\i" => problem.with_hint("write `[\\p{L}_:]` for XML Schema's start of a name"),
        "\\I" => problem.with_hint("write `[^\\p{L}_:]` for what starts no name in XML Schema"),
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
    let (part, span) = match error {
        regex_syntax::Error::Parse(error) => (error.pattern(), error.span()),
        regex_syntax::Error::Translate(error) => (error.pattern(), error.span()),
        _ => return problem("it cannot be read").at(Position::Offset(0)),
    };
    // The parser got part of the source as written, or all of it rewritten, with property names in
    // lower case.
    let lower = pattern.to_ascii_lowercase();
    let place = |text: &str| lower.find(&text.to_ascii_lowercase());
    let start = span.start.offset;
    let marked = part.get(start..span.end.offset).unwrap_or_default();
    let start = place(part).map(|place| place + start).or_else(|| place(marked));
    let start = start.unwrap_or(0);
    let written = pattern.get(start..start + marked.len());
    let written = written.filter(|text| text.eq_ignore_ascii_case(marked)).unwrap_or(marked);
    class_problem(error, written).at(Position::offset(pattern, start))
}

/// Describes an error of the automaton's parser at the part that it marked.
fn class_problem(error: &regex_syntax::Error, written: &str) -> ToolError {
    match error {
        regex_syntax::Error::Parse(error) => match error.kind() {
            AstErrorKind::ClassRangeInvalid => {
                problem(format_args!("the range `{written}` has its ends in the wrong order"))
                    .with_hint("begin with the character of the lower number, as in `[a-z]`")
            }
            AstErrorKind::ClassRangeLiteral => problem(format_args!(
                "`{written}` is not a single character, so no range has it as an end"
            ))
            .with_hint("write `\\-` for the hyphen"),
            kind => problem(kind),
        },
        regex_syntax::Error::Translate(error) => match error.kind() {
            HirErrorKind::UnicodePropertyNotFound | HirErrorKind::UnicodePropertyValueNotFound => {
                problem(format_args!("`{written}` names no Unicode property")).with_hint(
                    "write a category or a script, as in `\\p{L}`, `\\p{Lu}` or `\\p{Greek}`",
                )
            }
            kind => problem(kind),
        },
        _ => problem("it cannot be read"),
    }
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
