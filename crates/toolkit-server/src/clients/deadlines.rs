//! Connection deadlines: one clock for all connections of a worker thread.
//!
//! A timer per connection, reset for each request, would cost more than many requests do. Instead a
//! request only stores the current tick, and one task per worker checks all connections at each
//! tick.

use std::cell::{Cell, RefCell};
use std::net::IpAddr;
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use super::connection::{Connection, End, Shared};
use super::turns::Turns;
use super::{Account, CONNECTION_BYTES, Clients};

/// A point in time, in ticks.
pub(crate) type Tick = u32;

const TICKS_PER_SECOND: u64 = 4;

/// Length of a tick: the precision of deadlines.
const TICK: Duration = Duration::from_millis(1_000 / TICKS_PER_SECOND);

/// Idle connections that are found, and may be closed in one tick, to make room.
const CLOSED_MAX: usize = 256;

/// From when on a connection counts as idle: the request of one that was just opened is on its way.
const IDLE_MIN: Tick = ticks(Duration::from_secs(1));

/// Converts a duration to ticks.
pub(crate) const fn ticks(time: Duration) -> Tick {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "deadlines are seconds, not years"
    )]
    let ticks = time.as_millis().div_ceil(TICK.as_millis()) as Tick;
    ticks
}

/// Bytes at a rate over so many ticks.
pub(super) fn bytes(persecond: u64, ticks: Tick) -> u64 {
    persecond / TICKS_PER_SECOND * u64::from(ticks)
}

/// State of a server, shared by all its workers.
#[derive(Clone, Debug, Default)]
pub struct State {
    draining: Arc<AtomicBool>,
    idle_close_delay: Arc<AtomicU32>,
    clients: Clients,
    end_notice: Arc<tokio::sync::watch::Sender<bool>>,
}

impl State {
    /// The state of a server of these clients.
    pub(crate) fn new(clients: Clients) -> Self {
        Self {
            clients,
            ..Self::default()
        }
    }

    /// The clients of the server.
    pub(crate) fn clients(&self) -> &Clients {
        &self.clients
    }

    /// Announces to all connections that the process is stopping. Idle ones are closed after
    /// `idle_close_delay`.
    pub(crate) fn drain(&self, idle_close_delay: Duration) {
        self.idle_close_delay
            .store(ticks(idle_close_delay), Ordering::Relaxed);
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Notifies streamed responses that they are about to be cut.
    pub(crate) fn announce_end(&self) {
        self.end_notice.send_replace(true);
    }

    /// Whether it is stopping.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// The number of open connections.
    pub fn connections(&self) -> usize {
        let [open, _] = self.clients.connections();
        open
    }
}

/// The clock and the connections of one worker thread.
#[derive(Default)]
pub(crate) struct Watch {
    clock: Cell<Tick>,
    draining_since: Cell<Option<Tick>>,
    connections: RefCell<Vec<Shared>>,
    /// The connections that had been idle longest when last looked for, and since when; the longest
    /// one last.
    idle: RefCell<Vec<(Tick, Weak<RefCell<Connection>>)>>,
    pub(crate) turns: Turns,
    state: State,
}

impl Watch {
    /// Starts the clock of the calling worker thread.
    pub(crate) fn start(state: State) -> Rc<Self> {
        let watch = Rc::new(Self {
            turns: Turns::start(),
            state,
            ..Self::default()
        });
        actix_web::rt::spawn(keep(Rc::downgrade(&watch)));
        watch
    }

    /// The current tick.
    pub(super) fn now(&self) -> Tick {
        self.clock.get()
    }

    /// Whether the process is stopping.
    pub(crate) fn is_draining(&self) -> bool {
        self.state.is_draining()
    }

    /// Whether the process has been stopping for so long that idle connections must close.
    pub(super) fn must_close_idle(&self) -> bool {
        let since = self.draining_since.get();
        let idle_close_delay = self.state.idle_close_delay.load(Ordering::Relaxed);
        since.is_some_and(|since| self.now().wrapping_sub(since) >= idle_close_delay)
    }

    /// Notified shortly before a stop cuts the remaining responses.
    pub(crate) fn end_notice(&self) -> tokio::sync::watch::Receiver<bool> {
        self.state.end_notice.subscribe()
    }

