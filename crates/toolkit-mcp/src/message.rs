//! MCP message: reads a JSON-RPC message in one pass that copies no arguments.
//!
//! Standard: JSON-RPC 2.0, section 4; MCP 2026-07-28, "Streamable HTTP" (headers) and "General
//! fields" (`_meta`). Parameters of other methods are left to rmcp, and so are messages with
//! repeated members or other types.

use std::borrow::Cow;

use actix_web::http::header::HeaderMap;
use data_encoding::BASE64;
use rmcp::model::{ClientCapabilities, RequestId};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use toolkit_core::registry::mcp_tools;

use crate::protocol::{
    Lifecycle, METHOD_HEADER, NAME_HEADER, VERSION_HEADER, is_supported, single,
};

const TOOLS_CALL: &str = "tools/call";
const TOOLS_LIST: &str = "tools/list";
const INITIALIZE: &str = "initialize";
const CANCELLED: &str = "notifications/cancelled";

// A flattened member makes each of these accept only objects, since derived code would also accept
// an array of the members. It also limits the depth of unknown members.

/// A message.
#[derive(Deserialize)]
pub(crate) struct Message<'a> {
    #[serde(borrow, default)]
    jsonrpc: Cow<'a, str>,
    #[serde(default)]
    pub(crate) id: Option<RequestId>,
    #[serde(borrow, default)]
    pub(crate) method: Cow<'a, str>,
    #[serde(borrow, default)]
    params: Option<Params<'a>>,
    /// Only in an answer, so such a message is not a request.
    #[serde(default, alias = "error")]
    result: Option<IgnoredAny>,
    #[serde(flatten)]
    _others: IgnoredAny,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(default)]
    cursor: Option<IgnoredAny>,
    #[serde(default, rename = "requestId")]
    request_id: Option<RequestId>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<Meta<'a>>,
    #[serde(flatten)]
    _others: IgnoredAny,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
    #[serde(flatten)]
    _others: IgnoredAny,
}

impl<'a> Message<'a> {
    /// Reads a message.
    pub(crate) fn read(body: &'a [u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }

    /// The tool name in a call, whether or not the tool exists.
    pub(crate) fn called(&self) -> Option<&str> {
        let name = self.params.as_ref().map(|params| &*params.name);
        name.filter(|_| self.method == TOOLS_CALL)
    }

    /// The called tool, if it exists.
    pub(crate) fn tool(&self) -> Option<&'static str> {
        let name = self.called()?;
        let mut names = mcp_tools().map(|(_, mcp)| mcp.name);
        names.find(|known| *known == name)
    }

    /// ID, tool and arguments of a well-formed call. Absent arguments are empty.
    pub(crate) fn call(&self) -> Option<(&RequestId, &str, &'a str)> {
        let arguments = self.params.as_ref()?.arguments.map_or("", RawValue::get);
        // Some clients send the object as JSON text.
        let arguments_or_text = arguments.strip_prefix('"').unwrap_or(arguments);
        let is_object = arguments.is_empty() || arguments_or_text.trim_start().starts_with('{');
        Some((self.request()?, self.called()?, arguments)).filter(|_| is_object)
    }

    /// The ID of a well-formed request for the whole list of tools.
    pub(crate) fn list(&self) -> Option<&RequestId> {
        let is_whole = self.params.as_ref().is_none_or(|params| params.cursor.is_none());
        self.request().filter(|_| self.method == TOOLS_LIST && is_whole)
    }

    /// The ID of a request.
    fn request(&self) -> Option<&RequestId> {
        let is_request = self.jsonrpc == "2.0" && self.result.is_none();
        self.id.as_ref().filter(|_| is_request && !self.method.is_empty())
    }

    /// The request that the client cancels.
    pub(crate) fn cancelled(&self) -> Option<&RequestId> {
        let id = self.params.as_ref()?.request_id.as_ref();
        id.filter(|_| self.method == CANCELLED)
    }

    /// Whether only a header can name the revision, because there is neither `_meta` nor a
    /// handshake.
    pub(crate) fn has_version_in_header_only(&self) -> bool {
        !self.method.is_empty() && self.method != INITIALIZE && self.version().is_none()
    }

