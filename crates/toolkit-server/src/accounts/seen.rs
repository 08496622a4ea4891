//! Client of the last request of `doctor`, kept until it asks for it on the admin port: no response and
//! no log line has an address.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

/// Begins the id of a request of `doctor`.
pub const DOCTOR: &str = "doctor-";

/// For whose a request counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// The client, as the limits count it.
    pub client: String,
    /// The other end of the connection.
    pub peer: IpAddr,
    /// Whether the peer names another client, and is not trusted.
    pub is_named_in_vain: bool,
}
