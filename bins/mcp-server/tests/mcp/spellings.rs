//! Calls of tools, spelled in every way: which of them are answered, and how.

use serde_json::json;

use crate::helpers::{Ask, HANDSHAKE, STATELESS, meta, spawn};

/// A tool call to be sent.
#[derive(Clone)]
struct Call {
    id: &'static str,
    tool: String,
    arguments: String,
    /// `_meta`, as JSON.
    about: Option<String>,
    headers: Vec<(&'static str, String)>,
}

impl Call {
    /// Returns a call of a revision with a handshake; the oldest clients do not name theirs.
    fn handshake(version: Option<&str>, tool: &str, arguments: &str) -> Self {
        let version = version.map(|version| ("MCP-Protocol-Version", version.to_owned()));
        Self {
            id: "1",
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            about: None,
            headers: version.into_iter().collect(),
        }
    }

    /// Returns a call of 2026-07-28.
    fn stateless(tool: &str, arguments: &str) -> Self {
        let mut call = Self::handshake(Some(STATELESS), tool, arguments);
        call.about = Some(meta().to_string());
        call.headers.push(("Mcp-Method", "tools/call".to_owned()));
        call.headers.push(("Mcp-Name", tool.to_owned()));
        call
    }

    fn ask(&self) -> Ask {
        let about = self.about.as_ref().map(|about| format!(",\"_meta\":{about}"));
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/call\",\"params\":{{\
             \"name\":{},\"arguments\":{}{}}}}}",
            self.id,
            json!(self.tool),
            self.arguments,
            about.unwrap_or_default(),
        );
        let ask = Ask::post(body).header("Accept", "application/json, text/event-stream");
        self.headers.iter().fold(ask, |ask, (name, value)| ask.header(name, value))
    }
}

#[test]
fn the_type_of_a_result_is_told_in_the_newest_revision() {
    let server = spawn();
    let arguments = "{\"cidr\":\"192.0.2.0/24\"}";
    for version in HANDSHAKE.map(Some).into_iter().chain([None]) {
        let call = Call::handshake(version, "cidr_info", arguments);
        let result = server.send(&call.ask()).result();
        assert!(result.get("resultType").is_none());
    }
    let call = Call::stateless("cidr_info", arguments);
    assert_eq!(server.send(&call.ask()).result()["resultType"], "complete");
}

#[test]
fn every_spelling_of_an_id_is_understood_or_refused() {
    let server = spawn();
    for (id, expected) in [
        ("0", Some(json!(0))),
        ("7", Some(json!(7))),
        ("-7", Some(json!(-7))),
        ("-0", Some(json!(0))),
        ("9007199254740993", Some(json!(9_007_199_254_740_993_i64))),
        ("9223372036854775807", Some(json!(i64::MAX))),
        ("9223372036854775808", None),
        ("-9223372036854775808", Some(json!(i64::MIN))),
        ("1.0", Some(json!(1))),
        ("1.5", None),
        ("1e2", Some(json!(100))),
        ("1E400", None),
        ("null", None),
        ("true", None),
        ("[]", None),
        ("{}", None),
        ("\"\"", Some(json!(""))),
        ("\"a b\"", Some(json!("a b"))),
        ("\"\\u0041\\n\\\"\"", Some(json!("A\n\""))),
        ("\"\\ud83e\\udd80\"", Some(json!("\u{1f980}"))),
        ("\"\\ud800\"", None),
        ("\"\u{e9}\u{1f980}\"", Some(json!("\u{e9}\u{1f980}"))),
    ] {
        let mut call =
            Call::handshake(Some("2025-06-18"), "cidr_info", "{\"cidr\":\"10.0.0.0/8\"}");
        call.id = id;
        let reply = server.send(&call.ask());
        match expected {
            Some(expected) => {
                assert_eq!(reply.json()["id"], expected, "{id}");
                assert_eq!(reply.result()["isError"], false, "{id}");
            }
            None => assert_eq!(reply.status, 400, "{id}"),
        }
    }
}

