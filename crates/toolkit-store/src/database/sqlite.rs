//! SQLite backend.
//!
//! Uses a write-ahead log with `synchronous = FULL`: a commit is on disk before it is acknowledged.
//! One connection writes (see `writer`) and several read, so readers don't wait for writers.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection as _, Executor, SqliteConnection, SqlitePool,
};
use tokio::time::{Instant, sleep};

use super::file::File;
use super::writer::Writer;
use super::{APPLIED, Access, refuse_older};
use crate::backup::beside;
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
    /// Prepares connections without opening any.
    pub(super) fn new(url: &str, max_connections: u32) -> Result<Self, StoreError> {
        let plain = options(url)?;
        let file = Arc::new(File::new(plain.get_filename().to_owned()));
        // Later connections create no file, so that an empty one cannot replace a deleted one.
        let later = plain.clone().create_if_missing(false);
        // Readers set nothing that needs a lock, so they can connect while another process writes.
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

    /// Opens the file and creates or migrates its tables.
    pub(super) async fn prepare(
        &self,
        migrator: Migrator,
        access: Access,
    ) -> Result<(), StoreError> {
        let path = self.plain.get_filename();
        let of_file = |error: StoreError| error.of_file(path);
        let is_read =
            access == Access::Read && self.has_tables(&migrator).await.map_err(of_file)?;
        if !is_read {
            let is_new = !path.exists();
            prepare(&self.plain, &migrator, access).await?;
            // Whoever expects another one, in another folder, sees it here.
            if is_new && access == Access::Migrate {
                tracing::info!("a new database was created");
            }
        }
        self.file.is_open();
        Ok(())
    }

    /// Whether the file has tables, and they are ours. If there is no log, no other program has the
    /// file open, and it is read without one, since a full disk has no room for the log's index.
    async fn has_tables(&self, migrator: &Migrator) -> Result<bool, StoreError> {
        let look = async || {
            let mut connection = self.readers.acquire().await?;
            let found = refuse_others(&mut connection, migrator, Access::Read).await;
            if found.is_err() {
                drop(connection.detach());
            }
            found
        };
        let log = beside(self.plain.get_filename(), "-wal").metadata();
        let has_log = log.is_ok_and(|log| log.len() > 0);
        match look().await {
            Err(StoreError::Unavailable { .. }) if !has_log => {
                let frozen = self.plain.clone().create_if_missing(false).read_only(true);
                self.readers.set_connect_options(frozen.immutable(true));
                look().await
            }
            found => found,
        }
    }

    pub(super) async fn close(&self) {
        self.readers.close().await;
        // The last connection to close checkpoints the log, so it must be a writer.
        self.writers.close().await;
    }
}

/// The options in a URL.
pub(super) fn options(url: &str) -> Result<SqliteConnectOptions, StoreError> {
    let options = SqliteConnectOptions::from_str(url)
        .map_err(|_| StoreError::Url("must look like `sqlite://path/to/file.db`"))?
        .create_if_missing(true)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging();
    let is_memory = url.contains(":memory:") || url.contains("mode=memory");
    if is_memory || options.get_filename().as_os_str().is_empty() {
        return Err(StoreError::Url("must name a file: what is in memory is lost"));
    }
    Ok(options)
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

/// Checks that the file is ours or new, and migrates it. Waits for another process that does the
/// same, since SQLite answers "locked" immediately where waiting could deadlock.
async fn prepare(
    plain: &SqliteConnectOptions,
    migrator: &Migrator,
    access: Access,
) -> Result<(), StoreError> {
    let deadline = Instant::now() + OPEN_TIMEOUT;
    loop {
        match prepare_once(plain, migrator, access).await {
            Err(StoreError::Unavailable { reason: Reason::Locked, .. })
                if Instant::now() + BUSY_TIMEOUT < deadline =>
            {
                sleep(Duration::from_millis(20)).await;
            }
            result => return result,
        }
    }
}

async fn prepare_once(
    plain: &SqliteConnectOptions,
    migrator: &Migrator,
    access: Access,
) -> Result<(), StoreError> {
    // Until the file is known to be ours, nothing may change it, not even the journal mode.
    let opened = plain.connect().await.map_err(StoreError::from);
    let mut connection = opened.map_err(|error| error.of_file(plain.get_filename()))?;
    // In one transaction, so that mark and tables are consistent.
    let mut snapshot = connection.begin().await?;
    refuse_others(&mut snapshot, migrator, access).await?;
    snapshot.rollback().await?;
    connection.close().await?;
    // Before it has contents. SQLite gives its log the same permissions.
    restrict(plain.get_filename());

    let mut connection = journalled(plain.clone()).connect().await?;
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // Again, under the lock, since another application may have been faster.
    refuse_others(&mut transaction, migrator, access).await?;
    // Inside the transaction, because SQLite has no lock that spans several.
    migrator.run_direct(None, &mut *transaction, false).await?;
    let mark = format!("PRAGMA application_id = {APPLICATION_ID}");
    transaction.execute(AssertSqlSafe(mark)).await?;
    transaction.commit().await?;
    Ok(connection.close().await?)
}

/// Makes a file readable by its owner only. Leaves other users' files alone.
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

/// Refuses a database with tables but without our mark, or of another version. Returns whether
/// there are tables.
async fn refuse_others(
    connection: &mut SqliteConnection,
    migrator: &Migrator,
    access: Access,
) -> Result<bool, StoreError> {
    let mark: i32 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *connection).await?;
    let tables: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master")
        .fetch_one(&mut *connection)
        .await?;
    if tables == 0 {
        return Ok(false);
    }
    if mark != APPLICATION_ID {
        return Err(StoreError::incompatible(Mismatch::Foreign));
    }
    let applied: Vec<_> = sqlx::query_as(APPLIED).fetch_all(connection).await?;
    refuse_older(&applied, migrator, access).map(|()| true)
}
