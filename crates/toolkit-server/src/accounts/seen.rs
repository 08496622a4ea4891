//! Client of the last `doctor` request, kept for `doctor` to fetch from the admin port. Responses
//! and log lines contain no addresses.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

/// Prefix of `doctor` request IDs.
pub const DOCTOR: &str = "doctor-";

/// The client that a request was counted for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// The client, as limits count it.
    pub client: String,
    /// The peer of the connection.
    pub peer: IpAddr,
    /// Whether the peer names another client but is not trusted.
    pub ignored_forwarded_for: bool,
}
