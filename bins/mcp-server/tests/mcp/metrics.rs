//! Metrics of the admin port: calls by tool, lifecycle of the protocol and outcome.

use serde_json::{Value as Json, json};

use crate::helpers::{Ask, Served, spawn_with_admin};

/// The value of a counter, 0 if it has not counted yet.
fn counter(admin: &Served, name: &str) -> u64 {
    let metrics = admin.send(&Ask::new("GET", "/metrics"));
    let mut lines = metrics.text().lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.map_or(0, |value| value.parse().unwrap())
}

/// Sends a request that must be counted.
#[track_caller]
fn assert_counted(server: &Served, admin: &Served, ask: &Ask, name: &str) {
    let before = counter(admin, name);
    server.send(ask).result();
    // Other tests of this process may count too.
    assert!(counter(admin, name) > before, "{name}");
}

fn params(cidr: &str) -> Json {
    json!({"name": "cidr_info", "arguments": {"cidr": cidr}})
}

#[test]
fn calls_are_counted_by_tool_lifecycle_and_outcome() {
    let (server, admin) = spawn_with_admin();
    let cases = [
        ("handshake", "answered", Ask::request("tools/call", &params("10.0.0.0/8"))),
        ("handshake", "refused", Ask::request("tools/call", &params("10.0.0.0/33"))),
        ("stateless", "answered", Ask::stateless("tools/call", params("10.0.0.0/8"))),
        ("stateless", "refused", Ask::stateless("tools/call", params("10.0.0.0/33"))),
    ];
    for (lifecycle, outcome, ask) in cases {
        let name = format!(
            "toolkit_mcp_calls_total{{tool=\"cidr_info\",flavor=\"{lifecycle}\",outcome=\"{outcome}\"}}"
        );
        assert_counted(&server, &admin, &ask, &name);
    }
}

#[test]
fn requests_are_counted_by_tool() {
    let (server, admin) = spawn_with_admin();
    let name = "toolkit_http_requests_total{method=\"POST\",route=\"/toolkit/mcp\",\
                tool=\"cidr_info\",status=\"200\"}";
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params("10.0.0.0/8"),
    });
    // Also with a member that no standard has.
    for member in ["jsonrpc", "extra"] {
        let mut message = message.clone();
        message[member] = message["jsonrpc"].clone();
        assert_counted(&server, &admin, &Ask::message(&message), name);
    }
}
