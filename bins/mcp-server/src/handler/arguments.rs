//! The arguments of a call, as they were sent.
//!
//! rmcp hands over a tree, in which numbers have lost digits and repeated names are gone. The tool reads
//! them as they stand in the request instead, so that it answers as it does on the straight road.

use actix_web::web::Bytes;
use rmcp::model::CallToolRequestParams;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::bridge::Sent;
use crate::error::internal;

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

/// The arguments as JSON; empty where there are none.
pub(super) fn of(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Bytes, ErrorData> {
    let Some(tree) = &request.arguments else {
        return Ok(Bytes::new());
    };
    let parts = context.extensions.get::<http::request::Parts>();
    let sent = parts.and_then(|parts| parts.extensions.get::<Sent>());
    if let Some(arguments) = sent.and_then(|Sent(body)| as_sent(body)) {
        return Ok(arguments);
    }
    let rewritten = serde_json::to_vec(tree).map_err(|_| internal())?;
    Ok(rewritten.into())
}

fn as_sent(body: &Bytes) -> Option<Bytes> {
    let message: Message<'_> = serde_json::from_slice(body).ok()?;
    let arguments = message.params.arguments?.get();
    Some(body.slice_ref(arguments.as_bytes()))
}
