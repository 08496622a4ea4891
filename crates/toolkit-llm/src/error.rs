//! Errors of one call to a provider, and of a chain.
//!
//! [`LlmError`] is for the caller: its text names no provider, address or key and repeats nothing
//! from a provider. [`ProviderError`] is for the log. It contains no provider text either, only the
//! status and our own words.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::message::{FinishReason, Usage};
use crate::outcome::Outcome;
use crate::retry_after::RetryAfter;
use crate::round::Round;

/// Error: a chain gave no reply, or only part of one.
///
/// Its text may be shown to any caller. [`attempts`](Self::attempts) says what went wrong with each
/// provider.
#[derive(Debug, Clone)]
pub struct LlmError {
    kind: LlmErrorKind,
    attempts: Vec<FailedAttempt>,
    rest: Option<Duration>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) usage: Option<Usage>,
}

/// Kinds of [`LlmError`], by who is at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LlmErrorKind {
    /// The chain has no provider. Only the operator can change that, so retrying is useless.
    Unconfigured,
    /// Every provider is resting after failures, or has just limited our rate.
    CoolingDown,
    /// Every provider that could be asked failed.
    Failed,
    /// The chain's deadline passed.
    DeadlineExceeded,
    /// A provider rejected the conversation itself, or every provider rejected the request. The
    /// caller's fault: the same conversation will be refused again.
    Refused,
    /// A provider's filter, or its model, would not answer. The caller's fault, as with `Refused`.
    Filtered,
    /// Every provider that could be asked used up its output limit before any text.
    LimitSpent,
    /// A provider failed in the middle of a stream. The text so far is not the whole reply.
    BrokeOff,
    /// A stream exceeded its time limit. The text so far is not the whole reply.
    TookTooLong,
}

/// One call to a provider that gave no reply.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FailedAttempt {
    /// The provider's name.
    pub provider: String,
    /// Round of tools, counted from 1.
    pub round: u32,
    /// Duration of the call.
    pub duration: Duration,
    pub(crate) error: Arc<ProviderError>,
}

impl FailedAttempt {
    /// Error of the call.
    pub fn error(&self) -> &ProviderError {
        &self.error
    }
}

impl LlmError {
    pub(crate) fn with_attempts(mut self, attempts: Vec<FailedAttempt>) -> Self {
        self.attempts = attempts;
        self
    }

    /// Sets when to try again.
    #[must_use]
    pub fn with_retry_after(mut self, rest: Duration) -> Self {
        self.rest = Some(rest);
        self
    }

    /// Returns the kind of the error, which tells who is at fault.
    pub fn kind(&self) -> LlmErrorKind {
        self.kind
    }

    /// The failed calls, in order, of all rounds.
    ///
    /// ```
    /// # async fn ask(chain: toolkit_llm::Chain, request: toolkit_llm::ChatRequest) {
    /// if let Err(error) = chain.reply(request).await {
    ///     for attempt in error.attempts() {
    ///         eprintln!("{}: {} after {:?}", attempt.provider, attempt.error(), attempt.duration);
    ///     }
    ///     if let Some(rest) = error.retry_after() {
    ///         eprintln!("again in {rest:?}");
    ///     }
    /// }
    /// # }
    /// ```
    pub fn attempts(&self) -> &[FailedAttempt] {
        &self.attempts
    }

    /// The tool rounds that were completed, for [`ChatRequest::rounds`](crate::ChatRequest::rounds)
    /// to resume from.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Token counts of the completed rounds, if all of their providers report them.
    pub fn usage(&self) -> Option<Usage> {
        self.usage
    }

    /// When to try again, if known: when the first resting provider can be called, or the earliest
    /// time given by a provider that limits our rate.
    pub fn retry_after(&self) -> Option<Duration> {
        let rest = |attempt: &FailedAttempt| match *attempt.error {
            ProviderError::RateLimited { retry_after } => {
                Some(retry_after?.rest(SystemTime::now()))
            }
            _ => None,
        };
        let failed = self.kind == LlmErrorKind::Failed;
        self.rest.or_else(|| self.attempts.iter().filter(|_| failed).filter_map(rest).min())
    }
}

/// An error without attempts, as servers need it to document their errors.
impl From<LlmErrorKind> for LlmError {
    fn from(kind: LlmErrorKind) -> Self {
        Self { kind, attempts: Vec::new(), rest: None, rounds: Vec::new(), usage: None }
    }
}

