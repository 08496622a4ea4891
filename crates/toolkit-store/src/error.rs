//! Store errors.
//!
//! Errors know no transport. Their text (`Display`) is safe to show to anyone: it has no statement,
//! path, database address or stored value. The database's own message is the
//! [`source`](std::error::Error::source), for the log, and contains no stored value either.

use std::error::Error as _;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Arc;

use sqlx::error::DatabaseError;
use sqlx::migrate::MigrateError;

/// A failure of the store.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The database is temporarily unavailable. Nothing was stored.
    #[error("the database is unavailable: {reason}")]
    Unavailable {
        /// The cause.
        reason: Reason,
        /// The database's message, if any.
        #[source]
        cause: Option<Cause>,
    },

    /// The database did not confirm a commit, so the data may or may not be stored.
    #[error("the database did not confirm whether this was stored")]
    Uncertain {
        /// The database's message, if any.
        #[source]
        cause: Option<Cause>,
    },

    /// The file or server holds damaged data, or is not a database.
    #[error("the database is damaged or is not a database")]
    Corrupt {
        /// The database's message.
        #[source]
        cause: Option<Cause>,
    },

    /// The database is intact but not for this program: of a newer version, or of another
    /// application. It was not changed.
    #[error("the database does not fit: {misfit}")]
    Incompatible {
        /// The mismatch.
        misfit: Mismatch,
        /// The database's message.
        #[source]
        cause: Option<Cause>,
    },

    /// The database URL is invalid.
    #[error("the database URL {0}")]
    Url(&'static str),

    /// An internal error.
    #[error("the store failed unexpectedly")]
    Internal {
        /// The database's message.
        #[source]
        cause: Option<Cause>,
    },
}

/// The reason a database is unavailable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// It is unreachable, or closed the connection.
    #[error("it cannot be reached")]
    OutOfReach,
    /// It has no connection left for this program.
    #[error(
        "it has no connections left for this program. Lower `database.max_connections`, or allow more there"
    )]
    Crowded,
    /// It does not support required TLS, or its certificate is not trusted.
    #[error("it does not support TLS, or its certificate is not trusted")]
    Tls,
    /// It did not answer in time.
    #[error("it does not answer in time")]
    TimedOut,
    /// Another process has held a lock for too long.
    #[error("another process has locked it")]
    Locked,
    /// The queue of operations is full.
    #[error("too many operations are waiting for it")]
    Busy,
    /// Its disk is full.
    #[error("its disk is full")]
    Full,
    /// It is read-only.
    #[error("it is read-only")]
    ReadOnly,
    /// It refuses access: a login, a permission, or an inaccessible file or folder.
    #[error("it cannot be opened; check that it exists and that access is allowed")]
    Refused,
    /// Its disk reports errors.
    #[error("its disk fails")]
    Disk,
    /// The file that was opened is gone.
    #[error("its file was deleted or replaced while it was open. Restart the server")]
    Replaced,
}

/// The reason a database does not fit this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// A newer version of this program has changed its tables.
    #[error(
        "a newer version of this program has changed it. Start that version, or restore a backup from \
         before its start"
    )]
    Newer,
    /// An older version of this program made it, and it was not to be migrated.
    #[error(
        "an older version of this program made it. `api-server` migrates it at start, and commands do \
         so with `--migrate`"
    )]
    Older,
    /// A version before the first release made it.
    #[error(
        "a version before 0.1.0 made it. Export its subscribers and messages with that version \
         (`subscribers export`, `messages export`), set `database.url` to a new database, and import \
         the subscribers there (`subscribers import`)"
    )]
    Unreleased,
    /// Its tables were made by hand, or were changed.
    #[error(
        "its tables are not those that this program makes. Restore a backup, or set `database.url` to \
         a new database"
    )]
    Altered,
    /// It belongs to another application.
    #[error("it belongs to another application. Set `database.url` to another database")]
    Foreign,
}

/// The database's or system's message about a failure, for the log.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Cause {
    /// The database's error code.
    code: Option<Arc<str>>,
    message: Arc<str>,
}

impl Cause {
    fn new(message: impl Into<Arc<str>>) -> Self {
        Self { code: None, message: message.into() }
    }
}

