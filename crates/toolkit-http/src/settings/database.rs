//! Section `database`: URL and connection pool.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::DatabaseUrl;

/// The database: keys, messages, subscriptions and mail that is still to be sent.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Database {
    /// An SQLite file, which is made when it is not there, or a PostgreSQL database:
    /// `postgres://user:password@host/name`.
    pub url: DatabaseUrl,
    /// The most connections to the database that one process opens.
    #[schemars(range(min = 1, max = 1_000))]
    pub max_connections: u32,
}

impl Default for Database {
    fn default() -> Self {
        Self {
            url: DatabaseUrl::default(),
            max_connections: 10,
        }
    }
}
