//! Manifest of the MCP bundle (specification 0.3), and the names of the tools in that for registries,
//! generated from the list of tools.

use serde_json::{Value as Json, json};
use toolkit_core::registry::mcp_tools;

use crate::helpers::{Ask, spawn};

const BUNDLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/mcpb/manifest.json");
const REGISTRY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../server.json");

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
            "Deterministic developer tools: encode, format, hash, decode, generate, test, explain.",
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
fn the_generated_manifest_matches_the_list_of_tools() {
    let current = serde_json::to_string_pretty(&manifest()).unwrap() + "\n";
    compare(BUNDLE, &std::fs::read_to_string(BUNDLE).unwrap_or_default(), &current);
}

#[test]
fn the_generated_names_for_registries_match_the_list_of_tools() {
    let committed = std::fs::read_to_string(REGISTRY).unwrap();
    let (before, rest) = committed.split_once("\"tools\": [").unwrap();
    let (_, after) = rest.split_once("\n      ]").unwrap();
    let names = mcp_tools().map(|(_, mcp)| format!("\n        \"{}\"", mcp.name));
    let names = names.collect::<Vec<_>>().join(",");
    compare(REGISTRY, &committed, &format!("{before}\"tools\": [{names}\n      ]{after}"));
}

/// Compares a file with what it must be, or rewrites it.
fn compare(path: &str, committed: &str, current: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, current).unwrap();
        return;
    }
    assert_eq!(committed, current, "{path} is stale; run `just bless -p mcp-server`");
}
