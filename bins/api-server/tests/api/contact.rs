//! `POST /toolkit/api/contact`: what is accepted, and what is stored.

use serde_json::{Value as Json, json};

use crate::database::on_each;
use crate::helpers::{App, Setup, contact};
use crate::sink::{Behavior, Sink};

/// Returns a valid message with one input changed.
fn with(name: &str, value: impl Into<Json>) -> Json {
    let mut body = contact();
    body[name] = value.into();
    body
}

#[tokio::test]
async fn a_message_is_stored_and_reaches_the_operator() {
    on_each(async |database| {
        let sink = Sink::start(Behavior::Friendly);
        let app = App::start_on(database, Setup::default().with_mail(sink.address)).await;
        let answer = app.contact(&with("subject", "Engines")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let receipt = answer.json();
        let id = receipt["id"].as_str().unwrap();
        assert_eq!(receipt, json!({"ok": true, "id": id, "status": "received"}));
        assert!(id.parse::<toolkit_store::Ulid>().is_ok(), "{id}");
        let held = app.store.export(&"ada@example.org".parse().unwrap()).await.unwrap();
        assert_eq!(held.contacts[0].id.to_string(), id);
        let mail = &sink.wait(1).await[0];
        assert_eq!(
            (mail.from.as_str(), &mail.to[..]),
            ("toolkit@example.org", &["operator@example.org".to_owned()][..])
        );
        assert_eq!(mail.header("Reply-To").unwrap(), "ada@example.org");
        assert!(
            mail.text().contains("Name: Ada\r\nAddress: ada@example.org\r\nSubject: Engines\r\n")
        );
        assert!(mail.text().contains(id) && mail.text().contains("\r\nHello"));
        assert!(mail.html().contains("Hello"));
    })
    .await;
}

#[tokio::test]
async fn each_input_may_have_the_documented_length_and_no_more() {
    let app = App::start(Setup::default()).await;
    let email = |length: usize| {
        let label = "a".repeat(60);
        let domain = format!("{label}.{label}.{label}.org");
        format!("{}@{domain}", "x".repeat(length - domain.len() - 1))
    };
    for (body, is_taken) in [
        (with("name", "ä".repeat(200)), true),
        (with("name", "ä".repeat(201)), false),
        (with("name", ""), false),
        (with("name", " "), false),
        (with("message", "ä".repeat(10_000)), true),
        (with("message", "ä".repeat(10_001)), false),
        (with("message", ""), false),
        (with("message", "\n"), false),
        (with("subject", "ä".repeat(200)), true),
        (with("subject", "ä".repeat(201)), false),
        (with("subject", ""), true),
        (with("subject", Json::Null), true),
        (with("email", email(240)), true),
        (with("email", email(255)), false),
    ] {
        let answer = app.contact(&body).await;
        assert_eq!(answer.status, if is_taken { 200 } else { 422 }, "{answer:?}");
        if !is_taken {
            answer.refuses(422, "must ");
        }
    }
}

#[tokio::test]
async fn errors_in_a_message_are_named() {
    let app = App::start(Setup::default()).await;
    let without = |name: &str| {
        let mut body = contact();
        body.as_object_mut().unwrap().remove(name);
        body
    };
    for (body, words) in [
        (without("name"), "`name` is required"),
        (without("email"), "`email` is required"),
        (without("message"), "`message` is required"),
        (with("name", Json::Null), "`name` is required"),
        (with("name", 5), ": `name` must be a string, not a number."),
        (with("message", json!(["x"])), "`message` must be a string, not an array"),
        (with("subject", true), "`subject` must be a string, not a boolean"),
        (with("email", "ada"), "`email` must have exactly one `@`"),
        (with("email", "a@b@c.org"), "`email` must have exactly one `@`"),
        (with("email", "ada@localhost"), "must have a domain after the `@`"),
        (with("email", "a\u{7}da@example.org"), "`email` must"),
        (with("phone", "1"), "unknown input `phone`. This endpoint takes"),
        (
            with("Name", "Ada"),
            "This endpoint takes `name`, `email`, `message`, `subject`, `turnstile_token`",
        ),
    ] {
        app.contact(&body).await.refuses(422, words);
    }
}

#[tokio::test]
async fn no_input_can_inject_a_mail_header() {
    let sink = Sink::start(Behavior::Friendly);
    let app = App::start(Setup::default().with_mail(sink.address)).await;
    for text in [
        "x\r\nBcc: eve@example.org",
        "x\nBcc: eve@example.org",
        "x\rBcc: y",
        "x\u{2028}y",
        "x\u{202e}y",
        "x\u{2066}y",
        "x\0y",
    ] {
        app.contact(&with("name", text)).await.refuses(422, "`name` must be");
        app.contact(&with("subject", text)).await.refuses(422, "`subject` must be");
        app.contact(&with("email", format!("{text}@example.org")))
            .await
            .refuses(422, "`email` must");
    }
    let message =
        "Bcc: eve@example.org\r\n\r\n.\r\nRCPT TO:<eve@example.org>\n.dot\n<script>x</script>";
    let body = json!({
        "name": "=?utf-8?q?Bcc=3A_eve=40example.org?= \u{1f600}", "email": "ada@example.org",
        "subject": "Bcc: eve@example.org", "message": format!("{message}{}", "long".repeat(500)),
    });
    assert_eq!(app.contact(&body).await.status, 200);
    let mails = sink.wait(1).await;
    assert_eq!((mails.len(), &mails[0].to[..]), (1, &["operator@example.org".to_owned()][..]));
    let names = mails[0].header_names();
    assert!(!names.iter().any(|name| name.eq_ignore_ascii_case("bcc")), "{names:?}");
    let subject = mails[0].header("Subject").unwrap();
    assert_eq!(subject, "[Toolkit] Bcc: eve@example.org");
    let text = mails[0].text();
    assert!(text.contains("\r\n.\r\nRCPT TO:<eve@example.org>\r\n.dot\r\n"), "{text}");
    assert!(!mails[0].html().contains("<script"));
}

#[tokio::test]
async fn without_a_secret_a_token_is_ignored_under_either_name() {
    let app = App::start(Setup::default()).await;
    for (name, token) in [
        ("turnstile_token", "x"),
        ("cf-turnstile-response", ""),
        ("turnstile_token", &*"x".repeat(3_000)),
    ] {
        assert_eq!(app.contact(&with(name, token)).await.status, 200);
    }
    let mut both = with("turnstile_token", "x");
    both["cf-turnstile-response"] = json!("x");
    app.contact(&both).await.refuses(422, "`turnstile_token` is given twice");
}