impl StoreError {
    /// Whether the database is at fault and may recover.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::Uncertain { .. } | Self::Corrupt { .. })
    }

    /// The failure with its cause, for the operator. Uses the database's or system's own words
    /// where ours would only guess.
    pub fn with_cause(&self) -> String {
        match (self, self.source()) {
            (Self::Unavailable { reason: Reason::Refused, .. }, Some(cause)) => {
                format!("{cause}. Check `database.url`, and who may open what it names")
            }
            (error @ Self::Corrupt { .. }, Some(cause)) => {
                format!("{error}: {cause}. Restore a backup, or correct `database.url`")
            }
            (error, Some(cause)) => format!("{error}: {cause}"),
            (error, None) => error.to_string(),
        }
    }

    /// Whether waiting for a database that cannot be opened makes sense. Wrong settings do not go
    /// away.
    pub fn passes(&self) -> bool {
        match self {
            Self::Unavailable { reason, .. } => {
                !matches!(reason, Reason::Tls | Reason::Refused | Reason::Replaced)
            }
            error => matches!(error, Self::Uncertain { .. }),
        }
    }

    /// Whether PostgreSQL is unreachable or read-only for now.
    pub fn is_out_of_reach(&self) -> bool {
        let of_postgres = [Reason::OutOfReach, Reason::TimedOut, Reason::ReadOnly];
        matches!(self, Self::Unavailable { reason, .. } if of_postgres.contains(reason))
    }

    /// Whether another connection may work better.
    pub(crate) fn may_be_of_the_connection(&self) -> bool {
        !matches!(self, Self::Unavailable { reason: Reason::Locked, .. })
    }

    /// Whether the session doesn't know a named statement, or another client owns it, because a
    /// pooler switched sessions.
    pub(crate) fn is_of_a_pooler(&self) -> bool {
        let Self::Internal { cause: Some(Cause { code: Some(code), .. }) } = self else {
            return false;
        };
        ["26000", "42P05"].contains(&&**code)
    }

    /// Whether another PostgreSQL host may work better, and this one's connections are suspect: it
    /// accepts no writes, ends sessions, or does not respond. A statement that took too long has a
    /// cause.
    pub(crate) fn is_of_the_host(&self) -> bool {
        let Self::Unavailable { reason, cause } = self else {
            return false;
        };
        match reason {
            Reason::OutOfReach | Reason::ReadOnly => true,
            Reason::TimedOut => cause.is_none(),
            _ => false,
        }
    }

    /// What this error means for a commit already under way: without an answer, or after a disk
    /// error, the data may be stored all the same.
    pub(crate) fn of_commit(self) -> Self {
        match self {
            Self::Unavailable {
                reason: Reason::OutOfReach | Reason::TimedOut | Reason::Disk | Reason::Replaced,
                cause,
            } => Self::Uncertain { cause },
            error => error,
        }
    }

    pub(crate) fn unavailable(reason: Reason) -> Self {
        Self::Unavailable { reason, cause: None }
    }

    fn away(reason: Reason, error: &sqlx::Error) -> Self {
        Self::Unavailable { reason, cause: Some(Cause::new(error.to_string())) }
    }

    /// Adds the system's reason for a file that SQLite cannot open, since SQLite does not pass it
    /// on.
    pub(crate) fn of_file(self, file: &Path) -> Self {
        match self {
            Self::Unavailable { reason: Reason::Refused, cause } => {
                Self::denied(file).unwrap_or(Self::Unavailable { reason: Reason::Refused, cause })
            }
            error => error,
        }
    }

    /// The error of a file that the system denies to this process.
    pub(crate) fn denied(file: &Path) -> Option<Self> {
        let error = refusal(file)?.to_string();
        let words = error.split(" (os error").next().unwrap_or_default().to_lowercase();
        let cause = Some(Cause::new(words + &user()));
        Some(Self::Unavailable { reason: Reason::Refused, cause })
    }

    pub(crate) fn incompatible(misfit: Mismatch) -> Self {
        Self::Incompatible { misfit, cause: None }
    }

    pub(crate) fn corrupt(what: impl Into<Arc<str>>) -> Self {
        Self::Corrupt { cause: Some(Cause::new(what)) }
    }

    pub(crate) fn internal(what: impl Into<Arc<str>>) -> Self {
        Self::Internal { cause: Some(Cause::new(what)) }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        use sqlx::Error as E;
        match error {
            E::Database(error) => of_database(&*error),
            E::Migrate(error) => Self::from(*error),
            // These may repeat part of the URL.
            E::Configuration(_) => Self::Url("cannot be used"),
            E::PoolTimedOut => Self::unavailable(Reason::TimedOut),
            E::Tls(_) => Self::away(Reason::Tls, &error),
            // Untrusted certificates are reported like this.
            E::Io(ref fault) if fault.kind() == io::ErrorKind::InvalidData => {
                Self::away(Reason::Tls, &error)
            }
            // A server that closes the connection during the handshake violates the protocol.
            E::Io(_) | E::Protocol(_) | E::PoolClosed | E::WorkerCrashed => {
                Self::away(Reason::OutOfReach, &error)
            }
            error => Self::internal(error.to_string()),
        }
    }
}

impl From<MigrateError> for StoreError {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                match Self::from(error) {
                    // Our statements are correct, so the tables are not ours.
                    Self::Internal { cause } => {
                        Self::Incompatible { misfit: Mismatch::Altered, cause }
                    }
                    error => error,
                }
            }
            MigrateError::VersionMissing(_) => Self::incompatible(Mismatch::Newer),
            MigrateError::VersionMismatch(_) | MigrateError::Dirty(_) => {
                Self::incompatible(Mismatch::Altered)
            }
            error => Self::internal(error.to_string()),
        }
    }
}

