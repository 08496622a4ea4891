//! Message parser of stdio: the JSON-RPC fields that the session needs.
//!
//! Standard: JSON-RPC 2.0, section 4; MCP 2026-07-28, "stdio", where `_meta` carries what headers
//! carry over HTTP.

use data_encoding::BASE64;
use http::{HeaderMap, HeaderValue};
use rmcp::model::RequestId;
use serde::de::IgnoredAny;

use crate::envelope::Envelope;
use crate::protocol::{METHOD_HEADER, NAME_HEADER, VERSION_HEADER};

/// Kind of a message for the session.
pub(super) enum Kind {
    /// A request.
    Request(Option<RequestId>),
    /// The client cancels a request.
    Cancelled(RequestId),
    /// Nothing to answer: another notification, or a response to a request that was never sent.
    Ignored,
    /// A tool call whose arguments are larger than the limit.
    TooLarge { id: RequestId, bytes: usize },
}

/// The envelope of a line, if it is JSON. JSON that is not a message has an empty one, and is left
/// to the protocol layer.
pub(super) fn envelope(line: &[u8]) -> Option<Envelope<'_>> {
    serde_json::from_slice(line).ok().or_else(|| {
        let is_json = serde_json::from_slice::<IgnoredAny>(line).is_ok();
        is_json.then(Envelope::default)
    })
}

impl Kind {
    /// The kind of a message; `bytes` is the size of the arguments of a call.
    pub(super) fn of(message: &Envelope<'_>, bytes: usize, bytes_max: usize) -> Self {
        match (message.method.as_deref(), &message.id) {
            (None, _) if message.is_response() => Self::Ignored,
            (Some(method), None) => notification(method, message),
            (_, Some(id)) if message.calls_tool() && bytes > bytes_max => {
                let id = id.clone();
                Self::TooLarge { id, bytes }
            }
            (_, id) => Self::Request(id.clone()),
        }
    }
}

fn notification(method: &str, message: &Envelope<'_>) -> Kind {
    match message.request_id() {
        Some(id) if method == "notifications/cancelled" => Kind::Cancelled(id),
        _ if method.starts_with("notifications/") => Kind::Ignored,
        // A request whose id is missing or of a wrong type is rejected by the protocol layer.
        _ => Kind::Request(None),
    }
}

/// The headers of the message over HTTP.
pub(super) fn headers(message: &Envelope<'_>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let Some(version) = message.version() else {
        return headers;
    };
    for (name, text) in [
        (VERSION_HEADER, Some(&*version)),
        (METHOD_HEADER, message.method.as_deref()),
        (NAME_HEADER, message.name()),
    ] {
        if let Some(value) = text.and_then(header) {
            headers.insert(name, value);
        }
    }
    headers
}

/// Text as a header value: unchanged, or in Base64 (MCP 2026-07-28, "Streamable HTTP").
fn header(text: &str) -> Option<HeaderValue> {
    let is_plain =
        text.bytes().all(|byte| (b'!'..=b'~').contains(&byte)) && !text.starts_with("=?");
    if is_plain && !text.is_empty() {
        return HeaderValue::from_str(text).ok();
    }
    HeaderValue::try_from(format!("=?base64?{}?=", BASE64.encode(text.as_bytes()))).ok()
}

#[cfg(test)]
mod tests {
    use actix_web::web::Bytes;

    use super::*;

    fn kind(line: &str) -> String {
        let line = Bytes::copy_from_slice(line.as_bytes());
        let message = envelope(&line).unwrap();
        let bytes = message.arguments(&line).map_or(0, |it| it.len());
        match Kind::of(&message, bytes, 20) {
            Kind::Request(id) => format!("request {id:?}"),
            Kind::Cancelled(id) => format!("cancelled {id}"),
            Kind::Ignored => "ignored".to_owned(),
            Kind::TooLarge { id, bytes } => format!("{id} has {bytes}"),
        }
    }

    #[test]
    fn messages_are_classified() {
        for (line, expected) in [
            (
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
                "ignored",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
                "ignored",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
                "cancelled 7",
            ),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"requestId":7}}"#,
                "ignored",
            ),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "ignored"),
            (r#"{"jsonrpc":"2.0","id":1,"error":{}}"#, "ignored"),
            (r#"{"jsonrpc":"2.0","method":"tools/list"}"#, "request None"),
            ("[]", "request None"),
            (
                r#"{"id":"a","method":"tools/call","params":{"arguments":{"text":"aaaaaaaaaa"}}}"#,
                "a has 21",
            ),
        ] {
            assert_eq!(kind(line), expected, "{line}");
        }
        let at_the_limit =
            r#"{"id":1,"method":"tools/call","params":{"arguments":{"text":"aaaaaaaaa"}}}"#;
        assert!(kind(at_the_limit).starts_with("request"));
    }

    #[test]
    fn meta_provides_the_headers_of_http() {
        let line = r#"{"id":1,"method":"tools/call","params":{"name":"größe",
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let told = headers(&envelope(line.as_bytes()).unwrap());
        assert_eq!(told[VERSION_HEADER], "2026-07-28");
        assert_eq!(told[METHOD_HEADER], "tools/call");
        assert_eq!(told[NAME_HEADER], "=?base64?Z3LDtsOfZQ==?=");
        let plain = r#"{"id":1,"method":"tools/call","params":{"name":"a"}}"#;
        let told = headers(&envelope(plain.as_bytes()).unwrap());
        assert!(told.is_empty(), "{told:?}");
    }

    #[test]
    fn a_name_that_no_header_can_hold_is_encoded() {
        for (name, expected) in [
            ("cidr_info!~", "cidr_info!~"),
            ("a b", "=?base64?YSBi?="),
            ("=?", "=?base64?PT8=?="),
            ("", "=?base64??="),
        ] {
            assert_eq!(header(name).unwrap(), expected, "{name:?}");
        }
    }
}
