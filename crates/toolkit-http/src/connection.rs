//! Connection state: the stage of a connection, its deadlines, and the request on it.
//!
//! One [`Connection`] lives as long as its socket and is shared, within one worker thread, by three
//! parts: [`wire`] counts bytes under the HTTP layer, the [`middleware`](crate::middleware) says
//! which request they belong to, and [`watch`] ends what takes too long. Requests of a connection
//! come one after the other, so that the state of the current one has its place here and needs no
//! allocation of its own.

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

/// What a connection is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// With nothing yet: it was just opened.
    Opened,
    /// With nothing: the next request is awaited.
    Idle,
    /// With the head of a request.
    Head,
    /// With a request.
    Request,
    /// With an answer that is being written while it is made.
    Answer,
    /// With the rest of a body that nobody wants.
    Discard,
}

/// Why a connection must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It has no more to do.
    Idle,
    /// A head did not arrive in time.
    SlowHead,
    /// More bytes came than a request may take.
    Flooded,
    /// The framing of a body was broken.
    Malformed,
    /// The client does not read.
    Stalled,
}

/// A connection and the request on it.
pub(crate) struct Connection {
    watch: Rc<Watch>,
    slot: Cell<usize>,
    stage: Cell<Stage>,
    since: Cell<Tick>,
    /// Bytes that may still come in this stage.
    allowance: Cell<u64>,
    blocked_since: Cell<Option<Tick>>,
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
            input_over: Cell::new(false),
            end: Cell::new(None),
            waker: RefCell::new(None),
            flow: Flow::default(),
            exchange: RequestState::new(),
        })
    }

    /// The connection of a request that came through another server than ours, as in a unit test.
    pub(crate) fn detached() -> Rc<Self> {
        let connection = Self::new(&Rc::new(Watch::default()), 0);
        // There is no wire that would answer broken framing.
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

    /// Whether the process is stopping, so that the connection should not be kept.
    pub(crate) fn is_draining(&self) -> bool {
        self.watch.is_draining()
    }

    /// Says that the head of a request has arrived.
    pub(crate) fn begin_request(&self, length: Length) {
        self.enter(Stage::Request);
        let chunked = length == Length::Chunked;
        self.allowance.set(if chunked {
            limits::CHUNK_OVERHEAD
        } else {
            u64::MAX
        });
        self.exchange.begin(self.watch.now(), length);
    }

    /// Says that there is an answer, so that the rest of the body has little time.
    pub(crate) fn hurry(&self) {
        self.exchange.hurry(self.watch.now());
    }

    /// Says that the answer is ready to be written.
    pub(crate) fn end_request(&self) {
        if self.exchange.is_unread() {
            self.allowance.set(match self.exchange.declared() {
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

    /// Says that the answer is streamed: it takes its time, and what its client sends is left
    /// unread.
    pub(crate) fn begin_answer(&self) {
        self.allowance.set(u64::MAX);
        self.enter(Stage::Answer);
    }

    /// Whether an answer is being streamed.
    pub(crate) fn is_answering(&self) -> bool {
        self.stage.get() == Stage::Answer
    }

    /// Whether the client takes too little of what it asked for.
    pub(crate) fn has_stalled(&self) -> bool {
        self.end.get() == Some(End::Stalled)
    }

    /// What tells that a stop is about to cut what is left.
    pub(crate) fn last_call(&self) -> tokio::sync::watch::Receiver<bool> {
        self.watch.last_call()
    }

    /// Says that the client has sent something that is left unread until the answer has ended.
    fn leave_unread(&self) {
        self.flow.postpone();
    }

    /// Counts content of a chunked body, which pays for its framing. Tiny chunks cost far more than
    /// their bytes, so a body of them comes slowly.
    fn decoded(&self, bytes: usize) {
        if self.exchange.declared().is_some() {
            return;
        }
        let paid = limits::CHUNK_FACTOR.saturating_mul(u64::try_from(bytes).unwrap_or(u64::MAX));
        self.allowance
            .set(self.allowance.get().saturating_add(paid));
        if self.exchange.is_fragmented() {
            self.flow.throttle();
        }
    }

    /// Whether the wire may read.
    fn turn(&self) -> Turn {
        match self.stage.get() {
            Stage::Opened | Stage::Idle => {
                let is_blocked = self.blocked_since.get().is_some();
                self.flow.between_requests(is_blocked)
            }
            Stage::Request if !self.exchange.is_wanted() => self.flow.beyond_request(),
            Stage::Request if self.exchange.declared().is_some() => Turn::Take,
            // What comes is left unread: see the wire.
            Stage::Answer => Turn::Wait,
            Stage::Head | Stage::Discard | Stage::Request => self.flow.in_turn(),
        }
    }

    /// Says that the wire has nothing more to read for now.
    fn dried_up(&self) {
        self.flow.dried_up();
    }

    /// Goes on with a read that waited.
    fn resume(&self) {
        if self.flow.resume() {
            self.wake();
        }
    }

    /// Counts bytes that came in; none are the end.
    fn received(&self, bytes: usize) {
        if bytes == 0 {
            self.input_over.set(true);
            return;
        }
        let is_ahead = self.stage.get() == Stage::Request && !self.exchange.is_wanted();
        self.flow.read(bytes, is_ahead);
        match self.stage.get() {
            Stage::Opened | Stage::Idle => self.enter(Stage::Head),
            // The HTTP layer bounds a head by itself.
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

    /// Whether nothing more comes in, because the client ended or we did.
    fn is_input_over(&self) -> bool {
        self.input_over.get() || self.end.get().is_some()
    }

    /// Says that bytes went out, or could not.
    fn sent(&self, blocked: bool) {
        if blocked {
            if self.blocked_since.get().is_none() {
                self.blocked_since.set(Some(self.watch.now()));
            }
            return;
        }
        match self.stage.get() {
            // A client that takes an answer slowly takes it all the same.
            Stage::Answer => self.blocked_since.set(None),
            // What is written late keeps its connection.
            Stage::Idle => self.since.set(self.watch.now()),
            _ => {}
        }
    }

    /// Says that all that was to be written is.
    fn flushed(&self) {
        if self.blocked_since.take().is_some() {
            self.resume();
        }
    }

    /// Why the connection must end, if it must.
    pub(crate) fn end(&self) -> Option<End> {
        self.end.get()
    }

    /// Ends the connection: what is read from now on is the end of the stream.
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

    /// Ends what took too long.
    fn check(&self, now: Tick) {
        if self.flow.unthrottle() {
            self.wake();
        }
        if let Some(since) = self.blocked_since.get() {
            // As long as something waits to be written, the connection is not idle.
            if now.wrapping_sub(since) >= deadlines::ticks(limits::WRITE_DEADLINE) {
                self.end.set(Some(End::Stalled));
                self.wake();
            }
            return;
        }
        let age = now.wrapping_sub(self.since.get());
        let must_leave = self.watch.is_out_of_patience();
        match self.stage.get() {
            Stage::Opened if must_leave || age >= deadlines::ticks(limits::HEAD_DEADLINE) => {
                self.end_with(End::Idle);
            }
            Stage::Idle if must_leave || age >= deadlines::ticks(limits::KEEP_ALIVE) => {
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
