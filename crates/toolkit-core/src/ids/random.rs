//! Randomness: the source of the bytes that identifiers are made of.

/// A source of random bytes.
///
/// Identifiers are only as hard to guess as this source: give a cryptographically secure one.
pub trait Random: Send {
    /// Fills `bytes` with random ones.
    fn fill(&mut self, bytes: &mut [u8]);
}

impl<F: FnMut(&mut [u8]) + Send> Random for F {
    fn fill(&mut self, bytes: &mut [u8]) {
        self(bytes);
    }
}
