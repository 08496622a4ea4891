//! Anthropic's Messages API (`POST {base_url}/v1/messages`, `anthropic-version: 2023-06-01`).
//!
//! Covered: text in and text out, not streamed; instructions in the top-level `system`. Left out:
//! tools, images, extended thinking (its blocks are skipped), instructions between messages (only
//! some models take them; they are gathered in `system`).

use std::time::Duration;

use async_trait::async_trait;
use reqwest::Client;
use reqwest::header::{HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::endpoint::{Endpoint, ends_with_segment, join};
use super::turns::{Turn, Turns};
use super::{ConfigError, Found, ProviderConfig, lenient};
use crate::error::ProviderError;
use crate::message::{FinishReason, Reply, Usage};
use crate::provider::{Provider, Request};

const BASE_URL: &str = "https://api.anthropic.com";
const KEY_HEADER: HeaderName = HeaderName::from_static("x-api-key");
const VERSION_HEADER: HeaderName = HeaderName::from_static("anthropic-version");
const VERSION: HeaderValue = HeaderValue::from_static("2023-06-01");

/// Anthropic's Messages API.
///
/// `base_url` is the part before `/v1/messages`; with the `/v1` it is understood too.
#[derive(Debug)]
pub struct Anthropic {
    config: ProviderConfig,
    endpoint: Endpoint,
}

impl Anthropic {
    /// Sets up a provider; without a `base_url`, Anthropic's own.
    ///
    /// # Errors
    ///
    /// The field of `config` that is wrong.
    pub fn new(client: Client, config: ProviderConfig) -> Result<Self, ConfigError> {
        let base = config.check(BASE_URL)?;
        let has_version = ends_with_segment(&base, |segment| segment == "v1");
        let segments: &[&str] = if has_version {
            &["messages"]
        } else {
            &["v1", "messages"]
        };
        let endpoint = Endpoint::new(
            client,
            join(base, segments),
            &config,
            (KEY_HEADER, ""),
            read_error,
        )?
        .with_version(VERSION_HEADER, VERSION);
        Ok(Self { config, endpoint })
    }
}

#[async_trait]
impl Provider for Anthropic {
    fn name(&self) -> &str {
        &self.config.name
    }

    fn timeout(&self) -> Option<Duration> {
        self.config.timeout
    }

    async fn reply(&self, request: Request<'_>) -> Result<Reply, ProviderError> {
        let body = Body::new(&self.config.model, &request);
        let answer: Answer = self.endpoint.post(&body).await?;
        answer.found().into_reply(&self.config)
    }
}

/// Tells an empty account from a wrong conversation: both are `invalid_request_error`, status 400,
/// and only the message differs.
fn read_error(status: u16, body: &Value) -> Option<ProviderError> {
    let message = body.pointer("/error/message")?.as_str()?;
    let of_account = [
        "Your credit balance",
        "You have reached your specified API usage limits",
    ];
    let denied = status == 400 && of_account.iter().any(|start| message.starts_with(start));
    denied.then_some(ProviderError::Denied {
        status,
        reason: "check the account's credit",
    })
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    messages: Vec<BodyMessage<'a>>,
}

#[derive(Serialize)]
struct BodyMessage<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
struct Block<'a> {
    r#type: &'static str,
    text: &'a str,
}

impl<'a> Body<'a> {
    fn new(model: &'a str, request: &Request<'a>) -> Self {
        let Turns {
            instructions,
            turns,
        } = Turns::new(request);
        Self {
            model,
            max_tokens: request.max_output_tokens,
            system: blocks(instructions),
            messages: turns.into_iter().map(BodyMessage::from).collect(),
        }
    }
}

impl<'a> From<Turn<'a>> for BodyMessage<'a> {
    fn from(turn: Turn<'a>) -> Self {
        let role = if turn.by_model { "assistant" } else { "user" };
        Self {
            role,
            content: blocks(turn.texts),
        }
    }
}

fn blocks(texts: Vec<&str>) -> Vec<Block<'_>> {
    texts
        .into_iter()
        .map(|text| Block {
            r#type: "text",
            text,
        })
        .collect()
}

#[derive(Deserialize)]
struct Answer {
    content: Vec<AnswerBlock>,
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<AnswerUsage>,
}

#[derive(Deserialize)]
struct AnswerBlock {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
#[expect(clippy::struct_field_names, reason = "the names of the wire format")]
struct AnswerUsage {
    input_tokens: u64,
    output_tokens: u64,
    #[serde(default)]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default)]
    cache_read_input_tokens: Option<u64>,
}

impl Answer {
    fn found(self) -> Found {
        let said = self
            .content
            .into_iter()
            .filter(|block| block.kind == "text");
        Found {
            text: said.filter_map(|block| block.text).collect(),
            model: self.model,
            finish_reason: finish_reason(self.stop_reason.as_deref()),
            usage: self.usage.map(Usage::from),
        }
    }
}

impl From<AnswerUsage> for Usage {
    fn from(usage: AnswerUsage) -> Self {
        // `input_tokens` leaves out what came from the cache or went into it.
        let cached = [
            usage.cache_creation_input_tokens,
            usage.cache_read_input_tokens,
        ];
        let cached = cached.into_iter().flatten().fold(0, u64::saturating_add);
        Self {
            input_tokens: usage.input_tokens.saturating_add(cached),
            output_tokens: usage.output_tokens,
        }
    }
}

fn finish_reason(word: Option<&str>) -> FinishReason {
    match word.unwrap_or_default() {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "refusal" => FinishReason::ContentFilter,
        "tool_use" => FinishReason::ToolCalls,
        _ => FinishReason::Other,
    }
}
