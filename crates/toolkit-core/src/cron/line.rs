//! Cron line: a schedule as found in a crontab, a workflow or a program.
//!
//! Dropped with a warning are quotes and the text around them (a key, a call), a key without
//! quotes, comments, settings and the command of a crontab. A time zone before or after the fields, or on
//! a line of its own, is used.
//! Anything else that changes the times is refused: further fields, an interval.

use super::rewrite::{self, interval, may_be_field, may_be_misspelt, write, wrong_count};
use crate::around;
use crate::echo::Echo;
#[cfg(feature = "timezones")]
use crate::error::Position;
use crate::error::{ErrorKind, ToolError};
#[cfg(feature = "timezones")]
use crate::timestamp::zone::{Zone, unknown};
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
const QUOTES: [(char, char); 9] = [
    ('\'', '\''),
    ('"', '"'),
    ('`', '`'),
    ('‘', '’'),
    ('“', '”'),
    ('„', '“'),
    ('‚', '‘'),
    ('«', '»'),
    ('»', '«'),
];

/// Finds the five fields, with aliases expanded, and the time zone, and drops the text around them.
pub(super) fn read<'a>(
    expression: &'a str,
    warnings: &mut Warnings,
) -> Result<([&'a str; 5], Option<String>), ToolError> {
    let text = unwrapped(expression, warnings);
    let (line, own_lines) = only_line(text, warnings)?;
    let (schedule, beside) = bare(unwrapped(line, warnings), warnings);
    let (in_front, schedule) = assigned_zone(schedule);
    let alias = first_word(schedule).filter(|word| word.starts_with('@'));
    let (fields, rest) = alias.map_or_else(|| five(schedule), |alias| after_alias(schedule, alias));
    let (behind, rest) = zone_behind(rest);
    let names = beside.into_iter().chain([in_front, behind]).flatten().chain(own_lines);
    let name = one_zone(expression, names)?;
    let zone = name.as_deref();
    refuse_intervals(schedule, zone)?;
    let fields = alias.map_or(Ok(fields), |alias| expanded(alias, zone))?;
    let words: Vec<_> = fields.split_whitespace().collect();
    let all: Vec<_> =
        words.iter().copied().chain(without_comment(rest).split_whitespace()).collect();
    if let Some(refusal) = rewrite::spaced(&all, zone) {
        return Err(refusal);
    }
    let words = words.try_into().map_err(|_| wrong_count(fields, "", zone))?;
    let further = further_fields(rest, &words);
    if alias.is_some() && !further.is_empty() {
        let refusal = ToolError::new("has fields after its alias");
        return Err(refusal.with_hint("write the alias or five fields, not both"));
    }
    if !further.is_empty() {
        return Err(wrong_count(fields, &further, zone));
    }
    if !rest.trim().is_empty() {
        let warning = format!("What follows the schedule was left out: {}.", Echo(rest.trim()));
        warnings.add(WarningKind::Dropped, warning);
    }
    Ok((words, name))
}

/// A schedule's first five words, and the rest of it.
fn five(schedule: &str) -> (&str, &str) {
    let fields = without_comment(schedule);
    let sixth = fields.split_whitespace().nth(5);
    let end = sixth.and_then(|sixth| offset(schedule, sixth));
    schedule.split_at(end.unwrap_or(fields.len()))
}

fn after_alias<'a>(schedule: &'a str, alias: &str) -> (&'a str, &'a str) {
    schedule.split_at_checked(alias.len()).unwrap_or((schedule, ""))
}

/// The words after the fields that could be further fields. The rest is a comment, or a crontab's
/// command and the user before it.
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

/// Byte offset of a part of a text. `None` if the part is not from this text.
pub(super) fn offset(text: &str, part: &str) -> Option<usize> {
    let offset = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
    (offset + part.len() <= text.len()).then_some(offset)
}

fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next()
}

/// A text without the quotes, brackets or comma around all of it. Quotes inside it are those of a key or
/// of a command, so that the outer ones may be too.
fn unwrapped<'a>(text: &'a str, warnings: &mut Warnings) -> &'a str {
    const WHAT: &str = "the schedule";
    let inside = around::bare(text, WHAT, &mut Warnings::new());
    if inside.contains(around::QUOTES) && around::in_fence(text).is_none() {
        return text.trim_matches(around::is_zero_width);
    }
    around::bare(text, WHAT, warnings)
}

