//! Errors for requests that are not MCP messages.
//!
//! Standard: JSON-RPC 2.0, section 5.1 (error codes); MCP 2026-07-28, "Error Responses": an
//! unreadable ID is omitted. Refusals before a message is read (rate, size, type, origin) are HTTP
//! responses with `{"detail"}` instead.

use std::borrow::Cow;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, JsonRpcError, ProtocolVersion, RequestId};
use serde::Deserialize as _;
use serde_json::{Value as Json, json};
use toolkit_core::input::{self, Echo};
use toolkit_core::json_reason;
use toolkit_server::error_response::{INTERNAL, JSON};

use crate::protocol::SUPPORTED;

/// Message of `serde_json` for JSON nested too deeply.
const TOO_DEEP: &str = "recursion limit exceeded";

/// A JSON-RPC error as a response.
fn answer(status: StatusCode, id: Option<RequestId>, error: ErrorData) -> HttpResponse {
    HttpResponse::build(status).content_type(JSON).json(JsonRpcError::new(id, error))
}

/// The headers or the body are not an MCP request.
pub(crate) fn invalid_request(message: impl Into<Cow<'static, str>>) -> HttpResponse {
    let error = ErrorData::invalid_request(message, None);
    answer(StatusCode::BAD_REQUEST, None, error)
}

/// An internal error. The cause is in the log.
pub(crate) fn internal() -> ErrorData {
    ErrorData::internal_error(INTERNAL, None)
}

/// The error for an undeclared method, with the declared ones.
pub(crate) fn no_method(method: &str) -> ErrorData {
    let message = format!(
        "Unknown method {}. This server has tools and a skill: tools/list, tools/call, skills/list and resources/read.",
        Echo(method),
    );
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}

/// The header names an unsupported revision.
pub(crate) fn unsupported_version(requested: &str, id: Option<RequestId>) -> HttpResponse {
    let supported: Vec<_> = SUPPORTED.iter().map(ProtocolVersion::as_str).collect();
    let message = format!(
        "MCP-Protocol-Version {} is not supported. The supported ones are {}.",
        Echo(requested),
        supported.join(", "),
    );
    let data = json!({"requested": requested, "supported": supported});
    let error = ErrorData::new(ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, message, Some(data));
    answer(StatusCode::BAD_REQUEST, id, error)
}

/// Converts rmcp's plain-text errors: to JSON-RPC if they are about the message.
pub(crate) fn from_refusal(status: StatusCode, text: &str, body: &[u8]) -> HttpResponse {
    match status {
        // rmcp's text for an unreadable body.
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            HttpResponse::build(StatusCode::BAD_REQUEST).content_type(JSON).json(no_message(body))
        }
        _ if status.is_server_error() => {
            tracing::error!(status = status.as_u16(), "the protocol layer failed");
            answer(StatusCode::INTERNAL_SERVER_ERROR, None, internal())
        }
        _ => {
            let reason = text.trim_start_matches("Bad Request: ").to_owned();
            answer(status, None, ErrorData::invalid_request(reason, None))
        }
    }
}

/// The reason a body or a line is not a message.
pub(crate) fn no_message(body: &[u8]) -> JsonRpcError {
    let (id, error) = match serde_json::from_slice::<Json>(body) {
        Err(error) => (None, ErrorData::parse_error(not_json(body, &error), None)),
        Ok(Json::Array(_)) => {
            let reason = "Batches are not supported: send one message per request.";
            (None, ErrorData::invalid_request(reason, None))
        }
        Ok(message) => {
            let id = message.get("id").and_then(|id| RequestId::deserialize(id).ok());
            (id, no_request(&message))
        }
    };
    JsonRpcError::new(id, error)
}

/// The reason a JSON value is not a request.
fn no_request(message: &Json) -> ErrorData {
    let is_named = message.get("jsonrpc") == Some(&json!("2.0"))
        && message.get("method").is_some_and(Json::is_string);
    if is_named && message.get("params").is_some_and(|params| !params.is_object()) {
        return ErrorData::invalid_params("`params` must be an object.", None);
    }
    let reason = "The body is not a JSON-RPC 2.0 message: it needs `\"jsonrpc\": \"2.0\"`, `method`, and \
                  for a request an `id` that is a string or a whole number.";
    ErrorData::invalid_request(reason, None)
}

fn not_json(body: &[u8], error: &serde_json::Error) -> String {
    if json_reason(error) == TOO_DEEP {
        let (line, column) = (error.line(), error.column());
        return format!("The message is nested too deeply at line {line}, column {column}.");
    }
    input::not_json(body, error).to_string()
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;

    use super::*;

    #[actix_web::test]
    async fn a_failure_of_the_protocol_layer_is_an_internal_error_without_details() {
        let response = from_refusal(StatusCode::BAD_GATEWAY, "a detail", b"{}");
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(response.into_body()).await.unwrap();
        assert_eq!(
            serde_json::from_slice::<Json>(&body).unwrap(),
            json!({"jsonrpc": "2.0", "error": {"code": -32603, "message": INTERNAL}})
        );
    }
}
