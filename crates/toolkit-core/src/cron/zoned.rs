//! Moments: when an expression fires in a time zone, by the rules of cron(8) of Debian.
//!
//! A schedule whose minute or hour starts with `*` follows the clock: it fires twice in an hour that is
//! repeated and not in one that is skipped. Any other fires once in a repeated hour, and right after a
//! change that skips its time. Changes of over three hours, or of three forward, are corrections of the
//! clock, which every schedule follows. Left out are the few minutes that cron catches up with after it slept.

use time::{Duration, OffsetDateTime, PlainDateTime};

use super::Schedule;
use super::next::CALENDAR_YEARS;
use crate::timestamp::zone::{Change, Zone, wall};

/// Size beyond which a change is a correction.
const CORRECTION: Duration = Duration::hours(3);
/// More than any clock was ever changed.
const CHANGE_MAX: Duration = Duration::hours(26);

impl Schedule {
    /// Iterates over the moments after `time` at which the schedule fires in its time zone, in
    /// order. Without a zone it is UTC. The moments have the zone's offset.
    ///
    /// ```
    /// use time::macros::datetime;
    /// use toolkit_core::cron::Schedule;
    ///
    /// let schedule: Schedule = "CRON_TZ=Europe/Berlin 30 2 * * *".parse()?;
    /// let mut runs = schedule.moments_after(datetime!(2024-03-30 12:00 UTC));
    /// // The clocks are set forward from 02:00 to 03:00.
    /// assert_eq!(runs.next(), Some(datetime!(2024-03-31 03:00 +2)));
    /// assert_eq!(runs.next(), Some(datetime!(2024-04-01 02:30 +2)));
    /// # Ok::<(), toolkit_core::ToolError>(())
    /// ```
    pub fn moments_after(&self, time: OffsetDateTime) -> impl Iterator<Item = OffsetDateTime> {
        let zone = Zone::find(self.zone().unwrap_or("UTC"));
        let next = move |moment: &OffsetDateTime| self.next_in(zone.as_ref()?, *moment);
        std::iter::successors(next(&time), next)
    }

    /// The first moment after another at which the schedule fires.
    fn next_in(&self, zone: &Zone, moment: OffsetDateTime) -> Option<OffsetDateTime> {
        let follows_clock = self.minute.starts_with_star || self.hour.starts_with_star;
        let is_bridged = |change: &Change| {
            !follows_clock && (-CORRECTION..CORRECTION).contains(&(change.to - change.from))
        };
        let mut start = zone.at(moment).ok()?;
        let mut shown = wall(start);
        // Until then the clock shows times again.
        if let Some(change) = zone.change_until(start).filter(is_bridged) {
            shown = shown.max(before(change.from)?);
        }
        // Its times may all be ones that the clocks skip.
        let last_year = start.year() + CALENDAR_YEARS;
        loop {
            let next = self.after(shown).next().filter(|next| next.year() <= last_year)?;
            let run = next.assume_offset(start.offset());
            let Some(change) = zone.change_after(start).filter(|change| change.at <= run) else {
                return zone.at(run).ok();
            };
            let near = run.checked_sub(CHANGE_MAX)?;
            if change.at - start > CHANGE_MAX && near > change.at {
                // No time before `next` is of the schedule, whatever changes are between.
                (start, shown) = (zone.at(near).ok()?, before(next)?);
            } else if !is_bridged(&change) {
                (start, shown) = (change.at, before(change.to)?);
            } else if next < change.to {
                return Some(change.at);
            } else {
                (start, shown) = (change.at, before(next)?);
            }
        }
    }
}

fn before(time: PlainDateTime) -> Option<PlainDateTime> {
    time.checked_sub(Duration::NANOSECOND)
}
