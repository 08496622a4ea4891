//! Rate limits, and the order of the checks of a request.

use std::time::Instant;

use serde_json::json;

use crate::helpers::{Answer, App, Setup, contact};

/// Starts a server that admits one request to each limited endpoint.
async fn strict() -> App {
    let variables = [
        ("TOOLKIT_LIMITS__RUN_PER_MINUTE", "1"),
        ("TOOLKIT_LIMITS__RUN_BURST", "1"),
        ("TOOLKIT_LIMITS__CHAT_PER_MINUTE", "1"),
        ("TOOLKIT_LIMITS__CONTACT_PER_MINUTE", "1"),
        ("TOOLKIT_LIMITS__SUBSCRIBE_PER_MINUTE", "1"),
    ];
    App::start(Setup::new(&variables)).await
}

#[track_caller]
fn assert_limited(answer: &Answer) {
    answer.refuses(429, "Too many requests");
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds), "{seconds}");
    let mut headers = answer.headers.iter();
    assert!(!headers.any(|(name, _)| name.starts_with("x-ratelimit")), "{answer:?}");
}

#[tokio::test]
async fn a_run_over_the_limit_is_429_whatever_else_is_wrong_with_it() {
    let app = strict().await;
    let run = |slug: &str| app.post(&format!("/tools/{slug}/run"));
    assert_eq!(Answer::of(run("uuid-generator")).await.status, 200);
    let long = "a".repeat(2 << 20);
    for request in [
        run("uuid-generator"),
        run("no-such-tool"),
        run("color-picker"),
        run("uuid-generator").body("{}"),
        run("uuid-generator").header("Content-Type", "application/json").body("{"),
        run("uuid-generator").header("Content-Type", "application/json").body(long),
    ] {
        assert_limited(&Answer::of(request).await);
    }
    // Reading the catalog is not limited.
    assert_eq!(app.get("/tools").await.status, 200);
}

