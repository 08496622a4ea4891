//! Middleware: headers and behavior common to all responses.

use toolkit_server::middleware::Middleware;
use toolkit_server::settings::Settings;

use crate::app::{spawn, spawn_edge, spawn_for};
use crate::client::post;

#[test]
fn every_answer_has_a_request_id_and_forbids_sniffing() {
    let app = spawn();
    let answers = [
        app.get("/hello"),
        app.get("/nowhere"),
        app.get("/panic"),
        app.post("/refuse", "{}"),
        app.post("/hello", "{}"),
    ];
    for answer in answers {
        assert_eq!(answer.header("x-request-id").unwrap().len(), 36, "{answer:?}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("server"), None);
        assert!(!answer.header_names().iter().any(|name| name.starts_with("x-ratelimit")));
    }
}

#[test]
fn a_valid_request_id_is_kept_and_any_other_is_replaced() {
    let app = spawn();
    let longest = "a".repeat(64);
    for (given, taken) in [
        ("abc.DEF_1-2", true),
        (longest.as_str(), true),
        ("", false),
        ("a b", false),
        ("a\"b", false),
        ("a\u{e9}", false),
        (&format!("{longest}a"), false),
    ] {
        let request = format!("GET /tools/x HTTP/1.1\r\nhost: x\r\nx-request-id: {given}\r\n\r\n");
        let answer = app.send(&request);
        let id = answer.header("x-request-id").unwrap();
        assert_eq!(id == given, taken, "{given}");
        assert_eq!(answer.body, id);
    }
}

#[test]
fn an_unknown_path_is_404_with_a_detail() {
    let app = spawn();
    for path in ["/", "/nowhere", "/hello/", "/%2e%2e/etc/passwd", "/tools/a%2fb/c", "/%00"] {
        let answer = app.get(path);
        assert_eq!(answer.status, 404, "{path}");
        answer.detail();
    }
}

#[test]
fn a_wrong_method_is_405_and_names_the_allowed_ones() {
    let app = spawn();
    for (method, path, allow) in [
        ("POST", "/hello", "GET, HEAD"),
        ("DELETE", "/hello", "GET, HEAD"),
        ("TRACE", "/hello", "GET, HEAD"),
        ("OPTIONS", "/hello", "GET, HEAD"),
        ("BREW", "/hello", "GET, HEAD"),
        ("GET", "/echo", "POST"),
        ("PUT", "/echo", "POST"),
    ] {
        let answer = app.send(&format!("{method} {path} HTTP/1.1\r\nhost: x\r\n\r\n"));
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allow)), "{method} {path}");
        assert!(answer.detail().contains(allow));
    }
    let mut connection = app.connect();
    connection.write(b"HEAD /echo HTTP/1.1\r\nhost: x\r\n\r\n");
    let answer = connection.answer_to("HEAD");
    assert_eq!((answer.status, answer.header("allow")), (405, Some("POST")));
}

