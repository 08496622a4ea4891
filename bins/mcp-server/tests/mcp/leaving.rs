//! Cancellation: a call whose client disconnects.

use std::sync::mpsc;
use std::time::Duration;

use serde_json::json;

use actix_web::App;
use actix_web::web::Data;
use rmcp::model::{CallToolRequestParams, CallToolResponse, ServerCapabilities, ServerConfig};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use toolkit_mcp::{Access, Endpoint, Guard, RmcpAdapter, endpoint_routes};
use toolkit_server::middleware::Middleware;
use toolkit_server::server::Listener;
use toolkit_server::settings::{Mcp, Public};
use toolkit_server::snapshot::Snapshot;

use crate::helpers::{Ask, Served, spawn_server};

/// A handler whose only tool runs until it is cancelled.
#[derive(Clone)]
struct Waiting(mpsc::Sender<&'static str>);

impl ServerHandler for Waiting {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.0.send("begun").unwrap();
        context.ct.cancelled().await;
        self.0.send("cancelled").unwrap();
        Err(ErrorData::internal_error("", None))
    }
}

fn spawn(handler: Waiting) -> Served {
    spawn_server(move || {
        let any = "127.0.0.1:0".parse().unwrap();
        let urls = Public::default().resolve(any, Some(any));
        let settings = Mcp::default();
        let endpoint = Data::new(Endpoint {
            guard: Guard::new(settings.hosts(&urls.mcp_url), settings.origins()),
            access: Snapshot::new(Access::default()),
            body_bytes_max: 1 << 20,
            tool_calls: None,
            rmcp_adapter: RmcpAdapter::new(handler, 1 << 20),
            page: String::new(),
        });
        let middleware = Middleware::new();
        let listener = Listener::bind(any).unwrap();
        let address = listener.address();
        let app = move || {
            let endpoint = endpoint.clone();
            let app = App::new().configure(|config| endpoint_routes(config, &endpoint));
            middleware.clone().wrap(app)
        };
        (address, async move {
            let _server = listener.serve(1, app).unwrap();
            std::future::pending::<()>().await;
        })
    })
}

#[test]
fn a_client_that_disconnects_cancels_its_call() {
    let (to, seen) = mpsc::channel();
    let server = spawn(Waiting(to));
    let params = json!({"name": "any", "arguments": {}});
    for ask in [Ask::request("tools/call", &params), Ask::stateless("tools/call", params.clone())] {
        let patience = Duration::from_secs(40);
        let connection = server.send_only(&ask);
        assert_eq!(seen.recv_timeout(patience), Ok("begun"));
        drop(connection);
        // Nothing else would end the call.
        assert_eq!(seen.recv_timeout(patience), Ok("cancelled"));
    }
}
