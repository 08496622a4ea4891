//! `doctor`: what works, what does not, and the client address that the server sees.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::Output;
use std::thread;

use serde_json::json;
use toolkit_e2e::free_address;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::database::Database;
use crate::helpers::{Setup, binary};
use crate::process::Process;
use crate::sink::{Behavior, Sink};

async fn answering(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

fn doctor(setup: &Setup, database: &Database) -> (Output, String) {
    let mut program = binary(setup, &database.url, &database.folder);
    let output = program.arg("doctor").output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    for secret in ["canary", "c4n4ry"] {
        assert!(!said.contains(secret) && !errors.contains(secret), "{said}{errors}");
    }
    (output, said)
}

#[track_caller]
fn has_lines(said: &str, starts: &[&str]) {
    for start in starts {
        assert!(said.lines().any(|line| line.starts_with(start)), "{start:?} in\n{said}");
    }
}

/// A proxy that names its client, whatever that sends, as another server would see it.
fn proxy(server: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for client in listener.incoming() {
            let mut client = BufReader::new(client.unwrap());
            let mut upstream = TcpStream::connect(&server).unwrap();
            let mut line = String::new();
            while client.read_line(&mut line).unwrap() > 2 {
                upstream.write_all(line.as_bytes()).unwrap();
                line.clear();
            }
            let rest = b"X-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n\r\n";
            upstream.write_all(rest).unwrap();
            std::io::copy(&mut upstream, client.get_mut()).unwrap();
            let _ = client.get_ref().shutdown(Shutdown::Both);
        }
    });
    address.to_string()
}

#[tokio::test]
async fn a_machine_without_settings_has_nothing_that_fails() {
    let database = Database::sqlite();
    let (output, said) = doctor(&Setup::default(), &database);
    assert!(output.status.success(), "{output:?}");
    has_lines(
        &said,
        &["-       database: no file yet", "-       Redis", "-       mail", "-       models"],
    );
    has_lines(&said, &["-       captcha", "-       webhooks", "-       client address"]);
    assert!(!database.folder.path().join("toolkit.db").exists());
}

