//! Room: what decides which connections end so that others are served.

use std::time::Duration;

use super::clock::{self, Tick};
use super::connection::{Connection, End, Stage};
use crate::accounts::{CONNECTIONS_GUARANTEED, Charge};
use crate::limits;

/// From when on a request counts as incomplete, and a connection as idle if others need its memory.
const IDLE_MIN: Duration = Duration::from_secs(1);

/// How early a connection makes room for another: whether its request is incomplete, then how many
/// its client has open, then for how long.
pub(super) type Rank = (bool, usize, Tick);

impl Connection {
    /// Whether its request is still arriving.
    fn is_incomplete(&self) -> bool {
        match self.stage {
            Stage::Opened | Stage::Head => true,
            Stage::Request => self.request.is_wanted(),
            Stage::Idle | Stage::Answer | Stage::Discard => false,
        }
    }

    /// How early it makes room for another connection, if it may.
    pub(super) fn rank(&self) -> Option<Rank> {
        let is_incomplete = self.is_incomplete();
        let is_idle = self.stage == Stage::Idle && !self.output.is_blocked();
        let (open, age) = (self.account.connections(), self.clock.since(self.since));
        // The request of one that was just opened is on its way.
        let is_late = open > CONNECTIONS_GUARANTEED || age >= clock::ticks(IDLE_MIN);
        let open = if is_incomplete { open } else { 0 };
        let may_end = self.end().is_none() && (is_incomplete && is_late || is_idle);
        may_end.then_some((is_incomplete, open, age))
    }

    /// Whether its client is slower than it may be while others need memory.
    pub(super) fn is_slow(&self) -> bool {
        let age = self.clock.since(self.since);
        let is_late = match self.stage {
            Stage::Opened | Stage::Idle => age >= clock::ticks(IDLE_MIN),
            Stage::Head => age > clock::ticks(limits::RATE_GRACE),
            Stage::Request => self.request.is_slow(age),
            Stage::Discard => true,
            Stage::Answer => false,
        };
        if self.output.is_blocked() { self.output.is_slow(&self.clock) } else { is_late }
    }

    /// Bytes that it holds.
    pub(super) fn memory(&self) -> usize {
        let held = self.held.as_ref().map_or(0, Charge::bytes);
        self.output.memory() + held.max(usize::try_from(self.request.read_bytes).unwrap_or(held))
    }

    /// Bytes that its client holds.
    pub(super) fn client_memory(&self) -> usize {
        self.account.memory()
    }

    /// Ends it for the sake of others.
    pub(super) fn make_room(&mut self) {
        self.end_with(match self.stage {
            _ if self.output.is_blocked() => End::Stalled,
            Stage::Request => End::Full,
            _ => End::Idle,
        });
    }
}
