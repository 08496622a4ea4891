//! Tail: the place for which a time is meant or shown, written after it or in an input of its own.
//!
//! A tail is `UTC`, `GMT` or `Z`, an offset, or a zone: after white space or a comma, in brackets (RFC
//! 9557) or parentheses, or after `in` or `to`. Alone it stands for the current time there. Left out are
//! AM and PM, which belong to the time of day, and the offset that is a part of a date.

use time::OffsetDateTime;

use super::zone::{Zone, disagrees, is_ambiguous, unknown};
use super::{Basis, Dated, NO_OFFSET, Place, iso8601, number};
use crate::echo::Echo;
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::{WarningKind, Warnings};

/// How a tail is joined to the value before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    /// It is a part of the value, and must agree with it.
    Beside,
    /// `in`: a time without an offset is one of the place; another is shown there.
    In,
    /// `to`: the time is shown there.
    To,
}

/// A tail. Without a zone it is UTC.
#[derive(Debug)]
struct Tail {
    link: Link,
    zone: Option<Zone>,
}

/// A date, and the name of its zone.
type Placed = (Dated, Option<String>);

/// Reads a text without its own tail and those of its inputs, and combines them. Returns the zone's name.
pub(super) fn in_zone(
    text: &str,
    inputs: [Option<Place<'_>>; 2],
    warnings: &mut Warnings,
    mut read: impl FnMut(&str, &mut Warnings) -> Result<Dated, ToolError>,
) -> Result<(OffsetDateTime, Option<String>), ToolError> {
    let mut placed = dated(text, true, warnings, &mut read)?;
    for Place { field, name } in inputs.into_iter().flatten() {
        let name = name.trim();
        let link = if field == "to" { Link::To } else { Link::Beside };
        let tail = Tail::named(name, link).ok_or_else(|| unknown(name).in_field(field))?;
        placed = tail.resolve(placed.0, warnings)?;
    }
    let ((moment, basis), zone) = placed;
    if basis == Basis::Wall {
        warnings.add(WarningKind::Assumed, NO_OFFSET);
    }
    Ok((moment, zone))
}

/// Reads a text with its tail. A tail after `in` or `to` is read only if the text `is_whole`.
fn dated(
    text: &str,
    is_whole: bool,
    warnings: &mut Warnings,
    read: &mut dyn FnMut(&str, &mut Warnings) -> Result<Dated, ToolError>,
) -> Result<Placed, ToolError> {
    let (head, tail) = split(text, warnings)?;
    let Some(tail) = tail.filter(|tail| is_whole || tail.link == Link::Beside) else {
        return Ok((read(text, warnings)?, None));
    };
    let head = if head.trim().is_empty() { "now" } else { head };
    let dated = match tail.link {
        Link::Beside => read(head, warnings)?,
        Link::In | Link::To => dated(head, false, warnings, read)?.0,
    };
    tail.resolve(dated, warnings)
}

impl Tail {
    /// The tail that is a name or an offset.
    fn named(name: &str, link: Link) -> Option<Self> {
        if ["UTC", "GMT", "Z"].iter().any(|utc| name.eq_ignore_ascii_case(utc)) {
            return Some(Self { link, zone: None });
        }
        // A number before two letters, as in `10 GB`, has them as its unit.
        let zone = Zone::find(name).filter(|_| name.len() > 2 && !is_ambiguous(name))?;
        Some(Self { link, zone: Some(zone) })
    }

    /// Whether it is a zone of the database.
    fn has_name(&self) -> bool {
        self.zone.as_ref().is_some_and(|zone| !zone.name.starts_with(['+', '-']))
    }

    /// Combines the tail with the value before it.
    fn resolve(self, (moment, basis): Dated, warnings: &mut Warnings) -> Result<Placed, ToolError> {
        if self.link == Link::To && basis == Basis::Wall {
            warnings.add(WarningKind::Assumed, NO_OFFSET);
        }
        let basis = match (self.link, basis) {
            (Link::Beside, basis) | (Link::In, basis @ Basis::Wall) => basis,
            _ => Basis::Moment,
        };
        match (self.zone, basis) {
            (None, Basis::Offset(offset)) if !offset.is_utc() => Err(disagrees("UTC", moment)),
            (None, _) => Ok(((moment, Basis::Moment), None)),
            (Some(zone), basis) => {
                let moment = zone.resolve(moment, basis, warnings)?;
                Ok(((moment, Basis::Offset(moment.offset())), Some(zone.name)))
            }
        }
    }
}

/// Splits a text from its tail.
///
/// # Errors
///
/// Says which zone or suffix is unknown, and where.
fn split<'a>(text: &'a str, warnings: &mut Warnings) -> Result<(&'a str, Option<Tail>), ToolError> {
    let trimmed = text.trim_end();
    if let Some((head, suffixes)) = trimmed.strip_suffix(']').and_then(|text| text.split_once('['))
        && !head.trim().is_empty()
    {
        let at = Position::offset(text, head.len() + 1);
        let zone = suffixed(suffixes, warnings).map_err(|refusal| refusal.at(at))?;
        let tail = zone.map(|zone| Tail { link: Link::Beside, zone: Some(zone) });
        return Ok((head, tail));
    }
    if let Some((head, name)) = trimmed.strip_suffix(')').and_then(|text| text.rsplit_once('('))
        && let Some(tail) = Tail::named(name.trim(), Link::In)
    {
        return Ok((head, Some(tail)));
    }
    let (before, name) = trimmed.rsplit_once(char::is_whitespace).unwrap_or(("", trimmed));
    let (before, link) = linked(before);
    let head = before.trim_end_matches(',');
    let is_now = head.trim().eq_ignore_ascii_case("now");
    let is_whole = is_whole(head);
    let is_apart = link != Link::Beside || head.len() < before.len() || is_now || is_whole;
    match Tail::named(name, link) {
        _ if number::Number::split(trimmed.trim()).is_some() => Ok((text, None)),
        // A date has `UTC` and an offset itself, unless something tells them apart.
        Some(tail) if is_apart || tail.has_name() => Ok((head, Some(tail))),
        None if name.len() > 4 && name.contains('/') && name.starts_with(char::is_alphabetic)
            || link != Link::Beside
            || is_whole && is_ambiguous(name)
            || is_now && !head.is_empty() =>
        {
            Err(unknown(name).at(Position::offset(text, trimmed.len() - name.len())))
        }
        _ => Ok((text, None)),
    }
}

