//! What the server says when a request is no MCP message.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use serde_json::json;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// A JSON-RPC error without an id: the request had none that could be read.
fn error(status: StatusCode, code: i32, message: &str) -> HttpResponse {
    HttpResponse::build(status).json(json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": {"code": code, "message": message},
    }))
}

/// The body is JSON, but no JSON-RPC request.
pub(crate) fn invalid_request(message: &str) -> HttpResponse {
    error(StatusCode::BAD_REQUEST, INVALID_REQUEST, message)
}

/// The body is no JSON.
pub(crate) fn not_json(message: &str) -> HttpResponse {
    error(StatusCode::BAD_REQUEST, PARSE_ERROR, message)
}

/// A refusal that rmcp words as plain text.
pub(crate) fn from_refusal(status: StatusCode, text: &str) -> HttpResponse {
    error(
        status,
        INVALID_REQUEST,
        text.trim_start_matches("Bad Request: "),
    )
}

/// Why a body that rmcp cannot read is no message, where that is so.
pub(crate) fn why_no_message(body: &[u8]) -> HttpResponse {
    match serde_json::from_slice::<serde_json::Value>(body) {
        Err(error) => not_json(&format!("The body is not valid JSON: {error}.")),
        Ok(serde_json::Value::Array(_)) => {
            invalid_request("Batches are not supported: send one message a request.")
        }
        Ok(_) => invalid_request(
            "The body is not a JSON-RPC 2.0 message: it needs `jsonrpc`, `method` and, for a \
             request, an `id` that is a string or a whole number.",
        ),
    }
}
