//! Tools that a model may call in chat: the nine of MCP, run as over MCP.

use std::sync::{Arc, LazyLock};

use actix_web::HttpRequest;
use actix_web::web::{Bytes, Data};
use async_trait::async_trait;
use serde_json::value::RawValue;
use toolkit_core::input::Surface;
use toolkit_core::registry::mcp_tools;
use toolkit_core::schema;
use toolkit_llm::{ToolCall, ToolOutcome, ToolSpec, Tools};
use toolkit_server::clients::Account;
use toolkit_server::middleware;
use toolkit_server::panics::{self, Panic};
use toolkit_server::request_id::RequestId;
use toolkit_server::runner::Failure;

use crate::state::State;

/// Text for the model when a tool failed.
const FAILED: &str = "The tool failed on our side; go on without it.";

/// Text for the model when the server is busy.
const BUSY: &str =
    "The server is busy with large inputs; call again in a second, with less if you can.";

static SPECS: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
    let spec = |(tool, mcp): (_, &'static toolkit_core::Mcp)| {
        ToolSpec::new(mcp.name, mcp.description, schema::mcp_input(tool, mcp))
    };
    mcp_tools().map(spec).collect()
});

/// The tools for one request.
pub(super) struct Toolbox {
    state: Data<State>,
    client: Arc<Account>,
    /// For the log.
    request_id: RequestId,
}

impl Toolbox {
    pub(super) fn new(request: &HttpRequest, state: &Data<State>) -> Self {
        Self {
            state: state.clone(),
            client: Account::of(request),
            request_id: middleware::request_id(request),
        }
    }
}

#[async_trait]
impl Tools for Toolbox {
    fn list(&self) -> &[ToolSpec] {
        &SPECS
    }

    async fn call(&self, call: &ToolCall) -> ToolOutcome {
        let failed = || ToolOutcome::Failed(FAILED.to_owned());
        let Some((tool, mcp)) = mcp_tools().find(|(_, mcp)| mcp.name == call.name) else {
            return failed();
        };
        let arguments = Bytes::copy_from_slice(call.arguments.as_bytes());
        let out = b"{".to_vec();
        let run = self.state.runner.run(
            Some(&self.client),
            tool,
            Surface::Mcp(mcp.inputs),
            arguments,
            out,
        );
        let ended = panics::caught(run).await;
        let ended = ended.unwrap_or_else(|Panic { place, reason }| {
            tracing::error!(request_id = %self.request_id, place, reason, "a tool panicked");
            Err(Failure::Panicked)
        });
        match ended.map(String::from_utf8) {
            Ok(Ok(json)) => {
                RawValue::from_string(json).map_or_else(|_| failed(), ToolOutcome::Done)
            }
            Err(Failure::Refused(refusal)) => ToolOutcome::refused(refusal.to_string()),
            Err(Failure::Busy) => ToolOutcome::Failed(BUSY.to_owned()),
            Err(Failure::Panicked) | Ok(Err(_)) => failed(),
        }
    }
}
