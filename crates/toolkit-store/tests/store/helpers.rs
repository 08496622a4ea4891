//! Temporary stores: one on each database, deleted after the test.
//!
//! SQLite always runs, in a temporary folder. PostgreSQL runs where `TOOLKIT_TEST_POSTGRES` holds
//! the URL of a server (`.ci/postgres` starts one); each test has a schema of its own there.

use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row, SqliteConnection};
use tempfile::TempDir;
use time::OffsetDateTime;
use time::macros::datetime;
use toolkit_store::limits::PING_MEMORY;
use toolkit_store::{
    AppId, ClaimedMail, ConfirmationMail, Email, KeyLabel, Mail, NewContact, Queue, Receipt, Store,
    Ulid,
};

/// The time at which tests begin; no test reads the clock.
pub(crate) const NOW: OffsetDateTime = datetime!(2026-01-02 03:04:05.678 UTC);

pub(crate) const LEASE: Duration = Duration::from_mins(1);

/// Longer than any wait of a test.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Pings a store whose database does not answer, and expects the result within a second in one of
/// five attempts, since a busy machine can delay any of them.
pub(crate) async fn is_found_unavailable_soon(store: &Store) {
    let mut times = Vec::new();
    for _ in 0..5 {
        // The result of a ping is cached for a moment.
        tokio::time::sleep(PING_MEMORY + Duration::from_millis(50)).await;
        let started = Instant::now();
        let error = store.ping().await.unwrap_err();
        assert!(error.is_unavailable(), "{error:?}");
        times.push(started.elapsed());
        // A write fails only after 1.5 seconds or more.
        if started.elapsed() < Duration::from_secs(1) {
            return;
        }
    }
    panic!("{times:?}");
}

