//! Turnstile check of contact messages: every answer of the verifier, and no answer.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::{Value as Json, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::helpers::{App, Setup, contact};

async fn verifier(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

fn verdict(answer: Json) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(answer)
}

/// The longest answer that is read, in bytes.
const ANSWER_BYTES_MAX: usize = 64 << 10;

/// A success of this length in bytes.
fn success_of(length: usize) -> ResponseTemplate {
    let mut body = br#"{"success": true}"#.to_vec();
    body.resize(length, b' ');
    ResponseTemplate::new(200).set_body_bytes(body)
}

async fn app(verify_url: &str) -> App {
    let setup = Setup::new(&[
        ("TOOLKIT_TURNSTILE__SECRET", "turnstile-secret-canary"),
        ("TOOLKIT_TURNSTILE__VERIFY_URL", verify_url),
        ("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0"),
    ]);
    App::start(setup).await
}

fn with_token(token: &str) -> Json {
    let mut body = contact();
    body["turnstile_token"] = json!(token);
    body
}

async fn stored(app: &App) -> usize {
    app.store.export(&"ada@example.org".parse().unwrap()).await.unwrap().contacts.len()
}

/// Returns the fields of the form sent to the verifier.
fn form(request: &wiremock::Request) -> Vec<(String, String)> {
    let text = str::from_utf8(&request.body).unwrap();
    actix_web::web::Query::<Vec<(String, String)>>::from_query(text).unwrap().into_inner()
}

#[tokio::test]
async fn a_valid_token_admits_a_message() {
    let server = verifier(verdict(json!({"success": true, "hostname": "example.org"}))).await;
    let app = app(&server.uri()).await;
    assert_eq!(app.contact(&with_token("token-1")).await.status, 200);
    let mut alias = contact();
    alias["cf-turnstile-response"] = json!("x".repeat(2_048));
    assert_eq!(app.contact(&alias).await.status, 200);
    let requests = server.received_requests().await.unwrap();
    let fields = form(&requests[0]);
    assert_eq!(fields[0], ("secret".to_owned(), "turnstile-secret-canary".to_owned()));
    assert_eq!(fields[1], ("response".to_owned(), "token-1".to_owned()));
    assert!(fields[2].0 == "idempotency_key" && fields[2].1.parse::<uuid::Uuid>().is_ok());
    assert_eq!(stored(&app).await, 2);
    assert!(
        app.metrics().await.contains("toolkit_turnstile_verifications_total{outcome=\"passed\"}")
    );
}

#[tokio::test]
async fn our_own_checks_precede_the_use_of_the_token() {
    let server = verifier(verdict(json!({"success": true}))).await;
    let app = app(&server.uri()).await;
    app.contact(&contact()).await.refuses(422, "`turnstile_token` must be the token");
    app.contact(&with_token("")).await.refuses(422, "`turnstile_token` must be the token");
    app.contact(&with_token(&"x".repeat(2_049))).await.refuses(422, "1 to 2048");
    let mut bad = with_token("token");
    bad["email"] = json!("nobody");
    app.contact(&bad).await.refuses(422, "`email`");
    assert!(server.received_requests().await.unwrap().is_empty());
    assert_eq!(stored(&app).await, 0);
    let longest = with_token(&"x".repeat(2_048));
    assert_eq!(app.contact(&longest).await.status, 200);
}

#[tokio::test]
async fn a_token_that_is_refused_expired_or_replayed_is_422() {
    for code in
        ["invalid-input-response", "timeout-or-duplicate", "missing-input-response", "new-code"]
    {
        let answer = json!({"success": false, "error-codes": [code]});
        let server = verifier(verdict(answer)).await;
        let app = app(&server.uri()).await;
        app.contact(&with_token("token")).await.refuses(422, "`turnstile_token` was refused");
        assert_eq!(server.received_requests().await.unwrap().len(), 1, "{code}");
        assert_eq!(stored(&app).await, 0);
    }
}

