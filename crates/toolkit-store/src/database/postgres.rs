//! PostgreSQL backend.

use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection, PgPool};
use tokio::time::timeout;

use super::migrations;
use crate::error::{Reason, StoreError};
use crate::limits::{ACQUIRE_TIMEOUT, IDLE_TRANSACTION_TIMEOUT, OPEN_TIMEOUT, STATEMENT_TIMEOUT};

pub(super) struct Postgres {
    pub(super) pool: PgPool,
}

impl Postgres {
    pub(super) async fn open(url: &str, max_connections: u32) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|_| {
                StoreError::Url("must look like `postgres://user:password@host/database`")
            })?
            .application_name("toolkit")
            .disable_statement_logging();
        timeout(OPEN_TIMEOUT, migrate(&options))
            .await
            .map_err(|_| StoreError::unavailable(Reason::TimedOut))??;
        let pool = PgPoolOptions::new()
            .max_connections(max_connections.max(1))
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .after_connect(|connection, _| Box::pin(set_limits(connection)))
            .connect_lazy_with(options);
        Ok(Self { pool })
    }
}

/// Migrates on a separate connection, since a step may take longer than a statement of the service.
async fn migrate(options: &PgConnectOptions) -> Result<(), StoreError> {
    let mut connection = options.connect().await?;
    migrations::run_postgres(&mut connection).await?;
    connection.close().await?;
    Ok(())
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
