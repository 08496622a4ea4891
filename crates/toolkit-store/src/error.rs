//! Store errors.
//!
//! An error is independent of the transport. Its text (`Display`) is safe to show to anyone: no
//! statement, path, database address or stored value. The database's own message is the
//! [`source`](std::error::Error::source), for the log, and contains no stored value either.

use std::io;
use std::sync::Arc;

use sqlx::error::DatabaseError;
use sqlx::migrate::MigrateError;

/// A failure of the store.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The database is temporarily unavailable; nothing was stored.
    #[error("the database is unavailable: {reason}")]
    Unavailable {
        /// The cause.
        reason: Reason,
        /// The database's message, if any.
        #[source]
        cause: Option<Cause>,
    },

    /// The database did not confirm a commit: what was to be written is stored or not.
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

/// Why a database is unavailable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// It is unreachable, or closed the connection.
    #[error("it cannot be reached")]
    OutOfReach,
    /// It has no connection left for this program.
    #[error(
        "it has no connection left for this program; lower `database.max_connections`, or allow more there"
    )]
    Crowded,
    /// It does not support required TLS, or its certificate is not trusted.
    #[error("it speaks no TLS, or its certificate is not trusted")]
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
    #[error("it takes no writes")]
    ReadOnly,
    /// It refuses access: a login, a permission, or a file or folder that may not be used.
    #[error("it cannot be opened; is it there, and is access allowed?")]
    Refused,
    /// Its disk reports errors.
    #[error("its disk fails")]
    Disk,
    /// The file that was opened is not there any more.
    #[error("its file was deleted or replaced while it was open; restart the server")]
    Replaced,
}

/// Why a database is not for this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// A newer version of this program has changed its tables.
    #[error("a newer version of this program has changed it")]
    Newer,
    /// An older version of this program made it, and it was not to be migrated.
    #[error(
        "an older version of this program has made it; `api-server` migrates it when it serves, and a \
         command with `--migrate`"
    )]
    Older,
    /// Its tables were made by an unreleased version of this program, or by hand.
    #[error("its tables are not those that this program makes")]
    Altered,
    /// It belongs to another application.
    #[error("it belongs to another application")]
    Foreign,
}

/// A database's message about a failure, for the log.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct Cause(Arc<str>);

impl StoreError {
    /// Whether the database is at fault, and may serve again.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::Uncertain { .. } | Self::Corrupt { .. })
    }

    /// Whether a database that cannot be opened is worth waiting for: not with wrong settings.
    pub fn passes(&self) -> bool {
        match self {
            Self::Unavailable { reason, .. } => {
                !matches!(reason, Reason::Tls | Reason::Refused | Reason::Replaced)
            }
            error => matches!(error, Self::Uncertain { .. }),
        }
    }

    /// Whether PostgreSQL cannot be reached, or can only be read, for now.
    pub fn is_out_of_reach(&self) -> bool {
        let of_postgres = [Reason::OutOfReach, Reason::TimedOut, Reason::ReadOnly];
        matches!(self, Self::Unavailable { reason, .. } if of_postgres.contains(reason))
    }

    /// Whether another connection may do better.
    pub(crate) fn may_be_of_the_connection(&self) -> bool {
        !matches!(self, Self::Unavailable { reason: Reason::Locked, .. })
    }

    /// Whether a named statement is unknown to the session, or another client's: a pooler has changed it.
    pub(crate) fn is_of_a_pooler(&self) -> bool {
        let Self::Internal { cause: Some(Cause(text)) } = self else {
            return false;
        };
        text.starts_with("code 26000") || text.starts_with("code 42P05")
    }

    /// Whether another host of PostgreSQL may do better, and all connections to this one worse: it takes
    /// no writes, ends sessions, or says nothing. A statement that took too long has a cause.
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

    /// The meaning of this error for a commit that was already under way: one that got no answer,
    /// or whose disk failed, may be in the database all the same.
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
        Self::Unavailable { reason, cause: Some(Cause(error.to_string().into())) }
    }

    pub(crate) fn incompatible(misfit: Mismatch) -> Self {
        Self::Incompatible { misfit, cause: None }
    }

    pub(crate) fn corrupt(what: impl Into<Arc<str>>) -> Self {
        Self::Corrupt { cause: Some(Cause(what.into())) }
    }

    pub(crate) fn internal(what: impl Into<Arc<str>>) -> Self {
        Self::Internal { cause: Some(Cause(what.into())) }
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
            // An untrusted certificate is reported this way.
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
                    // The statements are correct: the tables are not ours.
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
        // PostgreSQL codes have five characters; SQLite's are numbers below 10,000.
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
    Cause(if code.starts_with("22") && code.len() == 5 {
        format!("code {code}").into()
    } else {
        format!("code {code}: {message}").into()
    })
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Unavailable(Reason),
    Corrupt,
    Internal,
}

/// Classifies a result code of SQLite (<https://www.sqlite.org/rescode.html>): the low byte is the
/// class.
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

/// Classifies an SQLSTATE of PostgreSQL (its documentation, appendix A): the first two characters
/// are the class.
fn of_postgres(code: &str) -> Verdict {
    match code {
        "53100" => Verdict::Unavailable(Reason::Full),
        "53300" => Verdict::Unavailable(Reason::Crowded),
        "25006" => Verdict::Unavailable(Reason::ReadOnly),
        // A statement ran too long, or a transaction was idle for too long.
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
