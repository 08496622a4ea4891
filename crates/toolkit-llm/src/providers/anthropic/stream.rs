//! Messages API: the stream.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::decode::{CUT, Decode, HISTORY_BYTES_MAX, Said, not_the_format};
use super::super::endpoint::of_status;
use super::super::{Found, Members, lenient, raw, read};
use super::answer::{KeptBlock, calls, finish_reason};
use super::plain::{self, Plain};
use crate::error::ProviderError;
use crate::message::{FinishReason, Usage};
use crate::sse::Event;

#[derive(Deserialize)]
struct Named {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct MessageStart {
    message: StartedMessage,
}

#[derive(Deserialize)]
struct StartedMessage {
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<Counts>,
}

#[derive(Deserialize)]
struct BlockStart {
    #[serde(default)]
    index: u64,
    content_block: Members,
}

#[derive(Deserialize)]
struct BlockDelta {
    #[serde(default)]
    index: u64,
    delta: Members,
}

#[derive(Deserialize)]
struct MessageDelta {
    #[serde(default)]
    delta: Option<MessageDeltaDelta>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<Counts>,
}

#[derive(Deserialize)]
struct MessageDeltaDelta {
    #[serde(default, deserialize_with = "lenient")]
    stop_reason: Option<String>,
}

/// Token counts, each of which may be missing.
#[derive(Deserialize, Default)]
#[expect(clippy::struct_field_names, reason = "the names of the wire format")]
struct Counts {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
    #[serde(default)]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default)]
    cache_read_input_tokens: Option<u64>,
}

impl Counts {
    /// Takes over later counts, which are cumulative; zero if a server reports none.
    fn update(&mut self, later: &Self) {
        let said = |count: Option<u64>| count.filter(|&count| count > 0);
        self.input_tokens = said(later.input_tokens).or(self.input_tokens);
        self.output_tokens = later.output_tokens.or(self.output_tokens);
        self.cache_creation_input_tokens =
            said(later.cache_creation_input_tokens).or(self.cache_creation_input_tokens);
        self.cache_read_input_tokens =
            said(later.cache_read_input_tokens).or(self.cache_read_input_tokens);
    }

    fn usage(&self) -> Option<Usage> {
        let cached = [
            self.cache_creation_input_tokens,
            self.cache_read_input_tokens,
        ];
        let input = cached
            .into_iter()
            .flatten()
            .fold(self.input_tokens?, u64::saturating_add);
        Some(Usage::new(input, self.output_tokens?))
    }
}

/// A block received so far.
struct Block {
    index: u64,
    members: Members,
    text: String,
    thinking: String,
    signature: String,
    json: String,
    citations: Vec<Box<RawValue>>,
}

/// Decoder of one stream.
pub(super) struct Decoder {
    round: usize,
    /// Whether a round of tools may follow, so the blocks are kept.
    keeps_blocks: bool,
    counts: Counts,
    stop_reason: Option<FinishReason>,
    stopped: bool,
    blocks: Vec<Block>,
    kept_bytes: usize,
}

impl Decoder {
    pub(super) fn new(round: usize, keeps_blocks: bool) -> Self {
        Self {
            round,
            keeps_blocks,
            counts: Counts::default(),
            stop_reason: None,
            stopped: false,
            blocks: Vec::new(),
            kept_bytes: 0,
        }
    }

    fn start(&mut self, start: BlockStart, said: &mut Said) -> Result<(), ProviderError> {
        let BlockStart {
            index,
            content_block: members,
        } = start;
        let kind: String = read(&members, "type").unwrap_or_default();
        if kind == "text" {
            said.text
                .push_str(&read::<String>(&members, "text").unwrap_or_default());
        }
        let size = members.values().map(|value| value.get().len()).sum();
        if self.keep(size, kind == "tool_use")? {
            let own = |name| read(&members, name).unwrap_or_default();
            self.blocks.push(Block {
                index,
                text: own("text"),
                thinking: own("thinking"),
                signature: own("signature"),
                json: String::new(),
                citations: Vec::new(),
                members,
            });
        }
        Ok(())
    }

    fn delta(&mut self, delta: BlockDelta, said: &mut Said) -> Result<(), ProviderError> {
        let BlockDelta { index, delta } = delta;
        let kind: String = read(&delta, "type").unwrap_or_default();
        let text = |name| read::<String>(&delta, name).unwrap_or_default();
        if kind == "text_delta" {
            said.text.push_str(&text("text"));
        }
        let size = delta.values().map(|value| value.get().len()).sum();
        if !self.keep(size, kind == "input_json_delta")? {
            return Ok(());
        }
        let Some(block) = self.block(index) else {
            return Ok(());
        };
        match kind.as_str() {
            "text_delta" => block.text.push_str(&text("text")),
            "thinking_delta" => block.thinking.push_str(&text("thinking")),
            "signature_delta" => block.signature.push_str(&text("signature")),
            "input_json_delta" => block.json.push_str(&text("partial_json")),
            "citations_delta" => block.citations.extend(delta.get("citation").cloned()),
            _ => {}
        }
        Ok(())
    }