impl fmt::Display for LlmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            LlmErrorKind::Unconfigured => "No language model is configured.",
            LlmErrorKind::CoolingDown => {
                let rest = self.rest.unwrap_or_default();
                let seconds = (rest.as_secs() + u64::from(rest.subsec_nanos() > 0)).max(1);
                let plural = if seconds == 1 { "" } else { "s" };
                return write!(
                    f,
                    "No language model can be asked right now. Try again in {seconds} second{plural}."
                );
            }
            LlmErrorKind::Failed => "No language model gave a reply. Try again later.",
            LlmErrorKind::DeadlineExceeded => "No language model replied in time. Try again later.",
            LlmErrorKind::Refused => {
                "The language model refused this conversation. It may be too long for the model or \
                 break one of its rules. Shorten or change it."
            }
            LlmErrorKind::Filtered => {
                "The language model's filter left nothing of the reply to this conversation. Change \
                 it."
            }
            LlmErrorKind::LimitSpent => {
                "The language model used up its output limit, perhaps on reasoning, before any text. \
                 Ask for less."
            }
            LlmErrorKind::BrokeOff => {
                "The language model broke off. The text so far is not the whole reply. Try again \
                 later."
            }
            LlmErrorKind::TookTooLong => {
                "The reply took too long and was cut. The text so far is not the whole reply."
            }
        })
    }
}

impl Error for LlmError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let last = self.attempts.last()?;
        Some(last.error())
    }
}

/// Error of one call to one provider. It decides what a chain does next.
///
/// | kind | retried | next provider | this provider |
/// |---|---|---|---|
/// | `Connection` | once | yes | a failure |
/// | `Status` 502, 503, 504 | once | yes | a failure |
/// | `Status`, any other | no | yes | a failure |
/// | `Timeout`, `Unusable` | no | yes | a failure |
/// | `RateLimited` | no | yes | rests as long as it asks, else for 5 s, doubled up to 60 s |
/// | `Denied` | no | yes | rests for long |
/// | `Declined` | no | yes | works |
/// | `NoText` | no | yes | unchanged |
/// | `BadRequest` | no | yes | unchanged |
/// | `Refused`, `TooLong` | no | no | works |
/// | `Filtered` | no | no | works |
/// | `ToolsRefused` | after the others, without tools | yes | unchanged |
///
/// When every provider of the chain says `BadRequest`, the conversation is at fault, as with
/// `Refused`. When all rest or say `RateLimited`, the call ends with
/// [`CoolingDown`](LlmErrorKind::CoolingDown).
///
/// In later tool rounds the conversation contains what the chain has added, so `Refused`, `TooLong`
/// and `BadRequest` move on to the next provider. With
/// [`Chain::with_context_fallback`](crate::Chain::with_context_fallback), `TooLong` does so in any
/// round. A failure after content has begun changes no provider's state, because a caller can cause
/// it. A stream then asks no other provider.
///
/// Three failures in a row make a provider rest.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// There was no connection, or it broke before an answer began.
    #[error("no connection, or it broke before an answer")]
    Connection(#[source] Box<dyn Error + Send + Sync>),
    /// The provider was silent for too long, or the call ran out of time.
    #[error("silent for too long")]
    Timeout,
    /// A status without a reply.
    #[error("status {status}")]
    Status {
        /// The HTTP status.
        status: u16,
    },
    /// Too many requests (429).
    #[error("rate limited")]
    RateLimited {
        /// When the provider accepts requests again, if it says so.
        retry_after: Option<RetryAfter>,
    },
    /// The provider refuses our account or key until the operator fixes something.
    #[error("status {status}: {reason}")]
    Denied {
        /// The HTTP status.
        status: u16,
        /// What to fix, in our words.
        reason: &'static str,
    },
    /// The provider works but will not answer this conversation. Another may.
    #[error("declined: {reason}")]
    Declined {
        /// Why, in our words.
        reason: &'static str,
    },
    /// The request was refused (400), perhaps because of its conversation.
    #[error("status 400: the request was refused")]
    BadRequest,
    /// The conversation is too long for the model.
    #[error("status {status}: the conversation is too long")]
    TooLong {
        /// The HTTP status.
        status: u16,
    },
    /// A filter, or the model itself, left no text of the answer.
    #[error("filtered: {reason}")]
    Filtered {
        /// Why, in our words.
        reason: &'static str,
    },
    /// The conversation breaks the provider's rules.
    #[error("status {status}: the conversation was refused")]
    Refused {
        /// The HTTP status.
        status: u16,
    },
    /// A request with tools was refused, perhaps because the provider does not support them.
    #[error("status {status}: the request with tools was refused")]
    ToolsRefused {
        /// The HTTP status.
        status: u16,
        /// Whether the answer mentions tools.
        named: bool,
    },
    /// The answer is complete but has no text.
    #[error("no text: {reason}")]
    NoText {
        /// Why, in our words.
        reason: &'static str,
        /// Whether the output limit was used up.
        limit_spent: bool,
    },
    /// The answer is truncated, too long or not in the provider's format.
    #[error("unusable answer: {reason}")]
    Unusable {
        /// What is wrong with it, in our words.
        reason: &'static str,
    },
}

