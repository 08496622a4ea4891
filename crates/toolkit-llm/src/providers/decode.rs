//! Decoding of a streamed answer: events of a format in, pieces of an answer out.
//!
//! Each format interprets its events and decides whether the answer is complete; reading, bounds
//! and the end of the connection are handled here, once for all of them.

use std::time::Duration;

use reqwest::Response;
use serde::Deserialize;
use serde_json::Value;

use super::shown_model;
use crate::error::ProviderError;
use crate::provider::{Answer, AnswerEnd, Piece};
use crate::pull::{Pull, Sender};
use crate::sse::{Event, ReadError, Reader};

/// Maximum length of an answer's text, in bytes.
pub(super) const TEXT_BYTES_MAX: usize = 1 << 20;

/// Maximum length of a stream, including everything around its text, in bytes.
const WIRE_BYTES_MAX: usize = 8 << 20;

/// Maximum length of the history of a round of tools, in bytes.
pub(super) const HISTORY_BYTES_MAX: usize = 256 << 10;

/// Maximum number of bytes read after the end of an answer, so that its connection can be reused.
const TAIL_BYTES_MAX: usize = 4 << 10;

/// Maximum wait for those bytes.
const TAIL_WAIT: Duration = Duration::from_millis(100);

/// Contents of the events of one read.
#[derive(Default)]
pub(super) struct Said {
    pub(super) model: Option<String>,
    pub(super) text: String,
}

/// Decoder of one streamed answer in a format.
pub(super) trait Decode: Send + 'static {
    /// Reads one event.
    fn event(&mut self, event: &Event, said: &mut Said) -> Result<(), ProviderError>;

    /// Whether the format's own end marker has arrived, so that nothing can follow. Without one,
    /// only the end of the body ends the answer.
    fn is_over(&self) -> bool {
        false
    }

    /// Maps an error report in the stream to an error; `None` if the JSON is not an error report.
    fn error(&self, json: &Value) -> Option<ProviderError>;

    /// Ends the answer; an error if it is incomplete. Its text was passed on before.
    fn finish(&mut self) -> Result<AnswerEnd, ProviderError>;
}

/// Turns a response into the pieces of a streamed answer.
pub(super) fn pieces(response: Response, model: String, decoder: impl Decode) -> Answer {
    let reading = Reading {
        response,
        reader: Reader::new(),
        decoder,
        model: Some(model),
        wire_bytes: 0,
        text_bytes: 0,
    };
    Box::pin(Pull::new(|sender| reading.run(sender)))
}

struct Reading<D> {
    response: Response,
    reader: Reader,
    decoder: D,
    /// The configured model, until the answer has named one or begun.
    model: Option<String>,
    wire_bytes: usize,
    text_bytes: usize,
}

type Item = Result<Piece, ProviderError>;

impl<D: Decode> Reading<D> {
    async fn run(mut self, sender: Sender<Item>) {
        loop {
            let mut said = Said::default();
            let read = match self.response.chunk().await {
                Ok(Some(chunk)) => self.take(&chunk, &mut said),
                Ok(None) => self.take_rest(&mut said).map(|()| true),
                Err(_) => Err(ProviderError::CUT),
            };
            let is_silent = !self.say(said, &sender).await;
            match read {
                Ok(false) if is_silent => sender.send(Ok(Piece::Alive)).await,
                Ok(false) => {}
                Ok(true) => return self.end(&sender).await,
                Err(error) => return sender.send(Err(error)).await,
            }
        }
    }

    /// Decodes a chunk; returns whether the answer is over.
    fn take(&mut self, chunk: &[u8], said: &mut Said) -> Result<bool, ProviderError> {
        self.wire_bytes += chunk.len();
        if self.wire_bytes > WIRE_BYTES_MAX {
            return Err(ProviderError::unusable("a stream longer than the limit"));
        }
        let pushed = self.reader.push(chunk);
        // Events that were complete before a fault count.
        while let Some(event) = self.reader.pop() {
            self.decode(&event, said)?;
            if self.decoder.is_over() {
                return Ok(true);
            }
        }
        pushed.map(|()| false).map_err(unreadable)
    }

    fn decode(&mut self, event: &Event, said: &mut Said) -> Result<(), ProviderError> {
        let before = said.text.len();
        self.decoder.event(event, said)?;
        self.text_bytes += said.text.len() - before;
        if self.text_bytes > TEXT_BYTES_MAX {
            said.text.truncate(before);
            return Err(ProviderError::unusable("longer than the limit"));
        }
        Ok(())
    }

    /// Decodes what is left when the body has ended.
    fn take_rest(&mut self, said: &mut Said) -> Result<(), ProviderError> {
        let reader = std::mem::take(&mut self.reader);
        let rest = reader.finish().map_err(unreadable)?;
        // A last event that lacks its blank line counts if it is complete.
        if let Some(event) = rest.event.filter(is_whole) {
            self.decode(&event, said)?;
        }
        let report = serde_json::from_slice(&rest.json).unwrap_or_default();
        self.decoder.error(&report).map_or(Ok(()), Err)
    }

    /// Passes on what was decoded; returns whether there was anything.
    async fn say(&mut self, said: Said, sender: &Sender<Item>) -> bool {
        if self.model.is_some() && (said.model.is_some() || !said.text.is_empty()) {
            let own = self.model.take();
            if let Some(model) = shown_model(said.model).or(own) {
                sender.send(Ok(Piece::Model(model))).await;
            }
        }
        let has_text = !said.text.is_empty();
        if has_text {
            sender.send(Ok(Piece::Text(said.text))).await;
        }
        has_text
    }

    async fn end(mut self, sender: &Sender<Item>) {
        match self.decoder.finish() {
            Ok(end) => {
                if let Some(model) = self.model.take() {
                    sender.send(Ok(Piece::Model(model))).await;
                }
                sender.send(Ok(Piece::End(Box::new(end)))).await;
                let _ = tokio::time::timeout(TAIL_WAIT, self.read_tail()).await;
            }
            Err(error) => sender.send(Err(error)).await,
        }
    }

    /// Reads the end of the body: a connection with unread data cannot be reused.
    async fn read_tail(&mut self) {
        let mut left = TAIL_BYTES_MAX;
        while left > 0 {
            match self.response.chunk().await {
                Ok(Some(chunk)) => left = left.saturating_sub(chunk.len()),
                _ => return,
            }
        }
    }
}

fn is_whole(event: &Event) -> bool {
    event.data.trim() == "[DONE]"
        || serde_json::from_str::<serde::de::IgnoredAny>(&event.data).is_ok()
}

fn unreadable(error: ReadError) -> ProviderError {
    ProviderError::unusable(match error {
        ReadError::TooLong => "an event longer than the limit",
        ReadError::NotUtf8 => "an event that is not text",
    })
}

/// Parses JSON that must be in the provider's format.
pub(super) fn parse<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, ProviderError> {
    serde_json::from_str(json).map_err(not_the_format)
}

/// Error: an answer or an event is not in the provider's format.
pub(super) fn not_the_format<E>(_: E) -> ProviderError {
    ProviderError::unusable("not in the provider's format")
}
