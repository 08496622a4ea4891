//! Replicas: two of each server behind one address, on PostgreSQL and Redis, with nginx in front
//! configured by `deploy/proxy/nginx.conf`.
//!
//! Runs if `TOOLKIT_TEST_POSTGRES` and `TOOLKIT_TEST_REDIS` contain URLs; nginx must be installed.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]
#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]

mod site;

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use toolkit_e2e::{Request, SITE, until};

use crate::site::{PATIENCE, Replica, Site, no_limits, stranger};

const RUN: &str = "/toolkit/api/tools/base64-encoder/run";
const SUBSCRIBE: &str = "/toolkit/api/subscribe";
const CHAT: &str = "/toolkit/api/chat";
/// Pause between two requests of a client.
const BETWEEN: Duration = Duration::from_millis(5);
const MCP: &str = "/toolkit/mcp";

fn run() -> Request {
    Request::post(RUN, r#"{"text": "Hi"}"#)
}

fn call(method: &str, params: &Json) -> Request {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    Request::post(MCP, &body.to_string())
}

fn encode() -> Request {
    let arguments = json!({"text": "Hi", "mode": "encode"});
    call("tools/call", &json!({"name": "base64_transform", "arguments": arguments}))
}

fn subscribe(email: &str, key: &str) -> Request {
    let body = json!({"email": email, "app_id": "news"});
    Request::post(SUBSCRIBE, &body.to_string()).header("X-Api-Key", key)
}

/// Starts a model whose replies take five tokens each; returns its address.
fn model() -> SocketAddr {
    let message = json!({"role": "assistant", "content": "Hello"});
    let choices = json!([{"index": 0, "message": message, "finish_reason": "stop"}]);
    let usage = json!({"prompt_tokens": 3, "completion_tokens": 2});
    let body = json!({"model": "m", "choices": choices, "usage": usage}).to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
    let reply = format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            stream.read_exact(&mut [0]).unwrap();
            stream.write_all(reply.as_bytes()).unwrap();
            // A request that is not read whole would reset the connection.
            io::copy(&mut stream, &mut io::sink()).unwrap();
        }
    });
    address
}

#[test]
fn a_limit_counts_the_requests_to_all_replicas() {
    let limits = [
        ("TOOLKIT_LIMITS__RUN_PER_MINUTE", "1"),
        ("TOOLKIT_LIMITS__RUN_BURST", "20"),
        ("TOOLKIT_LIMITS__MCP_PER_MINUTE", "1"),
        ("TOOLKIT_LIMITS__MCP_BURST", "20"),
    ];
    let Some(mut site) = Site::start(&limits) else {
        return;
    };
    for request in [run(), encode()] {
        let statuses = until(PATIENCE, "answers while Redis is reachable", || {
            let losses = site.redis_losses();
            let ours = request.clone().header("X-Forwarded-For", &stranger());
            let started = Instant::now();
            let statuses: Vec<u16> = (0..60).map(|_| site.ask(&ours).status).collect();
            // A whole minute would have admitted one more.
            let is_fast = started.elapsed() < Duration::from_mins(1);
            (is_fast && site.redis_losses() == losses).then_some(statuses)
        });
        let of = |status| statuses.iter().filter(|&&seen| seen == status).count();
        assert_eq!((of(200), of(429)), (20, 40), "{statuses:?}");
        let other = request.header("X-Forwarded-For", &stranger());
        assert_eq!(site.ask(&other).status, 200);
    }
    for replica in site.api.iter().chain(&site.mcp) {
        let answered = [replica.answered(200), replica.answered(429)];
        assert!(answered.iter().all(|&count| count > 0), "{answered:?}");
    }
}

#[test]
fn a_key_works_on_every_replica_until_it_is_revoked() {
    let Some(site) = Site::start(&no_limits()) else {
        return;
    };
    let (id, key) = site.issue_key(&[]);
    // Only with an active key is the body checked.
    let request = Request::post(SUBSCRIBE, "{}").header("X-Api-Key", &key);
    for replica in &site.api {
        assert_eq!(request.send(replica.address()).unwrap().status, 422);
    }
    assert_eq!(site.ask(&request).status, 422);
    site.revoke_key(&id);
    let revoked = Instant::now();
    until(PATIENCE, "the revoked key to be refused everywhere", || {
        let refuses = |replica: &Replica| request.send(replica.address()).unwrap().status == 401;
        site.api.iter().all(refuses).then_some(())
    });
    assert!(revoked.elapsed() < Duration::from_secs(5));
    assert_eq!(site.ask(&request).status, 401);
}

#[test]
fn the_tokens_of_a_key_are_counted_on_all_replicas() {
    let model = model();
    let settings = [
        ("TOOLKIT_LIMITS__CHAT_PER_MINUTE", "0"),
        ("TOOLKIT_LLM__PROVIDERS__0__NAME", "main"),
        ("TOOLKIT_LLM__PROVIDERS__0__KIND", "chat"),
        ("TOOLKIT_LLM__PROVIDERS__0__MODEL", "m"),
        ("TOOLKIT_LLM__PROVIDERS__0__BASE_URL", &format!("http://{model}/v1")),
    ];
    let Some(site) = Site::start(&settings) else {
        return;
    };
    let (_, key) = site.issue_key(&["--tokens-per-day", "9"]);
    let chat = |body| Request::post(CHAT, body).header("X-Api-Key", &key);
    // Five tokens on each replica: neither has seen nine.
    for replica in &site.api {
        let body = r#"{"messages": [{"role": "user", "content": "Hi"}]}"#;
        let answer = chat(body).send(replica.address()).unwrap();
        assert_eq!(answer.json()["reply"], "Hello", "{answer:?}");
    }
    // Only with tokens left is the body checked.
    for replica in &site.api {
        let refused = until(PATIENCE, "the key to be refused everywhere", || {
            let answer = chat("{}").send(replica.address()).unwrap();
            (answer.status != 422).then_some(answer)
        });
        assert_eq!(refused.status, 429);
        let detail = refused.json()["detail"].to_string();
        assert!(detail.contains("used up today's tokens"), "{detail}");
    }
}

