//! Messages API: the parts of an answer.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::decode::HISTORY_BYTES_MAX;
use super::super::{Members, raw, read};
use crate::error::ProviderError;
use crate::message::{FinishReason, Usage};
use crate::tools::{ToolCall, call_id};

/// Token counts, each of which may be missing.
#[derive(Deserialize, Default)]
#[expect(clippy::struct_field_names, reason = "the names of the wire format")]
pub(super) struct Counts {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
}

impl Counts {
    /// Takes over later counts, which are cumulative. Zero if a server reports none.
    pub(super) fn update(&mut self, later: &Self) {
        let said = |count: Option<u64>| count.filter(|&count| count > 0);
        self.input_tokens = said(later.input_tokens).or(self.input_tokens);
        self.output_tokens = later.output_tokens.or(self.output_tokens);
        self.cache_creation_input_tokens =
            said(later.cache_creation_input_tokens).or(self.cache_creation_input_tokens);
        self.cache_read_input_tokens =
            said(later.cache_read_input_tokens).or(self.cache_read_input_tokens);
    }

    pub(super) fn usage(&self) -> Option<Usage> {
        // `input_tokens` leaves out tokens read from or written to the cache.
        let cached = [self.cache_creation_input_tokens, self.cache_read_input_tokens];
        let input = cached.into_iter().flatten().fold(self.input_tokens?, u64::saturating_add);
        Some(Usage {
            cached_tokens: self.cache_read_input_tokens.unwrap_or_default(),
            ..Usage::new(input, self.output_tokens?)
        })
    }
}

/// A block of an answer, for the history.
pub(super) struct KeptBlock {
    pub(super) members: Members,
    /// Input of a call that arrived as text, or nothing.
    pub(super) input: String,
}

/// Returns the calls among a round's blocks, and all its blocks in their history form.
pub(super) fn calls(
    kept: Vec<KeptBlock>,
    round: usize,
) -> Result<(Vec<ToolCall>, Option<Box<RawValue>>), ProviderError> {
    let mut calls = Vec::new();
    let mut blocks = Vec::new();
    for kept in kept {
        let mut block = kept.members;
        // Input that is not JSON is kept, so that the model is told where it went wrong.
        let broken_input = match serde_json::from_str(&kept.input) {
            Ok(input) => {
                block.insert("input".to_owned(), input);
                None
            }
            Err(_) => Some(kept.input.as_str()).filter(|input| !input.is_empty()),
        };
        if read::<String>(&block, "type").as_deref() != Some("tool_use") {
            blocks.push(block);
            continue;
        }
        let id = read::<String>(&block, "id").filter(|id| !id.is_empty());
        let id = id.unwrap_or_else(|| call_id(round, calls.len()));
        block.insert("id".to_owned(), raw(&id));
        let input = block.get("input").map(|input| input.get());
        let input = broken_input.or(input);
        let name = read::<String>(&block, "name").unwrap_or_default();
        let call = ToolCall::new(name, input.unwrap_or_default()).with_id(Some(id));
        // The vendor accepts only objects back.
        let sent_back = call.object().unwrap_or_else(|_| raw(&Members::new()));
        block.insert("input".to_owned(), sent_back);
        blocks.push(block);
        calls.push(call);
    }
    if calls.is_empty() {
        return Ok((calls, None));
    }
    // The vendor sends empty text blocks but refuses to receive them.
    blocks.retain(|block| {
        let is_text = read::<String>(block, "type").as_deref() == Some("text");
        !is_text || read::<String>(block, "text").is_none_or(|text| !text.trim().is_empty())
    });
    let size = blocks.iter().flat_map(Members::values);
    if size.map(|value| value.get().len()).sum::<usize>() > HISTORY_BYTES_MAX {
        return Err(ProviderError::unusable("a round longer than the limit"));
    }
    Ok((calls, Some(raw(&blocks))))
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
