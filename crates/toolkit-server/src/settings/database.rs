//! Section `database`: URL and connection pool.

use super::schema::section;
use super::value::DatabaseUrl;

section! {
    /// The database: keys, messages, subscriptions and queued mail.
    pub struct Database {
        /// SQLite file, created if missing, or PostgreSQL database:
        /// `postgres://user:password@host/name`. With several hosts,
        /// `postgres://user:password@a,b/name`, the one that accepts writes is used.
        pub url: DatabaseUrl = DatabaseUrl::default();
        /// Maximum database connections per process. PostgreSQL must allow the sum over all
        /// processes, plus one per command.
        pub max_connections: u32 = 4, range(1, 1_000);
        /// Whether a pooler such as `PgBouncer` in transaction mode sits in front of PostgreSQL. If
        /// unset, it is detected.
        pub pooler: Option<bool> = None, example(true), default_note("detected");
    }
}
