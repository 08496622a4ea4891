//! Tool round: a model's calls and their results, as they go back to a model.

use serde_json::value::RawValue;

use crate::tools::{ToolCall, ToolOutcome, ToolRun};

/// A tool round: the model's text and calls, and their results.
#[derive(Clone, derive_more::Debug)]
#[debug("Round {{ provider: {provider:?}, calls: {calls:?}, .. }}")]
#[non_exhaustive]
pub struct Round {
    /// The provider that asked for it.
    pub provider: String,
    /// The model's text before its calls, often empty.
    pub text: String,
    /// Calls, with their results.
    pub calls: Vec<ToolRun>,
    /// The answer in the provider's format, for this provider only.
    pub history: Option<Box<RawValue>>,
}

impl Round {
    /// Creates a round without a history. Every provider gets it as text, calls and results.
    pub fn new(provider: impl Into<String>, text: impl Into<String>, calls: Vec<ToolRun>) -> Self {
        Self { provider: provider.into(), text: text.into(), calls, history: None }
    }

    /// Bytes of its texts.
    pub(crate) fn bytes(&self) -> usize {
        let calls = self.calls.iter();
        let calls = calls.map(|run| run.call.arguments.len() + run.outcome.bytes());
        self.text.len() + calls.sum::<usize>()
    }

    /// The history, if it came from `provider`.
    pub(crate) fn history_of(&self, provider: &str) -> Option<&RawValue> {
        self.history.as_deref().filter(|_| self.provider == provider)
    }
}

/// A round whose calls are for the caller to run, because they name a tool of
/// [`ChatRequest::caller_tools`](crate::ChatRequest::caller_tools).
#[derive(Clone, derive_more::Debug)]
#[debug("PendingRound {{ provider: {provider:?}, calls: {calls:?}, .. }}")]
#[non_exhaustive]
pub struct PendingRound {
    /// The provider that asked for it.
    pub provider: String,
    /// The model's text before its calls, often empty.
    pub text: String,
    /// Calls without results.
    pub calls: Vec<ToolCall>,
    pub(crate) history: Option<Box<RawValue>>,
    pub(crate) ids: Vec<String>,
}

impl PendingRound {
    /// Adds the results, in the order of the calls. A call without one is refused. Pass the round
    /// to [`ChatRequest::rounds`](crate::ChatRequest::rounds).
    #[must_use]
    pub fn answered(self, outcomes: impl IntoIterator<Item = ToolOutcome>) -> Round {
        let mut outcomes = outcomes.into_iter();
        let calls = self.calls.into_iter().zip(self.ids);
        let calls = calls.map(|(call, id)| {
            let outcome = outcomes.next();
            let outcome = outcome.unwrap_or_else(|| ToolOutcome::refused("The call was not run."));
            ToolRun { id, call, outcome }
        });
        Round {
            provider: self.provider,
            text: self.text,
            calls: calls.collect(),
            history: self.history,
        }
    }
}
