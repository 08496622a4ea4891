//! Outcome of one call to a provider or tool, as metrics label it.

/// Declares outcomes, each with its label.
macro_rules! outcomes {
    ($(#[$of:meta])* $name:ident { $($(#[$doc:meta])* $outcome:ident = $label:literal,)+ }) => {
        $(#[$of])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $outcome,)+
        }

        impl $name {
            /// Every outcome, to initialize metrics at zero.
            pub const ALL: [Self; [$($label),+].len()] = [$(Self::$outcome),+];

            /// The outcome as a label.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$outcome => $label,)+
                }
            }
        }
    };
}

outcomes! {
    /// Outcome of one call to a provider.
    Outcome {
        /// A reply.
        Reply = "reply",
        /// There was no connection, or it broke before an answer.
        Connection = "connection",
        /// The time limit passed.
        Timeout = "timeout",
        /// A status that says nothing about the conversation.
        Status = "status",
        /// Status 429.
        RateLimited = "rate_limited",
        /// The provider refused our key or account.
        Denied = "denied",
        /// The provider rejected the request as invalid.
        Refused = "refused",
        /// The provider would not answer this conversation. Another may.
        Declined = "declined",
        /// A filter, or the model itself, left no text.
        Filtered = "filtered",
        /// The answer had no text.
        NoText = "no_text",
        /// The answer was truncated, too long or not in the provider's format.
        Unusable = "unusable",
        /// The stream failed in the middle, after content.
        Cut = "cut",
        /// The caller went away first.
        Cancelled = "cancelled",
    }
}

outcomes! {
    /// Outcome of a tool call.
    CallOutcome {
        /// A result.
        Ok = "ok",
        /// The tool refused the call, or its result was too long.
        Refused = "refused",
        /// The arguments were not a JSON object, or too long.
        Invalid = "invalid",
        /// The tool does not exist.
        Unknown = "unknown",
        /// There were too many calls, or the model was cut off.
        Skipped = "skipped",
        /// The tool failed.
        Failed = "failed",
    }
}
