//! Webhooks: signed, at least once, in a queue of their own; queues of mail; the outbox and the audit
//! by command.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value as Json, json};
use sha2::Sha256;
use toolkit_store::{Event, NewContact, Receivers};
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use crate::database::{Database, on_each};
use crate::helpers::{App, Setup, contact, until};
use crate::process::Process;
use crate::sink::{Behavior, Sink};

const KEY: &[u8; 32] = b"0123456789abcdef0123456789abcdef";
const EVENTS: &str =
    r#"["contact.received", "subscriber.confirmed", "subscriber.ended", "mail.given_up"]"#;

/// Settings with a receiver.
fn hook(server: &MockServer, more: &str) -> String {
    let secret = BASE64.encode(KEY);
    format!(
        "[[webhooks]]\nurl = \"{}/hook\"\nsecret = \"whsec_{secret}\"\nevents = {EVENTS}\n{more}\n",
        server.uri()
    )
}

const LOCAL: &str = "allow_networks = [\"127.0.0.0/8\"]";

async fn answering(status: u16) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(status)).mount(&server).await;
    server
}

/// The requests of a receiver, each with a signature that is right.
async fn received(server: &MockServer) -> Vec<(Request, Json)> {
    let all = server.received_requests().await.unwrap();
    let verified = |request: Request| {
        let header = |name: &str| request.headers[name].to_str().unwrap().to_owned();
        let body = String::from_utf8(request.body.clone()).unwrap();
        let signed = format!("{}.{}.{body}", header("webhook-id"), header("webhook-timestamp"));
        let mac = Hmac::<Sha256>::new_from_slice(KEY).unwrap().chain_update(signed);
        let expected = format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()));
        assert_eq!(header("webhook-signature"), expected);
        let json = serde_json::from_str(&body).unwrap();
        (request, json)
    };
    all.into_iter().map(verified).collect()
}

async fn until_told(server: &MockServer, count: usize) -> Vec<(Request, Json)> {
    until("the events", async || {
        let all = received(server).await;
        (all.len() >= count).then_some(all)
    })
    .await
}

fn run(app: &App, arguments: &[&str], code: i32) -> String {
    let output = app.command(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?} {output:?}");
    let said = [output.stdout, output.stderr].concat();
    String::from_utf8(said).unwrap()
}

#[tokio::test]
async fn a_receiver_is_told_of_a_message_and_of_a_subscription() {
    on_each(async |database| {
        let server = answering(204).await;
        let sink = Sink::start(Behavior::Friendly);
        let setup = Setup::default().with_mail(sink.address).with_file(&hook(&server, LOCAL));
        let app = App::start_on(database, setup).await;
        let id = app.contact(&contact()).await.json()["id"].clone();
        let told = until_told(&server, 1).await;
        assert_eq!(
            (&told[0].1["type"], &told[0].1["data"]["id"]),
            (&json!("contact.received"), &id)
        );
        assert_eq!(told[0].1["data"]["message"], "Hello");
        assert!(told[0].1["timestamp"].as_str().unwrap().ends_with('Z'));
        app.subscribe("bob@example.org", "docs").await;
        let token = sink.mail_to("bob@example.org").await.token("/subscribe/confirm");
        let confirmed = app.post("/subscribe/confirm").json(&json!({"token": token}));
        assert_eq!(confirmed.send().await.unwrap().status(), 200);
        let told = until_told(&server, 2).await;
        assert_eq!(
            (&told[1].1["type"], &told[1].1["data"]["status"]),
            (&json!("subscriber.confirmed"), &json!("confirmed"))
        );
        run(&app, &["subscribers", "unsubscribe", "bob@example.org"], 0);
        let told = until_told(&server, 3).await;
        assert_eq!(told[2].1["type"], "subscriber.ended");
        assert!(run(&app, &["webhooks", "test"], 0).ends_with(": accepted\n"));
        assert_eq!(until_told(&server, 4).await[3].1["type"], "webhook.test");
    })
    .await;
}

#[tokio::test]
async fn a_receiver_that_is_gone_is_off_until_it_is_enabled() {
    let server = answering(410).await;
    let database = Database::sqlite();
    let setup = Setup::default().with_file(&hook(&server, LOCAL));
    let process = Process::start(&setup, &database.url, &database.folder).await;
    let key = database.key().await;
    process.contact(&key, &contact()).await;
    until("the error", async || {
        let log = process.log();
        log.lines()
            .any(|line| line.contains("answered 410") && line.contains("ERROR"))
            .then_some(())
    })
    .await;
    process.contact(&key, &contact()).await;
    let command = |arguments: &[&str]| {
        let mut program = crate::helpers::binary(&setup, &database.url, &database.folder);
        String::from_utf8(program.args(arguments).output().unwrap().stdout).unwrap()
    };
    assert_eq!(command(&["outbox", "list"]).matches("contact.received").count(), 2);
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
    server.reset().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(200)).mount(&server).await;
    let name = name_of(&command(&["config", "check"]));
    assert!(process.log().contains(&name), "{name}");
    assert!(command(&["webhooks", "enable", &name]).contains("receives events again"));
    // The one that was refused follows after its wait.
    assert_eq!(until_told(&server, 1).await.len(), 1);
    assert!(!process.log().contains("ada@example.org\",\"url"));
}

