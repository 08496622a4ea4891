//! SQLite file: checks that the open file is still the same one, and undamaged.
//!
//! Data written to a deleted or replaced file would be gone after a restart, so all access is
//! refused. A damaged file is not written. Both hold until a restart. Leaves out systems without
//! device and inode numbers.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::error::{Reason, StoreError};

pub(super) struct File {
    path: PathBuf,
    /// Device and inode at the time of opening.
    identity: OnceLock<Option<(u64, u64)>>,
    /// The reason it is lost.
    lost: OnceLock<StoreError>,
}

impl File {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, identity: OnceLock::new(), lost: OnceLock::new() }
    }

    /// Remembers which file was opened.
    pub(super) fn is_open(&self) {
        self.identity.get_or_init(|| identity(&self.path).ok().flatten());
    }

    pub(super) fn is_lost(&self) -> bool {
        self.lost.get().is_some()
    }

    /// Refuses a file other than the one opened.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if let Some(error @ StoreError::Unavailable { .. }) = self.lost.get() {
            return Err(error.clone());
        }
        let opened = self.identity.get().copied().flatten();
        match identity(&self.path) {
            Ok(now) if now == opened => Ok(()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Ok(()),
            _ => Err(self.lose(StoreError::unavailable(Reason::Replaced))),
        }
    }

    /// Also refuses a damaged file.
    pub(super) fn check_for_writing(&self) -> Result<(), StoreError> {
        self.check()?;
        self.lost.get().map_or(Ok(()), |error| Err(error.clone()))
    }

    /// Remembers damage that an operation encountered.
    pub(super) fn note<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        result.inspect_err(|error| {
            if matches!(error, StoreError::Corrupt { .. }) {
                self.lose(error.clone());
            }
        })
    }

    fn lose(&self, error: StoreError) -> StoreError {
        if self.lost.set(error.clone()).is_ok() {
            let cause = std::error::Error::source(&error).map(tracing::field::display);
            tracing::error!(%error, cause, "the database file is lost: nothing is stored until a restart");
        }
        error
    }
}

/// Device and inode. `None` if the file is missing, while other errors tell nothing about it.
#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Option<(u64, u64)>> {
    use std::os::unix::fs::MetadataExt;

    path.metadata().map(|file| Some((file.dev(), file.ino())))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> io::Result<Option<(u64, u64)>> {
    Ok(None)
}
