#![doc = include_str!("../README.md")]

mod breaker;
mod chain;
mod client;
mod conversation;
mod error;
mod message;
mod observer;
mod outcome;
mod provider;
pub mod providers;
mod pull;
mod report;
mod request;
mod retry_after;
mod round;
pub mod sse;
mod status;
mod stream;
pub mod tools;

pub use breaker::BreakerOptions;
pub use chain::Chain;
pub use client::{ClientError, client, client_builder};
pub use conversation::{
    CONTENT_BYTES_MAX, Conversation, ConversationError, ConversationLimits, MESSAGES_MAX,
};
pub use error::{FailedAttempt, LlmError, LlmErrorKind, ProviderError};
pub use message::{FinishReason, Image, Message, Reply, Role, Usage};
pub use observer::{Attempt, Observer};
pub use outcome::{CallOutcome, Outcome};
pub use provider::{Answer, AnswerEnd, Offer, Piece, Provider, Request};
pub use request::{ChatRequest, ResponseFormat, Sampling, ToolLimits};
pub use retry_after::RetryAfter;
pub use round::{PendingRound, Round};
#[cfg(feature = "schemars")]
pub use schemars;
pub use status::{Availability, ChainStatus, Overall, ProviderStatus};
pub use stream::{ChatEvent, ChatStream, ReplyEnd};
pub use tools::{ToolCall, ToolOutcome, ToolRun, ToolSpec, Tools};
pub use {async_trait, futures_core, reqwest, secrecy, serde_json};
