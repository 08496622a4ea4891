//! Log privacy: no secret, address or message is in the log, at any level, or in an error.
//!
//! A separate test binary, since it captures the log of the whole process.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use std::error::Error;
use std::io::Write;
use std::sync::{Arc, Mutex};

use sqlx::{Connection, Executor, PgConnection, SqliteConnection};
use time::OffsetDateTime;
use toolkit_store::{Failure, KeyCache, Mail, NewContact, Store, StoreError};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn note(&self, error: &StoreError) {
        let mut cause: Option<&dyn Error> = Some(error);
        while let Some(error) = cause {
            writeln!(self.clone(), "{error} {error:?}").unwrap();
            cause = error.source();
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

const NOW: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

#[tokio::test]
async fn no_secret_address_or_message_is_ever_logged() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .init();
    tracing::info!("the log is captured");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("path-canary.db");
    let url = format!("sqlite://{}", path.display());
    let mut canaries = vec!["path-canary".to_owned(), "dsn-canary".to_owned()];
    canaries.extend(use_everything(&url, &log).await);

    let mut other = SqliteConnection::connect(&url).await.unwrap();
    let store = Store::open(&url, 4).await.unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    let contact = new_contact();
    log.note(&store.contacts().receive(contact, None, NOW).await.unwrap_err());
    other.execute("ROLLBACK; DROP TABLE outbox").await.unwrap();
    log.note(&store.contacts().receive(new_contact(), None, NOW).await.unwrap_err());
    std::fs::write(&path, "not a database, path-canary").unwrap();
    log.note(&Store::open(&url, 4).await.err().unwrap());
    for url in [
        "postgres://user:dsn-canary@127.0.0.1:1/x",
        "mysql://dsn-canary",
        "sqlite://x?dsn-canary=1",
    ] {
        log.note(&Store::open(url, 4).await.err().unwrap());
    }

    if let Ok(server) = std::env::var("TOOLKIT_TEST_POSTGRES") {
        let mut admin = PgConnection::connect(&server).await.unwrap();
        admin.execute("CREATE SCHEMA IF NOT EXISTS test_log").await.unwrap();
        let url = server.replacen('@', ":dsn-canary@", 1) + "?options[search_path]=test_log";
        canaries.extend(use_everything(&url, &log).await);
        admin.execute("DROP SCHEMA test_log CASCADE").await.unwrap();
    }

    let text = log.text();
    assert!(text.contains("the log is captured"));
    for canary in canaries.iter().map(String::as_str).chain([
        "mail-canary",
        "message-canary",
        "challenge-canary",
    ]) {
        let line = text.lines().find(|line| line.contains(canary));
        assert_eq!(line, None, "{canary}");
    }
}

fn new_contact() -> NewContact {
    let email = "mail-canary@example.org".parse().unwrap();
    NewContact::new("message-canary", email, None, "message-canary").unwrap()
}

/// Uses the store as a service does, and returns the secrets created.
async fn use_everything(url: &str, log: &Log) -> Vec<String> {
    let store = Store::open(url, 4).await.unwrap();
    let mut secrets = Vec::new();
    let (id, key) = store
        .keys()
        .issue(&"label".parse().unwrap(), &toolkit_store::KeyTerms::default(), NOW)
        .await
        .unwrap();
    secrets.push(key.expose().to_owned());
    let cache = KeyCache::load(&store).await.unwrap();
    cache.check(key.expose()).await.unwrap().unwrap();
    store.keys().revoke(id, NOW).await.unwrap();

    let receive = store.contacts().receive(new_contact(), Some("challenge-canary"), NOW);
    tracing::info!(receipt = ?receive.await.unwrap());
    let (email, app_id) = ("mail-canary@example.org".parse().unwrap(), "weekly".parse().unwrap());
    store.subscriptions().subscribe(&email, &app_id, NOW).await.unwrap();
    let lease = std::time::Duration::from_secs(1);
    for claimed in
        store.outbox().claim(toolkit_store::Queue::Confirmations, NOW, 10, lease).await.unwrap()
    {
        tracing::info!(?claimed);
        store.outbox().failed(&claimed, Failure::Transient("timeout".into()), NOW).await.unwrap();
        let Mail::Confirmation(mail) = &claimed.mail else {
            continue;
        };
        let subscriptions = store.subscriptions();
        tracing::info!(answer = ?subscriptions.press(mail.confirm.expose(), toolkit_store::Purpose::Confirm, NOW).await);
        tracing::info!(answer = ?subscriptions.press(mail.unsubscribe.expose(), toolkit_store::Purpose::Unsubscribe, NOW).await);
        secrets.extend([mail.confirm.expose().to_owned(), mail.unsubscribe.expose().to_owned()]);
    }
    tracing::info!(data = ?store.export(&email).await.unwrap());
    store.erase(&email, NOW).await.unwrap();
    store.purge(NOW, 1, &[]).await.unwrap();
    store.close().await;
    log.note(&store.ping().await.unwrap_err());
    secrets
}
