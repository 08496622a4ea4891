//! What a chain tells whoever counts: this crate knows no metrics library.

use std::time::Duration;

/// How one call of a provider ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// It gave a reply.
    Reply,
    /// There was no connection, or it broke before an answer.
    Connection,
    /// It used up its time.
    Timeout,
    /// It answered with a status that says nothing about the conversation.
    Status,
    /// It answered with 429.
    RateLimited,
    /// It refused our key or account.
    Denied,
    /// It called the conversation wrong.
    Refused,
    /// It would not answer this conversation; another provider may.
    Declined,
    /// Its answer was empty, cut or not its format.
    Unusable,
    /// The caller went away first.
    Cancelled,
}

impl Outcome {
    /// Every outcome, for metrics that want to start at zero.
    pub const ALL: [Self; 10] = [
        Self::Reply,
        Self::Connection,
        Self::Timeout,
        Self::Status,
        Self::RateLimited,
        Self::Denied,
        Self::Refused,
        Self::Declined,
        Self::Unusable,
        Self::Cancelled,
    ];

    /// The outcome as a label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reply => "reply",
            Self::Connection => "connection",
            Self::Timeout => "timeout",
            Self::Status => "status",
            Self::RateLimited => "rate_limited",
            Self::Denied => "denied",
            Self::Refused => "refused",
            Self::Declined => "declined",
            Self::Unusable => "unusable",
            Self::Cancelled => "cancelled",
        }
    }
}

/// One call of one provider; a retry is an attempt of its own.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    /// The provider's name.
    pub provider: &'a str,
    /// How the call ended.
    pub outcome: Outcome,
    /// How long it took.
    pub duration: Duration,
}

/// Is told what a chain does, as it happens; it must not block.
///
/// The state of the breakers is not told but asked for, with [`Chain::status`](crate::Chain::status).
pub trait Observer: Send + Sync {
    /// A call has ended.
    fn attempted(&self, attempt: Attempt<'_>) {
        let _ = attempt;
    }

    /// A provider rests from now on, for `rest`.
    fn rested(&self, provider: &str, rest: Duration) {
        let _ = (provider, rest);
    }
}

/// Tells nobody.
impl Observer for () {}
