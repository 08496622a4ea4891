//! Database access: a common interface to SQLite and PostgreSQL, with timeouts.
//!
//! A statement is written once, with `$1`, `$2`, … and the types text, 64-bit integer and bytes,
//! which both databases share. `sqlx::Any` would do the same but is not used: it supports fewer
//! types, and it hides which database it is connected to where the difference matters (locks, `SKIP
//! LOCKED`, commits).
//!
//! Migrations are numbered steps that run when a database is opened. A released step is never
//! changed: a new one follows it. They run in one transaction together with their records, so an
//! interrupted one has not happened.
//!
//! Every operation is a separate task on the runtime that opened the database. It runs to its end
//! even if its caller has gone, so that a connection is never left in the middle of a transaction.

mod connection;
mod file;
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
use sqlx::{AssertSqlSafe, Pool};
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout_at};

pub(crate) use self::connection::Connection;
use self::postgres::Postgres;
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

/// The connections of a store.
#[derive(Debug, Clone, Copy)]
pub struct Connections {
    /// The most at a time.
    pub max: u32,
    /// Whether a pooler such as `PgBouncer` serves each transaction by another session of PostgreSQL; found by
    /// itself if `None`.
    pub pooler: Option<bool>,
}

impl From<u32> for Connections {
    fn from(max: u32) -> Self {
        Self { max, pooler: None }
    }
}

pub(crate) struct Database {
    kind: Kind,
    waits: Waits,
    runtime: Handle,
    pooler: Option<bool>,
    /// Whether the tables are there.
    is_open: AtomicBool,
}

enum Kind {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Database {
    /// Prepares connections to a database, which [`Self::open`] opens.
    pub(crate) fn new(url: &str, connections: Connections) -> Result<Self, StoreError> {
        let kind = match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Kind::Sqlite(Sqlite::new(url, connections.max)?),
            Some("postgres" | "postgresql") => Kind::Postgres(Postgres::new(url, connections)?),
            _ => return Err(StoreError::Url("must begin with `sqlite:` or `postgres:`")),
        };
        Ok(Self {
            kind,
            waits: Waits::default(),
            runtime: Handle::current(),
            pooler: connections.pooler,
            is_open: AtomicBool::new(false),
        })
    }

    /// Opens the database and migrates its tables. Until then operations are refused.
    pub(crate) async fn open(&self, migrates: bool) -> Result<(), StoreError> {
        match &self.kind {
            Kind::Sqlite(sqlite) => sqlite.prepare(migrates).await?,
            Kind::Postgres(postgres) => postgres.prepare(self.pooler, migrates).await?,
        }
        self.is_open.store(true, Ordering::Relaxed);
        Ok(())
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
        match &self.kind {
            Kind::Sqlite(sqlite) => {
                sqlite.file.check()?;
                let deadline = Instant::now() + OPERATION_TIMEOUT;
                let result =
                    self.run(&sqlite.readers, Connection::Sqlite, deadline, operation).await;
                sqlite.file.note(result)
            }
            // In a transaction of a pooler, one session serves all steps of a statement.
            Kind::Postgres(postgres) if postgres.are_pooled() => {
                self.run_on(postgres, true, |c| Box::pin(in_transaction(c, operation, None))).await
            }
            Kind::Postgres(postgres) => self.run_on(postgres, true, operation).await,
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
                sqlite.file.check_for_writing()?;
                let has_to_wait = sqlite.writer.has_queue() || is_busy(&sqlite.writers);
                self.waits.note(has_to_wait);
                sqlite.file.note(sqlite.writer.write(operation).await)
            }
            Kind::Postgres(postgres) => {
                let commits = Arc::new(AtomicBool::new(false));
                let flag = Some(Arc::clone(&commits));
                let result =
                    self.run_on(postgres, false, |c| Box::pin(in_transaction(c, operation, flag)));
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
            Kind::Postgres(postgres) => postgres.pool.close().await,
        }
    }

    /// Whether the file is damaged, deleted or replaced: it takes no writes until a restart.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(&self.kind, Kind::Sqlite(sqlite) if sqlite.file.is_lost())
    }

    /// Takes a connection that may write, for work without a deadline.
    pub(crate) async fn connection(&self) -> Result<Connection, StoreError> {
        Ok(match &self.kind {
            Kind::Sqlite(sqlite) => Connection::Sqlite(sqlite.writers.acquire().await?),
            Kind::Postgres(postgres) => {
                Connection::Postgres(postgres.pool.acquire().await?, postgres.are_pooled())
            }
        })
    }

    /// Runs an operation on PostgreSQL, on a connection to a host that is known to be well.
    async fn run_on<T, F>(
        &self,
        postgres: &Postgres,
        is_read: bool,
        operation: F,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T> + Send + 'static,
    {
        if !self.is_open.load(Ordering::Relaxed) {
            return Err(StoreError::unavailable(Reason::OutOfReach));
        }
        let deadline = Instant::now() + OPERATION_TIMEOUT;
        match postgres.seek().await {
            Err(StoreError::Unavailable { reason: Reason::ReadOnly, .. }) if is_read => {}
            sought => sought?,
        }
        let kind = if postgres.are_pooled() {
            |c| Connection::Postgres(c, true)
        } else {
            |c| Connection::Postgres(c, false)
        };
        let result = self.run(&postgres.pool, kind, deadline, operation).await;
        result.inspect_err(|error| postgres.note(error))
    }

    /// Runs an operation on a connection of a pool. A connection that failed or missed the deadline does
    /// not go back to the pool, which would wait for it before replacing it.
    async fn run<D, T, F>(
        &self,
        pool: &Pool<D>,
        kind: fn(PoolConnection<D>) -> Connection,
        deadline: Instant,
        operation: F,
    ) -> Result<T, StoreError>
    where
        D: sqlx::Database,
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T> + Send + 'static,
    {
        let (pool, waits) = (pool.clone(), self.waits.clone());
        let task = self.runtime.spawn(async move {
            let mut connection = kind(waits.acquire(&pool).await?);
            let result = timeout_at(deadline, operation(&mut connection)).await;
            let result = result.unwrap_or_else(|_| Err(StoreError::unavailable(Reason::TimedOut)));
            if result.as_ref().is_err_and(StoreError::may_be_of_the_connection) {
                connection.discard();
            }
            result
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

/// Runs an operation in a transaction of PostgreSQL, and sets the flag before the commit.
async fn in_transaction<T, F>(
    connection: &mut Connection,
    operation: F,
    commits: Option<Arc<AtomicBool>>,
) -> Result<T, StoreError>
where
    F: for<'c> FnOnce(&'c mut Connection) -> Work<'c, T>,
{
    if let Connection::Postgres(session, true) = connection {
        let begin = AssertSqlSafe(postgres::begin_with_limits());
        sqlx::raw_sql(begin).execute(&mut **session).await?;
    } else {
        connection.execute("BEGIN", []).await?;
    }
    match operation(connection).await {
        Ok(value) => {
            if let Some(commits) = commits {
                commits.store(true, Ordering::Relaxed);
            }
            connection.execute("COMMIT", []).await.map(|_| value)
        }
        Err(error) => {
            // If even this fails, the connection is broken, which ends the transaction as well.
            let _ = connection.execute("ROLLBACK", []).await;
            Err(error)
        }
    }
}
