//! Section `mcp`: listener of the MCP server, and the hosts and origins it accepts.

use std::net::SocketAddr;

use super::schema::section;
use super::value::{HostName, Hosts, HttpUrl, Origin, Origins, TokensFile};

section! {
    /// The listeners of the MCP server and its guard against DNS rebinding.
    pub struct Mcp {
        /// Address and port of the MCP server. Port 0 picks a free port, which is logged.
        pub bind: SocketAddr = ([127, 0, 0, 1], 8081).into();
        /// Address and port of `/livez`, `/readyz` and `/metrics`. Empty turns them off. Do not
        /// expose them to the internet.
        pub admin_bind: Option<SocketAddr> = Some(([127, 0, 0, 1], 9081).into());
        /// Accepted `Host` headers, in place of the default. Any other gets 403. `*` turns the
        /// check off, for use behind a proxy that checks.
        pub allowed_hosts: Option<Vec<HostName>> = None, example(vec!["tools.example.org"]),
            default_note("the host of `public.mcp_url` and the loopback names");
        /// Accepted `Origin` headers. Any other gets 403. A request without one does not come from
        /// a web page and is accepted.
        pub allowed_origins: Option<Vec<Origin>> = None, example(vec!["https://example.org"]),
            default_note("any loopback origin");
        /// File with bearer tokens, one per line. If set, callers must send one of them in
        /// `Authorization`.
        pub tokens_file: Option<TokensFile> = None, example("/etc/toolkit/mcp.tokens");
    }
}

impl Mcp {
    /// The rule for `Host`, given the server's public URL.
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
