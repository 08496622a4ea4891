//! Fast path: a well-formed `tools/call`, the most common request, is answered without rmcp.
//!
//! rmcp handles any request, at the cost of a few tasks and channels each and a tree of the
//! arguments. A call that needs none of rmcp's checks is recognized here: its arguments go to the
//! tool as raw bytes, and the response is written once. Everything else is left to rmcp: an unknown
//! tool, another method, a header that disagrees with the body, a field unknown to this module. A
//! test shows that both paths give the same responses.

mod message;

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::web::Bytes;
use toolkit_server::clients::Account;
use toolkit_server::middleware;
use toolkit_server::request_id::RequestId;

use self::message::Message;
use crate::call::{Call, Caller, Outcome};
use crate::identity::Identity;
use crate::protocol::ProtocolFlavor;
use crate::tools::Offered;

/// The fast path.
pub struct FastPath {
    caller: Caller,
    /// `_meta` of a result of 2026-07-28, as JSON.
    meta: String,
}

/// A recognized call.
pub(crate) struct ToolCall {
    call: Call,
    /// The message's id, as JSON.
    id: Bytes,
}

impl ToolCall {
    /// Recognizes a call that needs none of rmcp's checks.
    pub(crate) fn recognise(request: &HttpRequest, body: &Bytes) -> Option<Self> {
        let flavor = |message: &Message<'_>, tool| message.flavor(request.headers(), tool);
        Self::read(body, flavor, || {
            (Some(Account::of(request)), middleware::request_id(request))
        })
    }

    /// As [`ToolCall::recognise`], without headers: over standard input and output.
    pub(crate) fn of_message(body: &Bytes, request_id: RequestId) -> Option<Self> {
        Self::read(
            body,
            |message, _| message.flavor_of_meta(),
            || (None, request_id),
        )
    }

    fn read(
        body: &Bytes,
        flavor: impl FnOnce(&Message<'_>, &'static str) -> Option<ProtocolFlavor>,
        caller: impl FnOnce() -> (Option<Arc<Account>>, RequestId),
    ) -> Option<Self> {
        let message = Message::read(body)?;
        let offered = Offered::find(message.tool())?;
        let (client, request_id) = caller();
        let call = Call {
            offered,
            flavor: flavor(&message, offered.mcp.name)?,
            arguments: body.slice_ref(message.arguments().as_bytes()),
            client,
            request_id,
        };
        let id = body.slice_ref(message.id().as_bytes());
        Some(Self { call, id })
    }

    /// The name of the tool.
    pub(crate) fn tool(&self) -> &'static str {
        self.call.offered.mcp.name
    }
}

impl FastPath {
    /// Answers calls of a server with this identity.
    pub(crate) fn new(caller: Caller, identity: &Identity) -> Self {
        let meta = serde_json::to_string(&identity.meta()).unwrap_or_default();
        Self { caller, meta }
    }

    /// Answers a call.
    pub(crate) async fn answer(&self, ToolCall { call, id }: ToolCall) -> Vec<u8> {
        let flavor = call.flavor;
        let outcome = self.caller.call(call).await;
        let mut out = Vec::with_capacity(match &outcome {
            // The result is written twice, the second time with its quotation marks escaped.
            Outcome::Answer(json) => json.len() * 2 + json.len() / 4 + 512,
            Outcome::Refused(_) | Outcome::Busy(_) | Outcome::Internal => 1024,
        });
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        out.extend_from_slice(&id);
        let meta = (flavor == ProtocolFlavor::Stateless).then_some(self.meta.as_str());
        match outcome {
            Outcome::Answer(json) => write_result(&mut out, meta, &json, Some(&json)),
            Outcome::Refused(text) => write_result(&mut out, meta, text.as_bytes(), None),
            Outcome::Busy(text) => write_result(&mut out, meta, text.as_bytes(), None),
            Outcome::Internal => write_internal(&mut out),
        }
        out.push(b'}');
        out
    }
}

fn write_result(out: &mut Vec<u8>, meta: Option<&str>, text: &[u8], structured: Option<&[u8]>) {
    out.extend_from_slice(b",\"result\":{");
    if meta.is_some() {
        out.extend_from_slice(b"\"resultType\":\"complete\",");
    }
    out.extend_from_slice(b"\"content\":[{\"type\":\"text\",\"text\":");
    write_string(out, text);
    out.extend_from_slice(b"}],");
    if let Some(structured) = structured {
        out.extend_from_slice(b"\"structuredContent\":");
        out.extend_from_slice(structured);
        out.extend_from_slice(b",\"isError\":false");
    } else {
        out.extend_from_slice(b"\"isError\":true");
    }
    if let Some(meta) = meta {
        out.extend_from_slice(b",\"_meta\":");
        out.extend_from_slice(meta.as_bytes());
    }
    out.push(b'}');
}

fn write_internal(out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"error\":");
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(out, &crate::error::internal());
}

/// Writes JSON, or one of our sentences, as a JSON string. Both are UTF-8.
fn write_string(out: &mut Vec<u8>, text: &[u8]) {
    toolkit_core::json::append_string(std::str::from_utf8(text).unwrap_or_default(), out);
}