#[tokio::test]
async fn a_private_address_and_a_redirect_are_refused() {
    let server = answering(204).await;
    for (file, words) in [
        (hook(&server, ""), ": private address"),
        (hook(&server, "").replace("127.0.0.1", "localhost"), ": private address"),
        (hook(&server, "").replace("127.0.0.1", "0x7f.1"), ": private address"),
        (hook(&server, "").replace("127.0.0.1", "2130706433"), ": private address"),
        (hook(&server, "allow_networks = [\"10.0.0.0/8\"]"), ": private address"),
        (hook(&server, "").replace("127.0.0.1", "[64:ff9b::7f00:1]"), ": private address"),
    ] {
        let app = App::start(Setup::default().with_file(&file)).await;
        let said = run(&app, &["webhooks", "test"], 1);
        assert!(said.contains(words) && !said.contains("/hook"), "{said}");
    }
    assert!(server.received_requests().await.unwrap().is_empty());
    let moved = MockServer::start().await;
    let elsewhere = ResponseTemplate::new(302).insert_header("Location", server.uri());
    Mock::given(method("POST")).respond_with(elsewhere).mount(&moved).await;
    let app = App::start(Setup::default().with_file(&hook(&moved, LOCAL))).await;
    assert!(run(&app, &["webhooks", "test"], 1).contains(": http 302"));
    assert!(server.received_requests().await.unwrap().is_empty());
    for (arguments, code, words) in [
        (&["webhooks", "test", "https://other.example"][..], 1, "no webhook has this name"),
        (&["webhooks", "enable", "https://other.example"], 1, "Configured: http://127.0.0.1:"),
        (&["outbox", "retry"], 2, "IDS"),
        (&["outbox", "retry", "--dead", "00000000000000000000000000"], 2, "cannot be used with"),
        (&["outbox", "drop", "x"], 2, "not an ID"),
        (
            &["outbox", "retry", "00000000000000000000000000"],
            1,
            "No unsent mail or event has the ID",
        ),
    ] {
        let said = run(&app, arguments, code);
        assert!(said.contains(words), "{said}");
    }
}

#[tokio::test]
async fn a_chat_is_told_in_its_own_format() {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(200)).mount(&server).await;
    let hooks = ["slack", "teams"].map(|format| {
        format!(
            "[[webhooks]]\nurl = \"{}/{format}\"\nevents = [\"contact.received\"]\nformat = \"{format}\"\n{LOCAL}\n",
            server.uri()
        )
    });
    let app = App::start(Setup::default().with_file(&hooks.concat())).await;
    let mut message = contact();
    message["message"] = json!("<!channel> *hi*\nand bye");
    app.contact(&message).await;
    let all = until("both", async || {
        let all = server.received_requests().await.unwrap();
        (all.len() == 2).then_some(all)
    })
    .await;
    for request in all {
        let body: Json = serde_json::from_slice(&request.body).unwrap();
        if request.url.path() == "/slack" {
            let text = "Ada &lt;ada@example.org&gt; \n&lt;!channel&gt; *hi*\nand bye";
            assert_eq!(body, json!({"text": text, "mrkdwn": false}));
            continue;
        }
        let attachment = &body["attachments"][0];
        assert_eq!(attachment["contentType"], "application/vnd.microsoft.card.adaptive");
        let card = &attachment["content"];
        assert_eq!((&body["type"], &card["type"]), (&json!("message"), &json!("AdaptiveCard")));
        let lines = card["body"].as_array().unwrap().iter();
        let lines: Vec<_> = lines.map(|block| &block["inlines"][0]["text"]).collect();
        assert_eq!(lines, ["Ada <ada@example.org> ", "<!channel> *hi*", "and bye"]);
    }
}