#[test]
fn meta_must_agree_with_the_revision() {
    let server = spawn();
    let version = "\"io.modelcontextprotocol/protocolVersion\"";
    let capabilities = "\"io.modelcontextprotocol/clientCapabilities\"";
    let whole = meta().to_string();
    // The status for a call of 2026-07-28, of 2025-11-25, and of the revisions that declare none;
    // 0: it is 200, but with an error.
    for (about, expected) in [
        ("null".to_owned(), [400, 200, 200]),
        ("{}".to_owned(), [400, 200, 200]),
        ("[]".to_owned(), [400, 400, 400]),
        ("\"x\"".to_owned(), [400, 400, 400]),
        ("{\"progressToken\":\"t\"}".to_owned(), [400, 200, 200]),
        ("{\"progressToken\":1.5,\"other\":[[]]}".to_owned(), [400, 200, 200]),
        (format!("{{{version}:\"2026-07-28\"}}"), [400, 400, 400]),
        (format!("{{{version}:\"2025-11-25\",{capabilities}:{{}}}}"), [400, 200, 400]),
        (format!("{{{version}:20260728,{capabilities}:{{}}}}"), [400, 0, 0]),
        (format!("{{{version}:null,{capabilities}:{{}}}}"), [400, 200, 200]),
        (format!("{{{version}:\"2026-07-28\",{capabilities}:[]}}"), [400, 400, 400]),
        (format!("{{{version}:\"2026-07-28\",{capabilities}:{{\"roots\":7}}}}"), [400, 400, 400]),
        (
            format!("{{{version}:\"2026-07-28\",{capabilities}:{{\"roots\":{{}},\"x\":1}}}}"),
            [200, 400, 400],
        ),
        (
            format!("{{{version}:\"2026-07-28\",{capabilities}:{{}},{capabilities}:{{}}}}"),
            [0, 400, 400],
        ),
        (format!("{{{version}:\"2026\\u002d07-28\",{capabilities}:{{}}}}"), [200, 400, 400]),
        (format!("{{{version}:\"2099-01-01\",{capabilities}:{{}}}}"), [400, 400, 400]),
        (
            format!("{{\"progressToken\":3,{version}:\"2026-07-28\",{capabilities}:{{}}}}"),
            [200, 400, 400],
        ),
        (whole, [200, 400, 400]),
    ] {
        let bases = [
            Call::stateless("cidr_info", "{\"cidr\":\"10.0.0.0/8\"}"),
            Call::handshake(Some("2025-11-25"), "cidr_info", "{\"cidr\":\"10.0.0.0/8\"}"),
            Call::handshake(None, "cidr_info", "{\"cidr\":\"10.0.0.0/8\"}"),
        ];
        let seen = bases.map(|base| {
            let about = Some(about.clone());
            let reply = server.send(&Call { about, ..base }.ask());
            let is_error = reply.json().get("error").is_some();
            if reply.status == 200 && is_error { 0 } else { reply.status }
        });
        assert_eq!(seen, expected, "{about}");
    }
}

#[test]
fn headers_must_agree_with_the_call() {
    let server = spawn();
    let set = |name: &'static str, value: &str| {
        let mut call = Call::stateless("cidr_info", "{\"cidr\":\"10.0.0.0/8\"}");
        call.headers.retain(|(known, _)| *known != name);
        if value != "-" {
            call.headers.push((name, value.to_owned()));
        }
        call
    };
    for (name, value, status) in [
        ("Mcp-Name", "cidr_info", 200),
        ("mcp-NAME", "cidr_info", 400),
        ("Mcp-Name", "=?base64?Y2lkcl9pbmZv?=", 200),
        ("Mcp-Name", "=?base64?Y2lkcl9pbmZv", 400),
        ("Mcp-Name", "=?base64?aGFzaF90ZXh0?=", 400),
        ("Mcp-Name", "=?base64?***?=", 400),
        ("Mcp-Name", "=?BASE64?Y2lkcl9pbmZv?=", 400),
        ("Mcp-Name", "hash_text", 400),
        ("Mcp-Name", "CIDR_INFO", 400),
        ("Mcp-Name", "\"cidr_info\"", 400),
        ("Mcp-Name", "", 400),
        ("Mcp-Name", "-", 400),
        ("Mcp-Method", "tools/call", 200),
        ("Mcp-Method", "Tools/Call", 400),
        ("Mcp-Method", "tools/list", 400),
        ("Mcp-Method", "-", 400),
        ("MCP-Protocol-Version", "2026-07-28", 200),
        ("MCP-Protocol-Version", "2025-11-25", 400),
        ("MCP-Protocol-Version", "1999-01-01", 400),
        ("MCP-Protocol-Version", "-", 400),
        ("Mcp-Param-Cidr", "10.0.0.0/9", 200),
        ("Mcp-Session-Id", "gone", 200),
    ] {
        // A name in another case is a second header of the same name.
        let call = set(name, value);
        let reply = server.send(&call.ask());
        assert_eq!(reply.status, status, "{name}: {value}: {}", reply.text());
    }
}

#[test]
fn a_request_that_only_looks_like_a_call_is_refused() {
    let server = spawn();
    let call = "\"method\":\"tools/call\",\"params\":{\"name\":\"cidr_info\",\"arguments\":{\"cidr\":\"10.0.0.0/8\"}}";
    for (body, status, code) in [
        // Derived deserializers accept an array of a struct's members for the struct.
        ("[\"2.0\",1,\"tools/call\",{\"name\":\"cidr_info\",\"arguments\":{}}]".to_owned(), 400, -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":[\"cidr_info\",{}]}".to_owned(),
            400,
            -32602,
        ),
        (format!("{{\"jsonrpc\":\"2.0\",{call}}}"), 202, 0),
        (format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{}},{call}}}"), 400, -32600),
        (format!("{{\"jsonrpc\":2.0,\"id\":1,{call}}}"), 400, -32600),
    ] {
        let reply = server.send(&Ask::post(body.clone()));
        assert_eq!(reply.status, status, "{body}: {}", reply.text());
        if status != 202 {
            assert_eq!(reply.error().0, code, "{body}");
        }
    }
}

#[test]
fn repeated_members_are_never_interpreted_in_two_ways() {
    let server = spawn();
    // A filter before the server may read the first of them, and the server the last.
    for body in [
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"method\":\"tools/call\",\"params\":{\"name\":\"cidr_info\",\"arguments\":{\"cidr\":\"10.0.0.0/8\"}}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"hash_text\",\"name\":\"cidr_info\",\"arguments\":{\"cidr\":\"10.0.0.0/8\"}}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"cidr_info\",\"arguments\":{\"cidr\":\"10.0.0.0/8\"}}}",
    ] {
        let reply = server.send(&Ask::post(body));
        let (code, _) = reply.error();
        assert!([-32600, -32602].contains(&code), "{body}: {}", reply.text());
    }
}