#[test]
fn head_answers_as_get_does_without_the_body() {
    let app = spawn();
    for path in ["/hello", "/cached", "/nowhere", "/large"] {
        let get = app.get(path);
        let mut connection = app.connect();
        for _ in 0..2 {
            connection.write(format!("HEAD {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes());
            let head = connection.answer_to("HEAD");
            assert_eq!(head.status, get.status);
            assert_eq!(head.header("content-length"), Some(&*get.body.len().to_string()));
            let mut names = [get.header_names(), head.header_names()];
            for names in &mut names {
                names.sort_unstable();
            }
            assert_eq!(names[0], names[1], "{path}");
        }
    }
}

#[test]
fn no_answer_to_head_has_a_body_even_if_the_next_request_has_arrived() {
    let app = spawn();
    let mut connection = app.connect();
    connection
        .write(b"HEAD /slow/50 HTTP/1.1\r\nhost: x\r\n\r\nGET /hello HTTP/1.1\r\nhost: x\r\n\r\n");
    // The HTTP layer has lost count, so the connection ends rather than continue incorrectly.
    assert_eq!(connection.rest(), "");
}

#[test]
fn a_panic_is_a_500_that_hides_its_cause_and_the_worker_survives() {
    let app = spawn();
    let mut connection = app.connect();
    for _ in 0..20 {
        connection.write(b"GET /panic HTTP/1.1\r\nhost: x\r\n\r\n");
        let answer = connection.answer();
        assert_eq!(answer.status, 500);
        assert_eq!(answer.detail(), "Something went wrong on our side. It is safe to try again.");
    }
    connection.write(b"GET /hello HTTP/1.1\r\nhost: x\r\n\r\n");
    assert_eq!(connection.answer().body, "hello");
}

#[test]
fn a_refusal_by_the_framework_has_a_detail_too() {
    let app = spawn();
    for body in ["", "{", "{\"a\": 1}", "[256]"] {
        let answer = app.post("/framework", body);
        assert!(answer.status >= 400, "{body}");
        answer.detail();
    }
}

#[test]
fn the_answer_to_a_post_is_not_stored_unless_its_handler_says_so() {
    let app = spawn();
    assert_eq!(app.post("/echo", "{}").header("cache-control"), Some("no-store"));
    assert_eq!(app.post("/refuse", "{}").header("cache-control"), Some("no-store"));
    assert_eq!(app.get("/hello").header("cache-control"), None);
    assert_eq!(app.get("/cached").header("cache-control"), Some("max-age=60"));
}

const PREFLIGHT: &str = "OPTIONS /echo HTTP/1.1\r\nhost: x\r\norigin: https://a.example\r\n\
                         access-control-request-method: POST\r\n\
                         access-control-request-headers: x-api-key\r\n\r\n";

#[test]
fn any_page_may_call_and_read_but_never_with_credentials() {
    let app = spawn();
    let preflight = app.send(PREFLIGHT);
    assert_eq!((preflight.status, preflight.body.as_str()), (204, ""));
    assert_eq!(preflight.header("access-control-allow-origin"), Some("*"));
    let methods = preflight.header("access-control-allow-methods").unwrap();
    let headers = preflight.header("access-control-allow-headers").unwrap();
    assert!(methods.contains("POST"));
    for name in ["Content-Type", "X-Api-Key", "X-Request-Id"] {
        assert!(headers.contains(name), "{headers}");
    }
    let request = "GET /hello HTTP/1.1\r\nhost: x\r\norigin: null\r\n\r\n";
    let answer = app.send(request);
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    let exposed = answer.header("access-control-expose-headers").unwrap();
    assert!(exposed.contains("X-Request-Id") && exposed.contains("Retry-After"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    // An error can be read as well.
    let request = post("/refuse", "{}").replace("host: x", "host: x\r\norigin: https://a.example");
    assert_eq!(app.send(&request).header("access-control-allow-origin"), Some("*"));
}

#[test]
fn an_unlisted_origin_gets_no_permission_and_a_listed_one_its_own() {
    let listed = "[http]\ncors_origins = [\"https://a.example\"]";
    let app = spawn_for(Settings::parse(listed, []).unwrap().http.origins());
    let preflight = app.send(PREFLIGHT);
    assert_eq!(preflight.header("access-control-allow-origin"), Some("https://a.example"));
    assert_eq!(preflight.header("vary"), Some("Origin"));
    for origin in ["https://b.example", "null", "https://a.example.evil.example"] {
        let answer = app.send(&PREFLIGHT.replace("https://a.example", origin));
        assert_eq!(answer.status, 204);
        assert_eq!(answer.header("access-control-allow-origin"), None, "{origin}");
        assert_eq!(answer.header("access-control-allow-methods"), None, "{origin}");
    }
    let without = app.get("/hello");
    assert_eq!(without.header("access-control-allow-origin"), None);
    assert_eq!(without.header("vary"), Some("Origin"));
}

#[test]
fn handlers_can_set_their_own_cors_headers() {
    let app = spawn_edge(Middleware::new);
    let preflight = app.send(PREFLIGHT);
    // The path has no handler for OPTIONS.
    assert_eq!(preflight.status, 405);
    assert_eq!(preflight.header("access-control-allow-origin"), None);
    assert_eq!(preflight.header("vary"), None);
}

#[test]
fn a_request_is_logged_by_its_route_and_not_by_client_text_but_an_unknown_path() {
    let app = spawn();
    let request =
        "GET /tools/c4n4ry?q=c4n4ry HTTP/1.1\r\nhost: c4n4ry\r\nx-request-id: first\r\n\r\n";
    app.send(request);
    let line = app.log_line("first");
    assert_eq!(line["method"], "GET");
    assert_eq!(line["route"], "/tools/{slug}");
    assert_eq!(line["tool.slug"], "hash");
    assert_eq!(line["status"], 200);
    assert_eq!(line["bytes"], 5);
    assert!(line["duration_ms"].as_f64().unwrap() >= 0.0);
    assert!(!line.to_string().contains("c4n4ry"), "{line}");

    assert_eq!(line.get("path"), None);

    let path = format!("/none%0aforged%c2%85{}", "x".repeat(300));
    let head = "HTTP/1.1\r\nhost: c4n4ry\r\nx-request-id: second\r\n\r\n";
    app.send(&format!("GET {path}?q=c4n4ry {head}"));
    let line = app.log_line("second");
    assert_eq!((&line["route"], &line["status"]), (&"-".into(), &404.into()));
    assert_eq!(line["path"].as_str(), path.get(..200));
    assert!(!line.to_string().contains("c4n4ry"), "{line}");
}

#[test]
fn a_method_that_a_client_made_up_is_logged_as_other() {
    let app = spawn();
    let method = "M".repeat(60 << 10);
    let head = format!("{method} /hello HTTP/1.1\r\nhost: x\r\nx-request-id: made-up\r\n\r\n");
    assert_eq!(app.send(&head).status, 405);
    let line = app.log_line("made-up");
    assert_eq!(line["method"], "other");
    assert!(line.to_string().len() < 500, "{line}");
}

#[test]
fn a_log_line_has_the_bytes_of_the_body_that_is_sent() {
    let app = spawn();
    for (index, (request, bytes)) in
        [("GET /hello", 5), ("HEAD /hello", 0), ("GET /large", 8 << 20), ("HEAD /large", 0)]
            .into_iter()
            .enumerate()
    {
        let id = format!("bytes-{index}");
        let head = format!("{request} HTTP/1.1\r\nhost: x\r\nx-request-id: {id}\r\n\r\n");
        let mut connection = app.connect();
        connection.write(head.as_bytes());
        let method = request.split_once(' ').unwrap().0;
        connection.answer_to(method);
        let line = app.log_line(&id);
        assert_eq!(line["method"], method);
        assert_eq!(line["bytes"], bytes, "{request}");
    }
}

#[test]
fn a_streamed_response_is_logged_once_at_its_end() {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(b"GET /streamed HTTP/1.1\r\nhost: x\r\nx-request-id: streamed\r\n\r\n");
    connection.until("words");
    let line = app.log_line("streamed\"");
    assert_eq!((&line["status"], &line["bytes"]), (&200.into(), &9.into()));
    assert_eq!(line["route"], "/streamed");
    app.until_in_flight(0);
}

#[test]
fn a_body_with_invalid_framing_is_logged_as_400() {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(
        b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
          transfer-encoding: chunked\r\nx-request-id: broken\r\n\r\nnot a size\r\n",
    );
    assert_eq!(connection.answer().status, 400);
    assert_eq!(app.log_line("broken")["status"], 400);
    app.until_in_flight(0);
}

#[test]
fn a_client_that_disconnects_is_logged_as_499() {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(b"GET /held HTTP/1.1\r\nhost: x\r\nx-request-id: left\r\n\r\n");
    app.until_in_flight(1);
    drop(connection);
    // Its handler would never end by itself.
    assert_eq!(app.log_line("left")["status"], 499);
    app.until_in_flight(0);
}

#[test]
fn a_client_that_disconnects_during_a_silent_stream_is_logged_as_499() {
    let app = spawn();
    let mut connection = app.connect();
    connection.write(b"GET /begun HTTP/1.1\r\nhost: x\r\nx-request-id: left\r\n\r\n");
    connection.until("begun");
    drop(connection);
    // The server has nothing to write, so only a read detects it.
    assert_eq!(app.log_line("left")["status"], 499);
    app.until_in_flight(0);
}
