//! Backup: copies all records to one SQLite file, from either database and while servers run. Also
//! checks a database.
//!
//! A backup is a [copy](crate::copy) of one snapshot. It gets its final name when complete, so a
//! file with that name is a complete backup.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::Store;
use crate::copy::{CopyError, TABLES, count};
use crate::database::Backend;
use crate::error::StoreError;

/// The reason there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file exists.
    #[error("it already exists, and a backup does not overwrite files")]
    Exists,
    /// The file name is not Unicode.
    #[error("its name is not UTF-8")]
    Name,
    /// The file cannot be created.
    #[error("it cannot be written: {0}")]
    File(#[from] io::Error),
    /// The records cannot be copied.
    #[error(transparent)]
    Copy(#[from] CopyError),
}

impl Store {
    /// Copies all records to a new SQLite file that only its owner may read, and returns their
    /// number.
    ///
    /// # Errors
    ///
    /// The cause. No file is left behind then.
    pub async fn back_up(&self, file: &Path) -> Result<i64, BackupError> {
        if file.symlink_metadata().is_ok() {
            return Err(BackupError::Exists);
        }
        let partial = beside(file, ".partial");
        // Left behind by a backup that was killed.
        remove(&partial);
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.write(true).create_new(true).open(&partial)?;
        let copied = self.copy_to_file(&partial).await;
        let named = copied.and_then(|records| Ok(fs::rename(&partial, file).map(|()| records)?));
        if named.is_err() {
            remove(&partial);
        }
        named
    }

    async fn copy_to_file(&self, file: &Path) -> Result<i64, BackupError> {
        // A URL gives these characters other meanings.
        let path = file.to_str().ok_or(BackupError::Name)?;
        let path = path.replace('%', "%25").replace('?', "%3F");
        let target = Self::open(&format!("sqlite:{path}"), 1).await.map_err(CopyError::from)?;
        let copied = self.copy_to(&target, true).await;
        // Merges the log into one file.
        target.close().await;
        Ok(copied?)
    }

    /// Reads everything and, on SQLite, checks the file's structure and references. Returns the
    /// number of records.
    ///
    /// # Errors
    ///
    /// [`StoreError::Corrupt`] with the first defect, or the reason the database cannot be read.
    pub async fn check(&self) -> Result<i64, StoreError> {
        let mut connection = self.database().connection(true).await?;
        connection.execute("BEGIN", []).await?;
        connection.lift_limits().await?;
        if self.backend() == Backend::Sqlite {
            let rows = connection.rows("PRAGMA integrity_check(1)", []).await?;
            let found: Option<String> =
                rows.first().map(|row| row.get("integrity_check")).transpose()?;
            let orphans = connection.rows("PRAGMA foreign_key_check", []).await?;
            if found.as_deref() != Some("ok") {
                return Err(StoreError::corrupt(found.unwrap_or_default()));
            }
            if !orphans.is_empty() {
                return Err(StoreError::corrupt("rows refer to rows that are not there"));
            }
        }
        let mut records = 0;
        for table in TABLES {
            records += count(&mut connection, table).await?;
        }
        // Also ends the transaction.
        connection.close().await;
        Ok(records)
    }
}

/// The same path with `end` appended to the file name.
pub(crate) fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(end);
    name.into()
}

/// Removes an SQLite file with its log, if it exists.
fn remove(file: &Path) {
    for end in ["", "-wal", "-shm", "-journal"] {
        let _ = fs::remove_file(beside(file, end));
    }
}
