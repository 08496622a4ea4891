//! Section `api`: addresses of the REST server.

use std::net::SocketAddr;

use super::schema::section;

section! {
    /// The listeners of the REST server.
    pub struct Api {
        /// The address and port of the REST API. Port 0 takes a free one and announces it.
        pub bind: SocketAddr = ([127, 0, 0, 1], 8080).into();
        /// The address and port of `/livez`, `/readyz` and `/metrics`; empty turns them off. Keep
        /// it away from the public.
        pub admin_bind: Option<SocketAddr> = Some(([127, 0, 0, 1], 9080).into());
    }
}
