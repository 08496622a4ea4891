//! Tokens of a chat, counted for its key.
//!
//! The providers' own counts are taken where they give them. What they do not count, of a chat that
//! its client left, for instance, is estimated: four bytes are a token.

use std::sync::Arc;

use time::OffsetDateTime;
use toolkit_llm::{ChatEvent, LlmError, Reply, Usage};
use toolkit_store::{DayTokens, KeyCache, Ulid};

const BYTES_OF_TOKEN: u64 = 4;

/// Tokens of one chat; added to those of its key when it is dropped.
pub(super) struct Tokens {
    keys: Arc<KeyCache>,
    key: Ulid,
    /// Counted by the providers, over the rounds so far.
    counted: u64,
    /// Bytes that no provider has counted yet.
    bytes: usize,
}

impl Tokens {
    pub(super) fn new(keys: &Arc<KeyCache>, key: Ulid) -> Self {
        Self { keys: Arc::clone(keys), key, counted: 0, bytes: 0 }
    }

    /// Counts an event of a stream; `asked` is the length of the conversation.
    pub(super) fn event(&mut self, event: &ChatEvent, asked: usize) {
        match event {
            ChatEvent::Start { .. } => self.bytes += asked,
            ChatEvent::Text(text) | ChatEvent::Reasoning(text) => self.bytes += text.len(),
            ChatEvent::Usage(usage) => self.usage(Some(*usage), 0),
            _ => {}
        }
    }

    /// Counts a whole reply, or the rounds of one that failed.
    pub(super) fn outcome(&mut self, outcome: &Result<Reply, LlmError>, asked: usize) {
        match outcome {
            Ok(reply) => {
                let said = reply.text.len() + reply.reasoning.len();
                self.usage(reply.usage, asked + said);
            }
            Err(error) => self.usage(error.usage(), 0),
        }
    }

    fn usage(&mut self, usage: Option<Usage>, bytes: usize) {
        self.bytes = bytes;
        if let Some(usage) = usage {
            self.counted = usage.input_tokens.saturating_add(usage.output_tokens);
            self.bytes = 0;
        }
    }
}

impl Drop for Tokens {
    fn drop(&mut self) {
        let bytes = u64::try_from(self.bytes).unwrap_or(u64::MAX);
        let count = self.counted.saturating_add(bytes.div_ceil(BYTES_OF_TOKEN));
        let day = DayTokens::day_of(OffsetDateTime::now_utc());
        self.keys.spend(self.key, DayTokens { day, count });
        let key = self.key.to_string();
        metrics::counter!("toolkit_key_tokens_total", "key" => key).increment(count);
    }
}
