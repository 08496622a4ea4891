//! Lifecycle: the handshake of the revisions up to 2025-11-25, and `server/discover` of 2026-07-28.

use serde_json::{Value as Json, json};
use toolkit_core::registry::mcp_tools;

use crate::helpers::{Ask, HANDSHAKE, STATELESS, meta, spawn, spawn_with};

fn initialize(version: &str) -> Ask {
    Ask::message(&json!({
        "jsonrpc": "2.0", "id": "first", "method": "initialize",
        "params": {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }))
}

fn assert_is_the_server(server: &Json) {
    assert_eq!(server["name"], "toolkit");
    assert_eq!(server["title"], "Toolkit: developer tools");
    assert_eq!(server["version"], env!("CARGO_PKG_VERSION"));
    assert!(server["websiteUrl"].as_str().unwrap().ends_with("/toolkit/docs/mcp"));
}

#[test]
fn each_revision_with_a_handshake_is_accepted() {
    let server = spawn();
    for version in HANDSHAKE {
        let reply = server.send(&initialize(version));
        let result = reply.result();
        assert_eq!(reply.json()["id"], "first");
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["capabilities"], capabilities());
        assert_is_the_server(&result["serverInfo"]);
    }
}

#[test]
fn the_title_contains_the_name_of_the_service() {
    let server = spawn_with("public.name = \"Ada's tools\"\n");
    let result = server.send(&initialize("2025-11-25")).result();
    assert_eq!(result["serverInfo"]["title"], "Ada's tools: developer tools");
    assert_eq!(result["serverInfo"]["name"], "toolkit");
    let result = server.send(&Ask::stateless("server/discover", json!({}))).result();
    assert_eq!(
        result["_meta"]["io.modelcontextprotocol/serverInfo"]["title"],
        "Ada's tools: developer tools"
    );
}

#[test]
fn an_unknown_revision_is_answered_with_the_newest_one_with_a_handshake() {
    let server = spawn();
    for version in ["2024-11-05", "1999-01-01", STATELESS, "2099-01-01"] {
        let result = server.send(&initialize(version)).result();
        assert_eq!(result["protocolVersion"], "2025-11-25", "{version}");
    }
}

#[test]
fn no_session_is_ever_started() {
    let server = spawn();
    let replies = [
        server.send(&initialize("2025-11-25")),
        server.send(&Ask::request("tools/list", &json!({}))),
        server.send(&Ask::request("ping", &json!({})).header("Mcp-Session-Id", "gone")),
    ];
    for reply in replies {
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("mcp-session-id"), None);
    }
}

#[test]
fn the_icons_of_the_server_are_data_urls() {
    let server = spawn();
    let result = server.send(&initialize("2025-11-25")).result();
    let icons = result["serverInfo"]["icons"].as_array().unwrap();
    let types: Vec<_> = icons.iter().map(|icon| icon["mimeType"].as_str().unwrap()).collect();
    assert_eq!(types, ["image/png", "image/svg+xml"]);
    for icon in icons {
        let head = format!("data:{};base64,", icon["mimeType"].as_str().unwrap());
        assert!(icon["src"].as_str().unwrap().starts_with(&head));
    }
}

#[test]
fn the_instructions_follow_the_settings() {
    let server = crate::helpers::spawn_with("http.body_limit_bytes = 2097152");
    let result = server.send(&initialize("2025-11-25")).result();
    let instructions = result["instructions"].as_str().unwrap();
    assert!(instructions.contains("at most 2048 KiB a call"), "{instructions}");
    assert!(instructions.contains("decode_jwt does not verify signatures"));
    assert!(instructions.lines().count() <= 6 && instructions.len() < 1_000);
}

#[test]
fn a_notification_is_accepted_without_an_answer() {
    let server = spawn();
    for version in HANDSHAKE {
        let message = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let ask = Ask::message(&message).header("MCP-Protocol-Version", version);
        let reply = server.send(&ask);
        assert_eq!((reply.status, reply.text()), (202, ""));
    }
}

