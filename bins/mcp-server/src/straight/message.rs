//! Reading a request as far as it must be a plain call of a tool.
//!
//! Standard: JSON-RPC 2.0, section 4; MCP 2026-07-28, "Streamable HTTP" (headers) and "General fields"
//! (`_meta`). Anything that is not plain is `None`: a repeated or unknown member, a batch, an id that
//! another reader may take differently.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use actix_web::http::header::HeaderMap;
use data_encoding::BASE64;
use rmcp::model::ClientCapabilities;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::protocol::{Era, METHOD_HEADER, NAME_HEADER, VERSION_HEADER, is_supported, single};

const METHOD: &str = "tools/call";
/// The one revision that is told by `_meta`, as it stands there.
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

/// What a request says of itself. Its other members are for others.
#[derive(serde::Deserialize)]
struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

impl<'a> Message<'a> {
    /// Reads a body, if it is a plain call.
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

    /// The arguments, as JSON; empty where there are none.
    pub(super) fn arguments(&self) -> &'a str {
        self.params.0.arguments.map_or("", RawValue::get)
    }

    /// The era of the request, if its headers and its `_meta` agree.
    pub(super) fn era(&self, headers: &HeaderMap, tool: &str) -> Option<Era> {
        let header = single(headers, VERSION_HEADER).ok()?;
        let meta = self.params.0.meta.as_ref().map(|Object(meta)| meta);
        let in_meta = meta.and_then(|meta| meta.version).map(RawValue::get);
        match (header, in_meta) {
            (None, None) => Some(Era::Handshake),
            (Some(header), None) => {
                let plain = is_supported(header) && Era::of(header) == Era::Handshake;
                plain.then_some(Era::Handshake)
            }
            (Some(header), Some(STATELESS)) if STATELESS.trim_matches('"') == header => {
                let agrees = single(headers, METHOD_HEADER) == Ok(Some(METHOD))
                    && names(single(headers, NAME_HEADER).ok()??, tool)
                    && declares_capabilities(meta?);
                agrees.then_some(Era::Stateless)
            }
            (_, Some(_)) => None,
        }
    }
}

/// Whether a header names a tool, as it is or in Base64.
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

/// Whether an id, as JSON, is a string or a whole number that everybody reads in the same way.
fn is_plain_id(json: &str) -> bool {
    if json.starts_with('"') {
        // An escape may stand for half a character.
        return !json.contains('\\') || serde_json::from_str::<String>(json).is_ok();
    }
    json != "-0" && json.parse::<i64>().is_ok()
}

/// A value that must be written as an object: derived code takes an array of its members, too.
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
