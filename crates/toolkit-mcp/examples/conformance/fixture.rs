//! Tools required by the conformance suite, as it describes them.
#![expect(
    deprecated,
    reason = "the suite tests logging and sampling in the revisions that have them"
)]

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock,
    ListPromptsRequestMethod, ListPromptsResult, ListToolsResult, LoggingLevel,
    LoggingMessageNotificationParam, PaginatedRequestParams, ProgressNotificationParam,
    ServerCapabilities, ServerConfig, SetLevelRequestParams, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value as Json, json};

use crate::rounds;

/// A one-pixel picture.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
/// An empty sound.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
/// Pause between two messages of a tool.
const PAUSE: Duration = Duration::from_millis(50);

/// The handler.
#[derive(Clone)]
pub(crate) struct Fixture {
    tools: Arc<Vec<Tool>>,
}

impl Default for Fixture {
    fn default() -> Self {
        let none = json!({"type": "object", "properties": {}, "additionalProperties": false});
        let plain = [
            "test_simple_text",
            "test_image_content",
            "test_audio_content",
            "test_embedded_resource",
            "test_multiple_content_types",
            "test_error_handling",
            "test_tool_with_progress",
            "test_tool_with_logging",
            "test_logging_tool",
            "test_missing_capability",
            "test_streaming_elicitation",
        ];
        let mut tools: Vec<_> = plain.iter().map(|name| tool(name, &none)).collect();
        tools.extend(rounds::names().map(|name| tool(&name, &none)));
        tools.push(tool("test_header", &with_header()));
        tools.push(tool("json_schema_2020_12_tool", &with_every_keyword()));
        Self { tools: Arc::new(tools) }
    }
}

fn tool(name: &str, schema: &Json) -> Tool {
    let schema = schema.as_object().cloned().unwrap_or_default();
    Tool::new(name.to_owned(), "A tool of the conformance suite.", schema)
}

/// Arguments that are repeated in headers.
fn with_header() -> Json {
    json!({
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "priority": {"type": "integer", "x-mcp-header": "Priority"},
        },
    })
}

/// A schema whose keywords must all reach the client.
fn with_every_keyword() -> Json {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_logging().build();
        ServerConfig::new(capabilities)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools.iter().find(|tool| tool.name == name).cloned()
    }

    // rmcp answers with an empty list, but prompts are not declared.
    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(played) = rounds::call(&request, context.client_capabilities().as_ref()) {
            return played;
        }
        let blocks = match &*request.name {
            "test_simple_text" => vec![text("This is a simple text response for testing.")],
            "test_image_content" => vec![ContentBlock::image(PNG, "image/png")],
            "test_audio_content" => vec![ContentBlock::audio(WAV, "audio/wav")],
            "test_embedded_resource" => vec![resource("embedded-resource")],
            "test_multiple_content_types" => vec![
                text("Multiple content types test:"),
                ContentBlock::image(PNG, "image/png"),
                resource("mixed-content-resource"),
            ],
            "test_error_handling" => {
                let reason = text("This tool intentionally returns an error for testing");
                return Ok(CallToolResult::error(vec![reason]).into());
            }
            "test_tool_with_progress" | "test_streaming_elicitation" => progress(&context).await?,
            "test_tool_with_logging" | "test_logging_tool" => log(&context).await?,
            "test_missing_capability" => sampling(&context)?,
            "test_header" | "json_schema_2020_12_tool" => vec![text("Taken.")],
            _ => return Err(ErrorData::invalid_params("There is no such tool.", None)),
        };
        Ok(CallToolResult::success(blocks).into())
    }
}

fn text(text: &str) -> ContentBlock {
    ContentBlock::text(text)
}

fn resource(name: &str) -> ContentBlock {
    ContentBlock::embedded_text(format!("test://{name}"), "This is an embedded resource content.")
}

/// Reports progress, if the client asked for it.
async fn progress(context: &RequestContext<RoleServer>) -> Result<Vec<ContentBlock>, ErrorData> {
    for done in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, done).with_total(100.0);
            context.peer.notify_progress(progress).await.map_err(internal)?;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(vec![text("Progressed.")])
}

/// Sends log messages: over 2026-07-28 only if the request asks for them.
async fn log(context: &RequestContext<RoleServer>) -> Result<Vec<ContentBlock>, ErrorData> {
    let stands_alone = context.meta.protocol_version().is_some();
    let wanted = !stands_alone || context.meta.log_level().is_some();
    for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        if wanted {
            let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(message));
            context.peer.notify_logging_message(message).await.map_err(internal)?;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(vec![text("Logged.")])
}

/// Requires a client with sampling.
fn sampling(context: &RequestContext<RoleServer>) -> Result<Vec<ContentBlock>, ErrorData> {
    let needed = ClientCapabilities::builder().enable_sampling().build();
    let declared = context.client_capabilities();
    if declared.is_some_and(|declared| declared.sampling.is_some()) {
        return Ok(vec![text("The client samples.")]);
    }
    Err(ErrorData::missing_required_client_capability(needed))
}

fn internal(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