    /// Accepts a connection, unless its client has too many. When there is no room, the connection
    /// that has been idle longest is closed for it. If none is idle, a client may open its first one,
    /// and a trusted proxy any.
    pub(crate) fn accept(self: &Rc<Self>, peer: IpAddr) -> Option<Shared> {
        let clients = &self.state.clients;
        let account = clients.accept(peer)?;
        let is_crowded = clients.is_full() || clients.excess() > 0;
        let is_welcome = account.connections() == 0 || clients.0.proxies.trusts(peer);
        let fits = !is_crowded || self.close_longest_idle() || is_welcome && !clients.is_full();
        fits.then(|| self.open(account))
    }

    /// Closes the connection that has been idle longest; returns whether there is one.
    fn close_longest_idle(&self) -> bool {
        let mut idle = self.idle.borrow_mut();
        if idle.is_empty() {
            *idle = self.longest_idle();
        }
        while let Some((since, connection)) = idle.pop() {
            let connection = connection.upgrade();
            let still =
                connection.filter(|connection| connection.borrow().idle_since() == Some(since));
            if let Some(connection) = still {
                connection.borrow_mut().end_with(End::Idle);
                return true;
            }
        }
        false
    }

    /// The connections that have been idle longest; the longest one last.
    fn longest_idle(&self) -> Vec<(Tick, Weak<RefCell<Connection>>)> {
        let connections = self.connections.borrow();
        let idle = connections.iter().filter_map(|connection| {
            let since = connection.borrow().idle_since()?;
            let is_idle = self.now().wrapping_sub(since) >= IDLE_MIN;
            is_idle.then(|| (since, Rc::downgrade(connection)))
        });
        let mut idle: Vec<_> = idle.collect();
        idle.sort_unstable_by_key(|(since, _)| self.now().wrapping_sub(*since));
        idle.split_off(idle.len().saturating_sub(CLOSED_MAX))
    }

    /// Registers a new connection.
    fn open(self: &Rc<Self>, account: Arc<Account>) -> Shared {
        let mut connections = self.connections.borrow_mut();
        account.open();
        let connection = Connection::new(self, account, connections.len());
        let connection = Rc::new(RefCell::new(connection));
        connections.push(Rc::clone(&connection));
        connection
    }

    /// Removes a connection.
    pub(super) fn close(&self, slot: usize) {
        let mut connections = self.connections.borrow_mut();
        if slot < connections.len() {
            let closed = connections.swap_remove(slot);
            closed.borrow().account.close();
            if let Some(moved) = connections.get(slot) {
                moved.borrow_mut().slot = slot;
            }
        }
    }

