//! Gemini API: the decoder of an answer.

use serde_json::Value;

use super::super::decode::{Decode, Output, parse};
use super::super::endpoint::of_status;
use super::answer::{Content, Parts, finish_reason};
use super::read_error;
use crate::error::ProviderError;
use crate::message::{FinishReason, Usage};
use crate::provider::AnswerEnd;

/// Decoder for one stream.
///
/// Only the end of the body ends it, since the usage may follow the last candidate.
#[derive(Default)]
pub(super) struct Decoder {
    /// Whether a tool round may follow, so that the parts are kept.
    keeps_parts: bool,
    is_whole: bool,
    parts: Parts,
    finish_reason: Option<FinishReason>,
    blocked: bool,
    usage: Option<Usage>,
}

impl Decoder {
    pub(super) fn new(_round: usize, keeps_parts: bool) -> Self {
        Self { keeps_parts, ..Self::default() }
    }
}

impl Decode for Decoder {
    fn event(&mut self, data: &str, output: &mut Output) -> Result<(), ProviderError> {
        let mut content: Content = parse(data)?;
        if let Some(error) = content.error.take().filter(|error| !error.is_null()) {
            return Err(meaning(&error));
        }
        output.model = output.model.take().or(content.model_version.take());
        self.usage = content.usage().or(self.usage);
        self.blocked |= content.is_blocked();
        let Some(mut candidate) = content.candidates.into_iter().next() else {
            return Ok(());
        };
        let word = candidate.finish_reason.take();
        self.parts.take(candidate, self.keeps_parts, output)?;
        if let Some(word) = word.filter(|word| !word.is_empty()) {
            self.finish_reason = Some(match finish_reason(Some(&word)) {
                // An error about tools, but there were none.
                Err(_) if !self.keeps_parts => FinishReason::Other,
                reason => reason?,
            });
        } else if self.is_whole {
            self.finish_reason = Some(FinishReason::Other);
        }
        Ok(())
    }

    fn whole(&mut self, data: &str, output: &mut Output) -> Result<(), ProviderError> {
        self.is_whole = true;
        self.event(data, output)
    }

    fn error(&self, json: &Value) -> Option<ProviderError> {
        json.get("error").filter(|error| error.is_object()).map(meaning)
    }

    fn finish(&mut self, _: &mut Output) -> Result<AnswerEnd, ProviderError> {
        let finish_reason = match self.finish_reason {
            None if self.blocked => {
                return Err(ProviderError::Filtered { reason: "the prompt was blocked" });
            }
            reason => reason.ok_or(ProviderError::CUT)?,
        };
        let (calls, history) = std::mem::take(&mut self.parts).finish();
        Ok(AnswerEnd { finish_reason, usage: self.usage, calls, history })
    }
}

/// Maps an error in a stream by its code, which is an HTTP status.
fn meaning(error: &Value) -> ProviderError {
    let code = error.get("code").and_then(Value::as_u64);
    let code = code.and_then(|code| u16::try_from(code).ok());
    let Some(status) = code.filter(|code| (400..600).contains(code)) else {
        return ProviderError::unusable("an error with a successful status");
    };
    let body = serde_json::json!({"error": error});
    read_error(status, &body).unwrap_or_else(|| of_status(status, None, &body.to_string()))
}
