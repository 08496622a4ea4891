//! Randomness: the source of bytes for identifiers, and fully random UUIDs.

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
///
/// # Panics
///
/// When memory cannot hold `count` identifiers, as the generators of all other kinds do.
pub fn uuids_v4(random: &mut dyn Random, count: usize) -> Vec<Uuid> {
    let uuid = |_| {
        let mut bytes = [0; 16];
        random.fill(&mut bytes);
        Builder::from_random_bytes(bytes).into_uuid()
    };
    (0..count).map(uuid).collect()
}

#[cfg(test)]
mod tests {
    use super::uuids_v4;

    #[test]
    fn more_than_memory_holds_is_refused() {
        for count in [usize::MAX, usize::MAX / 16 + 2] {
            let refused = std::panic::catch_unwind(|| uuids_v4(&mut |_: &mut [u8]| {}, count));
            assert!(refused.is_err());
        }
    }
}
