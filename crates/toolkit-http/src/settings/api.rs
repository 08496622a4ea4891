//! Section `api`: addresses of the REST server.

use std::net::SocketAddr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value;

/// The listeners of the REST server.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Api {
    /// The address and port of the REST API. Port 0 takes a free one and announces it.
    #[serde(deserialize_with = "value::address")]
    #[schemars(with = "String", extend("x-accepts" = value::ADDRESS))]
    pub bind: SocketAddr,
    /// The address and port of `/livez`, `/readyz` and `/metrics`; empty turns them off. Keep it away
    /// from the public.
    #[serde(
        deserialize_with = "value::address_or_off",
        serialize_with = "value::show_address_or_off"
    )]
    #[schemars(with = "String", extend("x-accepts" = value::ADDRESS_OR_OFF))]
    pub admin_bind: Option<SocketAddr>,
}

impl Default for Api {
    fn default() -> Self {
        Self {
            bind: ([127, 0, 0, 1], 8080).into(),
            admin_bind: Some(([127, 0, 0, 1], 9080).into()),
        }
    }
}
