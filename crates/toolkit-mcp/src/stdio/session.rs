//! Session: answers the messages of one client, several at a time, and writes the responses.

use std::collections::HashMap;
use std::io::{self, Write};
use std::rc::Rc;

use actix_web::web::Bytes;
use http::HeaderMap;
use rmcp::model::{ErrorData, JsonRpcError, RequestId};
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc::Receiver;
use tokio::task::{AbortHandle, JoinError, JoinSet};
use toolkit_server::panics::{self, Panic};
use toolkit_server::request_id::RequestId as Name;

use super::lines::{LINE_BYTES_MAX, Line};
use super::message::{self, Kind};
use crate::error;
use crate::fast_path::{FastPath, ToolCall};
use crate::handler::Handler;
use crate::protocol::ProtocolFlavor;
use crate::rmcp_adapter::{RmcpAdapter, Sent};

/// Requests answered concurrently; more wait on standard input.
const IN_FLIGHT_MAX: usize = 64;

/// The response queue of one client.
pub(super) struct Session {
    pub(super) answerer: Rc<Answerer>,
    pub(super) arguments_bytes_max: usize,
}

pub(super) struct Answerer {
    pub(super) fast_path: FastPath,
    pub(super) rmcp_adapter: RmcpAdapter<Handler>,
}

/// A response with the request it is for.
type Answered = (Option<RequestId>, Vec<u8>);

/// The requests in progress.
#[derive(Default)]
struct InFlight {
    tasks: JoinSet<Answered>,
    by_id: HashMap<RequestId, AbortHandle>,
}

impl Session {
    /// Runs until the messages end and all are answered, or the output is closed.
    ///
    /// # Errors
    ///
    /// When standard input cannot be read.
    pub(super) async fn serve(
        self,
        mut lines: Receiver<Line>,
        mut output: impl Write,
    ) -> io::Result<()> {
        let mut in_flight = InFlight::default();
        let mut is_open = true;
        while is_open || !in_flight.tasks.is_empty() {
            let answer = tokio::select! {
                // Responses first, so that a flood of requests does not delay them.
                biased;
                Some(answered) = in_flight.tasks.join_next() => in_flight.finish(answered),
                line = lines.recv(), if is_open && in_flight.tasks.len() < IN_FLIGHT_MAX => match line {
                    None => {
                        is_open = false;
                        None
                    }
                    Some(Line::Failed(kind)) => return Err(kind.into()),
                    Some(Line::TooLong) => Some(too_long()),
                    Some(Line::Text(line)) => self.take(line, &mut in_flight),
                },
            };
            if let Some(answer) = answer
                && write(&mut output, answer).is_err()
            {
                // The client is gone.
                return Ok(());
            }
        }
        Ok(())
    }

    /// Accepts a message, and answers it immediately if no work is needed.
    fn take(&self, line: Bytes, in_flight: &mut InFlight) -> Option<Vec<u8>> {
        let Some(message) = message::envelope(&line) else {
            tracing::warn!("a line on standard input is not JSON; it is ignored");
            return None;
        };
        let maximum = self.arguments_bytes_max;
        let arguments = message.arguments(&line);
        match Kind::of(&message, arguments.as_ref().map_or(0, Bytes::len), maximum) {
            Kind::Ignored => None,
            Kind::Cancelled(id) => {
                in_flight.cancel(&id);
                None
            }
            Kind::TooLarge { id, bytes } => {
                let version = message.version();
                let is_stateless =
                    version.is_some_and(|it| ProtocolFlavor::of(&it) == ProtocolFlavor::Stateless);
                Some(too_large(&id, bytes, maximum, is_stateless))
            }
            Kind::Request(id) => {
                let headers = message::headers(&message);
                let answerer = Rc::clone(&self.answerer);
                let answer = async move { answerer.answer(line, arguments, headers).await };
                in_flight.start(id, answer);
                None
            }
        }
    }
}

impl InFlight {
    fn start(&mut self, id: Option<RequestId>, work: impl Future<Output = Vec<u8>> + 'static) {
        let key = id.clone();
        let handle = self.tasks.spawn_local(async move {
            let answer = panics::caught(work).await;
            let answer = answer.unwrap_or_else(|panic| internal(id.as_ref(), &panic));
            (id, answer)
        });
        if let Some(id) = key {
            self.by_id.insert(id, handle);
        }
    }

    /// Cancels a request; nothing is sent for it any more.
    fn cancel(&mut self, id: &RequestId) {
        if let Some(handle) = self.by_id.remove(id) {
            handle.abort();
        }
    }

    fn finish(&mut self, answered: Result<Answered, JoinError>) -> Option<Vec<u8>> {
        // An error: it was cancelled, and nobody waits for it.
        let (id, answer) = answered.ok()?;
        if let Some(id) = id {
            self.by_id.remove(&id);
        }
        Some(answer)
    }
}

impl Answerer {
    async fn answer(&self, line: Bytes, arguments: Option<Bytes>, headers: HeaderMap) -> Vec<u8> {
        let id = Name::make();
        if let Some(call) = ToolCall::of_message(&line, id) {
            return self.fast_path.answer(call).await;
        }
        let client = None;
        let sent = Sent {
            arguments,
            client,
            id,
        };
        self.rmcp_adapter.answer_message(line, headers, sent).await
    }
}

/// Writes a message as one line.
fn write(output: &mut impl Write, mut message: Vec<u8>) -> io::Result<()> {
    if message.is_empty() {
        return Ok(());
    }
    // In JSON a raw line end is white space: only a result that shows its input unchanged contains
    // any.
    for byte in &mut message {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    message.push(b'\n');
    output.write_all(&message)?;
    output.flush()
}

fn too_long() -> Vec<u8> {
    tracing::warn!(
        bytes_max = LINE_BYTES_MAX,
        "a line on standard input is too long; it is skipped"
    );
    let sentence = format!(
        "The message is longer than {} MiB; send less in one call.",
        LINE_BYTES_MAX >> 20
    );
    bytes(&JsonRpcError::new(
        None,
        ErrorData::invalid_request(sentence, None),
    ))
}

fn too_large(id: &RequestId, size: usize, maximum: usize, is_stateless: bool) -> Vec<u8> {
    let sentence = format!(
        "The arguments have {size} bytes and a call takes {maximum}; send less in one call."
    );
    let mut result = json!({"content": [{"type": "text", "text": sentence}], "isError": true});
    if is_stateless && let Some(members) = result.as_object_mut() {
        members.insert("resultType".to_owned(), json!("complete"));
    }
    bytes(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

fn internal(id: Option<&RequestId>, Panic { place, reason }: &Panic) -> Vec<u8> {
    tracing::error!(place, reason, "answering a message panicked");
    bytes(&JsonRpcError::new(id.cloned(), error::internal()))
}

fn bytes(message: &impl Serialize) -> Vec<u8> {
    // Writing plain data to memory does not fail.
    serde_json::to_vec(message).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_answers_its_request_with_an_internal_error() {
        let mut in_flight = InFlight::default();
        let id = RequestId::Number(7);
        let answer = tokio::task::LocalSet::new()
            .run_until(async {
                in_flight.start(Some(id), async { panic!("on purpose") });
                let answered = in_flight.tasks.join_next().await.unwrap();
                in_flight.finish(answered).unwrap()
            })
            .await;
        let answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(7), &json!(-32603))
        );
        assert!(in_flight.by_id.is_empty());
    }
}
