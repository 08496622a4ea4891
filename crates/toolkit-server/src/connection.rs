//! Connection guard: the state of a connection, its deadlines, and the request on it.
//!
//! A [`Connection`] lives as long as its socket and is shared, within one worker thread, by three
//! parts: [`stream`] counts bytes below the HTTP layer, the [`middleware`](crate::middleware)
//! assigns them to requests, and [`deadlines`] enforces deadlines. Requests on a connection follow
//! one another, so the state of the current one is stored here and needs no allocation.

pub(crate) mod deadlines;
mod read_pacing;
mod request_state;
pub(crate) mod stream;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Waker;

use actix_web::{HttpMessage, HttpRequest};

use self::deadlines::{Tick, Watch};
use self::read_pacing::{Flow, Turn};
pub(crate) use self::request_state::{BodyStream, Length, RequestState};
use crate::limits;

/// The stage of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing received yet: it was just opened.
    Opened,
    /// Idle: waiting for the next request.
    Idle,
    /// Reading the head of a request.
    Head,
    /// Handling a request.
    Request,
    /// Streaming a response.
    Answer,
    /// Discarding the rest of an unread body.
    Discard,
}

/// Why a connection must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It is finished.
    Idle,
    /// A head did not arrive in time.
    SlowHead,
    /// More bytes arrived than a request may have.
    Flooded,
    /// The framing of a body was invalid.
    Malformed,
    /// The client does not read.
    Stalled,
}

/// A connection and the request on it.
pub(crate) struct Connection {
    /// The clock of its worker thread.
    pub(crate) watch: Rc<Watch>,
    slot: Cell<usize>,
    stage: Cell<Stage>,
    since: Cell<Tick>,
    /// Bytes that may still arrive in this stage.
    allowance: Cell<u64>,
    blocked_since: Cell<Option<Tick>>,
    /// Whether more of the response follows what is being written.
    more_follows: Cell<bool>,
    input_over: Cell<bool>,
    end: Cell<Option<End>>,
    waker: RefCell<Option<Waker>>,
    flow: Flow,
    /// The request.
    pub(crate) exchange: RequestState,
}

impl Connection {
    fn new(watch: &Rc<Watch>, slot: usize) -> Rc<Self> {
        Rc::new(Self {
            watch: Rc::clone(watch),
            slot: Cell::new(slot),
            stage: Cell::new(Stage::Opened),
            since: Cell::new(watch.now()),
            allowance: Cell::new(u64::MAX),
            blocked_since: Cell::new(None),
            more_follows: Cell::new(false),
            input_over: Cell::new(false),
            end: Cell::new(None),
            waker: RefCell::new(None),
            flow: Flow::default(),
            exchange: RequestState::new(),
        })
    }

    /// The connection of a request outside our server, as in a unit test.
    pub(crate) fn detached() -> Rc<Self> {
        let connection = Self::new(&Rc::new(Watch::default()), 0);
        // There is no stream that would answer invalid framing.
        connection.input_over.set(true);
        connection
    }

    /// Finds the connection of a request.
    pub(crate) fn of(request: &HttpRequest) -> Option<Rc<Self>> {
        request
            .conn_data::<Rc<Self>>()
            .map(Rc::clone)
            .or_else(|| request.extensions().get::<Rc<Self>>().map(Rc::clone))
    }

    /// Records that the head of a request has arrived.
    pub(crate) fn begin_request(&self, length: Length) {
        self.enter(Stage::Request);
        self.allowance.set(match length {
            Length::Chunked => limits::CHUNK_OVERHEAD,
            Length::None | Length::Declared(_) => u64::MAX,
        });
        self.exchange.begin(self.watch.now(), length);
    }

    /// Records that there is a response, so that the rest of the body has little time.
    pub(crate) fn shorten_deadline(&self) {
        self.exchange.shorten_deadline(self.watch.now());
    }

    /// Records that the response is ready to be written.
    pub(crate) fn end_request(&self) {
        if self.exchange.is_unread() {
            self.allowance.set(match self.exchange.declared.get() {
                Some(_) => limits::DISCARD_DECLARED_MAX,
                None => limits::DISCARD_CHUNKED_MAX,
            });
            self.enter(Stage::Discard);
        } else {
            self.allowance.set(u64::MAX);
            self.enter(Stage::Idle);
        }
        self.exchange.finish();
        self.resume();
    }

    /// Records that the response is streamed: it has no overall deadline, and bytes from its client
    /// are left unread.
    pub(crate) fn begin_answer(&self) {
        self.allowance.set(u64::MAX);
        self.enter(Stage::Answer);
    }

