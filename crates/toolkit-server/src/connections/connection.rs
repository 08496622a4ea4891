//! Connection: its deadlines, its read limits, and its current request.
//!
//! Shared, within one worker thread, by the [stream](super::stream), which counts bytes below the
//! HTTP layer, the [exchange](super::exchange), which assigns them to requests, and its
//! [worker](super::worker).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Waker;

use actix_web::HttpRequest;

use super::clock::{self, Clock, Tick};
use super::output::Output;
use super::request_state::{Length, RequestState};
use crate::accounts::{Account, Charge};
use crate::limits;

/// The stage of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Opened, nothing received yet.
    Opened,
    /// Idle: waiting for the next request.
    Idle,
    /// Reading the head of a request.
    Head,
    /// Handling a request.
    Request,
    /// Streaming a response.
    Streaming,
    /// Discarding the rest of an unread body.
    Discard,
}

/// Why a connection must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Idle, or done.
    Idle,
    /// The client sent more bytes than a request may have.
    Flooded,
    /// The framing of a body was invalid.
    Malformed,
    /// Its request is incomplete and others need the room.
    Full,
    /// The client does not read its response.
    Stalled,
}

/// A connection, shared by its parts.
pub(crate) type Shared = Rc<RefCell<Connection>>;

/// A connection and the request on it.
pub(crate) struct Connection {
    /// The clock of its worker thread.
    pub(crate) clock: Rc<Clock>,
    /// The account of its peer.
    pub(super) peer: Arc<Account>,
    /// Whether the peer is a trusted proxy.
    pub(super) is_proxy: bool,
    /// The account it counts in: the peer's or, during a request, the client's.
    pub(super) account: Arc<Account>,
    /// Index among the connections of its worker.
    pub(super) slot: usize,
    pub(super) stage: Stage,
    pub(super) since: Tick,
    /// Bytes that may still arrive in this stage.
    allowance: u64,
    /// Bytes read since other connections had their turn.
    burst: usize,
    /// Bytes read beyond the current request.
    ahead: usize,
    /// Whether a read is waiting.
    read_waits: bool,
    /// The output side.
    pub(super) output: Output,
    /// Memory of the request body, then of the result, until it is written.
    pub(crate) held: Option<Charge>,
    input_over: bool,
    end: Option<End>,
    /// Bytes already counted as free because the connection is ending.
    pub(super) freed: usize,
    waker: Option<Waker>,
    /// The current request.
    pub(crate) request: RequestState,
}

impl Connection {
    pub(super) fn new(
        clock: &Rc<Clock>,
        account: &Arc<Account>,
        is_proxy: bool,
        slot: usize,
    ) -> Self {
        account.open();
        Self {
            since: clock.now(),
            clock: Rc::clone(clock),
            output: Output::new(account),
            peer: Arc::clone(account),
            is_proxy,
            account: Arc::clone(account),
            slot,
            stage: Stage::Opened,
            allowance: u64::MAX,
            burst: 0,
            ahead: 0,
            read_waits: false,
            held: None,
            input_over: false,
            end: None,
            freed: 0,
            waker: None,
            request: RequestState::new(),
        }
    }

    /// Records that the connection is closed.
    pub(super) fn close(&self) {
        self.account.close();
        self.account.accounts().freed(self.freed);
    }

    /// Returns the connection of a request. There is none outside our server, as in unit tests.
    pub(crate) fn of(request: &HttpRequest) -> Option<Shared> {
        request.conn_data::<Shared>().map(Rc::clone)
    }

    /// Moves the connection to another account.
    fn count_in(&mut self, account: Arc<Account>) {
        if !Arc::ptr_eq(&self.account, &account) {
            account.open();
            self.account.close();
            self.account = account;
        }
    }

    /// Sets the memory held for the request.
    pub(crate) fn hold(&mut self, bytes: usize) {
        self.held = Some(self.account.charge(bytes));
    }

    /// Records that a request head has arrived. `client` is set if the peer is a proxy for another
    /// client.
    pub(super) fn begin_request(&mut self, length: Length, client: Option<Arc<Account>>) {
        if let Some(client) = client {
            self.count_in(client);
        }
        self.enter(Stage::Request);
        self.allowance = match length {
            Length::Chunked => limits::CHUNK_OVERHEAD,
            Length::None | Length::Declared(_) => u64::MAX,
        };
        self.request.begin(length);
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
        self.count_in(Arc::clone(&self.peer));
        self.resume();
    }

