//! Outcome: how one call of a provider or of a tool ended, as metrics name it.

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
    /// It failed in the middle of a stream, after content.
    Cut,
    /// The caller went away first.
    Cancelled,
}

impl Outcome {
    /// Every outcome, for metrics that want to start at zero.
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

/// How a call of a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallOutcome {
    /// It gave a result.
    Ok,
    /// The tool refused it, or its result was too long.
    Refused,
    /// Its arguments were not a JSON object, or too long.
    Invalid,
    /// There is no such tool.
    Unknown,
    /// There were too many, or the model was cut off.
    Skipped,
    /// The tool failed.
    Failed,
}

impl CallOutcome {
    /// Every outcome, for metrics that want to start at zero.
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
