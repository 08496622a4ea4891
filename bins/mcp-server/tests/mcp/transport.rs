//! The endpoint as HTTP: what is asked, by whom, how large and how often.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::helpers::{Ask, ENDPOINT, Reply, Served, spawn, spawn_with};

fn ping() -> Ask {
    Ask::request("ping", &json!({}))
}

fn call() -> Ask {
    let arguments = json!({"text": "Hi", "mode": "encode"});
    Ask::request(
        "tools/call",
        &json!({"name": "base64_transform", "arguments": arguments}),
    )
}

/// The JSON-RPC message in the only event of a stream.
fn event(reply: &Reply) -> Json {
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    let lines: Vec<_> = reply.text().lines().collect();
    assert_eq!((lines.len(), lines[0], lines[2]), (3, "event: message", ""));
    serde_json::from_str(lines[1].strip_prefix("data: ").unwrap()).unwrap()
}

#[test]
fn every_accept_header_is_served_with_json() {
    let server = spawn();
    for accept in [
        None,
        Some("*/*"),
        Some("application/json"),
        Some("application/json, text/event-stream"),
        Some("text/event-stream, application/json"),
        Some("text/event-stream;q=0.5, */*;q=0.1"),
        Some("text/html"),
        Some("image/png, ;;,"),
    ] {
        for ask in [ping(), call()] {
            let ask = ask.without("Accept");
            let ask = accept.map_or(ask.clone(), |accept| ask.header("Accept", accept));
            let reply = server.send(&ask);
            assert_eq!(
                reply.header("content-type"),
                Some("application/json"),
                "{accept:?}"
            );
            let length = reply.body.len().to_string();
            assert_eq!(reply.header("content-length"), Some(length.as_str()));
            reply.result();
        }
    }
}

#[test]
fn a_client_that_takes_only_an_event_stream_gets_the_same_answer_as_one_event() {
    let server = spawn();
    for ask in [
        ping(),
        call(),
        Ask::request("tools/call", &json!({"name": "nope"})),
    ] {
        let plain = server.send(&ask);
        let ask = ask.without("Accept").header("Accept", "text/event-stream");
        let stream = server.send(&ask);
        assert_eq!((stream.status, event(&stream)), (200, plain.json()));
        assert_eq!(stream.header("cache-control"), Some("no-store"));
    }
    // What is refused is no event.
    let refused = Ask::post("{").header("Accept", "text/event-stream");
    assert_eq!(server.send(&refused).error().0, -32700);
}

#[test]
fn a_slash_at_the_end_makes_no_difference() {
    let server = spawn();
    assert_eq!(
        server.send(&call().at("/toolkit/mcp/")).json(),
        server.send(&call()).json()
    );
}

#[test]
fn streams_and_sessions_are_refused_with_the_method_that_there_is() {
    let server = spawn();
    for path in [ENDPOINT, "/toolkit/mcp/"] {
        for method in ["GET", "DELETE", "PUT", "PATCH", "HEAD"] {
            let ask = Ask::new(method, path).header("Accept", "text/event-stream");
            let reply = server.send(&ask);
            assert_eq!(
                (reply.status, reply.header("allow")),
                (405, Some("POST")),
                "{method}"
            );
            if method != "HEAD" {
                assert!(reply.detail().contains("POST only"));
            }
        }
    }
}

#[test]
fn a_body_that_is_no_json_is_a_parse_error() {
    let server = spawn();
    for body in [
        "",
        "{",
        "{\"jsonrpc\":",
        "ping",
        "{\"jsonrpc\":\"2.0\",}",
        "\u{feff}{}",
        "{} {}",
    ] {
        let reply = server.send(&Ask::post(body));
        let (code, message) = reply.error();
        assert_eq!((reply.status, code), (400, -32700), "{body}");
        assert!(
            message.starts_with("The body is not valid JSON: "),
            "{message}"
        );
        assert!(message.contains(" at line 1, column "), "{message}");
        assert_eq!(reply.json().get("id"), None);
    }
    let reply = server.send(&Ask::post(
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}".as_slice(),
    ));
    assert_eq!((reply.status, reply.error().0), (400, -32700));
}

