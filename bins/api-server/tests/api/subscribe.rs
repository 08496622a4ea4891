//! Newsletter subscription: subscribing, confirming and unsubscribing, by a person or by their
//! mail program.

use futures::future::join_all;
use serde_json::json;
use toolkit_store::SubscriptionState;

use crate::database::on_each;
use crate::helpers::{Answer, App, Setup};
use crate::sink::{Behavior, Received, Sink};

const CONFIRM: &str = "/subscribe/confirm";
const UNSUBSCRIBE: &str = "/unsubscribe";

async fn app() -> (App, Sink) {
    let sink = Sink::start(Behavior::Friendly);
    let setup = Setup::new(&[("TOOLKIT_PUBLIC__BASE_URL", "https://tools.example.org")]);
    (App::start(setup.with_mail(sink.address)).await, sink)
}

/// Requests a subscription and returns the mail that arrives.
async fn mail(app: &App, sink: &Sink, email: &str) -> Received {
    let answer = app.subscribe(email, "docs").await;
    assert_eq!((answer.status, answer.body.as_str()), (200, r#"{"ok":true,"status":"pending"}"#));
    sink.mail_to(email).await
}

async fn state(app: &App, email: &str) -> SubscriptionState {
    app.store.export(&email.parse().unwrap()).await.unwrap().subscriptions[0].state
}

async fn press(app: &App, path: &str, token: &str) -> Answer {
    Answer::of(app.post(path).form(&[("token", token)])).await
}

#[tokio::test]
async fn subscribing_confirming_and_unsubscribing_by_page_and_button() {
    on_each(async |database| {
        let sink = Sink::start(Behavior::Friendly);
        let app = App::start_on(database, Setup::default().with_mail(sink.address)).await;
        let mail = mail(&app, &sink, "ada@example.org").await;
        for (path, before, after, done) in [
            (CONFIRM, SubscriptionState::Pending, SubscriptionState::Confirmed, "is confirmed"),
            (
                UNSUBSCRIBE,
                SubscriptionState::Confirmed,
                SubscriptionState::Unsubscribed,
                "are unsubscribed",
            ),
        ] {
            let token = mail.token(path);
            for _ in 0..3 {
                let page = app.get(&format!("{path}?token={token}")).await;
                assert_eq!(page.status, 200, "{page:?}");
                assert!(page.body.contains("<button") && page.body.contains(&token));
                let head = app.client.head(app.url(&format!("{path}?token={token}")));
                assert_eq!(Answer::of(head).await.status, 200);
                assert_eq!(state(&app, "ada@example.org").await, before);
            }
            for _ in 0..2 {
                let page = press(&app, path, &token).await;
                assert_eq!(page.status, 200, "{page:?}");
                assert!(page.header("content-type").unwrap().starts_with("text/html"));
                assert!(page.body.contains(done), "{page:?}");
                assert_eq!(state(&app, "ada@example.org").await, after);
            }
            let page = app.get(&format!("{path}?token={token}")).await;
            assert!(page.body.contains(done) && !page.body.contains("<button"), "{page:?}");
        }
        // The confirmation link of an ended subscription no longer works.
        press(&app, CONFIRM, &mail.token(CONFIRM)).await.refuses(422, "`token` is unknown");
    })
    .await;
}

#[tokio::test]
async fn a_confirmation_link_expires_and_another_request_brings_another() {
    on_each(async |database| {
        let sink = Sink::start(Behavior::Friendly);
        let app = App::start_on(database, Setup::default().with_mail(sink.address)).await;
        let token = mail(&app, &sink, "ada@example.org").await.token(CONFIRM);
        app.mail_is_settled().await;
        // As if the mail had been sent two days ago.
        let sql = "UPDATE subscription_tokens SET expires_at = expires_at - 172800000";
        database.execute(sql).await;
        database.execute("UPDATE subscriptions SET mailed_at = mailed_at - 172800000").await;
        app.get(&format!("{CONFIRM}?token={token}")).await.refuses(422, "`token` has expired");
        press(&app, CONFIRM, &token).await.refuses(422, "`token` has expired");
        assert_eq!(state(&app, "ada@example.org").await, SubscriptionState::Pending);
        assert_eq!(app.subscribe("ada@example.org", "docs").await.status, 200);
        let fresh = sink.wait(2).await[1].token(CONFIRM);
        assert_eq!(press(&app, CONFIRM, &fresh).await.status, 200);
        // The subscription is confirmed, and the old link reports that too.
        assert_eq!(press(&app, CONFIRM, &token).await.status, 200);
        assert_eq!(state(&app, "ada@example.org").await, SubscriptionState::Confirmed);
    })
    .await;
}

#[tokio::test]
async fn json_is_answered_with_json() {
    let (app, sink) = app().await;
    let mail = mail(&app, &sink, "ada@example.org").await;
    for (path, body) in [
        (CONFIRM, r#"{"ok":true,"status":"confirmed"}"#),
        (UNSUBSCRIBE, r#"{"ok":true,"status":"unsubscribed"}"#),
    ] {
        for _ in 0..2 {
            let request = app.post(path).json(&json!({"token": mail.token(path)}));
            let answer = Answer::of(request).await;
            assert_eq!((answer.status, answer.body.as_str()), (200, body));
        }
    }
}

#[tokio::test]
async fn one_click_in_a_mail_program_unsubscribes() {
    for body in ["List-Unsubscribe=One-Click", "List-Unsubscribe=One-Click&x=y"] {
        let (app, sink) = app().await;
        let mail = mail(&app, &sink, "ada@example.org").await;
        assert_eq!(mail.header("List-Unsubscribe-Post").unwrap(), "List-Unsubscribe=One-Click");
        let url = mail.header("List-Unsubscribe").unwrap();
        let url = url
            .strip_prefix("<https://tools.example.org/toolkit/api")
            .unwrap()
            .strip_suffix('>')
            .unwrap();
        let form = "application/x-www-form-urlencoded";
        let request = app.post(url).header("Content-Type", form).body(body);
        let answer = Answer::of(request).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.header("set-cookie"), None);
        assert_eq!(state(&app, "ada@example.org").await, SubscriptionState::Unsubscribed);
        // The other form type of RFC 8058, and a second click.
        let parts = "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n";
        let request = app.post(url).header("Content-Type", "multipart/form-data; boundary=b");
        assert_eq!(Answer::of(request.body(parts)).await.status, 200);
        assert_eq!(Answer::of(app.post(url)).await.status, 200);
        let (path, token) = url.split_once("?token=").unwrap();
        let parts = format!(
            "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n{token}\r\n--b--\r\n"
        );
        let request = app.post(path).header("Content-Type", "multipart/form-data; boundary=b");
        assert_eq!(Answer::of(request.body(parts)).await.status, 200);
    }
}

#[tokio::test]
async fn the_mail_goes_to_its_address_and_its_links_to_the_configured_host() {
    let (app, sink) = app().await;
    let body = json!({"email": "ada@example.org", "source": "docs"});
    let request = app.post("/subscribe").header("X-Api-Key", &app.key);
    let request = request.header("X-Forwarded-Host", "evil.example").json(&body);
    assert_eq!(Answer::of(request).await.status, 200);
    let mail = sink.mail_to("ada@example.org").await;
    assert_eq!(mail.from, "toolkit@example.org");
    assert_eq!(mail.header("To").unwrap(), "ada@example.org");
    assert_eq!(mail.header("Auto-Submitted").unwrap(), "auto-generated");
    assert!(mail.text().contains("https://tools.example.org/toolkit/api/subscribe/confirm?token="));
    assert!(
        mail.html().contains("href=\"https://tools.example.org/toolkit/api/unsubscribe?token=")
    );
    assert!(!mail.data.contains("evil.example") && !mail.data.contains("127.0.0.1"));
}

#[tokio::test]
async fn an_internationalised_domain_is_written_in_its_ascii_form() {
    let (app, sink) = app().await;
    assert_eq!(app.subscribe("ada@bücher.example", "docs").await.status, 200);
    assert_eq!(app.subscribe("ädä@example.org", "docs").await.status, 200);
    sink.mail_to("ada@xn--bcher-kva.example").await;
    sink.mail_to("ädä@example.org").await;
}

#[tokio::test]
async fn a_token_that_is_missing_unknown_or_for_the_other_link_is_422() {
    let (app, sink) = app().await;
    let mail = mail(&app, &sink, "ada@example.org").await;
    let unknown = "A".repeat(43);
    for path in [CONFIRM, UNSUBSCRIBE] {
        for token in ["", "x", &unknown, &"x".repeat(5_000)] {
            app.get(&format!("{path}?token={token}")).await.refuses(422, "`token`");
            press(&app, path, token).await.refuses(422, "`token`");
            let json = app.post(path).json(&json!({"token": token}));
            Answer::of(json).await.refuses(422, "`token`");
        }
        app.get(path).await.refuses(422, "`token` is required");
        Answer::of(app.post(path)).await.refuses(422, "`token` is required");
        Answer::of(app.post(path).json(&json!({}))).await.refuses(422, "`token` is required");
        let odd = app.post(path).json(&json!({"token": 5}));
        Answer::of(odd).await.refuses(422, "`token` must be a string, not a number");
        let odd = app.post(path).json(&json!({"tokens": "x"}));
        Answer::of(odd).await.refuses(422, "unknown input `tokens`");
        let text = app.post(path).header("Content-Type", "text/plain").body("token=x");
        Answer::of(text).await.refuses(415, "application/json");
        let twice = app.post(&format!("{path}?token=x")).form(&[("token", "y")]);
        Answer::of(twice).await.refuses(422, "`token` is given twice");
        let put = Answer::of(app.client.put(app.url(path))).await;
        put.refuses(405, "GET, HEAD, POST");
        assert_eq!(put.header("allow"), Some("GET, HEAD, POST"));
    }
    press(&app, CONFIRM, &mail.token(UNSUBSCRIBE)).await.refuses(422, "`token` is unknown");
    press(&app, UNSUBSCRIBE, &mail.token(CONFIRM)).await.refuses(422, "`token` is unknown");
    assert_eq!(state(&app, "ada@example.org").await, SubscriptionState::Pending);
}

#[tokio::test]
async fn the_answer_reveals_nothing_and_a_subscriber_stays_confirmed() {
    let (app, sink) = app().await;
    let mail = mail(&app, &sink, "ada@example.org").await;
    press(&app, CONFIRM, &mail.token(CONFIRM)).await;
    let known = app.subscribe("ada@example.org", "docs").await;
    let unknown = app.subscribe("bob@example.org", "docs").await;
    let pending = app.subscribe("bob@example.org", "docs").await;
    for answer in [known, unknown, pending] {
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (200, r#"{"ok":true,"status":"pending"}"#)
        );
    }
    assert_eq!(state(&app, "ada@example.org").await, SubscriptionState::Confirmed);
    sink.mail_to("bob@example.org").await;
    assert_eq!(sink.mails().len(), 2);
}

#[tokio::test]
async fn twenty_concurrent_requests_cause_one_mail() {
    on_each(async |database| {
        let sink = Sink::start(Behavior::Friendly);
        let app = App::start_on(database, Setup::default().with_mail(sink.address)).await;
        let answers = join_all((0..20).map(|_| app.subscribe("ada@example.org", "docs"))).await;
        assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
        sink.wait(1).await;
        assert_eq!(app.subscribe("bob@example.org", "docs").await.status, 200);
        sink.mail_to("bob@example.org").await;
        assert_eq!(sink.mails().len(), 2);
    })
    .await;
}

#[tokio::test]
async fn errors_in_a_request_are_named_and_no_mail_is_sent() {
    let (app, sink) = app().await;
    for (body, words) in [
        (json!({"email": "ada@example.org"}), "`app_id` is required"),
        (json!({"app_id": "docs"}), "`email` is required"),
        (json!({"email": "ada", "app_id": "docs"}), "`email` must have exactly one `@`"),
        (json!({"email": "a@b@c.org", "app_id": "docs"}), "`email` must"),
        (json!({"email": "ada@example.org\r\nBcc: x@y.z", "app_id": "docs"}), "`email` must"),
        (json!({"email": "ada@example.org", "app_id": ""}), "`app_id` must be 1 to 64"),
        (json!({"email": "ada@example.org", "app_id": "a b"}), "`app_id` must be 1 to 64"),
        (json!({"email": "ada@example.org", "app_id": "x".repeat(65)}), "`app_id` must be 1 to 64"),
        (
            json!({"email": "ada@example.org", "app_id": 5}),
            "`app_id` must be a string, not a number",
        ),
        (
            json!({"email": "ada@example.org", "app_id": "a", "source": "b"}),
            "`app_id` is given twice",
        ),
        (
            json!({"email": "ada@example.org", "app_id": "a", "name": "b"}),
            "This endpoint takes `email`, `app_id`",
        ),
        (
            json!({"email": ["ada@example.org"], "app_id": "a"}),
            "`email` must be a string, not an array",
        ),
    ] {
        app.send("/subscribe", &body).await.refuses(422, words);
    }
    let longest = json!({"email": "ada@example.org", "source": "x".repeat(64), "app_id": null});
    assert_eq!(app.send("/subscribe", &longest).await.status, 200);
    sink.wait(1).await;
    assert_eq!(sink.mails().len(), 1);
}

#[tokio::test]
async fn the_pages_run_no_script_and_load_nothing_from_elsewhere() {
    let (app, sink) = app().await;
    let mail = mail(&app, &sink, "ada@example.org").await;
    let page = app.get(&format!("{CONFIRM}?token={}", mail.token(CONFIRM))).await;
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("cache-control"), Some("no-store"));
    assert!(page.body.contains("<html lang=\"en\">") && page.body.contains("<title>"));
    assert!(!page.body.contains("<script") && !page.body.contains("https://"));
}
