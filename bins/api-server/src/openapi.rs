//! The `OpenAPI` 3.1 document, made from the same types and tools that serve the requests.

mod parts;
mod tools;

use serde_json::{Map, Value as Json, json};
use toolkit_catalog::Entry;

use self::parts::{Operation, body, error, json_response, response_ref, schema_ref};
use crate::handlers::{catalog, chat, contact, flags, health, subscribe};

/// The addresses that the document names.
#[derive(Debug, Clone)]
pub struct Addresses {
    /// Where the service is.
    pub base_url: String,
    /// Where its pages are.
    pub web_base_url: String,
}

/// Makes the document.
pub fn document(addresses: &Addresses) -> Json {
    json!({
        "openapi": "3.1.1",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": info(addresses),
        "servers": [{"url": addresses.base_url}],
        "externalDocs": {
            "url": format!("{}/docs", addresses.web_base_url),
            "description": "The same, to read.",
        },
        "tags": tags(),
        "paths": paths(),
        "components": components(addresses),
    })
}

fn info(addresses: &Addresses) -> Json {
    json!({
        "title": "Toolkit API",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "Small developer tools over HTTP.",
        "description": format!(
            "Publishes a catalog of 57 developer tools and runs 13 of them. No key is needed but for \
             chat, contact and subscribe. Every status from 400 up has the body `{{\"detail\": \
             string}}`. The same tools are offered to AI assistants over MCP: see \
             {}/docs/mcp.",
            addresses.web_base_url,
        ),
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    })
}

fn tags() -> Json {
    json!([
        {"name": "catalog", "description": "What tools there are."},
        {"name": "run", "description": "Run a tool."},
        {"name": "service", "description": "What the service is and how it is."},
        {"name": "people", "description": "Endpoints that reach a person or a model: by API key."},
    ])
}

fn paths() -> Json {
    let mut paths = Map::new();
    let mut add = |path: &str, item: Json| paths.insert(path.to_owned(), item);
    add("/toolkit/api/tools", catalog_item("listTools", "The catalog"));
    add("/toolkit/api/tools.json", catalog_item("listToolsJson", "The catalog under another name"));
    add("/toolkit/api/tools/{slug}/run", tools::any_tool());
    for entry in toolkit_catalog::ENTRIES {
        if let Some(tool) = toolkit_core::registry::by_slug(entry.slug) {
            add(&run_path(entry), tools::one_tool(entry, tool));
        }
    }
    add("/toolkit/api/flags", flags_item());
    add("/toolkit/api/health", health_item());
    add("/toolkit/api/chat", chat_item());
    add("/toolkit/api/contact", contact_item());
    add("/toolkit/api/subscribe", subscribe_item());
    paths.into()
}

fn run_path(entry: &Entry) -> String {
    format!("/toolkit/api/tools/{}/run", entry.slug)
}

fn catalog_item(id: &str, summary: &str) -> Json {
    let mut responses = Map::new();
    responses.insert("200".into(), json_response("All 57 tools.", &schema_ref("Catalog"), None));
    responses.insert("304".into(), json!({"description": "Not changed since the `ETag` given."}));
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
    responses.insert("200".into(), json_response(about, &schema_ref("Flags"), Some(example)));
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
    responses.insert("200".into(), json_response(about, &schema_ref("Health"), None));
    let operation = Operation {
        id: "getHealth",
        tag: "service",
        summary: "How the service is",
        description: "Answers within a second, also when the database hangs, and never calls a model.",
        responses,
    };
    json!({"get": operation.into_json()})
}

fn chat_item() -> Json {
    let request = json!({"messages": [{"role": "user", "content": "What is a ULID?"}]});
    let mut responses = keyed_errors();
    let about = "The reply, whole.";
    responses.insert("200".into(), json_response(about, &schema_ref("ChatReply"), None));
    responses.insert("502".into(), response_ref("BadGateway"));
    responses.insert("503".into(), response_ref("Unavailable"));
    responses.insert("504".into(), response_ref("GatewayTimeout"));
    let operation = Operation {
        id: "chat",
        tag: "people",
        summary: "Chat with the assistant",
        description: "The messages go to the first model of a chain that answers.",
        responses,
    };
    json!({"post": operation.with_body(body(&schema_ref("ChatRequest"), request)).with_key()})
}