#[test]
fn faults_of_webhooks_are_named_at_start() {
    let url = "[[webhooks]]\nurl = \"https://example.org/hook\"\n";
    for (file, words) in [
        ("[[webhooks]]\nevents = [\"contact.received\"]".to_owned(), "`webhooks[0]` has no `url`"),
        (format!("{url}events = []"), "has no `events`"),
        (
            format!("{url}events = [\"contact.sent\"]"),
            "expected a list of the events contact.received, subscriber.confirmed",
        ),
        (format!("{url}events = [\"contact.received\"]"), "has no `secret`"),
        (
            format!("{url}events = [\"contact.received\"]\nsecret = \"whsec_short\""),
            "expected whsec_ and 24 to 64 bytes",
        ),
        (
            format!("{url}events = [\"contact.received\"]\nformat = \"xml\""),
            "expected one of json, slack, teams",
        ),
        ("[mail]\nparallel = 0".to_owned(), "expected a whole number from 1 to 50"),
    ] {
        let error = toolkit_server::settings::Settings::parse(&file, []).unwrap_err();
        let said = error.to_string();
        assert!(said.contains(words), "{words:?} in {said}");
        assert!(!said.contains("whsec_short") && !said.contains("/hook"), "{said}");
        // What was refused is not reported as missing too.
        assert!(!words.starts_with("expected") || said.lines().count() == 1, "{said}");
    }
}

/// The name of the only receiver, as `config check` shows it.
fn name_of(settings: &str) -> String {
    let line = settings.lines().find(|line| line.starts_with("url = \"http")).unwrap();
    line.split('"').nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn a_replica_without_the_receiver_leaves_its_events_to_one_that_has_it() {
    on_each(async |database| {
        let server = answering(204).await;
        let setup = Setup::default().with_file(&hook(&server, LOCAL));
        let command = |arguments: &[&str]| {
            let mut program = crate::helpers::binary(&setup, &database.url, &database.folder);
            String::from_utf8(program.args(arguments).output().unwrap().stdout).unwrap()
        };
        let store = database.store().await;
        let receivers = vec![name_of(&command(&["config", "check"]))];
        store.tell(Receivers::from([(Event::ContactReceived, receivers)]));
        for _ in 0..40 {
            let email = "ada@example.org".parse().unwrap();
            let message = NewContact::new("Ada", email, None, "Hello").unwrap();
            let now = time::OffsetDateTime::now_utc();
            store.contacts().receive(message, None, now).await.unwrap();
        }
        // The other replica works, and has had its chance.
        let folder = tempfile::tempdir().unwrap();
        let without = Process::start(&Setup::default(), &database.url, &folder).await;
        until("the mails", async || {
            (without.log().matches("mail, not sent").count() == 40).then_some(())
        })
        .await;
        let _with = Process::start(&setup, &database.url, &database.folder).await;
        let told = until_told(&server, 40).await;
        let ids: BTreeSet<_> =
            told.iter().map(|(_, body)| body["data"]["id"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), 40);
        until("the state of the outbox", async || {
            let text = command(&["outbox", "status"]);
            assert!(text.contains("dead:    0\n"), "{text}");
            text.ends_with("events: 0\nevents of unknown receivers: 0\n").then_some(())
        })
        .await;
    })
    .await;
}

/// A receiver that fails its first event, and then accepts connections and never answers.
struct Hanging {
    address: SocketAddr,
    /// Connections now, and the most that there were at a time.
    open: Arc<[AtomicUsize; 2]>,
}

impl Hanging {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let open: Arc<[AtomicUsize; 2]> = Arc::default();
        let counts = Arc::clone(&open);
        thread::spawn(move || {
            for (index, stream) in listener.incoming().enumerate() {
                let (mut stream, counts) = (stream.unwrap(), Arc::clone(&counts));
                counts[1].fetch_max(counts[0].fetch_add(1, Relaxed) + 1, Relaxed);
                thread::spawn(move || {
                    if index == 0 {
                        stream.read_exact(&mut [0; 64]).unwrap();
                        let answer =
                            b"HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
                        stream.write_all(answer).unwrap();
                    }
                    // Until the client has gone.
                    let _ = std::io::copy(&mut stream, &mut std::io::sink());
                    counts[0].fetch_sub(1, Relaxed);
                });
            }
        });
        Self { address, open }
    }

    fn connections(&self) -> [usize; 2] {
        [0, 1].map(|index| self.open[index].load(Relaxed))
    }
}

#[tokio::test]
async fn a_receiver_that_hangs_has_two_places_and_delays_no_other() {
    let hanging = Hanging::start();
    let server = answering(204).await;
    let hooks = [
        hook(&server, LOCAL),
        hook(&server, LOCAL).replace(&server.uri(), &format!("http://{}", hanging.address)),
    ];
    let database = Database::sqlite();
    let setup = Setup::default().with_file(&hooks.concat());
    let process = Process::start(&setup, &database.url, &database.folder).await;
    let key = database.key().await;
    process.contact(&key, &contact()).await;
    until("the first failure", async || process.log().contains("mail not sent").then_some(()))
        .await;
    for _ in 0..60 {
        assert_eq!(process.contact(&key, &contact()).await.status, 200);
    }
    let started = Instant::now();
    until_told(&server, 61).await;
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    until("the hanging attempts", async || (hanging.connections()[0] == 2).then_some(())).await;
    assert_eq!(hanging.connections()[1], 2);
}

