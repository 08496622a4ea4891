//! Database access: a common interface to SQLite and PostgreSQL, with timeouts.
//!
//! A statement is written once, with `$1`, `$2`, … and the types text, 64-bit integer and bytes,
//! which both databases share. `sqlx::Any` would do the same but is not used: it supports fewer
//! types, and it hides which database it is connected to where the difference matters (locks, `SKIP
//! LOCKED`, commits).
//!
//! Every operation is a separate task on the runtime that opened the database. It runs to its end
//! even if its caller has gone, so that a connection is never left in the middle of a transaction.

mod connection;
mod migrations;
mod postgres;
mod sqlite;
mod usage;
mod value;
mod writer;

use futures::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout_at};

pub(crate) use self::connection::Connection;
use self::postgres::Postgres;
use self::sqlite::Sqlite;
pub use self::usage::Usage;
use self::usage::{Waits, connections, is_busy};
pub(crate) use self::value::{Row, Value, milliseconds};
use crate::error::{Reason, StoreError};
use crate::limits::OPERATION_TIMEOUT;

/// An operation on a borrowed connection.
pub(crate) type Work<'c, T> = BoxFuture<'c, Result<T, StoreError>>;

/// The kind of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// A file, through SQLite.
    Sqlite,
    /// A PostgreSQL server.
    Postgres,
}

impl Backend {
    /// The name used in health reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

pub(crate) struct Database {
    kind: Kind,
    waits: Waits,
    runtime: Handle,
}

enum Kind {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Database {
    pub(crate) async fn open(url: &str, max_connections: u32) -> Result<Self, StoreError> {
        let kind = match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Kind::Sqlite(Sqlite::open(url, max_connections).await?),
            Some("postgres" | "postgresql") => {
                Kind::Postgres(Postgres::open(url, max_connections).await?)
            }
            _ => return Err(StoreError::Url("must begin with `sqlite:` or `postgres:`")),
        };
        Ok(Self {
            kind,
            waits: Waits::default(),
            runtime: Handle::current(),
        })
    }

    pub(crate) fn backend(&self) -> Backend {
        match self.kind {
            Kind::Sqlite(_) => Backend::Sqlite,
            Kind::Postgres(_) => Backend::Postgres,
        }
    }

    pub(crate) fn usage(&self) -> Usage {
        let pools = match &self.kind {
            Kind::Sqlite(sqlite) => [connections(&sqlite.readers), connections(&sqlite.writers)],
            Kind::Postgres(postgres) => [connections(&postgres.pool), (0, 0)],
        };
        Usage {
            open: pools.iter().map(|(open, _)| open).sum(),
            in_use: pools.iter().map(|(_, in_use)| in_use).sum(),
            waits: self.waits.count(),
        }
    }

    /// Runs read-only statements.
    pub(crate) async fn read<T, F>(&self, operation: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T> + Send + 'static,
    {
        let deadline = Instant::now() + OPERATION_TIMEOUT;
        let waits = self.waits.clone();
        match &self.kind {
            Kind::Sqlite(sqlite) => {
                let readers = sqlite.readers.clone();
                self.run(async move {
                    let connection = Connection::Sqlite(waits.acquire(&readers).await?);
                    until(deadline, connection, operation).await
                })
                .await
            }
            Kind::Postgres(postgres) => {
                let pool = postgres.pool.clone();
                self.run(async move {
                    let connection = Connection::Postgres(waits.acquire(&pool).await?);
                    until(deadline, connection, operation).await
                })
                .await
            }
        }
    }

    /// Runs statements in one transaction: when this returns `Ok`, they are on disk together.
    pub(crate) async fn write<T, F>(&self, operation: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T> + Send + 'static,
    {
        let deadline = Instant::now() + OPERATION_TIMEOUT;
        match &self.kind {
            Kind::Sqlite(sqlite) => {
                let has_to_wait = sqlite.writer.has_queue() || is_busy(&sqlite.writers);
                self.waits.note(has_to_wait);
                sqlite.writer.write(operation, deadline).await
            }
            Kind::Postgres(postgres) => {
                let (pool, waits) = (postgres.pool.clone(), self.waits.clone());
                self.run(async move {
                    let connection = Connection::Postgres(waits.acquire(&pool).await?);
                    until(deadline, connection, |c| {
                        Box::pin(in_transaction(c, operation))
                    })
                    .await
                })
                .await
            }
        }
    }

    /// Returns the space of deleted rows, in every file, to the file system; PostgreSQL does so by
    /// itself.
    pub(crate) async fn shrink(&self) -> Result<(), StoreError> {
        match &self.kind {
            Kind::Sqlite(_) => {
                self.write(|c| Box::pin(sqlite::free_pages(c))).await?;
                self.read(|c| Box::pin(sqlite::empty_log(c))).await
            }
            Kind::Postgres(_) => Ok(()),
        }
    }

    pub(crate) async fn close(&self) {
        match &self.kind {
            Kind::Sqlite(sqlite) => sqlite.close().await,
            Kind::Postgres(postgres) => postgres.pool.close().await,
        }
    }

    async fn run<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        let task = self.runtime.spawn(task).await;
        task.unwrap_or_else(|error| Err(StoreError::internal(error.to_string())))
    }
}

/// Runs an operation on a pooled connection. A connection that missed the deadline does not go back
/// to the pool, which would wait for it before replacing it.
async fn until<T, F>(
    deadline: Instant,
    mut connection: Connection,
    operation: F,
) -> Result<T, StoreError>
where
    F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T>,
{
    if let Ok(result) = timeout_at(deadline, operation(&mut connection)).await {
        result
    } else {
        connection.discard();
        Err(StoreError::unavailable(Reason::TimedOut))
    }
}

async fn in_transaction<T, F>(connection: &mut Connection, operation: F) -> Result<T, StoreError>
where
    F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T>,
{
    connection.execute("BEGIN", []).await?;
    match operation(connection).await {
        Ok(value) => connection.execute("COMMIT", []).await.map(|_| value),
        Err(error) => {
            // If even this fails, the connection is broken, which ends the transaction as well.
            let _ = connection.execute("ROLLBACK", []).await;
            Err(error)
        }
    }
}
