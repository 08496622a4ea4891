//! Rewriting: the five fields that a refused expression probably means.
//!
//! Known are fields before and after the five (seconds, years), steps on a single value, ranges
//! that run backwards, names in full or with a slip, and intervals.

use super::kind::{Kind, MONTHS, SUNDAY_AGAIN, WEEKDAYS, is_one_of};
use super::{Schedule, Source};
use crate::echo::Echo;
use crate::error::ToolError;
use crate::warnings::Warnings;

pub(super) const FIELDS: &str = "write five: minute, hour, day of month, month, day of week";
/// Maximum length of an expression, in bytes, that a refusal gives.
const WRITTEN_BYTES_MAX: usize = 60;

/// Signs inside a list, a range and a step.
const SIGNS: [char; 3] = [',', '-', '/'];

const KINDS: [&Kind; 5] =
    [Kind::MINUTE, Kind::HOUR, Kind::DAY_OF_MONTH, Kind::MONTH, Kind::DAY_OF_WEEK];
const FULL_NAMES: &str = "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER \
                          DECEMBER SUNDAY MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY";

/// Error for another number of fields than five.
pub(super) fn wrong_count(fields: &str, rest: &str, zone: Option<&str>) -> ToolError {
    let words: Vec<_> = fields.split_whitespace().chain(rest.split_whitespace()).collect();
    let message = match words.len() {
        0 => "is empty".to_owned(),
        1 => "has 1 field".to_owned(),
        count => format!("has {count} fields"),
    };
    if !(6..=7).contains(&words.len()) {
        return ToolError::new(message).with_hint(FIELDS);
    }
    let has_question_mark = words.contains(&"?");
    let kind = if has_question_mark { ", as in Quartz or EventBridge" } else { "" };
    let last = words.last();
    let (places, written, unsaid) =
        match (without_seconds(&words), without_year(&words), words.len()) {
            (Some(both), _, 7) => {
                ("the seconds in front and the year at the end", both, unsaid(words.first(), last))
            }
            (Some(one), _, _) => ("the seconds in front", one, unsaid(words.first(), None)),
            (None, Some(one), _) => ("the year at the end", one, unsaid(None, last)),
            (None, None, _) => {
                let mut words = words.iter();
                let quartz = words.find(|word| word.contains('#') || word.ends_with(['L', 'W']));
                let quartz = quartz.map(|word| format!("; {} is not in crontab(5)", Echo(word)));
                let hint = format!("{FIELDS}{}", quartz.unwrap_or_default());
                return ToolError::new(message + kind).with_hint(hint);
            }
        };
    let written = in_zone(zone, &written);
    let hint = format!("write five, without {places}: `{written}`{unsaid}");
    ToolError::new(message + kind).with_hint(hint)
}

/// What five fields cannot say of the seconds and the year that they leave out.
fn unsaid(seconds: Option<&&str>, year: Option<&&str>) -> String {
    const ONCE: &str =
        ". Crontab has no seconds: this runs once, at the start of each matching minute";
    const EVERY_YEAR: &str = ". Crontab has no years: this runs in every year";
    let once = seconds.filter(|word| word.bytes().any(|byte| byte != b'0')).map(|_| ONCE);
    let every_year = year.filter(|year| **year != "*").map(|_| EVERY_YEAR);
    once.into_iter().chain(every_year).collect()
}

/// An expression after the time zone of the line: without it, it would mean other times.
pub(super) fn in_zone(zone: Option<&str>, expression: &str) -> String {
    zone.map_or_else(|| expression.to_owned(), |zone| format!("CRON_TZ={zone} {expression}"))
}

/// Error for a space inside a list, a range or a step, with the expression without it.
pub(super) fn spaced(words: &[&str], zone: Option<&str>) -> Option<ToolError> {
    let mut joined: Vec<String> = Vec::new();
    let mut sign = None;
    for word in words {
        let is_field = joined.len() <= 5;
        match joined.last_mut() {
            Some(last) if is_field && goes_on(last, word) => {
                let signs = [word.chars().next(), last.chars().last()];
                sign = sign.or(signs.into_iter().flatten().find(|sign| SIGNS.contains(sign)));
                last.push_str(word);
            }
            _ => joined.push((*word).to_owned()),
        }
    }
    let what = match sign? {
        ',' => "list",
        '-' => "range",
        _ => "step",
    };
    let fields: Vec<_> = joined.iter().map(String::as_str).collect();
    let (fields, rest) = fields.split_first_chunk::<5>()?;
    let is_last = !rest.first().is_some_and(|word| may_be_field(word));
    let written = corrected(*fields, false).filter(|_| is_last)?;
    let error = ToolError::new(format!("has a space inside a {what}"));
    Some(error.with_hint(format!("write `{}`", in_zone(zone, &written))))
}

/// Whether a word and the next are parts of one field.
pub(super) fn goes_on(word: &str, next: &str) -> bool {
    let is_part = may_be_field(next) && !next.starts_with(['*', '?']);
    is_part && (word.ends_with(SIGNS) || next.starts_with(SIGNS))
}

