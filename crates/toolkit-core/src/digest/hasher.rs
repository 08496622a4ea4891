//! Streaming digests and HMACs.

use std::fmt;
use std::io::{self, Read, Write};

use hmac::{EagerHash, Hmac, Mac as _};
use sha2::Digest as _;

use super::{Algorithm, Digest, mac};

/// Bytes read at once: few enough to stay in the processor's first-level cache.
const CHUNK_BYTES: usize = 16 << 10;

/// Incremental digest or HMAC.
///
/// ```
/// use toolkit_core::digest::{Algorithm, Hasher, digest, hmac};
///
/// let mut hasher = Hasher::new(Algorithm::Sha256);
/// hasher.update(b"a");
/// hasher.update(b"bc");
/// assert_eq!(hasher.finish(), digest(Algorithm::Sha256, b"abc"));
///
/// let mut keyed = Hasher::hmac(Algorithm::Sha256, b"key");
/// keyed.update(b"abc");
/// assert_eq!(keyed.finish(), hmac(Algorithm::Sha256, b"key", b"abc"));
/// ```
pub struct Hasher {
    state: Box<dyn State>,
}

impl Hasher {
    /// Starts a digest.
    pub fn new(algorithm: Algorithm) -> Self {
        with_digest!(algorithm, D => Self { state: Box::new(Plain(D::new())) })
    }

    /// Starts an HMAC. The key may have any length, including zero.
    pub fn hmac(algorithm: Algorithm, key: &[u8]) -> Self {
        with_digest!(algorithm, D => Self { state: Box::new(Keyed::<D>(mac(key))) })
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, bytes: &[u8]) {
        self.state.update(bytes);
    }

    /// Adds everything that a reader returns, and returns the number of bytes.
    ///
    /// ```
    /// use toolkit_core::digest::{Algorithm, Hasher, digest};
    ///
    /// let mut hasher = Hasher::new(Algorithm::Sha256);
    /// assert_eq!(hasher.read_from(&b"abc"[..])?, 3);
    /// assert_eq!(hasher.finish(), digest(Algorithm::Sha256, b"abc"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Errors of the reader; the bytes read before are part of the message.
    pub fn read_from(&mut self, mut reader: impl Read) -> io::Result<u64> {
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut total = 0;
        loop {
            match reader.read(&mut chunk) {
                Ok(0) => return Ok(total),
                Ok(read) => {
                    self.update(chunk.get(..read).unwrap_or_default());
                    total += read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the digest of the pieces so far.
    pub fn finish(self) -> Digest {
        self.state.finish()
    }
}

/// Computes the digest of everything that a reader returns, in constant memory.
///
/// ```
/// use toolkit_core::digest::{Algorithm, digest, digest_reader};
///
/// let read = digest_reader(Algorithm::Sha1, &b"abc"[..])?;
/// assert_eq!(read, digest(Algorithm::Sha1, b"abc"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Errors of the reader.
pub fn digest_reader(algorithm: Algorithm, reader: impl Read) -> io::Result<Digest> {
    let mut hasher = Hasher::new(algorithm);
    hasher.read_from(reader)?;
    Ok(hasher.finish())
}

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Shows nothing of the message or the key.
impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher").finish_non_exhaustive()
    }
}

trait State: Send + Sync {
    fn update(&mut self, bytes: &[u8]);
    fn finish(self: Box<Self>) -> Digest;
}

struct Plain<D>(D);

impl<D: sha2::Digest + Send + Sync> State for Plain<D> {
    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self: Box<Self>) -> Digest {
        Digest::new(&self.0.finalize())
    }
}

struct Keyed<D: EagerHash>(Hmac<D>);

impl<D: EagerHash> State for Keyed<D>
where
    Hmac<D>: Send + Sync,
{
    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self: Box<Self>) -> Digest {
        Digest::new(&self.0.finalize().into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::{digest, hmac};

    #[test]
    fn input_in_pieces_has_the_same_digest_with_every_algorithm() {
        let message: Vec<u8> = (0..=255).cycle().take(200_000).collect();
        for &algorithm in Algorithm::ALL {
            let mut plain = Hasher::new(algorithm);
            assert_eq!(plain.read_from(&message[..]).unwrap(), 200_000);
            assert_eq!(plain.finish(), digest(algorithm, &message));
            let mut keyed = Hasher::hmac(algorithm, b"key");
            io::copy(&mut &message[..], &mut keyed).unwrap();
            assert_eq!(keyed.finish(), hmac(algorithm, b"key", &message));
        }
    }

    #[test]
    fn a_digest_is_shown_without_its_unused_bytes() {
        let md5 = digest(Algorithm::Md5, b"");
        assert_eq!(
            format!("{md5:?}"),
            "Digest(d41d8cd98f00b204e9800998ecf8427e)"
        );
        assert_eq!(format!("{md5:X}"), "D41D8CD98F00B204E9800998ECF8427E");
    }
}