#[test]
fn json_that_is_no_message_is_an_invalid_request() {
    let server = spawn();
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    for body in [
        json!([message]),
        json!([]),
        json!(1),
        json!("ping"),
        json!(null),
        json!({}),
        json!({"jsonrpc": "1.0", "id": 1, "method": "ping"}),
        json!({"id": 1, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": null, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": [1], "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": 1, "method": 5}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}),
    ] {
        let reply = server.send(&Ask::post(body.to_string()));
        assert_eq!((reply.status, reply.error().0), (400, -32600), "{body}");
    }
    let batch = server.send(&Ask::post(json!([message]).to_string()));
    assert_eq!(
        batch.error().1,
        "Batches are not taken: send one message a request."
    );
}

#[test]
fn parameters_that_are_no_object_are_invalid_params() {
    let server = spawn();
    for params in [json!([]), json!(["cidr_info", {}]), json!("x"), json!(5)] {
        let message = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
        let reply = server.send(&Ask::message(&message));
        assert_eq!((reply.status, reply.json()["id"].clone()), (400, json!(3)));
        assert_eq!(
            reply.error(),
            (-32602, "`params` must be an object.".to_owned())
        );
    }
}

#[test]
fn the_id_comes_back_as_it_was_where_it_can_be_read() {
    let server = spawn();
    for id in [
        json!(0),
        json!(-7),
        json!(9_007_199_254_740_993_u64),
        json!("a\"b\u{e9}"),
        json!(""),
    ] {
        for method in ["ping", "no/such"] {
            let message = json!({"jsonrpc": "2.0", "id": id, "method": method});
            assert_eq!(server.send(&Ask::message(&message)).json()["id"], id);
        }
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call"});
        message["params"] = json!({"name": "cidr_info", "arguments": {"cidr": "10.0.0.0/8"}});
        assert_eq!(server.send(&Ask::message(&message)).json()["id"], id);
        // No request, but its id can be read.
        let message = json!({"jsonrpc": "1.0", "id": id, "method": "ping"});
        assert_eq!(server.send(&Ask::message(&message)).json()["id"], id);
    }
}

#[test]
fn a_body_of_another_type_is_415() {
    let server = spawn();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
    ] {
        let reply = server.send(&ping().without("Content-Type").header("Content-Type", kind));
        assert_eq!(reply.status, 415, "{kind}");
        assert!(reply.detail().contains("application/json"));
    }
    let reply = server.send(&ping().without("Content-Type"));
    assert_eq!(reply.status, 415);
    for kind in ["application/json; charset=utf-8", "Application/JSON"] {
        let reply = server.send(&ping().without("Content-Type").header("Content-Type", kind));
        assert_eq!(reply.status, 200, "{kind}");
    }
}

#[test]
fn a_body_at_the_limit_is_taken_and_one_past_it_is_413() {
    let server = spawn_with("http.body_limit_bytes = 2000");
    let empty = call_with(0).len();
    let reply = server.send(&Ask::post(call_with(2_000 - empty)));
    assert_eq!(reply.status, 200);
    let reply = server.send(&Ask::post(call_with(2_001 - empty)));
    assert_eq!(
        (reply.status, reply.detail()),
        (413, "The body is over the limit of 2000 bytes.".into())
    );
}

fn call_with(letters: usize) -> String {
    let text = "x".repeat(letters);
    let params = json!({"name": "base64_transform", "arguments": {"text": text, "mode": "encode"}});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()
}

#[test]
fn deep_nesting_is_refused_wherever_it_is() {
    let server = spawn();
    for depth in [200, 3_000, 200_000] {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let call = "\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":";
        for body in [
            format!("{{{call}{{\"name\":\"cidr_info\",\"arguments\":{deep}}}}}"),
            format!("{{{call}{deep}}}"),
            format!("{{\"extra\":{deep},{call}{{\"name\":\"cidr_info\"}}}}"),
            deep.clone(),
        ] {
            let reply = server.send(&Ask::post(body));
            let (code, message) = reply.error();
            assert_eq!((reply.status, code), (400, -32700));
            assert!(
                message.starts_with("The message is nested too deeply"),
                "{message}"
            );
        }
        // Where an argument is too deep, a model can mend its call.
        let body =
            format!("{{{call}{{\"name\":\"cidr_info\",\"arguments\":{{\"cidr\":{deep}}}}}}}");
        let result = server.send(&Ask::post(body)).result();
        assert_eq!(result["isError"], true);
        assert_eq!(
            result["content"][0]["text"],
            "`cidr` must be a single value, not an array."
        );
    }
}

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
        for ask in [
            call(),
            ping(),
            Ask::new("GET", ENDPOINT),
            Ask::new("OPTIONS", ENDPOINT),
        ] {
            let reply = server.send(&ask.header("Host", &host));
            assert_eq!(reply.status, 403, "{host}");
            assert!(reply.detail().contains("mcp.allowed_hosts"));
        }
    }
    for host in [
        "tools.example.org",
        "Tools.Example.Org:443",
        "localhost",
        "127.0.0.1:9",
        "[::1]:8081",
    ] {
        assert_eq!(
            server.send(&call().header("Host", host)).status,
            200,
            "{host}"
        );
    }
}