    /// Handles an event that contains only text.
    fn text(&mut self, plain: Plain<'_>, said: &mut Said) -> Result<(), ProviderError> {
        if self.keep(plain.bytes, false)?
            && let Some(block) = self.block(plain.index)
        {
            block.text.push_str(&plain.text);
        }
        said.say(plain.text);
        Ok(())
    }

    /// The last block with this index.
    fn block(&mut self, index: u64) -> Option<&mut Block> {
        let mut blocks = self.blocks.iter_mut().rev();
        blocks.find(|block| block.index == index)
    }

    /// Whether a part is kept for the history. Calls that exceed the limit are an error.
    fn keep(&mut self, bytes: usize, is_call: bool) -> Result<bool, ProviderError> {
        self.kept_bytes += bytes;
        let fits = self.kept_bytes <= HISTORY_BYTES_MAX;
        if !fits && is_call {
            return Err(ProviderError::Unusable {
                reason: "more calls than the limit",
            });
        }
        Ok(fits && (self.keeps_blocks || is_call))
    }
}

impl Block {
    /// The block as a whole answer has it.
    fn finish(mut self) -> KeptBlock {
        let mut set = |name: &str, value: Box<RawValue>| {
            self.members.insert(name.to_owned(), value);
        };
        let texts = [
            ("text", &self.text),
            ("thinking", &self.thinking),
            ("signature", &self.signature),
        ];
        for (name, text) in texts {
            if !text.is_empty() {
                set(name, raw(text));
            }
        }
        if !self.citations.is_empty() {
            set("citations", raw(&self.citations));
        }
        let mut kept = KeptBlock::new(self.members);
        if !self.json.is_empty() {
            kept.set_input(self.json);
        }
        kept
    }
}

impl Decode for Decoder {
    fn event(&mut self, event: &Event, said: &mut Said) -> Result<(), ProviderError> {
        let data = event.data.as_str();
        if let Some(plain) = plain::read(data) {
            return self.text(plain, said);
        }
        let Named { kind } = serde_json::from_str(data).map_err(not_the_format)?;
        match kind.as_str() {
            "message_start" => {
                let start: MessageStart = serde_json::from_str(data).map_err(not_the_format)?;
                said.model = start.message.model;
                self.counts = start.message.usage.unwrap_or_default();
            }
            "content_block_start" => {
                self.start(serde_json::from_str(data).map_err(not_the_format)?, said)?;
            }
            "content_block_delta" => {
                self.delta(serde_json::from_str(data).map_err(not_the_format)?, said)?;
            }
            "message_delta" => {
                let delta: MessageDelta = serde_json::from_str(data).map_err(not_the_format)?;
                let reason = delta.delta.and_then(|delta| delta.stop_reason);
                self.stop_reason = reason
                    .map(|word| finish_reason(Some(&word)))
                    .or(self.stop_reason);
                self.counts.update(&delta.usage.unwrap_or_default());
            }
            "message_stop" => self.stopped = true,
            "error" => {
                let json = serde_json::from_str(data).map_err(not_the_format)?;
                return Err(meaning(&json));
            }
            // `ping`, `content_block_stop`, and future events.
            _ => {}
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stopped
    }

    fn error(&self, json: &Value) -> Option<ProviderError> {
        json.get("error")
            .is_some_and(Value::is_object)
            .then(|| meaning(json))
    }

    fn finish(&mut self) -> Result<Found, ProviderError> {
        if !self.stopped && self.stop_reason.is_none() {
            return Err(CUT);
        }
        let blocks = std::mem::take(&mut self.blocks);
        let blocks = blocks.into_iter().map(Block::finish).collect();
        let (calls, history) = calls(blocks, self.round)?;
        if !calls.is_empty() && self.kept_bytes > HISTORY_BYTES_MAX {
            return Err(ProviderError::Unusable {
                reason: "a round longer than the limit",
            });
        }
        Ok(Found {
            text: String::new(),
            model: None,
            finish_reason: self.stop_reason.unwrap_or(FinishReason::Other),
            usage: self.counts.usage(),
            calls,
            history,
        })
    }
}

/// Maps an error in a stream to the status that the vendor gives it elsewhere.
fn meaning(json: &Value) -> ProviderError {
    let kind = json.pointer("/error/type").and_then(Value::as_str);
    let status = match kind.unwrap_or_default() {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => 500,
    };
    of_status(status, None)
}
