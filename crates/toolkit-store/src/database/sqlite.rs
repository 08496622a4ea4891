//! SQLite backend.
//!
//! Uses a write-ahead log with `synchronous = FULL`: a commit is on disk before it is acknowledged.
//! One connection writes (see `writer`) and several read, so a reader never waits for a writer.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection as _, Executor, SqliteConnection, SqlitePool,
};
use tokio::time::{Instant, sleep};

use super::Backend;
use super::file::File;
use super::writer::Writer;
use crate::error::{Mismatch, Reason, StoreError};
use crate::limits::{ACQUIRE_TIMEOUT, BUSY_TIMEOUT, OPEN_TIMEOUT, WAL_BYTES_MAX};

/// Marks a file as ours (`PRAGMA application_id`): the letters `TLKT`.
const APPLICATION_ID: i32 = 0x544c_4b54;

pub(super) struct Sqlite {
    pub(super) readers: SqlitePool,
    pub(super) writer: Writer,
    pub(super) writers: SqlitePool,
    pub(super) file: Arc<File>,
    plain: SqliteConnectOptions,
}

impl Sqlite {
    /// Prepares connections, and opens none.
    pub(super) fn new(url: &str, max_connections: u32) -> Result<Self, StoreError> {
        let plain = SqliteConnectOptions::from_str(url)
            .map_err(|_| StoreError::Url("must look like `sqlite://path/to/file.db`"))?
            .create_if_missing(true)
            .busy_timeout(BUSY_TIMEOUT)
            .disable_statement_logging();
        let is_memory = url.contains(":memory:") || url.contains("mode=memory");
        if is_memory || plain.get_filename().as_os_str().is_empty() {
            return Err(StoreError::Url("must name a file: what is in memory is lost"));
        }
        let file = Arc::new(File::new(plain.get_filename().to_owned()));
        // Later connections create no file: one that is gone is not to be replaced by an empty one.
        let later = plain.clone().create_if_missing(false);
        // A reader sets nothing that needs a lock, so that it can connect while another process
        // writes.
        let readers = SqlitePoolOptions::new()
            .max_connections(max_connections.saturating_sub(1).max(1))
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_lazy_with(later.clone().pragma("query_only", "ON"));
        let writers = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_lazy_with(journalled(later));
        let writer = Writer::start(writers.clone(), Arc::clone(&file));
        Ok(Self { readers, writer, writers, file, plain })
    }

    /// Opens the file and migrates its tables.
    pub(super) async fn prepare(&self, migrates: bool) -> Result<(), StoreError> {
        prepare(&self.plain, migrates).await?;
        self.file.is_open();
        Ok(())
    }

    pub(super) async fn close(&self) {
        self.readers.close().await;
        // The last connection to close checkpoints the log, so it must be one that may write.
        self.writers.close().await;
    }
}

fn journalled(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options
        .auto_vacuum(SqliteAutoVacuum::Incremental)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .pragma("journal_size_limit", WAL_BYTES_MAX.to_string())
        // Deleted personal data leaves no trace in the file.
        .pragma("secure_delete", "ON")
}

/// Checks that the file is ours, or new, and migrates it. Waits for another process that does the
/// same: SQLite answers "locked" at once where waiting could be a deadlock.
async fn prepare(plain: &SqliteConnectOptions, migrates: bool) -> Result<(), StoreError> {
    let deadline = Instant::now() + OPEN_TIMEOUT;
    loop {
        match prepare_once(plain, migrates).await {
            Err(StoreError::Unavailable { reason: Reason::Locked, .. })
                if Instant::now() + BUSY_TIMEOUT < deadline =>
            {
                sleep(Duration::from_millis(20)).await;
            }
            result => return result,
        }
    }
}

async fn prepare_once(plain: &SqliteConnectOptions, migrates: bool) -> Result<(), StoreError> {
    // Until the file is known to be ours, nothing may change it, not even its journal mode.
    let mut connection = plain.connect().await?;
    // In one transaction, so that mark and tables are consistent.
    let mut snapshot = connection.begin().await?;
    refuse_foreign(&mut snapshot).await?;
    snapshot.rollback().await?;
    connection.close().await?;
    // Before there is anything in it; SQLite gives its log the same permissions.
    restrict(plain.get_filename());

    let mut connection = journalled(plain.clone()).connect().await?;
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // Again, under the lock: another application may have been faster.
    if refuse_foreign(&mut transaction).await? {
        let sql = "SELECT COUNT(*) FROM _sqlx_migrations";
        let applied = sqlx::query_scalar(sql).fetch_one(&mut *transaction).await?;
        super::refuse_older(applied, migrates)?;
    }
    // Inside the transaction: SQLite has no lock that would keep a second process out between two
    // steps.
    let migrator = Backend::Sqlite.migrator();
    migrator.run_direct(None, &mut *transaction, false).await?;
    let mark = format!("PRAGMA application_id = {APPLICATION_ID}");
    transaction.execute(AssertSqlSafe(mark)).await?;
    transaction.commit().await?;
    Ok(connection.close().await?)
}

/// Makes a file readable by its owner alone. One that belongs to another user stays as it is.
#[cfg(unix)]
fn restrict(file: &Path) {
    use std::os::unix::fs::PermissionsExt;

    let Ok(metadata) = file.metadata() else {
        return;
    };
    if metadata.permissions().mode() & 0o077 != 0 {
        let _ = std::fs::set_permissions(file, PermissionsExt::from_mode(0o600));
    }
}

#[cfg(not(unix))]
fn restrict(_: &Path) {}

/// Refuses a database with tables but without our mark, and returns whether there are tables.
async fn refuse_foreign(connection: &mut SqliteConnection) -> Result<bool, StoreError> {
    let mark: i32 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    let tables: i64 =
        sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master").fetch_one(connection).await?;
    if tables == 0 || mark == APPLICATION_ID {
        Ok(tables > 0)
    } else {
        Err(StoreError::incompatible(Mismatch::Foreign))
    }
}
