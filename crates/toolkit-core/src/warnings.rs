//! What was tolerated, assumed or changed on the way to an answer.

use std::borrow::Cow;

/// More sentences than this say nothing that a reader can use.
const WARNINGS_MAX: usize = 20;

/// Plain sentences for the caller, in the order they came up, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Warnings {
    sentences: Vec<Cow<'static, str>>,
    left_out: usize,
}

impl Warnings {
    /// Starts with nothing to say.
    pub const fn new() -> Self {
        Self {
            sentences: Vec::new(),
            left_out: 0,
        }
    }

    /// Adds a sentence, with its full stop, unless it is there already.
    ///
    /// Only the first twenty are kept; the last one then counts the others.
    pub fn push(&mut self, sentence: impl Into<Cow<'static, str>>) {
        let sentence = sentence.into();
        if self.sentences.contains(&sentence) {
            return;
        }
        if self.sentences.len() < WARNINGS_MAX {
            self.sentences.push(sentence);
            return;
        }
        self.left_out += 1;
        let rest = format!("And {} more warnings like these.", self.left_out);
        self.sentences.truncate(WARNINGS_MAX);
        self.sentences.push(rest.into());
    }

    /// The sentences.
    pub fn sentences(&self) -> &[Cow<'static, str>] {
        &self.sentences
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }
}
