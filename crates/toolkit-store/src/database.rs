//! Database access: a common interface to SQLite and PostgreSQL, with timeouts.
//!
//! A statement is written once, with `$1`, `$2`, … and the types that both databases share: text,
//! 64-bit integer and bytes. `sqlx::Any` would do the same, but supports fewer types, and hides
//! which database it is connected to where that matters (locks, `SKIP LOCKED`, commits).
//!
//! Migrations are numbered steps that run when a database is opened. A released step is not
//! changed: a new one follows it. All missing steps and their records are one transaction, so an
//! interrupted migration leaves nothing behind.
//!
//! Every operation is a separate task on the runtime that opened the database. It completes even if
//! its caller has gone, so no connection is left in the middle of a transaction.

mod connection;
mod file;
mod postgres;
mod sqlite;
mod usage;
mod value;
mod writer;

use std::cmp::Ordering as Cmp;
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

/// A migration: its name, and its SQL for SQLite and PostgreSQL.
type Step = (&'static str, &'static str, &'static str);

/// Reads a migration's files.
///
/// Not `sqlx::migrate!`, which lists a folder: it would build both drivers, and SQLite, again for
/// the compiler.
macro_rules! migration {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../migrations/sqlite/", $name, ".sql")),
            include_str!(concat!("../migrations/postgres/", $name, ".sql")),
        )
    };
}

const MIGRATIONS: &[Step] = &[migration!("0001_initial")];

/// The steps that a database has, in order.
const APPLIED: &str = "SELECT version, checksum FROM _sqlx_migrations ORDER BY version";

/// What a program may do with a database that it opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read, even where nothing can be written: on a full disk, or on a standby.
    Read,
    /// Write, but not migrate an older database, which older servers may be using.
    Write,
    /// Write and migrate.
    Migrate,
}

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

    fn migrator(self, steps: &'static [Step]) -> Migrator {
        let migration = |(version, (name, lite, postgres)): (_, &Step)| {
            let sql = if self == Self::Sqlite { *lite } else { *postgres };
            let sql = SqlStr::from_static(sql);
            Migration::new(version, (*name).into(), MigrationType::Simple, sql, false)
        };
        Migrator::with_migrations((1..).zip(steps).map(migration).collect())
    }
}

/// The connections of a store.
#[derive(Debug, Clone, Copy)]
pub struct Connections {
    /// Maximum number.
    pub max: u32,
    /// Whether a pooler such as `PgBouncer` runs each transaction in another PostgreSQL session.
    /// Detected if `None`.
    pub pooler: Option<bool>,
}

impl From<u32> for Connections {
    fn from(max: u32) -> Self {
        Self { max, pooler: None }
    }
}

/// The database that a URL names.
fn backend(url: &str) -> Result<Backend, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => Ok(Backend::Sqlite),
        Some("postgres" | "postgresql") => Ok(Backend::Postgres),
        _ => Err(StoreError::Url("must begin with `sqlite:` or `postgres:`")),
    }
}

/// Checks a URL without connecting.
pub(crate) fn check_url(url: &str) -> Result<(), StoreError> {
    match backend(url)? {
        Backend::Sqlite => sqlite::options(url).map(drop),
        Backend::Postgres => postgres::options(url).map(drop),
    }
}

pub(crate) struct Database {
    kind: Kind,
    waits: Waits,
    runtime: Handle,
    pooler: Option<bool>,
    migrations: &'static [Step],
    /// Whether the tables exist.
    is_open: AtomicBool,
}

enum Kind {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

impl Database {
    /// Prepares connections to a database, which [`Self::open`] opens.
    pub(crate) fn new(url: &str, connections: Connections) -> Result<Self, StoreError> {
        let kind = match backend(url)? {
            Backend::Sqlite => Kind::Sqlite(Sqlite::new(url, connections.max)?),
            Backend::Postgres => Kind::Postgres(Postgres::new(url, connections)?),
        };
        Ok(Self {
            kind,
            waits: Waits::default(),
            runtime: Handle::current(),
            pooler: connections.pooler,
            migrations: MIGRATIONS,
            is_open: AtomicBool::new(false),
        })
    }