#[tokio::test]
async fn a_client_has_a_share_of_subscriptions_a_day() {
    let app = App::start(Setup::new(&[("TOOLKIT_LIMITS__SUBSCRIBE_PER_DAY", "2")])).await;
    for email in ["a@example.org", "b@example.org"] {
        assert_eq!(app.subscribe(email, "docs").await.status, 200);
    }
    let answer = app.subscribe("c@example.org", "docs").await;
    answer.refuses(429, "Too many requests");
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((43_000..=43_200).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn an_ipv6_48_posts_at_most_4_times_what_an_address_may_and_a_56_twice_as_much() {
    let variables = [
        ("TOOLKIT_LIMITS__CONTACT_PER_MINUTE", "2"),
        ("TOOLKIT_LIMITS__SUBSCRIBE_PER_DAY", "2"),
        ("TOOLKIT_HTTP__TRUSTED_PROXIES", "127.0.0.1"),
    ];
    let app = App::start(Setup::new(&variables)).await;
    let started = Instant::now();
    let posted = async |path: &str, client: String| {
        let mut body = contact();
        if path == "/subscribe" {
            body = json!({"email": "ada@example.org", "app_id": "docs"});
        }
        let request = app.post(path).header("X-Api-Key", &app.key);
        let request = request.header("X-Forwarded-For", client);
        usize::from(Answer::of(request.json(&body)).await.status == 200)
    };
    for path in ["/contact", "/subscribe"] {
        let (mut of_56, mut of_48) = (0, 0);
        for network in 0..8 {
            of_56 += posted(path, format!("2001:db8:1:{network:x}::1")).await;
        }
        for network in 0..24 {
            of_48 += posted(path, format!("2001:db8:1:{:x}::1", network << 8)).await;
        }
        // What time has given back meanwhile.
        let back = usize::try_from(started.elapsed().as_secs() / 7).unwrap();
        assert!((4..=4 + back).contains(&of_56), "{path}: {of_56}");
        assert!((8..=8 + back).contains(&(of_56 + of_48)), "{path}: {}", of_56 + of_48);
        // Neighbours are not concerned.
        assert_eq!(posted(path, "2001:db8:2::1".to_owned()).await, 1);
        assert_eq!(posted(path, "192.0.2.1".to_owned()).await, 1);
    }
}

#[tokio::test]
async fn the_slug_of_a_run_is_checked_before_its_body() {
    let variables = [("TOOLKIT_LIMITS__RUN_PER_MINUTE", "0")];
    let app = App::start(Setup::new(&variables)).await;
    let bodies = [("text/plain", "{}"), ("application/json", "{"), ("application/json", "[]")];
    for (slug, status) in [("no-such-tool", 404), ("color-picker", 501)] {
        for (media_type, body) in bodies {
            let request = app.post(&format!("/tools/{slug}/run"));
            let request = request.header("Content-Type", media_type).body(body);
            Answer::of(request).await.refuses(status, slug);
        }
    }
    // The type of a body is checked before its text.
    let request = app.post("/tools/uuid-generator/run").header("Content-Type", "text/plain");
    Answer::of(request.body("{")).await.refuses(415, "`Content-Type`");
}

#[tokio::test]
async fn a_keyed_endpoint_checks_the_limit_then_the_key_then_the_body() {
    let app = strict().await;
    for path in ["/chat", "/contact", "/subscribe"] {
        // Neither key nor JSON: the missing key is reported first.
        let request = app.post(path).header("Content-Type", "text/plain").body("{");
        let refused = Answer::of(request).await;
        refused.refuses(401, "`X-Api-Key`");
        assert!(refused.header("www-authenticate").is_some(), "{refused:?}");
        // That request has used up the limit of a minute, and a valid key does not help.
        assert_limited(&app.send(path, &json!({})).await);
        assert_limited(&Answer::of(app.post(path)).await);
    }
}

#[tokio::test]
async fn with_a_key_the_type_of_a_body_is_checked_before_its_size_and_its_text() {
    let variables = [("TOOLKIT_HTTP__BODY_LIMIT_BYTES", "1024")];
    let app = App::start(Setup::new(&variables)).await;
    let long = "a".repeat(2_000);
    for path in ["/chat", "/contact", "/subscribe"] {
        let post = || app.post(path).header("X-Api-Key", &app.key);
        let text = |body: String| post().header("Content-Type", "text/plain").body(body);
        Answer::of(text(long.clone())).await.refuses(415, "`Content-Type`");
        Answer::of(text("{".to_owned())).await.refuses(415, "`Content-Type`");
        app.send_raw(path, long.clone()).await.refuses(413, "1024 bytes");
        app.send_raw(path, "{").await.refuses(422, "not valid JSON");
        app.send(path, &json!({"x": 1})).await.refuses(422, "unknown input `x`");
    }
}

#[tokio::test]
async fn each_endpoint_has_its_own_limit() {
    let app = strict().await;
    assert_eq!(app.contact(&contact()).await.status, 200);
    assert_limited(&app.contact(&contact()).await);
    assert_eq!(app.subscribe("ada@example.org", "docs").await.status, 200);
    let run = app.post("/tools/uuid-generator/run");
    assert_eq!(Answer::of(run).await.status, 200);
}

#[tokio::test]
async fn the_clients_of_a_trusted_proxy_are_counted_separately_and_others_cannot_choose_an_address()
{
    let limits = [
        ("TOOLKIT_LIMITS__RUN_PER_MINUTE", "1"),
        ("TOOLKIT_LIMITS__RUN_BURST", "1"),
        ("TOOLKIT_HTTP__TRUSTED_PROXIES", "127.0.0.1"),
    ];
    let run = async |app: &App, client: &str| {
        let request = app.post("/tools/uuid-generator/run");
        Answer::of(request.header("X-Forwarded-For", client)).await.status
    };
    let trusting = App::start(Setup::new(&limits)).await;
    assert_eq!(run(&trusting, "192.0.2.1").await, 200);
    assert_eq!(run(&trusting, "192.0.2.1").await, 429);
    assert_eq!(run(&trusting, "192.0.2.2").await, 200);
    // What a client wrote itself is to the left of the address that the proxy added.
    assert_eq!(run(&trusting, "198.51.100.7, 192.0.2.2").await, 429);
    // IPv6 clients are counted by /64.
    assert_eq!(run(&trusting, "2001:db8::1").await, 200);
    assert_eq!(run(&trusting, "2001:db8::2").await, 429);
    assert_eq!(run(&trusting, "2001:db8:0:1::1").await, 200);
    let trusting_nobody = App::start(Setup::new(&limits[..2])).await;
    assert_eq!(run(&trusting_nobody, "192.0.2.1").await, 200);
    assert_eq!(run(&trusting_nobody, "192.0.2.2").await, 429);
}
