//! Time zones by name: RFC 9557 suffixes (`[Europe/Berlin]`) and names after a space.
//!
//! The rules are those of the IANA database in the version that `jiff` bundles; none is read from the
//! disk. Left out are abbreviations such as `CET` and `PST`, which name several zones, and calendars
//! other than ISO 8601's.

use jiff::SignedDuration;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use time::{OffsetDateTime, UtcOffset};

use super::{Basis, from_nanoseconds, out_of_range, to_iso8601_with_offset};
use crate::echo::Echo;
use crate::error::{ErrorKind, Position, ToolError};
use crate::warnings::{WarningKind, Warnings};

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
const HINT: &str = "zones are named as in `Europe/Berlin`; or write an offset as in `+01:00`";

/// A time zone, with its name in the database's spelling.
#[derive(Debug)]
pub(crate) struct Zone {
    pub(super) name: String,
    rules: TimeZone,
}

/// Splits a zone at the end of a text from what precedes it.
///
/// # Errors
///
/// Says which suffix is unknown, and where.
pub(crate) fn split<'a>(
    text: &'a str,
    warnings: &mut Warnings,
) -> Result<(&'a str, Option<Zone>), ToolError> {
    let trimmed = text.trim_end();
    if trimmed.ends_with(']')
        && let Some((time, suffixes)) = trimmed.split_once('[')
    {
        let at = Position::offset(text, time.len() + 1);
        let zone = suffixed(suffixes, warnings).map_err(|refusal| refusal.at(at))?;
        return Ok((time, zone));
    }
    let Some((time, name)) = trimmed.rsplit_once(char::is_whitespace) else {
        return Ok((text, None));
    };
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_abbreviation = name.len() <= 4 && !name.contains('/');
    if !is_name || is_abbreviation || name.contains([':', '(']) {
        return Ok((text, None));
    }
    match Zone::find(name) {
        Some(zone) => Ok((time, Some(zone))),
        None if name.contains('/') => {
            let at = Position::offset(text, trimmed.len() - name.len());
            Err(unknown(name).at(at))
        }
        None => Ok((text, None)),
    }
}

/// Reads the suffixes of RFC 9557, without the first bracket.
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
                let message = format!("has the suffix {}, which is not known,", Echo(suffix));
                let hint = "RFC 9557 has one time zone, and keys as in `[u-ca=gregory]`";
                return Err(ToolError::new(message).of(ErrorKind::Unsupported).with_hint(hint));
            }
        }
    }
    Ok(zone)
}

fn unknown(name: &str) -> ToolError {
    let message = format!("has the time zone {}, which is not known,", Echo(name));
    ToolError::new(message).of(ErrorKind::Unsupported).with_hint(HINT)
}

impl Zone {
    fn find(name: &str) -> Option<Self> {
        if let Some(seconds) = offset_seconds(name) {
            let offset = jiff::tz::Offset::from_seconds(seconds).ok()?;
            return Some(Self { name: name.to_owned(), rules: TimeZone::fixed(offset) });
        }
        let rules = TimeZoneDatabase::bundled().get(name).ok()?;
        let name = rules.iana_name()?.to_owned();
        Some(Self { name, rules })
    }

    /// The moment with the offset that the zone has at it.
    pub(crate) fn at(&self, moment: OffsetDateTime) -> Result<OffsetDateTime, ToolError> {
        let timestamp = jiff::Timestamp::from_nanosecond(moment.unix_timestamp_nanos());
        let timestamp = timestamp.map_err(|_| out_of_range())?;
        let offset = self.rules.to_offset(timestamp).seconds();
        let offset = UtcOffset::from_whole_seconds(offset).map_err(|_| out_of_range())?;
        moment.checked_to_offset(offset).ok_or_else(out_of_range)
    }

    /// Combines the zone with a time that was given with or without an offset.
    pub(super) fn resolve(
        &self,
        moment: OffsetDateTime,
        basis: Basis,
        warnings: &mut Warnings,
    ) -> Result<OffsetDateTime, ToolError> {
        match basis {
            Basis::Moment => self.at(moment),
            Basis::Offset(offset) => {
                let here = self.at(moment)?;
                // Offsets are written without the seconds that some had before 1972.
                let seconds = here.offset().whole_seconds() - offset.whole_seconds();
                if seconds.abs() < 60 {
                    return Ok(here);
                }
                let name = &self.name;
                let local = to_iso8601_with_offset(here);
                let message = format!("has an offset that `{name}` does not have then");
                Err(ToolError::new(message)
                    .of(ErrorKind::Range)
                    .with_hint(format!("leave one of them out; it is {local} there")))
            }
            Basis::Wall => self.of_wall(moment, warnings),
        }
    }

    /// The moment at which the zone's clocks show a time: after a gap, the first of two.
    fn of_wall(
        &self,
        wall: OffsetDateTime,
        warnings: &mut Warnings,
    ) -> Result<OffsetDateTime, ToolError> {
        let since_1970 =
            SignedDuration::new(wall.unix_timestamp(), wall.nanosecond().cast_signed());
        let civil = EPOCH.checked_add(since_1970).map_err(|_| out_of_range())?;
        let ambiguous = self.rules.to_ambiguous_timestamp(civil);
        let kind = ambiguous.offset();
        let timestamp = ambiguous.compatible().map_err(|_| out_of_range())?;
        let moment = self.at(from_nanoseconds(timestamp.as_nanosecond())?)?;
        let (name, local) = (&self.name, to_iso8601_with_offset(moment));
        let warning = match kind {
            AmbiguousOffset::Unambiguous { .. } => return Ok(moment),
            AmbiguousOffset::Gap { .. } => {
                format!("The clocks of `{name}` skip this time; it is taken as {local}.")
            }
            AmbiguousOffset::Fold { .. } => {
                format!("The clocks of `{name}` show this time twice; the first is taken, {local}.")
            }
        };
        warnings.add(WarningKind::Assumed, warning);
        Ok(moment)
    }
}

/// Seconds of an offset in the place of a name: `[+02:00]`.
fn offset_seconds(name: &str) -> Option<i32> {
    let digits = name.strip_prefix(['+', '-'])?;
    let (hours, minutes) = digits.split_once(':')?;
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let is_offset = digits.len() == 5 && (0..24).contains(&hours) && (0..60).contains(&minutes);
    let seconds = (hours * 60 + minutes) * 60;
    is_offset.then_some(if name.starts_with('-') { -seconds } else { seconds })
}
