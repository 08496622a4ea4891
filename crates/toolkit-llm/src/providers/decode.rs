//! Answer decoding: from a format's events to an answer's pieces.
//!
//! Each format interprets its events and decides whether the answer is complete. Reading, limits
//! and the end of the connection are handled here for all of them. A server that does not stream
//! sends one JSON object, recognized by its first byte: no event begins with `{`.

mod surrogates;

use std::time::Duration;

use reqwest::Response;
use serde::Deserialize;
use serde_json::Value;

use self::surrogates::Surrogates;
use super::shown_model;
use crate::error::ProviderError;
use crate::provider::{Answer, AnswerEnd, Piece};
use crate::pull::{Pull, Sender};
use crate::sse::{Event, ReadError, Reader};

/// Maximum length of an answer's text in bytes. Also of its reasoning, and of a whole answer.
pub(super) const TEXT_BYTES_MAX: usize = 1 << 20;

/// Maximum length of a stream in bytes, including everything around its text.
const WIRE_BYTES_MAX: usize = 8 << 20;

/// Maximum length of a tool round's history, in bytes.
pub(super) const HISTORY_BYTES_MAX: usize = 256 << 10;

/// Maximum bytes read after an answer's end, so that its connection can be reused.
const TAIL_BYTES_MAX: usize = 4 << 10;

/// Maximum wait for those bytes.
const TAIL_WAIT: Duration = Duration::from_millis(100);

/// Contents of the events in one read.
#[derive(Default)]
pub(super) struct Output {
    pub(super) model: Option<String>,
    pub(super) reasoning: String,
    pub(super) text: String,
}

/// Decoder for one answer in a format.
pub(super) trait Decode: Send + 'static {
    /// Reads the data of one event.
    fn event(&mut self, data: &str, output: &mut Output) -> Result<(), ProviderError>;

    /// Reads a non-streamed answer.
    fn whole(&mut self, data: &str, output: &mut Output) -> Result<(), ProviderError>;

    /// Whether the format's own end marker has arrived, so that nothing can follow. Without one,
    /// only the end of the body ends the answer.
    fn is_over(&self) -> bool {
        false
    }

    /// Maps an error report in the stream to an error. `None` if the JSON is not an error report.
    fn error(&self, json: &Value) -> Option<ProviderError>;

    /// Ends the answer, including anything held back. An error if it is incomplete.
    fn finish(&mut self, output: &mut Output) -> Result<AnswerEnd, ProviderError>;
}

/// Turns a response into the pieces of an answer.
pub(super) fn pieces(response: Response, model: String, decoder: impl Decode) -> Answer {
    let reading = Reading {
        response,
        form: Form::Unknown,
        decoder,
        surrogates: Surrogates::default(),
        model: Some(model),
        wire_bytes: 0,
        text_bytes: 0,
    };
    Box::pin(Pull::new(|sender| reading.run(sender)))
}

/// How an answer arrives.
enum Form {
    Unknown,
    Events(Reader),
    /// The JSON so far.
    Whole(Vec<u8>),
}

struct Reading<D> {
    response: Response,
    form: Form,
    decoder: D,
    surrogates: Surrogates,
    /// The configured model, until the answer has named one or begun.
    model: Option<String>,
    wire_bytes: usize,
    text_bytes: usize,
}

type Item = Result<Piece, ProviderError>;

impl<D: Decode> Reading<D> {
    async fn run(mut self, sender: Sender<Item>) {
        loop {
            let mut output = Output::default();
            let read = match self.response.chunk().await {
                Ok(Some(chunk)) => self.take(&chunk, &mut output),
                Ok(None) => self.take_rest(&mut output).map(|()| true),
                Err(_) => Err(ProviderError::CUT),
            };
            let is_silent = !self.say(output, &sender).await;
            match read {
                Ok(false) if is_silent => sender.send(Ok(Piece::Alive)).await,
                Ok(false) => {}
                Ok(true) => return self.end(&sender).await,
                Err(error) => return sender.send(Err(error)).await,
            }
        }
    }

