//! A mail server that is down, slow or refusing: visible to the operator, never to a request.

use std::time::{Duration, Instant};

use data_encoding::BASE64;
use serde_json::{Value as Json, json};
use sqlx::{Connection, Executor, SqliteConnection};

use crate::database::{Database, on_each};
use crate::helpers::{App, Setup, contact, until};
use crate::process::Process;
use crate::sink::{Behavior, Sink};

fn setup() -> Setup {
    Setup::new(&[("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")])
}

#[tokio::test]
async fn a_mail_server_that_is_silent_or_down_delays_no_request_and_loses_no_mail() {
    let down = "127.0.0.1:1".parse().unwrap();
    let silent = Sink::start(Behavior::Silent);
    for smtp in [down, silent.address] {
        let app = App::start(setup().with_mail(smtp)).await;
        let started = Instant::now();
        for _ in 0..20 {
            assert_eq!(app.contact(&contact()).await.status, 200);
        }
        assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
        assert_eq!(app.outbox().await, (20, 0));
    }
}

#[tokio::test]
async fn a_permanently_refused_mail_is_given_up_and_can_be_retried() {
    let sink = Sink::start(Behavior::Recipients("550 5.1.1 no operator@example.org here"));
    let app = App::start(setup().with_mail(sink.address)).await;
    let id = app.contact(&contact()).await.json()["id"].as_str().unwrap().to_owned();
    let said = |arguments: &[&str]| String::from_utf8(app.command(arguments).stdout).unwrap();
    until("the mail to be given up", async || {
        let (_, dead) = app.outbox().await;
        (dead == 1).then_some(())
    })
    .await;
    // The worker counts the failure after recording it in the database.
    until("the failure in the metrics", async || {
        let line = "toolkit_mail_failures_total{kind=\"contact\",class=\"smtp 550\"}";
        app.metrics().await.contains(line).then_some(())
    })
    .await;
    let list = said(&["outbox", "list"]);
    assert!(list.contains("dead") && list.contains(&format!("smtp 550  {id}")), "{list}");
    assert!(said(&["messages", "show", &id]).contains("\nmailed:   given up, smtp 550\n"));
    sink.set(Behavior::Friendly);
    let revived = app.command(&["outbox", "retry", "--dead"]);
    assert_eq!(revived.stdout, b"done: 1\n");
    assert_eq!(sink.wait(1).await.len(), 1);
    app.mail_is_settled().await;
    assert!(said(&["messages", "show", &id]).contains("\nmailed:   20"));
}

