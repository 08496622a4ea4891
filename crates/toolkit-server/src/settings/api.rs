//! Section `api`: addresses of the REST server.

use std::net::SocketAddr;

use super::schema::section;

section! {
    /// The listeners of the REST server.
    pub struct Api {
        /// Address and port of the REST API. Port 0 selects a free port, which the log names.
        pub bind: SocketAddr = ([127, 0, 0, 1], 8080).into();
        /// Whether the REST server has the MCP endpoint too, at `/toolkit/mcp` below
        /// `public.base_url`. It has none if `public.mcp_url` is another address.
        pub mcp: bool = true;
        /// Address and port of `/livez`, `/readyz` and `/metrics`; empty turns them off. Do not
        /// expose them to the public.
        pub admin_bind: Option<SocketAddr> = Some(([127, 0, 0, 1], 9080).into());
    }
}