#[tokio::test]
async fn the_url_of_a_receiver_is_shown_nowhere_and_read_again_from_its_file() {
    let (server, next) = (answering(410).await, answering(202).await);
    let database = Database::sqlite();
    let file = database.folder.path().join("url");
    let path = "/workflows/canary/triggers/manual/paths/invoke";
    let query = "?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=canary";
    // As an editor on Windows saves it.
    std::fs::write(&file, format!("\u{feff}{}{path}{query} \r\n", server.uri())).unwrap();
    let setup = Setup::default().with_file(&format!(
        "[log]\nlevel = \"trace\"\n[[webhooks]]\nurl_file = {file:?}\nevents = {EVENTS}\nformat = \"teams\"\n{LOCAL}\n"
    ));
    let process = Process::start(&setup, &database.url, &database.folder).await;
    let key = database.key().await;
    process.contact(&key, &contact()).await;
    until("the error", async || process.log().contains("answered 410").then_some(())).await;
    let command = |arguments: &[&str]| {
        let mut program = crate::helpers::binary(&setup, &database.url, &database.folder);
        let output = program.args(arguments).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let name = name_of(&command(&["config", "check"]));
    assert!(name.starts_with(&format!("{}#", server.uri())), "{name}");
    for arguments in [
        &["config", "check"][..],
        &["doctor"],
        &["webhooks", "test"],
        &["webhooks", "test", &name],
        &["outbox", "list"],
        &["webhooks", "enable", &name],
        &["audit", "list"],
    ] {
        let said = command(arguments);
        assert!(said.contains(&name), "{arguments:?}: {said}");
        assert!(!said.contains("canary") && !said.contains("/workflows"), "{arguments:?}: {said}");
    }
    let tables =
        ["SELECT webhook FROM outbox WHERE webhook IS NOT NULL", "SELECT about FROM audit"];
    for sql in tables {
        assert_eq!(database.text(sql).await.as_deref(), Some(&*name));
    }
    let asked = &server.received_requests().await.unwrap()[0];
    assert_eq!((asked.url.path(), asked.url.query()), (path, query.strip_prefix('?')));
    std::fs::write(&file, format!("{}{path}{query}", next.uri())).unwrap();
    process.hang_up();
    until("the next receiver", async || {
        process.contact(&key, &contact()).await;
        (!next.received_requests().await.unwrap().is_empty()).then_some(())
    })
    .await;
    let log = process.log();
    assert!(log.contains(&name) && !log.contains("canary") && !log.contains("/workflows"), "{log}");
}

#[tokio::test]
async fn a_contact_mail_does_not_wait_for_hundreds_of_confirmations() {
    let sink = Sink::start(Behavior::Slow(Duration::from_millis(30)));
    let setup = Setup::new(&[("TOOLKIT_MAIL__PARALLEL", "2")]).with_mail(sink.address);
    let app = App::start(setup).await;
    for number in 0..150 {
        let email = format!("a{number}@example.org").parse().unwrap();
        let now = time::OffsetDateTime::now_utc();
        let subscriptions = app.store.subscriptions();
        subscriptions.subscribe(&email, &"docs".parse().unwrap(), now).await.unwrap();
    }
    assert_eq!(app.contact(&contact()).await.status, 200);
    sink.mail_to("operator@example.org").await;
    let place = sink.mails().iter().position(|mail| mail.to == ["operator@example.org"]).unwrap();
    assert!(sink.mails().len() < 150, "{place} of {}", sink.mails().len());
}

#[tokio::test]
async fn what_operators_do_is_listed_and_logged_and_names_nobody_who_was_erased() {
    let database = Database::sqlite();
    let setup = Setup::default();
    let process = Process::start(&setup, &database.url, &database.folder).await;
    let command = |arguments: &[&str]| {
        let mut program = crate::helpers::binary(&setup, &database.url, &database.folder);
        let output = program.env("USER", "ada\n").args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let key = command(&["keys", "create", "--label", "l", "--for", "contact", "--quiet"]);
    process.contact(key.trim(), &contact()).await;
    command(&["messages", "export"]);
    command(&["privacy", "erase", "ada@example.org"]);
    let list = command(&["audit", "list"]);
    let lines: Vec<_> = list.lines().collect();
    assert_eq!(lines.len(), 3, "{list}");
    for (line, action) in lines.iter().zip(["keys.create", "messages.export", "privacy.erase"]) {
        assert!(line.contains("  ada ") && line.contains(action), "{line}");
    }
    assert!(lines[2].ends_with("1 messages, 0 subscriptions") && !list.contains("ada@"), "{list}");
    until("the log", async || {
        let log = process.log();
        let mut lines = log.lines();
        lines
            .any(|line| line.contains("\"target\":\"audit\"") && line.contains("privacy.erase"))
            .then_some(())
    })
    .await;
}
