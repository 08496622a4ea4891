//! Request envelope: the JSON-RPC fields read without parsing the parameters.

use std::borrow::Cow;

use rmcp::model::RequestId;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::tools::Offered;

const TOOLS_CALL: &str = "tools/call";
const INITIALIZE: &str = "initialize";

/// The outline of a message; empty where the body is none.
#[derive(Default, Deserialize)]
pub(crate) struct Envelope<'a> {
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(default)]
    id: Option<RequestId>,
    #[serde(borrow, default)]
    params: Option<Params<'a>>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(default, rename = "_meta")]
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<IgnoredAny>,
}

impl<'a> Envelope<'a> {
    /// The outline of a body.
    pub(crate) fn of(body: &'a [u8]) -> Self {
        serde_json::from_slice(body).unwrap_or_default()
    }

    /// The tool that the message calls, if there is such a tool.
    pub(crate) fn tool(&self) -> Option<&'static str> {
        let name = self.params.as_ref()?.name.as_deref()?;
        let calls = self.method.as_deref() == Some(TOOLS_CALL);
        calls
            .then(|| Offered::find(name))
            .flatten()
            .map(|offered| offered.mcp.name)
    }

    /// Whether only the header tells the revision: neither `_meta` nor a handshake does.
    pub(crate) fn goes_by_header(&self) -> bool {
        let in_meta = self.params.as_ref().and_then(|params| params.meta.as_ref());
        let method = self.method.as_deref();
        method.is_some_and(|method| method != INITIALIZE)
            && in_meta.is_none_or(|meta| meta.version.is_none())
    }

    /// The id of the request.
    pub(crate) fn id(&self) -> Option<RequestId> {
        self.id.clone()
    }
}
