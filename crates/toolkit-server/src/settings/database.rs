//! Section `database`: URL and connection pool.

use super::schema::section;
use super::value::DatabaseUrl;

section! {
    /// The database: keys, messages, subscriptions and mail that is still to be sent.
    pub struct Database {
        /// SQLite file, created if missing, or PostgreSQL database:
        /// `postgres://user:password@host/name`. Of several hosts, `postgres://user:password@a,b/name`, the
        /// one that takes writes is used.
        pub url: DatabaseUrl = DatabaseUrl::default();
        /// Maximum number of database connections per process. PostgreSQL needs as many as all processes
        /// have together, and one for each command.
        pub max_connections: u32 = 4, range(1, 1_000);
        /// Whether a pooler such as `PgBouncer` in transaction mode is in front of PostgreSQL; found by a
        /// trial if unset.
        pub pooler: Option<bool> = None, example(true), default_note("found");
    }
}
