//! Linear patterns for the cancellable automaton.

use std::sync::OnceLock;

use regex_automata::nfa::thompson::NFA;
use regex_syntax::hir::Hir;

use super::ascii;
use super::automaton::Automaton;
use super::narrow_classes::narrowed;
use crate::error::{ErrorKind, ToolError};

/// A linear pattern, parsed once; the automaton for a text is built on demand.
#[derive(Debug)]
pub(super) struct Linear {
    source: String,
    /// For ASCII text, if that is equivalent.
    pub(super) ascii: Option<Hir>,
    ascii_automaton: OnceLock<NFA>,
    unicode: OnceLock<Hir>,
}

impl Linear {
    /// Parses a pattern; `None` if the automaton does not support all of it.
    pub(super) fn read(source: String) -> Option<Self> {
        let ascii = ascii::read(&source);
        let unicode = OnceLock::new();
        if ascii.is_none() {
            let _ = unicode.set(regex_syntax::parse(&source).ok()?);
        }
        Some(Self {
            source,
            ascii,
            ascii_automaton: OnceLock::new(),
            unicode,
        })
    }

    /// Size of the automaton for ASCII text, in bytes.
    #[cfg(feature = "tools")]
    pub(super) fn ascii_bytes(&self) -> usize {
        self.for_ascii()
            .and_then(Result::ok)
            .map_or(0, |automaton| automaton.nfa.memory_usage())
    }

    /// Builds the automaton for a text; that for a short one has narrowed classes.
    ///
    /// # Errors
    ///
    /// Says that the pattern is too large.
    pub(super) fn automaton(&self, text: &str, is_short: bool) -> Result<Automaton, ToolError> {
        match self.for_ascii().filter(|_| text.is_ascii()) {
            Some(automaton) => automaton,
            None if is_short => Automaton::new(&narrowed(self.unicode()?, text)),
            None => Automaton::new(self.unicode()?),
        }
    }

    fn for_ascii(&self) -> Option<Result<Automaton, ToolError>> {
        if let Some(nfa) = self.ascii_automaton.get() {
            return Some(Ok(Automaton::of(nfa.clone())));
        }
        let built = Automaton::new(self.ascii.as_ref()?);
        Some(built.inspect(|automaton| {
            let _ = self.ascii_automaton.set(automaton.nfa.clone());
        }))
    }

    fn unicode(&self) -> Result<&Hir, ToolError> {
        if let Some(unicode) = self.unicode.get() {
            return Ok(unicode);
        }
        let unicode = regex_syntax::parse(&self.source).map_err(|_| {
            let message = "is too large for a text of this length";
            ToolError::new(message).of(ErrorKind::TooLarge)
        })?;
        Ok(self.unicode.get_or_init(|| unicode))
    }

    /// All automata that can run on a text.
    #[cfg(test)]
    pub(super) fn all(&self, text: &str) -> Vec<Automaton> {
        let unicode = self.unicode().unwrap();
        let mut all = vec![
            Automaton::new(unicode).unwrap(),
            Automaton::new(&narrowed(unicode, text)).unwrap(),
        ];
        if text.is_ascii() {
            all.extend(self.for_ascii().map(Result::unwrap));
        }
        all
    }
}
