//! Time zones by name or offset.
//!
//! The rules are those of the IANA database in the version that `jiff` bundles; none is read from the
//! disk. Left out are names of places that the database does not have: for a city, the refusal names its zone.

use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, Timestamp};
#[cfg(feature = "cron")]
use time::{Duration, PlainDateTime};
use time::{OffsetDateTime, UtcOffset};

use super::clock::{instead_of, named_offset, offset};
use super::cursor::Cursor;
use super::{Basis, from_nanoseconds, out_of_range, to_iso8601_with_offset};
use crate::echo::Echo;
use crate::error::{ErrorKind, ToolError};
use crate::warnings::{WarningKind, Warnings};

/// Zones of the database that others mean as an offset, or as another place.
const AMBIGUOUS: [&str; 7] = ["CET", "EET", "EST", "HST", "MET", "MST", "WET"];

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// A time zone, with its name in the database's spelling.
#[derive(Debug)]
pub(crate) struct Zone {
    pub(crate) name: String,
    rules: TimeZone,
}

/// A change of clocks.
#[cfg(feature = "cron")]
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) at: OffsetDateTime,
    /// The time that clocks would show without the change.
    pub(crate) from: PlainDateTime,
    pub(crate) to: PlainDateTime,
}

/// Whether a name abbreviates several zones.
pub(super) fn is_ambiguous(name: &str) -> bool {
    let mut known = AMBIGUOUS.iter();
    known.any(|known| name.eq_ignore_ascii_case(known)) || instead_of(name).is_some()
}

/// Refuses a name, with the zone of its city if there is one.
pub(crate) fn unknown(name: &str) -> ToolError {
    let database = TimeZoneDatabase::bundled();
    let is_city =
        |zone: &str| zone.rsplit_once('/').is_some_and(|(_, city)| city.eq_ignore_ascii_case(name));
    let city = database.available().find(|zone| is_city(zone.as_str()));
    let city = city.map(|zone| format!("write `{zone}`"));
    let hint = city.or_else(|| instead_of(name)).unwrap_or_else(|| {
        "zones are named as in `Europe/Berlin`; or write an offset as in `+01:00`".to_owned()
    });
    let what = if is_ambiguous(name) { "ambiguous" } else { "unknown" };
    let message = format!("has the {what} time zone {}", Echo(name));
    ToolError::new(message).of(ErrorKind::Unsupported).with_hint(hint)
}

/// Refuses a time with another offset than a place has.
pub(super) fn disagrees(name: &str, here: OffsetDateTime) -> ToolError {
    let local = to_iso8601_with_offset(here);
    ToolError::new(format!("has an offset that `{name}` does not have then"))
        .of(ErrorKind::Range)
        .with_hint(format!("leave one of them out; it is {local} there"))
}

impl Zone {
    /// The zone of a name, or of an offset such as `+02:00`, `-0300`, `UTC+2` and `Z`.
    pub(crate) fn find(name: &str) -> Option<Self> {
        if let Some(offset) = offset_of(name) {
            let rules = jiff::tz::Offset::from_seconds(offset.whole_seconds()).ok()?;
            let (hours, minutes, _) = offset.as_hms();
            let sign = if offset.is_negative() { '-' } else { '+' };
            let name = format!("{sign}{:02}:{:02}", hours.unsigned_abs(), minutes.unsigned_abs());
            return Some(Self { name, rules: TimeZone::fixed(rules) });
        }
        let name = if name.eq_ignore_ascii_case("Z") { "UTC" } else { name };
        let rules = TimeZoneDatabase::bundled().get(name).ok()?;
        let name = rules.iana_name()?.to_owned();
        Some(Self { name, rules })
    }

    /// The moment with the offset that the zone has at it.
    pub(crate) fn at(&self, moment: OffsetDateTime) -> Result<OffsetDateTime, ToolError> {
        let offset = self.rules.to_offset(timestamp(moment)?).seconds();
        let offset = UtcOffset::from_whole_seconds(offset).map_err(|_| out_of_range())?;
        moment.checked_to_offset(offset).ok_or_else(out_of_range)
    }

    /// The first change of its clocks after a moment.
    #[cfg(feature = "cron")]
    pub(crate) fn change_after(&self, moment: OffsetDateTime) -> Option<Change> {
        let mut changes = self.rules.following(timestamp(moment).ok()?);
        self.change(changes.next()?.timestamp())
    }

    /// The last change of its clocks until a moment.
    #[cfg(feature = "cron")]
    pub(crate) fn change_until(&self, moment: OffsetDateTime) -> Option<Change> {
        // Changes are at whole seconds.
        let after = moment.checked_add(Duration::SECOND)?;
        let mut changes = self.rules.preceding(timestamp(after).ok()?);
        self.change(changes.next()?.timestamp())
    }

    #[cfg(feature = "cron")]
    fn change(&self, timestamp: Timestamp) -> Option<Change> {
        let at = self.at(from_nanoseconds(timestamp.as_nanosecond()).ok()?).ok()?;
        let before = self.at(at.checked_sub(Duration::NANOSECOND)?).ok()?;
        Some(Change { at, from: wall(at.checked_to_offset(before.offset())?), to: wall(at) })
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
                Err(disagrees(&self.name, here))
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

fn timestamp(moment: OffsetDateTime) -> Result<Timestamp, ToolError> {
    Timestamp::from_nanosecond(moment.unix_timestamp_nanos()).map_err(|_| out_of_range())
}

/// The wall-clock time at a moment.
#[cfg(feature = "cron")]
pub(crate) const fn wall(moment: OffsetDateTime) -> PlainDateTime {
    PlainDateTime::new(moment.date(), moment.time())
}

/// An offset in the place of a name.
fn offset_of(name: &str) -> Option<UtcOffset> {
    let mut cursor = Cursor::new(name, "").ok()?;
    let found =
        named_offset(&mut cursor).unwrap_or_else(|| offset(&mut cursor, 2).map(Basis::Offset));
    found.ok().filter(|_| cursor.rest().is_empty()).map(Basis::offset)
}
