//! Request envelope: the JSON-RPC fields read without parsing the parameters.
//!
//! Standard: JSON-RPC 2.0, section 4.

use std::borrow::Cow;

use actix_web::web::Bytes;
use rmcp::model::RequestId;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::tools::Offered;

const TOOLS_CALL: &str = "tools/call";
const INITIALIZE: &str = "initialize";

/// The envelope of a message; empty if the body is not one.
#[derive(Default, Deserialize)]
pub(crate) struct Envelope<'a> {
    #[serde(borrow, default)]
    pub(crate) method: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(crate) id: Option<RequestId>,
    #[serde(borrow, default)]
    params: Option<Params<'a>>,
    #[serde(default)]
    result: Option<IgnoredAny>,
    #[serde(default)]
    error: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "requestId")]
    request_id: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<Meta<'a>>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
}

impl<'a> Envelope<'a> {
    /// Parses the envelope of a body.
    pub(crate) fn of(body: &'a [u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_default()
    }

    /// The tool that the message calls, if it exists.
    pub(crate) fn tool(&self) -> Option<&'static str> {
        let name = self.name().filter(|_| self.calls_tool())?;
        Offered::find(name).map(|offered| offered.mcp.name)
    }

    /// Whether the message calls a tool.
    pub(crate) fn calls_tool(&self) -> bool {
        self.method.as_deref() == Some(TOOLS_CALL)
    }

    /// Whether the message answers a request.
    pub(crate) fn is_response(&self) -> bool {
        self.method.is_none() && (self.result.is_some() || self.error.is_some())
    }

    /// The name in the parameters.
    pub(crate) fn name(&self) -> Option<&str> {
        self.params.as_ref()?.name.as_deref()
    }

    /// The arguments of a call, as in the body of this envelope.
    pub(crate) fn arguments(&self, body: &Bytes) -> Option<Bytes> {
        let arguments = self.params.as_ref()?.arguments?;
        Some(body.slice_ref(arguments.get().as_bytes()))
    }

    /// The request that the parameters refer to.
    pub(crate) fn request_id(&self) -> Option<RequestId> {
        serde_json::from_str(self.params.as_ref()?.request_id?.get()).ok()
    }

    /// The revision that `_meta` names, if it is a string.
    pub(crate) fn version(&self) -> Option<Cow<'a, str>> {
        serde_json::from_str(self.version_member()?).ok()
    }

    /// Whether only the header has the revision: there is neither `_meta` nor a handshake.
    pub(crate) fn has_version_in_header_only(&self) -> bool {
        let method = self.method.as_deref();
        method.is_some_and(|method| method != INITIALIZE) && self.version_member().is_none()
    }

    fn version_member(&self) -> Option<&'a str> {
        Some(self.params.as_ref()?.meta.as_ref()?.version?.get())
    }
}
