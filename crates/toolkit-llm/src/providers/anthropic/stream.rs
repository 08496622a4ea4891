//! Messages API: the decoder of an answer.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::decode::{Decode, HISTORY_BYTES_MAX, Output, not_the_format, parse};
use super::super::endpoint::of_status;
use super::super::{Members, lenient, raw, read};
use super::answer::{Counts, KeptBlock, calls, finish_reason};
use super::read_error;
use crate::error::ProviderError;
use crate::message::FinishReason;
use crate::provider::AnswerEnd;

/// An event. Its members depend on its type.
#[derive(Deserialize)]
struct StreamEvent {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, deserialize_with = "lenient")]
    message: Option<StartedMessage>,
    #[serde(default, deserialize_with = "lenient")]
    index: Option<u64>,
    #[serde(default, deserialize_with = "lenient")]
    content_block: Option<Members>,
    #[serde(default, deserialize_with = "lenient")]
    delta: Option<Members>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<Counts>,
}

#[derive(Deserialize)]
struct StartedMessage {
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<Counts>,
}

/// A whole answer.
#[derive(Deserialize)]
struct Message {
    content: Vec<Members>,
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<Counts>,
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
#[derive(Default)]
pub(super) struct Decoder {
    round: usize,
    /// Whether a tool round may follow, so that the blocks are kept.
    keeps_blocks: bool,
    counts: Counts,
    stop_reason: Option<FinishReason>,
    stopped: bool,
    blocks: Vec<Block>,
    kept_bytes: usize,
}

impl Decoder {
    pub(super) fn new(round: usize, keeps_blocks: bool) -> Self {
        Self { round, keeps_blocks, ..Self::default() }
    }

    fn start(
        &mut self,
        index: u64,
        members: Members,
        output: &mut Output,
    ) -> Result<(), ProviderError> {
        let kind: String = read(&members, "type").unwrap_or_default();
        let text = |name| read::<String>(&members, name).unwrap_or_default();
        match kind.as_str() {
            "text" => output.text.push_str(&text("text")),
            "thinking" => output.reasoning.push_str(&text("thinking")),
            _ => {}
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

    fn delta(
        &mut self,
        index: u64,
        delta: &Members,
        output: &mut Output,
    ) -> Result<(), ProviderError> {
        let kind: String = read(delta, "type").unwrap_or_default();
        let text = |name| read::<String>(delta, name).unwrap_or_default();
        match kind.as_str() {
            "text_delta" => output.text.push_str(&text("text")),
            "thinking_delta" => output.reasoning.push_str(&text("thinking")),
            _ => {}
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

    /// The last block with this index.
    fn block(&mut self, index: u64) -> Option<&mut Block> {
        let mut blocks = self.blocks.iter_mut().rev();
        blocks.find(|block| block.index == index)
    }

    /// Whether to keep a part for the history. Calls that exceed the limit are an error.
    fn keep(&mut self, bytes: usize, is_call: bool) -> Result<bool, ProviderError> {
        self.kept_bytes += bytes;
        let fits = self.kept_bytes <= HISTORY_BYTES_MAX;
        if !fits && is_call {
            return Err(ProviderError::unusable("more calls than the limit"));
        }
        Ok(fits && (self.keeps_blocks || is_call))
    }
}

impl Block {
    /// The block as in a whole answer.
    fn finish(mut self) -> KeptBlock {
        let mut set = |name: &str, value: Box<RawValue>| {
            self.members.insert(name.to_owned(), value);
        };
        let texts =
            [("text", &self.text), ("thinking", &self.thinking), ("signature", &self.signature)];
        for (name, text) in texts {
            if !text.is_empty() {
                set(name, raw(text));
            }
        }
        if !self.citations.is_empty() {
            set("citations", raw(&self.citations));
        }
        KeptBlock { members: self.members, input: self.json }
    }
}

impl Decode for Decoder {
    fn event(&mut self, data: &str, output: &mut Output) -> Result<(), ProviderError> {
        let event: StreamEvent = parse(data)?;
        let index = event.index.unwrap_or_default();
        match (event.kind.as_str(), event.delta) {
            ("message_start", _) => {
                let message = event.message.ok_or(()).map_err(not_the_format)?;
                output.model = message.model;
                self.counts = message.usage.unwrap_or_default();
            }
            ("content_block_start", _) => {
                let block = event.content_block.ok_or(()).map_err(not_the_format)?;
                self.start(index, block, output)?;
            }
            ("content_block_delta", Some(delta)) => self.delta(index, &delta, output)?,
            ("content_block_delta", None) => return Err(not_the_format(())),
            ("message_delta", delta) => {
                let reason = delta.and_then(|delta| read::<String>(&delta, "stop_reason"));
                self.stop_reason =
                    reason.map(|word| finish_reason(Some(&word))).or(self.stop_reason);
                self.counts.update(&event.usage.unwrap_or_default());
            }
            ("message_stop", _) => self.stopped = true,
            ("error", _) => return Err(meaning(&parse(data)?)),
            // `ping`, `content_block_stop`, and future events.
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, data: &str, output: &mut Output) -> Result<(), ProviderError> {
        let report = serde_json::from_str(data).unwrap_or_default();
        if let Some(error) = self.error(&report) {
            return Err(error);
        }
        let message: Message = parse(data)?;
        output.model = message.model;
        self.counts = message.usage.unwrap_or_default();
        for (index, block) in (0..).zip(message.content) {
            if read::<String>(&block, "type").is_none() {
                return Err(not_the_format(()));
            }
            self.start(index, block, output)?;
        }
        self.stop_reason = Some(finish_reason(message.stop_reason.as_deref()));
        self.stopped = true;
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stopped
    }

    fn error(&self, json: &Value) -> Option<ProviderError> {
        json.get("error").is_some_and(Value::is_object).then(|| meaning(json))
    }

    fn finish(&mut self, _: &mut Output) -> Result<AnswerEnd, ProviderError> {
        if !self.stopped && self.stop_reason.is_none() {
            return Err(ProviderError::CUT);
        }
        let blocks = std::mem::take(&mut self.blocks);
        let blocks = blocks.into_iter().map(Block::finish).collect();
        let (calls, history) = calls(blocks, self.round)?;
        if !calls.is_empty() && self.kept_bytes > HISTORY_BYTES_MAX {
            return Err(ProviderError::unusable("a round longer than the limit"));
        }
        Ok(AnswerEnd {
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
    let special = read_error(status, json);
    special.unwrap_or_else(|| of_status(status, None, &json.to_string()))
}
