//! Line: a schedule as it stands in a crontab, a workflow or a program.
//!
//! Left out with a warning are quotes with what is around them (a key, a call), a key without
//! quotes, comments, and the command of a crontab. Whatever changes the times is refused: a time
//! zone, further fields, an interval.

use super::rewrite::{self, interval, may_be_field, may_be_misspelt, write, wrong_count};
use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};
use crate::warnings::{WarningKind, Warnings};

/// Aliases and the expressions they expand to.
const ALIASES: [(&str, &str); 7] = [
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];

/// Quotes: the opening one and its closing one.
const QUOTES: [(char, char); 6] =
    [('\'', '\''), ('"', '"'), ('`', '`'), ('‘', '’'), ('“', '”'), ('„', '“')];

/// Finds the five fields, those of an alias expanded, and leaves out what is around them.
pub(super) fn read<'a>(text: &'a str, warnings: &mut Warnings) -> Result<[&'a str; 5], ToolError> {
    let schedule = bare(only_line(text)?, warnings)?;
    refuse_intervals(schedule)?;
    let alias = first_word(schedule).filter(|word| word.starts_with('@'));
    let (fields, rest) = if let Some(alias) = alias {
        let rest = schedule.get(alias.len()..).unwrap_or_default();
        (expanded(alias)?, rest)
    } else {
        let fields = without_comment(schedule);
        let sixth = fields.split_whitespace().nth(5);
        let end = sixth.and_then(|sixth| offset(schedule, sixth));
        schedule.split_at(end.unwrap_or(fields.len()))
    };
    refuse_zones(fields, rest)?;
    let words: Vec<_> = fields.split_whitespace().collect();
    let words = words.try_into().map_err(|_| wrong_count(fields, ""))?;
    let further = further_fields(rest, &words);
    if alias.is_some() && !further.is_empty() {
        let refusal = ToolError::new("has fields after its alias");
        return Err(refusal.with_hint("write the alias alone, or five fields"));
    }
    if !further.is_empty() {
        return Err(wrong_count(fields, &further));
    }
    if !rest.trim().is_empty() {
        let warning = format!("What follows the schedule was left out: {}.", Echo(rest.trim()));
        warnings.add(WarningKind::Dropped, warning);
    }
    Ok(words)
}

/// The words after the fields that may be further ones; the others are a comment, or the command
/// of a crontab and the user before it.
fn further_fields(rest: &str, fields: &[&str; 5]) -> String {
    // No cron has `?` as its month: the first field is seconds.
    let has_seconds = matches!(fields, [.., "?", _]);
    let further: Vec<_> = without_comment(rest).split_whitespace().collect();
    let count = further.iter().take_while(|word| may_be_field(word)).count();
    let count = match further.as_slice() {
        [sixth] if has_seconds || may_be_misspelt(sixth) => 1,
        [sixth, seventh] if may_be_misspelt(sixth) && may_be_field(seventh) => 2,
        _ => count,
    };
    further.get(..count).unwrap_or_default().join(" ")
}

/// Byte offset of a part of a text; `None` if it is from elsewhere.
pub(super) fn offset(text: &str, part: &str) -> Option<usize> {
    let offset = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    (offset + part.len() <= text.len()).then_some(offset)
}

fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next()
}

/// The one line with a schedule. Comments and keys above it are no lines of their own, and neither
/// are fields on a line each.
fn only_line(text: &str) -> Result<&str, ToolError> {
    let is_content = |line: &&str| {
        let is_key = line.ends_with(':') && !line.contains([' ', '*']);
        !(line.is_empty() || line.starts_with('#') || line.starts_with("//") || is_key)
    };
    let lines: Vec<_> = text.lines().map(str::trim).filter(is_content).collect();
    let is_whole = |line: &&str| line.starts_with('@') || line.split_whitespace().nth(4).is_some();
    match lines.as_slice() {
        [] if text.trim().is_empty() => Ok(""),
        [] if text.trim_start().starts_with('#') => {
            let refusal = ToolError::new("is a comment alone");
            Err(refusal.with_hint(rewrite::FIELDS))
        }
        [] => Ok(text.trim()),
        [line] => Ok(line),
        lines if lines.iter().any(is_whole) => {
            let message = format!("has {} lines", lines.len());
            Err(ToolError::new(message).with_hint("write one schedule a call"))
        }
        _ => Ok(text.trim()),
    }
}

/// The schedule between quotes or after a key, if the line does not begin with one.
fn bare<'a>(line: &'a str, warnings: &mut Warnings) -> Result<&'a str, ToolError> {
    let is_bare = line.starts_with(|first: char| first.is_ascii_digit() || "*?,/~".contains(first))
        || first_word(line).is_some_and(|word| is_zone_assignment(word) || is_alias(word));
    let is_quote =
        |character| QUOTES.iter().any(|(open, close)| [*open, *close].contains(&character));
    let schedule = if is_bare {
        // A quote at the end belongs to the command, if there is one.
        let is_short = line.split_whitespace().nth(5).is_none();
        is_short.then(|| line.trim_end_matches(is_quote))
    } else {
        quoted(line).or_else(|| after_key(line))
    };
    let Some(schedule) = schedule.filter(|schedule| *schedule != line) else {
        return Ok(line);
    };
    let start = offset(line, schedule).unwrap_or(0);
    let before = line.get(..start).unwrap_or_default().trim();
    if before.chars().all(is_quote) {
        warnings.add(WarningKind::Dropped, "The quotes around the schedule were left out.");
    } else {
        let warning = format!("What precedes the schedule was left out: {}.", Echo(before));
        warnings.add(WarningKind::Dropped, warning);
    }
    let after = line.get(start + schedule.len()..).unwrap_or_default();
    let after = after.trim_start_matches(is_quote).trim();
    let mut words =
        without_comment(after).split(|c: char| !c.is_alphanumeric() && !"/_".contains(c));
    if let Some(zone) = words.find(|word| word.contains('/') && is_zone(word)) {
        return Err(names_zone(zone));
    }
    if after.contains(char::is_alphanumeric) {
        let warning = format!("What follows the schedule was left out: {}.", Echo(after));
        warnings.add(WarningKind::Dropped, warning);
    }
    Ok(schedule)
}