    /// The lifecycle of a request, if its revision is supported and `_meta` agrees with the
    /// headers. There are headers only over HTTP.
    pub(crate) fn lifecycle(&self, headers: Option<&HeaderMap>) -> Option<Lifecycle> {
        let in_meta = self.version();
        let version = match headers {
            Some(headers) => single(headers, VERSION_HEADER).ok()?,
            None => in_meta,
        };
        let Some(version) = version else {
            return in_meta.is_none().then_some(Lifecycle::Stateful);
        };
        let lifecycle = Lifecycle::of(version);
        let agrees = match (lifecycle, in_meta) {
            (Lifecycle::Stateful, None) => true,
            (Lifecycle::Stateful, Some(in_meta)) => in_meta == version,
            (Lifecycle::Stateless, in_meta) => {
                in_meta == Some(version)
                    && self.declares_capabilities()
                    && headers.is_none_or(|headers| self.agrees_with(headers))
            }
        };
        (agrees && is_supported(version)).then_some(lifecycle)
    }

    fn version(&self) -> Option<&str> {
        self.meta()?.version.as_deref()
    }

    fn meta(&self) -> Option<&Meta<'a>> {
        self.params.as_ref()?.meta.as_ref()
    }

    fn declares_capabilities(&self) -> bool {
        let capabilities = self.meta().and_then(|meta| meta.capabilities);
        capabilities.map(RawValue::get).is_some_and(|json| {
            json.starts_with('{') && serde_json::from_str::<ClientCapabilities>(json).is_ok()
        })
    }

    fn agrees_with(&self, headers: &HeaderMap) -> bool {
        let name = single(headers, NAME_HEADER).ok().flatten();
        single(headers, METHOD_HEADER) == Ok(Some(&*self.method))
            && (self.called()).is_none_or(|tool| name.is_some_and(|name| names(name, tool)))
    }
}

