//! Version 4 UUIDs (RFC 9562 §5.4).

use uuid::Uuid;

use super::random::Random;

/// Generates `count` random UUIDs (version 4, RFC 9562 §5.4).
///
/// ```
/// use toolkit_core::ids;
///
/// // A counter for the example; use a cryptographically secure source.
/// ```
pub fn uuids_v4(random: &mut dyn Random, count: usize) -> Vec<Uuid> {
    let mut bytes = vec![0; count * 16];
    random.fill(&mut bytes);
    let (chunks, _) = bytes.as_chunks::<16>();
    chunks
        .iter()
        .map(|chunk| uuid::Builder::from_random_bytes(*chunk).into_uuid())
        .collect()
}