/// What is between the first quotes that do not hold a key.
fn quoted(line: &str) -> Option<&str> {
    let mut rest = line;
    loop {
        let (open, close) = rest.chars().find_map(|character| {
            let mut quotes = QUOTES.iter();
            quotes.find(|(open, _)| *open == character)
        })?;
        let (_, inside) = rest.split_once(*open)?;
        let (inside, after) = inside.split_once(*close).unwrap_or((inside, ""));
        if !after.trim_start().starts_with([':', '=']) {
            return Some(inside.trim_end_matches('\\').trim());
        }
        rest = after;
    }
}

/// What follows the dash of a YAML list, or a key and its `:` or `=`.
fn after_key(line: &str) -> Option<&str> {
    let item = line.strip_prefix("- ").map(str::trim_start);
    let value = item.unwrap_or(line).split_once([':', '=']);
    let is_key = |key: &str| {
        let mut letters = key.trim_end().chars();
        letters.all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter))
    };
    match value {
        Some((key, value)) if is_key(key) => Some(value.trim_start_matches(['=', '>']).trim()),
        _ => item,
    }
}

/// A schedule without the comment after it.
fn without_comment(text: &str) -> &str {
    let comment = text.split_whitespace().enumerate().find(|(index, word)| {
        let is_numbered = *index < 5 && word.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        word.starts_with('#') && !is_numbered || word.starts_with("//")
    });
    let end = comment.and_then(|(_, word)| offset(text, word));
    text.get(..end.unwrap_or(text.len())).unwrap_or(text).trim_end()
}

fn is_alias(word: &str) -> bool {
    word.starts_with('@') && !word.contains('(')
}

fn expanded(alias: &str) -> Result<&'static str, ToolError> {
    let known = ALIASES.iter().find(|(known, _)| alias.eq_ignore_ascii_case(known));
    if let Some((_, expression)) = known {
        return Ok(expression);
    }
    if alias.eq_ignore_ascii_case("@reboot") {
        let message = "is `@reboot`, which names no time: it fires when the machine starts";
        return Err(ToolError::new(message).of(ErrorKind::Unsupported));
    }
    let known = ALIASES.map(|(known, _)| known).join(", ");
    let message = format!("has no alias {}; use one of {known}", Echo(alias));
    Err(ToolError::new(message))
}

/// Refuses intervals and the notations of Amazon `EventBridge`, by name.
fn refuse_intervals(schedule: &str) -> Result<(), ToolError> {
    let inside = |name: &str| {
        let (call, inside) = schedule.split_once('(')?;
        let is_call = call.trim().eq_ignore_ascii_case(name);
        is_call.then(|| inside.trim_end_matches(|last| ")]};,".contains(last)))
    };
    let first = first_word(schedule).unwrap_or_default();
    let refusal = if let Some(fields) = inside("cron") {
        let words: Vec<_> = fields.split_whitespace().collect();
        ToolError::new("is in the notation `cron(…)` of Amazon EventBridge")
            .with_hint(write(rewrite::without_year(&words)))
    } else if let Some(every) = inside("rate") {
        ToolError::new("is in the notation `rate(…)` of Amazon EventBridge")
            .with_hint(write(interval(every)))
    } else if ["@every", "every", "@every_minute"].contains(&first.to_ascii_lowercase().as_str()) {
        let every = schedule.get(first.len()..).unwrap_or_default();
        ToolError::new(format!("is {}, an interval", Echo(schedule)))
            .with_hint(write(interval(every)))
    } else {
        return Ok(());
    };
    Err(refusal.of(ErrorKind::Unsupported))
}

fn is_zone_assignment(word: &str) -> bool {
    word.starts_with("CRON_TZ=") || word.starts_with("TZ=")
}

fn is_zone(word: &str) -> bool {
    const AREAS: &str = "Africa America Antarctica Arctic Asia Atlantic Australia Etc Europe Indian \
                         Pacific UTC GMT Z";
    let area = word.split('/').next();
    area.is_some_and(|area| AREAS.split(' ').any(|known| known == area))
}

/// Refuses a time zone before or after the fields: without it, they would mean other times.
fn refuse_zones(fields: &str, rest: &str) -> Result<(), ToolError> {
    let before = first_word(fields).filter(|word| is_zone_assignment(word));
    let zone = before.or(first_word(rest).filter(|word| is_zone(word)));
    zone.map_or(Ok(()), |zone| Err(names_zone(zone)))
}

fn names_zone(zone: &str) -> ToolError {
    ToolError::new(format!("names the time zone {}", Echo(zone)))
        .of(ErrorKind::Unsupported)
        .with_hint("leave it out and write the hours in UTC")
}
