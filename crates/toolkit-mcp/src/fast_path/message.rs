//! Message parser of the fast path: recognizes a plain tool call.
//!
//! Standard: JSON-RPC 2.0, section 4; MCP 2026-07-28, "Streamable HTTP" (headers) and "General
//! fields" (`_meta`). Anything that is not plain is `None`: a duplicate or unknown member, a batch,
//! an id that another parser may read differently.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use actix_web::http::header::HeaderMap;
use data_encoding::BASE64;
use rmcp::model::ClientCapabilities;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::protocol::{
    METHOD_HEADER, NAME_HEADER, ProtocolFlavor, VERSION_HEADER, is_supported, single,
};

const METHOD: &str = "tools/call";
/// The only revision declared in `_meta`, as written there.
const STATELESS: &str = "\"2026-07-28\"";

/// A call of a tool.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Message<'a> {
    #[serde(borrow)]
    jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Object<Params<'a>>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Params<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<Object<Meta<'a>>>,
}

/// The `_meta` of a request. Other members are ignored.
#[derive(serde::Deserialize)]
struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

impl<'a> Message<'a> {
    /// Parses a body, if it is a plain call.
    pub(super) fn read(body: &'a [u8]) -> Option<Self> {
        let text = std::str::from_utf8(body).ok()?;
        let Object(message) = serde_json::from_str::<Object<Self>>(text).ok()?;
        let arguments = message.params.0.arguments;
        let is_plain = message.jsonrpc == "2.0"
            && message.method == METHOD
            && is_plain_id(message.id.get())
            && arguments.is_none_or(|arguments| arguments.get().starts_with('{'));
        is_plain.then_some(message)
    }

    /// The name of the tool.
    pub(super) fn tool(&self) -> &str {
        &self.params.0.name
    }

    /// The id, as JSON.
    pub(super) fn id(&self) -> &'a str {
        self.id.get()
    }

    /// The arguments, as JSON; empty if there are none.
    pub(super) fn arguments(&self) -> &'a str {
        self.params.0.arguments.map_or("", RawValue::get)
    }

    /// The flavor of the request according to its `_meta` alone.
    pub(super) fn flavor_of_meta(&self) -> Option<ProtocolFlavor> {
        let meta = self.params.0.meta.as_ref().map(|Object(meta)| meta);
        match meta.and_then(|meta| meta.version).map(RawValue::get) {
            None => Some(ProtocolFlavor::Stateful),
            Some(STATELESS) => declares_capabilities(meta?).then_some(ProtocolFlavor::Stateless),
            Some(_) => None,
        }
    }

    /// The flavor of the request, if its headers and its `_meta` agree.
    pub(super) fn flavor(&self, headers: &HeaderMap, tool: &str) -> Option<ProtocolFlavor> {
        let header = single(headers, VERSION_HEADER).ok()?;
        let meta = self.params.0.meta.as_ref().map(|Object(meta)| meta);
        let in_meta = meta.and_then(|meta| meta.version).map(RawValue::get);
        match (header, in_meta) {
            (None, None) => Some(ProtocolFlavor::Stateful),
            (Some(header), None) => {
                let plain =
                    is_supported(header) && ProtocolFlavor::of(header) == ProtocolFlavor::Stateful;
                plain.then_some(ProtocolFlavor::Stateful)
            }
            (Some(header), Some(STATELESS)) if STATELESS.trim_matches('"') == header => {
                let agrees = single(headers, METHOD_HEADER) == Ok(Some(METHOD))
                    && names(single(headers, NAME_HEADER).ok()??, tool)
                    && declares_capabilities(meta?);
                agrees.then_some(ProtocolFlavor::Stateless)
            }
            (_, Some(_)) => None,
        }
    }
}

/// Whether a header names a tool, unchanged or in Base64.
fn names(header: &str, tool: &str) -> bool {
    let encoded = header
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    match encoded {
        None => header == tool,
        Some(encoded) => BASE64
            .decode(encoded.as_bytes())
            .is_ok_and(|name| name == tool.as_bytes()),
    }
}

fn declares_capabilities(meta: &Meta<'_>) -> bool {
    meta.capabilities
        .map(RawValue::get)
        .is_some_and(|capabilities| {
            capabilities == "{}"
                || capabilities.starts_with('{')
                    && serde_json::from_str::<ClientCapabilities>(capabilities).is_ok()
        })
}

/// Whether an id, as JSON, is a string or an integer that every parser reads in the same way.
fn is_plain_id(json: &str) -> bool {
    if json.starts_with('"') {
        // An escape may stand for a lone surrogate.
        return !json.contains('\\') || serde_json::from_str::<String>(json).is_ok();
    }
    json != "-0" && json.parse::<i64>().is_ok()
}

