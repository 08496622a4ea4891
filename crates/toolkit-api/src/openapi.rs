//! `OpenAPI` 3.1 document, generated from the types and tools that serve the requests.

#![expect(
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "members are set on objects that were made here, and parts are built to be given away"
)]

mod errors;
mod keyed;
mod parts;
mod tools;

use serde_json::{Value as Json, json};
use toolkit_catalog::ENTRIES;
use toolkit_server::settings::{PublicUrls, Settings};

use self::parts::{READ, json_response, responses, schema_of};
use crate::office::altcha::Challenge;
use crate::office::{contact, links, subscribe, subscribers};
use crate::tools::catalog;
use crate::{chat, flags, health};

/// The document for a server with these settings, as text.
pub fn text(settings: &Settings) -> String {
    let urls = settings.public.resolve(settings.api.bind, settings.mcp_apart());
    // A JSON tree always serializes.
    let mut text = serde_json::to_string_pretty(&document(&urls)).unwrap_or_default();
    text.push('\n');
    text
}

/// Builds the document.
pub fn document(urls: &PublicUrls) -> Json {
    json!({
        "openapi": "3.1.1",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": info(urls),
        "servers": [{"url": urls.base_url.as_str()}],
        "externalDocs": {
            "url": format!("{}/docs", urls.web_base_url),
            "description": "This document as a web page.",
        },
        "tags": tags(),
        "paths": paths(),
        "components": components(urls),
    })
}

fn info(urls: &PublicUrls) -> Json {
    json!({
        "title": "Toolkit API",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "Small developer tools over HTTP.",
        "description": format!(
            "Publishes a catalog of {} developer tools and runs {} of them. Chat, contact, \
             subscribe and subscribers need a key, nothing else does. Every status from 400 up has the body \
             `{{\"detail\": string}}`. AI assistants get the same tools over MCP: see {}/docs/mcp.",
            ENTRIES.len(),
            ENTRIES.iter().filter(|entry| entry.server_side).count(),
            urls.web_base_url,
        ),
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    })
}

fn tags() -> Json {
    json!([
        {"name": "catalog", "description": "The list of tools."},
        {"name": "run", "description": "Tool runs."},
        {"name": "people", "description": "Chat, contact and newsletter. Requests need a key, links in mails do not."},
        {"name": "service", "description": "Feature flags and health check."},
    ])
}

fn paths() -> Json {
    let mut paths = json!({
        "/toolkit/api/tools": catalog_item("listTools", "List the tools"),
        "/toolkit/api/tools.json": catalog_item("listToolsJson", "List the tools (alias)"),
        "/toolkit/api/tools/{slug}/run": tools::any_tool(),
        "/toolkit/api/flags": flags_item(),
        "/toolkit/api/health": health_item(),
        "/toolkit/api/chat": keyed::chat(),
        "/toolkit/api/contact": keyed::contact(),
        "/toolkit/api/subscribe": keyed::subscribe(),
        "/toolkit/api/subscribe/confirm": keyed::confirm(),
        "/toolkit/api/unsubscribe": keyed::unsubscribe(),
        "/toolkit/api/subscribers": keyed::subscribers(),
        "/toolkit/api/captcha": keyed::captcha(),
    });
    for entry in ENTRIES {
        if let Some(tool) = toolkit_core::registry::by_slug(entry.slug) {
            let path = format!("/toolkit/api/tools/{}/run", entry.slug);
            paths[path] = tools::one_tool(entry, tool);
        }
    }
    paths
}

fn catalog_item(id: &str, summary: &str) -> Json {
    let unchanged = json!({"description": "The catalog still has the given `ETag`."});
    let catalog = json_response("The catalog of all tools.", "Catalog", None);
    let mut responses = responses(catalog, &[READ]);
    responses.insert("304".into(), unchanged);
    json!({"get": {
        "operationId": id,
        "tags": ["catalog"],
        "summary": summary,
        "description": "The response has a strong `ETag`, and is compressed with gzip or brotli on request.",
        "responses": responses,
        "security": [],
    }})
}

fn flags_item() -> Json {
    let example = json!({"backendEnabled": true, "aiEnabled": false, "paidEnabled": false});
    json!({"get": {
        "operationId": "getFlags",
        "tags": ["service"],
        "summary": "Get the feature flags",
        "description": "The flags tell a client which parts of the service are turned on.",
        "responses": responses(json_response("The flags.", "Flags", Some(example)), &[READ]),
        "security": [],
    }})
}

fn health_item() -> Json {
    let about = "The server is running. The body has the state of its parts.";
    json!({"get": {
        "operationId": "getHealth",
        "tags": ["service"],
        "summary": "Health check",
        "description": "Responds within a second, even if the database hangs, and never calls a model.",
        "responses": responses(json_response(about, "Health", None), &[READ]),
        "security": [],
    }})
}

fn components(urls: &PublicUrls) -> Json {
    json!({
        "schemas": {
            "Error": parts::error_schema(),
            "Catalog": schema_of::<catalog::Catalog<'_>>(),
            "Flags": schema_of::<flags::Flags>(),
            "Health": schema_of::<health::Health>(),
            "ChatRequest": schema_of::<chat::Request>(),
            "ChatReply": schema_of::<chat::Reply>(),
            "ChatEvents": keyed::chat_events(),
            "ContactRequest": schema_of::<contact::Request>(),
            "ContactReceipt": schema_of::<contact::Received>(),
            "SubscribeRequest": schema_of::<subscribe::Request>(),
            "SubscribeReceipt": schema_of::<subscribe::Pending>(),
            "Challenge": schema_of::<Challenge>(),
            "SubscriberPage": schema_of::<subscribers::Page>(),
            "LinkRequest": schema_of::<links::Request>(),
            "LinkReceipt": schema_of::<links::Receipt>(),
        },
        "securitySchemes": {
            "ApiKey": {
                "type": "apiKey",
                "in": "header",
                "name": "X-Api-Key",
                "description": "A key issued by the operator.",
            },
        },
        "responses": errors::responses(urls),
    })
}
