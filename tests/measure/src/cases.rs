//! Cases: the measured requests.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::samples::sample;
use crate::table::size;

static CASES: LazyLock<Cases> =
    LazyLock::new(|| toml::from_str(include_str!("cases.toml")).expect("cases.toml is valid"));

#[derive(Deserialize)]
struct Cases {
    runs: Vec<Use>,
    calls: Vec<Use>,
    inputs: Vec<Input>,
}

#[derive(Deserialize)]
struct Use {
    tool: String,
    input: Json,
}

/// A tool measured with realistic inputs.
#[derive(Debug, Deserialize)]
pub struct Input {
    /// Name of the work in the report.
    pub name: String,
    tool: String,
    sample: String,
    /// Bytes of each input.
    pub sizes: [usize; 3],
    options: serde_json::Map<String, Json>,
    /// Peer that does the same work, if any.
    pub path: String,
}

/// A request to one of the servers.
#[derive(Debug, Clone)]
pub struct Case {
    /// Name in the report.
    pub name: String,
    /// Its path.
    pub path: String,
    /// The JSON body of a POST; without one it is a GET.
    pub body: Option<String>,
    /// Additional headers.
    pub headers: Vec<(&'static str, String)>,
}

/// Small runs of tools, the first of them of `base64-encoder`.
pub fn runs() -> Vec<Case> {
    let run = |one: &Use| run(&one.tool, &one.tool, &one.input);
    CASES.runs.iter().map(run).collect()
}

/// One run.
pub fn run(name: impl Into<String>, slug: &str, body: &Json) -> Case {
    api(name, &format!("tools/{slug}/run"), Some(body))
}

/// A request to an endpoint of `api-server`.
pub fn api(name: impl Into<String>, path: &str, body: Option<&Json>) -> Case {
    Case {
        name: name.into(),
        path: format!("/toolkit/api/{path}"),
        body: body.map(Json::to_string),
        headers: Vec::new(),
    }
}

/// A request with a key.
pub fn keyed(path: &str, body: &Json, key: &str) -> Case {
    let mut case = api(path, path, Some(body));
    case.headers.push(("X-Api-Key", key.to_owned()));
    case
}

/// The open GET endpoints.
pub fn reads() -> Vec<Case> {
    let catalog = api("catalog", "tools", None);
    let [flags, health] = ["flags", "health"].map(|path| api(path, path, None));
    vec![catalog, flags, health]
}

/// Calls over MCP, of a revision with a handshake or of 2026-07-28.
pub fn calls(modern: bool) -> Vec<Case> {
    let call = |one: &Use| call(&one.tool, &one.input, modern);
    CASES.calls.iter().map(call).collect()
}

/// One call over MCP.
pub fn call(tool: &str, arguments: &Json, modern: bool) -> Case {
    let revision = if modern { "2026-07-28" } else { "2025-11-25" };
    let mut params = json!({"name": tool, "arguments": arguments});
    let mut headers = vec![
        ("Accept", "application/json, text/event-stream".to_owned()),
        ("MCP-Protocol-Version", revision.to_owned()),
    ];
    if modern {
        params = json!({"name": tool, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }});
        headers.push(("Mcp-Method", "tools/call".to_owned()));
        headers.push(("Mcp-Name", tool.to_owned()));
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    Case { headers, ..api(format!("{tool}, {revision}"), "", Some(&body)).at("/toolkit/mcp") }
}

/// The tools measured with realistic inputs.
pub fn inputs() -> &'static [Input] {
    &CASES.inputs
}

impl Input {
    /// A run on a text of about this many bytes, and the text.
    pub fn run(&self, bytes: usize) -> (Case, String) {
        let text = sample(&self.sample, bytes);
        let mut body = self.options.clone();
        body.insert("text".to_owned(), text.clone().into());
        let name = format!("{}, {}", self.name, size(text.len()));
        (run(name, &self.tool, &body.into()), text)
    }
}

impl Case {
    /// The same request at another path.
    #[must_use]
    pub fn at(&self, path: &str) -> Self {
        Self { path: path.to_owned(), ..self.clone() }
    }

    /// The size of its body, in words.
    pub fn input(&self) -> String {
        let body = self.body.as_ref();
        body.map_or_else(|| "-".to_owned(), |body| size(body.len()))
    }

    /// The bytes of the request.
    pub fn request(&self, address: SocketAddr) -> Vec<u8> {
        let method = if self.body.is_some() { "POST" } else { "GET" };
        let mut text = format!("{method} {} HTTP/1.1\r\nHost: {address}\r\n", self.path);
        for (name, value) in &self.headers {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        if let Some(body) = &self.body {
            text += "Content-Type: application/json\r\n";
            let _ = write!(text, "Content-Length: {}\r\n", body.len());
        }
        text += "\r\n";
        text += self.body.as_deref().unwrap_or_default();
        text.into_bytes()
    }
}
