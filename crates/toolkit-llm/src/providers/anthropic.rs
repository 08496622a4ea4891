//! Anthropic's Messages API (`POST {base_url}/v1/messages`, `anthropic-version: 2023-06-01`).
//!
//! Covered: text, whole and streamed; tool calls, with the thinking before them; instructions in
//! the top-level `system`. Left out: images, tools that run at the vendor, instructions between
//! messages (only some models accept them; they are collected in `system`).

mod answer;
mod plain;
mod request;
mod stream;

use std::time::Duration;

use async_trait::async_trait;
use reqwest::Client;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;

use self::answer::Message;
use self::request::Body;
use self::stream::Decoder;
use super::decode::pieces;
use super::endpoint::{Endpoint, ends_with_segment, is_json, join, parse, read_whole};
use super::{ConfigError, ProviderConfig};
use crate::error::ProviderError;
use crate::message::Reply;
use crate::provider::{Answer, Provider, Request, whole};

const BASE_URL: &str = "https://api.anthropic.com";
const KEY_HEADER: HeaderName = HeaderName::from_static("x-api-key");
const VERSION_HEADER: HeaderName = HeaderName::from_static("anthropic-version");
const VERSION: HeaderValue = HeaderValue::from_static("2023-06-01");

/// Anthropic's Messages API.
///
/// `base_url` is the part before `/v1/messages`, with or without the `/v1`.
#[derive(Debug)]
pub struct Anthropic {
    config: ProviderConfig,
    endpoint: Endpoint,
}

impl Anthropic {
    /// Creates a provider; without a `base_url`, at Anthropic's own.
    ///
    /// # Errors
    ///
    /// Names the field of `config` that is wrong.
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

    fn takes_tools(&self) -> bool {
        self.config.tools
    }

    async fn reply(&self, request: Request<'_>) -> Result<Reply, ProviderError> {
        let body = Body::new(&self.config.model, &request);
        let message: Message = self.endpoint.post(&body).await?;
        message.found(1)?.into_reply(&self.config)
    }

    async fn stream(&self, request: Request<'_>) -> Result<Answer, ProviderError> {
        let round = request.rounds.len() + 1;
        let body = Body::new(&self.config.model, &request);
        let message: Message = if request.is_plain() {
            self.endpoint.post(&body).await?
        } else {
            let response = self.endpoint.send(self.endpoint.url(), &body, true).await;
            let carried_tools = request.tools.is_some() && request.rounds.is_empty();
            let response = response.map_err(|failure| failure.into_error(carried_tools))?;
            if request.streamed && !is_json(&response) {
                let decoder = Decoder::new(round, request.tools.is_some());
                return Ok(pieces(response, self.config.model.clone(), decoder));
            }
            parse(&read_whole(response).await?)?
        };
        let (model, text, end) = message.found(round)?.into_parts(&self.config.model);
        Ok(whole(Some(model), text, end))
    }
}

/// Distinguishes an exhausted account from an invalid conversation: both are
/// `invalid_request_error`, status 400, and only the message differs.
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
