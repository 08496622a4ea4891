//! Randomness: the source of bytes for identifiers, and UUIDs made of nothing else.

use uuid::{Builder, Uuid};

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

/// Generates `count` random UUIDs (version 4, RFC 9562 §5.4).
///
/// ```
/// use toolkit_core::ids::uuids_v4;
///
/// // Zeros for the example; use a cryptographically secure source.
/// let mut random = |bytes: &mut [u8]| bytes.fill(0);
/// assert_eq!(uuids_v4(&mut random, 1)[0].to_string(), "00000000-0000-4000-8000-000000000000");
/// ```
pub fn uuids_v4(random: &mut dyn Random, count: usize) -> Vec<Uuid> {
    let mut bytes = vec![0; count * 16];
    random.fill(&mut bytes);
    let (chunks, _) = bytes.as_chunks();
    let uuid = |chunk: &[u8; 16]| Builder::from_random_bytes(*chunk).into_uuid();
    chunks.iter().map(uuid).collect()
}