    pub(super) fn tick(&self) {
        let now = self.clock.get().wrapping_add(1);
        self.clock.set(now);
        if self.is_draining() && self.draining_since.get().is_none() {
            self.draining_since.set(Some(now));
        }
        for connection in self.connections.borrow().iter() {
            connection.borrow_mut().check(now);
        }
        // Connections that are idle make room for those that are not.
        let excess = self.state.clients.excess().div_ceil(CONNECTION_BYTES);
        for _ in 0..excess.min(CLOSED_MAX) {
            if !self.close_longest_idle() {
                return;
            }
        }
    }
}

async fn keep(watch: Weak<Watch>) {
    let mut interval = actix_web::rt::time::interval(TICK);
    loop {
        interval.tick().await;
        match watch.upgrade() {
            Some(watch) => watch.tick(),
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_rounded_up_to_ticks() {
        let milliseconds = |time| ticks(Duration::from_millis(time));
        assert_eq!([0, 1, 250, 251, 1_000].map(milliseconds), [0, 1, 1, 2, 4]);
    }

    #[test]
    fn connections_are_counted_while_they_are_open_and_all_of_them_are_checked() {
        let watch = Rc::new(Watch::default());
        let [first, second, third] =
            std::array::from_fn(|_| watch.accept([127, 0, 0, 1].into()).unwrap());
        assert_eq!(watch.state.connections(), 3);
        watch.close(first.borrow().slot);
        watch.close(third.borrow().slot);
        assert_eq!(watch.state.connections(), 1);
        for _ in 0..ticks(crate::limits::HEAD_DEADLINE) {
            watch.tick();
        }
        assert_eq!(second.borrow().end(), Some(End::Idle));
        assert_eq!((first.borrow().end(), third.borrow().end()), (None, None));
        watch.close(second.borrow().slot);
        watch.close(second.borrow().slot);
        assert_eq!(watch.state.connections(), 0);
    }

    /// Lets so much time pass that connections count as idle.
    fn rest(watch: &Watch) {
        for _ in 0..IDLE_MIN {
            watch.tick();
        }
    }

    fn watch(memory_mib: u16, client_connections: u16) -> Rc<Watch> {
        let limits = crate::settings::Limits {
            memory_mib,
            client_connections,
            ..Default::default()
        };
        let http = crate::settings::Http {
            trusted_proxies: vec![crate::settings::Network::parse("10.0.0.0/8").unwrap()],
            ..Default::default()
        };
        Rc::new(Watch {
            state: State::new(Clients::new(&limits, &http)),
            ..Watch::default()
        })
    }

    #[test]
    fn a_client_has_so_many_connections_and_a_trusted_proxy_any_number() {
        let watch = watch(160, 3);
        let client: IpAddr = [192, 0, 2, 1].into();
        let mut open: Vec<_> = (0..3).map(|_| watch.accept(client).unwrap()).collect();
        assert!(watch.accept(client).is_none());
        assert!(watch.accept([192, 0, 2, 2].into()).is_some());
        let proxied = (0..9).map(|_| watch.accept([10, 0, 0, 1].into()));
        assert!(proxied.into_iter().all(|open| open.is_some()));
        let last = open.pop().unwrap();
        watch.close(last.borrow().slot);
        assert!(watch.accept(client).is_some());
    }

    #[test]
    fn in_a_full_server_the_longest_idle_connection_makes_room() {
        let watch = watch(1, 512);
        let places = (1 << 20) / 16 * 15 / CONNECTION_BYTES;
        let client = |place: usize| IpAddr::from([192, 0, 2, u8::try_from(place % 256).unwrap()]);
        let mut open = Vec::new();
        for place in 0..places {
            open.push(watch.accept(client(place)).unwrap());
            if place < 2 {
                watch.tick();
            }
        }
        open[0]
            .borrow_mut()
            .begin_request(crate::clients::request_state::Length::None);
        assert!(
            watch.accept(client(0)).is_none(),
            "all have just been opened"
        );
        rest(&watch);
        assert!(
            open.iter()
                .all(|connection| connection.borrow().end().is_none())
        );
        assert!(watch.accept(client(0)).is_some());
        let ended: Vec<_> = (0..places)
            .filter(|&place| open[place].borrow().end().is_some())
            .collect();
        assert_eq!(ended, [1]);
    }

    #[test]
    fn idle_connections_make_room_for_what_the_process_holds_too_much() {
        let watch = watch(1, 512);
        let client: IpAddr = [192, 0, 2, 1].into();
        let [first, second, third] = std::array::from_fn(|_| {
            watch.tick();
            watch.accept(client).unwrap()
        });
        rest(&watch);
        let most = (1 << 20) / 16 * 15;
        let account = Arc::clone(&first.borrow().account);
        let held = account.hold(most - 3 * CONNECTION_BYTES);
        watch.tick();
        assert_eq!(first.borrow().end(), None);
        let more = account.hold(1);
        watch.tick();
        assert_eq!(
            (first.borrow().end(), second.borrow().end()),
            (Some(End::Idle), None)
        );
        // Nor does a new connection take more.
        let _fourth = watch.accept(client).unwrap();
        assert_eq!(
            (second.borrow().end(), third.borrow().end()),
            (Some(End::Idle), None)
        );
        let _fifth = watch.accept(client).unwrap();
        let accepts = |peer: [u8; 4]| watch.accept(peer.into()).is_some();
        assert!(!accepts([192, 0, 2, 1]), "none is idle");
        assert!(accepts([192, 0, 2, 2]), "the first one of its client");
        assert!(accepts([10, 0, 0, 1]) && accepts([10, 0, 0, 1]));
        drop((held, more));
    }

    #[test]
    fn idle_connections_close_so_long_after_the_stop_begins() {
        let watch = Rc::new(Watch::default());
        let connection = watch.accept([127, 0, 0, 1].into()).unwrap();
        watch.tick();
        assert!(!watch.is_draining() && !watch.must_close_idle());
        watch.state.drain(2 * TICK);
        for _ in 0..2 {
            watch.tick();
            assert!(watch.is_draining() && !watch.must_close_idle());
            assert_eq!(connection.borrow().end(), None);
        }
        watch.tick();
        assert!(watch.must_close_idle());
        assert_eq!(connection.borrow().end(), Some(End::Idle));
    }

    #[test]
    fn the_end_of_streamed_responses_is_announced() {
        let watch = Watch::default();
        let mut notice = watch.end_notice();
        assert!(!*notice.borrow_and_update());
        watch.state.announce_end();
        assert!(*notice.borrow_and_update());
    }
}
