//! Server handler for rmcp: identity, tool list and tool calls.
//!
//! Standard: MCP 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28, for a server with tools only.
//! Prompts, resources, completion, logging and tasks are not declared, and so not implemented.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::web::Bytes;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams,
    CompleteResult, ContentBlock, CustomRequest, CustomResult, DiscoverResult, ErrorCode,
    GetPromptRequestParams, GetPromptResponse, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, MetaObject, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use toolkit_core::input::Echo;
use toolkit_server::request_id::RequestId;

use crate::call::{Call, Caller, Outcome};
use crate::error::internal;
use crate::identity::Identity;
use crate::protocol::ProtocolFlavor;
use crate::rmcp_adapter::Sent;
use crate::tools::{LISTED, Offered, names};

/// How long a client may cache the list of tools, which changes only with a release.
const LIST_TTL_MS: u64 = 3_600_000;

/// The handler of one request. One is created for each, so it is only a pointer.
#[derive(Clone)]
pub(crate) struct Handler(Arc<Shared>);

struct Shared {
    caller: Caller,
    config: ServerConfig,
    versions: &'static [ProtocolVersion],
    /// `_meta` of a result: the server that produced it.
    meta: MetaObject,
}

impl Handler {
    /// Creates the handler.
    pub(crate) fn new(
        caller: Caller,
        identity: &Identity,
        versions: &'static [ProtocolVersion],
    ) -> Self {
        Self(Arc::new(Shared {
            caller,
            config: identity.config(),
            versions,
            meta: identity.meta(),
        }))
    }

    async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Answer<CallToolResult> {
        let offered = Offered::find(&request.name).ok_or_else(|| unknown_tool(&request.name))?;
        let flavor = flavor(context);
        let sent = sent(context);
        let call = Call {
            offered,
            arguments: arguments(&request, sent)?,
            flavor,
            client: sent.and_then(|sent| sent.client.clone()),
            request_id: sent.map_or_else(RequestId::make, |sent| sent.id),
        };
        let mut result = tokio::select! {
            outcome = self.0.caller.call(call) => result(outcome)?,
            () = context.ct.cancelled() => return Err(internal()),
        };
        if flavor == ProtocolFlavor::Stateless {
            result.meta = Some(self.0.meta.clone());
        }
        Ok(result)
    }
}

type Answer<T> = Result<T, ErrorData>;

/// Generates handler methods that only return the error for an undeclared capability.
macro_rules! undeclared {
    ($($method:literal $name:ident($params:ty) -> $result:ty),* $(,)?) => {$(
        async fn $name(&self, _: $params, _: RequestContext<RoleServer>) -> Answer<$result> {
            Err(no_method($method))
        }
    )*};
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.0.config.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.0.versions)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Answer<DiscoverResult> {
        let versions = self.0.versions.to_vec();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        result.ttl_ms = LIST_TTL_MS;
        result.cache_scope = CacheScope::Public;
        Ok(result)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Answer<ListToolsResult> {
        if request.is_some_and(|request| request.cursor.is_some()) {
            let message = "There is only one page of tools; leave `cursor` out.";
            return Err(ErrorData::invalid_params(message, None));
        }
        let mut result = ListToolsResult::with_all_items(LISTED.clone());
        if flavor(&context) == ProtocolFlavor::Stateless {
            result = result
                .with_ttl_ms(LIST_TTL_MS)
                .with_cache_scope(CacheScope::Public);
            result.meta = Some(self.0.meta.clone());
        }
        Ok(result)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        LISTED.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        Ok(self.call(request, &context).await?.into())
    }

    // rmcp answers some of these with empty lists, but a server must not answer for undeclared
    // capabilities.
    undeclared! {
        "completion/complete" complete(CompleteRequestParams) -> CompleteResult,
        "prompts/get" get_prompt(GetPromptRequestParams) -> GetPromptResponse,
        "prompts/list" list_prompts(Option<PaginatedRequestParams>) -> ListPromptsResult,
        "resources/list" list_resources(Option<PaginatedRequestParams>) -> ListResourcesResult,
        "resources/read" read_resource(ReadResourceRequestParams) -> ReadResourceResponse,
        "resources/templates/list"
            list_resource_templates(Option<PaginatedRequestParams>) -> ListResourceTemplatesResult,
    }

    /// Called for unknown methods, and for known ones with malformed parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Answer<CustomResult> {
        let parameters = match request.method.as_str() {
            "tools/call" => "tools/call takes `name`, a string, and `arguments`, an object.",
            "tools/list" => "tools/list takes an object without `cursor`.",
            "server/discover" => "server/discover takes an object.",
            method => return Err(no_method(method)),
        };
        Err(ErrorData::invalid_params(parameters, None))
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {}
}

/// The flavor of a request checked by rmcp.
fn flavor(context: &RequestContext<RoleServer>) -> ProtocolFlavor {
    let version = context.protocol_version();
    version.map_or(ProtocolFlavor::Stateful, |version| {
        ProtocolFlavor::of(version.as_str())
    })
}

/// The original request, which the adapter adds to what rmcp passes on.
fn sent(context: &RequestContext<RoleServer>) -> Option<&Sent> {
    let parts = context.extensions.get::<http::request::Parts>()?;
    parts.extensions.get::<Sent>()
}

/// The arguments as JSON; empty if there are none.
///
/// rmcp passes them as a tree, in which numbers have lost digits and duplicate names are gone. The
/// tool reads the raw bytes of the request instead, so that it answers as on the fast path.
fn arguments(request: &CallToolRequestParams, sent: Option<&Sent>) -> Answer<Bytes> {
    let Some(tree) = &request.arguments else {
        return Ok(Bytes::new());
    };
    if let Some(arguments) = sent.and_then(|sent| sent.arguments.clone()) {
        return Ok(arguments);
    }
    let rewritten = serde_json::to_vec(tree).map_err(|_| internal())?;
    Ok(rewritten.into())
}

fn result(outcome: Outcome) -> Answer<CallToolResult> {
    let refused = |text: String| Ok(CallToolResult::error(vec![ContentBlock::text(text)]));
    match outcome {
        Outcome::Answer(json) => {
            let structured = serde_json::from_slice(&json).map_err(|_| internal())?;
            let text = String::from_utf8(json).map_err(|_| internal())?;
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            result.structured_content = Some(structured);
            Ok(result)
        }
        Outcome::Refused(sentence) => refused(sentence),
        Outcome::Busy(sentence) => refused(sentence.to_owned()),
        Outcome::Internal => Err(internal()),
    }
}

/// The error for an unknown tool, with the known ones.
fn unknown_tool(name: &str) -> ErrorData {
    let message = format!(
        "There is no tool {}; the tools are {}.",
        Echo(name),
        names()
    );
    ErrorData::invalid_params(message, None)
}

/// The error for a method that this server does not declare, with the declared ones.
fn no_method(method: &str) -> ErrorData {
    let message = format!(
        "There is no method {}; this server has tools only: tools/list and tools/call.",
        Echo(method),
    );
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}
