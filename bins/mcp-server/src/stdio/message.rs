//! Message parser of stdio: the JSON-RPC fields that the session needs.
//!
//! Standard: JSON-RPC 2.0, section 4; MCP 2026-07-28, "stdio", where `_meta` tells what headers tell
//! over HTTP.

use std::borrow::Cow;

use data_encoding::BASE64;
use rmcp::model::RequestId;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::protocol::Headers;

/// The members of a message that the session looks at.
#[derive(Default, Deserialize)]
pub(super) struct Outline<'a> {
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(default)]
    id: Option<RequestId>,
    #[serde(borrow, default)]
    params: Option<Params<'a>>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Params<'a> {
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(default, rename = "requestId")]
    request_id: Option<RequestId>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<Meta<'a>>,
}

#[derive(Default, Deserialize)]
struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<Cow<'a, str>>,
}

/// What a message is to the session.
pub(super) enum Kind {
    /// Something to answer.
    Request(Option<RequestId>),
    /// The client no longer wants the answer to a request.
    Cancelled(RequestId),
    /// Nothing to answer: another notification, or a response to a request that was never sent.
    Ignored,
    /// A tool call whose arguments are larger than the limit.
    TooLarge { id: RequestId, bytes: usize },
}

impl<'a> Outline<'a> {
    /// Reads a line, if it is JSON. JSON that is not such a message is an empty outline, and left to the
    /// protocol layer.
    pub(super) fn of(line: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(line).ok().or_else(|| {
            let is_json = serde_json::from_slice::<IgnoredAny>(line).is_ok();
            is_json.then(Self::default)
        })
    }

    /// What kind of message it is.
    pub(super) fn kind(&self, arguments_bytes_max: usize) -> Kind {
        let Some(method) = self.method.as_deref() else {
            let is_response = self.result.is_some() || self.error.is_some();
            return if is_response {
                Kind::Ignored
            } else {
                Kind::Request(self.id.clone())
            };
        };
        let Some(id) = &self.id else {
            return self.notification(method);
        };
        let arguments = self.params.as_ref().and_then(|params| params.arguments);
        let bytes = arguments.map_or(0, |arguments| arguments.get().len());
        if method == "tools/call" && bytes > arguments_bytes_max {
            return Kind::TooLarge {
                id: id.clone(),
                bytes,
            };
        }
        Kind::Request(Some(id.clone()))
    }

    fn notification(&self, method: &str) -> Kind {
        let cancelled = self.params.as_ref().and_then(|it| it.request_id.clone());
        match cancelled {
            Some(id) if method == "notifications/cancelled" => Kind::Cancelled(id),
            _ if method.starts_with("notifications/") => Kind::Ignored,
            // A request whose id is missing or of a wrong type: the protocol layer says so.
            _ => Kind::Request(None),
        }
    }

    /// Whether the message names 2026-07-28 as its revision.
    pub(super) fn is_stateless(&self) -> bool {
        self.version() == Some("2026-07-28")
    }

    fn version(&self) -> Option<&str> {
        self.params.as_ref()?.meta.as_ref()?.version.as_deref()
    }

    /// The headers that this message would have over HTTP.
    pub(super) fn headers(&self) -> Headers {
        let Some(version) = self.version() else {
            return Headers::default();
        };
        let name = self.params.as_ref().and_then(|it| it.name.as_deref());
        Headers {
            version: Some(header(version)),
            method: self.method.as_deref().map(header),
            name: name.map(header),
        }
    }
}

/// Text as a header value: as it is, or in Base64 (MCP 2026-07-28, "Streamable HTTP").
fn header(text: &str) -> String {
    let is_plain =
        text.bytes().all(|byte| (b'!'..=b'~').contains(&byte)) && !text.starts_with("=?");
    if is_plain && !text.is_empty() {
        return text.to_owned();
    }
    format!("=?base64?{}?=", BASE64.encode(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> String {
        match Outline::of(line.as_bytes()).unwrap().kind(20) {
            Kind::Request(id) => format!("request {id:?}"),
            Kind::Cancelled(id) => format!("cancelled {id}"),
            Kind::Ignored => "ignored".to_owned(),
            Kind::TooLarge { id, bytes } => format!("{id} has {bytes}"),
        }
    }

    #[test]
    fn messages_are_told_apart() {
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
    fn meta_gives_the_headers_of_http() {
        let line = r#"{"id":1,"method":"tools/call","params":{"name":"größe",
            "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let headers = Outline::of(line.as_bytes()).unwrap().headers();
        assert_eq!(headers.version.as_deref(), Some("2026-07-28"));
        assert_eq!(headers.method.as_deref(), Some("tools/call"));
        assert_eq!(headers.name.as_deref(), Some("=?base64?Z3LDtsOfZQ==?="));
        let plain = r#"{"id":1,"method":"tools/call","params":{"name":"a"}}"#;
        let headers = Outline::of(plain.as_bytes()).unwrap().headers();
        assert_eq!(headers, Headers::default());
    }
}