#[tokio::test]
async fn everything_that_works_is_a_line_and_the_client_address_is_that_of_the_visitor() {
    let reply = json!({"id": "1", "object": "chat.completion", "model": "m-2026", "choices": [{
        "index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "ok"}}]});
    let model = answering(ResponseTemplate::new(200).set_body_json(reply)).await;
    let verdict = json!({"success": false, "error-codes": ["invalid-input-response"]});
    let verifier = answering(ResponseTemplate::new(200).set_body_json(verdict)).await;
    let hook = answering(ResponseTemplate::new(204)).await;
    let sink = Sink::start(Behavior::Friendly);
    let [bind, admin] = [(); 2].map(|()| free_address().unwrap().to_string());
    let public = proxy(bind.clone());
    let setup = |trusted: &str| {
        let hook = format!(
            "[[webhooks]]\nurl = \"{}/hook\"\nformat = \"slack\"\nevents = [\"contact.received\"]\n\
             allow_networks = [\"127.0.0.0/8\"]\n",
            hook.uri()
        );
        Setup::new(&[
            ("TOOLKIT_API__BIND", &bind),
            ("TOOLKIT_API__ADMIN_BIND", &admin),
            ("TOOLKIT_PUBLIC__BASE_URL", &format!("http://{public}")),
            ("TOOLKIT_HTTP__TRUSTED_PROXIES", trusted),
            ("TOOLKIT_TURNSTILE__SECRET", "turnstile-secret-canary"),
            ("TOOLKIT_TURNSTILE__VERIFY_URL", &verifier.uri()),
        ])
        .with_provider("main", &model.uri())
        .with_file(&hook)
        .with_mail(sink.address)
    };
    let database = Database::sqlite();
    let mut process = Process::start(&setup("127.0.0.1"), &database.url, &database.folder).await;
    let (output, said) = doctor(&setup("127.0.0.1"), &database);
    assert!(output.status.success(), "{said}{output:?}");
    has_lines(
        &said,
        &[
            "ok      database: sqlite",
            "ok      mail",
            "ok      model main: m-2026",
            "ok      captcha",
            "ok      webhook http://",
        ],
    );
    has_lines(
        &said,
        &[&format!(
            "ok      client address: this machine counts as 203.0.113.9 at http://{public}"
        )],
    );
    assert!(sink.mails().is_empty());

    process.stop().await;
    let _process = Process::start(&setup(""), &database.url, &database.folder).await;
    let (output, said) = doctor(&setup(""), &database);
    assert_eq!(output.status.code(), Some(1));
    let line = format!("failed  client address: all clients of http://{public}");
    let line = said.lines().find(|found| found.starts_with(&line)).unwrap();
    assert!(
        line.ends_with("count as 127.0.0.1, a proxy that is not in `http.trusted_proxies`"),
        "{line}"
    );
}

#[tokio::test]
async fn everything_that_fails_is_a_line_with_the_reason_and_the_exit_code_is_1() {
    let model = answering(ResponseTemplate::new(401).set_body_string("provider-text-canary")).await;
    let verdict = json!({"success": false, "error-codes": ["invalid-input-secret"]});
    let verifier = answering(ResponseTemplate::new(200).set_body_json(verdict)).await;
    let hook = answering(ResponseTemplate::new(500)).await;
    let closed = "127.0.0.1:1";
    let hook = format!(
        "[[webhooks]]\nurl = \"{}/hook\"\nformat = \"slack\"\nevents = [\"contact.received\"]\n\
         allow_networks = [\"127.0.0.0/8\"]\n",
        hook.uri()
    );
    let setup = Setup::new(&[
        ("TOOLKIT_TURNSTILE__SECRET", "turnstile-secret-canary"),
        ("TOOLKIT_TURNSTILE__VERIFY_URL", &verifier.uri()),
        ("TOOLKIT_LIMITS__REDIS_URL", &format!("redis://:c4n4ry@{closed}/0")),
        ("TOOLKIT_MAIL__TRANSPORT", "smtp"),
        ("TOOLKIT_MAIL__SMTP_URL", &format!("smtp://mailer:c4n4ry@{closed}")),
        ("TOOLKIT_MAIL__FROM", "toolkit@example.org"),
        ("TOOLKIT_MAIL__OPERATOR", "toolkit@example.org"),
    ])
    .with_provider("main", &model.uri())
    .with_file(&hook);
    let database = Database::sqlite();
    std::fs::write(database.folder.path().join("toolkit.db"), "no database at all").unwrap();
    let (output, said) = doctor(&setup, &database);
    assert_eq!(output.status.code(), Some(1), "{said}");
    has_lines(
        &said,
        &["failed  database: cannot open ", "failed  Redis", "failed  mail: connection"],
    );
    has_lines(
        &said,
        &["failed  model main: status 401", "failed  captcha: Turnstile rejects the secret"],
    );
    has_lines(
        &said,
        &["failed  webhook http://", "caution settings: mails link to http://127.0.0.1:"],
    );
    assert_eq!(String::from_utf8_lossy(&output.stderr), "error: 6 checks failed\n");
}

#[test]
fn help_says_how_to_serve_where_settings_are_and_which_documents_there_are() {
    let program =
        std::process::Command::new(env!("CARGO_BIN_EXE_api-server")).arg("--help").output();
    let help = String::from_utf8(program.unwrap().stdout).unwrap();
    for word in [
        "serve",
        "TOOLKIT_LIMITS__RUN_PER_MINUTE",
        "toolkit.toml",
        "docs/operating",
        "docs/configuration.md",
        "doctor",
    ] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

#[test]
fn a_verifier_that_is_down_is_named_with_its_cause() {
    let setup = Setup::new(&[
        ("TOOLKIT_TURNSTILE__SECRET", "turnstile-secret-canary"),
        ("TOOLKIT_TURNSTILE__VERIFY_URL", &format!("http://{}", free_address().unwrap())),
    ]);
    let (_, said) = doctor(&setup, &Database::sqlite());
    let line = said.lines().find(|line| line.starts_with("failed  captcha: ")).unwrap();
    assert!(line.contains("Connection refused"), "{line}");
}
