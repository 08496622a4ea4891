//! Chat Completions: the stream.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::decode::{Decode, HISTORY_BYTES_MAX, Said, parse};
use super::super::endpoint::of_status;
use super::super::{Members, lenient, raw};
use super::answer::{Assistant, ChoiceMessage, CompletionUsage, Content, finish_reason};
use super::calls::Calls;
use crate::error::ProviderError;
use crate::message::{FinishReason, Usage};
use crate::provider::AnswerEnd;
use crate::sse::Event;

#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    #[serde(default, deserialize_with = "lenient")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    usage: Option<CompletionUsage>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default, deserialize_with = "lenient")]
    index: Option<u64>,
    delta: Option<Delta>,
    #[serde(default, deserialize_with = "lenient")]
    finish_reason: Option<String>,
}

type Delta = ChoiceMessage<Vec<Members>>;

/// Decoder of one stream.
#[derive(Default)]
pub(super) struct Decoder {
    round: usize,
    /// Whether a round of tools may follow, so a history is kept.
    keeps_history: bool,
    finish_reason: Option<FinishReason>,
    refused: bool,
    done: bool,
    usage: Option<Usage>,
    calls: Calls,
    text: String,
    reasoning: String,
    details: Vec<Box<RawValue>>,
    history_bytes: usize,
}

impl Decoder {
    pub(super) fn new(round: usize, keeps_history: bool) -> Self {
        Self {
            round,
            keeps_history,
            ..Self::default()
        }
    }

    fn choice(&mut self, choice: Choice, said: &mut Said) -> Result<(), ProviderError> {
        if let Some(delta) = choice.delta {
            self.delta(delta, said)?;
        }
        if let Some(word) = choice.finish_reason.filter(|word| !word.is_empty()) {
            self.finish_reason = Some(finish_reason(Some(&word))?);
        }
        Ok(())
    }

    fn delta(&mut self, delta: Delta, said: &mut Said) -> Result<(), ProviderError> {
        let mut text = delta.content.map(Content::into_text).unwrap_or_default();
        if let Some(refusal) = delta.refusal.filter(|refusal| !refusal.is_empty()) {
            self.refused = true;
            text.push_str(&refusal);
        }
        for fragment in delta.tool_calls.unwrap_or_default() {
            self.calls.add(fragment)?;
        }
        if self.keeps_history {
            self.keep(&text, delta.reasoning_content, delta.reasoning_details);
        }
        said.text.push_str(&text);
        Ok(())
    }

    /// Keeps what would be sent back with the results of calls.
    fn keep(
        &mut self,
        text: &str,
        reasoning: Option<Box<RawValue>>,
        details: Option<Box<RawValue>>,
    ) {
        let size = |value: &Option<Box<RawValue>>| value.as_ref().map_or(0, |raw| raw.get().len());
        self.history_bytes += text.len() + size(&reasoning) + size(&details);
        if self.history_bytes > HISTORY_BYTES_MAX {
            return;
        }
        self.text.push_str(text);
        let reasoning = reasoning.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
        self.reasoning.push_str(&reasoning.unwrap_or_default());
        let details = details.and_then(|raw| serde_json::from_str::<Vec<_>>(raw.get()).ok());
        self.details.extend(details.unwrap_or_default());
    }

    fn history(&self, tool_calls: Vec<Members>) -> Box<RawValue> {
        let (reasoning, details) = (&self.reasoning, &self.details);
        raw(&Assistant {
            role: "assistant",
            content: Some(self.text.as_str()).filter(|text| !text.is_empty()),
            tool_calls,
            reasoning_content: (!reasoning.is_empty()).then(|| raw(reasoning)),
            reasoning_details: (!details.is_empty()).then(|| raw(details)),
        })
    }
}

impl Decode for Decoder {
    fn event(&mut self, event: &Event, said: &mut Said) -> Result<(), ProviderError> {
        if event.data.trim() == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        let chunk: Chunk = parse(&event.data)?;
        if let Some(error) = chunk.error {
            return Err(meaning(&error));
        }
        said.model = said.model.take().or(chunk.model);
        self.usage = chunk.usage.map(Usage::from).or(self.usage);
        for choice in chunk.choices.unwrap_or_default() {
            if choice.index.unwrap_or_default() == 0 {
                self.choice(choice, said)?;
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.done
    }

    fn error(&self, json: &Value) -> Option<ProviderError> {
        json.get("error")
            .filter(|error| !error.is_null())
            .map(meaning)
    }

    fn finish(&mut self) -> Result<AnswerEnd, ProviderError> {
        let mut finish_reason = self.finish_reason.ok_or(ProviderError::CUT)?;
        if self.refused {
            finish_reason = FinishReason::ContentFilter;
        }
        let (calls, members) = std::mem::take(&mut self.calls).finish(self.round);
        if !calls.is_empty() && self.history_bytes > HISTORY_BYTES_MAX {
            return Err(ProviderError::unusable("a round longer than the limit"));
        }
        let has_history = self.keeps_history && !calls.is_empty();
        let history = has_history.then(|| self.history(members));
        Ok(AnswerEnd {
            finish_reason,
            usage: self.usage,
            calls,
            history,
        })
    }
}

/// Maps an error in a stream, by its status if it has one.
fn meaning(error: &Value) -> ProviderError {
    let member = |name: &str| error.get(name);
    let status = ["code", "status", "status_code"].iter().find_map(|name| {
        let value = member(name)?;
        let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
        u16::try_from(number)
            .ok()
            .filter(|status| (400..600).contains(status))
    });
    let word = |name: &str| member(name).and_then(Value::as_str).unwrap_or_default();
    let is_rate_limit = [word("code"), word("type")]
        .iter()
        .any(|word| word.starts_with("rate_limit"));
    match status {
        None if is_rate_limit => of_status(429, None, ""),
        Some(status) => of_status(status, None, &error.to_string()),
        None => ProviderError::unusable("an error with a successful status"),
    }
}
