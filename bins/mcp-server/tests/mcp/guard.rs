//! Host and Origin checks: accepted host names, and web pages that may call the endpoint.

use crate::helpers::{Ask, ENDPOINT, call, ping, spawn, spawn_with};

#[test]
fn a_foreign_host_is_refused() {
    let server = spawn_with("public.mcp_url = \"https://tools.example.org/toolkit/mcp\"");
    let port = server.address.port();
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "tools.example.org.evil.example".into(),
        "127.0.0.1.evil.example".into(),
        "example.org".into(),
    ] {
        for ask in [call(), ping(), Ask::new("GET", ENDPOINT), Ask::new("OPTIONS", ENDPOINT)] {
            let reply = server.send(&ask.header("Host", &host));
            assert_eq!(reply.status, 403, "{host}");
            assert!(reply.detail().contains("mcp.allowed_hosts"));
        }
    }
    for host in
        ["tools.example.org", "Tools.Example.Org:443", "localhost", "127.0.0.1:9", "[::1]:8081"]
    {
        assert_eq!(server.send(&call().header("Host", host)).status, 200, "{host}");
    }
}

#[test]
fn the_target_of_a_request_overrides_its_host() {
    let server = spawn();
    let reply =
        server.send(&call().at("http://evil.example/toolkit/mcp").header("Host", "localhost"));
    assert_eq!(reply.status, 403);
}

#[test]
fn the_host_check_can_be_configured_and_turned_off() {
    let server = spawn_with("mcp.allowed_hosts = [\"inner.example:8443\"]");
    assert_eq!(server.send(&call().header("Host", "inner.example:8443")).status, 200);
    assert_eq!(server.send(&call().header("Host", "inner.example")).status, 403);
    assert_eq!(server.send(&call().header("Host", "localhost")).status, 403);
    let server = spawn_with("mcp.allowed_hosts = [\"*\"]");
    assert_eq!(server.send(&call().header("Host", "anything.example")).status, 200);
}

#[test]
fn a_foreign_page_is_refused_and_cannot_read_why() {
    let server = spawn();
    for origin in [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "http://127.0.0.1.evil.example:80",
        "file://",
        "localhost",
        "",
    ] {
        for ask in [call(), Ask::new("GET", ENDPOINT), preflight()] {
            let reply = server.send(&ask.without("Origin").header("Origin", origin));
            assert_eq!(reply.status, 403, "{origin}");
            assert!(reply.detail().contains("mcp.allowed_origins"));
            assert_eq!(reply.header("access-control-allow-origin"), None);
            assert_eq!(reply.header("vary"), Some("Origin"));
        }
    }
    let twice =
        call().header("Origin", "http://localhost").header("Origin", "https://evil.example");
    assert_eq!(server.send(&twice).status, 403);
}

fn preflight() -> Ask {
    Ask::new("OPTIONS", ENDPOINT)
        .header("Origin", "http://localhost:6274")
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "content-type,mcp-protocol-version,mcp-name")
}

#[test]
fn a_page_on_this_machine_may_call_and_read() {
    let server = spawn();
    for origin in ["http://localhost", "https://127.0.0.1:6274", "http://[::1]:3000"] {
        for ask in [call(), ping(), Ask::post("{"), Ask::new("GET", ENDPOINT)] {
            let reply = server.send(&ask.header("Origin", origin));
            assert_eq!(reply.header("access-control-allow-origin"), Some(origin));
            let exposed = reply.header("access-control-expose-headers").unwrap();
            for name in ["MCP-Protocol-Version", "Mcp-Session-Id", "Retry-After"] {
                assert!(exposed.contains(name), "{exposed}");
            }
            assert_eq!(reply.header("vary"), Some("Origin"));
            assert_eq!(reply.header("access-control-allow-credentials"), None);
        }
    }
}

#[test]
fn a_preflight_allows_the_headers_of_the_protocol() {
    let server = spawn();
    let reply = server.send(&preflight());
    assert_eq!((reply.status, reply.text()), (204, ""));
    assert_eq!(reply.header("access-control-allow-origin"), Some("http://localhost:6274"));
    assert!(reply.header("access-control-allow-methods").unwrap().contains("POST"));
    let allowed = reply.header("access-control-allow-headers").unwrap();
    for name in [
        "Content-Type",
        "Accept",
        "Authorization",
        "MCP-Protocol-Version",
        "Mcp-Method",
        "Mcp-Name",
        "Mcp-Session-Id",
        "Last-Event-ID",
    ] {
        assert!(allowed.contains(name), "{allowed}");
    }
    assert_eq!(reply.header("access-control-max-age"), Some("7200"));
}

#[test]
fn the_allowed_pages_can_be_configured() {
    let server = spawn_with("mcp.allowed_origins = [\"https://app.example\"]");
    assert_eq!(server.send(&call().header("Origin", "https://app.example")).status, 200);
    assert_eq!(server.send(&call().header("Origin", "http://localhost")).status, 403);
    assert_eq!(server.send(&call()).status, 200);
    let server = spawn_with("mcp.allowed_origins = [\"*\"]");
    let reply = server.send(&call().header("Origin", "https://any.example"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("https://any.example"));
}

#[test]
fn with_a_file_of_tokens_a_caller_needs_one() {
    let file = std::env::temp_dir().join(format!("toolkit-tokens-{}", std::process::id()));
    std::fs::write(&file, "# CI\n0123456789abcdef\n").unwrap();
    let server = spawn_with(&format!("mcp.tokens_file = \"{}\"", file.display()));
    std::fs::remove_file(&file).unwrap();
    for ask in [call(), ping()] {
        for value in ["", "Bearer", "Bearer 0123456789abcdeF", "Basic 0123456789abcdef"] {
            let reply = server.send(&ask.clone().header("Authorization", value));
            assert_eq!(reply.status, 401, "{value}");
            assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
        }
        assert_eq!(server.send(&ask).status, 401);
        let admitted = ask.header("Authorization", "bearer 0123456789abcdef");
        assert_eq!(server.send(&admitted).status, 200);
    }
    let card = server.send(&Ask::new("GET", "/toolkit/mcp/server-card"));
    assert_eq!(card.status, 200);
}
