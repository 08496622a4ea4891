//! Rate limits of MCP requests.

use serde_json::json;

use crate::helpers::{Ask, ENDPOINT, Reply, Served, call, ping, spawn_with};

fn exhausted(server: &Served) -> Reply {
    let replies = (0..20).map(|_| server.send(&ping()));
    replies.into_iter().find(|reply| reply.status != 200).expect("a limit")
}

#[test]
fn too_many_requests_are_429_with_the_time_to_wait_whatever_their_content() {
    let server = spawn_with("limits.mcp_per_minute = 6\nlimits.mcp_burst = 3");
    let reply = exhausted(&server);
    assert_eq!(reply.status, 429);
    assert!(reply.detail().contains("Try again in "));
    let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=10).contains(&wait), "{wait}");
    assert!(!reply.headers.iter().any(|(name, _)| name.to_lowercase().contains("ratelimit")));
    // The rate is checked before the body.
    let large = Ask::post("x").without("Content-Type").header("Content-Type", "text/plain");
    for ask in [call(), Ask::post("{"), large, Ask::stateless("tools/list", json!({}))] {
        assert_eq!(server.send(&ask).status, 429);
    }
    // Cheap requests are not counted.
    assert_eq!(server.send(&Ask::new("GET", "/toolkit/mcp/server-card")).status, 200);
    assert_eq!(server.send(&Ask::new("GET", ENDPOINT)).status, 405);
    let reply = server.send(&call().header("Origin", "https://evil.example"));
    assert_eq!(reply.status, 403);
    // A page can read when to try again.
    let reply = server.send(&call().header("Origin", "http://localhost"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("http://localhost"));
}

#[test]
fn a_burst_is_admitted_and_0_turns_the_limit_off() {
    let server = spawn_with("limits.mcp_per_minute = 1\nlimits.mcp_burst = 5");
    let statuses: Vec<_> = (0..7).map(|_| server.send(&call()).status).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 429, 429]);
    let server = spawn_with("limits.mcp_per_minute = 0");
    assert!((0..200).all(|_| server.send(&call()).status == 200));
}

#[test]
fn each_client_behind_a_trusted_proxy_has_its_own_rate() {
    let server = spawn_with(
        "limits.mcp_per_minute = 1\nlimits.mcp_burst = 1\nhttp.trusted_proxies = [\"127.0.0.1\"]",
    );
    let from = |client: &str| server.send(&call().header("X-Forwarded-For", client)).status;
    assert_eq!([from("192.0.2.1"), from("192.0.2.1"), from("192.0.2.2")], [200, 429, 200]);
}
