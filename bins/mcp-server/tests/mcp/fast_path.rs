//! Fast path: it returns the same answers as rmcp.

use serde_json::{Value as Json, json};
use toolkit_core::registry::TOOLS;

use crate::helpers::{Ask, HANDSHAKE, STATELESS, Served, meta, spawn};

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

    fn ask(&self, extra: &str) -> Ask {
        let about = self
            .about
            .as_ref()
            .map(|about| format!(",\"_meta\":{about}"));
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/call\",\"params\":{{\
             \"name\":{},\"arguments\":{}{}}}{extra}}}",
            self.id,
            json!(self.tool),
            self.arguments,
            about.unwrap_or_default(),
        );
        let ask = Ask::post(body).header("Accept", "application/json, text/event-stream");
        self.headers
            .iter()
            .fold(ask, |ask, (name, value)| ask.header(name, value))
    }
}

/// Sends a request to the fast path and to rmcp, and compares the answers.
fn assert_same(server: &Served, call: &Call) -> (u16, Json) {
    let fast_path = server.send(&call.ask(""));
    let around = server.send(&call.ask(",\"extra\":0"));
    let (mut one, mut other) = (fast_path.json(), around.json());
    for answer in [&mut one, &mut other] {
        mask(&call.tool, answer);
    }
    let shown = format!("{} {} {:?}", call.tool, call.arguments, call.headers);
    assert_eq!((fast_path.status, &one), (around.status, &other), "{shown}");
    for header in ["content-type", "cache-control", "vary"] {
        assert_eq!(fast_path.header(header), around.header(header), "{shown}");
    }
    (fast_path.status, one)
}

/// Masks values that differ from call to call.
fn mask(tool: &str, answer: &mut Json) {
    let Some(structured) = answer.pointer_mut("/result/structuredContent") else {
        return;
    };
    match tool {
        "generate_id" => {
            for id in structured["result"].as_array_mut().unwrap() {
                *id = json!(id.as_str().unwrap().len());
            }
        }
        "unix_timestamp" => structured["result"] = json!("some time"),
        "decode_jwt" => structured["result"]["expires_in_seconds"] = json!("some time"),
        _ => return,
    }
    answer["result"]["content"] = json!("as above");
}

/// Returns arguments for all tools: the examples, and inputs that each refuses.
fn arguments() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for tool in TOOLS {
        let Some(mcp) = &tool.spec().mcp else {
            continue;
        };
        let mut add = |arguments: &str| all.push((mcp.name.to_owned(), arguments.to_owned()));
        for example in tool.spec().examples {
            add(example.input);
        }
        let main = tool.main_input();
        for odd in [
            "{}".to_owned(),
            "{ }".to_owned(),
            format!("{{\"{main}\":null}}"),
            format!("{{\"{main}\":5}}"),
            format!("{{\"{main}\":-0.5e3}}"),
            format!("{{\"{main}\":true}}"),
            format!("{{\"{main}\":[]}}"),
            format!("{{\"{main}\":{{\"a\":[1]}}}}"),
            format!("{{\"{main}\":\"\"}}"),
            format!("{{\"{main}\":\"\\ud83e\\udd80 \\u0000 \\\"\"}}"),
            format!("{{\"{main}\":\"a\",\"{main}\":\"b\"}}"),
            format!("{{\"input\":\"a\",\"{main}\":\"b\"}}"),
            "{\"zz\":1,\"aa\":2}".to_owned(),
            format!(" {{ \"{main}\" : \"x\" , \"mode\":\"encode\"}} "),
        ] {
            add(&odd);
        }
    }
    all
}

#[test]
fn every_tool_answers_the_same_on_both_paths() {
    let server = spawn();
    let mut seen = [0; 2];
    for (tool, arguments) in arguments() {
        for call in [
            Call::handshake(Some("2025-11-25"), &tool, &arguments),
            Call::stateless(&tool, &arguments),
        ] {
            let (status, answer) = assert_same(&server, &call);
            assert_eq!(status, 200, "{answer}");
            seen[usize::from(answer["result"]["isError"] == true)] += 1;
        }
    }
    assert!(seen[0] > 40 && seen[1] > 100, "{seen:?}");
}

