//! Tool calls: answers well-formed `tools/call` and `tools/list` requests without rmcp.
//!
//! rmcp could answer them too, at the cost of a few tasks and channels and an argument tree in
//! which numbers lose digits: 36 µs of a core instead of 12. Here arguments go to the tool as sent,
//! and its answer is written once. The list is constant, with inputs in an order that rmcp's type
//! would lose. Left to rmcp: other methods, unknown tools, and headers that disagree with the body.

use std::sync::Arc;

use actix_web::http::header::HeaderMap;
use actix_web::web::Bytes;
use metrics::Counter;
use rmcp::model::RequestId;
use toolkit_core::json::append_string;
use toolkit_core::registry::mcp_tools;
use toolkit_server::accounts::Account;
use toolkit_server::request_id::RequestId as LogId;
use toolkit_server::runner::{ModelCall, RunError, Runner};

use crate::error::internal;
use crate::identity::Identity;
use crate::message::Message;
use crate::protocol::{Lifecycle, TTL_MS};
use crate::tools::LISTED;

/// Answers a server's tool calls.
pub struct ToolCalls {
    runner: Arc<Runner>,
    /// `_meta` of a result of 2026-07-28, as JSON.
    meta: Arc<str>,
    arguments_bytes_max: usize,
}

/// A tool call, or a request for the list.
pub(crate) struct Request {
    /// The call, unless the list is requested.
    call: Option<ModelCall>,
    pub(crate) id: RequestId,
    lifecycle: Lifecycle,
}

impl Request {
    /// Parses a request that needs none of rmcp's checks. `headers` and `client` exist only over
    /// HTTP.
    pub(crate) fn parse_call(
        message: &Message<'_>,
        body: &Bytes,
        headers: Option<&HeaderMap>,
        client: Option<Arc<Account>>,
        log_id: LogId,
    ) -> Option<Self> {
        let lifecycle = message.lifecycle(headers)?;
        if let Some(id) = message.list().cloned() {
            let call = None;
            return Some(Self { call, id, lifecycle });
        }
        let (id, name, arguments) = message.call()?;
        let arguments = match arguments {
            "" => Bytes::new(),
            arguments => body.slice_ref(arguments.as_bytes()),
        };
        let call = Some(ModelCall::find(name, arguments, client, log_id)?);
        let id = id.clone();
        Some(Self { call, id, lifecycle })
    }
}

impl ToolCalls {
    /// Creates the tool calls of a server with this identity. Call it after the metrics recorder
    /// has started.
    pub(crate) fn new(
        identity: &Identity,
        arguments_bytes_max: usize,
        runner: Arc<Runner>,
    ) -> Self {
        metrics::describe_counter!(
            "toolkit_mcp_calls_total",
            "Tool calls by tool, protocol lifecycle and outcome. A refused input is not a failure."
        );
        for (_, mcp) in mcp_tools() {
            for lifecycle in [Lifecycle::Stateful, Lifecycle::Stateless] {
                for outcome in ["answered", "refused", "busy", "failed"] {
                    // Makes the counter appear as 0.
                    counter(mcp.name, lifecycle, outcome).increment(0);
                }
            }
        }
        Self {
            runner,
            meta: serde_json::to_string(&identity.meta()).unwrap_or_default().into(),
            arguments_bytes_max,
        }
    }

    /// Answers a request with a JSON-RPC message.
    pub(crate) async fn answer(&self, request: Request) -> Vec<u8> {
        let Request { call, id, lifecycle } = request;
        let shared = (lifecycle == Lifecycle::Stateless).then_some(&self.meta);
        let meta = shared.map(|meta| &**meta);
        let Some(call) = call else {
            return list(&id, meta);
        };
        let (tool, size, size_max) = (call.name(), call.arguments.len(), self.arguments_bytes_max);
        let (outcome, answer) = if size > size_max {
            let sentence = format!(
                "The arguments have {size} bytes and a call takes {size_max}. Send less in one call."
            );
            ("refused", result(&id, meta, &sentence, false))
        } else {
            let finish = {
                let (id, meta) = (id.clone(), shared.cloned());
                move |json| {
                    let json = String::from_utf8(json).unwrap_or_default();
                    result(&id, meta.as_deref(), &json, true)
                }
            };
            match self.runner.call(call, finish).await {
                Ok(answer) => ("answered", answer),
                Err(RunError::Panicked) => ("failed", failure(&id)),
                Err(refusal) => {
                    let is_busy = matches!(refusal, RunError::Busy);
                    let outcome = if is_busy { "busy" } else { "refused" };
                    (outcome, result(&id, meta, &refusal.to_string(), false))
                }
            }
        };
        counter(tool, lifecycle, outcome).increment(1);
        answer
    }
}

fn counter(tool: &'static str, lifecycle: Lifecycle, outcome: &'static str) -> Counter {
    metrics::counter!(
        "toolkit_mcp_calls_total",
        "tool" => tool, "flavor" => lifecycle.name(), "outcome" => outcome,
    )
}

/// Writes a result. `text` is an answer as JSON, which also becomes the structured content, or a
/// sentence that says why there is no answer.
fn result(id: &RequestId, meta: Option<&str>, text: &str, is_answer: bool) -> Vec<u8> {
    // An answer is written twice, the second time with its quotation marks escaped.
    let mut out = Vec::with_capacity(text.len() * 2 + text.len() / 4 + 1024);
    begin(&mut out, id);
    out.extend_from_slice(b"\"result\":{");
    if meta.is_some() {
        out.extend_from_slice(b"\"resultType\":\"complete\",");
    }
    out.extend_from_slice(b"\"content\":[{\"type\":\"text\",\"text\":");
    append_string(text, &mut out);
    out.extend_from_slice(b"}],");
    if is_answer {
        out.extend_from_slice(b"\"structuredContent\":");
        out.extend_from_slice(text.as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(b"\"isError\":");
    out.extend_from_slice(if is_answer { "false" } else { "true" }.as_bytes());
    if let Some(meta) = meta {
        out.extend_from_slice(b",\"_meta\":");
        out.extend_from_slice(meta.as_bytes());
    }
    out.extend_from_slice(b"}}");
    out
}

/// Writes the list of tools.
fn list(id: &RequestId, meta: Option<&str>) -> Vec<u8> {
    let mut out = Vec::new();
    begin(&mut out, id);
    out.extend_from_slice(b"\"result\":{\"tools\":");
    out.extend_from_slice(LISTED.as_bytes());
    if let Some(meta) = meta {
        let hints = format!(
            ",\"resultType\":\"complete\",\"ttlMs\":{TTL_MS},\"cacheScope\":\"public\",\"_meta\":{meta}"
        );
        out.extend_from_slice(hints.as_bytes());
    }
    out.extend_from_slice(b"}}");
    out
}

fn failure(id: &RequestId) -> Vec<u8> {
    let mut out = Vec::new();
    begin(&mut out, id);
    out.extend_from_slice(b"\"error\":");
    append_json(&mut out, &internal());
    out.push(b'}');
    out
}

fn begin(out: &mut Vec<u8>, id: &RequestId) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    append_json(out, id);
    out.push(b',');
}

fn append_json(out: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Writing plain data to memory cannot fail.
    let _ = serde_json::to_writer(out, value);
}
