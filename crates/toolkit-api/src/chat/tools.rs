//! Chat tools: those of MCP, run as over MCP.

use std::convert::identity;
use std::sync::{Arc, LazyLock};

use actix_web::HttpRequest;
use actix_web::web::Bytes;
use async_trait::async_trait;
use serde_json::value::RawValue;
use toolkit_core::registry::mcp_tools;
use toolkit_core::schema;
use toolkit_llm::{ToolCall, ToolOutcome, ToolSpec, Tools};
use toolkit_server::accounts::Account;
use toolkit_server::middleware;
use toolkit_server::request_id::RequestId;
use toolkit_server::runner::{ModelCall, RunError};
use toolkit_server::snapshot::Current;

use crate::state::State;

static SPECS: LazyLock<Vec<ToolSpec>> = LazyLock::new(|| {
    let spec = |(tool, mcp): (_, &'static toolkit_core::Mcp)| {
        ToolSpec::new(mcp.name, mcp.description, schema::mcp_input(tool, mcp))
    };
    mcp_tools().map(spec).collect()
});

/// The tools for one request.
pub(super) struct Toolbox {
    state: Current<State>,
    client: Arc<Account>,
    /// For the log.
    request_id: RequestId,
}

impl Toolbox {
    pub(super) fn new(request: &HttpRequest, state: &Current<State>) -> Self {
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
        let arguments = Bytes::copy_from_slice(call.arguments.as_bytes());
        let client = Some(Arc::clone(&self.client));
        let ended = match ModelCall::find(&call.name, arguments, client, self.request_id.clone()) {
            Some(call) => self.state.runner.call(call, identity).await,
            None => Err(RunError::Panicked),
        };
        let answer = ended.and_then(|json| {
            let json = String::from_utf8(json).map_err(|_| RunError::Panicked)?;
            RawValue::from_string(json).map_err(|_| RunError::Panicked)
        });
        match answer {
            Ok(answer) => ToolOutcome::Done(answer),
            Err(RunError::Refused(refusal)) => ToolOutcome::refused(refusal.to_string()),
            Err(failure) => ToolOutcome::Failed(failure.to_string()),
        }
    }
}
