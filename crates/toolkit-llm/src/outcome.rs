//! Outcome of one call to a provider or a tool, as metrics name it.

/// Outcome of one call to a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// A reply.
    Reply,
    /// There was no connection, or it broke before an answer.
    Connection,
    /// The time limit passed.
    Timeout,
    /// A status that says nothing about the conversation.
    Status,
    /// Status 429.
    RateLimited,
    /// The provider refused our key or account.
    Denied,
    /// The provider rejected the conversation as invalid.
    Refused,
    /// The provider would not answer this conversation; another may.
    Declined,
    /// The answer was empty, truncated or not in the provider's format.
    Unusable,
    /// The stream failed in the middle, after content.
    Cut,
    /// The caller went away first.
    Cancelled,
}

impl Outcome {
    /// Every outcome, to initialize metrics at zero.
    pub const ALL: [Self; 11] = [
        Self::Reply,
        Self::Connection,
        Self::Timeout,
        Self::Status,
        Self::RateLimited,
        Self::Denied,
        Self::Refused,
        Self::Declined,
        Self::Unusable,
        Self::Cut,
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
            Self::Cut => "cut",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Outcome of a tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallOutcome {
    /// A result.
    Ok,
    /// The tool refused the call, or its result was too long.
    Refused,
    /// The arguments were not a JSON object, or too long.
    Invalid,
    /// There is no such tool.
    Unknown,
    /// There were too many calls, or the model was cut off.
    Skipped,
    /// The tool failed.
    Failed,
}

impl CallOutcome {
    /// Every outcome, to initialize metrics at zero.
    pub const ALL: [Self; 6] = [
        Self::Ok,
        Self::Refused,
        Self::Invalid,
        Self::Unknown,
        Self::Skipped,
        Self::Failed,
    ];

    /// The outcome as a label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Refused => "refused",
            Self::Invalid => "invalid",
            Self::Unknown => "unknown",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }
}
