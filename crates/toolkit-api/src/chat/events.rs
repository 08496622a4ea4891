//! Event stream of a reply, with backpressure: `start (reasoning | delta | tool_start | tool |
//! provider)* (done | error)`.
//!
//! Standard: WHATWG HTML, section 9.2. The client's connection polls the stream directly, with no
//! task or channel in between. A client that disconnects closes the provider's connection, and a
//! slow client slows the provider down.

use std::convert::Infallible;
use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use actix_web::rt::time::{Sleep, sleep};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use futures_core::Stream;
use serde::Serialize;
use tokio::time::Instant;
use toolkit_llm::{ChatEvent, ChatRequest, ChatStream, LlmError, ReplyEnd, ToolRun};
use toolkit_server::error_response::{HttpError, whole_seconds};
use toolkit_server::middleware::{self, StreamControl};
use toolkit_server::panics::{self, Panic};
use toolkit_server::request_id::RequestId;
use toolkit_server::snapshot::Current;

use super::Usage;
use crate::chat::open_streams::{OpenStream, Outcome};
use crate::error::{self, ApiError};
use crate::state::State;

const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");

/// Proxies must not compress the stream either, since that would buffer events.
const NO_TRANSFORM: HeaderValue = HeaderValue::from_static("no-store, no-transform");

/// Stops nginx from buffering on disk for a slow client.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

const OFF: HeaderValue = HeaderValue::from_static("no");

/// Silence before a heartbeat, shorter than common proxy timeouts.
const HEARTBEAT: Duration = Duration::from_secs(10);

/// The heartbeat, a comment. A blank line after it would be an empty event to some clients.
const COMMENT: &[u8] = b":\n";

/// Data of an event.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event<'a> {
    Start {
        provider: &'a str,
        model: &'a str,
    },
    Reasoning {
        text: &'a str,
    },
    Delta {
        text: &'a str,
    },
    ToolStart {
        id: &'a str,
        name: &'a str,
    },
    Tool {
        id: &'a str,
        #[serde(flatten)]
        run: &'a ToolRun,
    },
    Provider {
        provider: &'a str,
        model: &'a str,
    },
    Done {
        ok: bool,
        provider: &'a str,
        model: &'a str,
        finish_reason: &'static str,
        usage: Option<Usage>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        warnings: &'a [String],
    },
    Error {
        status: u16,
        detail: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        retry_after: Option<u64>,
    },
}

impl Event<'_> {
    const fn name(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Reasoning { .. } => "reasoning",
            Self::Delta { .. } => "delta",
            Self::ToolStart { .. } => "tool_start",
            Self::Tool { .. } => "tool",
            Self::Provider { .. } => "provider",
            Self::Done { .. } => "done",
            Self::Error { .. } => "error",
        }
    }

    fn to_bytes(&self) -> Bytes {
        let name = self.name();
        let data = serde_json::to_string(self).expect("an event has no map with odd keys");
        format!("event: {name}\ndata: {data}\n\n").into()
    }
}

/// Starts the stream once a model has begun to reply.
///
/// # Errors
///
/// Any failure before that, with the status of a non-streamed response.
pub(super) async fn answer(
    request: &HttpRequest,
    state: &Current<State>,
    chat: ChatRequest,
    slot: OpenStream,
) -> Result<HttpResponse, HttpError> {
    let mut events = state.chain.stream(chat);
    let first = match events.next().await {
        Some(first) => first.map_err(ApiError::from)?,
        None => return Err(HttpError::internal()),
    };
    let mut body = Body {
        events,
        first: None,
        heartbeat: Box::pin(sleep(HEARTBEAT)),
        control: StreamControl::of(request),
        request_id: middleware::request_id(request),
        _slot: slot,
        outcome: None,
    };
    body.first = Some(body.event(first));
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, EVENT_STREAM))
        .insert_header((CACHE_CONTROL, NO_TRANSFORM))
        .insert_header((ACCEL_BUFFERING, OFF))
        .body(body))
}

/// The body of the response.
struct Body {
    events: ChatStream,
    first: Option<Bytes>,
    /// Fires when the model has sent nothing for a whole period.
    heartbeat: Pin<Box<Sleep>>,
    control: StreamControl,
    /// For the log.
    request_id: RequestId,
    /// Released when the body is dropped.
    _slot: OpenStream,
    /// The stream's outcome, once it has ended.
    outcome: Option<Outcome>,
}