/// The one line with a schedule, and the zones of other lines. Comments, keys, brackets and settings of a
/// crontab around it are no lines of their own, and neither are fields on a line each.
fn only_line<'a>(
    text: &'a str,
    warnings: &mut Warnings,
) -> Result<(&'a str, Vec<&'a str>), ToolError> {
    let lines = text.lines().map(str::trim).filter(|line| is_content(line));
    let (named, lines): (Vec<_>, Vec<_>) = lines.partition(|line| zone_line(line).is_some());
    let zones: Vec<_> = named.iter().filter_map(|line| zone_line(line)).collect();
    let (settings, others): (Vec<_>, Vec<_>) =
        lines.iter().copied().partition(|line| is_setting(line));
    let lines = if others.is_empty() { lines } else { others };
    match lines.as_slice() {
        [] if text.trim().is_empty() => Ok(("", vec![])),
        [] if text.trim_start().starts_with('#') => {
            let refusal = ToolError::new("is a comment alone");
            Err(refusal.with_hint(rewrite::FIELDS))
        }
        [line] => {
            warn_of_lines(&named, &settings, line, warnings);
            Ok((line, zones))
        }
        lines if lines.iter().any(|line| is_whole(line)) => Err(several(lines.len(), &zones)),
        _ => Ok((text.trim(), zones)),
    }
}

fn is_content(line: &str) -> bool {
    let is_key = line.ends_with(':') && !line.contains([' ', '*']);
    let is_comment = line.starts_with('#') || line.starts_with("//");
    line.contains(|c: char| c.is_alphanumeric() || c == '*') && !is_comment && !is_key
}

/// Whether a line has a schedule.
fn is_whole(line: &str) -> bool {
    line.starts_with('@') || line.split_whitespace().nth(4).is_some()
}

/// The zone of a line such as `CRON_TZ=Asia/Tokyo` or `timeZone: Asia/Tokyo`.
fn zone_line(line: &str) -> Option<&str> {
    let (key, value) = line.split_once([':', '='])?;
    let key = key.trim_matches(['-', ' ', '"', '\'']).to_ascii_lowercase().replace(['_', '-'], "");
    let value = without_comment(value).trim().trim_matches(['"', '\'', ',', ';']);
    let is_key = key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_zone = key == "tz" || key == "crontz" || key.ends_with("timezone");
    (is_key && is_zone && !value.contains(char::is_whitespace)).then_some(value)
}

/// Whether a line sets a variable for the commands of a crontab.
fn is_setting(line: &str) -> bool {
    let is_name = |byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_');
    let name = line.split_once('=').map(|(name, _)| name.trim_end());
    name.is_some_and(|name| name.bytes().all(is_name)) && !is_whole(line)
}

fn warn_of_lines(named: &[&str], settings: &[&str], line: &str, warnings: &mut Warnings) {
    if named.iter().any(|line| line.starts_with("TZ")) {
        let warning = "The line `TZ=` is taken for the time zone of the schedule, as in Jenkins; in a \
                       crontab it is that of the commands alone.";
        warnings.add(WarningKind::Assumed, warning);
    }
    let settings: Vec<_> = settings.iter().filter(|setting| **setting != line).copied().collect();
    if !settings.is_empty() {
        let settings = settings.join(" ");
        let warning = format!("Settings of the commands were left out: {}.", Echo(&settings));
        warnings.add(WarningKind::Dropped, warning);
    }
}

/// Refuses several schedules. The zone beside them is that of each.
fn several(count: usize, zones: &[&str]) -> ToolError {
    let hint = match zones {
        [zone, others @ ..] if others.iter().all(|other| other == zone) => {
            let zone = format!("CRON_TZ={zone}");
            format!("write one schedule per call, with {} in front", Echo(&zone))
        }
        _ => "write one schedule per call".to_owned(),
    };
    ToolError::new(format!("has {count} lines")).with_hint(hint)
}

