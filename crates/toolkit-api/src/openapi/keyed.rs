//! Paths of chat, contact and subscribe, and of mail links.

use serde_json::{Value as Json, json};

use super::parts::{BODY, Statuses, body, json_response, responses, schema_ref};

/// Shared by all operations with a key, in addition to those of a body.
const KEY: &Statuses = &[("401", "Unauthorized"), ("403", "Forbidden")];

/// Shared by link pages.
const LINK: &Statuses =
    &[("422", "Unprocessable"), ("429", "TooManyRequests"), ("503", "Unavailable")];

/// A streamed chat as sent.
const EVENTS: &str = r#"event: start
data: {"type":"start","provider":"main","model":"gpt-5.6"}

event: delta
data: {"type":"delta","text":"A sortable identifier of 128 bits."}

event: done
data: {"type":"done","ok":true,"provider":"main","model":"gpt-5.6","finish_reason":"stop","usage":{"input_tokens":12,"output_tokens":9}}

"#;

/// Describes a streamed chat, since `OpenAPI` 3.1 has no schema for event streams.
pub(super) fn chat_events() -> Json {
    json!({
        "type": "string",
        "description": "Server-sent events: `start`, then any number of `reasoning`, `delta`, `tool_start`, `tool` and `provider`, then \
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
        "model": "gpt-5.6",
        "finish_reason": "stop",
        "usage": {"input_tokens": 12, "output_tokens": 9},
    });
    let about = "The reply: as JSON, or with `stream` as an event stream.";
    let mut ok = json_response(about, "ChatReply", Some(reply));
    ok["content"]["text/event-stream"] = json!({
        "schema": schema_ref("ChatEvents"),
        "example": EVENTS,
    });
    let of_models = &[("502", "BadGateway"), ("504", "GatewayTimeout")];
    json!({"post": {
        "operationId": "chat",
        "tags": ["people"],
        "summary": "Chat with the assistant",
        "description": "The models are asked in order until one replies. With `tools` the model may call \
                        the service's own tools.",
        "requestBody": body("ChatRequest", request),
        "responses": responses(ok, &[BODY, KEY, of_models]),
        "security": [{"ApiKey": []}],
    }})
}

/// Adds the same body as a form, for site keys.
fn or_form(mut body: Json) -> Json {
    let form = body["content"]["application/json"].clone();
    body["content"]["application/x-www-form-urlencoded"] = form.clone();
    body["content"]["multipart/form-data"] = form;
    body
}

/// The header that makes a request repeatable.
fn idempotency_key() -> Json {
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": false,
        "description": "Makes it safe to repeat the request: for 24 hours the same body with the same \
                        key is stored once and gets the same answer. Another body is refused.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    })
}

pub(super) fn contact() -> Json {
    let request = json!({
        "name": "Ada Lovelace",
        "email": "ada@example.org",
        "message": "May I use the API for a class of thirty?",
    });
    let receipt = json!({"ok": true, "id": "01JDGZ5V8Q3T7R1X0C9B2M4N6P", "status": "received"});
    let about = "The message is stored and will be mailed to the operator.";
    let ok = json_response(about, "ContactReceipt", Some(receipt));
    json!({"post": {
        "operationId": "contact",
        "tags": ["people"],
        "summary": "Send a message to the operator",
        "description": "A Turnstile token is required only if the operator has configured Turnstile. With a site key, \
                        the request may also be a form, which gets a page or a 303.",
        "parameters": [idempotency_key()],
        "requestBody": or_form(body("ContactRequest", request)),
        "responses": responses(ok, &[BODY, KEY]),
        "security": [{"ApiKey": []}],
    }})
}

