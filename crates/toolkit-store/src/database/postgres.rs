//! PostgreSQL backend.

use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection, PgPool};
use tokio::time::timeout;

use super::Backend;
use crate::error::{Reason, StoreError};
use crate::limits::{ACQUIRE_TIMEOUT, IDLE_TRANSACTION_TIMEOUT, OPEN_TIMEOUT, STATEMENT_TIMEOUT};

pub(super) async fn open(
    url: &str,
    max_connections: u32,
    migrates: bool,
) -> Result<PgPool, StoreError> {
    let options = PgConnectOptions::from_str(url)
        .map_err(|_| StoreError::Url("must look like `postgres://user:password@host/database`"))?
        .application_name("toolkit")
        .disable_statement_logging();
    timeout(OPEN_TIMEOUT, migrate(&options, migrates))
        .await
        .map_err(|_| StoreError::unavailable(Reason::TimedOut))??;
    let pool = PgPoolOptions::new()
        .max_connections(max_connections.max(1))
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .after_connect(|connection, _| Box::pin(set_limits(connection)));
    Ok(pool.connect_lazy_with(options))
}

/// Runs the missing steps under an advisory lock, so that another process waits and then finds
/// nothing to do; on a separate connection, since a step may take longer than a statement of the
/// service, and after a failure the lock ends with it.
async fn migrate(options: &PgConnectOptions, migrates: bool) -> Result<(), StoreError> {
    let mut connection = options.connect().await?;
    let exists = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    if sqlx::query_scalar(exists).fetch_one(&mut connection).await? {
        let sql = "SELECT COUNT(*) FROM _sqlx_migrations";
        let applied = sqlx::query_scalar(sql).fetch_one(&mut connection).await?;
        super::refuse_older(applied, migrates)?;
    }
    let migrator = Backend::Postgres.migrator();
    migrator.run_direct(None, &mut connection, false).await?;
    Ok(connection.close().await?)
}

/// Sets session timeouts, which the server enforces whatever happens to the client.
async fn set_limits(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let limits = format!(
        "SET statement_timeout = {0}; SET lock_timeout = {0}; \
         SET idle_in_transaction_session_timeout = {1}; SET synchronous_commit = on",
        STATEMENT_TIMEOUT.as_millis(),
        IDLE_TRANSACTION_TIMEOUT.as_millis(),
    );
    connection.execute(AssertSqlSafe(limits)).await?;
    Ok(())
}
