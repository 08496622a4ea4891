//! Responses API: the decoder of an answer.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::decode::{Decode, HISTORY_BYTES_MAX, Output, not_the_format, parse};
use super::super::openai::{UsageDetails, in_stream};
use super::super::{Members, lenient, raw, read};
use crate::error::ProviderError;
use crate::message::{FinishReason, Usage};
use crate::provider::AnswerEnd;
use crate::tools::{ToolCall, call_id};

/// An event. Its members depend on its type.
#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, deserialize_with = "lenient")]
    delta: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    output_index: Option<u64>,
    item: Option<Box<RawValue>>,
    response: Option<Box<RawValue>>,
    error: Option<Value>,
}

/// A response: in the events at its start and end, and as a whole answer.
#[derive(Deserialize)]
struct Response {
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    status: Option<String>,
    #[serde(default)]
    output: Vec<Box<RawValue>>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<ResponseUsage>,
    #[serde(default, deserialize_with = "lenient")]
    incomplete_details: Option<Incomplete>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Incomplete {
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct ResponseUsage {
    input_tokens: u64,
    output_tokens: u64,
    #[serde(default, deserialize_with = "lenient")]
    input_tokens_details: Option<UsageDetails>,
    #[serde(default, deserialize_with = "lenient")]
    output_tokens_details: Option<UsageDetails>,
}

impl From<ResponseUsage> for Usage {
    fn from(usage: ResponseUsage) -> Self {
        let (cached, reasoning) = (usage.input_tokens_details, usage.output_tokens_details);
        Self {
            cached_tokens: cached.map_or(0, |details| details.cached_tokens),
            reasoning_tokens: reasoning.map_or(0, |details| details.reasoning_tokens),
            ..Self::new(usage.input_tokens, usage.output_tokens)
        }
    }
}

/// A content part of a message, or of a reasoning item's summary.
#[derive(Deserialize)]
struct Part {
    #[serde(default, deserialize_with = "lenient")]
    text: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    refusal: Option<String>,
}

/// Decoder of one answer.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of an answer so far")]
pub(super) struct Decoder {
    round: usize,
    keeps_history: bool,
    /// Complete items, with their position in the output.
    items: Vec<(u64, Members)>,
    calls_bytes: usize,
    history_bytes: usize,
    /// Whether a reasoning summary has ended, so that the next is another.
    has_summary: bool,
    refused: bool,
    has_text: bool,
    finish_reason: Option<FinishReason>,
    usage: Option<Usage>,
}

impl Decoder {
    pub(super) fn new(round: usize, keeps_history: bool) -> Self {
        Self { round, keeps_history, ..Self::default() }
    }

    /// Keeps a complete item. The event that begins an item may lack its encrypted reasoning.
    fn item(&mut self, index: u64, item: &RawValue) -> Result<(), ProviderError> {
        let members: Members = parse(item.get())?;
        let bytes = item.get().len();
        self.history_bytes += bytes;
        if is(&members, "function_call") {
            self.calls_bytes += bytes;
            if self.calls_bytes > HISTORY_BYTES_MAX {
                return Err(ProviderError::unusable("more calls than the limit"));
            }
        } else if !self.keeps_history || self.history_bytes > HISTORY_BYTES_MAX {
            return Ok(());
        }
        self.items.push((index, members));
        Ok(())
    }

    /// Reads text and reasoning from a whole answer's items.
    fn say(&mut self, item: &RawValue, output: &mut Output) -> Result<(), ProviderError> {
        let members: Members = parse(item.get())?;
        let parts = |name| read::<Vec<Part>>(&members, name).unwrap_or_default();
        if is(&members, "reasoning") && !self.has_summary {
            let texts = parts("summary").into_iter().filter_map(|part| part.text);
            output.reasoning.push_str(&texts.collect::<Vec<_>>().join("\n\n"));
        } else if is(&members, "message") {
            for part in parts("content") {
                self.refused |= part.refusal.is_some();
                let text = part.text.or(part.refusal).unwrap_or_default();
                self.has_text |= !text.is_empty();
                output.text.push_str(&text);
            }
        }
        Ok(())
    }

    /// Ends the answer with the response in its last event.
    fn end(&mut self, response: &RawValue, output: &mut Output) -> Result<(), ProviderError> {
        let response: Response = parse(response.get())?;
        output.model = output.model.take().or(response.model);
        self.usage = response.usage.map(Usage::from).or(self.usage);
        let reason = response.incomplete_details.map(|details| details.reason);
        let reason = match (response.status.as_deref(), reason.as_deref()) {
            (Some("failed"), _) => {
                let error = response.error.unwrap_or_default();
                return Err(in_stream(&error));
            }
            (Some("cancelled"), _) => return Err(ProviderError::CUT),
            (Some("incomplete"), Some("max_output_tokens")) => FinishReason::Length,
            (Some("incomplete"), Some("content_filter")) => FinishReason::ContentFilter,
            (Some("completed"), _) => FinishReason::Stop,
            _ => FinishReason::Other,
        };
        self.finish_reason = Some(reason);
        let (no_items, no_text) = (self.items.is_empty(), !self.has_text);
        for (index, item) in (0..).zip(&response.output) {
            // Some servers send the items only at the end.
            if no_text {
                self.say(item, output)?;
            }
            if no_items {
                self.item(index, item)?;
            }
        }
        Ok(())
    }

    /// The calls, and all items in their history form.
    fn calls(&mut self) -> (Vec<ToolCall>, Vec<Members>) {
        let mut items = std::mem::take(&mut self.items);
        items.sort_by_key(|(index, _)| *index);
        let mut calls = Vec::new();
        for (_, item) in &mut items {
            if is(item, "function_call") {
                let text = |name| read::<String>(item, name).unwrap_or_default();
                let id = Some(text("call_id")).filter(|id| !id.is_empty());
                let id = id.unwrap_or_else(|| call_id(self.round, calls.len()));
                let call = ToolCall::new(text("name"), text("arguments")).with_id(Some(id.clone()));
                item.insert("call_id".to_owned(), raw(&id));
                calls.push(call);
            }
        }
        let items = items.into_iter().map(|(_, item)| item);
        // Reasoning that the vendor has not stored cannot be named by its ID.
        let is_usable = |item: &Members| {
            !is(item, "reasoning") || read::<String>(item, "encrypted_content").is_some()
        };
        (calls, items.filter(is_usable).collect())
    }
}

/// Whether an item has this type.
fn is(item: &Members, kind: &str) -> bool {
    read::<String>(item, "type").as_deref() == Some(kind)
}

impl Decode for Decoder {
    fn event(&mut self, data: &str, output: &mut Output) -> Result<(), ProviderError> {
        if data.trim() == "[DONE]" {
            return Ok(());
        }
        let event: Event = parse(data)?;
        let delta = event.delta.unwrap_or_default();
        match event.kind.as_str() {
            "response.created" | "response.in_progress" => {
                let response = event.response.as_deref();
                let response = response.map(|response| parse::<Response>(response.get()));
                output.model = response.transpose()?.and_then(|response| response.model);
            }
            "response.output_text.delta" => {
                self.has_text |= !delta.is_empty();
                output.text.push_str(&delta);
            }
            "response.refusal.delta" => {
                (self.refused, self.has_text) = (true, true);
                output.text.push_str(&delta);
            }
            "response.reasoning_summary_part.added" if self.has_summary => {
                output.reasoning.push_str("\n\n");
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.has_summary = true;
                output.reasoning.push_str(&delta);
            }
            "response.output_item.done" => {
                let item = event.item.ok_or(()).map_err(not_the_format)?;
                self.item(event.output_index.unwrap_or_default(), &item)?;
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                let response = event.response.ok_or(()).map_err(not_the_format)?;
                self.end(&response, output)?;
            }
            "error" => {
                let error = event.error.map_or_else(|| parse(data), Ok)?;
                return Err(in_stream(&error));
            }
            // Deltas of calls, the ends of parts, and future events.
            _ => {}
        }
        Ok(())
    }

    fn whole(&mut self, data: &str, output: &mut Output) -> Result<(), ProviderError> {
        let response: Box<RawValue> = parse(data)?;
        let report = serde_json::from_str(data).unwrap_or_default();
        if let Some(error) = self.error(&report) {
            return Err(error);
        }
        if !report.get("output").is_some_and(Value::is_array) {
            return Err(not_the_format(()));
        }
        self.end(&response, output)
    }

    fn is_over(&self) -> bool {
        self.finish_reason.is_some()
    }

    fn error(&self, json: &Value) -> Option<ProviderError> {
        json.get("error").filter(|error| !error.is_null()).map(in_stream)
    }

    fn finish(&mut self, _: &mut Output) -> Result<AnswerEnd, ProviderError> {
        let mut finish_reason = self.finish_reason.ok_or(ProviderError::CUT)?;
        let (calls, items) = self.calls();
        if self.refused {
            finish_reason = FinishReason::ContentFilter;
        } else if !calls.is_empty() && finish_reason == FinishReason::Stop {
            finish_reason = FinishReason::ToolCalls;
        }
        if !calls.is_empty() && self.history_bytes > HISTORY_BYTES_MAX {
            return Err(ProviderError::unusable("a round longer than the limit"));
        }
        let has_history = self.keeps_history && !calls.is_empty();
        Ok(AnswerEnd {
            finish_reason,
            usage: self.usage,
            calls,
            history: has_history.then(|| raw(&items)),
        })
    }
}
