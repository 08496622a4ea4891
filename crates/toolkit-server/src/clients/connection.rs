//! Connection: its deadlines, what it may read, and the request on it.
//!
//! Shared, within one worker thread, by the [stream](super::stream), which counts bytes below the
//! HTTP layer, the [exchange](super::exchange), which assigns them to requests, and [`deadlines`].

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Waker;

use actix_web::HttpRequest;

use super::deadlines::{self, Tick, Watch};
use super::output::Output;
use super::request_state::{Length, RequestState};
use super::{Account, Held};
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
    /// More bytes arrived than a request may have.
    Flooded,
    /// The framing of a body was invalid.
    Malformed,
    /// The client does not read.
    Stalled,
}

/// A connection, as its parts share it.
pub(crate) type Shared = Rc<RefCell<Connection>>;

/// A connection and the request on it.
pub(crate) struct Connection {
    /// The clock of its worker thread.
    pub(crate) watch: Rc<Watch>,
    /// The account of its peer.
    pub(super) account: Arc<Account>,
    pub(super) slot: usize,
    stage: Stage,
    since: Tick,
    /// Bytes that may still arrive in this stage.
    allowance: u64,
    /// Bytes read since other connections could read.
    burst: usize,
    /// Bytes read beyond the current request.
    ahead: usize,
    /// Whether a read is waiting.
    read_waits: bool,
    /// What is written on it.
    pub(super) output: Output,
    /// Memory of the body of the request, then of its result.
    pub(crate) held: Option<Held>,
    input_over: bool,
    end: Option<End>,
    waker: Option<Waker>,
    /// The request.
    pub(crate) request: RequestState,
}

impl Connection {
    pub(super) fn new(watch: &Rc<Watch>, account: Arc<Account>, slot: usize) -> Self {
        Self {
            since: watch.now(),
            watch: Rc::clone(watch),
            output: Output::new(&account),
            account,
            slot,
            stage: Stage::Opened,
            allowance: u64::MAX,
            burst: 0,
            ahead: 0,
            read_waits: false,
            held: None,
            input_over: false,
            end: None,
            waker: None,
            request: RequestState::new(),
        }
    }

    /// Finds the connection of a request; there is none outside our server, as in a unit test.
    pub(crate) fn of(request: &HttpRequest) -> Option<Shared> {
        request.conn_data::<Shared>().map(Rc::clone)
    }

    /// Records that the head of a request has arrived.
    pub(super) fn begin_request(&mut self, length: Length) {
        self.enter(Stage::Request);
        self.allowance = match length {
            Length::Chunked => limits::CHUNK_OVERHEAD,
            Length::None | Length::Declared(_) => u64::MAX,
        };
        self.request.begin(self.watch.now(), length);
    }

    /// Records that the response is ready to be written.
    pub(super) fn end_request(&mut self) {
        if self.request.is_unread() {
            self.allowance = match self.request.declared {
                Some(_) => limits::DISCARD_DECLARED_MAX,
                None => limits::DISCARD_CHUNKED_MAX,
            };
            self.enter(Stage::Discard);
        } else {
            self.allowance = u64::MAX;
            self.enter(Stage::Idle);
        }
        self.request.finish();
        self.resume();
    }

    /// Records that the response is streamed: it has no overall deadline, and bytes from its client
    /// are left unread.
    pub(super) fn begin_answer(&mut self) {
        self.allowance = u64::MAX;
        self.enter(Stage::Answer);
    }

    /// Whether a response is being streamed.
    pub(super) fn is_answering(&self) -> bool {
        self.stage == Stage::Answer
    }

    /// Whether it may be closed in favor of another one: since when it has been idle.
    pub(super) fn idle_since(&self) -> Option<Tick> {
        let is_idle = matches!(self.stage, Stage::Opened | Stage::Idle)
            && !self.output.is_blocked()
            && self.end.is_none();
        is_idle.then_some(self.since)
    }

    /// Counts the content of a chunked body against its framing.
    pub(super) fn decoded(&mut self, bytes: usize) {
        let paid = limits::CHUNK_FACTOR.saturating_mul(bytes as u64);
        self.allowance = self.allowance.saturating_add(paid);
    }