/// Waits until a store is healthy again.
pub(crate) async fn until_well(store: &Store) {
    let started = Instant::now();
    while let Err(error) = store.ping().await {
        assert!(started.elapsed() < PATIENCE, "{error:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// An empty database of one kind, and an open store on it.
pub(crate) struct Fixture {
    pub(crate) store: Store,
    pub(crate) url: String,
    pub(crate) home: Home,
}

pub(crate) enum Home {
    Sqlite(TempDir),
    Postgres { server: String, schema: String },
}

/// Runs a test on SQLite and, if a server is configured, on PostgreSQL.
pub(crate) async fn on_each_backend(test: impl AsyncFn(&Fixture)) {
    on_sqlite(&test).await;
    on_postgres(&test).await;
}

pub(crate) async fn on_sqlite(test: impl AsyncFn(&Fixture)) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/store.db", folder.path().display());
    run(Home::Sqlite(folder), url, test).await;
}

pub(crate) async fn on_postgres(test: impl AsyncFn(&Fixture)) {
    let Some(server) = postgres_server() else {
        return;
    };
    let schema = format!("test_{}", Ulid::from_parts(0, rand::random())).to_lowercase();
    admin(&server, &format!("CREATE SCHEMA {schema}")).await;
    let url = with_schema(&server, &schema);
    run(Home::Postgres { server, schema }, url, test).await;
}

async fn run(home: Home, url: String, test: impl AsyncFn(&Fixture)) {
    let store = Store::open(&url, 8).await.unwrap();
    let fixture = Fixture { store, url, home };
    test(&fixture).await;
    fixture.store.close().await;
    if let Home::Postgres { server, schema } = &fixture.home {
        admin(server, &format!("DROP SCHEMA {schema} CASCADE")).await;
    }
}

pub(crate) fn postgres_server() -> Option<String> {
    let server = std::env::var("TOOLKIT_TEST_POSTGRES").ok();
    if server.is_none() {
        println!("skipped on PostgreSQL: TOOLKIT_TEST_POSTGRES is not set");
    }
    server
}

pub(crate) fn with_schema(server: &str, schema: &str) -> String {
    let separator = if server.contains('?') { '&' } else { '?' };
    format!("{server}{separator}options[search_path]={schema}")
}

async fn admin(server: &str, sql: &str) {
    let mut connection = PgConnection::connect(server).await.unwrap();
    connection.execute(AssertSqlSafe(sql)).await.unwrap();
}

impl Fixture {
    pub(crate) fn is_sqlite(&self) -> bool {
        matches!(self.home, Home::Sqlite(_))
    }

    /// Opens the same database a second time, as another replica would.
    pub(crate) async fn replica(&self) -> Store {
        Store::open(&self.url, 8).await.unwrap()
    }

    /// Opens a connection without the store.
    pub(crate) async fn raw(&self) -> Raw {
        if self.is_sqlite() {
            Raw::Sqlite(SqliteConnection::connect(&self.url).await.unwrap())
        } else {
            Raw::Postgres(PgConnection::connect(&self.url).await.unwrap())
        }
    }

    pub(crate) async fn count(&self, table_and_condition: &str) -> i64 {
        self.raw().await.number(&format!("SELECT COUNT(*) FROM {table_and_condition}")).await
    }

    pub(crate) async fn contact(&self, message: &str) -> Ulid {
        match self.store.contacts().receive(contact(message), None, NOW).await.unwrap() {
            Receipt::Stored(id) => id,
            Receipt::ChallengeReplayed => panic!("there was no challenge"),
        }
    }

    pub(crate) async fn subscribe(&self, address: &str, app: &str, now: OffsetDateTime) {
        self.store.subscriptions().subscribe(&email(address), &app_id(app), now).await.unwrap();
    }

    pub(crate) async fn claim(&self, now: OffsetDateTime) -> Vec<ClaimedMail> {
        let mut all = Vec::new();
        for queue in [Queue::Contacts, Queue::Confirmations] {
            all.extend(self.store.outbox().claim(queue, now, 100, LEASE).await.unwrap());
        }
        all.sort_by_key(|mail| (mail.queued_at, mail.id));
        all
    }

    /// Leases the only mail that is due, reports it as sent and returns it.
    pub(crate) async fn deliver(&self, now: OffsetDateTime) -> ClaimedMail {
        let mut mails = self.claim(now).await;
        assert_eq!(mails.len(), 1, "{mails:?}");
        let mail = mails.remove(0);
        self.store.outbox().sent(&mail, now).await.unwrap();
        mail
    }

    /// Subscribes a new address and returns its confirmation mail.
    pub(crate) async fn confirmation(
        &self,
        address: &str,
        app: &str,
        now: OffsetDateTime,
    ) -> ConfirmationMail {
        self.subscribe(address, app, now).await;
        confirmation_of(self.deliver(now).await)
    }
}

pub(crate) enum Raw {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Raw {
    pub(crate) async fn execute(&mut self, sql: &str) {
        match self {
            Self::Sqlite(c) => drop(c.execute(AssertSqlSafe(sql)).await.unwrap()),
            Self::Postgres(c) => drop(c.execute(AssertSqlSafe(sql)).await.unwrap()),
        }
    }

    pub(crate) async fn close(self) {
        match self {
            Self::Sqlite(c) => c.close().await.unwrap(),
            Self::Postgres(c) => c.close().await.unwrap(),
        }
    }

    pub(crate) async fn number(&mut self, sql: &str) -> i64 {
        match self {
            Self::Sqlite(c) => c.fetch_one(AssertSqlSafe(sql)).await.unwrap().get(0),
            Self::Postgres(c) => c.fetch_one(AssertSqlSafe(sql)).await.unwrap().get(0),
        }
    }

    pub(crate) async fn texts(&mut self, sql: &str) -> Vec<String> {
        match self {
            Self::Sqlite(c) => {
                let rows = c.fetch_all(AssertSqlSafe(sql)).await.unwrap();
                rows.iter().map(|row| row.get(0)).collect()
            }
            Self::Postgres(c) => {
                let rows = c.fetch_all(AssertSqlSafe(sql)).await.unwrap();
                rows.iter().map(|row| row.get(0)).collect()
            }
        }
    }
}

pub(crate) fn email(address: &str) -> Email {
    address.parse().unwrap()
}

pub(crate) fn app_id(app: &str) -> AppId {
    app.parse().unwrap()
}

pub(crate) fn label(text: &str) -> KeyLabel {
    text.parse().unwrap()
}

pub(crate) fn contact(message: &str) -> NewContact {
    NewContact::new("Ada", email("ada@example.org"), Some("Engines"), message).unwrap()
}

pub(crate) fn confirmation_of(claimed: ClaimedMail) -> ConfirmationMail {
    match claimed.mail {
        Mail::Confirmation(mail) => mail,
        other => panic!("{other:?}"),
    }
}
