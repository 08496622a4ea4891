//! Randomness: the source of bytes for identifiers.

/// A source of random bytes.
///
/// Identifiers are only as hard to guess as this source: use a cryptographically secure one.
pub trait Random: Send {
    /// Fills `bytes` with random bytes.
    fn fill(&mut self, bytes: &mut [u8]);
}

impl<F: FnMut(&mut [u8]) + Send> Random for F {
    fn fill(&mut self, bytes: &mut [u8]) {
        self(bytes);
    }
}
