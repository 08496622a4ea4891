//! Migrations: numbered steps that run when a database is opened.
//!
//! A released step is never changed: a new one follows it. Each runs in one transaction together
//! with its record, so an interrupted one has not happened.

use sqlx::migrate::Migrator;
use sqlx::{PgConnection, SqliteConnection};

use crate::error::StoreError;

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// Runs the missing steps, inside a transaction that the caller has begun: SQLite has no lock that
/// would keep a second process out between two steps.
pub(super) async fn run_sqlite(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    Ok(SQLITE.run_direct(None, connection, false).await?)
}

/// Runs the missing steps under an advisory lock, so that another process waits and then finds
/// nothing to do. After a failure the lock ends with the connection, which the caller must not use
/// again.
pub(super) async fn run_postgres(connection: &mut PgConnection) -> Result<(), StoreError> {
    Ok(POSTGRES.run_direct(None, connection, false).await?)
}
