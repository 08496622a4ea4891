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

use serde_json::{Map, Value as Json, json};
use toolkit_catalog::{ENTRIES, Entry};
use toolkit_http::settings::{PublicUrls, Settings};

use self::parts::{Operation, json_response, schema_ref};
use crate::handlers::{catalog, chat, contact, flags, health, links, subscribe};

/// The document of a server with these settings, as text.
pub fn text(settings: &Settings) -> String {
    let urls = settings
        .public
        .resolve(settings.api.bind, settings.mcp.bind);
    // A tree of JSON always serializes.
    let mut text = serde_json::to_string_pretty(&document(&urls)).unwrap_or_default();
    text.push('\n');
    text
}

/// Makes the document.
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
            "Publishes a catalog of {} developer tools and runs {} of them. Chat, contact and \
             subscribe need a key; nothing else does. Every status from 400 up has the body \
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
        {"name": "catalog", "description": "List of the tools."},
        {"name": "run", "description": "Tool runs."},
        {"name": "people", "description": "Chat, contact and newsletter; requests need a key, links in mails do not."},
        {"name": "service", "description": "Feature flags and health check."},
    ])
}

fn paths() -> Json {
    let mut paths = Map::new();
    let mut add = |path: &str, item: Json| paths.insert(path.to_owned(), item);
    add(
        "/toolkit/api/tools",
        catalog_item("listTools", "List the tools"),
    );
    add(
        "/toolkit/api/tools.json",
        catalog_item("listToolsJson", "List the tools (alias)"),
    );
    add("/toolkit/api/tools/{slug}/run", tools::any_tool());
    for entry in ENTRIES {
        if let Some(tool) = toolkit_core::registry::by_slug(entry.slug) {
            add(&run_path(entry), tools::one_tool(entry, tool));
        }
    }
    add("/toolkit/api/flags", flags_item());
    add("/toolkit/api/health", health_item());
    add("/toolkit/api/chat", keyed::chat());
    add("/toolkit/api/contact", keyed::contact());
    add("/toolkit/api/subscribe", keyed::subscribe());
    add("/toolkit/api/subscribe/confirm", keyed::confirm());
    add("/toolkit/api/unsubscribe", keyed::unsubscribe());
    paths.into()
}

fn run_path(entry: &Entry) -> String {
    format!("/toolkit/api/tools/{}/run", entry.slug)
}

fn catalog_item(id: &str, summary: &str) -> Json {
    let mut responses = Map::new();
    responses.insert(
        "200".into(),
        json_response("The catalog of all tools.", &schema_ref("Catalog"), None),
    );
    responses.insert(
        "304".into(),
        json!({"description": "The catalog still has the given `ETag`."}),
    );
    let operation = Operation {
        id,
        tag: "catalog",
        summary,
        description: "The response has a strong `ETag`, and is compressed with gzip or brotli on request.",
        responses,
    };
    json!({"get": operation.into_read()})
}

fn flags_item() -> Json {
    let mut responses = Map::new();
    let example = json!({"backendEnabled": true, "aiEnabled": false, "paidEnabled": false});
    let about = "The flags.";
    responses.insert(
        "200".into(),
        json_response(about, &schema_ref("Flags"), Some(example)),
    );
    let operation = Operation {
        id: "getFlags",
        tag: "service",
        summary: "Get the feature flags",
        description: "The flags tell a client which parts of the service are turned on.",
        responses,
    };
    json!({"get": operation.into_read()})
}

fn health_item() -> Json {
    let mut responses = Map::new();
    let about = "The server is running; the body has the state of its parts.";
    responses.insert(
        "200".into(),
        json_response(about, &schema_ref("Health"), None),
    );
    let operation = Operation {
        id: "getHealth",
        tag: "service",
        summary: "Health check",
        description: "Responds within a second, even if the database hangs, and never calls a model.",
        responses,
    };
    json!({"get": operation.into_read()})
}

fn components(urls: &PublicUrls) -> Json {
    json!({
        "schemas": {
            "Error": parts::error_schema(),
            "Catalog": parts::schema_of::<catalog::Catalog<'_>>(),
            "Flags": parts::schema_of::<flags::Flags>(),
            "Health": parts::schema_of::<health::Health>(),
            "ChatRequest": parts::schema_of::<chat::Request>(),
            "ChatReply": parts::schema_of::<chat::Reply>(),
            "ChatEvents": keyed::chat_events(),
            "ContactRequest": parts::schema_of::<contact::Request>(),
            "ContactReceipt": parts::schema_of::<contact::Receipt>(),
            "SubscribeRequest": parts::schema_of::<subscribe::Request>(),
            "SubscribeReceipt": parts::schema_of::<subscribe::Receipt>(),
            "LinkRequest": parts::schema_of::<links::Request>(),
            "LinkReceipt": parts::schema_of::<links::Receipt>(),
        },
        "securitySchemes": {
            "ApiKey": {
                "type": "apiKey",
                "in": "header",
                "name": "X-Api-Key",
                "description": "A key that the operator has issued.",
            },
        },
        "responses": errors::responses(urls),
    })
}