pub(super) fn subscribe() -> Json {
    let request = json!({"email": "ada@example.org", "app_id": "docs"});
    let receipt = json!({"ok": true, "status": "pending"});
    let about = "A confirmation mail is on its way, if one is due. The answer is the same for every \
                 address.";
    let ok = json_response(about, "SubscribeReceipt", Some(receipt));
    json!({"post": {
        "operationId": "subscribe",
        "tags": ["people"],
        "summary": "Subscribe an address to a newsletter",
        "description": "Double opt-in: the address gets a confirmation mail, and nothing else until \
                        its owner confirms on the page that the mail links to.",
        "parameters": [idempotency_key()],
        "requestBody": or_form(body("SubscribeRequest", request)),
        "responses": responses(ok, &[BODY, KEY]),
        "security": [{"ApiKey": []}],
    }})
}

/// The challenge of a form.
pub(super) fn captcha() -> Json {
    let ok = json_response("A challenge of ALTCHA, version 1.", "Challenge", None);
    json!({"get": {
        "operationId": "getCaptcha",
        "tags": ["people"],
        "summary": "Get a challenge for a form",
        "description": "For the ALTCHA widget. 404 unless the operator has configured it.",
        "responses": responses(ok, &[&[("404", "NotFound"), ("429", "TooManyRequests")]]),
        "security": [],
    }})
}

/// The list of subscribers.
pub(super) fn subscribers() -> Json {
    let input = |name: &str, description: &str, schema: Json| json!({"name": name, "in": "query", "required": false, "description": description, "schema": schema});
    let states = ["pending", "confirmed", "unsubscribed", "undeliverable"];
    let ok = json_response("A page of subscribers.", "SubscriberPage", None);
    json!({"get": {
        "operationId": "listSubscribers",
        "tags": ["people"],
        "summary": "List subscribers with their unsubscribe links",
        "description": "For a key with the scope `subscribers:read`. At most 1,000 per page.",
        "parameters": [
            input("app_id", "Only of this app.", json!({"type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"})),
            input("status", "Only in this state.", json!({"type": "string", "enum": states})),
            input("after", "The `next` of the page before.", json!({"type": "string"})),
        ],
        "responses": responses(ok, &[KEY, LINK]),
        "security": [{"ApiKey": []}],
    }})
}

pub(super) fn confirm() -> Json {
    let page = "Confirmation page, opened by the link in a mail";
    link("confirm", page, "Confirm a subscription", "confirmed")
}

pub(super) fn unsubscribe() -> Json {
    let page = "Unsubscribe page, opened by the link in a mail";
    link("unsubscribe", page, "Unsubscribe", "unsubscribed")
}

/// A link: its page, its button's action, and the status after it.
fn link(id: &str, page: &str, action: &str, status: &str) -> Json {
    let token = |required: bool| {
        json!({
            "name": "token",
            "in": "query",
            "required": required,
            "description": "The token from the mail's link.",
            "schema": {"type": "string"},
        })
    };
    let html = json!({"schema": {"type": "string"}});
    let shown = json!({"description": "A page with one button.", "content": {"text/html": html}});
    let receipt = json!({"ok": true, "status": status});
    let done = json!({
        "description": "Done, now or earlier. A form gets a page, JSON gets JSON.",
        "content": {
            "application/json": {"schema": schema_ref("LinkReceipt"), "example": receipt},
            "text/html": html,
        },
    });
    let token_of_mail = json!({"token": "TOKEN-OF-THE-LINK"});
    let form = json!({"schema": schema_ref("LinkRequest"), "example": token_of_mail});
    json!({
        "get": {
            "operationId": format!("{id}Page"),
            "tags": ["people"],
            "summary": page,
            "description": "Opening it changes nothing, since mail scanners open links.",
            "parameters": [token(true)],
            "responses": responses(shown, &[LINK]),
            "security": [],
        },
        "post": {
            "operationId": id,
            "tags": ["people"],
            "summary": action,
            "description": "The token is in the body or in the query. Repeating the request is harmless.",
            "parameters": [token(false)],
            "requestBody": {
                "content": {"application/json": form, "application/x-www-form-urlencoded": form},
            },
            "responses": responses(done, &[BODY]),
            "security": [],
        },
    })
}