#[test]
fn a_ping_is_answered_in_revisions_that_have_it() {
    let server = spawn();
    assert_eq!(server.send(&Ask::request("ping", &json!({}))).result(), json!({}));
    let reply = server.send(&Ask::stateless("ping", json!({})));
    assert_eq!((reply.status, reply.error().0), (404, -32601));
}

#[test]
fn discovery_returns_what_the_handshake_returns_with_its_lifetime() {
    let server = spawn();
    let result = server.send(&Ask::stateless("server/discover", json!({}))).result();
    let versions = json!(["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]);
    assert_eq!(result["supportedVersions"], versions);
    assert_eq!(result["capabilities"], capabilities());
    assert_eq!(result["resultType"], "complete");
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(3_600_000), &json!("public")));
    assert!(result["instructions"].as_str().unwrap().starts_with("Deterministic"));
    assert_is_the_server(&result["_meta"]["io.modelcontextprotocol/serverInfo"]);
}

#[test]
fn every_result_of_2026_07_28_names_the_server() {
    let server = spawn();
    let call = json!({"name": "base64_transform", "arguments": {"text": "a", "mode": "encode"}});
    let refused = json!({"name": "base64_transform", "arguments": {}});
    for ask in [
        Ask::stateless("server/discover", json!({})),
        Ask::stateless("tools/list", json!({})),
        Ask::stateless("tools/call", call),
        Ask::stateless("tools/call", refused),
    ] {
        let result = server.send(&ask).result();
        assert_is_the_server(&result["_meta"]["io.modelcontextprotocol/serverInfo"]);
        assert_eq!(result["resultType"], "complete");
    }
}

#[test]
fn methods_removed_or_not_declared_are_404_in_2026_07_28() {
    let server = spawn();
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "prompts/list",
        "subscriptions/listen",
        "tasks/get",
        "no/such",
    ] {
        let reply = server.send(&Ask::stateless(method, json!({})));
        assert_eq!((reply.status, reply.error().0), (404, -32601), "{method}");
    }
}

#[test]
fn methods_not_declared_are_unknown_in_older_revisions_too() {
    let server = spawn();
    for (method, params) in [
        ("prompts/list", json!({})),
        ("prompts/get", json!({"name": "x"})),
        (
            "completion/complete",
            json!({
                "ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"},
            }),
        ),
        ("no/such", json!({})),
    ] {
        let reply = server.send(&Ask::request(method, &params));
        let (code, message) = reply.error();
        assert_eq!((reply.status, code), (200, -32601), "{method}");
        assert!(message.contains(method), "{message}");
    }
}

/// What the server declares.
fn capabilities() -> Json {
    json!({"tools": {}, "resources": {}, "extensions": {"io.modelcontextprotocol/skills": {}}})
}

#[test]
fn the_skill_is_listed_and_read_in_every_revision() {
    let server = spawn();
    let uri = "skill://which-tool/SKILL.md";
    for is_stateless in [false, true] {
        let send = |method: &str, params: Json| {
            let name = params["uri"].as_str().unwrap_or_default().to_owned();
            let ask = if is_stateless {
                Ask::stateless(method, params)
            } else {
                Ask::request(method, &params)
            };
            let is_named = is_stateless && method == "resources/read";
            server.send(&if is_named { ask.header("Mcp-Name", &name) } else { ask })
        };
        let result = |method: &str, params: Json| {
            let reply = send(method, params);
            assert_eq!(reply.status, 200, "{method}: {:?}", reply.json());
            reply.json()["result"].clone()
        };
        let skill = &result("skills/list", json!({}))["skills"][0];
        let name = &skill["frontmatter"]["name"];
        assert_eq!((&skill["uri"], name), (&json!(uri), &json!("which-tool")));
        let about = || json!({"uri": uri});
        assert_eq!(&result("skills/get", about())["skill"], skill);
        assert_eq!(result("resources/list", json!({}))["resources"][0]["uri"], uri);
        let templates = result("resources/templates/list", json!({}));
        assert_eq!(templates["resourceTemplates"], json!([]));
        let text = result("resources/read", about())["contents"][0].clone();
        assert_eq!(text["mimeType"], "text/markdown");
        for (_, tool) in mcp_tools() {
            let quoted = format!("`{}`", tool.name);
            let is_named = text["text"].as_str().unwrap().matches(&quoted).count() > 1;
            assert!(is_named, "SKILL.md has no row and no worked example of {quoted}");
        }
        let other = send("resources/read", json!({"uri": "file:///etc/passwd"}));
        assert_eq!(other.error().0, -32602);
    }
}

