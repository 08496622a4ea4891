//! Chat Completions: the decoder of an answer.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::decode::{Decode, HISTORY_BYTES_MAX, Output, parse};
use super::super::{Members, lenient, raw};
use super::answer::{Assistant, ChoiceMessage, CompletionUsage, Content, finish_reason};
use super::calls::Calls;
use super::in_stream;
use super::marks::Marks;
use crate::error::ProviderError;
use crate::message::{FinishReason, Usage};
use crate::provider::AnswerEnd;

/// A chunk of a stream, or a whole answer.
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
    delta: Option<ChoiceMessage>,
    /// In a whole answer.
    #[serde(default, deserialize_with = "lenient")]
    message: Option<ChoiceMessage>,
    #[serde(default, deserialize_with = "lenient")]
    finish_reason: Option<String>,
}

/// Decoder of one answer.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of an answer so far")]
pub(super) struct Decoder {
    round: usize,
    /// Whether a tool round may follow, so that a history is kept.
    keeps_history: bool,
    is_whole: bool,
    finish_reason: Option<FinishReason>,
    refused: bool,
    done: bool,
    usage: Option<Usage>,
    calls: Calls,
    marks: Marks,
    text: String,
    reasoning_content: String,
    reasoning: String,
    details: Vec<Box<RawValue>>,
    history_bytes: usize,
}

impl Decoder {
    pub(super) fn new(round: usize, keeps_history: bool) -> Self {
        Self { round, keeps_history, ..Self::default() }
    }

    fn choice(&mut self, choice: Choice, output: &mut Output) -> Result<(), ProviderError> {
        let whole = choice.message.filter(|_| self.is_whole);
        if let Some(message) = whole.or(choice.delta) {
            self.message(message, output)?;
        }
        if let Some(word) = choice.finish_reason.filter(|word| !word.is_empty()) {
            self.finish_reason = Some(finish_reason(Some(&word))?);
        }
        Ok(())
    }

    fn message(
        &mut self,
        message: ChoiceMessage,
        output: &mut Output,
    ) -> Result<(), ProviderError> {
        let before = output.text.len();
        let reasoning = message.reasoning_content.as_ref();
        output.reasoning.push_str(reasoning.or(message.reasoning.as_ref()).map_or("", |text| text));
        let text = message.content.map(Content::into_text).unwrap_or_default();
        self.marks.take(&text, output);
        if let Some(refusal) = message.refusal.filter(|refusal| !refusal.is_empty()) {
            self.refused = true;
            output.text.push_str(&refusal);
        }
        for (index, mut call) in message.tool_calls.unwrap_or_default().into_iter().enumerate() {
            if self.is_whole {
                // In a whole answer each element is a separate call.
                call.insert("index".to_owned(), raw(&index));
            }
            self.calls.add(call)?;
        }
        if self.keeps_history {
            let text = output.text.get(before..).unwrap_or_default();
            self.keep(
                text,
                message.reasoning_content,
                message.reasoning,
                message.reasoning_details,
            );
        }
        Ok(())
    }

    /// Keeps what would be sent back with the results of calls.
    fn keep(
        &mut self,
        text: &str,
        content: Option<String>,
        reasoning: Option<String>,
        details: Option<Vec<Box<RawValue>>>,
    ) {
        let (content, reasoning) = (content.unwrap_or_default(), reasoning.unwrap_or_default());
        let details = details.unwrap_or_default();
        let of_details: usize = details.iter().map(|detail| detail.get().len()).sum();
        self.history_bytes += text.len() + content.len() + reasoning.len() + of_details;
        if self.history_bytes > HISTORY_BYTES_MAX {
            return;
        }
        self.text.push_str(text);
        self.reasoning_content.push_str(&content);
        self.reasoning.push_str(&reasoning);
        self.details.extend(details);
    }

    fn history(&self, tool_calls: Vec<Members>) -> Box<RawValue> {
        raw(&Assistant {
            role: "assistant",
            content: Some(self.text.as_str()).filter(|text| !text.is_empty()),
            tool_calls,
            reasoning_content: &self.reasoning_content,
            reasoning: &self.reasoning,
            reasoning_details: &self.details,
        })
    }
}

impl Decode for Decoder {
    fn event(&mut self, data: &str, output: &mut Output) -> Result<(), ProviderError> {
        if data.trim() == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        let chunk: Chunk = parse(data)?;
        if let Some(error) = chunk.error {
            return Err(in_stream(&error));
        }
        output.model = output.model.take().or(chunk.model);
        self.usage = chunk.usage.map(Usage::from).or(self.usage);
        for choice in chunk.choices.unwrap_or_default() {
            if choice.index.unwrap_or_default() == 0 {
                self.choice(choice, output)?;
            }
        }
        Ok(())
    }

    fn whole(&mut self, data: &str, output: &mut Output) -> Result<(), ProviderError> {
        (self.is_whole, self.done) = (true, true);
        let chunk: Chunk = parse(data)?;
        if chunk.error.is_none() && chunk.choices.is_none_or(|choices| choices.is_empty()) {
            return Err(ProviderError::unusable("no choices"));
        }
        self.event(data, output)
    }

    fn is_over(&self) -> bool {
        self.done
    }

    fn error(&self, json: &Value) -> Option<ProviderError> {
        json.get("error").filter(|error| !error.is_null()).map(in_stream)
    }

    fn finish(&mut self, output: &mut Output) -> Result<AnswerEnd, ProviderError> {
        self.marks.finish(output);
        // Some servers end with the marker alone.
        let other = self.done.then_some(FinishReason::Other);
        let mut finish_reason = self.finish_reason.or(other).ok_or(ProviderError::CUT)?;
        if self.refused {
            finish_reason = FinishReason::ContentFilter;
        }
        let (calls, members) = std::mem::take(&mut self.calls).finish(self.round);
        if !calls.is_empty() && self.history_bytes > HISTORY_BYTES_MAX {
            return Err(ProviderError::unusable("a round longer than the limit"));
        }
        let has_history = self.keeps_history && !calls.is_empty();
        let history = has_history.then(|| self.history(members));
        Ok(AnswerEnd { finish_reason, usage: self.usage, calls, history })
    }
}