    /// Whether the stream may read, or must wait until something has changed. The HTTP layer would
    /// read 128 KiB and accept all requests in them, whether or not it can write the responses.
    pub(super) fn may_read(&mut self) -> bool {
        let must_wait = match self.stage {
            // The client must first read the responses to its last requests.
            Stage::Opened | Stage::Idle => {
                self.ahead = 0;
                self.output.is_blocked()
            }
            Stage::Request => !self.request.is_wanted() && self.ahead >= limits::READ_AHEAD_MAX,
            Stage::Answer => true,
            Stage::Head | Stage::Discard => false,
        };
        if must_wait {
            self.postpone();
        }
        !must_wait
    }

    /// Whether a burst has been read; the next one begins.
    pub(super) fn ends_burst(&mut self) -> bool {
        let is_over = self.burst >= limits::READ_BURST;
        if is_over {
            self.drained();
        }
        is_over
    }

    /// Postpones a read until [`resume`](Self::resume).
    pub(super) fn postpone(&mut self) {
        self.read_waits = true;
    }

    /// Resumes a postponed read.
    pub(super) fn resume(&mut self) {
        if std::mem::take(&mut self.read_waits) {
            self.wake();
        }
    }

    /// Records that there is no more to read for now.
    pub(super) fn drained(&mut self) {
        self.burst = 0;
    }

    /// Counts received bytes; zero means the end.
    pub(super) fn received(&mut self, bytes: usize) {
        if bytes == 0 {
            self.input_over = true;
            return;
        }
        self.burst = self.burst.saturating_add(bytes);
        self.output.buffered(self.burst);
        match self.stage {
            Stage::Opened | Stage::Idle => return self.enter(Stage::Head),
            // The HTTP layer limits the size of a head itself.
            Stage::Head | Stage::Answer => return,
            Stage::Request if !self.request.is_wanted() => {
                self.ahead = self.ahead.saturating_add(bytes);
            }
            Stage::Request | Stage::Discard => {}
        }
        self.allowance = self.allowance.saturating_sub(bytes as u64);
        if self.allowance == 0 {
            self.end_with(End::Flooded);
        }
    }

    /// Whether no more input follows, because the client or we ended it.
    pub(super) fn is_input_over(&self) -> bool {
        self.input_over || self.end.is_some()
    }

    /// Records a write of `waiting` bytes, and how many of them were taken, if any were.
    pub(super) fn wrote(&mut self, waiting: usize, taken: Option<usize>) {
        let now = self.watch.now();
        self.output.wrote(waiting, taken, now);
        if taken.is_none() && self.account.clients.is_over() {
            self.end_with(End::Stalled);
        } else if self.stage == Stage::Idle && !self.output.is_blocked() {
            // A late write keeps the connection alive.
            self.since = now;
        }
    }

    /// Records that the write buffer is empty.
    pub(super) fn flushed(&mut self) {
        if self.output.flushed() {
            self.resume();
        }
    }

    /// The reason why the connection must end, if any.
    pub(crate) fn end(&self) -> Option<End> {
        self.end
    }

