//! What a chain needs from a provider.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::conversation::Conversation;
use crate::error::ProviderError;
use crate::message::Reply;

/// What a provider is asked.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// What was said so far.
    pub conversation: &'a Conversation,
    /// The operator's own instructions, before those in the conversation.
    pub system_prompt: Option<&'a str>,
    /// The longest reply, in the provider's tokens.
    pub max_output_tokens: u32,
}

/// A service that answers conversations.
///
/// A provider makes one attempt and knows nothing of deadlines, retries and rests: dropping the
/// future is how a chain ends an attempt, so it must not leave anything running.
#[async_trait]
pub trait Provider: Send + Sync {
    /// The name under which it was set up; it stands in replies, statuses and logs.
    fn name(&self) -> &str;

    /// The longest that one turn may take, with the whole body and the retry; without one, the
    /// chain shares its deadline evenly.
    fn timeout(&self) -> Option<Duration> {
        None
    }

    /// Asks for a reply, once.
    ///
    /// # Errors
    ///
    /// What went wrong; the kind decides whether the chain retries, moves on or gives up.
    async fn reply(&self, request: Request<'_>) -> Result<Reply, ProviderError>;
}

#[async_trait]
impl<P: Provider + ?Sized> Provider for Arc<P> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn timeout(&self) -> Option<Duration> {
        (**self).timeout()
    }

    async fn reply(&self, request: Request<'_>) -> Result<Reply, ProviderError> {
        (**self).reply(request).await
    }
}
