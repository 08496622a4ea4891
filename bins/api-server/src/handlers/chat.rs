//! `POST /toolkit/api/chat`: a reply from the first language model that gives one.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::Serialize;
use toolkit_http::body;
use toolkit_http::detail::Refusal;
use toolkit_llm::{Conversation, Message, Role};

use crate::input::{self, Field, Input, Object};
use crate::state::State;
use crate::{auth, error};

/// A conversation that waits for an answer.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
pub(crate) struct Request {
    /// What was said so far, 64 KiB in all; the last message is from `user`.
    #[schemars(length(min = 1, max = 100))]
    messages: Vec<Said>,
}

/// One message.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Said {
    /// Who says it. `system` instructs the model, after what the operator has told it.
    #[schemars(with = "String", extend("enum" = ["user", "assistant", "system"]))]
    role: Role,
    /// What is said; not blank.
    #[schemars(length(min = 1))]
    content: String,
}

impl Input for Request {
    const FIELDS: &'static [Field] = &[Field::new("messages")];

    fn take(object: &Object<'_>) -> Result<Self, Refusal> {
        let messages = object.list("messages")?;
        Ok(Self { messages })
    }
}

impl Input for Said {
    const FIELDS: &'static [Field] = &[Field::new("role"), Field::new("content")];

    fn take(object: &Object<'_>) -> Result<Self, Refusal> {
        let role = match object.text("role")?.as_str() {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "system" => Role::System,
            _ => return Err(object.refuse("role", "must be `user`, `assistant` or `system`")),
        };
        let content = object.text("content")?;
        Ok(Self { role, content })
    }
}

impl Request {
    fn into_conversation(self) -> Result<Conversation, Refusal> {
        let message = |Said { role, content }| Message { role, content };
        let messages = self.messages.into_iter().map(message).collect();
        Conversation::new(messages).map_err(|error| input::refuse(error.to_string()))
    }
}

/// What the model says.
#[derive(Serialize, JsonSchema)]
#[expect(clippy::struct_field_names, reason = "the name on the wire")]
pub(crate) struct Reply {
    /// Always true.
    ok: bool,
    /// The text. It is data: show it, never run it.
    reply: String,
    /// The name that the operator gave the provider.
    provider: String,
    /// The model, as the provider names it.
    model: String,
    /// Why the text ends where it ends.
    #[schemars(extend("enum" = ["stop", "length", "content_filter", "tool_calls", "other"]))]
    finish_reason: &'static str,
    /// What it cost, or null where the provider does not say.
    usage: Option<Usage>,
}

/// What a reply cost.
#[derive(Serialize, JsonSchema)]
struct Usage {
    /// Tokens of the conversation.
    input_tokens: u64,
    /// Tokens of the reply.
    output_tokens: u64,
}

impl From<toolkit_llm::Reply> for Reply {
    fn from(reply: toolkit_llm::Reply) -> Self {
        let usage = |usage: toolkit_llm::Usage| Usage {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
        };
        Self {
            ok: true,
            reply: reply.text,
            provider: reply.provider,
            model: reply.model,
            finish_reason: reply.finish_reason.as_str(),
            usage: reply.usage.map(usage),
        }
    }
}

/// Asks the models. A client that hangs up cancels the call.
pub(crate) async fn post(
    request: HttpRequest,
    payload: Payload,
    state: Data<State>,
) -> Result<HttpResponse, Refusal> {
    state.gates.chat.admit(&request).await?;
    auth::check(&request, &state.keys).await?;
    let body = body::read_json(&request, payload.into_inner(), state.body_bytes_max).await?;
    let conversation = input::read::<Request>(&body)?.into_conversation()?;
    let reply = state.chain.reply(&conversation).await;
    let reply = reply.map_err(|failure| error::of_llm(&failure))?;
    Ok(HttpResponse::Ok().json(Reply::from(reply)))
}