/// The text without `in` or `to` at its end.
fn linked(text: &str) -> (&str, Link) {
    let text = text.trim_end();
    let (before, word) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    match word.to_ascii_lowercase().as_str() {
        "in" => (before.trim_end(), Link::In),
        "to" => (before.trim_end(), Link::To),
        _ => (text, Link::Beside),
    }
}

/// Whether a value is complete, so that the rest is not part of it: empty, a number, or a date in
/// UTC.
fn is_whole(head: &str) -> bool {
    let text = head.trim();
    let digits = text.strip_suffix(['Z', 'z']).unwrap_or_default();
    let is_number = number::Number::split(number::Unit::split(text).0).is_some();
    text.is_empty()
        || digits.ends_with(|last: char| last.is_ascii_digit())
        || is_number && !iso8601::looks_like(text)
}

/// Reads the suffixes of RFC 9557, without the first bracket and the last.
fn suffixed(suffixes: &str, warnings: &mut Warnings) -> Result<Option<Zone>, ToolError> {
    let mut zone = None;
    for (index, suffix) in suffixes.trim_end_matches(']').split("][").enumerate() {
        let is_critical = suffix.starts_with('!');
        let name = suffix.trim_start_matches('!');
        match name.split_once('=') {
            None if index == 0 => zone = Some(Zone::find(name).ok_or_else(|| unknown(name))?),
            Some(("u-ca", "iso8601" | "gregory")) => {}
            Some(_) if !is_critical => {
                let warning = format!("The suffix {} was left out.", Echo(&format!("[{name}]")));
                warnings.add(WarningKind::Dropped, warning);
            }
            _ => {
                let message = format!("has the suffix {}, which is not known", Echo(suffix));
                let hint = "RFC 9557 has one time zone, and keys as in `[u-ca=gregory]`";
                return Err(ToolError::new(message).of(ErrorKind::Unsupported).with_hint(hint));
            }
        }
    }
    Ok(zone)
}