#[test]
fn the_target_of_a_request_overrides_its_host() {
    let server = spawn();
    let reply = server.send(
        &call()
            .at("http://evil.example/toolkit/mcp")
            .header("Host", "localhost"),
    );
    assert_eq!(reply.status, 403);
}

#[test]
fn the_check_of_hosts_can_be_set_and_turned_off() {
    let server = spawn_with("mcp.allowed_hosts = [\"inner.example:8443\"]");
    assert_eq!(
        server
            .send(&call().header("Host", "inner.example:8443"))
            .status,
        200
    );
    assert_eq!(
        server.send(&call().header("Host", "inner.example")).status,
        403
    );
    assert_eq!(server.send(&call().header("Host", "localhost")).status, 403);
    let server = spawn_with("mcp.allowed_hosts = [\"*\"]");
    assert_eq!(
        server
            .send(&call().header("Host", "anything.example"))
            .status,
        200
    );
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
    let twice = call()
        .header("Origin", "http://localhost")
        .header("Origin", "https://evil.example");
    assert_eq!(server.send(&twice).status, 403);
}

fn preflight() -> Ask {
    Ask::new("OPTIONS", ENDPOINT)
        .header("Origin", "http://localhost:6274")
        .header("Access-Control-Request-Method", "POST")
        .header(
            "Access-Control-Request-Headers",
            "content-type,mcp-protocol-version,mcp-name",
        )
}

#[test]
fn a_page_of_this_machine_may_call_and_read() {
    let server = spawn();
    for origin in [
        "http://localhost",
        "https://127.0.0.1:6274",
        "http://[::1]:3000",
    ] {
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
    assert_eq!(
        reply.header("access-control-allow-origin"),
        Some("http://localhost:6274")
    );
    assert!(
        reply
            .header("access-control-allow-methods")
            .unwrap()
            .contains("POST")
    );
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
fn the_pages_that_may_call_can_be_set() {
    let server = spawn_with("mcp.allowed_origins = [\"https://app.example\"]");
    assert_eq!(
        server
            .send(&call().header("Origin", "https://app.example"))
            .status,
        200
    );
    assert_eq!(
        server
            .send(&call().header("Origin", "http://localhost"))
            .status,
        403
    );
    assert_eq!(server.send(&call()).status, 200);
    let server = spawn_with("mcp.allowed_origins = [\"*\"]");
    let reply = server.send(&call().header("Origin", "https://any.example"));
    assert_eq!(
        reply.header("access-control-allow-origin"),
        Some("https://any.example")
    );
}

#[test]
fn every_answer_names_its_request_and_is_not_stored() {
    let server = spawn();
    let reply = server.send(&call().header("X-Request-Id", "abc-1"));
    assert_eq!(reply.header("x-request-id"), Some("abc-1"));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    for reply in [server.send(&ping()), server.send(&Ask::post("{"))] {
        assert_eq!(reply.header("x-request-id").unwrap().len(), 36);
    }
}

#[test]
fn a_key_is_neither_asked_for_nor_looked_at() {
    let server = spawn();
    let reply = server.send(
        &call()
            .header("Authorization", "Bearer x")
            .header("X-Api-Key", "tk_x"),
    );
    assert_eq!(reply.status, 200);
}

fn exhausted(server: &Served) -> Reply {
    let replies = (0..20).map(|_| server.send(&ping()));
    replies
        .into_iter()
        .find(|reply| reply.status != 200)
        .expect("a limit")
}

#[test]
fn too_many_requests_are_429_whatever_they_ask_and_for_how_long() {
    let server = spawn_with("limits.mcp_per_minute = 6\nlimits.mcp_burst = 3");
    let reply = exhausted(&server);
    assert_eq!(reply.status, 429);
    assert!(reply.detail().contains("Retry-After"));
    let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=10).contains(&wait), "{wait}");
    assert!(
        !reply
            .headers
            .iter()
            .any(|(name, _)| name.to_lowercase().contains("ratelimit"))
    );
    // The rate comes before the body.
    let large = Ask::post("x")
        .without("Content-Type")
        .header("Content-Type", "text/plain");
    for ask in [
        call(),
        Ask::post("{"),
        large,
        Ask::stateless("tools/list", json!({})),
    ] {
        assert_eq!(server.send(&ask).status, 429);
    }
    // What costs nothing is not counted.
    assert_eq!(
        server
            .send(&Ask::new("GET", "/toolkit/mcp/server-card"))
            .status,
        200
    );
    assert_eq!(server.send(&Ask::new("GET", ENDPOINT)).status, 405);
    let reply = server.send(&call().header("Origin", "https://evil.example"));
    assert_eq!(reply.status, 403);
    // A page learns when to come back.
    let reply = server.send(&call().header("Origin", "http://localhost"));
    assert_eq!(
        reply.header("access-control-allow-origin"),
        Some("http://localhost")
    );
}