#[test]
fn a_subscription_on_one_replica_is_confirmed_on_the_other_and_mailed_once() {
    let Some(mut site) = Site::start(&no_limits()) else {
        return;
    };
    let (_, key) = site.issue_key(&[]);
    let ask = subscribe("reader@example.org", &key);
    for replica in &site.api {
        assert_eq!(ask.send(replica.address()).unwrap().status, 200);
    }
    let text = until(PATIENCE, "the mail", || site.mails().into_iter().next());
    let link = format!("https://{SITE}/toolkit/api/subscribe/confirm?token=");
    let (_, rest) = text.split_once(&link).unwrap();
    let token = rest.split_whitespace().next().unwrap();
    let confirm =
        Request::post("/toolkit/api/subscribe/confirm", &json!({"token": token}).to_string());
    for address in [site.api[1].address(), site.api[0].address(), site.proxy()] {
        let answer = confirm.send(address).unwrap();
        assert_eq!(answer.json()["status"], "confirmed", "{answer:?}");
    }
    // A stopped replica has sent all mails in progress.
    site.stop_api();
    assert_eq!(site.mails(), [text]);
}

#[test]
fn mcp_answers_are_the_same_from_every_replica() {
    let Some(site) = Site::start(&no_limits()) else {
        return;
    };
    let client = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    for request in [call("initialize", &hello), call("tools/list", &json!({})), encode()] {
        let answers: Vec<Json> = (0..6).map(|_| site.ask(&request).json()).collect();
        assert!(answers[0]["result"].is_object(), "{}", answers[0]);
        assert!(answers.iter().all(|answer| *answer == answers[0]));
    }
    for replica in &site.mcp {
        assert!(replica.answered(200) >= 3);
    }
}

#[test]
fn each_path_reaches_the_server_that_has_it() {
    let Some(site) = Site::start(&no_limits()) else {
        return;
    };
    for (path, replicas) in [
        ("/toolkit/api/tools", &site.api),
        ("/toolkit/api/health", &site.api),
        ("/toolkit/docs/mcp", &site.api),
        ("/.well-known/mcp.json", &site.mcp),
        ("/.well-known/mcp/server-card.json", &site.mcp),
        ("/.well-known/ai-catalog.json", &site.mcp),
        ("/toolkit/mcp/server-card", &site.mcp),
        ("/llms.txt", &site.mcp),
    ] {
        let before = Replica::answered_by_all(replicas, 200);
        assert_eq!(site.ask(&Request::get(path)).status, 200, "{path}");
        assert_eq!(Replica::answered_by_all(replicas, 200), before + 1, "{path}");
    }
}

#[test]
fn a_rolling_restart_under_load_fails_no_request() {
    let Some(mut site) = Site::start(&no_limits()) else {
        return;
    };
    let (_, key) = site.issue_key(&[]);
    let address = site.proxy();
    let over = AtomicBool::new(false);
    let loads: [(AtomicUsize, &(dyn Fn(usize) -> Request + Sync)); 4] = [
        (AtomicUsize::new(0), &|_| run()),
        (AtomicUsize::new(0), &|_| Request::get("/toolkit/api/tools")),
        (AtomicUsize::new(0), &|_| encode()),
        (AtomicUsize::new(0), &|number| subscribe(&format!("reader-{number}@example.org"), &key)),
    ];
    // Every client has received some more responses, unless one has failed.
    let go_on = || {
        let done = || loads.iter().map(|load| load.0.load(Ordering::SeqCst));
        let before: Vec<usize> = done().collect();
        until(PATIENCE, "answers", || {
            let goes_on = done().zip(&before).all(|(done, before)| done >= before + 10);
            (goes_on || over.load(Ordering::SeqCst)).then_some(())
        });
    };
    let failures: Vec<String> = thread::scope(|scope| {
        let ends = End(&over);
        let clients: Vec<_> = loads
            .iter()
            .map(|(done, request)| scope.spawn(|| ask_on(address, &over, done, *request)))
            .collect();
        for replica in site.api.iter_mut().chain(&mut site.mcp) {
            go_on();
            replica.restart();
        }
        go_on();
        drop(ends);
        let failures = clients.into_iter().map(|client| client.join().unwrap());
        failures.flatten().collect()
    });
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Ends the load, also when the test fails.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Sends requests until the end or the first response other than 200, which it returns.
fn ask_on(
    address: SocketAddr,
    over: &AtomicBool,
    done: &AtomicUsize,
    request: &(dyn Fn(usize) -> Request + Sync),
) -> Option<String> {
    let _ends = End(over);
    while !over.load(Ordering::SeqCst) {
        let number = done.fetch_add(1, Ordering::SeqCst);
        match request(number).header("Host", SITE).send(address) {
            // Leaves processor time to the servers and to others on this machine.
            Ok(answer) if answer.status == 200 => thread::sleep(BETWEEN),
            other => return Some(format!("{other:?}")),
        }
    }
    None
}
