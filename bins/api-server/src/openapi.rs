//! The `OpenAPI` 3.1 document, made from the same types and tools that serve the requests.

#![expect(
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    reason = "members are set on objects that were made here, and parts are built to be given away"
)]

mod keyed;
mod parts;
mod tools;

use serde_json::{Map, Value as Json, json};
use toolkit_catalog::{Category, Entry};
use toolkit_http::settings::{PublicUrls, Settings};

use self::parts::{Operation, error, json_response, schema_ref};
use crate::handlers::{chat, contact, flags, health, links, subscribe};

/// The document of a server with these settings, as text.
pub fn text(settings: &Settings) -> String {
    let urls = settings
        .public
        .resolve(settings.api.bind, settings.mcp.bind);
    // A tree of JSON always has a text.
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
            "description": "The same, to read.",
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
            "Publishes a catalog of 57 developer tools and runs 13 of them. Chat, contact and subscribe need a key; nothing else does. Every status from 400 up has the body `{{\"detail\": \
             string}}`. The same tools are offered to AI assistants over MCP: see \
             {}/docs/mcp.",
            urls.web_base_url,
        ),
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    })
}

fn tags() -> Json {
    json!([
        {"name": "catalog", "description": "What tools there are."},
        {"name": "run", "description": "Run a tool."},
        {"name": "people", "description": "Reach a person or a model; with a key."},
        {"name": "service", "description": "What the service is and how it is."},
    ])
}

fn paths() -> Json {
    let mut paths = Map::new();
    let mut add = |path: &str, item: Json| paths.insert(path.to_owned(), item);
    add(
        "/toolkit/api/tools",
        catalog_item("listTools", "The catalog"),
    );
    add(
        "/toolkit/api/tools.json",
        catalog_item("listToolsJson", "The catalog under another name"),
    );
    add("/toolkit/api/tools/{slug}/run", tools::any_tool());
    for entry in toolkit_catalog::ENTRIES {
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
        json_response("All 57 tools.", &schema_ref("Catalog"), None),
    );
    responses.insert(
        "304".into(),
        json!({"description": "Not changed since the `ETag` given."}),
    );
    let operation = Operation {
        id,
        tag: "catalog",
        summary,
        description: "Has a strong `ETag`, and comes as gzip or brotli when asked for.",
        responses,
    };
    json!({"get": operation.into_json()})
}

fn flags_item() -> Json {
    let mut responses = Map::new();
    let example = json!({"backendEnabled": true, "aiEnabled": false, "paidEnabled": false});
    let about = "Which parts of the service are on.";
    responses.insert(
        "200".into(),
        json_response(about, &schema_ref("Flags"), Some(example)),
    );
    let operation = Operation {
        id: "getFlags",
        tag: "service",
        summary: "The feature flags",
        description: "Says what a client can show.",
        responses,
    };
    json!({"get": operation.into_json()})
}

fn health_item() -> Json {
    let mut responses = Map::new();
    let about = "The process lives; the body says how well.";
    responses.insert(
        "200".into(),
        json_response(about, &schema_ref("Health"), None),
    );
    let operation = Operation {
        id: "getHealth",
        tag: "service",
        summary: "How the service is",
        description: "Answers within a second, also when the database hangs, and never calls a model.",
        responses,
    };
    json!({"get": operation.into_json()})
}

fn components(urls: &PublicUrls) -> Json {
    let browser_page = format!("{}/tools/color-picker", urls.web_base_url);
    json!({
        "schemas": {
            "Error": parts::error_schema(),
            "Catalog": catalog_schema(),
            "Flags": parts::schema_of::<flags::Flags>(),
            "Health": parts::schema_of::<health::Health>(),
            "ChatRequest": parts::schema_of::<chat::Request>(),
            "ChatReply": parts::schema_of::<chat::Reply>(),
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
        "responses": {
            "NotFound": error("No such tool.", "There is no tool `no-such-tool`; GET /toolkit/api/tools lists them."),
            "RequestTimeout": error("The body did not arrive in time.", "The body did not arrive within 15 seconds."),
            "TooLarge": error("The body is over the limit.", "The body is over 1048576 bytes."),
            "UnsupportedMediaType": error("The body is not declared as JSON.", "Send the body with Content-Type: application/json."),
            "Unprocessable": error("The input is refused; the sentence says which, where, and what is accepted.", "`count` is 0; use a whole number from 1 to 1000."),
            "TooManyRequests": parts::with_retry_after(error("Too many requests from this address.", "Too many requests; try again in 2 seconds.")),
            "Internal": error("Our fault; safe to retry.", "Something went wrong on our side; it is safe to try again."),
            "BrowserOnly": error("The tool runs in the browser; the sentence names its page.", &format!("`color-picker` runs in the browser: {browser_page}")),
            "Unauthorized": parts::with_challenge(error("The key is missing or invalid.", "A valid API key is needed in the header `X-Api-Key`; the operator issues it.")),
            "BadGateway": error("Every model failed.", "No language model gave a reply; try again later."),
            "GatewayTimeout": error("No model answered in time.", "No language model replied in time; try again later."),
            "Unavailable": error("Busy, or something that this needs is out of reach; try again later.", "This is not available right now; try again later."),
        },
    })
}

fn catalog_schema() -> Json {
    let text = |about: &str| json!({"type": "string", "description": about});
    let categories: Vec<_> = Category::ALL
        .iter()
        .map(|category| category.name())
        .collect();
    json!({
        "type": "object",
        "properties": {
            "tools": {
                "type": "array",
                "description": "Every tool.",
                "items": {
                    "type": "object",
                    "properties": {
                        "slug": text("Identifies the tool, and stands in the path that runs it."),
                        "name": text("What a person calls it."),
                        "category": {
                            "type": "string",
                            "enum": categories,
                            "description": "What it is about.",
                        },
                        "description": text("One sentence that says what it does."),
                        "serverSide": {
                            "type": "boolean",
                            "description": "Whether the service runs it; otherwise it runs in a browser.",
                        },
                    },
                    "required": ["slug", "name", "category", "description", "serverSide"],
                    "additionalProperties": false,
                },
            },
            "count": {"type": "integer", "description": "The number of tools."},
            "categories": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The categories, in the order of the tools.",
            },
            "mcp": text("The address of the MCP server."),
            "docs": text("The address of the MCP documentation."),
        },
        "required": ["tools", "count", "categories", "mcp", "docs"],
        "additionalProperties": false,
    })
}
