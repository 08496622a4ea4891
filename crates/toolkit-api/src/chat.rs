//! `POST /toolkit/api/chat`: a reply from the first language model that gives one, whole or
//! streamed, optionally with the service's own tools.

mod events;
pub(crate) mod llm;
pub(crate) mod open_streams;
mod tokens;
mod tools;

use std::sync::Arc;

use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolkit_llm::{ChatRequest, Conversation, Message, Role, ToolRun};
use toolkit_server::accounts::Account;
use toolkit_server::body;
use toolkit_server::error_response::HttpError;
use toolkit_server::snapshot::Current;
use toolkit_store::Scope;

use self::tokens::Tokens;
use crate::error::ApiError;
use crate::input::{self, Object, Word};
use crate::sender::{self, Sender};
use crate::state::State;

/// Memory of a chat: its connection to the model, and the conversation.
const CHAT_BYTES: usize = 56 << 10;

/// A conversation for the model to continue.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// The messages so far, at most 64 KiB in total. The last one is from `user`.
    #[schemars(with = "Vec<ChatMessage>", length(min = 1, max = 100))]
    messages: Vec<Object<ChatMessage>>,
    /// Whether to send the reply as an event stream while the model writes it. May be a string.
    #[serde(default, deserialize_with = "input::flag")]
    #[schemars(with = "bool", extend("default" = false))]
    stream: bool,
    /// Tools that the model may call: none, or those that the service offers over MCP.
    #[serde(default)]
    #[schemars(with = "String", extend("enum" = ["none", "auto"], "default" = "none"))]
    tools: Option<Word<Offered>>,
}

/// Tools that a model may call.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Offered {
    #[default]
    None,
    Auto,
}

/// Author of a message.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Author {
    User,
    Assistant,
    System,
}

impl From<Author> for Role {
    fn from(author: Author) -> Self {
        match author {
            Author::User => Self::User,
            Author::Assistant => Self::Assistant,
            Author::System => Self::System,
        }
    }
}

/// A message of the conversation.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ChatMessage {
    /// Author of the message. `system` instructs the model, after the operator's instructions.
    #[schemars(with = "String", extend("enum" = ["user", "assistant", "system"]))]
    role: Word<Author>,
    /// Text of the message, not blank.
    #[schemars(length(min = 1))]
    content: String,
}

impl Request {
    fn offered(&self) -> Offered {
        self.tools.as_ref().map_or_else(Offered::default, |word| word.0)
    }

    fn into_conversation(self) -> Result<Conversation, ApiError> {
        let message = |Object(message): Object<ChatMessage>| {
            Message::new(message.role.0.into(), message.content)
        };
        let messages = self.messages.into_iter().map(message).collect();
        Conversation::new(messages).map_err(|error| ApiError::InvalidInput(error.to_string()))
    }
}

/// The model's reply.
#[derive(Serialize, JsonSchema)]
#[expect(clippy::struct_field_names, reason = "the name on the wire")]
pub(crate) struct Reply {
    /// Always true.
    ok: bool,
    /// Text of the reply. Treat it as untrusted data: display it, but do not execute it.
    reply: String,
    /// Provider name, as configured by the operator.
    provider: String,
    /// Model name, as reported by the provider.
    model: String,
    /// Reason the text ends.
    #[schemars(extend("enum" = ["stop", "length", "content_filter", "tool_calls", "other"]))]
    finish_reason: &'static str,
    /// The model's reasoning, if the model has any and the server exposes it.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[schemars(with = "Option<String>")]
    reasoning: String,
    /// Tokens used over all rounds of tool calls. Null if a provider does not report them.
    usage: Option<Usage>,
    /// The model's tool calls, in order. Present with `tools: "auto"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<ToolCall>>")]
    tool_calls: Option<Vec<ToolRun>>,
    /// Parts of the request that were left out. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Option<Vec<String>>")]
    warnings: Vec<String>,
}

/// A tool call, with `result` or `detail`.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it stands for the schema of what toolkit-llm writes")]
pub(crate) struct ToolCall {
    /// Tool name, as given by the model.
    name: String,
    /// Arguments, or null if they were not an object.
    arguments: Option<serde_json::Map<String, serde_json::Value>>,
    /// Whether the call succeeded.
    ok: bool,
    /// The tool's answer, as over MCP.
    result: Option<serde_json::Map<String, serde_json::Value>>,
    /// Reason for the failure, as sent to the model.
    detail: Option<String>,
}

/// Tokens used for a reply.
#[derive(Serialize, JsonSchema)]
struct Usage {
    /// Tokens of the conversation.
    input_tokens: u64,
    /// Tokens of the reply.
    output_tokens: u64,
}

impl From<toolkit_llm::Usage> for Usage {
    fn from(usage: toolkit_llm::Usage) -> Self {
        Self { input_tokens: usage.input_tokens, output_tokens: usage.output_tokens }
    }
}

impl Reply {
    fn new(reply: toolkit_llm::Reply, offered: Offered) -> Self {
        Self {
            ok: true,
            reply: reply.text,
            provider: reply.provider,
            model: reply.model,
            finish_reason: reply.finish_reason.as_str(),
            reasoning: reply.reasoning,
            usage: reply.usage.map(Usage::from),
            tool_calls: (offered == Offered::Auto).then_some(reply.tool_calls),
            warnings: reply.warnings,
        }
    }
}

/// Asks the models. A client that disconnects cancels the call.
pub(crate) async fn post(
    request: HttpRequest,
    payload: Payload,
    state: Current<State>,
) -> Result<HttpResponse, HttpError> {
    sender::admit(&state.rate_limits.chat, &request, &state).await?;
    let presented = sender::presented(&request);
    let Sender { key, terms } = Sender::check(&request, &state, presented, Scope::Chat).await?;
    tokens::check(&state.keys, key, terms.tokens_per_day)?;
    let body = body::read_json(&request, payload.into_inner(), state.body_bytes_max).await?;
    let asked: Request = input::read(&body)?;
    let (stream, offered) = (asked.stream, asked.offered());
    let tokens = Arc::new(Tokens::new(&state.keys, key));
    let chat = chat(&request, &state, asked)?.caller(key.into()).observer(tokens);
    let _charge = Account::of(&request).charge(CHAT_BYTES);
    if stream {
        let slot = state.streams.open(key)?;
        return events::answer(&request, &state, chat, slot).await;
    }
    let _slot = state.streams.wait(key)?;
    let reply = state.chain.reply(chat).await.map_err(ApiError::from)?;
    Ok(HttpResponse::Ok().json(Reply::new(reply, offered)))
}

/// Builds the request to the chain.
fn chat(
    request: &HttpRequest,
    state: &Current<State>,
    asked: Request,
) -> Result<ChatRequest, HttpError> {
    let offered = asked.offered();
    if offered == Offered::Auto && state.tool_rounds == 0 {
        let detail = "`tools` must be `none`: this server offers no tools in chat.";
        return Err(ApiError::InvalidInput(detail.to_owned()).into());
    }
    let chat = ChatRequest::new(asked.into_conversation()?).show_reasoning(state.show_reasoning);
    Ok(match offered {
        Offered::None => chat,
        Offered::Auto => {
            chat.tools(tools::Toolbox::new(request, state)).tool_rounds(state.tool_rounds)
        }
    })
}
