//! Section `database`: URL and connection pool.

use super::schema::section;
use super::value::DatabaseUrl;

section! {
    /// The database: keys, messages, subscriptions and mail that is still to be sent.
    pub struct Database {
        /// An SQLite file, which is made when it is not there, or a PostgreSQL database:
        /// `postgres://user:password@host/name`.
        pub url: DatabaseUrl = DatabaseUrl::default();
        /// The most connections to the database that one process opens.
        pub max_connections: u32 = 10, range(1, 1_000);
    }
}