fn contact_item() -> Json {
    let request = json!({
        "name": "Ada Lovelace",
        "email": "ada@example.org",
        "message": "May I use the API for a class of thirty?",
    });
    let mut responses = keyed_errors();
    let about = "The message is stored and goes to the operator.";
    responses.insert("200".into(), json_response(about, &schema_ref("ContactReceipt"), None));
    responses.insert("503".into(), response_ref("Unavailable"));
    let operation = Operation {
        id: "contact",
        tag: "people",
        summary: "Send a message to the operator",
        description: "A Turnstile token is needed only where the operator has configured Turnstile.",
        responses,
    };
    json!({"post": operation.with_body(body(&schema_ref("ContactRequest"), request)).with_key()})
}

fn subscribe_item() -> Json {
    let request = json!({"email": "ada@example.org", "app_id": "docs"});
    let mut responses = keyed_errors();
    let about = "A confirmation mail is on its way, if one is due; the answer is the same for every \
                 address.";
    responses.insert("200".into(), json_response(about, &schema_ref("SubscribeReceipt"), None));
    responses.insert("503".into(), response_ref("Unavailable"));
    let operation = Operation {
        id: "subscribe",
        tag: "people",
        summary: "Subscribe an address to a newsletter",
        description: "Double opt-in: nothing is sent but one mail with a link, until its button is \
                      pressed.",
        responses,
    };
    json!({"post": operation.with_body(body(&schema_ref("SubscribeRequest"), request)).with_key()})
}

fn keyed_errors() -> Map<String, Json> {
    let mut responses = tools::body_errors();
    responses.insert("401".into(), response_ref("Unauthorized"));
    responses
}

fn components(addresses: &Addresses) -> Json {
    let browser_page = format!("{}/tools/color-picker", addresses.web_base_url);
    json!({
        "securitySchemes": {
            "ApiKey": {
                "type": "apiKey",
                "in": "header",
                "name": "X-Api-Key",
                "description": "Issued by the operator, case by case.",
            },
        },
        "schemas": {
            "Error": parts::error_schema(),
            "Catalog": parts::schema_of::<catalog::Catalog<'static>>(),
            "Flags": parts::schema_of::<flags::Flags>(),
            "Health": parts::schema_of::<health::Health>(),
            "ChatRequest": parts::schema_of::<chat::Request>(),
            "ChatReply": parts::schema_of::<chat::Reply>(),
            "ContactRequest": parts::schema_of::<contact::Request>(),
            "ContactReceipt": parts::schema_of::<contact::Receipt>(),
            "SubscribeRequest": parts::schema_of::<subscribe::Request>(),
            "SubscribeReceipt": parts::schema_of::<subscribe::Receipt>(),
        },
        "responses": {
            "Unauthorized": error("The key is missing or invalid.", "Send a valid API key in `X-Api-Key`."),
            "NotFound": error("No such tool.", "There is no tool `no-such-tool`; GET /toolkit/api/tools lists them."),
            "TooLarge": error("The body is over the limit.", "The body is over 1048576 bytes."),
            "UnsupportedMediaType": error("The body is not declared as JSON.", "Send the body with Content-Type: application/json."),
            "Unprocessable": error("The input is refused; the sentence says which, where, and what is accepted.", "`count` is 0; use a whole number from 1 to 1000."),
            "TooManyRequests": parts::with_retry_after(error("Too many requests from this address.", "Too many requests; try again in 2 seconds.")),
            "Internal": error("Our fault; safe to retry.", "Something went wrong on our side; it is safe to try again."),
            "BrowserOnly": error("The tool runs in the browser; the sentence names its page.", &format!("`color-picker` runs in the browser: {browser_page}")),
            "BadGateway": error("Every model failed.", "No model gave a reply; try again later."),
            "Unavailable": error("Something that this needs is out of reach; try again later.", "This is not available right now; try again later."),
            "GatewayTimeout": error("No model answered in time.", "No model answered in time; try again later."),
        },
    })
}
