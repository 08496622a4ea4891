//! Metrics of the admin port: calls by tool, flavor of the protocol and outcome.

use serde_json::{Value as Json, json};

use crate::helpers::{Ask, Served, spawn_with_admin};

/// The calls that the metrics report for `cidr_info`.
fn calls(admin: &Served, flavor: &str, outcome: &str) -> u64 {
    let line = format!(
        "toolkit_mcp_calls_total{{tool=\"cidr_info\",flavor=\"{flavor}\",outcome=\"{outcome}\"}} "
    );
    let metrics = admin.send(&Ask::new("GET", "/metrics"));
    let value = metrics.text().lines().find_map(|it| it.strip_prefix(&line));
    value
        .unwrap_or_else(|| panic!("no {line}in {}", metrics.text()))
        .parse()
        .unwrap()
}

fn params(cidr: &str) -> Json {
    json!({"name": "cidr_info", "arguments": {"cidr": cidr}})
}

#[test]
fn calls_are_counted_by_tool_flavor_and_outcome() {
    let (server, admin) = spawn_with_admin();
    let cases = [
        (
            "handshake",
            "answered",
            Ask::request("tools/call", &params("10.0.0.0/8")),
        ),
        (
            "handshake",
            "refused",
            Ask::request("tools/call", &params("10.0.0.0/33")),
        ),
        (
            "stateless",
            "answered",
            Ask::stateless("tools/call", params("10.0.0.0/8")),
        ),
        (
            "stateless",
            "refused",
            Ask::stateless("tools/call", params("10.0.0.0/33")),
        ),
    ];
    for (flavor, outcome, ask) in cases {
        let before = calls(&admin, flavor, outcome);
        server.send(&ask).result();
        // Other tests of this process may call the tool too.
        assert!(
            calls(&admin, flavor, outcome) > before,
            "{flavor} {outcome}"
        );
    }
}
