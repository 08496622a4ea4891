//! What can go wrong: with one call of one provider, and with a chain as a whole.
//!
//! [`LlmError`] is for whoever asked: its text names no provider, address or key and repeats
//! nothing that a provider said. [`ProviderError`] is for the log; it holds no provider's text
//! either, only its status and our own words.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::observer::Outcome;
use crate::retry_after::RetryAfter;

/// Why a chain gave no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LlmError {
    /// The chain has no provider. The operator's matter; trying again is useless.
    #[error("No language model is configured.")]
    Unconfigured,
    /// Every provider rests after failures, so none was asked.
    #[error("No language model can be asked right now; try again in {}.", Seconds(*retry_after))]
    CoolingDown {
        /// When the first one can be asked again.
        retry_after: Duration,
    },
    /// Every provider that could be asked failed.
    #[error("No language model gave a reply; try again later.")]
    Failed,
    /// The chain's deadline passed.
    #[error("No language model replied in time; try again later.")]
    DeadlineExceeded,
    /// A provider called the conversation itself wrong. The caller's matter: no other provider was
    /// asked, and the same conversation will be refused again.
    #[error(
        "The language model refused this conversation: it may be longer than the model takes, or \
         break one of its rules; shorten or change it."
    )]
    Refused,
}

/// Whole seconds, rounded up, as a person reads them.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_secs() + u64::from(self.0.subsec_nanos() > 0) {
            0 | 1 => f.write_str("1 second"),
            seconds => write!(f, "{seconds} seconds"),
        }
    }
}

/// What went wrong with one call of one provider, and so what a chain does next.
///
/// | kind | retried | next provider | this provider |
/// |---|---|---|---|
/// | `Connection` | once | yes | a failure |
/// | `Status` 502, 503, 504 | once | yes | a failure |
/// | `Status`, any other | no | yes | a failure |
/// | `Timeout`, `Unusable` | no | yes | a failure |
/// | `RateLimited` | no | yes | rests as long as it asks |
/// | `Denied` | no | yes | rests for long |
/// | `Declined` | no | yes | works |
/// | `Refused` | no | no | works |
///
/// Three failures in a row make a provider rest.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// No connection, or it broke before an answer began.
    #[error("no connection, or it broke before an answer")]
    Connection(#[source] Box<dyn Error + Send + Sync>),
    /// The time it had is over.
    #[error("no whole answer in its time")]
    Timeout,
    /// An answer without a reply, by its status.
    #[error("status {status}")]
    Status {
        /// The HTTP status.
        status: u16,
    },
    /// It is asked too often (429).
    #[error("rate limited")]
    RateLimited {
        /// When it wants to be asked again, where it says so.
        retry_after: Option<RetryAfter>,
    },
    /// It does not serve us until the operator mends something.
    #[error("status {status}: {reason}")]
    Denied {
        /// The HTTP status.
        status: u16,
        /// What to mend, in our words.
        reason: &'static str,
    },
    /// It will not answer this conversation, though it works; another provider may.
    #[error("declined: {reason}")]
    Declined {
        /// Why, in our words.
        reason: &'static str,
    },
    /// The conversation is wrong or too long.
    #[error("status {status}: the conversation was refused")]
    Refused {
        /// The HTTP status.
        status: u16,
    },
    /// An answer that is empty, cut, too long or not in the provider's format.
    #[error("unusable answer: {reason}")]
    Unusable {
        /// What is wrong with it, in our words.
        reason: &'static str,
    },
}

impl ProviderError {
    /// Whether the same call may well succeed a moment later.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Connection(_) | Self::Status { status: 502..=504 }
        )
    }

    /// The HTTP status of the answer, where that is what went wrong.
    pub fn status(&self) -> Option<u16> {
        match *self {
            Self::Status { status } | Self::Denied { status, .. } | Self::Refused { status } => {
                Some(status)
            }
            Self::RateLimited { .. } => Some(429),
            _ => None,
        }
    }

    /// The kind, as it is counted.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Connection(_) => Outcome::Connection,
            Self::Timeout => Outcome::Timeout,
            Self::Status { .. } => Outcome::Status,
            Self::RateLimited { .. } => Outcome::RateLimited,
            Self::Denied { .. } => Outcome::Denied,
            Self::Declined { .. } => Outcome::Declined,
            Self::Refused { .. } => Outcome::Refused,
            Self::Unusable { .. } => Outcome::Unusable,
        }
    }

    /// The error and all its causes in one line, for a log.
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
    fn a_rest_is_told_in_whole_seconds_rounded_up() {
        for (milliseconds, text) in [
            (0, "1 second"),
            (1, "1 second"),
            (1000, "1 second"),
            (1001, "2 seconds"),
        ] {
            let retry_after = Duration::from_millis(milliseconds);
            assert_eq!(
                LlmError::CoolingDown { retry_after }.to_string(),
                format!("No language model can be asked right now; try again in {text}."),
            );
        }
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
