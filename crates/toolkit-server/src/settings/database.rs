//! Section `database`: URL and connection pool.

use super::schema::section;
use super::value::DatabaseUrl;

section! {
    /// The database: keys, messages, subscriptions and mail that is still to be sent.
    pub struct Database {
        /// SQLite file, created if missing, or PostgreSQL database:
        /// `postgres://user:password@host/name`.
        pub url: DatabaseUrl = DatabaseUrl::default();
        /// Maximum number of database connections per process.
        pub max_connections: u32 = 10, range(1, 1_000);
    }
}
