//! Temporary databases: one of each kind, deleted after the test.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use tempfile::TempDir;
use time::OffsetDateTime;
use toolkit_store::{Store, Ulid};

/// An empty database, and a folder that is deleted with it.
pub(crate) struct Database {
    pub(crate) url: String,
    pub(crate) folder: TempDir,
}

impl Database {
    /// Creates a SQLite database in its own folder.
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/toolkit.db", folder.path().display());
        Self { url, folder }
    }

    /// Returns the database with this URL.
    pub(crate) fn at(url: String) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { url, folder }
    }

    /// Opens the database without the server.
    pub(crate) async fn store(&self) -> Store {
        Store::open(&self.url, 2).await.unwrap()
    }

    /// Issues a key.
    pub(crate) async fn key(&self) -> String {
        key(&self.store().await).await
    }

    /// Runs a statement without the server, as an operator's tool would.
    pub(crate) async fn execute(&self, sql: &'static str) {
        if self.url.starts_with("sqlite:") {
            let mut connection = SqliteConnection::connect(&self.url).await.unwrap();
            connection.execute(sql).await.unwrap();
        } else {
            let mut connection = PgConnection::connect(&self.url).await.unwrap();
            connection.execute(sql).await.unwrap();
        }
    }

    /// Returns the text that a query finds in a SQLite file, if any.
    pub(crate) async fn text(&self, sql: &'static str) -> Option<String> {
        let mut connection = SqliteConnection::connect(&self.url).await.unwrap();
        let found = sqlx::query_scalar(sql).fetch_one(&mut connection).await;
        found.unwrap()
    }
}

/// Issues a key.
pub(crate) async fn key(store: &Store) -> String {
    let label = "test".parse().unwrap();
    let now = OffsetDateTime::now_utc();
    let (_, key) =
        store.keys().issue(&label, &toolkit_store::KeyTerms::default(), now).await.unwrap();
    key.expose().to_owned()
}

/// Runs a test on SQLite and, if a server is configured, on PostgreSQL.
pub(crate) async fn on_each(test: impl AsyncFn(&Database)) {
    test(&Database::sqlite()).await;
    if let Some(database) = postgres().await {
        test(&database).await;
    }
}

/// Creates a schema on the PostgreSQL server, if one is configured. The schema is removed together
/// with the server.
pub(crate) async fn postgres() -> Option<Database> {
    let Ok(server) = std::env::var("TOOLKIT_TEST_POSTGRES") else {
        println!("skipped on PostgreSQL: TOOLKIT_TEST_POSTGRES is not set");
        return None;
    };
    let random = u128::from_ne_bytes(*uuid::Uuid::new_v4().as_bytes());
    let schema = format!("api_{}", Ulid::from_parts(0, random)).to_lowercase();
    let mut connection = PgConnection::connect(&server).await.unwrap();
    let sql = format!("CREATE SCHEMA {schema}");
    connection.execute(AssertSqlSafe(sql)).await.unwrap();
    let separator = if server.contains('?') { '&' } else { '?' };
    let url = format!("{server}{separator}options[search_path]={schema}");
    Some(Database::at(url))
}
