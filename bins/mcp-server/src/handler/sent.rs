//! Raw arguments of a tool call, as the client sent them.
//!
//! rmcp passes the arguments as a tree, in which numbers have lost digits and duplicate names are
//! gone. The tool reads the raw bytes of the request instead, so that it answers as on the fast
//! path.

use actix_web::web::Bytes;
use rmcp::model::CallToolRequestParams;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

use crate::error::internal;
use crate::rmcp_adapter::Sent;

/// The request of a context.
pub(super) fn sent(context: &RequestContext<RoleServer>) -> Option<&Sent> {
    let parts = context.extensions.get::<http::request::Parts>()?;
    parts.extensions.get::<Sent>()
}

/// The arguments as JSON; empty if there are none.
pub(super) fn arguments(
    request: &CallToolRequestParams,
    sent: Option<&Sent>,
) -> Result<Bytes, ErrorData> {
    let Some(tree) = &request.arguments else {
        return Ok(Bytes::new());
    };
    if let Some(arguments) = sent.and_then(|sent| sent.arguments.clone()) {
        return Ok(arguments);
    }
    let rewritten = serde_json::to_vec(tree).map_err(|_| internal())?;
    Ok(rewritten.into())
}
