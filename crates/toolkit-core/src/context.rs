//! Context of a run: the time, randomness, the state of identifier generators, and the warnings.

use std::borrow::Cow;
use std::sync::Arc;

use time::OffsetDateTime;

use crate::ids::{Random, Sequence};
#[cfg(all(feature = "regex", feature = "tools"))]
use crate::regex::PatternCache;
use crate::warnings::Warnings;

/// The world as one call of a tool sees it.
pub struct Context {
    now: OffsetDateTime,
    random: Box<dyn Random>,
    sequence: Arc<Sequence>,
    is_over: Option<Box<dyn Fn() -> bool + Send>>,
    #[cfg(all(feature = "regex", feature = "tools"))]
    patterns: Arc<PatternCache>,
    /// What the caller should know about the answer.
    pub warnings: Warnings,
}

impl Context {
    /// Makes the context of one call.
    ///
    /// All calls of a process share one `sequence`, so that its identifiers keep increasing.
    pub fn new(
        now: OffsetDateTime,
        random: impl Random + 'static,
        sequence: Arc<Sequence>,
    ) -> Self {
        Self {
            now,
            random: Box::new(random),
            sequence,
            is_over: None,
            #[cfg(all(feature = "regex", feature = "tools"))]
            patterns: Arc::default(),
            warnings: Warnings::new(),
        }
    }

    /// Gives the call the patterns that earlier ones compiled: all calls of a process can share
    /// them.
    #[cfg(all(feature = "regex", feature = "tools"))]
    #[must_use]
    pub fn with_patterns(mut self, patterns: Arc<PatternCache>) -> Self {
        self.patterns = patterns;
        self
    }

    /// The patterns that earlier calls compiled.
    #[cfg(all(feature = "regex", feature = "tools"))]
    pub(crate) fn patterns(&self) -> &PatternCache {
        &self.patterns
    }

    /// Gives the call a way to learn that its time is up, or that nobody waits for the answer.
    #[must_use]
    pub fn until(mut self, is_over: impl Fn() -> bool + Send + 'static) -> Self {
        self.is_over = Some(Box::new(is_over));
        self
    }

    /// A context in which every answer is the same each time: it is 2023-11-14T22:13:20Z, and the
    /// random bytes count up from 0. For examples and tests.
    pub fn fixed() -> Self {
        let mut next = 0_u8;
        let counter = move |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = next;
                next = next.wrapping_add(1);
            }
        };
        let now = OffsetDateTime::from_unix_timestamp(1_700_000_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH);
        Self::new(now, counter, Arc::new(Sequence::new()))
    }

    /// The time of the call.
    pub fn now(&self) -> OffsetDateTime {
        self.now
    }

    /// The source of random bytes.
    pub fn random(&mut self) -> &mut dyn Random {
        &mut *self.random
    }

    /// The state that keeps time-ordered identifiers increasing, and the randomness beside it.
    pub fn sequence(&mut self) -> (&Sequence, &mut dyn Random) {
        (&self.sequence, &mut *self.random)
    }

    /// Whether the call should stop: a tool that can take long asks now and then.
    pub fn is_over(&self) -> bool {
        self.deadline().is_some_and(|is_over| is_over())
    }

    /// The way to learn that the time is up, where the caller gave one: without it a tool bounds
    /// its work by counting.
    pub fn deadline(&self) -> Option<&dyn Fn() -> bool> {
        self.is_over.as_ref().map(|is_over| &**is_over as _)
    }

    /// Tells the caller something about the answer: a plain sentence with its full stop.
    pub fn warn(&mut self, sentence: impl Into<Cow<'static, str>>) {
        self.warnings.push(sentence);
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context")
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}
