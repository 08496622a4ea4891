//! Anthropic's Messages API (`POST {base_url}/v1/messages`, `anthropic-version: 2023-06-01`).
//!
//! Covered: text and images; tool calls with the thinking before them; JSON that matches a schema;
//! cache marks after the tools and after each round; instructions in the top-level `system`. Left
//! out: tools that run at the vendor, and instructions between messages, which only some models
//! accept. They are collected in `system`.

mod answer;
mod request;
mod stream;

use reqwest::Client;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;

use self::stream::Decoder;
use super::endpoint::{Endpoint, NO_CREDIT, ends_with_segment, join};
use super::options::{CACHE_CONTROL, Droppable};
use super::{ConfigError, ProviderConfig};
use crate::error::ProviderError;
use crate::request::{RESPONSE_FORMAT, ResponseFormat, SEED, Sampling};

const BASE_URL: &str = "https://api.anthropic.com";
const KEY_HEADER: HeaderName = HeaderName::from_static("x-api-key");
const VERSION_HEADER: HeaderName = HeaderName::from_static("anthropic-version");
const VERSION: HeaderValue = HeaderValue::from_static("2023-06-01");

const DROPPABLE: &[Droppable] = &[
    (CACHE_CONTROL, &["cache_control"]),
    ("output_config.effort", &["output_config.effort", "effort"]),
    ("output_config.format", &["output_config.format", "structured outputs"]),
    ("output_config", &["output_config"]),
    ("thinking", &["thinking"]),
    ("temperature", &["temperature"]),
    ("top_p", &["top_p"]),
    ("stop_sequences", &["stop_sequences"]),
    ("tool_choice", &["tool_choice"]),
    ("stream", &["stream"]),
];

/// Anthropic's Messages API.
///
/// `base_url` is the part before `/v1/messages`, with or without the `/v1`.
#[derive(Debug)]
pub struct Anthropic {
    endpoint: Endpoint,
}

impl Anthropic {
    /// Creates a provider. Without a `base_url`, it uses Anthropic's own.
    ///
    /// # Errors
    ///
    /// Names the field of `config` that is wrong.
    pub fn new(client: Client, config: ProviderConfig) -> Result<Self, ConfigError> {
        let base = config.check(BASE_URL)?;
        let has_version = ends_with_segment(&base, |segment| segment == "v1");
        let segments: &[&str] = if has_version { &["messages"] } else { &["v1", "messages"] };
        let url = join(base, segments);
        let mut endpoint =
            Endpoint::new(client, url, config, (KEY_HEADER, ""), read_error, DROPPABLE)?;
        let headers = &mut endpoint.config.headers;
        headers.append(VERSION_HEADER, VERSION);
        Ok(Self { endpoint })
    }
}

provider!(Anthropic);

fn lacks(sampling: &Sampling) -> &'static [&'static str] {
    match sampling.response_format {
        Some(ResponseFormat::JsonObject) => &[SEED, RESPONSE_FORMAT],
        _ => &[SEED],
    }
}

/// Tells an exhausted account from an invalid conversation. Both are `invalid_request_error`,
/// status 400, and only the message differs.
fn read_error(status: u16, body: &Value) -> Option<ProviderError> {
    let message = body.pointer("/error/message")?.as_str()?;
    let of_account = ["Your credit balance", "You have reached your specified API usage limits"];
    let denied = status == 400 && of_account.iter().any(|start| message.starts_with(start));
    denied.then_some(ProviderError::Denied { status, reason: NO_CREDIT })
}
