//! What rmcp asks of a server: what it is, which tools it has, and what a call gives.

use std::borrow::Cow;
use std::future::{Future, ready};
use std::sync::Arc;

use actix_web::web::Bytes;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod,
    CompleteRequestParams, CompleteResult, ContentBlock, CustomRequest, CustomResult,
    DiscoverResult, ErrorCode, Implementation, ListPromptsRequestMethod, ListPromptsResult,
    ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod,
    ListResourcesResult, ListToolsResult, MetaObject, PaginatedRequestParams, ProtocolVersion,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use toolkit_run::Runner;

use crate::call::{Outcome, call};
use crate::tools::{LISTED, Offered, icon, names};

/// How long a client may keep the list of tools: it changes with a release only.
const LIST_TTL_MS: u64 = 3_600_000;

/// What a model reads before it uses the tools.
const INSTRUCTIONS: &str = "\
Deterministic developer tools: prefer them to working out encodings, digests, identifiers, dates, \
schedules, subnets or regular expressions yourself. Nothing is stored and nothing is fetched: pass \
the text itself. Every answer is {result, type}, with warnings that say what was assumed. A refused \
call says what to change. decode_jwt does not verify signatures. Texts up to 1 MiB; calls are \
limited per client address, so wait as Retry-After says when you get a 429.";

/// The handler of one request: it is made anew for each, so it is only a pointer.
#[derive(Debug, Clone)]
pub struct Handler(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    runner: Arc<Runner>,
    config: ServerConfig,
    /// `_meta` of a result: the server that made it.
    meta: MetaObject,
}

impl Handler {
    /// Makes the handler. `website` is the address of the documentation.
    pub fn new(runner: Arc<Runner>, website: &str) -> Self {
        let server = Implementation::new("toolkit", env!("CARGO_PKG_VERSION"))
            .with_title("Toolkit: developer tools")
            .with_description("Nine deterministic developer tools.")
            .with_icons(vec![icon()])
            .with_website_url(website);
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let config = ServerConfig::new(capabilities)
            .with_server_info(server.clone())
            .with_instructions(INSTRUCTIONS);
        let mut discovered = DiscoverResult::from_server_info(Vec::new(), config.clone());
        discovered.set_server_info(server);
        let meta = discovered.meta.unwrap_or_default();
        Self(Arc::new(Shared {
            runner,
            config,
            meta,
        }))
    }
}

type Answer<T> = Result<T, ErrorData>;

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.0.config.clone()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        const VERSIONS: &[ProtocolVersion] = &[
            ProtocolVersion::V_2025_03_26,
            ProtocolVersion::V_2025_06_18,
            ProtocolVersion::V_2025_11_25,
            ProtocolVersion::V_2026_07_28,
        ];
        Cow::Borrowed(VERSIONS)
    }

    fn discover(
        &self,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Answer<DiscoverResult>> + Send + '_ {
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        result.ttl_ms = LIST_TTL_MS;
        result.cache_scope = CacheScope::Public;
        ready(Ok(result))
    }

    fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> impl Future<Output = Answer<ListToolsResult>> + Send + '_ {
        if request.is_some_and(|request| request.cursor.is_some()) {
            let message = "There is only one page of tools; leave `cursor` out.";
            return ready(Err(ErrorData::invalid_params(message, None)));
        }
        let mut result = ListToolsResult::with_all_items(LISTED.clone());
        if is_modern(&context) {
            result = result
                .with_ttl_ms(LIST_TTL_MS)
                .with_cache_scope(CacheScope::Public);
            result.meta = Some(self.0.meta.clone());
        }
        ready(Ok(result))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        LISTED.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        let offered = Offered::find(&request.name).ok_or_else(|| unknown_tool(&request.name))?;
        let arguments = match &request.arguments {
            Some(arguments) => serde_json::to_vec(arguments).map_err(|_| internal())?,
            None => Vec::new(),
        };
        let mut result = tokio::select! {
            outcome = call(&self.0.runner, offered, Bytes::from(arguments)) => result(outcome)?,
            () = context.ct.cancelled() => return Err(internal()),
        };
        if is_modern(&context) {
            result.meta = Some(self.0.meta.clone());
        }
        Ok(result.into())
    }

    // rmcp answers these with empty lists, but a server must not answer for what it did not declare.

    fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Answer<ListPromptsResult>> + Send + '_ {
        ready(Err(
            ErrorData::method_not_found::<ListPromptsRequestMethod>(),
        ))
    }

    fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Answer<ListResourcesResult>> + Send + '_ {
        ready(Err(
            ErrorData::method_not_found::<ListResourcesRequestMethod>(),
        ))
    }

    fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Answer<ListResourceTemplatesResult>> + Send + '_ {
        ready(Err(ErrorData::method_not_found::<
            ListResourceTemplatesRequestMethod,
        >()))
    }

    fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Answer<CompleteResult>> + Send + '_ {
        ready(Err(ErrorData::method_not_found::<CompleteRequestMethod>()))
    }

    /// Called for unknown methods, and for known ones whose parameters have a wrong shape.
    fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Answer<CustomResult>> + Send + '_ {
        ready(Err(match request.method.as_str() {
            "tools/call" => ErrorData::invalid_params(
                "tools/call takes `name`, a string, and `arguments`, an object.",
                None,
            ),
            "tools/list" => {
                ErrorData::invalid_params("tools/list takes an object without `cursor`.", None)
            }
            "server/discover" => {
                ErrorData::invalid_params("server/discover takes an object.", None)
            }
            method => {
                let message = format!("There is no method {}.", toolkit_core::input::Echo(method));
                ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
            }
        }))
    }

    fn on_initialized(
        &self,
        _: NotificationContext<RoleServer>,
    ) -> impl Future<Output = ()> + Send + '_ {
        ready(())
    }
}

/// Whether the request is of revision 2026-07-28 or later.
fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

fn result(outcome: Outcome) -> Answer<CallToolResult> {
    match outcome {
        Outcome::Answer(json) => {
            let structured = serde_json::from_slice(&json).map_err(|_| internal())?;
            let text = String::from_utf8(json).map_err(|_| internal())?;
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            result.structured_content = Some(structured);
            Ok(result)
        }
        Outcome::Refused(sentence) => Ok(CallToolResult::error(vec![ContentBlock::text(sentence)])),
        Outcome::Internal => Err(internal()),
    }
}

/// An unknown tool, with the known ones.
pub(crate) fn unknown_tool(name: &str) -> ErrorData {
    let name = toolkit_core::input::Echo(name);
    let message = format!("There is no tool {name}; the tools are {}.", names());
    ErrorData::invalid_params(message, None)
}

fn internal() -> ErrorData {
    ErrorData::internal_error(
        "Something went wrong on our side; it is safe to try again.",
        None,
    )
}
