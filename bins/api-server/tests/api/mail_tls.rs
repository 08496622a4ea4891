//! Mail over TLS, implicit or by STARTTLS, and what is never sent without it.

use tempfile::TempDir;

use crate::database::Database;
use crate::helpers::{App, Setup, contact, until};
use crate::sink::{Behavior, Privacy, Sink};
use crate::tls::Certificate;

/// Configures a mail server by a URL with a login, and trusts the certificate if one is given.
fn setup(sink: &Sink, scheme: &str, options: &str, trusted: Option<&Certificate>) -> Setup {
    let port = sink.address.port();
    let url = format!("{scheme}://user:password-canary@localhost:{port}{options}");
    let mut setup = Setup::default().with_mail(sink.address);
    let mut set = |name: &str, value: String| setup.variables.push((name.to_owned(), value));
    set("TOOLKIT_MAIL__SMTP_URL", url);
    if let Some(certificate) = trusted {
        let file = certificate.file().display().to_string();
        set("TOOLKIT_MAIL__SMTP_CA_FILE", file);
    }
    setup
}

/// Causes a mail, and waits until the attempt has failed in this way and the next one is due.
async fn fails_for_now(setup: Setup, class: &str) {
    let database = Database::sqlite();
    let app = App::start_on(&database, setup).await;
    assert_eq!(app.contact(&contact()).await.status, 200);
    let outcome = until("an attempt", async || {
        let sql = "SELECT state || ': ' || failure FROM outbox";
        database.text(sql).await
    })
    .await;
    assert_eq!(outcome, format!("pending: {class}"));
}

/// Runs `config check` on the settings; returns its exit code and standard error.
fn config_check(setup: &Setup, folder: &TempDir) -> (Option<i32>, String) {
    let output = crate::helpers::binary(setup, "sqlite://toolkit.db", folder)
        .args(["config", "check"])
        .output()
        .unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), complaint)
}

/// Expects that nothing but greetings was sent unencrypted.
fn sent_nothing_unencrypted(sink: &Sink) {
    for command in sink.commands().iter().filter(|command| !command.is_private) {
        let verb = command.line.split(' ').next().unwrap();
        assert!(matches!(verb, "EHLO" | "STARTTLS" | "QUIT"), "{command:?}");
    }
}

#[tokio::test]
async fn login_and_mail_are_sent_over_tls_of_either_kind() {
    let certificate = Certificate::new();
    for (privacy, scheme, options) in [
        (Privacy::Tls(certificate.config()), "smtps", ""),
        (Privacy::StartTls(certificate.config()), "smtp", "?tls=required"),
    ] {
        let sink = Sink::start_with(Behavior::Friendly, privacy);
        let app = App::start(setup(&sink, scheme, options, Some(&certificate))).await;
        assert_eq!(app.contact(&contact()).await.status, 200);
        assert!(sink.wait(1).await[0].text().contains("Hello"));
        sent_nothing_unencrypted(&sink);
        let commands = sink.commands();
        let is_login = |line: &str| line.starts_with("AUTH PLAIN ");
        assert!(commands.iter().any(|command| is_login(&command.line)), "{commands:?}");
    }
}

#[tokio::test]
async fn a_server_that_offers_no_tls_gets_neither_password_nor_mail() {
    let sink = Sink::start(Behavior::Friendly);
    for (scheme, options, class) in
        [("smtp", "?tls=required", "not supported"), ("smtps", "", "tls")]
    {
        fails_for_now(setup(&sink, scheme, options, None), class).await;
    }
    assert!(sink.mails().is_empty());
    sent_nothing_unencrypted(&sink);
}

#[tokio::test]
async fn a_server_whose_certificate_is_not_trusted_gets_neither_password_nor_mail() {
    let (own, other) = (Certificate::new(), Certificate::new());
    for (privacy, scheme, options) in [
        (Privacy::Tls(own.config()), "smtps", ""),
        (Privacy::StartTls(own.config()), "smtp", "?tls=required"),
    ] {
        for trusted in [None, Some(&other)] {
            let sink = Sink::start_with(Behavior::Friendly, privacy.clone());
            fails_for_now(setup(&sink, scheme, options, trusted), "tls").await;
            assert!(sink.mails().is_empty());
            sent_nothing_unencrypted(&sink);
        }
    }
}

#[tokio::test]
async fn a_server_that_is_down_is_not_reported_as_a_tls_failure() {
    let mut setup = Setup::default().with_mail("127.0.0.1:1".parse().unwrap());
    let name = "TOOLKIT_MAIL__SMTP_URL".to_owned();
    setup.variables.push((name, "smtps://localhost:1".to_owned()));
    fails_for_now(setup, "connection").await;
}

#[test]
fn invalid_mail_addresses_are_reported_at_start_up() {
    let folder = tempfile::tempdir().unwrap();
    let address = ([127, 0, 0, 1], 25).into();
    for key in ["from", "operator"] {
        let mut setup = Setup::default().with_mail(address);
        let name = format!("TOOLKIT_MAIL__{}", key.to_uppercase());
        setup.variables.push((name, "two..dots@example.org".to_owned()));
        let (code, complaint) = config_check(&setup, &folder);
        assert_eq!(code, Some(2), "{complaint}");
        assert!(complaint.contains(&format!("`mail.{key}`")), "{complaint}");
    }
    let (code, complaint) = config_check(&Setup::default().with_mail(address), &folder);
    assert_eq!(code, Some(0), "{complaint}");
}

#[tokio::test]
async fn unusable_certificate_authorities_are_reported_at_start_up() {
    let certificate = Certificate::new();
    let sink = Sink::start(Behavior::Friendly);
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "no certificate").unwrap();
    let check = |setup: &Setup| config_check(setup, &folder);
    let (code, complaint) = check(&setup(&sink, "smtp", "", Some(&certificate)));
    assert!(code == Some(2) && complaint.contains("asks for no TLS"), "{complaint}");
    for file in [empty, folder.path().join("missing.pem")] {
        let mut setup = setup(&sink, "smtps", "", None);
        let name = "TOOLKIT_MAIL__SMTP_CA_FILE".to_owned();
        setup.variables.push((name, file.display().to_string()));
        let (code, complaint) = check(&setup);
        assert_eq!(code, Some(2), "{complaint}");
        assert!(complaint.contains("`mail.smtp_ca_file` cannot be used"), "{complaint}");
        assert_eq!(complaint.lines().count(), 1);
    }
    let (code, complaint) = check(&setup(&sink, "smtps", "", Some(&certificate)));
    assert_eq!(code, Some(0), "{complaint}");
}

#[tokio::test]
async fn a_test_mail_is_sent_or_the_cause_is_named() {
    let (own, other) = (Certificate::new(), Certificate::new());
    let sink = Sink::start_with(Behavior::Friendly, Privacy::Tls(own.config()));
    let run = async |trusted| {
        let folder = tempfile::tempdir().unwrap();
        let mut command = crate::helpers::binary(
            &setup(&sink, "smtps", "", Some(trusted)),
            "sqlite://toolkit.db",
            &folder,
        );
        let output = command.args(["mail", "test", "you@example.org"]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(run(&own).await.0, Some(0));
    assert_eq!(sink.wait(1).await[0].to, ["you@example.org"]);
    let (code, said) = run(&other).await;
    assert_eq!(code, Some(1));
    assert!(said.contains("tls: ") && said.contains("certificate"), "{said}");
}
