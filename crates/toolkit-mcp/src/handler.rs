//! rmcp server handler: the server's identity.
//!
//! Standard: MCP 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28, for a server with tools and one
//! skill. It neither lists nor runs tools, since well-formed requests for that are answered
//! earlier. rmcp refuses prompts, completion, logging and tasks, which are not declared.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult,
    DiscoverResult, GetSkillRequestParams, GetSkillResult, InitializeRequestParams,
    InitializeResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use toolkit_core::input::Echo;
use toolkit_core::registry::by_mcp_name;

use crate::error::no_method;
use crate::identity::Identity;
use crate::protocol::TTL_MS;
use crate::skill;
use crate::tools::names;

/// The handler of one request. It is only a pointer, since each request creates one.
#[derive(Clone)]
pub(crate) struct Handler(Arc<Shared>);

struct Shared {
    config: ServerConfig,
    versions: &'static [ProtocolVersion],
}

impl Handler {
    /// Creates the handler.
    pub(crate) fn new(identity: &Identity, versions: &'static [ProtocolVersion]) -> Self {
        Self(Arc::new(Shared { config: identity.config(), versions }))
    }
}

type Answer<T> = Result<T, ErrorData>;

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.0.config.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(self.0.versions)
    }

    /// Keeps no session, so later requests must name their revision themselves.
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<InitializeResult> {
        self.negotiate_initialize(&request)
    }

    async fn discover(&self, _: RequestContext<RoleServer>) -> Answer<DiscoverResult> {
        let versions = self.0.versions.to_vec();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        result.ttl_ms = TTL_MS;
        result.cache_scope = CacheScope::Public;
        Ok(result)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Answer<ListToolsResult> {
        let message = "There is only one page of tools. Leave `cursor` out.";
        Err(ErrorData::invalid_params(message, None))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        let message = match by_mcp_name(&request.name) {
            Some(_) => {
                "A member of this tools/call is given twice or has the wrong type. Give each once, as \
                 the protocol describes it."
                    .to_owned()
            }
            None => format!(
                "Unknown tool {}. The tools are {}.",
                Echo(&request.name),
                names()
            ),
        };
        Err(ErrorData::invalid_params(message, None))
    }

    async fn list_skills(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Answer<ListSkillsResult> {
        Ok(skill::list())
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<GetSkillResult> {
        skill::get(&request.uri)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Answer<ListResourcesResult> {
        Ok(skill::resources())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Answer<ListResourceTemplatesResult> {
        let mut none = ListResourceTemplatesResult::default();
        (none.ttl_ms, none.cache_scope) = (Some(TTL_MS), Some(CacheScope::Public));
        Ok(none)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Answer<ReadResourceResponse> {
        skill::read(&request.uri).map(ReadResourceResponse::from)
    }

    /// Called for unknown methods, and for known ones with malformed parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Answer<CustomResult> {
        let parameters = match request.method.as_str() {
            // Revision 2026-07-28 names itself in every request and has no such method.
            "initialize" if context.meta.protocol_version().is_none() => {
                "initialize takes `protocolVersion`, a string, `capabilities`, an object, and \
                 `clientInfo`, an object with `name` and `version`."
            }
            "tools/call" => "tools/call takes `name`, a string, and `arguments`, an object.",
            "tools/list" => "tools/list takes an object without `cursor`.",
            "server/discover" => {
                "server/discover takes an object with `_meta`, as each request has it."
            }
            method => return Err(no_method(method)),
        };
        Err(ErrorData::invalid_params(parameters, None))
    }
}