    /// Opens the database and creates or migrates its tables. Until then, operations are refused.
    pub(crate) async fn open(&self, access: Access) -> Result<(), StoreError> {
        let migrator = self.backend().migrator(self.migrations);
        match &self.kind {
            Kind::Sqlite(sqlite) => sqlite.prepare(migrator, access).await?,
            Kind::Postgres(postgres) => postgres.prepare(self.pooler, migrator, access).await?,
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
            // Within a transaction, a pooler uses one session for all steps of a statement.
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

    /// Runs statements in one transaction. When this returns `Ok`, they are on disk together.
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

    /// Runs one statement in its own transaction and returns the number of rows changed.
    pub(crate) async fn execute<const N: usize>(
        &self,
        sql: &'static str,
        values: [Value; N],
    ) -> Result<u64, StoreError> {
        self.write(move |c| Box::pin(c.execute(sql, values))).await
    }

    /// Returns the space of deleted rows to the file system, for all files. PostgreSQL does so
    /// automatically. Returns whether deleted data is gone from all files, since a reader may hold
    /// the log.
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

    /// Whether the file is damaged, deleted or replaced, so that it is not written until a restart.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(&self.kind, Kind::Sqlite(sqlite) if sqlite.file.is_lost())
    }

    /// Takes a connection for reading or writing, for work without a deadline.
    pub(crate) async fn connection(&self, is_read: bool) -> Result<Connection, StoreError> {
        Ok(match &self.kind {
            Kind::Sqlite(sqlite) => {
                let pool = if is_read { &sqlite.readers } else { &sqlite.writers };
                Connection::Sqlite(pool.acquire().await?)
            }
            Kind::Postgres(postgres) => {
                Connection::Postgres(postgres.pool.acquire().await?, postgres.are_pooled())
            }
        })
    }

    /// Runs an operation on PostgreSQL, on a connection to a host known to work.
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

    /// Runs an operation on a pool's connection. A connection that failed or missed the deadline
    /// does not return to the pool, which would wait for it before replacing it.
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

/// Refuses a database from before the first release, whose first step differs, one with more steps
/// than this program has, and one with fewer, unless it may add them. A database without steps is
/// new.
fn refuse_older(
    applied: &[(i64, Vec<u8>)],
    migrator: &Migrator,
    access: Access,
) -> Result<(), StoreError> {
    let (Some((_, first)), Some(ours)) = (applied.first(), migrator.iter().next()) else {
        return Ok(());
    };
    if *ours.checksum != **first {
        return Err(StoreError::incompatible(Mismatch::Unreleased));
    }
    match applied.len().cmp(&migrator.iter().len()) {
        Cmp::Less if access != Access::Migrate => Err(StoreError::incompatible(Mismatch::Older)),
        Cmp::Greater => Err(StoreError::incompatible(Mismatch::Newer)),
        _ => Ok(()),
    }
}

/// Runs an operation in a PostgreSQL transaction, and sets the flag before the commit.
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
            // If even this fails, the connection is broken, which also ends the transaction.
            let _ = connection.execute("ROLLBACK", []).await;
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::{Connection as _, raw_sql};

    use super::*;

    /// A second step, as the next release might have.
    const TWO: &[Step] = &[
        MIGRATIONS[0],
        (
            "0002_test",
            "ALTER TABLE contacts ADD COLUMN phone TEXT",
            "ALTER TABLE contacts ADD COLUMN phone TEXT",
        ),
    ];

    async fn open(
        url: &str,
        migrations: &'static [Step],
        access: Access,
    ) -> Result<Database, StoreError> {
        let database = Database { migrations, ..Database::new(url, 2.into())? };
        database.open(access).await.map(|()| database)
    }

    async fn upgrade(url: &str) {
        let misfit = |opened: Result<Database, _>| match opened.err() {
            Some(StoreError::Incompatible { misfit, .. }) => misfit,
            other => panic!("{other:?}"),
        };
        open(url, MIGRATIONS, Access::Write).await.unwrap();
        for access in [Access::Read, Access::Write] {
            assert_eq!(misfit(open(url, TWO, access).await), Mismatch::Older);
            open(url, MIGRATIONS, access).await.unwrap();
        }
        open(url, TWO, Access::Migrate).await.unwrap();
        for access in [Access::Read, Access::Write, Access::Migrate] {
            let database = open(url, TWO, access).await.unwrap();
            database.rows("SELECT phone FROM contacts", []).await.unwrap();
            assert_eq!(misfit(open(url, MIGRATIONS, access).await), Mismatch::Newer);
        }
    }

    #[tokio::test]
    async fn a_second_migration_runs_when_it_may_and_is_refused_by_the_program_before_it() {
        let folder = tempfile::tempdir().unwrap();
        upgrade(&format!("sqlite://{}/store.db", folder.path().display())).await;
        let Ok(server) = std::env::var("TOOLKIT_TEST_POSTGRES") else {
            return;
        };
        let mut admin = sqlx::PgConnection::connect(&server).await.unwrap();
        let drop = "DROP SCHEMA IF EXISTS second_migration CASCADE";
        raw_sql(drop).execute(&mut admin).await.unwrap();
        raw_sql("CREATE SCHEMA second_migration").execute(&mut admin).await.unwrap();
        let mark = if server.contains('?') { '&' } else { '?' };
        upgrade(&format!("{server}{mark}options[search_path]=second_migration")).await;
        raw_sql(drop).execute(&mut admin).await.unwrap();
    }
}
