//! HTTP transport of the endpoint: methods, headers, media types and body sizes.

use serde_json::{Value as Json, json};

use crate::helpers::{Ask, ENDPOINT, Reply, call, ping, spawn, spawn_with};

/// Returns the JSON-RPC message in the only event of a stream.
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
            assert_eq!(reply.header("content-type"), Some("application/json"), "{accept:?}");
            let length = reply.body.len().to_string();
            assert_eq!(reply.header("content-length"), Some(length.as_str()));
            reply.result();
        }
    }
}

#[test]
fn a_client_that_accepts_only_an_event_stream_gets_the_same_answer_as_one_event() {
    let server = spawn();
    for ask in [ping(), call(), Ask::request("tools/call", &json!({"name": "nope"}))] {
        let plain = server.send(&ask);
        let ask = ask.without("Accept").header("Accept", "text/event-stream");
        let stream = server.send(&ask);
        assert_eq!((stream.status, event(&stream)), (200, plain.json()));
        assert_eq!(stream.header("cache-control"), Some("no-store"));
    }
    // A refusal is not sent as an event.
    let refused = Ask::post("{").header("Accept", "text/event-stream");
    assert_eq!(server.send(&refused).error().0, -32700);
}

#[test]
fn a_trailing_slash_makes_no_difference() {
    let server = spawn();
    assert_eq!(server.send(&call().at("/toolkit/mcp/")).json(), server.send(&call()).json());
}

#[test]
fn streams_and_sessions_are_refused_with_the_allowed_method() {
    let server = spawn();
    for path in [ENDPOINT, "/toolkit/mcp/"] {
        for method in ["GET", "DELETE", "PUT", "PATCH", "HEAD"] {
            let ask = Ask::new(method, path).header("Accept", "text/event-stream");
            let reply = server.send(&ask);
            assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")), "{method}");
            if method != "HEAD" {
                assert!(reply.detail().contains("POST only"));
            }
        }
    }
}

#[test]
fn a_body_that_is_not_json_is_a_parse_error() {
    let server = spawn();
    for body in ["", "{", "{\"jsonrpc\":", "ping", "{\"jsonrpc\":\"2.0\",}", "\u{feff}{}", "{} {}"]
    {
        let reply = server.send(&Ask::post(body));
        let (code, message) = reply.error();
        assert_eq!((reply.status, code), (400, -32700), "{body}");
        assert!(message.starts_with("line 1, column "), "{message}");
        assert!(message.contains(": the body is not valid JSON: "), "{message}");
        assert_eq!(reply.json().get("id"), None);
    }
    let reply =
        server.send(&Ask::post(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}".as_slice()));
    assert_eq!((reply.status, reply.error().0), (400, -32700));
}

#[test]
fn json_that_is_not_a_message_is_an_invalid_request() {
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
        json!({"jsonrpc": "2.0", "id": 1, "params": []}),
        json!({"id": 1, "method": "ping", "params": []}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "x"}}),
    ] {
        let reply = server.send(&Ask::post(body.to_string()));
        assert_eq!((reply.status, reply.error().0), (400, -32600), "{body}");
    }
    let batch = server.send(&Ask::post(json!([message]).to_string()));
    assert_eq!(batch.error().1, "Batches are not supported: send one message per request.");
}

#[test]
fn parameters_that_are_not_an_object_are_invalid_params() {
    let server = spawn();
    for params in [json!([]), json!(["cidr_info", {}]), json!("x"), json!(5)] {
        let message = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params});
        let reply = server.send(&Ask::message(&message));
        assert_eq!((reply.status, reply.json()["id"].clone()), (400, json!(3)));
        assert_eq!(reply.error(), (-32602, "`params` must be an object.".to_owned()));
    }
}

#[test]
fn the_id_is_returned_unchanged_if_it_is_readable() {
    let server = spawn();
    for id in
        [json!(0), json!(-7), json!(9_007_199_254_740_993_u64), json!("a\"b\u{e9}"), json!("")]
    {
        for method in ["ping", "no/such"] {
            let message = json!({"jsonrpc": "2.0", "id": id, "method": method});
            assert_eq!(server.send(&Ask::message(&message)).json()["id"], id);
        }
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call"});
        message["params"] = json!({"name": "cidr_info", "arguments": {"cidr": "10.0.0.0/8"}});
        assert_eq!(server.send(&Ask::message(&message)).json()["id"], id);
        // Not a request, but its id is readable.
        let message = json!({"jsonrpc": "1.0", "id": id, "method": "ping"});
        assert_eq!(server.send(&Ask::message(&message)).json()["id"], id);
    }
}

#[test]
fn a_body_of_another_type_is_415() {
    let server = spawn();
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
    {
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
fn a_body_at_the_limit_is_accepted_and_one_byte_more_is_413() {
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
fn deep_nesting_is_refused_anywhere() {
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
            assert!(message.starts_with("The message is nested too deeply"), "{message}");
        }
        // If only an argument is nested too deeply, a model can correct its call.
        let body =
            format!("{{{call}{{\"name\":\"cidr_info\",\"arguments\":{{\"cidr\":{deep}}}}}}}");
        let result = server.send(&Ask::post(body)).result();
        assert_eq!(result["isError"], true);
        assert_eq!(result["content"][0]["text"], "`cidr` must be a string, not an array.");
    }
}

#[test]
fn every_answer_has_a_request_id_and_is_not_stored() {
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
fn a_key_is_neither_required_nor_checked() {
    let server = spawn();
    let reply =
        server.send(&call().header("Authorization", "Bearer x").header("X-Api-Key", "tk_x"));
    assert_eq!(reply.status, 200);
}
