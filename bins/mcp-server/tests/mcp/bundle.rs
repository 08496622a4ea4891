//! Manifest of the MCP bundle (specification 0.3), generated from the list of tools.

use serde_json::{Value as Json, json};

use crate::helpers::{Ask, spawn};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/mcpb/manifest.json");

fn manifest() -> Json {
    let server = spawn();
    let listed = server.send(&Ask::request("tools/list", &json!({}))).result();
    let tools: Vec<_> = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| json!({"name": tool["name"], "description": tool["description"]}))
        .collect();
    json!({
        "manifest_version": "0.3",
        "name": "toolkit",
        "display_name": "Toolkit: developer tools",
        "version": env!("CARGO_PKG_VERSION"),
        "description":
            "Nine deterministic developer tools: encode, format, hash, decode, generate, test, explain.",
        "author": {"name": "The Toolkit authors"},
        "license": "MIT OR Apache-2.0",
        "icon": "icon.png",
        "keywords": ["base64", "json", "yaml", "hash", "jwt", "uuid", "regex", "cron", "cidr"],
        "server": {
            "type": "binary",
            "entry_point": "server/mcp-server",
            "mcp_config": {"command": "/bin/sh", "args": ["${__dirname}/server/start"]},
        },
        "tools": tools,
        "compatibility": {"platforms": ["darwin", "linux", "win32"]},
        // The specification allows no schemas in `tools`.
        "_meta": {"org.example.tools": {"tools": listed["tools"]}},
    })
}

#[test]
fn the_committed_manifest_matches_the_list_of_tools() {
    let current = serde_json::to_string_pretty(&manifest()).unwrap() + "\n";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(PATH, &current).unwrap();
    }
    let committed = std::fs::read_to_string(PATH).unwrap_or_default();
    assert_eq!(committed, current, "the manifest is stale; run `just bless`");
}
