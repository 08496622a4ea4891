//! Section `api`: addresses of the REST server.

use std::net::SocketAddr;

use super::schema::section;

section! {
    /// The listeners of the REST server.
    pub struct Api {
        /// Address and port of the REST API. Port 0 picks a free port, which is logged.
        pub bind: SocketAddr = ([127, 0, 0, 1], 8080).into();
        /// Whether the REST server also serves MCP, at `/toolkit/mcp` below `public.base_url`. It
        /// does not if `public.mcp_url` is another address.
        pub mcp: bool = true;
        /// Address and port of `/livez`, `/readyz` and `/metrics`. Empty turns them off. Do not
        /// expose them to the internet.
        pub admin_bind: Option<SocketAddr> = Some(([127, 0, 0, 1], 9080).into());
    }
}