#[test]
fn both_paths_distinguish_the_revisions() {
    let server = spawn();
    let arguments = "{\"cidr\":\"192.0.2.0/24\"}";
    for version in HANDSHAKE.map(Some).into_iter().chain([None]) {
        let call = Call::handshake(version, "cidr_info", arguments);
        let (_, answer) = assert_same(&server, &call);
        assert!(answer["result"].get("resultType").is_none());
    }
    let (_, answer) = assert_same(&server, &Call::stateless("cidr_info", arguments));
    assert_eq!(answer["result"]["resultType"], "complete");
}

#[test]
fn every_spelling_of_an_id_is_returned_unchanged() {
    let server = spawn();
    for id in [
        "0",
        "7",
        "-7",
        "-0",
        "9007199254740993",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "1.0",
        "1.5",
        "1e2",
        "1E400",
        "null",
        "true",
        "[]",
        "{}",
        "\"\"",
        "\"a b\"",
        "\"\\u0041\\n\\\"\"",
        "\"\\ud83e\\udd80\"",
        "\"\\ud800\"",
        "\"\u{e9}\u{1f980}\"",
    ] {
        let mut call =
            Call::handshake(Some("2025-06-18"), "cidr_info", "{\"cidr\":\"10.0.0.0/8\"}");
        call.id = id;
        assert_same(&server, &call);
    }
}

#[test]
fn both_paths_treat_any_meta_alike() {
    let server = spawn();
    let version = "\"io.modelcontextprotocol/protocolVersion\"";
    let capabilities = "\"io.modelcontextprotocol/clientCapabilities\"";
    let whole = meta().to_string();
    for about in [
        "null".to_owned(),
        "{}".to_owned(),
        "[]".to_owned(),
        "\"x\"".to_owned(),
        "{\"progressToken\":\"t\"}".to_owned(),
        "{\"progressToken\":1.5,\"other\":[[]]}".to_owned(),
        format!("{{{version}:\"2026-07-28\"}}"),
        format!("{{{version}:\"2025-11-25\",{capabilities}:{{}}}}"),
        format!("{{{version}:20260728,{capabilities}:{{}}}}"),
        format!("{{{version}:null,{capabilities}:{{}}}}"),
        format!("{{{version}:\"2026-07-28\",{capabilities}:[]}}"),
        format!("{{{version}:\"2026-07-28\",{capabilities}:5}}"),
        format!("{{{version}:\"2026-07-28\",{capabilities}:{{\"roots\":7}}}}"),
        format!("{{{version}:\"2026-07-28\",{capabilities}:{{\"roots\":{{}},\"x\":1}}}}"),
        format!("{{{version}:\"2026-07-28\",{capabilities}:{{}},{capabilities}:{{}}}}"),
        format!("{{{version}:\"2026\\u002d07-28\",{capabilities}:{{}}}}"),
        format!("{{{version}:\"2099-01-01\",{capabilities}:{{}}}}"),
        format!("{{\"progressToken\":3,{version}:\"2026-07-28\",{capabilities}:{{}}}}"),
        whole,
    ] {
        for base in [
            Call::stateless("cidr_info", "{\"cidr\":\"10.0.0.0/8\"}"),
            Call::handshake(Some("2025-11-25"), "cidr_info", "{\"cidr\":\"10.0.0.0/8\"}"),
            Call::handshake(None, "cidr_info", "{\"cidr\":\"10.0.0.0/8\"}"),
        ] {
            let call = Call {
                about: Some(about.clone()),
                ..base
            };
            assert_same(&server, &call);
        }
    }
}

#[test]
fn both_paths_treat_any_headers_alike() {
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
        let (seen, answer) = assert_same(&server, &call);
        assert_eq!(seen, status, "{name}: {value}: {answer}");
    }
}

#[test]
fn a_request_that_only_looks_like_a_call_is_left_to_rmcp() {
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
        let one = server.send(&Ask::post(body));
        let other = server.send(&Ask::post(body.replacen('{', "{\"extra\":0,", 1)));
        assert_eq!(
            (one.status, one.json()),
            (other.status, other.json()),
            "{body}"
        );
    }
}
