//! Version 4 UUIDs (RFC 9562 §5.4).

use uuid::Uuid;

use super::random::Random;

/// Gives `count` random UUIDs (version 4, RFC 9562 §5.4).
///
/// ```
/// use toolkit_core::ids;
///
/// // A counter for the example; take a cryptographically secure source.
/// let mut next = 0;
/// let mut random = |bytes: &mut [u8]| bytes.fill_with(|| { next += 1; next });
/// let uuids = ids::uuids_v4(&mut random, 2);
/// assert_eq!(uuids[0].to_string(), "01020304-0506-4708-890a-0b0c0d0e0f10");
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