/// The hint that gives an expression, if there is one.
pub(super) fn write(expression: Option<String>, zone: Option<&str>) -> String {
    let written = expression.map(|expression| format!("write `{}`", in_zone(zone, &expression)));
    written.unwrap_or_else(|| FIELDS.to_owned())
}

/// The five fields between the seconds and the year, if there is one.
fn without_seconds(words: &[&str]) -> Option<String> {
    let (second, fields) = words.split_first()?;
    let (fields, year) = fields.split_at_checked(5)?;
    let is_second = second.bytes().all(|byte| b"0123456789*/,-".contains(&byte));
    let is_year = year.iter().all(|year| is_year(year));
    let counts_from_1 = !year.is_empty() || words.contains(&"?");
    (is_second && is_year).then(|| corrected(fields.try_into().ok()?, counts_from_1))?
}

/// The hint that gives the five fields of `cron(…)`.
pub(super) fn write_without_year(words: &[&str], zone: Option<&str>) -> String {
    let written = without_year(words);
    let unsaid = unsaid(None, words.get(5).filter(|_| written.is_some()));
    write(written, zone) + &unsaid
}

/// The five fields before the year.
fn without_year(words: &[&str]) -> Option<String> {
    let (fields, year) = words.split_at_checked(5)?;
    let is_year = year.len() < 2 && year.iter().all(|year| is_year(year));
    is_year.then(|| corrected(fields.try_into().ok()?, words.contains(&"?")))?
}

fn is_year(word: &str) -> bool {
    let is_number = |part: &str| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    word == "*" || word.split([',', '-']).all(is_number)
}

/// The expression with each field corrected. `counts_from_1` if Sunday is 1, as in Quartz.
pub(super) fn corrected(words: [&str; 5], counts_from_1: bool) -> Option<String> {
    let mut fields = Vec::with_capacity(5);
    for (kind, word) in KINDS.iter().zip(words) {
        let items = word.split(',').filter(|item| !item.is_empty());
        let items: Option<Vec<_>> = items.map(|item| item_of(kind, item, counts_from_1)).collect();
        fields.push(items?.join(","));
    }
    let written = fields.join(" ");
    let words = fields.iter().map(String::as_str).collect::<Vec<_>>();
    let source =
        Source { expression: &written, words: words.try_into().ok()?, zone: None, corrects: false };
    let is_read = written.len() <= WRITTEN_BYTES_MAX
        && Schedule::from_words(&source, &mut Warnings::new()).is_ok();
    is_read.then_some(written)
}

fn item_of(kind: &Kind, item: &str, counts_from_1: bool) -> Option<String> {
    let (span, step) = match item.split_once('/') {
        Some((span, step)) => (span, Some(step)),
        None => (item, None),
    };
    let suffix = step.map(|step| format!("/{step}")).unwrap_or_default();
    if span.is_empty() || span.bytes().all(|byte| byte == b'*') {
        return Some(format!("*{suffix}"));
    }
    if span.eq_ignore_ascii_case("H") {
        // Jenkins chooses a value, so the first one is as good.
        let first = kind.low.to_string();
        return Some(step.map_or(first, |step| format!("*/{step}")));
    }
    if span == "?" {
        let is_day = kind.high == 31 || kind.is_day_of_week();
        return is_day.then(|| format!("*{suffix}"));
    }
    if let Some((first, last)) = span.split_once('-') {
        let (first, last) =
            (value_of(kind, first, counts_from_1)?, value_of(kind, last, counts_from_1)?);
        let (from, to) = (number(kind, &first)?, number(kind, &last)?);
        return Some(if from > to && !last.eq_ignore_ascii_case("SUN") {
            format!("{}{suffix}", wrapped(kind, from, to))
        } else {
            format!("{first}-{last}{suffix}")
        });
    }
    let value = value_of(kind, span, counts_from_1)?;
    match step {
        Some(step) => Some(from_value(kind, number(kind, &value)?, step)),
        None => Some(value),
    }
}

/// A number or name, without its slip.
fn value_of(kind: &Kind, text: &str, counts_from_1: bool) -> Option<String> {
    let number = text.trim_end_matches(|last: char| last.is_ascii_alphabetic());
    if !number.is_empty() {
        let number = number_of(kind, number, text.get(number.len()..)?)?;
        if kind.is_day_of_week() && counts_from_1 {
            let day = number.parse::<usize>().ok()?.checked_sub(1)?;
            return WEEKDAYS.get(day).map(|name| (*name).to_owned());
        }
        return Some(number);
    }
    if is_one_of(kind.names, text) {
        return Some(text.to_owned());
    }
    name_of(kind, text).map(str::to_owned)
}

/// A number followed by a slip. A letter that may stand for a unit, or for a.m. or p.m., is no slip.
fn number_of(kind: &Kind, digits: &str, slip: &str) -> Option<String> {
    let number: u32 = digits.bytes().all(byte_is_number).then(|| digits.parse().ok())??;
    let slip = slip.to_ascii_lowercase();
    let is_hour = kind.name == "hour" && (1..=12).contains(&number);
    match slip.as_str() {
        "a" | "am" if is_hour => Some((number % 12).to_string()),
        "p" | "pm" if is_hour => Some((number % 12 + 12).to_string()),
        _ if slip.len() > 1 || "adhlmpsw".contains(&slip) && !kind.name.starts_with(&slip) => None,
        _ => Some(digits.to_owned()),
    }
}