    /// Ends the connection: from now on reads return the end of the stream.
    pub(crate) fn end_with(&mut self, end: End) {
        self.end.get_or_insert(end);
        self.wake();
    }

    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.since = self.watch.now();
    }

    fn wake(&self) {
        if let Some(waker) = &self.waker {
            waker.wake_by_ref();
        }
    }

    pub(super) fn remember(&mut self, waker: &Waker) {
        match &mut self.waker {
            Some(known) => known.clone_from(waker),
            None => self.waker = Some(waker.clone()),
        }
    }

    /// Applies the deadlines.
    pub(super) fn check(&mut self, now: Tick) {
        if let Some(is_stalled) = self.output.is_stalled(now, self.is_answering()) {
            // A connection with output waiting is not idle.
            if is_stalled || !self.is_answering() && self.account.clients.is_over() {
                self.end = Some(End::Stalled);
                self.wake();
            }
            return;
        }
        let longest = match self.stage {
            Stage::Opened | Stage::Idle if self.watch.must_close_idle() => {
                return self.end_with(End::Idle);
            }
            Stage::Opened | Stage::Head => limits::HEAD_DEADLINE,
            Stage::Idle => limits::KEEP_ALIVE,
            Stage::Discard => limits::DISCARD_DEADLINE,
            Stage::Answer => return,
            Stage::Request => {
                if self.request.check(now) {
                    self.wake();
                }
                return;
            }
        };
        if now.wrapping_sub(self.since) >= deadlines::ticks(longest) {
            self.end_with(End::Idle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened() -> Connection {
        Connection::new(&Rc::new(Watch::default()), Account::unknown(), 0)
    }

    #[test]
    fn what_follows_a_request_is_read_up_to_a_bound_until_it_is_answered() {
        for length in [Length::None, Length::Declared(1 << 20), Length::Chunked] {
            let mut connection = opened();
            connection.begin_request(length);
            assert!(connection.may_read(), "{length:?}");
            connection.received(limits::READ_AHEAD_MAX);
            assert!(!connection.may_read(), "{length:?}");
            connection.end_request();
            assert!(connection.may_read(), "{length:?}");
        }
    }

    /// The first tick at which a connection ends, and how.
    fn ends(prepare: impl Fn(&mut Connection)) -> Option<(Tick, End)> {
        let mut connection = opened();
        prepare(&mut connection);
        (0..deadlines::ticks(2 * limits::STREAM_STALL_MAX)).find_map(|tick| {
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
        assert_eq!(head, after(limits::HEAD_DEADLINE, End::Idle));
        let discard = in_stage(Stage::Discard);
        assert_eq!(discard, after(limits::DISCARD_DEADLINE, End::Idle));
        assert_eq!(in_stage(Stage::Answer), None);
        assert_eq!(in_stage(Stage::Request), None);
        let blocked = ends(|connection| connection.wrote(1, None));
        assert_eq!(blocked, after(limits::STALL_MAX, End::Stalled));
    }

    #[test]
    fn a_write_extends_the_deadline_of_an_idle_connection_and_of_a_streamed_response() {
        let watch = Rc::new(Watch::default());
        let opened = || Connection::new(&watch, Account::unknown(), 0);
        let mut idle = opened();
        idle.enter(Stage::Idle);
        let mut answer = opened();
        answer.enter(Stage::Answer);
        answer.wrote(2, None);
        watch.tick();
        idle.wrote(1, Some(1));
        answer.wrote(2, Some(1));
        let keep_alive = deadlines::ticks(limits::KEEP_ALIVE);
        let stalled = deadlines::ticks(limits::STREAM_STALL_MAX);
        for (mut connection, deadline) in [(idle, keep_alive), (answer, stalled)] {
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
        let mut connection = opened();
        connection.begin_request(Length::Declared(1));
        connection.request.await_body();
        connection.remember(&wakes.clone().into());
        let deadline = deadlines::ticks(limits::BODY_DEADLINE);
        for (tick, expected) in [(0, 0), (deadline - 1, 0), (deadline, 1), (deadline + 1, 1)] {
            connection.check(tick);
            let wakes = wakes.0.load(std::sync::atomic::Ordering::Relaxed);
            assert_eq!(wakes, expected, "{tick}");
        }
        assert!(connection.request.is_expired());
        assert_eq!(connection.end(), None, "the request is answered first");
    }

    #[test]
    fn a_body_may_have_so_many_bytes_on_the_wire() {
        let flooded = |length, decoded, most: u64| {
            let mut connection = opened();
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
            let mut connection = opened();
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
        let mut connection = opened();
        connection.begin_request(Length::Declared(1 << 20));
        connection.request.await_body();
        connection.received(limits::READ_AHEAD_MAX);
        connection.request.complete_body();
        assert!(connection.may_read());
    }

    #[test]
    fn a_body_takes_turns_with_other_connections() {
        let mut connection = opened();
        connection.begin_request(Length::Declared(1 << 20));
        connection.request.await_body();
        connection.received(limits::READ_BURST);
        assert!(connection.ends_burst());
        assert!(!connection.ends_burst());
        connection.received(limits::READ_BURST);
        connection.drained();
        assert!(!connection.ends_burst());
    }

    #[test]
    fn requests_are_not_read_while_responses_wait_for_the_client() {
        let mut connection = opened();
        connection.enter(Stage::Idle);
        connection.wrote(1, None);
        assert!(!connection.may_read());
        connection.wrote(1, Some(1));
        connection.flushed();
        assert!(connection.may_read());
    }

    #[test]
    fn the_input_is_over_when_the_client_or_we_ended_it_and_the_first_reason_stays() {
        let mut connection = opened();
        connection.received(1);
        assert!(!connection.is_input_over());
        connection.received(0);
        assert!(connection.is_input_over());
        assert_eq!(connection.end(), None);
        let mut connection = opened();
        connection.end_with(End::Flooded);
        assert!(connection.is_input_over());
        connection.end_with(End::Idle);
        assert_eq!(connection.end(), Some(End::Flooded));
    }
}