/// The schedule between quotes or after a key, if the line does not begin with one, and a time zone
/// before it and one after it.
fn bare<'a>(line: &'a str, warnings: &mut Warnings) -> (&'a str, [Option<&'a str>; 2]) {
    let is_bare = line.starts_with(|first: char| first.is_ascii_digit() || "*?,/~".contains(first))
        || first_word(line).is_some_and(|word| is_zone_assignment(word) || is_alias(word));
    let schedule = if is_bare { None } else { quoted(line).or_else(|| after_key(line)) };
    let Some(schedule) = schedule.filter(|schedule| *schedule != line) else {
        return (line, [None; 2]);
    };
    let start = offset(line, schedule).unwrap_or(0);
    let before = line.get(..start).unwrap_or_default().trim();
    let after = line.get(start + schedule.len()..).unwrap_or_default();
    let after = after.trim_start_matches(around::QUOTES).trim();
    let zones = [before, without_comment(after)].map(zone_in);
    let [but_before, but_after] =
        zones.map(|zone| zone.map(|_| " but for its time zone").unwrap_or_default());
    let warning = if before.chars().all(|c| around::QUOTES.contains(&c)) {
        "Left out around the schedule: quotes.".to_owned()
    } else {
        format!("What precedes the schedule was left out{but_before}: {}.", Echo(before))
    };
    warnings.add(WarningKind::Dropped, warning);
    if after.contains(char::is_alphanumeric) {
        let warning =
            format!("What follows the schedule was left out{but_after}: {}.", Echo(after));
        warnings.add(WarningKind::Dropped, warning);
    }
    (schedule, zones)
}

/// The first word of a text that is a zone of some area.
fn zone_in(text: &str) -> Option<&str> {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && !"/_+-".contains(c));
    words.find(|word| word.contains('/') && is_zone(word))
}

/// The text between the first quotes that hold neither a key nor a zone.
fn quoted(line: &str) -> Option<&str> {
    let mut rest = line;
    loop {
        let (open, close) = rest.chars().find_map(|character| {
            let mut quotes = QUOTES.iter();
            quotes.find(|(open, _)| *open == character)
        })?;
        let (_, inside) = rest.split_once(*open)?;
        let (inside, after) = inside.split_once(*close).unwrap_or((inside, ""));
        if !(after.trim_start().starts_with([':', '=']) || is_zone(inside)) {
            return Some(inside.trim_end_matches('\\').trim());
        }
        rest = after;
    }
}

/// The text after a YAML list's dash, or after a key and its `:` or `=`.
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

fn expanded(alias: &str, zone: Option<&str>) -> Result<&'static str, ToolError> {
    let known = ALIASES.iter().find(|(known, _)| alias.eq_ignore_ascii_case(known));
    if let Some((_, expression)) = known {
        return Ok(expression);
    }
    if alias.eq_ignore_ascii_case("@reboot") {
        let message = "is `@reboot`, which names no time: it fires when the machine starts";
        return Err(ToolError::new(message).of(ErrorKind::Unsupported));
    }
    let known = ALIASES.map(|(known, _)| known).join(", ");
    let refusal = ToolError::new(format!("has no alias {}", Echo(alias)));
    let after = zone.map(|zone| format!(", after `CRON_TZ={zone}`")).unwrap_or_default();
    Err(refusal.with_hint(format!("use one of {known}{after}")))
}