    /// Whether a response is being streamed.
    pub(crate) fn is_answering(&self) -> bool {
        self.stage.get() == Stage::Answer
    }

    /// Counts the content of a chunked body against its framing. Tiny chunks cost far more than
    /// their bytes, so a body made of them is read slowly.
    fn decoded(&self, bytes: usize) {
        if self.exchange.declared.get().is_some() {
            return;
        }
        let paid = limits::CHUNK_FACTOR.saturating_mul(u64::try_from(bytes).unwrap_or(u64::MAX));
        self.allowance
            .set(self.allowance.get().saturating_add(paid));
        if self.exchange.is_fragmented() {
            self.flow.throttle();
        }
    }

    /// Whether the stream may read into a buffer with `free` bytes.
    fn turn(&self, free: usize) -> Turn {
        match self.stage.get() {
            Stage::Opened | Stage::Idle => {
                let is_blocked = self.blocked_since.get().is_some();
                self.flow.turn_between_requests(is_blocked)
            }
            Stage::Request if !self.exchange.is_wanted() => self.flow.turn_beyond_request(),
            Stage::Request if self.exchange.declared.get().is_some() => {
                self.flow.turn_of_body(free)
            }
            // Input is left unread: see the stream.
            Stage::Answer => Turn::Wait,
            Stage::Head | Stage::Discard | Stage::Request => self.flow.turn(),
        }
    }

    /// Resumes a postponed read.
    fn resume(&self) {
        if self.flow.resume() {
            self.wake();
        }
    }

    /// Counts received bytes; zero means the end.
    fn received(&self, bytes: usize) {
        if bytes == 0 {
            self.input_over.set(true);
            return;
        }
        let is_ahead = self.stage.get() == Stage::Request && !self.exchange.is_wanted();
        self.flow.read(bytes, is_ahead);
        match self.stage.get() {
            Stage::Opened | Stage::Idle => self.enter(Stage::Head),
            // The HTTP layer limits the size of a head itself.
            Stage::Head | Stage::Answer => {}
            Stage::Request | Stage::Discard => {
                let left = self
                    .allowance
                    .get()
                    .saturating_sub(u64::try_from(bytes).unwrap_or(0));
                self.allowance.set(left);
                if left == 0 {
                    self.end_with(End::Flooded);
                }
            }
        }
    }

    /// Whether no more input follows, because the client or we ended it.
    pub(crate) fn is_input_over(&self) -> bool {
        self.input_over.get() || self.end.get().is_some()
    }

    /// Records that bytes were sent, or that a write was blocked.
    fn sent(&self, blocked: bool) {
        if blocked {
            let since = self.blocked_since.get();
            self.blocked_since.set(since.or(Some(self.watch.now())));
            return;
        }
        match self.stage.get() {
            // Any progress counts, however slow.
            Stage::Answer => self.blocked_since.set(None),
            // A late write keeps the connection alive.
            Stage::Idle => self.since.set(self.watch.now()),
            _ => {}
        }
    }

    /// Records whether more of the response follows what is being written. Until it ends, a client
    /// that was too slow once stays blocked, however little it accepts at a time.
    pub(crate) fn keep_blocked(&self, more_follows: bool) {
        self.more_follows.set(more_follows);
    }

    /// Records that the write buffer is empty.
    fn flushed(&self) {
        if !self.more_follows.get() && self.blocked_since.take().is_some() {
            self.resume();
        }
    }

    /// The reason why the connection must end, if any.
    pub(crate) fn end(&self) -> Option<End> {
        self.end.get()
    }

    /// Ends the connection: from now on reads return the end of the stream.
    pub(crate) fn end_with(&self, end: End) {
        self.end.set(self.end.get().or(Some(end)));
        self.wake();
    }

    fn enter(&self, stage: Stage) {
        self.stage.set(stage);
        self.since.set(self.watch.now());
    }

    fn wake(&self) {
        if let Some(waker) = self.waker.borrow().as_ref() {
            waker.wake_by_ref();
        }
    }

    fn remember(&self, waker: &Waker) {
        let mut known = self.waker.borrow_mut();
        if !known.as_ref().is_some_and(|known| known.will_wake(waker)) {
            *known = Some(waker.clone());
        }
    }