impl ProviderError {
    /// The error of an answer that ends before its format's end marker.
    pub(crate) const CUT: Self = Self::unusable("cut before its end");

    pub(crate) const fn unusable(reason: &'static str) -> Self {
        Self::Unusable { reason }
    }

    /// Whether the same call may well succeed a moment later.
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Connection(_) | Self::Status { status: 502..=504 })
    }

    /// HTTP status of the answer, if that is what went wrong.
    pub fn status(&self) -> Option<u16> {
        match *self {
            Self::Status { status }
            | Self::Denied { status, .. }
            | Self::Refused { status }
            | Self::TooLong { status }
            | Self::ToolsRefused { status, .. } => Some(status),
            Self::RateLimited { .. } => Some(429),
            Self::BadRequest => Some(400),
            _ => None,
        }
    }

    /// The outcome under which the error is counted.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Connection(_) => Outcome::Connection,
            Self::Timeout => Outcome::Timeout,
            Self::Status { .. } => Outcome::Status,
            Self::RateLimited { .. } => Outcome::RateLimited,
            Self::Denied { .. } => Outcome::Denied,
            Self::Declined { .. } => Outcome::Declined,
            Self::Filtered { .. } => Outcome::Filtered,
            Self::Refused { .. }
            | Self::TooLong { .. }
            | Self::ToolsRefused { .. }
            | Self::BadRequest => Outcome::Refused,
            Self::NoText { .. } => Outcome::NoText,
            Self::Unusable { .. } => Outcome::Unusable,
        }
    }

    /// The error of an answer that ends without text.
    pub(crate) fn without_text(finish_reason: FinishReason) -> Self {
        match finish_reason {
            FinishReason::ContentFilter => {
                Self::Filtered { reason: "a filter or a refusal left nothing" }
            }
            FinishReason::Length => {
                Self::NoText { reason: "the output limit was used up before it", limit_spent: true }
            }
            _ => Self::NoText { reason: "the model said nothing", limit_spent: false },
        }
    }

    /// The error and all its causes on one line, for a log.
    pub(crate) fn with_causes(&self) -> String {
        let mut text = self.to_string();
        let mut cause = self.source();
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rest_is_reported_in_whole_seconds_rounded_up() {
        for (milliseconds, text) in
            [(0, "1 second"), (1, "1 second"), (1000, "1 second"), (1001, "2 seconds")]
        {
            let error = LlmError::from(LlmErrorKind::CoolingDown);
            let error = error.with_retry_after(Duration::from_millis(milliseconds));
            assert_eq!(
                error.to_string(),
                format!("No language model can be asked right now. Try again in {text}."),
            );
        }
    }

    #[test]
    fn a_failure_lists_its_attempts_and_the_earliest_retry_time() {
        let attempt = |seconds| {
            let retry_after = Some(RetryAfter::Delay(Duration::from_secs(seconds)));
            FailedAttempt {
                provider: "a".to_owned(),
                round: 1,
                duration: Duration::ZERO,
                error: Arc::new(ProviderError::RateLimited { retry_after }),
            }
        };
        let attempts = vec![attempt(9), attempt(4)];
        let error = LlmError::from(LlmErrorKind::Failed).with_attempts(attempts);
        assert_eq!(error.retry_after(), Some(Duration::from_secs(4)));
        assert_eq!(error.source().unwrap().to_string(), "rate limited");
        let other = LlmError::from(LlmErrorKind::BrokeOff).with_attempts(vec![attempt(9)]);
        assert_eq!(other.retry_after(), None);
        assert!(LlmError::from(LlmErrorKind::Unconfigured).source().is_none());
    }

    #[test]
    fn only_broken_connections_and_gateway_statuses_are_transient() {
        assert!(ProviderError::Connection("reset".into()).is_transient());
        for status in [502, 503, 504] {
            assert!(ProviderError::Status { status }.is_transient(), "{status}");
        }
        for status in [301, 404, 408, 500, 501, 505, 529] {
            assert!(!ProviderError::Status { status }.is_transient(), "{status}");
        }
        assert!(!ProviderError::Timeout.is_transient());
        assert!(!ProviderError::RateLimited { retry_after: None }.is_transient());
    }
}