/// Whether a header names a tool, unchanged or in Base64.
fn names(header: &str, tool: &str) -> bool {
    let encoded = header.strip_prefix("=?base64?");
    match encoded.and_then(|rest| rest.strip_suffix("?=")) {
        None => header == tool,
        Some(encoded) => {
            BASE64.decode(encoded.as_bytes()).is_ok_and(|name| name == tool.as_bytes())
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    const PARAMS: &str = r#"{"name":"cidr_info","arguments":{"cidr":"10.0.0.0/8"}}"#;

    fn message(id: &str, params: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
    }

    fn is_call(body: &str) -> bool {
        Message::read(body.as_bytes()).is_some_and(|message| message.call().is_some())
    }

    #[test]
    fn calls_of_real_clients_are_well_formed() {
        for (id, params) in [
            ("1", PARAMS),
            ("-7", PARAMS),
            ("1.0", PARAMS),
            ("\"a\\u0062\"", PARAMS),
            ("1", r#"{"name":"cidr_info"}"#),
            ("1", r#"{"arguments":null,"name":"cidr_info","_meta":null}"#),
            ("1", r#"{"name":"cidr_info","task":{},"_meta":{"progressToken":[]}}"#),
        ] {
            assert!(is_call(&message(id, params)), "{id} {params}");
        }
    }

    #[test]
    fn what_another_reader_may_understand_in_another_way_is_not_well_formed() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        for id in ["null", "1.5", "9223372036854775808", "true", "[1]"] {
            assert!(!is_call(&message(id, PARAMS)), "{id}");
        }
        for params in [
            "null",
            r#"["cidr_info",{}]"#,
            r#"{"name":"cidr_info","arguments":[]}"#,
            r#"{"name":"cidr_info","name":"hash_text"}"#,
            r#"{"name":"cidr_info","arguments":{},"arguments":{}}"#,
            r#"{"name":"cidr_info","_meta":[]}"#,
            r#"{"name":5}"#,
            &format!(r#"{{"name":"cidr_info","deep":{deep}}}"#),
        ] {
            assert!(!is_call(&message("1", params)), "{params}");
        }
        for body in [
            "",
            "[]",
            &format!("[{}]", message("1", PARAMS)),
            &format!(r#"["2.0",1,"tools/call",{PARAMS}]"#),
            &format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":{PARAMS}}}"#),
            &message("1", PARAMS).replace("2.0", "1.0"),
            &message("1", PARAMS).replace("tools/call", "tools/list"),
            &message("1", PARAMS).replacen('{', r#"{"error":{},"#, 1),
            &format!("{} x", message("1", PARAMS)),
        ] {
            assert!(!is_call(body), "{body}");
        }
    }

    const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
    const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

    fn lifecycle(
        headers: Option<&[(&'static str, &'static str)]>,
        meta: &str,
    ) -> Option<Lifecycle> {
        let headers = headers.map(|headers| {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                let (name, value) =
                    (HeaderName::from_static(name), HeaderValue::from_static(value));
                map.append(name, value);
            }
            map
        });
        let body = message("1", &format!(r#"{{"name":"cidr_info","_meta":{meta}}}"#));
        Message::read(body.as_bytes())?.lifecycle(headers.as_ref())
    }

    fn meta(version: &str, capabilities: &str) -> String {
        format!(r#"{{"{VERSION}":"{version}","{CAPABILITIES}":{capabilities}}}"#)
    }

    #[test]
    fn the_lifecycle_is_known_if_headers_and_meta_agree() {
        let version = (VERSION_HEADER, "2026-07-28");
        let method = (METHOD_HEADER, TOOLS_CALL);
        let name = (NAME_HEADER, "cidr_info");
        let about = meta("2026-07-28", "{}");
        let stateless = Some(Lifecycle::Stateless);
        let stateful = Some(Lifecycle::Stateful);
        let old: &[_] = &[(VERSION_HEADER, "2025-06-18")];
        assert_eq!(lifecycle(Some(&[version, method, name]), &about), stateless);
        assert_eq!(lifecycle(Some(&[]), "null"), stateful);
        assert_eq!(lifecycle(Some(old), "{}"), stateful);
        assert_eq!(lifecycle(Some(old), &meta("2025-06-18", "{}")), stateful);
        for headers in [
            &[version, method] as &[_],
            &[version, name],
            &[method, name],
            &[version, version, method, name],
            &[version, method, name, name],
            &[(VERSION_HEADER, "2025-11-25"), method, name],
        ] {
            assert_eq!(lifecycle(Some(headers), &about), None, "{headers:?}");
        }
        assert_eq!(lifecycle(Some(&[version, method, name]), "{}"), None);
        assert_eq!(lifecycle(Some(old), &meta("2025-11-25", "{}")), None);
        let unsupported = [(VERSION_HEADER, "2024-11-05")];
        assert_eq!(lifecycle(Some(&unsupported), "{}"), None);
    }

    #[test]
    fn the_name_may_be_in_base64_and_capabilities_must_be_an_object() {
        let with = |name| [(VERSION_HEADER, "2026-07-28"), (METHOD_HEADER, TOOLS_CALL), name];
        for (name, is_known) in [
            ("=?base64?Y2lkcl9pbmZv?=", true),
            ("=?base64?aGFzaF90ZXh0?=", false),
            ("=?base64?Y2lkcl9pbmZv", false),
            ("hash_text", false),
        ] {
            let lifecycle = lifecycle(Some(&with((NAME_HEADER, name))), &meta("2026-07-28", "{}"));
            assert_eq!(lifecycle.is_some(), is_known, "{name}");
        }
        for (capabilities, is_known) in [
            (r#"{"sampling":{}}"#, true),
            (r#"{"sampling":5}"#, false),
            ("[]", false),
            ("null", false),
        ] {
            let meta = meta("2026-07-28", capabilities);
            let lifecycle = lifecycle(Some(&with((NAME_HEADER, "cidr_info"))), &meta);
            assert_eq!(lifecycle.is_some(), is_known, "{capabilities}");
        }
    }

    #[test]
    fn without_headers_meta_alone_names_the_lifecycle() {
        assert_eq!(lifecycle(None, "null"), Some(Lifecycle::Stateful));
        assert_eq!(lifecycle(None, "{}"), Some(Lifecycle::Stateful));
        assert_eq!(lifecycle(None, &format!(r#"{{"{VERSION}":"2026-07-28"}}"#)), None);
        assert_eq!(lifecycle(None, &meta("2099-01-01", "{}")), None);
        let stateless = lifecycle(None, &meta("2026-07-28", "{}"));
        assert_eq!(stateless, Some(Lifecycle::Stateless));
    }
}
