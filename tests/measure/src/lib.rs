//! Measurement library: servers as child processes, a load generator, sample documents and tables.
#![expect(
    clippy::missing_errors_doc,
    reason = "all errors have the same cause: a program cannot be started, or has ended"
)]

pub mod cases;
pub mod client;
pub mod load;
pub mod process;
pub mod samples;
pub mod table;

use std::collections::BTreeMap;
use std::error::Error;

use serde::de::DeserializeOwned;

/// A result whose error is usually only shown.
pub type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// Parses a TOML file that consists of one list.
pub fn list<T: DeserializeOwned>(toml: &str) -> Result<Vec<T>> {
    let lists: BTreeMap<String, Vec<T>> = toml::from_str(toml)?;
    Ok(lists.into_values().flatten().collect())
}
