//! `Idempotency-Key`: a request that is repeated is carried out once.

use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value as Json, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::database::{key, on_each, postgres};
use crate::helpers::{Answer, App, Setup, contact, until};
use crate::sink::{Behavior, Sink};

/// Sends a request with an idempotency key.
async fn send(app: &App, path: &str, once: &str, body: &Json) -> Answer {
    let request = app.post(path).header("X-Api-Key", &app.key);
    let once = HeaderValue::from_bytes(once.as_bytes()).unwrap();
    Answer::of(request.header("Idempotency-Key", once).json(body)).await
}

async fn messages(app: &App) -> usize {
    let data = app.store.export(&"ada@example.org".parse().unwrap()).await;
    data.map_or(0, |data| data.contacts.len())
}

#[tokio::test]
async fn the_same_request_with_the_same_key_is_answered_as_the_first_was() {
    on_each(async |database| {
        let sink = Sink::start(Behavior::Friendly);
        let app = App::start_on(database, Setup::default().with_mail(sink.address)).await;
        let first = send(&app, "/contact", "\"one\"", &contact()).await;
        assert_eq!(first.status, 200, "{first:?}");
        let again = send(&app, "/contact", "\"one\"", &contact()).await;
        assert_eq!((again.status, &again.body), (200, &first.body));
        assert_eq!(messages(&app).await, 1);
        let other = send(&app, "/contact", "two", &contact()).await;
        assert_ne!(other.body, first.body);
        assert_eq!(messages(&app).await, 2);
        let body = json!({"email": "eve@example.org", "app_id": "docs"});
        for _ in 0..2 {
            let answer = send(&app, "/subscribe", "three", &body).await;
            assert_eq!(answer.body, r#"{"ok":true,"status":"pending"}"#);
        }
        sink.wait(3).await;
        app.mail_is_settled().await;
        assert_eq!(sink.mails().len(), 3);
    })
    .await;
}

#[tokio::test]
async fn a_hundred_repetitions_at_once_store_one_message() {
    on_each(async |database| {
        let app = App::start_on(database, Setup::default()).await;
        let body = contact();
        let all = (0..100).map(|_| send(&app, "/contact", "one", &body));
        let answers = futures::future::join_all(all).await;
        for answer in &answers {
            if answer.status != 200 {
                answer.refuses(503, "still in progress");
                assert_eq!(answer.header("retry-after"), Some("1"));
            }
        }
        let mut bodies: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
        bodies.dedup_by_key(|answer| &answer.body);
        assert_eq!(bodies.len(), 1, "{answers:?}");
        assert_eq!(messages(&app).await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_key_belongs_to_one_request_to_one_endpoint_by_one_caller() {
    on_each(async |database| {
        let app = App::start_on(database, Setup::default()).await;
        assert_eq!(send(&app, "/contact", "k", &contact()).await.status, 200);
        let mut other = contact();
        other["message"] = json!("Hello!");
        let used = "used for another request to /toolkit/api/contact";
        send(&app, "/contact", "k", &other).await.refuses(422, used);
        let subscription = json!({"email": "ada@example.org", "app_id": "docs"});
        let elsewhere = send(&app, "/subscribe", "k", &subscription).await;
        elsewhere.refuses(422, used);
        let stranger = key(&app.store).await;
        let request = app.post("/contact").header("X-Api-Key", stranger);
        let answer = Answer::of(request.header("Idempotency-Key", "k").json(&other)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(messages(&app).await, 2);
    })
    .await;
}

#[tokio::test]
async fn a_key_that_cannot_be_one_is_named() {
    let app = App::start(Setup::default()).await;
    let longest = "k".repeat(255);
    assert_eq!(send(&app, "/contact", &longest, &contact()).await.status, 200);
    for (value, words) in [
        ("", "is empty"),
        (&"k".repeat(256), "has 256 characters"),
        ("schl\u{fc}ssel", "has a character that is not visible ASCII"),
        ("a b", "has a character that is not visible ASCII"),
    ] {
        for path in ["/contact", "/subscribe"] {
            let answer = send(&app, path, value, &contact()).await;
            answer.refuses(422, &format!("`Idempotency-Key` {words}"));
        }
    }
    let mut twice = HeaderMap::new();
    for value in ["a", "b"] {
        twice.append("Idempotency-Key", HeaderValue::from_static(value));
    }
    let request = app.post("/contact").header("X-Api-Key", &app.key);
    let answer = Answer::of(request.headers(twice).json(&contact())).await;
    answer.refuses(422, "`Idempotency-Key` is sent twice");
}

#[tokio::test]
async fn a_refused_request_may_be_repeated_and_a_stored_one_needs_no_second_token() {
    let server = MockServer::start().await;
    let verdict = |success| ResponseTemplate::new(200).set_body_json(json!({"success": success}));
    let refusing = Mock::given(any()).respond_with(verdict(false));
    refusing.up_to_n_times(1).mount(&server).await;
    Mock::given(any()).respond_with(verdict(true)).mount(&server).await;
    let setup = Setup::new(&[
        ("TOOLKIT_TURNSTILE__SECRET", "turnstile-secret-canary"),
        ("TOOLKIT_TURNSTILE__VERIFY_URL", &server.uri()),
    ]);
    let app = App::start(setup).await;
    let mut body = contact();
    body["turnstile_token"] = json!("token");
    let refused = send(&app, "/contact", "k", &body).await;
    refused.refuses(422, "`turnstile_token` was refused");
    let first = send(&app, "/contact", "k", &body).await;
    assert_eq!(first.status, 200, "{first:?}");
    let again = send(&app, "/contact", "k", &body).await;
    assert_eq!((again.status, &again.body), (200, &first.body));
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_commit_that_takes_too_long_is_not_called_unstored_and_its_repetition_stores_nothing() {
    let Some(database) = postgres().await else {
        return;
    };
    let sink = Sink::start(Behavior::Friendly);
    let app = App::start_on(&database, Setup::default().with_mail(sink.address)).await;
    // A deferred trigger runs within the commit, as the wait for a disk or a standby would.
    database
        .execute(
            "CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS \
             'BEGIN PERFORM pg_sleep(5); RETURN NULL; END'; \
             CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON contacts \
             DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pause()",
        )
        .await;
    let first = send(&app, "/contact", "k", &contact()).await;
    first.refuses(503, "It is not known whether this was stored");
    let answer = until("the answer to a repetition", async || {
        let answer = send(&app, "/contact", "k", &contact()).await;
        if answer.status == 503 {
            assert!(!answer.detail().contains("nothing was stored"), "{answer:?}");
            return None;
        }
        Some(answer)
    })
    .await;
    assert_eq!(answer.status, 200, "{answer:?}");
    sink.wait(1).await;
    app.mail_is_settled().await;
    assert_eq!((messages(&app).await, sink.mails().len()), (1, 1));
}
