//! Room: which connections are closed first when others need their place.

use std::sync::Arc;
use std::time::Duration;

use super::clock::{self, Tick};
use super::connection::{Connection, End, Stage};
use crate::accounts::{Account, Charge};
use crate::limits;

/// Age after which a connection counts as idle, and a request as incomplete if its body is so far
/// behind the minimum rate.
const IDLE_MIN: Duration = Duration::from_secs(1);

/// Connections above which a client or network crowds others. An office that uploads a dozen files does
/// not.
const CROWD: usize = 16;

/// Connections that can be closed to make room, in ascending order of priority. Closing an idle
/// connection costs its client only a handshake. One used within the last second outlives a flood
/// of others, since its next request may be on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// The request is late.
    Incomplete,
    /// Just used.
    Fresh,
    /// Either of these, of a client or network that crowds others.
    Crowding,
    /// Idle.
    Idle,
}

/// Priority for closing: by class, then by the client's number of connections if crowding, then by
/// age.
pub(super) type Rank = (Class, usize, Tick);

impl Connection {
    /// The priority for closing this connection, if it may be closed.
    pub(super) fn rank(&self) -> Option<Rank> {
        let (open, age) = (self.client_connections(), self.age());
        let crowds = open > CROWD;
        let is_incomplete = match self.stage {
            Stage::Opened | Stage::Head => true,
            Stage::Request => self.request.is_wanted(),
            Stage::Idle | Stage::Streaming | Stage::Discard => false,
        };
        let is_idle = self.is_idle();
        let is_old = age >= clock::ticks(IDLE_MIN);
        if self.end().is_some() || !is_idle && !is_incomplete {
            None
        } else if is_idle && is_old {
            Some((Class::Idle, 0, age))
        } else if crowds {
            Some((Class::Crowding, open, age))
        } else if is_idle {
            Some((Class::Fresh, 0, age))
        } else {
            // The first request of a new connection is on its way, and so is an upload that goes on.
            let behind = if self.stage == Stage::Request {
                self.request.behind(self.clock.now())
            } else {
                age
            };
            (behind >= clock::ticks(IDLE_MIN)).then_some((Class::Incomplete, 0, behind))
        }
    }

    /// How long it has been idle, if it counts in this account.
    pub(super) fn idle_in(&self, account: &Account) -> Option<Tick> {
        let is_one = self.end().is_none() && self.is_idle() && self.account.is_within(account);
        is_one.then(|| self.age())
    }

    /// Whether it carries no request. The first one may take a moment.
    fn is_idle(&self) -> bool {
        match self.stage {
            Stage::Opened => self.age() >= clock::ticks(IDLE_MIN),
            Stage::Idle => !self.output.is_blocked(),
            Stage::Head | Stage::Request | Stage::Streaming | Stage::Discard => false,
        }
    }

    fn age(&self) -> Tick {
        self.clock.since(self.since)
    }

    /// The client's number of connections. A proxy's belong to many clients.
    fn client_connections(&self) -> usize {
        let is_of_many = self.is_proxy && Arc::ptr_eq(&self.account, &self.peer);
        if is_of_many { 0 } else { self.account.connections() }
    }

    /// Whether the client is too slow while others need memory, and the connection is not ending
    /// yet.
    pub(super) fn may_be_freed(&self) -> bool {
        let age = self.age();
        let is_late = match self.stage {
            Stage::Opened | Stage::Idle => age >= clock::ticks(IDLE_MIN),
            Stage::Head => age > clock::ticks(limits::RATE_GRACE),
            Stage::Request => self.request.is_slow(self.clock.now()),
            Stage::Discard => true,
            Stage::Streaming => false,
        };
        let is_blocked = self.output.is_blocked();
        let is_slow = if is_blocked { self.output.is_slow(&self.clock) } else { is_late };
        is_slow && self.end().is_none()
    }

    /// Bytes held.
    fn memory(&self) -> usize {
        let held = self.held.as_ref().map_or(0, Charge::bytes);
        self.output.memory() + held.max(usize::try_from(self.request.read_bytes).unwrap_or(held))
    }

    /// Bytes held by its client.
    pub(super) fn client_memory(&self) -> usize {
        self.account.memory()
    }

    /// Ends it if the process holds too much. Returns whether it did.
    pub(super) fn free(&mut self) -> bool {
        let bytes = self.memory();
        let is_over = self.clock.state().accounts().frees(bytes);
        if is_over {
            self.freed = bytes;
            self.make_room();
        }
        is_over
    }

    /// Ends it to make room for others.
    pub(super) fn make_room(&mut self) {
        self.end_with(match self.stage {
            _ if self.output.is_blocked() => End::Stalled,
            Stage::Request => End::Full,
            _ => End::Idle,
        });
    }
}