/// The only name near a word that begins like it: those of other languages are near the wrong ones.
fn name_of(kind: &Kind, word: &str) -> Option<&'static str> {
    let first = word.get(..1)?;
    let mut near = kind.names.iter().filter(|name| {
        name.get(..1).is_some_and(|own| own.eq_ignore_ascii_case(first)) && is_near(name, word)
    });
    near.next().copied().filter(|_| near.next().is_none())
}

fn number(kind: &Kind, value: &str) -> Option<u32> {
    let mut known = kind.names.iter().zip(kind.low..);
    let named = known.find(|(name, _)| name.eq_ignore_ascii_case(value));
    named.map_or_else(|| value.parse().ok(), |(_, number)| Some(number))
}

/// A range that runs backwards, as one or two that do not.
pub(super) fn wrapped(kind: &Kind, from: u32, to: u32) -> String {
    if kind.is_day_of_week() && to == 0 {
        format!("{from}-{SUNDAY_AGAIN}")
    } else {
        format!("{from}-{},{}-{to}", kind.last(), kind.low)
    }
}

/// Steps from a value to the end of the field.
pub(super) fn from_value(kind: &Kind, value: u32, step: &str) -> String {
    if value == kind.low { format!("*/{step}") } else { format!("{value}-{}/{step}", kind.high) }
}

/// Expression of an interval such as `5 minutes`, `5m` or `1h`, if the day or hour is divided evenly.
pub(super) fn interval(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['\'', '"']);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (count, unit) = text.split_at(digits);
    let count: u32 = if count.is_empty() { 1 } else { count.parse().ok()? };
    let expression = match (unit.trim().to_ascii_lowercase().as_str(), count) {
        ("m" | "min" | "mins" | "minute" | "minutes" | "", 1) => "* * * * *".to_owned(),
        ("h" | "hour" | "hours", 1) | ("m" | "min" | "mins" | "minutes", 60) => {
            "0 * * * *".to_owned()
        }
        ("d" | "day" | "days", 1) | ("h" | "hour" | "hours", 24) => "0 0 * * *".to_owned(),
        ("w" | "week" | "weeks", 1) | ("d" | "day" | "days", 7) => "0 0 * * 0".to_owned(),
        ("m" | "min" | "mins" | "minute" | "minutes", count) if count > 0 && 60 % count == 0 => {
            format!("*/{count} * * * *")
        }
        ("h" | "hour" | "hours", count) if count > 0 && 24 % count == 0 => {
            format!("0 */{count} * * *")
        }
        _ => return None,
    };
    Some(expression)
}

/// Whether a word may be a field of some cron, that of Quartz included.
pub(super) fn may_be_field(word: &str) -> bool {
    let word = word.to_ascii_uppercase();
    let is_notation = |byte| byte_is_number(byte) || b"*?,-/#~LW".contains(&byte);
    let mut parts = word.split([',', '-', '/', '#', '~']);
    word.bytes().all(is_notation)
        || parts.all(|part| {
            let part = part.trim_end_matches(['L', 'W']);
            part.bytes().all(byte_is_number)
                || ["*", "?", "H"].contains(&part)
                || is_one_of(&MONTHS, part)
                || is_one_of(&WEEKDAYS, part)
        })
}

/// Whether a word is a list or range of names, in full or with a slip, or of numbers with one.
pub(super) fn may_be_misspelt(word: &str) -> bool {
    let is_list = word.contains([',', '-']);
    let is_part = |part: &str| {
        let digits = part.trim_end_matches(|last: char| last.is_ascii_alphabetic());
        let is_number = !digits.is_empty() && digits.bytes().all(byte_is_number);
        is_list && is_number && part.len() - digits.len() < 2
            || MONTHS.iter().chain(&WEEKDAYS).any(|name| is_near(name, part))
    };
    word.split([',', '-']).all(is_part)
}

fn byte_is_number(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// Whether a word is a name of three letters, in full or cut elsewhere, or one letter off.
fn is_near(name: &str, word: &str) -> bool {
    let word = word.to_ascii_uppercase();
    let mut full_names = FULL_NAMES.split(' ').filter(|full| full.starts_with(name));
    is_one_letter_off(name, &word)
        || full_names.any(|full| {
            is_one_letter_off(full, &word) || word.len() > 3 && full.starts_with(word.as_str())
        })
}

/// Whether two words differ by at most one letter: another one, one more or one less.
fn is_one_letter_off(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (one.get(same..).unwrap_or_default(), other.get(same..).unwrap_or_default());
    let after = |rest: &[u8]| rest.get(1..).unwrap_or_default().to_vec();
    one == other || after(one) == other || one == after(other) || after(one) == after(other)
}