#[tokio::test]
async fn a_subscriber_whose_address_the_mail_server_does_not_support_is_undeliverable() {
    let sink = Sink::start(Behavior::WithoutSmtputf8);
    let app = App::start(setup().with_mail(sink.address)).await;
    for address in ["ädä@example.org", "ada@example.org"] {
        assert_eq!(app.subscribe(address, "docs").await.status, 200);
    }
    until("the subscription to be undeliverable", async || {
        let now = time::OffsetDateTime::now_utc();
        let stats = app.store.outbox().stats(now).await.unwrap();
        (stats.undeliverable == 1).then_some(())
    })
    .await;
    assert_eq!(sink.wait(1).await[0].to, ["ada@example.org"]);
    app.mail_is_settled().await;
    assert_eq!(app.outbox().await, (0, 0));
    until("the failure in the metrics", async || {
        let line = "toolkit_mail_failures_total{kind=\"confirmation\",class=\"not supported\"} 1";
        app.metrics().await.contains(line).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_contact_mail_is_kept_while_the_login_is_refused_or_the_mailbox_is_full() {
    for reply in [
        "530 5.7.0 authentication required",
        // The operator's mailbox is full.
        "552 5.2.2 mailbox full",
        "534 5.7.9 mechanism too weak",
        "535 5.7.8 credentials invalid",
        "538 5.7.11 encryption required",
    ] {
        let sink = Sink::start(Behavior::Recipients(reply));
        let app = App::start(setup().with_mail(sink.address)).await;
        app.contact(&contact()).await;
        let class = format!("class=\"smtp {}\"", &reply[..3]);
        // Counted after the failure is recorded in the database.
        until("the first attempt", async || app.metrics().await.contains(&class).then_some(()))
            .await;
        assert_eq!(app.outbox().await, (1, 0), "{reply}");
    }
}

#[tokio::test]
async fn a_temporarily_refused_mail_is_retried_as_the_same_mail() {
    let sink = Sink::start(Behavior::Recipients("451 4.3.0 later"));
    let app = App::start(setup().with_mail(sink.address)).await;
    let id = app.contact(&contact()).await.json()["id"].as_str().unwrap().to_owned();
    let failed = async || {
        let metrics = app.metrics().await;
        metrics.contains("class=\"smtp 451\"").then_some(())
    };
    until("the first attempt", failed).await;
    let shown = app.command(&["messages", "show", &id]).stdout;
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("\nmailed:   waits, attempt 1, smtp 451\n"), "{shown}");
    sink.set(Behavior::Friendly);
    // The retry comes after 8 to 23 seconds.
    let mails = sink.wait(1).await;
    assert_eq!(mails.len(), 1);
    let id = mails[0].header("Message-ID").unwrap();
    let number = id.strip_prefix('<').unwrap().strip_suffix("@example.org>").unwrap();
    assert!(number.parse::<toolkit_store::Ulid>().is_ok(), "{id}");
}

#[tokio::test]
async fn two_replicas_send_each_mail_once() {
    on_each(async |database| {
        let sink = Sink::start(Behavior::Slow(Duration::from_millis(20)));
        let setup = setup().with_mail(sink.address);
        let one = App::start_on(database, setup.clone()).await;
        let two = App::start_on(database, setup).await;
        for number in 0..30 {
            let mut body = contact();
            body["message"] = json!(format!("message {number}."));
            let app = if number % 2 == 0 { &one } else { &two };
            assert_eq!(app.contact(&body).await.status, 200);
        }
        sink.wait(30).await;
        one.mail_is_settled().await;
        let mails = sink.mails();
        assert_eq!(mails.len(), 30);
        for number in 0..30 {
            let word = format!("message {number}.");
            assert_eq!(mails.iter().filter(|mail| mail.text().contains(&word)).count(), 1);
        }
    })
    .await;
}

#[tokio::test]
async fn a_message_carries_names_a_subject_and_an_address_to_reply_to() {
    let sink = Sink::start(Behavior::Friendly);
    let app = App::start(setup().with_mail(sink.address)).await;
    let mut body = contact();
    body["subject"] = json!("Größe");
    assert_eq!(app.contact(&body).await.status, 200);
    let mail = sink.wait(1).await.remove(0);
    // In SMTP commands the address has no display name.
    assert_eq!((&*mail.from, &*mail.to[0]), ("toolkit@example.org", "operator@example.org"));
    for (name, value) in [
        ("From", "\"The Toolkit\" <toolkit@example.org>"),
        // "Doe, J.", as an encoded word (RFC 2047).
        ("To", "=?utf-8?b?RG9lLCBKLg==?= <operator@example.org>"),
        ("Reply-To", "ada@example.org"),
        ("Subject", "[Toolkit] =?utf-8?b?R3LDtsOfZQ==?="),
    ] {
        assert_eq!(mail.header(name).as_deref(), Some(value));
    }
}

#[tokio::test]
async fn a_subject_that_looks_like_an_encoded_word_is_shown_as_it_was_written() {
    let sink = Sink::start(Behavior::Friendly);
    let app = App::start(setup().with_mail(sink.address)).await;
    let mut body = contact();
    body["subject"] = json!("=?utf-8?b?UGF5IG1l?= now");
    assert_eq!(app.contact(&body).await.status, 200);
    let mail = sink.wait(1).await.remove(0);
    let subject = mail.header("Subject").unwrap();
    let words = subject.split(' ').map(|word| {
        let word = word.strip_prefix("=?utf-8?b?").unwrap();
        BASE64.decode(word.strip_suffix("?=").unwrap().as_bytes()).unwrap()
    });
    let bytes: Vec<u8> = words.flatten().collect();
    let expected = "[Toolkit] =?utf-8?b?UGF5IG1l?= now";
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    body["subject"] = json!("invoice\u{202e}fdp.exe");
    app.contact(&body).await.refuses(422, "`subject` must be");
}

#[tokio::test]
async fn the_transport_log_writes_a_mail_to_the_log_and_nowhere_else() {
    on_each(async |database| {
        let key = database.key().await;
        let from = ("TOOLKIT_MAIL__FROM", "The Toolkit <toolkit@example.org>");
        let process = Process::start(&Setup::new(&[from]), &database.url, &database.folder).await;
        let answer = process.contact(&key, &contact()).await;
        assert_eq!(answer.status, 200);
        let line = until("the mail", async || {
            let log = process.log();
            let mut lines = log.lines().map(|line| serde_json::from_str(line).unwrap());
            lines.find(|line: &Json| line.get("mail.id").is_some())
        })
        .await;
        assert_eq!(line["mail.reply_to"], contact()["email"]);
        assert_eq!(line["mail.from"], "The Toolkit <toolkit@example.org>");
        assert_eq!(line["mail.to"], "toolkit@localhost");
        let text = line["mail.text"].as_str().unwrap();
        assert!(text.contains(contact()["message"].as_str().unwrap()), "{text}");
    })
    .await;
}

#[tokio::test]
async fn it_is_logged_once_that_the_outbox_cannot_be_read() {
    let database = Database::sqlite();
    let process = Process::start(&Setup::default(), &database.url, &database.folder).await;
    let mut other = SqliteConnection::connect(&database.url).await.unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    let count = || process.log().matches("the outbox cannot be read: mails wait").count();
    until("the first failure", async || (count() > 0).then_some(())).await;
    // Longer than the pause after a failure.
    tokio::time::sleep(Duration::from_secs(8)).await;
    assert_eq!(count(), 1);
    other.execute("ROLLBACK").await.unwrap();
}

#[tokio::test]
async fn a_refusal_of_the_sender_or_of_every_client_makes_no_subscriber_undeliverable() {
    for (behavior, undeliverable) in [
        (Behavior::Greeting("554 5.7.1 your address is listed"), 0),
        (Behavior::Senders("550 5.1.8 no such sender"), 0),
        (Behavior::Recipients("550 5.1.1 no such recipient"), 1),
        (Behavior::Mails("554 5.6.0 not wanted"), 1),
    ] {
        let sink = Sink::start(behavior);
        let app = App::start(setup().with_mail(sink.address)).await;
        app.subscribe("ada@example.org", "docs").await;
        until("the first attempt", async || {
            let list = app.store.outbox().list().await.unwrap();
            list.iter().all(|entry| entry.failure.is_some()).then_some(())
        })
        .await;
        let now = time::OffsetDateTime::now_utc();
        let stats = app.store.outbox().stats(now).await.unwrap();
        assert_eq!(
            (stats.pending, stats.dead, stats.undeliverable),
            (1 - undeliverable, 0, undeliverable),
            "{behavior:?}"
        );
    }
}

/// The settings of a mail server, as a file: a reload reads it again.
fn file(sink: &Sink) -> String {
    format!(
        "[mail]\ntransport = \"smtp\"\nsmtp_url = \"smtp://{}\"\nfrom = \"a@example.org\"\n\
         operator = \"o@example.org\"\n",
        sink.address
    )
}

#[tokio::test]
async fn messages_that_wait_for_a_silent_mail_server_are_mailed_once_a_reload_names_a_good_one() {
    let (silent, good) = (Sink::start(Behavior::Silent), Sink::start(Behavior::Friendly));
    let database = Database::sqlite();
    let setup = Setup::default().with_file(&file(&silent));
    let process = Process::start(&setup, &database.url, &database.folder).await;
    let key = database.key().await;
    let started = Instant::now();
    for _ in 0..30 {
        assert_eq!(process.contact(&key, &contact()).await.status, 200);
    }
    // Some have failed, and wait for the next attempt; some wait for the greeting.
    let failed = |log: &str| log.contains("\"class\":\"timeout\"");
    until("the first failure", async || failed(&process.log()).then_some(())).await;
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    until("further attempts", async || (silent.attempts() > 4).then_some(())).await;
    std::fs::write(database.folder.path().join("settings.toml"), file(&good)).unwrap();
    let reloaded = Instant::now();
    process.hang_up();
    let mails = good.wait(30).await;
    assert!(reloaded.elapsed() < Duration::from_secs(5), "{:?}", reloaded.elapsed());
    assert_eq!(mails.len(), 30);
}