    /// Applies the deadlines.
    fn check(&self, now: Tick) {
        if self.flow.unthrottle() {
            self.wake();
        }
        if let Some(since) = self.blocked_since.get() {
            // A connection with output waiting is not idle.
            if now.wrapping_sub(since) >= deadlines::ticks(limits::WRITE_DEADLINE) {
                self.end.set(Some(End::Stalled));
                self.wake();
            }
            return;
        }
        let age = now.wrapping_sub(self.since.get());
        let must_close = self.watch.must_close_idle();
        match self.stage.get() {
            Stage::Opened if must_close || age >= deadlines::ticks(limits::HEAD_DEADLINE) => {
                self.end_with(End::Idle);
            }
            Stage::Idle if must_close || age >= deadlines::ticks(limits::KEEP_ALIVE) => {
                self.end_with(End::Idle);
            }
            Stage::Head if age >= deadlines::ticks(limits::HEAD_DEADLINE) => {
                self.end_with(End::SlowHead);
            }
            Stage::Discard if age >= deadlines::ticks(limits::DISCARD_DEADLINE) => {
                self.end_with(End::Idle);
            }
            Stage::Request if self.exchange.check(now) => self.wake(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_accepts_little_at_a_time_has_one_deadline_for_the_response() {
        let connection = Connection::new(&Rc::new(Watch::default()), 0);
        connection.keep_blocked(true);
        connection.sent(true);
        for _ in 0..3 {
            connection.sent(false);
            connection.flushed();
        }
        connection.check(deadlines::ticks(limits::WRITE_DEADLINE));
        assert_eq!(connection.end(), Some(End::Stalled));
    }

    #[test]
    fn a_client_that_has_accepted_the_whole_response_is_not_stalled() {
        let connection = Connection::new(&Rc::new(Watch::default()), 0);
        connection.keep_blocked(true);
        connection.sent(true);
        connection.keep_blocked(false);
        connection.sent(false);
        connection.flushed();
        connection.check(deadlines::ticks(limits::WRITE_DEADLINE));
        assert_ne!(connection.end(), Some(End::Stalled));
    }

    #[test]
    fn what_follows_a_request_is_read_up_to_a_bound_until_it_is_answered() {
        for length in [Length::None, Length::Declared(1 << 20), Length::Chunked] {
            let connection = Connection::new(&Rc::new(Watch::default()), 0);
            connection.begin_request(length);
            assert_eq!(connection.turn(1 << 20), Turn::Take, "{length:?}");
            connection.received(limits::READ_BURST);
            assert_eq!(connection.turn(1 << 20), Turn::Wait, "{length:?}");
            connection.end_request();
            assert_ne!(connection.turn(1 << 20), Turn::Wait, "{length:?}");
        }
    }

    /// The first tick at which a connection ends, and how.
    fn ends(prepare: impl Fn(&Connection)) -> Option<(Tick, End)> {
        let connection = Connection::new(&Rc::new(Watch::default()), 0);
        prepare(&connection);
        (0..deadlines::ticks(2 * limits::WRITE_DEADLINE)).find_map(|tick| {
            connection.check(tick);
            Some((tick, connection.end()?))
        })
    }

    #[test]
    fn each_stage_has_its_deadline() {
        let after = |time, end| Some((deadlines::ticks(time), end));
        let opened = ends(|_| {});
        assert_eq!(opened, after(limits::HEAD_DEADLINE, End::Idle));
        let in_stage = |stage| ends(|connection| connection.enter(stage));
        let idle = in_stage(Stage::Idle);
        assert_eq!(idle, after(limits::KEEP_ALIVE, End::Idle));
        let head = in_stage(Stage::Head);
        assert_eq!(head, after(limits::HEAD_DEADLINE, End::SlowHead));
        let discard = in_stage(Stage::Discard);
        assert_eq!(discard, after(limits::DISCARD_DEADLINE, End::Idle));
        assert_eq!(in_stage(Stage::Answer), None);
        assert_eq!(in_stage(Stage::Request), None);
        let blocked = ends(|connection| connection.sent(true));
        assert_eq!(blocked, after(limits::WRITE_DEADLINE, End::Stalled));
    }

    #[test]
    fn a_write_extends_the_deadline_of_an_idle_connection_and_of_a_streamed_response() {
        let watch = Rc::new(Watch::default());
        let idle = Connection::new(&watch, 0);
        idle.enter(Stage::Idle);
        let answer = Connection::new(&watch, 1);
        answer.enter(Stage::Answer);
        answer.sent(true);
        watch.tick();
        for connection in [&idle, &answer] {
            connection.sent(false);
        }
        answer.sent(true);
        let keep_alive = deadlines::ticks(limits::KEEP_ALIVE);
        let stalled = deadlines::ticks(limits::WRITE_DEADLINE);
        for (connection, deadline) in [(idle, keep_alive), (answer, stalled)] {
            connection.check(deadline);
            assert_eq!(connection.end(), None);
            connection.check(deadline + 1);
            assert!(connection.end().is_some());
        }
    }

    #[derive(Default)]
    struct Wakes(std::sync::atomic::AtomicUsize);

    impl std::task::Wake for Wakes {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }

    #[test]
    fn a_body_that_does_not_arrive_in_time_wakes_its_reader_once() {
        let wakes = std::sync::Arc::new(Wakes::default());
        let connection = Connection::new(&Rc::new(Watch::default()), 0);
        connection.begin_request(Length::Declared(1));
        connection.exchange.await_body();
        connection.remember(&wakes.clone().into());
        let deadline = deadlines::ticks(limits::BODY_DEADLINE);
        for (tick, expected) in [(0, 0), (deadline - 1, 0), (deadline, 1), (deadline + 1, 1)] {
            connection.check(tick);
            let wakes = wakes.0.load(std::sync::atomic::Ordering::Relaxed);
            assert_eq!(wakes, expected, "{tick}");
        }
        assert!(connection.exchange.is_expired());
        assert_eq!(connection.end(), None, "the request is answered first");
    }

    #[test]
    fn a_body_may_have_so_many_bytes_on_the_wire() {
        let flooded = |length, decoded, most: u64| {
            let connection = Connection::new(&Rc::new(Watch::default()), 0);
            connection.begin_request(length);
            connection.decoded(decoded);
            connection.received(usize::try_from(most).unwrap() - 1);
            assert_eq!(connection.end(), None, "{length:?}");
            connection.received(1);
            connection.end()
        };
        let chunked = |decoded: u64| {
            let most = limits::CHUNK_OVERHEAD + limits::CHUNK_FACTOR * decoded;
            flooded(Length::Chunked, usize::try_from(decoded).unwrap(), most)
        };
        assert_eq!(chunked(0), Some(End::Flooded));
        assert_eq!(chunked(1_000), Some(End::Flooded));
        for length in [Length::None, Length::Declared(1)] {
            assert_eq!(flooded(length, 0, 1 << 40), None);
        }
    }

    #[test]
    fn so_much_of_an_unread_body_is_read_after_the_response() {
        for (length, most) in [
            (Length::Declared(1 << 30), limits::DISCARD_DECLARED_MAX),
            (Length::Chunked, limits::DISCARD_CHUNKED_MAX),
        ] {
            let connection = Connection::new(&Rc::new(Watch::default()), 0);
            connection.begin_request(length);
            connection.end_request();
            connection.received(usize::try_from(most).unwrap() - 1);
            assert_eq!(connection.end(), None, "{length:?}");
            connection.received(1);
            assert_eq!(connection.end(), Some(End::Flooded), "{length:?}");
        }
    }

    #[test]
    fn a_body_that_is_read_does_not_count_as_ahead_of_its_request() {
        let connection = Connection::new(&Rc::new(Watch::default()), 0);
        connection.begin_request(Length::Declared(1 << 20));
        connection.exchange.await_body();
        connection.received(limits::READ_BURST);
        connection.exchange.complete_body();
        assert_eq!(connection.turn(1 << 20), Turn::Take);
    }

    #[test]
    fn a_body_of_unknown_length_has_shorter_turns_than_one_of_declared_length() {
        for (length, expected) in [
            (Length::Declared(1 << 20), Turn::Take),
            (Length::Chunked, Turn::Yield),
        ] {
            let connection = Connection::new(&Rc::new(Watch::default()), 0);
            connection.begin_request(length);
            connection.exchange.await_body();
            connection.received(limits::READ_BURST);
            assert_eq!(connection.turn(1 << 20), expected, "{length:?}");
        }
    }

    #[test]
    fn the_input_is_over_when_the_client_or_we_ended_it_and_the_first_reason_stays() {
        let connection = Connection::new(&Rc::new(Watch::default()), 0);
        connection.received(1);
        assert!(!connection.is_input_over());
        connection.received(0);
        assert!(connection.is_input_over());
        assert_eq!(connection.end(), None);
        let connection = Connection::new(&Rc::new(Watch::default()), 0);
        connection.end_with(End::SlowHead);
        assert!(connection.is_input_over());
        connection.end_with(End::Idle);
        assert_eq!(connection.end(), Some(End::SlowHead));
    }
}
