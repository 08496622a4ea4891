//! Context of a run: the time, randomness, the state of identifier generators, and the warnings.

use std::borrow::Cow;
use std::sync::Arc;

use time::OffsetDateTime;

#[cfg(feature = "os")]
use crate::ids::{OsRandom, SEQUENCE};
use crate::ids::{Random, Sequence};
use crate::warnings::Warnings;

/// Environment of one tool call.
pub struct Context {
    now: OffsetDateTime,
    random: Box<dyn Random>,
    sequence: Arc<Sequence>,
    is_over: Option<Box<dyn Fn() -> bool + Send>>,
    /// The surface that asks. A model gets shorter answers.
    #[cfg(feature = "tools")]
    pub(crate) surface: crate::input::Surface,
    /// Warnings about the answer for the caller.
    pub warnings: Warnings,
}

impl Context {
    /// Creates the context of one call.
    ///
    /// All calls of a process share one `sequence`, so that its identifiers keep increasing.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use time::OffsetDateTime;
    /// use toolkit_core::{Context, ids::Sequence};
    ///
    /// let random = |bytes: &mut [u8]| bytes.fill(7);
    /// let ctx = Context::new(OffsetDateTime::UNIX_EPOCH, random, Arc::new(Sequence::new()));
    /// assert_eq!(ctx.now(), OffsetDateTime::UNIX_EPOCH);
    /// ```
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
            #[cfg(feature = "tools")]
            surface: crate::input::Surface::Rest,
            warnings: Warnings::new(),
        }
    }

    /// Creates the context of a call now, with the randomness of the operating system.
    ///
    /// ```
    /// let mut ctx = toolkit_core::Context::system();
    /// let (sequence, random) = ctx.sequence();
    /// assert_eq!(toolkit_core::ids::uuids_v4(random, 2).len(), 2);
    /// ```
    #[cfg(feature = "os")]
    pub fn system() -> Self {
        Self::new(OffsetDateTime::now_utc(), OsRandom, Arc::clone(&SEQUENCE))
    }

    /// Sets a function that reports when time is up, or when the caller has gone.
    ///
    /// ```
    /// use toolkit_core::Context;
    ///
    /// let ctx = Context::fixed().until(|| true);
    /// assert!(ctx.is_over());
    /// ```
    #[must_use]
    pub fn until(mut self, is_over: impl Fn() -> bool + Send + 'static) -> Self {
        self.is_over = Some(Box::new(is_over));
        self
    }

    /// A deterministic context for examples and tests: the time is 2023-11-14T22:13:20Z, and the
    /// random bytes count up from 0.
    ///
    /// ```
    /// use toolkit_core::Context;
    ///
    /// let mut bytes = [0; 3];
    /// Context::fixed().random().fill(&mut bytes);
    /// assert_eq!(bytes, [0, 1, 2]);
    /// ```
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

    /// Time of the call.
    pub fn now(&self) -> OffsetDateTime {
        self.now
    }

    /// The source of random bytes.
    pub fn random(&mut self) -> &mut dyn Random {
        &mut *self.random
    }

    /// The state that keeps time-ordered identifiers increasing, together with the random source.
    pub fn sequence(&mut self) -> (&Sequence, &mut dyn Random) {
        (&self.sequence, &mut *self.random)
    }

    /// Whether the call should stop: a tool that can take long checks this from time to time.
    pub fn is_over(&self) -> bool {
        self.deadline().is_some_and(|is_over| is_over())
    }

    /// The function that reports when time is up, if the caller set one. Without it, a tool limits
    /// its work by counting.
    pub fn deadline(&self) -> Option<&dyn Fn() -> bool> {
        self.is_over.as_ref().map(|is_over| &**is_over as _)
    }

    /// Adds a warning about the answer: a plain sentence with its full stop.
    ///
    /// ```
    /// use toolkit_core::Context;
    ///
    /// let mut ctx = Context::fixed();
    /// ctx.warn("Host bits are set.");
    /// assert_eq!(ctx.warnings.sentences(), ["Host bits are set."]);
    /// ```
    pub fn warn(&mut self, sentence: impl Into<Cow<'static, str>>) {
        self.warnings.push(sentence);
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("now", &self.now).finish_non_exhaustive()
    }
}
