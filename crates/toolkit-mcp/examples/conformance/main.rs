//! Server for the official conformance suite: our transport, with the tools that the suite
//! requires.
//!
//! The service itself has tools that answer immediately with text. This one exercises the
//! transport with pictures, progress, log messages and arguments repeated in headers. The only
//! argument is the loopback port to listen on.

mod fixture;
mod rounds;

use std::process::ExitCode;

use actix_web::web::Data;
use actix_web::{App, HttpServer};
use toolkit_mcp::{Access, Endpoint, Guard, RmcpAdapter, endpoint_routes};
use toolkit_server::process::failed;
use toolkit_server::settings::Settings;
use toolkit_server::snapshot::Snapshot;

use crate::fixture::Fixture;

#[actix_web::main]
async fn main() -> ExitCode {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok());
    match serve(port.unwrap_or(0)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

async fn serve(port: u16) -> std::io::Result<()> {
    let settings = Settings::default();
    let urls = settings.public.resolve(settings.api.bind, Some(settings.mcp.bind));
    let body_bytes_max = settings.http.body_limit_bytes;
    let endpoint = Data::new(Endpoint {
        guard: Guard::new(settings.mcp.hosts(&urls.mcp_url), settings.mcp.origins()),
        access: Snapshot::new(Access::default()),
        body_bytes_max,
        tool_calls: None,
        rmcp_adapter: RmcpAdapter::new(Fixture::default(), body_bytes_max),
        page: urls.web_base_url.as_str().to_owned(),
    });
    let app = move || {
        let endpoint = endpoint.clone();
        App::new().configure(|config| endpoint_routes(config, &endpoint))
    };
    HttpServer::new(app)
        .workers(1)
        .tcp_nodelay(true)
        .h1_allow_half_closed(false)
        .bind(("127.0.0.1", port))?
        .run()
        .await
}
