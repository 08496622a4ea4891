//! Messages API: the response, and what its stream has in common with it.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::decode::{HISTORY_BYTES_MAX, not_the_format};
use super::super::{Found, Members, lenient, raw, read};
use crate::error::ProviderError;
use crate::message::{FinishReason, Usage};
use crate::tools::{ToolCall, call_id};

#[derive(Deserialize)]
pub(super) struct Message {
    content: Vec<Box<RawValue>>,
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<AnswerUsage>,
}

/// A content block, with the members common to all types.
#[derive(Deserialize)]
struct Block {
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

impl Message {
    /// Takes the message apart. `round` is its number, from 1.
    pub(super) fn found(self, round: usize) -> Result<Found, ProviderError> {
        let mut text = String::new();
        let mut kept: Vec<KeptBlock> = Vec::new();
        for content in self.content {
            let block: Block = serde_json::from_str(content.get()).map_err(not_the_format)?;
            if block.kind == "text" {
                text.push_str(&block.text.unwrap_or_default());
            }
            kept.extend(serde_json::from_str(content.get()).ok().map(KeptBlock::new));
        }
        let (calls, history) = calls(kept, round)?;
        Ok(Found {
            text,
            model: self.model,
            finish_reason: finish_reason(self.stop_reason.as_deref()),
            usage: self.usage.map(Usage::from),
            calls,
            history,
        })
    }
}

/// A block of an answer, for the history.
pub(super) struct KeptBlock {
    members: Members,
    /// Input of a call that is not JSON, kept so that the model is told where it went wrong.
    broken_input: Option<String>,
}

impl KeptBlock {
    pub(super) fn new(members: Members) -> Self {
        Self {
            members,
            broken_input: None,
        }
    }

    /// Sets the input of a call, which arrived as text.
    pub(super) fn set_input(&mut self, json: String) {
        match RawValue::from_string(json.clone()) {
            Ok(input) => drop(self.members.insert("input".to_owned(), input)),
            Err(_) => self.broken_input = Some(json),
        }
    }
}

/// Returns the calls among the blocks of a round, and all its blocks as they go into the history.
pub(super) fn calls(
    kept: Vec<KeptBlock>,
    round: usize,
) -> Result<(Vec<ToolCall>, Option<Box<RawValue>>), ProviderError> {
    let mut calls = Vec::new();
    let mut blocks = Vec::new();
    for KeptBlock {
        members: mut block,
        broken_input,
    } in kept
    {
        if read::<String>(&block, "type").as_deref() != Some("tool_use") {
            blocks.push(block);
            continue;
        }
        let id = read::<String>(&block, "id").filter(|id| !id.is_empty());
        let id = id.unwrap_or_else(|| call_id(round, calls.len()));
        block.insert("id".to_owned(), raw(&id));
        let input = block.get("input").map(|input| input.get());
        let input = broken_input.as_deref().or(input);
        let name = read::<String>(&block, "name").unwrap_or_default();
        let call = ToolCall::new(name, input.unwrap_or_default()).with_id(Some(id));
        // The vendor accepts only objects back.
        let sent_back = call.object();
        block.insert(
            "input".to_owned(),
            sent_back.unwrap_or_else(|_| raw(&serde_json::json!({}))),
        );
        blocks.push(block);
        calls.push(call);
    }
    if calls.is_empty() {
        return Ok((calls, None));
    }
    // The vendor sends empty text blocks but refuses to receive them.
    blocks.retain(|block| {
        let text = read::<String>(block, "text").filter(|_| is_text(block));
        text.is_none_or(|text| !text.trim().is_empty())
    });
    let size = blocks.iter().flat_map(Members::values);
    if size.map(|value| value.get().len()).sum::<usize>() > HISTORY_BYTES_MAX {
        return Err(ProviderError::Unusable {
            reason: "a round longer than the limit",
        });
    }
    Ok((calls, Some(raw(&blocks))))
}

fn is_text(block: &Members) -> bool {
    read::<String>(block, "type").as_deref() == Some("text")
}

impl From<AnswerUsage> for Usage {
    fn from(usage: AnswerUsage) -> Self {
        // `input_tokens` leaves out tokens read from or written to the cache.
        let cached = [
            usage.cache_creation_input_tokens,
            usage.cache_read_input_tokens,
        ];
        let cached = cached.into_iter().flatten().fold(0, u64::saturating_add);
        Self::new(
            usage.input_tokens.saturating_add(cached),
            usage.output_tokens,
        )
    }
}

pub(super) fn finish_reason(word: Option<&str>) -> FinishReason {
    match word.unwrap_or_default() {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "refusal" => FinishReason::ContentFilter,
        "tool_use" => FinishReason::ToolCalls,
        // Includes `pause_turn`, which is for tools that run at the vendor.
        _ => FinishReason::Other,
    }
}
