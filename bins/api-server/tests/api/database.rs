//! A database of each kind, thrown away after the test.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tempfile::TempDir;
use toolkit_store::Ulid;

/// An empty database.
pub(crate) struct Database {
    pub(crate) url: String,
    _folder: TempDir,
}

impl Database {
    /// The file of this URL, and the folder that it goes with.
    pub(crate) fn sqlite(folder: TempDir, url: String) -> Self {
        Self {
            url,
            _folder: folder,
        }
    }
}

/// Runs a test on SQLite and, where there is a server, on PostgreSQL.
pub(crate) async fn on_each(test: impl AsyncFn(&Database)) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/toolkit.db", folder.path().display());
    test(&Database::sqlite(folder, url)).await;
    if let Some(database) = postgres().await {
        test(&database).await;
    }
}

/// A schema of its own on the PostgreSQL server, if there is one. It goes with the server.
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
    let folder = tempfile::tempdir().unwrap();
    Some(Database {
        url,
        _folder: folder,
    })
}
