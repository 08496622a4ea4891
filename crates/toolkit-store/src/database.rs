//! Database access: a common interface to SQLite and PostgreSQL, with timeouts.
//!
//! A statement is written once, with `$1`, `$2`, … and the types text, 64-bit integer and bytes,
//! which both databases share. `sqlx::Any` would do the same but is not used: it supports fewer
//! types, and it hides which database it is connected to where the difference matters (locks, `SKIP
//! LOCKED`, commits).
//!
//! Migrations are numbered steps that run when a database is opened. A released step is never
//! changed: a new one follows it. Each runs in one transaction together with its record, so an
//! interrupted one has not happened.
//!
//! Every operation is a separate task on the runtime that opened the database. It runs to its end
//! even if its caller has gone, so that a connection is never left in the middle of a transaction.

mod connection;
mod postgres;
mod sqlite;
mod usage;
mod value;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::BoxFuture;
use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Pool};
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout_at};

pub(crate) use self::connection::Connection;
use self::sqlite::Sqlite;
pub use self::usage::Usage;
use self::usage::{Waits, connections, is_busy};
pub(crate) use self::value::{Row, Value, new_id, serialize_id};
use crate::error::{Mismatch, Reason, StoreError};
use crate::limits::OPERATION_TIMEOUT;

/// A migration: its name, and its SQL for SQLite and for PostgreSQL.
///
/// Not `sqlx::migrate!`, which lists a folder: it builds both drivers, and SQLite, again for the compiler.
macro_rules! migration {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../migrations/sqlite/", $name, ".sql")),
            include_str!(concat!("../migrations/postgres/", $name, ".sql")),
        )
    };
}

const MIGRATIONS: [(&str, &str, &str); 9] = [
    migration!("0001_initial"),
    migration!("0002_idempotency_keys"),
    migration!("0003_clock"),
    migration!("0004_email_keys"),
    migration!("0005_key_limits"),
    migration!("0006_key_scopes"),
    migration!("0007_opt_outs"),
    migration!("0008_webhooks"),
    migration!("0009_key_tokens"),
];

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

    fn migrator(self) -> Migrator {
        let migration = |(version, (name, lite, postgres)): (_, (&'static str, _, _))| {
            let sql = if self == Self::Sqlite { lite } else { postgres };
            let sql = SqlStr::from_static(sql);
            Migration::new(version, name.into(), MigrationType::Simple, sql, false)
        };
        Migrator::with_migrations((1..).zip(MIGRATIONS).map(migration).collect())
    }
}

pub(crate) struct Database {
    kind: Kind,
    waits: Waits,
    runtime: Handle,
}

enum Kind {
    Sqlite(Sqlite),
    Postgres(PgPool),
}