    /// Decodes a chunk. Returns whether the answer is over.
    fn take(&mut self, chunk: &[u8], output: &mut Output) -> Result<bool, ProviderError> {
        self.wire_bytes += chunk.len();
        if self.wire_bytes > WIRE_BYTES_MAX {
            return Err(ProviderError::unusable("a stream longer than the limit"));
        }
        if matches!(self.form, Form::Unknown) {
            self.form = match chunk.trim_ascii_start() {
                [] => return Ok(false),
                [b'{', ..] => Form::Whole(Vec::new()),
                _ => Form::Events(Reader::new()),
            };
        }
        if let Form::Whole(json) = &mut self.form {
            json.extend_from_slice(chunk);
            let fits = json.len() <= TEXT_BYTES_MAX;
            return fits.then_some(false).ok_or(ProviderError::unusable("longer than the limit"));
        }
        let pushed = self.reader().map_or(Ok(()), |reader| reader.push(chunk));
        // Events that were complete before a fault count.
        while let Some(event) = self.reader().and_then(Reader::pop) {
            self.decode(&event, output)?;
            if self.decoder.is_over() {
                return Ok(true);
            }
        }
        pushed.map(|()| false).map_err(unreadable)
    }

    fn reader(&mut self) -> Option<&mut Reader> {
        match &mut self.form {
            Form::Events(reader) => Some(reader),
            _ => None,
        }
    }

    fn decode(&mut self, event: &Event, output: &mut Output) -> Result<(), ProviderError> {
        // Some gateways send an event without data as a heartbeat.
        if event.data.trim().is_empty() {
            return Ok(());
        }
        let before = output.text.len() + output.reasoning.len();
        let data = self.surrogates.join(&event.data);
        self.decoder.event(&data, output)?;
        self.text_bytes += output.text.len() + output.reasoning.len() - before;
        if self.text_bytes > TEXT_BYTES_MAX {
            *output = Output::default();
            return Err(ProviderError::unusable("longer than the limit"));
        }
        Ok(())
    }

    /// Decodes what is left when the body has ended.
    fn take_rest(&mut self, output: &mut Output) -> Result<(), ProviderError> {
        let reader = match std::mem::replace(&mut self.form, Form::Unknown) {
            Form::Events(reader) => reader,
            Form::Unknown => return Err(not_the_format(())),
            Form::Whole(json) => {
                let json = String::from_utf8(json).map_err(not_the_format)?;
                return self.decoder.whole(&self.surrogates.join(&json), output);
            }
        };
        let rest = reader.finish().map_err(unreadable)?;
        // A last event that lacks its blank line counts if it is complete.
        if let Some(event) = rest.event.filter(is_whole) {
            self.decode(&event, output)?;
        }
        let report = serde_json::from_slice(&rest.json).unwrap_or_default();
        self.decoder.error(&report).map_or(Ok(()), Err)
    }

    /// Passes on what was decoded. Returns whether there was anything.
    async fn say(&mut self, output: Output, sender: &Sender<Item>) -> bool {
        let has_content = !output.text.is_empty() || !output.reasoning.is_empty();
        if self.model.is_some() && (output.model.is_some() || has_content) {
            let own = self.model.take();
            if let Some(model) = shown_model(output.model).or(own) {
                sender.send(Ok(Piece::Model(model))).await;
            }
        }
        if !output.reasoning.is_empty() {
            sender.send(Ok(Piece::Reasoning(output.reasoning))).await;
        }
        if !output.text.is_empty() {
            sender.send(Ok(Piece::Text(output.text))).await;
        }
        has_content
    }

    async fn end(mut self, sender: &Sender<Item>) {
        let mut output = Output::default();
        let finished = self.decoder.finish(&mut output);
        self.say(output, sender).await;
        match finished {
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

    /// Reads the end of the body, since a connection with unread data cannot be reused.
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
