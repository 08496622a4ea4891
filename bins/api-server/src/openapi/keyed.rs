//! Paths of chat, contact and subscribe, and of the links in confirmation mails.

use serde_json::{Map, Value as Json, json};

use super::parts::{Operation, body, json_response, response_ref, schema_ref};
use super::tools;

/// A streamed chat as sent.
const EVENTS: &str = r#"event: start
data: {"type":"start","provider":"main","model":"gpt-5-mini"}

event: delta
data: {"type":"delta","text":"A sortable identifier of 128 bits."}

event: done
data: {"type":"done","ok":true,"provider":"main","model":"gpt-5-mini","finish_reason":"stop","usage":{"input_tokens":12,"output_tokens":9}}

"#;

/// Description of a streamed chat: `OpenAPI` 3.1 has no schema for event streams.
pub(super) fn chat_events() -> Json {
    json!({
        "type": "string",
        "description": "Server-sent events: `start`, then any number of `delta` and `tool`, then \
                        `done` or `error`. Each has one `data` line of JSON with the same word as \
                        `type`. A stream that ends without `done` or `error` is incomplete.",
    })
}

pub(super) fn chat() -> Json {
    let request = json!({"messages": [{"role": "user", "content": "What is a ULID?"}]});
    let reply = json!({
        "ok": true,
        "reply": "A sortable identifier of 128 bits.",
        "provider": "main",
        "model": "gpt-5-mini",
        "finish_reason": "stop",
        "usage": {"input_tokens": 12, "output_tokens": 9},
    });
    let mut responses = errors();
    let about = "The reply: as JSON, or with `stream` as an event stream.";
    let mut ok = json_response(about, &schema_ref("ChatReply"), Some(reply));
    ok["content"]["text/event-stream"] = json!({
        "schema": schema_ref("ChatEvents"),
        "example": EVENTS,
    });
    responses.insert("200".into(), ok);
    responses.insert("502".into(), response_ref("BadGateway"));
    responses.insert("504".into(), response_ref("GatewayTimeout"));
    let operation = Operation {
        id: "chat",
        tag: "people",
        summary: "Chat with the assistant",
        description: "The models are asked in order until one replies. With `tools` the model may call \
        the service's own tools.",
        responses,
    };
    json!({"post": operation.with_body(body(&schema_ref("ChatRequest"), request)).with_key()})
}

pub(super) fn contact() -> Json {
    let request = json!({
        "name": "Ada Lovelace",
        "email": "ada@example.org",
        "message": "May I use the API for a class of thirty?",
    });
    let receipt = json!({"ok": true, "id": "01JDGZ5V8Q3T7R1X0C9B2M4N6P", "status": "received"});
    let mut responses = errors();
    let about = "The message is stored, and will be mailed to the operator.";
    responses.insert(
        "200".into(),
        json_response(about, &schema_ref("ContactReceipt"), Some(receipt)),
    );
    let operation = Operation {
        id: "contact",
        tag: "people",
        summary: "Send a message to the operator",
        description: "A Turnstile token is required only if the operator has configured Turnstile.",
        responses,
    };
    json!({"post": operation.with_body(body(&schema_ref("ContactRequest"), request)).with_key()})
}

pub(super) fn subscribe() -> Json {
    let request = json!({"email": "ada@example.org", "app_id": "docs"});
    let receipt = json!({"ok": true, "status": "pending"});
    let mut responses = errors();
    let about = "A confirmation mail is on its way, if one is due; the answer is the same for every \
                 address.";
    responses.insert(
        "200".into(),
        json_response(about, &schema_ref("SubscribeReceipt"), Some(receipt)),
    );
    let operation = Operation {
        id: "subscribe",
        tag: "people",
        summary: "Subscribe an address to a newsletter",
        description: "Double opt-in: the address gets a confirmation mail, and nothing else until \
        its owner confirms on the page that the mail links to.",
        responses,
    };
    json!({"post": operation.with_body(body(&schema_ref("SubscribeRequest"), request)).with_key()})
}

pub(super) fn confirm() -> Json {
    link(&Purpose {
        page_id: "confirmPage",
        id: "confirm",
        page: "Confirmation page, opened by the link in a mail",
        action: "Confirm a subscription",
        status: "confirmed",
    })
}

pub(super) fn unsubscribe() -> Json {
    link(&Purpose {
        page_id: "unsubscribePage",
        id: "unsubscribe",
        page: "Unsubscribe page, opened by the link in a mail",
        action: "Unsubscribe",
        status: "unsubscribed",
    })
}

/// Differences between the two links.
struct Purpose {
    page_id: &'static str,
    id: &'static str,
    page: &'static str,
    action: &'static str,
    status: &'static str,
}

/// A link: its page, and the action of its button.
fn link(purpose: &Purpose) -> Json {
    let token = |required: bool| {
        json!([{
            "name": "token",
            "in": "query",
            "required": required,
            "description": "The token in the link of the mail.",
            "schema": {"type": "string"},
        }])
    };
    let html = json!({"schema": {"type": "string"}});
    let mut responses = tools::body_errors();
    responses.retain(|status, _| ["422", "429", "503"].contains(&status.as_str()));
    let page = json!({"description": "A page with one button.", "content": {"text/html": html}});
    responses.insert("200".into(), page);
    let get = Operation {
        id: purpose.page_id,
        tag: "people",
        summary: purpose.page,
        description: "Opening it changes nothing, since mail scanners open links.",
        responses,
    };
    let mut responses = tools::body_errors();
    let receipt = json!({"ok": true, "status": purpose.status});
    let done = json!({
        "description": "Done, now or earlier: a page for a form, JSON for JSON.",
        "content": {
            "application/json": {"schema": schema_ref("LinkReceipt"), "example": receipt},
            "text/html": html,
        },
    });
    responses.insert("200".into(), done);
    let post = Operation {
        id: purpose.id,
        tag: "people",
        summary: purpose.action,
        description: "The token is in the body or in the query. Repeating the request is harmless.",
        responses,
    };
    let token_of_mail = json!({"token": "TOKEN-OF-THE-LINK"});
    let schema = json!({"schema": schema_ref("LinkRequest"), "example": token_of_mail});
    let body = json!({
        "content": {"application/json": schema, "application/x-www-form-urlencoded": schema},
    });
    let (mut get, mut post) = (get.into_json(), post.with_body(body).0);
    get["parameters"] = token(true);
    post["parameters"] = token(false);
    json!({"get": get, "post": post})
}

/// Responses common to all endpoints with a key.
fn errors() -> Map<String, Json> {
    let mut responses = tools::body_errors();
    responses.insert("401".into(), response_ref("Unauthorized"));
    responses
}