impl Database {
    pub(crate) async fn open(
        url: &str,
        max_connections: u32,
        migrates: bool,
    ) -> Result<Self, StoreError> {
        let kind = match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Kind::Sqlite(Sqlite::open(url, max_connections, migrates).await?),
            Some("postgres" | "postgresql") => {
                Kind::Postgres(postgres::open(url, max_connections, migrates).await?)
            }
            _ => return Err(StoreError::Url("must begin with `sqlite:` or `postgres:`")),
        };
        Ok(Self { kind, waits: Waits::default(), runtime: Handle::current() })
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
            Kind::Postgres(pool) => [connections(pool), (0, 0)],
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
        match &self.kind {
            Kind::Sqlite(sqlite) => {
                let readers = &sqlite.readers;
                self.run(readers, Connection::Sqlite, operation).await
            }
            Kind::Postgres(pool) => self.run(pool, Connection::Postgres, operation).await,
        }
    }

    /// Runs one read-only statement and returns its rows.
    pub(crate) async fn rows<const N: usize>(
        &self,
        sql: &'static str,
        values: [Value; N],
    ) -> Result<Vec<Row>, StoreError> {
        self.read(move |c| Box::pin(c.rows(sql, values))).await
    }

    /// Runs statements in one transaction: when this returns `Ok`, they are on disk together.
    pub(crate) async fn write<T, F>(&self, operation: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T> + Send + 'static,
    {
        match &self.kind {
            Kind::Sqlite(sqlite) => {
                let has_to_wait = sqlite.writer.has_queue() || is_busy(&sqlite.writers);
                self.waits.note(has_to_wait);
                sqlite.writer.write(operation).await
            }
            Kind::Postgres(pool) => {
                let commits = Arc::new(AtomicBool::new(false));
                let flag = Arc::clone(&commits);
                let result = self.run(pool, Connection::Postgres, |c| {
                    Box::pin(in_transaction(c, operation, flag))
                });
                result.await.map_err(|error| {
                    if commits.load(Ordering::Relaxed) { error.of_commit() } else { error }
                })
            }
        }
    }

    /// Runs one statement in a transaction of its own and returns the number of rows changed.
    pub(crate) async fn execute<const N: usize>(
        &self,
        sql: &'static str,
        values: [Value; N],
    ) -> Result<u64, StoreError> {
        self.write(move |c| Box::pin(c.execute(sql, values))).await
    }

    /// Returns the space of deleted rows, in every file, to the file system; PostgreSQL does so by
    /// itself. Returns whether deleted data is gone from all files: a reader may hold the log.
    pub(crate) async fn shrink(&self) -> Result<bool, StoreError> {
        let Kind::Sqlite(_) = &self.kind else {
            return Ok(true);
        };
        let vacuum = "PRAGMA incremental_vacuum(1000)";
        self.write(|c| Box::pin(c.rows(vacuum, []))).await?;
        let rows = self.rows("PRAGMA wal_checkpoint(TRUNCATE)", []).await?;
        let row =
            rows.first().ok_or_else(|| StoreError::internal("a checkpoint returned nothing"))?;
        Ok(row.get::<i64>("busy")? == 0)
    }

    pub(crate) async fn close(&self) {
        match &self.kind {
            Kind::Sqlite(sqlite) => sqlite.close().await,
            Kind::Postgres(pool) => pool.close().await,
        }
    }

    /// Takes a connection that may write, for work without a deadline.
    pub(crate) async fn connection(&self) -> Result<Connection, StoreError> {
        Ok(match &self.kind {
            Kind::Sqlite(sqlite) => Connection::Sqlite(sqlite.writers.acquire().await?),
            Kind::Postgres(pool) => Connection::Postgres(pool.acquire().await?),
        })
    }

    /// Runs an operation on a connection of a pool. A connection that missed the deadline does not
    /// go back to the pool, which would wait for it before replacing it.
    async fn run<D, T, F>(
        &self,
        pool: &Pool<D>,
        kind: fn(PoolConnection<D>) -> Connection,
        operation: F,
    ) -> Result<T, StoreError>
    where
        D: sqlx::Database,
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T> + Send + 'static,
    {
        let deadline = Instant::now() + OPERATION_TIMEOUT;
        let (pool, waits) = (pool.clone(), self.waits.clone());
        let task = self.runtime.spawn(async move {
            let mut connection = kind(waits.acquire(&pool).await?);
            if let Ok(result) = timeout_at(deadline, operation(&mut connection)).await {
                return result;
            }
            connection.discard();
            Err(StoreError::unavailable(Reason::TimedOut))
        });
        task.await.unwrap_or_else(|error| Err(StoreError::internal(error.to_string())))
    }
}

/// Refuses a database with fewer migrations than this program has, unless it may add them. One
/// without any is new.
fn refuse_older(applied: i64, migrates: bool) -> Result<(), StoreError> {
    let known = 1..MIGRATIONS.len();
    let is_older = usize::try_from(applied).is_ok_and(|applied| known.contains(&applied));
    if is_older && !migrates {
        return Err(StoreError::incompatible(Mismatch::Older));
    }
    Ok(())
}

/// Runs an operation in a transaction, and sets the flag before the commit.
async fn in_transaction<T, F>(
    connection: &mut Connection,
    operation: F,
    commits: Arc<AtomicBool>,
) -> Result<T, StoreError>
where
    F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T>,
{
    connection.execute("BEGIN", []).await?;
    match operation(connection).await {
        Ok(value) => {
            commits.store(true, Ordering::Relaxed);
            connection.execute("COMMIT", []).await.map(|_| value)
        }
        Err(error) => {
            // If even this fails, the connection is broken, which ends the transaction as well.
            let _ = connection.execute("ROLLBACK", []).await;
            Err(error)
        }
    }
}
