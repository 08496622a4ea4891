#![doc = include_str!("../README.md")]

mod breaker;
mod chain;
mod client;
mod clock;
mod conversation;
mod error;
mod message;
mod observer;
mod provider;
pub mod providers;
mod report;
mod retry_after;
mod status;

pub use chain::Chain;
pub use client::{ClientError, client, client_builder};
pub use clock::{Clock, TokioClock};
pub use conversation::{CONTENT_BYTES_MAX, Conversation, ConversationError, MESSAGES_MAX};
pub use error::{LlmError, ProviderError};
pub use message::{FinishReason, Message, Reply, Role, Usage};
pub use observer::{Attempt, Observer, Outcome};
pub use provider::{Provider, Request};
pub use retry_after::RetryAfter;
pub use status::{Availability, ChainStatus, Overall, ProviderStatus};