impl Body {
    fn event(&mut self, event: ChatEvent) -> Bytes {
        match event {
            ChatEvent::Start { provider, model, .. } => {
                Event::Start { provider: &provider, model: &model }.to_bytes()
            }
            ChatEvent::Reasoning(text) => Event::Reasoning { text: &text }.to_bytes(),
            ChatEvent::Text(text) => Event::Delta { text: &text }.to_bytes(),
            ChatEvent::ToolStart { id, name, .. } => {
                Event::ToolStart { id: &id, name: &name }.to_bytes()
            }
            ChatEvent::Tool(run) => Event::Tool { id: &run.id, run: &run }.to_bytes(),
            ChatEvent::Provider { provider, model, .. } => {
                Event::Provider { provider: &provider, model: &model }.to_bytes()
            }
            ChatEvent::Done(end) => self.done(&end),
            // A kind that this server does not know.
            _ => Bytes::from_static(COMMENT),
        }
    }

    fn done(&mut self, end: &ReplyEnd) -> Bytes {
        self.outcome = Some(Outcome::Done);
        self.control.ended(200);
        Event::Done {
            ok: true,
            provider: &end.provider,
            model: &end.model,
            finish_reason: end.finish_reason.as_str(),
            usage: end.usage.map(Usage::from),
            warnings: &end.warnings,
        }
        .to_bytes()
    }

    /// The event for an error, with the content of an error response.
    fn error(&mut self, outcome: Outcome, error: &HttpError, rest: Option<Duration>) -> Bytes {
        self.outcome = Some(outcome);
        let status = error.status().as_u16();
        self.control.ended(status);
        Event::Error { status, detail: error.detail(), retry_after: rest.map(whole_seconds) }
            .to_bytes()
    }

    fn failed(&mut self, failure: LlmError) -> Bytes {
        let rest = error::rest(&failure);
        self.error(Outcome::Error, &ApiError::from(failure).into(), rest)
    }

    fn stopped(&mut self) -> Bytes {
        self.error(Outcome::Stopped, &ApiError::Stopping.into(), None)
    }

    fn panicked(&mut self, Panic { place, reason }: Panic) -> Bytes {
        tracing::error!(request_id = %self.request_id, place, reason, "a streamed chat panicked");
        self.error(Outcome::Error, &HttpError::internal(), None)
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(first));
        }
        match self.outcome {
            Some(Outcome::Done) => {
                // Read the rest of the provider's response, so that its connection can be reused.
                let rest = panics::catch(|| Pin::new(&mut self.events).poll_next(cx).map(drop));
                return rest.unwrap_or(Poll::Ready(())).map(|()| None);
            }
            Some(_) => return Poll::Ready(None),
            None => {}
        }
        if self.control.is_ending() {
            return Poll::Ready(Some(self.stopped()));
        }
        let events = &mut self.events;
        let polled = panics::catch(|| poll_event(events, cx));
        Poll::Ready(match polled {
            Ok(Poll::Pending) => return self.poll_others(cx),
            Ok(Poll::Ready(Some(Ok(event)))) => Some(self.event(event)),
            Ok(Poll::Ready(Some(Err(failure)))) => Some(self.failed(failure)),
            Ok(Poll::Ready(None)) => None,
            Err(panic) => Some(self.panicked(panic)),
        })
    }

    /// Polls for what can happen while the model is silent: a stop or a heartbeat.
    fn poll_others(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if self.control.poll_ending(cx).is_ready() {
            return Poll::Ready(Some(self.stopped()));
        }
        let silent = self.heartbeat.as_mut().poll(cx);
        silent.map(|()| Some(Bytes::from_static(COMMENT)))
    }
}

/// Polls for the next event to show. `done` carries the token counts.
fn poll_event(
    events: &mut ChatStream,
    cx: &mut Context<'_>,
) -> Poll<Option<Result<ChatEvent, LlmError>>> {
    loop {
        let polled = Pin::new(&mut *events).poll_next(cx);
        if !matches!(polled, Poll::Ready(Some(Ok(ChatEvent::Usage(_))))) {
            return polled;
        }
    }
}

impl MessageBody for Body {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        let polled = self.poll(cx);
        if let Poll::Ready(Some(_)) = polled {
            let next = Instant::now() + HEARTBEAT;
            self.heartbeat.as_mut().reset(next);
        }
        polled.map(|bytes| bytes.map(Ok))
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        let left = if self.control.has_stalled() { Outcome::Stalled } else { Outcome::ClientLeft };
        self.outcome.unwrap_or(left).count(1);
    }
}