#[test]
fn a_header_with_an_unsupported_revision_is_refused_with_the_supported_ones() {
    let server = spawn();
    for version in ["1999-01-01", "2024-11-05", "latest", ""] {
        let ask = Ask::request("tools/list", &json!({}))
            .without("MCP-Protocol-Version")
            .header("MCP-Protocol-Version", version);
        let reply = server.send(&ask);
        assert_eq!((reply.status, reply.error().0), (400, -32022), "{version}");
        let data = &reply.json()["error"]["data"];
        assert_eq!(data["requested"], version);
        assert_eq!(data["supported"].as_array().unwrap().len(), 4);
        assert_eq!(reply.json()["id"], 1);
    }
}

#[test]
fn a_request_of_an_unknown_revision_is_refused_with_the_supported_ones() {
    let server = spawn();
    let mut about = meta();
    about["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let message = json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": about},
    });
    let ask = Ask::message(&message)
        .header("MCP-Protocol-Version", "2099-01-01")
        .header("Mcp-Method", "tools/list");
    let reply = server.send(&ask);
    assert_eq!((reply.status, reply.error().0), (400, -32022));
    assert_eq!(reply.json()["error"]["data"]["supported"].as_array().unwrap().len(), 4);
}

#[test]
fn a_revision_that_is_not_ascii_is_refused() {
    let server = spawn();
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"});
    let ask = Ask::message(&message).header("MCP-Protocol-Version", "2025-11-\u{662}\u{665}");
    let reply = server.send(&ask);
    assert_eq!(reply.status, 400);
    assert_eq!(reply.error(), (-32600, "Invalid MCP-Protocol-Version header encoding".to_owned()));
}

#[test]
fn a_request_of_2026_07_28_must_declare_its_method_and_client() {
    let server = spawn();
    for missing in
        ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"]
    {
        let mut about = meta();
        about.as_object_mut().unwrap().remove(missing);
        let message = json!({
            "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": about},
        });
        let ask = Ask::message(&message)
            .header("MCP-Protocol-Version", STATELESS)
            .header("Mcp-Method", "tools/list");
        let reply = server.send(&ask);
        let (code, message) = reply.error();
        assert_eq!((reply.status, code), (400, -32602));
        assert!(message.contains(missing), "{message}");
    }
}

#[test]
fn headers_that_do_not_agree_with_the_body_are_refused() {
    let server = spawn();
    let call = json!({"name": "hash_text", "arguments": {"text": "", "algorithm": "md5"}});
    let ask = || Ask::stateless("tools/call", call.clone());
    for ask in [
        ask().without("Mcp-Name"),
        ask().without("Mcp-Name").header("Mcp-Name", "cidr_info"),
        ask().without("Mcp-Name").header("Mcp-Name", "HASH_TEXT"),
        ask().header("Mcp-Name", "hash_text"),
        ask().without("Mcp-Method"),
        ask().without("Mcp-Method").header("Mcp-Method", "tools/list"),
        ask().without("MCP-Protocol-Version"),
        ask().without("MCP-Protocol-Version").header("MCP-Protocol-Version", "2025-11-25"),
    ] {
        let reply = server.send(&ask);
        assert_eq!((reply.status, reply.error().0), (400, -32020), "{:?}", reply.text());
    }
}