#[tokio::test]
async fn with_a_host_set_a_token_of_any_other_page_is_refused() {
    for (answer, status) in [
        (json!({"success": true, "hostname": "www.example.org"}), 200),
        (json!({"success": true, "hostname": "example.org"}), 422),
        (json!({"success": true}), 422),
    ] {
        let server = verifier(verdict(answer)).await;
        let setup = Setup::new(&[
            ("TOOLKIT_TURNSTILE__SECRET", "turnstile-secret-canary"),
            ("TOOLKIT_TURNSTILE__HOSTNAME", "www.example.org"),
            ("TOOLKIT_TURNSTILE__VERIFY_URL", &server.uri()),
        ]);
        let app = App::start(setup).await;
        let answer = app.contact(&with_token("token")).await;
        assert_eq!(answer.status, status);
        assert_eq!(stored(&app).await, usize::from(status == 200));
    }
}

#[tokio::test]
async fn without_a_clear_verdict_the_answer_is_503_after_one_retry_and_nothing_is_stored() {
    let refused = json!({"success": false, "error-codes": ["invalid-input-response"]});
    for answer in [
        ResponseTemplate::new(500),
        ResponseTemplate::new(503).set_body_json(&refused),
        ResponseTemplate::new(429).set_body_json(&refused),
        ResponseTemplate::new(403).set_body_json(json!({"success": true})),
        ResponseTemplate::new(429).set_body_json(json!({"success": true})),
        ResponseTemplate::new(302).insert_header("Location", "http://127.0.0.1:1/"),
        ResponseTemplate::new(200).set_body_string("<html>true</html>"),
        ResponseTemplate::new(200).set_body_string(""),
        success_of(ANSWER_BYTES_MAX + 1),
        verdict(json!({"success": "true"})),
        verdict(json!({"success": 1})),
        verdict(json!({"error-codes": []})),
        verdict(json!([true])),
        verdict(json!({"success": false, "error-codes": ["internal-error"]})),
    ] {
        let server = verifier(answer).await;
        let app = app(&server.uri()).await;
        app.contact(&with_token("token")).await.refuses(503, "Turnstile check is unavailable");
        let requests = server.received_requests().await.unwrap();
        assert_eq!(requests.len(), 2);
        assert_eq!(form(&requests[0]), form(&requests[1]));
        assert_eq!(stored(&app).await, 0);
    }
}

#[tokio::test]
async fn an_answer_of_the_longest_length_is_read() {
    let server = verifier(success_of(ANSWER_BYTES_MAX)).await;
    let app = app(&server.uri()).await;
    assert_eq!(app.contact(&with_token("token")).await.status, 200);
}

#[tokio::test]
async fn a_verifier_that_recovers_before_the_retry_does_not_affect_the_request() {
    let server = MockServer::start().await;
    let once = Mock::given(any()).respond_with(ResponseTemplate::new(500)).up_to_n_times(1);
    once.mount(&server).await;
    let then = Mock::given(any()).respond_with(verdict(json!({"success": true})));
    then.mount(&server).await;
    let app = app(&server.uri()).await;
    assert_eq!(app.contact(&with_token("token")).await.status, 200);
}

#[tokio::test]
async fn a_verifier_that_is_down_or_slow_is_503_after_a_bounded_wait() {
    let slow = verifier(verdict(json!({"success": true})).set_delay(Duration::from_secs(30))).await;
    for url in ["http://127.0.0.1:1", &slow.uri()] {
        let app = app(url).await;
        let started = Instant::now();
        app.contact(&with_token("token")).await.refuses(503, "Turnstile check is unavailable");
        assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
        assert_eq!(stored(&app).await, 0);
    }
}

#[tokio::test]
async fn a_wrong_secret_is_503_and_counted() {
    let answer = json!({"success": false, "error-codes": ["invalid-input-secret"]});
    let server = verifier(verdict(answer)).await;
    let app = app(&server.uri()).await;
    app.contact(&with_token("token")).await.refuses(503, "Turnstile check is unavailable");
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
    assert!(app.metrics().await.contains("outcome=\"wrong_secret\""));
}

#[tokio::test]
async fn one_token_on_twenty_concurrent_messages_stores_one() {
    let server = verifier(verdict(json!({"success": true}))).await;
    let app = app(&server.uri()).await;
    let body = with_token("token");
    let answers = join_all((0..20).map(|_| app.contact(&body))).await;
    let taken = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(taken, 1);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        answer.refuses(422, "already used");
    }
    assert_eq!(stored(&app).await, 1);
}
