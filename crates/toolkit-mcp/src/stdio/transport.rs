//! rmcp transport over lines: answers tool calls itself, several at a time, and passes all other
//! messages to rmcp.

use std::collections::HashMap;
use std::future::ready;
use std::io::{self, Write as _};
use std::sync::{Arc, OnceLock};

use actix_web::web::Bytes;
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorData, JsonRpcError, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Serialize;
use serde::de::IgnoredAny;
use tokio::sync::mpsc::Receiver;
use tokio::task::{AbortHandle, JoinSet};
use toolkit_server::request_id::RequestId as LogId;

use super::lines::{LINE_BYTES_MAX, Line};
use crate::error::no_message;
use crate::message::Message;
use crate::tool_calls::{Request, ToolCalls};

/// Calls answered concurrently. Further messages wait on standard input.
const CALLS_MAX: usize = 64;

/// Standard input and output.
pub(super) struct Lines {
    input: Receiver<Line>,
    is_open: bool,
    /// The reason standard input could not be read to its end.
    failed: Arc<OnceLock<io::ErrorKind>>,
    output: io::Stdout,
    tool_calls: Arc<ToolCalls>,
    calls: JoinSet<(RequestId, Vec<u8>)>,
    by_id: HashMap<RequestId, AbortHandle>,
}

impl Lines {
    pub(super) fn new(
        input: Receiver<Line>,
        failed: Arc<OnceLock<io::ErrorKind>>,
        tool_calls: ToolCalls,
    ) -> Self {
        Self {
            input,
            is_open: true,
            failed,
            output: io::stdout(),
            tool_calls: Arc::new(tool_calls),
            calls: JoinSet::new(),
            by_id: HashMap::new(),
        }
    }

    /// Takes a line. Returns a message for rmcp, if it is one.
    fn take(&mut self, line: Option<Line>) -> Option<ClientJsonRpcMessage> {
        match line {
            Some(Line::Text(line)) => return self.take_text(&line),
            Some(Line::TooLong) => self.write(&too_long()),
            Some(Line::Failed(kind)) => {
                // Only the first failure ends the input.
                let _ = self.failed.set(kind);
                self.is_open = false;
            }
            None => self.is_open = false,
        }
        None
    }

    fn take_text(&mut self, line: &Bytes) -> Option<ClientJsonRpcMessage> {
        if let Some(message) = Message::read(line) {
            if let Some(id) = message.cancelled()
                && let Some(call) = self.by_id.remove(id)
            {
                call.abort();
                return None;
            }
            let request = Request::parse_call(&message, line, None, None, LogId::make());
            if let Some(request) = request {
                self.start(request);
                return None;
            }
        }
        match serde_json::from_slice(line) {
            Ok(message) => return Some(message),
            Err(_) if serde_json::from_slice::<IgnoredAny>(line).is_ok() => {
                self.write(&no_message(line));
            }
            Err(_) => tracing::warn!("ignoring a line on standard input that is not JSON"),
        }
        None
    }

    fn start(&mut self, request: Request) {
        let (tool_calls, id) = (Arc::clone(&self.tool_calls), request.id.clone());
        let key = id.clone();
        let call = self.calls.spawn(async move { (id, tool_calls.answer(request).await) });
        self.by_id.insert(key, call);
    }

    fn write(&mut self, message: &impl Serialize) {
        // Writing plain data to memory cannot fail.
        self.write_line(serde_json::to_vec(message).unwrap_or_default());
    }

    /// Writes a message as one line. Without a client at the other end there is nothing to do.
    fn write_line(&mut self, mut message: Vec<u8>) {
        // In JSON, a raw line break is white space. Only a result that shows its input unchanged
        // contains any.
        for byte in &mut message {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        message.push(b'\n');
        let written = self.output.write_all(&message);
        if written.and_then(|()| self.output.flush()).is_err() {
            self.is_open = false;
            self.calls = JoinSet::new();
        }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.write(&message);
        ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        while self.is_open || !self.calls.is_empty() {
            tokio::select! {
                // Answers first, so that a flood of requests does not delay them.
                biased;
                Some(answered) = self.calls.join_next() => {
                    // On an error the call was cancelled, and no answer is expected.
                    if let Ok((id, answer)) = answered {
                        self.by_id.remove(&id);
                        self.write_line(answer);
                    }
                }
                line = self.input.recv(), if self.is_open && self.calls.len() < CALLS_MAX => {
                    if let Some(message) = self.take(line) {
                        return Some(message);
                    }
                }
            }
        }
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn too_long() -> JsonRpcError {
    tracing::warn!(
        bytes_max = LINE_BYTES_MAX,
        "skipping a line on standard input that is too long"
    );
    let sentence =
        format!("The message is longer than {} MiB. Send less in one call.", LINE_BYTES_MAX >> 20);
    JsonRpcError::new(None, ErrorData::invalid_request(sentence, None))
}
