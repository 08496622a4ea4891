//! Cases: the requests that are measured.

use serde_json::{Value as Json, json};

/// A request to one of the servers.
#[derive(Debug, Clone)]
pub struct Case {
    /// What the report calls it.
    pub name: String,
    /// Its path.
    pub path: String,
    /// A POST with this body, or a GET.
    pub body: Option<String>,
    /// Headers beyond those that every request has.
    pub headers: Vec<(&'static str, String)>,
}

/// A small run of each of the thirteen tools.
pub fn runs() -> Vec<Case> {
    const TOKEN: &str = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIiwiZXhwIjoxNzAwMDAwMDAwfQ.c2ln";
    [
        (
            "base64-encoder",
            json!({"text": "Hello, World! 32 bytes of text."}),
        ),
        ("url-encoder", json!({"text": "a b&c=d/ä"})),
        (
            "json-formatter",
            json!({"text": "{\"a\":[1,2,{\"b\":null}]}"}),
        ),
        (
            "data-converter",
            json!({"text": "a: 1\nb: [x, y]\n", "from_format": "yaml", "to_format": "json"}),
        ),
        (
            "hash-generator",
            json!({"text": "Hello, World!", "algorithm": "sha256"}),
        ),
        ("jwt-decoder", json!({"token": TOKEN})),
        ("uuid-generator", json!({"version": "v7"})),
        ("ulid-generator", json!({})),
        ("nanoid-generator", json!({})),
        ("cidr-calculator", json!({"cidr": "192.0.2.0/24"})),
        ("timestamp-converter", json!({"value": "1700000000"})),
        ("cron-explainer", json!({"expression": "*/15 9-17 * * 1-5"})),
        (
            "regex-tester",
            json!({"pattern": "(\\w+)@(\\w+)", "text": "ada@example"}),
        ),
    ]
    .into_iter()
    .map(|(slug, body)| run(slug.to_owned(), slug, &body))
    .collect()
}

/// One run.
pub fn run(name: String, slug: &str, body: &Json) -> Case {
    Case {
        name,
        path: format!("/toolkit/api/tools/{slug}/run"),
        body: Some(body.to_string()),
        headers: Vec::new(),
    }
}

/// The open GET endpoints.
pub fn reads() -> Vec<Case> {
    [
        ("catalog", "tools"),
        ("flags", "flags"),
        ("health", "health"),
    ]
    .into_iter()
    .map(|(name, path)| Case {
        name: name.to_owned(),
        path: format!("/toolkit/api/{path}"),
        body: None,
        headers: Vec::new(),
    })
    .collect()
}

/// The nine calls over MCP, of a revision with a handshake or of 2026-07-28.
pub fn calls(modern: bool) -> Vec<Case> {
    const TOKEN: &str = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIiwiZXhwIjoxNzAwMDAwMDAwfQ.c2ln";
    [
        (
            "base64_transform",
            json!({"text": "Hello, World! 32 bytes of text.", "mode": "encode"}),
        ),
        (
            "format_data",
            json!({"text": "a: 1\nb: [x, y]\n", "from_format": "yaml", "to_format": "json"}),
        ),
        (
            "hash_text",
            json!({"text": "Hello, World!", "algorithm": "sha256"}),
        ),
        ("decode_jwt", json!({"token": TOKEN})),
        ("generate_id", json!({"id_type": "uuid_v7"})),
        (
            "regex_test",
            json!({"pattern": "(\\w+)@(\\w+)", "text": "ada@example"}),
        ),
        ("unix_timestamp", json!({"value": "1700000000"})),
        ("cron_explain", json!({"expression": "*/15 9-17 * * 1-5"})),
        ("cidr_info", json!({"cidr": "192.0.2.0/24"})),
    ]
    .into_iter()
    .map(|(tool, arguments)| call(tool, &arguments, modern))
    .collect()
}

/// One call over MCP.
pub fn call(tool: &str, arguments: &Json, modern: bool) -> Case {
    let mut params = json!({"name": tool, "arguments": arguments});
    let mut headers = vec![("Accept", "application/json, text/event-stream".to_owned())];
    if modern {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        headers.push(("MCP-Protocol-Version", "2026-07-28".to_owned()));
        headers.push(("Mcp-Method", "tools/call".to_owned()));
        headers.push(("Mcp-Name", tool.to_owned()));
    } else {
        headers.push(("MCP-Protocol-Version", "2025-11-25".to_owned()));
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    Case {
        name: format!(
            "{tool}, {}",
            if modern { "2026-07-28" } else { "2025-11-25" }
        ),
        path: "/toolkit/mcp".to_owned(),
        body: Some(body.to_string()),
        headers,
    }
}

impl Case {
    /// The bytes of the request.
    pub fn request(&self, address: std::net::SocketAddr) -> Vec<u8> {
        use std::fmt::Write as _;
        let method = if self.body.is_some() { "POST" } else { "GET" };
        let mut head = format!("{method} {} HTTP/1.1\r\nHost: {address}\r\n", self.path);
        for (name, value) in &self.headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if let Some(body) = &self.body {
            let _ = write!(
                head,
                "Content-Type: application/json\r\nContent-Length: {}\r\n",
                body.len()
            );
        }
        head.push_str("\r\n");
        head.push_str(self.body.as_deref().unwrap_or_default());
        head.into_bytes()
    }
}