#[test]
fn a_burst_is_let_through_and_0_turns_the_limit_off() {
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
    let from = |client: &str| {
        server
            .send(&call().header("X-Forwarded-For", client))
            .status
    };
    assert_eq!(
        [from("192.0.2.1"), from("192.0.2.1"), from("192.0.2.2")],
        [200, 429, 200]
    );
}

mod leaving {
    use std::future::Future;

    use actix_web::App;
    use actix_web::web::Data;
    use mcp_server::{Bridge, Endpoint, Guard, endpoint_routes};
    use rmcp::model::{CallToolRequestParams, CallToolResponse, ServerCapabilities, ServerConfig};
    use rmcp::service::RequestContext;
    use rmcp::{ErrorData, RoleServer, ServerHandler};
    use toolkit_http::client_ip::Proxies;
    use toolkit_http::edge::{Cors, Edge};
    use toolkit_http::limiter::Limiter;
    use toolkit_http::server::Listener;
    use toolkit_http::settings::{Mcp, Public};

    use super::*;

    /// A handler whose one tool waits until nobody waits for it.
    #[derive(Clone)]
    struct Waiting(mpsc::Sender<&'static str>);

    impl ServerHandler for Waiting {
        fn get_info(&self) -> ServerConfig {
            ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
        }

        fn call_tool(
            &self,
            _: CallToolRequestParams,
            context: RequestContext<RoleServer>,
        ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send + '_ {
            async move {
                self.0.send("begun").unwrap();
                context.ct.cancelled().await;
                self.0.send("cancelled").unwrap();
                Err(ErrorData::internal_error("", None))
            }
        }
    }

    fn spawn(handler: Waiting) -> Served {
        let (address_to, address) = mpsc::channel();
        std::thread::spawn(move || {
            tokio::runtime::Runtime::new()
                .unwrap()
                .block_on(async move {
                    let any = "127.0.0.1:0".parse().unwrap();
                    let urls = Public::default().resolve(any, any);
                    let settings = Mcp::default();
                    let endpoint = Data::new(Endpoint {
                        guard: Guard::new(settings.hosts(&urls.mcp_url), settings.origins()),
                        limiter: Limiter::new("mcp", 0, 1),
                        proxies: Proxies::default(),
                        body_bytes_max: 1 << 20,
                        straight: None,
                        bridge: Bridge::new(handler, 1 << 20),
                    });
                    let edge = Edge::new(Cors::by_handlers(), None, 1);
                    let server = Listener::bind(any).unwrap().serve(1, move || {
                        let endpoint = endpoint.clone();
                        let app = App::new().configure(|config| endpoint_routes(config, endpoint));
                        app.wrap(edge.clone())
                    });
                    address_to.send(server.as_ref().unwrap().address()).unwrap();
                    std::future::pending::<()>().await;
                });
        });
        Served::at(address.recv().unwrap())
    }

    #[test]
    fn a_client_that_leaves_ends_its_call() {
        let (to, seen) = mpsc::channel();
        let server = spawn(Waiting(to));
        let params = json!({"name": "any", "arguments": {}});
        for ask in [
            Ask::request("tools/call", &params),
            Ask::stateless("tools/call", params.clone()),
        ] {
            server.send_and_leave(&ask, Duration::from_millis(200));
            let left = Instant::now();
            let patience = Duration::from_secs(10);
            assert_eq!(seen.recv_timeout(patience), Ok("begun"));
            assert_eq!(seen.recv_timeout(patience), Ok("cancelled"));
            assert!(
                left.elapsed() < Duration::from_secs(2),
                "{:?}",
                left.elapsed()
            );
        }
    }
}
