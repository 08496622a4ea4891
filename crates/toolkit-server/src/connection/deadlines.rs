//! Connection deadlines: one clock for all connections of a worker thread.
//!
//! A timer per connection, reset for each request, would cost more than many requests do. Instead a
//! request only stores the current tick, and one task per worker checks all connections at each
//! tick.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use super::Connection;

/// A point in time, in ticks.
pub(crate) type Tick = u32;

/// Length of a tick: the precision of deadlines.
const TICK: Duration = Duration::from_millis(250);

/// Converts a duration to ticks.
pub(crate) const fn ticks(time: Duration) -> Tick {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "deadlines are seconds, not years"
    )]
    let ticks = time.as_millis().div_ceil(TICK.as_millis()) as Tick;
    ticks
}

/// State of a server, shared by all its workers.
#[derive(Clone, Debug, Default)]
pub struct State {
    draining: Arc<AtomicBool>,
    idle_close_delay: Arc<AtomicU32>,
    open: Arc<AtomicUsize>,
    end_notice: Arc<tokio::sync::watch::Sender<bool>>,
}

impl State {
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
        self.open.load(Ordering::Relaxed)
    }
}

/// The clock and the connections of one worker thread.
#[derive(Default)]
pub(crate) struct Watch {
    clock: Cell<Tick>,
    draining_since: Cell<Option<Tick>>,
    connections: RefCell<Vec<Rc<Connection>>>,
    state: State,
}

impl Watch {
    /// Starts the clock of the calling worker thread.
    pub(crate) fn start(state: State) -> Rc<Self> {
        let watch = Rc::new(Self {
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

    /// Registers a new connection.
    pub(crate) fn open(self: &Rc<Self>) -> Rc<Connection> {
        let mut connections = self.connections.borrow_mut();
        let connection = Connection::new(self, connections.len());
        connections.push(Rc::clone(&connection));
        self.state.open.fetch_add(1, Ordering::Relaxed);
        connection
    }

    /// Removes a connection.
    pub(super) fn close(&self, connection: &Connection) {
        let mut connections = self.connections.borrow_mut();
        let slot = connection.slot.get();
        if slot < connections.len() {
            connections.swap_remove(slot);
            if let Some(moved) = connections.get(slot) {
                moved.slot.set(slot);
            }
            self.state.open.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub(super) fn tick(&self) {
        let now = self.clock.get().wrapping_add(1);
        self.clock.set(now);
        if self.is_draining() && self.draining_since.get().is_none() {
            self.draining_since.set(Some(now));
        }
        for connection in self.connections.borrow().iter() {
            connection.check(now);
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
        let [first, second, third] = std::array::from_fn(|_| watch.open());
        assert_eq!(watch.state.connections(), 3);
        watch.close(&first);
        watch.close(&third);
        assert_eq!(watch.state.connections(), 1);
        for _ in 0..ticks(crate::limits::HEAD_DEADLINE) {
            watch.tick();
        }
        assert_eq!(second.end(), Some(super::super::End::Idle));
        assert_eq!((first.end(), third.end()), (None, None));
        watch.close(&second);
        watch.close(&second);
        assert_eq!(watch.state.connections(), 0);
    }

    #[test]
    fn idle_connections_close_so_long_after_the_stop_begins() {
        let watch = Rc::new(Watch::default());
        let connection = watch.open();
        watch.tick();
        assert!(!watch.is_draining() && !watch.must_close_idle());
        watch.state.drain(2 * TICK);
        for _ in 0..2 {
            watch.tick();
            assert!(watch.is_draining() && !watch.must_close_idle());
            assert_eq!(connection.end(), None);
        }
        watch.tick();
        assert!(watch.must_close_idle());
        assert_eq!(connection.end(), Some(super::super::End::Idle));
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