/// Refuses intervals and the notations of Amazon `EventBridge`, by name.
fn refuse_intervals(schedule: &str, zone: Option<&str>) -> Result<(), ToolError> {
    let inside = |name: &str| {
        let (call, inside) = schedule.split_once('(')?;
        let is_call = call.trim().eq_ignore_ascii_case(name);
        is_call.then(|| inside.trim_end_matches(|last| ")]};,".contains(last)))
    };
    let first = first_word(schedule).unwrap_or_default();
    let refusal = if let Some(fields) = inside("cron") {
        let words: Vec<_> = fields.split_whitespace().collect();
        ToolError::new("is in the notation `cron(…)` of Amazon EventBridge")
            .with_hint(rewrite::write_without_year(&words, zone))
    } else if let Some(every) = inside("rate") {
        ToolError::new("is in the notation `rate(…)` of Amazon EventBridge")
            .with_hint(write(interval(every), zone))
    } else if ["@every", "every", "@every_minute"].contains(&first.to_ascii_lowercase().as_str()) {
        let every = schedule.get(first.len()..).unwrap_or_default();
        ToolError::new(format!("is {}, an interval", Echo(schedule)))
            .with_hint(write(interval(every), zone))
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
                         Pacific US UTC GMT Z";
    let area = word.split('/').next();
    area.is_some_and(|area| AREAS.split(' ').any(|known| known == area))
}

/// The zone of `CRON_TZ=` or `TZ=` in front of a schedule, and the schedule.
fn assigned_zone(schedule: &str) -> (Option<&str>, &str) {
    let word = first_word(schedule).filter(|word| is_zone_assignment(word));
    let Some((word, (_, zone))) = word.and_then(|word| Some((word, word.split_once('=')?))) else {
        return (None, schedule);
    };
    let rest = schedule.trim_start().get(word.len()..).unwrap_or_default();
    (Some(zone.trim_matches(['"', '\'', ';'])), rest.trim_start())
}

/// The zone after the fields, also after `in`, and the text around it: further fields before it are
/// refused, and the zone is for the advice.
fn zone_behind(rest: &str) -> (Option<&str>, &str) {
    let words = without_comment(rest).split_whitespace().collect::<Vec<_>>();
    let is_field = |word: &&&str| {
        !(is_place(word) || is_abbreviation(word)) && (may_be_field(word) || may_be_misspelt(word))
    };
    let further = words.iter().take_while(is_field).count();
    let (first, word, is_named) = match words.get(further..).unwrap_or_default() {
        [link, word] if link.eq_ignore_ascii_case("in") => (link, word, true),
        [word] => (word, word, is_abbreviation(word)),
        [word, ..] => (word, word, false),
        [] => return (None, rest),
    };
    if !(is_named || is_place(word)) {
        return (None, rest);
    }
    let [start, end] = [first, word].map(|word| offset(rest, word).unwrap_or(0));
    let around = if further > 0 { rest.get(..start) } else { rest.get(end + word.len()..) };
    (Some(unbracketed(word)), around.unwrap_or_default())
}

/// Whether a word is a zone, an offset or anything in square brackets.
fn is_place(word: &str) -> bool {
    let is_bracketed = word.starts_with('[') && word.ends_with(']');
    is_bracketed || is_zone(unbracketed(word)) || is_offset(unbracketed(word))
}

fn unbracketed(word: &str) -> &str {
    word.trim_start_matches(['[', '(']).trim_end_matches([']', ')'])
}

/// Whether a word is `+01:00`, `-0330`, `UTC+2` or `gmt-5`.
fn is_offset(word: &str) -> bool {
    let name = word.trim_end_matches(|last: char| last.is_ascii_digit() || ":+-".contains(last));
    let is_utc = ["UTC", "GMT"].iter().any(|utc| name.eq_ignore_ascii_case(utc));
    let offset = word.strip_prefix(name).unwrap_or_default();
    is_utc || name.is_empty() && offset.starts_with(['+', '-']) && offset.len() > 4
}

/// Whether a word is written as `PST`, `CET`, `CEST` and `AEDT` are, and not as `TEST` and `GET`.
fn is_abbreviation(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_uppercase())
        && matches!(
            word.as_bytes(),
            [_, b'S' | b'D', b'T']
                | [b'C' | b'E' | b'W', b'E', b'T']
                | [b'C' | b'E' | b'W', b'E', b'S', b'T']
                | [b'A' | b'N', _, b'S' | b'D', b'T']
        )
}

/// The zone that a line names, in the database's spelling.
#[cfg(feature = "timezones")]
pub(super) fn one_zone<'a>(
    text: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Option<String>, ToolError> {
    let mut found: Option<String> = None;
    for name in names {
        let zone = Zone::find(name).ok_or_else(|| match offset(text, name) {
            Some(at) => unknown(name).at(Position::offset(text, at)),
            None => unknown(name),
        })?;
        let zone = zone.name;
        if let Some(other) = found.replace(zone.clone()).filter(|other| *other != zone) {
            let message = format!("names two time zones, {} and {}", Echo(&other), Echo(&zone));
            return Err(ToolError::new(message).with_hint("leave one of them out"));
        }
    }
    Ok(found)
}

/// Refuses a time zone, without which the fields would mean other times.
#[cfg(not(feature = "timezones"))]
pub(super) fn one_zone<'a>(
    _: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<Option<String>, ToolError> {
    let Some(zone) = names.into_iter().next() else {
        return Ok(None);
    };
    Err(ToolError::new(format!("names the time zone {}", Echo(zone)))
        .of(ErrorKind::Unsupported)
        .with_hint("leave it out and write the hours in UTC"))
}
