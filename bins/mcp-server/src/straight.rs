//! The straight road: a well-formed `tools/call`, which is nearly every request, answered without a
//! detour.
//!
//! rmcp answers any request, at the price of a few tasks and channels each and of a tree of the
//! arguments. A call that needs none of rmcp's judgement is recognised here, its arguments go to the
//! tool as the bytes that they are, and the answer is written once. Whatever is not exactly such a
//! call is left to rmcp: an unknown tool, another method, a header that does not agree with the body,
//! a field that this module does not know. A test shows that both roads give the same answers.

use std::borrow::Cow;

use actix_web::http::header::HeaderMap;
use actix_web::web::Bytes;
use rmcp::model::ClientCapabilities;
use serde::Deserialize;
use serde_json::value::RawValue;
use toolkit_run::Runner;

use crate::call::{Outcome, call};
use crate::tools::Offered;

const METHOD: &str = "tools/call";
const MODERN: &str = "2026-07-28";
/// Revisions whose requests carry nothing of their own in `_meta`.
const LEGACY: [&str; 3] = ["2025-03-26", "2025-06-18", "2025-11-25"];

/// A call that was recognised.
pub(crate) struct Call {
    offered: Offered,
    /// The request's id, as JSON.
    id: Bytes,
    arguments: Bytes,
    modern: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<Meta<'a>>,
}

/// What a request says of itself. Other members are for others.
#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

impl Call {
    /// Recognises a call that needs no judgement.
    pub(crate) fn recognise(headers: &HeaderMap, body: &Bytes) -> Option<Self> {
        let text = std::str::from_utf8(body).ok()?;
        let message: Message<'_> = serde_json::from_str(text).ok()?;
        if message.jsonrpc != "2.0" || message.method != METHOD || !is_id(message.id.get()) {
            return None;
        }
        let params = message.params;
        let offered = Offered::find(&params.name)?;
        let modern = is_modern(headers, offered.mcp.name, params.meta.as_ref())?;
        let arguments = match params.arguments {
            Some(arguments) if arguments.get().starts_with('{') => {
                body.slice_ref(arguments.get().as_bytes())
            }
            Some(_) => return None,
            None => Bytes::new(),
        };
        let id = body.slice_ref(message.id.get().as_bytes());
        Some(Self {
            offered,
            id,
            arguments,
            modern,
        })
    }

    /// The tool's name, for the log and the metrics.
    pub(crate) fn tool(&self) -> &'static str {
        self.offered.mcp.name
    }

    /// Answers it. `server` is the `_meta` of a modern result, as JSON.
    pub(crate) async fn answer(self, runner: &Runner, server: &str) -> Vec<u8> {
        let outcome = call(runner, self.offered, self.arguments).await;
        let mut out = Vec::with_capacity(match &outcome {
            Outcome::Answer(json) => json.len() * 2 + json.len() / 4 + 512,
            Outcome::Refused(_) | Outcome::Internal => 1024,
        });
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        out.extend_from_slice(&self.id);
        let modern = self.modern.then_some(server);
        match outcome {
            Outcome::Answer(json) => write_result(&mut out, modern, &json, Some(&json)),
            Outcome::Refused(text) => write_result(&mut out, modern, text.as_bytes(), None),
            Outcome::Internal => out.extend_from_slice(INTERNAL),
        }
        out.push(b'}');
        out
    }
}

const INTERNAL: &[u8] =
    b",\"error\":{\"code\":-32603,\"message\":\"Something went wrong on our side; \
    it is safe to try again.\"}";

fn write_result(out: &mut Vec<u8>, modern: Option<&str>, text: &[u8], structured: Option<&[u8]>) {
    out.extend_from_slice(b",\"result\":{");
    if modern.is_some() {
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
    if let Some(server) = modern {
        out.extend_from_slice(b",\"_meta\":");
        out.extend_from_slice(server.as_bytes());
    }
    out.push(b'}');
}

/// Writes JSON, or a sentence of ours, as a JSON string. Both are UTF-8.
fn write_string(out: &mut Vec<u8>, text: &[u8]) {
    let text = std::str::from_utf8(text).unwrap_or_default();
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(out, text);
}

/// Whether an id is a string or a whole number, as JSON.
fn is_id(json: &str) -> bool {
    let digits = json.strip_prefix('-').unwrap_or(json);
    json.starts_with('"')
        || digits.len() <= 15
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Tells the revision of a request whose headers and `_meta` agree: `Some(true)` for 2026-07-28.
fn is_modern(headers: &HeaderMap, tool: &str, meta: Option<&Meta<'_>>) -> Option<bool> {
    let version = single(headers, "mcp-protocol-version").ok()?;
    let in_meta = meta.and_then(|meta| meta.version);
    match (version, in_meta) {
        (None, None) => Some(false),
        (Some(version), None) => LEGACY.contains(&version).then_some(false),
        (Some(MODERN), Some(in_meta)) => {
            let agrees = in_meta.get().trim_matches('"') == MODERN
                && single(headers, "mcp-method") == Ok(Some(METHOD))
                && single(headers, "mcp-name") == Ok(Some(tool))
                && declares_capabilities(meta?);
            agrees.then_some(true)
        }
        (_, Some(_)) => None,
    }
}

fn declares_capabilities(meta: &Meta<'_>) -> bool {
    meta.capabilities.is_some_and(|capabilities| {
        capabilities.get() == "{}"
            || serde_json::from_str::<ClientCapabilities>(capabilities.get()).is_ok()
    })
}

/// The value of a header that stands there once, or not at all.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name);
    let first = values.next();
    match (first, values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        (Some(_), Some(_)) => Err(()),
    }
}