    /// Records that the response is ready. A streamed response has no size and no overall deadline,
    /// and client bytes are left unread.
    pub(super) fn begin_answer(&mut self, size: Option<u64>) {
        self.output.begin(size, self.clock.now());
        if size.is_none() {
            self.allowance = u64::MAX;
            self.enter(Stage::Streaming);
        }
    }

    /// Whether a response is being streamed.
    pub(super) fn is_streaming(&self) -> bool {
        self.stage == Stage::Streaming
    }

    /// Counts the content of a chunked body against its framing.
    pub(super) fn decoded(&mut self, bytes: usize) {
        let paid = limits::CHUNK_FACTOR.saturating_mul(bytes as u64);
        self.allowance = self.allowance.saturating_add(paid);
    }

    /// Whether the stream may read now, or must wait for a change. Left alone, the HTTP layer would
    /// read 128 KiB and accept every request in them, even if it cannot write the responses.
    pub(super) fn may_read(&mut self) -> bool {
        let must_wait = match self.stage {
            // The client must first read the responses to its earlier requests.
            Stage::Opened | Stage::Idle => {
                self.ahead = 0;
                self.output.is_blocked()
            }
            Stage::Request => !self.request.is_wanted() && self.ahead >= limits::READ_AHEAD_MAX,
            Stage::Streaming => true,
            Stage::Head | Stage::Discard => false,
        };
        if must_wait {
            self.postpone();
        }
        !must_wait
    }

    /// Whether a full burst has been read. If so, starts the next.
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

    /// Records that there is nothing more to read for now.
    pub(super) fn drained(&mut self) {
        self.burst = 0;
    }