/// A value that must be written as an object: derived code also accepts an array of its members.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Object)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    const PARAMS: &str = r#"{"name":"cidr_info","arguments":{"cidr":"10.0.0.0/8"}}"#;

    fn is_plain(body: &str) -> bool {
        Message::read(body.as_bytes()).is_some()
    }

    fn message(id: &str, params: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
    }

    #[test]
    fn calls_of_real_clients_are_plain() {
        for (id, params) in [
            ("1", PARAMS),
            ("-7", PARAMS),
            ("\"a\\u0062\"", PARAMS),
            ("1", r#"{"name":"cidr_info"}"#),
            ("1", r#"{"arguments":null,"name":"cidr_info","_meta":null}"#),
            (
                "1",
                r#"{"name":"cidr_info","arguments":{},"_meta":{"progressToken":[]}}"#,
            ),
        ] {
            assert!(is_plain(&message(id, params)), "{id} {params}");
        }
    }

    #[test]
    fn ambiguous_messages_are_not_plain() {
        for id in [
            "null",
            "1.0",
            "-0",
            "1e2",
            "9223372036854775808",
            "true",
            "[1]",
            "\"\\ud800\"",
        ] {
            assert!(!is_plain(&message(id, PARAMS)), "{id}");
        }
        for params in [
            "null",
            r#"["cidr_info",{}]"#,
            r#"{"name":"cidr_info","arguments":[]}"#,
            r#"{"name":"cidr_info","name":"hash_text"}"#,
            r#"{"name":"cidr_info","arguments":{},"arguments":{}}"#,
            r#"{"name":"cidr_info","task":{}}"#,
            r#"{"name":"cidr_info","_meta":[]}"#,
            r#"{"name":5}"#,
            r#"{"arguments":{}}"#,
        ] {
            assert!(!is_plain(&message("1", params)), "{params}");
        }
        for body in [
            "",
            "[]",
            &format!("[{}]", message("1", PARAMS)),
            &format!(r#"["2.0",1,"tools/call",{PARAMS}]"#),
            &format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":{PARAMS}}}"#),
            &message("1", PARAMS).replace("2.0", "1.0"),
            &message("1", PARAMS).replace("tools/call", "tools/list"),
            &format!("{} x", message("1", PARAMS)),
        ] {
            assert!(!is_plain(body), "{body}");
        }
    }

    fn flavor(headers: &[(&'static str, &'static str)], about: &str) -> Option<ProtocolFlavor> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        let body = message("1", &format!(r#"{{"name":"cidr_info","_meta":{about}}}"#));
        Message::read(body.as_bytes())?.flavor(&map, "cidr_info")
    }

    #[test]
    fn the_flavor_is_known_if_headers_and_meta_agree() {
        let version = (VERSION_HEADER, "2026-07-28");
        let method = (METHOD_HEADER, METHOD);
        let name = (NAME_HEADER, "cidr_info");
        let about = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
            "io.modelcontextprotocol/clientCapabilities":{}}"#;
        assert_eq!(
            flavor(&[version, method, name], about),
            Some(ProtocolFlavor::Stateless)
        );
        assert_eq!(flavor(&[], "null"), Some(ProtocolFlavor::Stateful));
        assert_eq!(
            flavor(&[(VERSION_HEADER, "2025-06-18")], "{}"),
            Some(ProtocolFlavor::Stateful)
        );
        for headers in [
            &[version, method] as &[_],
            &[version, name],
            &[method, name],
            &[version, version, method, name],
            &[version, method, name, name],
            &[(VERSION_HEADER, "2025-11-25"), method, name],
        ] {
            assert_eq!(flavor(headers, about), None, "{headers:?}");
        }
        assert_eq!(flavor(&[version, method, name], "{}"), None);
        assert_eq!(flavor(&[(VERSION_HEADER, "2024-11-05")], "{}"), None);
    }

    #[test]
    fn the_name_may_be_in_base64_and_capabilities_must_be_an_object() {
        let headers = |name| {
            [
                (VERSION_HEADER, "2026-07-28"),
                (METHOD_HEADER, METHOD),
                name,
            ]
        };
        let about = |capabilities: &str| {
            format!(
                r#"{{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
                "io.modelcontextprotocol/clientCapabilities":{capabilities}}}"#
            )
        };
        for (name, is_known) in [
            ("=?base64?Y2lkcl9pbmZv?=", true),
            ("=?base64?aGFzaF90ZXh0?=", false),
            ("=?base64?Y2lkcl9pbmZv", false),
            ("hash_text", false),
        ] {
            let flavor = flavor(&headers((NAME_HEADER, name)), &about("{}"));
            assert_eq!(flavor.is_some(), is_known, "{name}");
        }
        for (capabilities, is_known) in [
            (r#"{"sampling":{}}"#, true),
            (r#"{"sampling":5}"#, false),
            ("[]", false),
            ("null", false),
        ] {
            let flavor = flavor(&headers((NAME_HEADER, "cidr_info")), &about(capabilities));
            assert_eq!(flavor.is_some(), is_known, "{capabilities}");
        }
    }

    #[test]
    fn without_headers_meta_alone_names_the_flavor() {
        let flavor = |about: &str| {
            let body = message("1", &format!(r#"{{"name":"cidr_info","_meta":{about}}}"#));
            Message::read(body.as_bytes()).unwrap().flavor_of_meta()
        };
        assert_eq!(flavor("null"), Some(ProtocolFlavor::Stateful));
        assert_eq!(flavor("{}"), Some(ProtocolFlavor::Stateful));
        let about = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
        assert_eq!(flavor(about), None);
        let with = about.replace('}', r#","io.modelcontextprotocol/clientCapabilities":{}}"#);
        assert_eq!(flavor(&with), Some(ProtocolFlavor::Stateless));
        assert_eq!(flavor(&with.replace("2026", "2025")), None);
    }
}