fn of_database(error: &dyn DatabaseError) -> StoreError {
    let code = error.code().unwrap_or_default();
    let cause = Some(cause(&code, error.message()));
    let verdict = match code.parse::<u32>() {
        // PostgreSQL codes have five characters. SQLite's are numbers below 10,000.
        Ok(number) if code.len() < 5 => of_sqlite(number),
        _ => of_postgres(&code),
    };
    match verdict {
        Verdict::Unavailable(reason) => StoreError::Unavailable { reason, cause },
        Verdict::Corrupt => StoreError::Corrupt { cause },
        Verdict::Internal => StoreError::Internal { cause },
    }
}

/// Keeps a message for the log, unless it may repeat a value, as those of class 22 (data
/// exceptions) do.
fn cause(code: &str, message: &str) -> Cause {
    let is_of_a_value = code.starts_with("22") && code.len() == 5;
    let message =
        if is_of_a_value { format!("code {code}") } else { format!("{message} (code {code})") };
    Cause { code: Some(code.into()), message: message.into() }
}

/// The reason the system denies this process access to a file.
fn refusal(file: &Path) -> Option<io::Error> {
    match OpenOptions::new().read(true).write(true).open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            File::create_new(file).map(|_| fs::remove_file(file)).err()
        }
        opened => opened.err(),
    }
}

#[cfg(unix)]
fn user() -> String {
    format!(" (running as uid {})", rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn user() -> String {
    String::new()
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Unavailable(Reason),
    Corrupt,
    Internal,
}

/// Classifies an SQLite result code (<https://www.sqlite.org/rescode.html>) by its low byte.
fn of_sqlite(code: u32) -> Verdict {
    match code & 0xff {
        // BUSY, LOCKED, PROTOCOL
        5 | 6 | 15 => Verdict::Unavailable(Reason::Locked),
        // FULL
        13 => Verdict::Unavailable(Reason::Full),
        // READONLY
        8 => Verdict::Unavailable(Reason::ReadOnly),
        // PERM, CANTOPEN, AUTH
        3 | 14 | 23 => Verdict::Unavailable(Reason::Refused),
        // NOMEM, IOERR
        7 | 10 => Verdict::Unavailable(Reason::Disk),
        // CORRUPT, NOTADB
        11 | 26 => Verdict::Corrupt,
        _ => Verdict::Internal,
    }
}

/// Classifies a PostgreSQL SQLSTATE (appendix A of its documentation) by its first two characters.
fn of_postgres(code: &str) -> Verdict {
    match code {
        "53100" => Verdict::Unavailable(Reason::Full),
        "53300" => Verdict::Unavailable(Reason::Crowded),
        "25006" => Verdict::Unavailable(Reason::ReadOnly),
        // A statement ran for too long, or a transaction was idle for too long.
        "57014" | "25P03" => Verdict::Unavailable(Reason::TimedOut),
        // No such database; permission denied for a table or schema.
        "3D000" | "42501" => Verdict::Unavailable(Reason::Refused),
        "XX001" | "XX002" => Verdict::Corrupt,
        _ => match code.get(..2).unwrap_or_default() {
            "08" | "53" | "57" => Verdict::Unavailable(Reason::OutOfReach),
            "40" | "55" => Verdict::Unavailable(Reason::Locked),
            "28" => Verdict::Unavailable(Reason::Refused),
            "58" => Verdict::Unavailable(Reason::Disk),
            _ => Verdict::Internal,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_sqlite_are_classified_by_their_low_byte() {
        for (code, reason) in [
            (5, Reason::Locked),
            (517, Reason::Locked),
            (6, Reason::Locked),
            (15, Reason::Locked),
            (13, Reason::Full),
            (8, Reason::ReadOnly),
            (1032, Reason::ReadOnly),
            (3, Reason::Refused),
            (14, Reason::Refused),
            (23, Reason::Refused),
            (7, Reason::Disk),
            (10, Reason::Disk),
            (778, Reason::Disk),
        ] {
            assert_eq!(of_sqlite(code), Verdict::Unavailable(reason), "{code}");
        }
        for code in [11, 26, 267] {
            assert_eq!(of_sqlite(code), Verdict::Corrupt, "{code}");
        }
        for code in [1, 19, 20] {
            assert_eq!(of_sqlite(code), Verdict::Internal, "{code}");
        }
    }

    #[test]
    fn codes_of_postgres_are_classified_by_themselves_or_by_their_class() {
        for (code, reason) in [
            ("53100", Reason::Full),
            ("25006", Reason::ReadOnly),
            ("57014", Reason::TimedOut),
            ("25P03", Reason::TimedOut),
            ("3D000", Reason::Refused),
            ("42501", Reason::Refused),
            ("28P01", Reason::Refused),
            ("08006", Reason::OutOfReach),
            ("53300", Reason::Crowded),
            ("57P01", Reason::OutOfReach),
            ("40001", Reason::Locked),
            ("55P03", Reason::Locked),
            ("58030", Reason::Disk),
        ] {
            assert_eq!(of_postgres(code), Verdict::Unavailable(reason), "{code}");
        }
        for code in ["XX001", "XX002"] {
            assert_eq!(of_postgres(code), Verdict::Corrupt, "{code}");
        }
        for code in ["23505", "42P01", "25001", "XX000", ""] {
            assert_eq!(of_postgres(code), Verdict::Internal, "{code}");
        }
    }
}