    /// Counts received bytes. Zero means the end of the input.
    pub(super) fn received(&mut self, bytes: usize) {
        if bytes == 0 {
            self.input_over = true;
            return;
        }
        self.burst = self.burst.saturating_add(bytes);
        self.output.buffered(self.burst);
        match self.stage {
            Stage::Opened | Stage::Idle => return self.enter(Stage::Head),
            // The HTTP layer limits the size of heads.
            Stage::Head | Stage::Streaming => return,
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

    /// Whether the input is over, because either side ended it.
    pub(super) fn is_input_over(&self) -> bool {
        self.input_over || self.end.is_some()
    }

    /// Records a write of `waiting` bytes and how many were accepted, if any.
    pub(super) fn wrote(&mut self, waiting: usize, taken: Option<usize>) {
        let now = self.clock.now();
        self.output.wrote(waiting, taken, now);
        if self.stage == Stage::Idle && !self.output.is_blocked() {
            // Pending output keeps the connection alive.
            self.since = now;
        }
    }

    /// Records that the write buffer is empty.
    pub(super) fn flushed(&mut self) {
        if self.output.flushed() {
            self.resume();
        }
    }

    /// The reason the connection must end, if any.
    pub(crate) fn end(&self) -> Option<End> {
        self.end
    }

    /// Ends the connection: reads now return the end of the stream.
    pub(crate) fn end_with(&mut self, end: End) {
        self.end.get_or_insert(end);
        self.wake();
    }

    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.since = self.clock.now();
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
    pub(super) fn check(&mut self) {
        if self.output.is_blocked() {
            // A connection with pending output is not idle.
            if self.output.is_stalled(&self.clock) {
                self.end_with(End::Stalled);
            }
            return;
        }
        let longest = match self.stage {
            Stage::Opened | Stage::Idle if self.clock.must_close_idle() => {
                return self.end_with(End::Idle);
            }
            Stage::Opened | Stage::Head => limits::HEAD_DEADLINE,
            Stage::Idle => limits::KEEP_ALIVE,
            Stage::Discard => limits::DISCARD_DEADLINE,
            Stage::Streaming => return,
            Stage::Request => {
                if self.request.check(self.clock.now()) {
                    self.wake();
                }
                return;
            }
        };
        if self.clock.since(self.since) >= clock::ticks(longest) {
            self.end_with(End::Idle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connections::worker::Worker;

    /// A connection, and its worker to advance the clock.
    fn opened() -> (Worker, Shared) {
        let worker = Worker::for_test(160, 1);
        let connection = worker.accept([192, 0, 2, 1].into()).unwrap();
        (worker, connection)
    }

    #[test]
    fn what_follows_a_request_is_read_up_to_a_bound_until_it_is_answered() {
        for length in [Length::None, Length::Declared(1 << 20), Length::Chunked] {
            let (_worker, connection) = opened();
            let mut connection = connection.borrow_mut();
            connection.begin_request(length, None);
            assert!(connection.may_read(), "{length:?}");
            connection.received(limits::READ_AHEAD_MAX);
            assert!(!connection.may_read(), "{length:?}");
            connection.end_request();
            assert!(connection.may_read(), "{length:?}");
        }
    }

    #[test]
    fn each_stage_has_its_deadline() {
        let deadline = |prepare: fn(&mut Connection)| {
            let (worker, connection) = opened();
            prepare(&mut connection.borrow_mut());
            let mut ticks = 0..clock::ticks(2 * limits::STALL_MAX);
            ticks.find_map(|tick| {
                worker.wait(clock::TICK);
                Some((tick + 1, connection.borrow().end()?))
            })
        };
        let after = |time, end| Some((clock::ticks(time), end));
        assert_eq!(deadline(|_| {}), after(limits::HEAD_DEADLINE, End::Idle));
        let idle = deadline(|it| it.enter(Stage::Idle));
        assert_eq!(idle, after(limits::KEEP_ALIVE, End::Idle));
        let head = deadline(|it| it.received(1));
        assert_eq!(head, after(limits::HEAD_DEADLINE, End::Idle));
        let discard = deadline(|it| it.enter(Stage::Discard));
        assert_eq!(discard, after(limits::DISCARD_DEADLINE, End::Idle));
        assert_eq!(deadline(|it| it.enter(Stage::Streaming)), None);
        assert_eq!(deadline(|it| it.enter(Stage::Request)), None);
        let stalled = after(limits::STALL_MAX, End::Stalled);
        assert_eq!(deadline(|it| it.wrote(1, None)), stalled);
        let streamed = deadline(|it| {
            it.begin_answer(None);
            it.wrote(2, None);
        });
        assert_eq!(streamed, stalled);
    }

    #[test]
    fn a_body_may_have_so_many_bytes_on_the_wire() {
        let flooded = |length, decoded, most: u64| {
            let (_worker, connection) = opened();
            let mut connection = connection.borrow_mut();
            connection.begin_request(length, None);
            connection.decoded(decoded);
            connection.received(usize::try_from(most).unwrap() - 1);
            assert_eq!(connection.end(), None, "{length:?}");
            connection.received(1);
            connection.end()
        };
        for decoded in [0, 1_000] {
            let most = limits::CHUNK_OVERHEAD + limits::CHUNK_FACTOR * decoded as u64;
            assert_eq!(flooded(Length::Chunked, decoded, most), Some(End::Flooded));
        }
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
            let (_worker, connection) = opened();
            let mut connection = connection.borrow_mut();
            connection.begin_request(length, None);
            connection.end_request();
            connection.received(usize::try_from(most).unwrap() - 1);
            assert_eq!(connection.end(), None, "{length:?}");
            connection.received(1);
            assert_eq!(connection.end(), Some(End::Flooded), "{length:?}");
        }
    }

    #[test]
    fn others_run_after_a_burst_of_a_body() {
        let (_worker, connection) = opened();
        let mut connection = connection.borrow_mut();
        connection.begin_request(Length::Declared(1 << 20), None);
        connection.request.wait(0);
        connection.received(limits::READ_BURST);
        assert!(connection.may_read(), "it is not ahead of its request");
        assert!(connection.ends_burst() && !connection.ends_burst());
        connection.received(limits::READ_BURST);
        connection.drained();
        assert!(!connection.ends_burst());
    }

    #[test]
    fn requests_are_not_read_while_responses_wait_for_the_client() {
        let (_worker, connection) = opened();
        let mut connection = connection.borrow_mut();
        connection.enter(Stage::Idle);
        connection.wrote(1, None);
        assert!(!connection.may_read());
        connection.wrote(1, Some(1));
        connection.flushed();
        assert!(connection.may_read());
    }

    #[test]
    fn the_input_is_over_when_the_client_or_we_ended_it_and_the_first_reason_stays() {
        let (_worker, connection) = opened();
        connection.borrow_mut().received(0);
        assert!(connection.borrow().is_input_over());
        assert_eq!(connection.borrow().end(), None);
        let (_worker, connection) = opened();
        connection.borrow_mut().end_with(End::Flooded);
        connection.borrow_mut().end_with(End::Idle);
        assert!(connection.borrow().is_input_over());
        assert_eq!(connection.borrow().end(), Some(End::Flooded));
    }
}
