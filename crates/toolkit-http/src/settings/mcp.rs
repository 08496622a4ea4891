//! Section `mcp`: address of the MCP server, and the hosts and origins it accepts.

use std::net::SocketAddr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::{self, HostName, Hosts, HttpUrl, Origin, Origins};

/// The listeners of the MCP server and its guard against DNS rebinding.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Mcp {
    /// The address and port of the MCP server. Port 0 takes a free one and announces it.
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
    /// The `Host` headers that are answered; any other gets 403. `*` turns the check off, for use
    /// behind a proxy that checks.
    #[schemars(
        example = ["tools.example.org"],
        extend("x-default" = "the host of `public.mcp_url` and the loopback names")
    )]
    pub allowed_hosts: Option<Vec<HostName>>,
    /// The `Origin` headers that are answered; any other gets 403. A request without one is no web
    /// page, and is answered.
    #[schemars(
        example = ["https://example.org"],
        extend("x-default" = "any loopback origin")
    )]
    pub allowed_origins: Option<Vec<Origin>>,
}

impl Default for Mcp {
    fn default() -> Self {
        Self {
            bind: ([127, 0, 0, 1], 8081).into(),
            admin_bind: Some(([127, 0, 0, 1], 9081).into()),
            allowed_hosts: None,
            allowed_origins: None,
        }
    }
}

impl Mcp {
    /// The rule for `Host`, given the public URL of the server.
    pub fn hosts(&self, mcp_url: &HttpUrl) -> Hosts {
        match &self.allowed_hosts {
            Some(list) => Hosts::from_list(list),
            None => Hosts::own_and_loopback(mcp_url),
        }
    }

    /// The rule for `Origin`.
    pub fn origins(&self) -> Origins {
        match &self.allowed_origins {
            Some(list) => Origins::from_list(list),
            None => Origins::Loopback,
        }
    }
}
