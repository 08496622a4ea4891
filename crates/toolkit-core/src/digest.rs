//! Digests and keyed digests: MD5 (RFC 1321), SHA-1 and SHA-2 (FIPS 180-4), HMAC (RFC 2104).
//!
//! MD5 and SHA-1 are for checking existing digests: see [`Algorithm::is_broken`]. Password hashes
//! are left out, since a fast digest is the wrong tool for a password.

use std::fmt;

use data_encoding::HEXLOWER;
use hmac::{Hmac, HmacReset, KeyInit, Mac as _};
use md5::Md5;
use md5::digest::DynDigest;
use sha1::Sha1;
use sha2::{Digest as _, Sha256, Sha384, Sha512};

use crate::choice::choice;

/// Length of the longest digest, SHA-512's, in bytes.
const DIGEST_BYTES_MAX: usize = 64;

choice! {
    /// A digest algorithm.
    pub enum Algorithm {
        /// MD5, 128 bits. Broken.
        Md5 = "md5",
        /// SHA-1, 160 bits. Broken.
        Sha1 = "sha1",
        /// SHA-256.
        Sha256 = "sha256",
        /// SHA-384.
        Sha384 = "sha384",
        /// SHA-512.
        Sha512 = "sha512",
    }
}

impl Algorithm {
    /// Whether collisions can be constructed, so that a matching digest proves nothing.
    ///
    /// ```
    /// use toolkit_core::digest::Algorithm;
    ///
    /// assert!(Algorithm::Sha1.is_broken() && !Algorithm::Sha256.is_broken());
    /// ```
    pub const fn is_broken(self) -> bool {
        matches!(self, Self::Md5 | Self::Sha1)
    }
}

/// Digest, or authentication code of an HMAC. Displayed in lower-case hexadecimal.
///
/// Comparing two of them does not take constant time: use [`hmac_verify`] for authentication codes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest {
    /// Zero from `length` on.
    bytes: [u8; DIGEST_BYTES_MAX],
    length: usize,
}

impl Digest {
    #[expect(clippy::indexing_slicing, reason = "no algorithm has a longer digest")]
    fn new(output: &[u8]) -> Self {
        let mut bytes = [0; DIGEST_BYTES_MAX];
        bytes[..output.len()].copy_from_slice(output);
        let length = output.len();
        Self { bytes, length }
    }

    /// The bytes: 16 to 64 of them, depending on the algorithm.
    ///
    /// ```
    /// use toolkit_core::digest::{Algorithm, digest};
    ///
    /// assert_eq!(digest(Algorithm::Sha384, b"abc").as_bytes().len(), 48);
    /// ```
    #[expect(clippy::indexing_slicing, reason = "`length` is that of a part")]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        HEXLOWER.encode_display(self.as_bytes()).fmt(f)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Evaluates an expression in which `$digest` is the type that implements an algorithm.
macro_rules! with_digest {
    ($algorithm:expr, $digest:ident => $value:expr) => {
        with_digest!(@ $algorithm, $digest => $value, Md5, Sha1, Sha256, Sha384, Sha512)
    };
    (@ $algorithm:expr, $digest:ident => $value:expr, $($name:ident),+) => {
        match $algorithm {
            $(Algorithm::$name => {
                type $digest = $name;
                $value
            })+
        }
    };
}

/// Digest or HMAC of a message that comes in parts.
///
/// ```
/// use toolkit_core::digest::{Algorithm, Hasher, digest, hmac};
///
/// let mut hasher = Hasher::new(Algorithm::Sha256);
/// hasher.update(b"a");
/// hasher.update(b"bc");
/// assert_eq!(hasher.finish(), digest(Algorithm::Sha256, b"abc"));
/// let mut hasher = Hasher::keyed(Algorithm::Sha256, b"key");
/// hasher.update(b"abc");
/// assert_eq!(hasher.finish(), hmac(Algorithm::Sha256, b"key", b"abc"));
/// ```
pub struct Hasher(Box<dyn DynDigest + Send + Sync>);

impl Hasher {
    /// Begins a digest.
    pub fn new(algorithm: Algorithm) -> Self {
        with_digest!(algorithm, D => Self(Box::new(D::new())))
    }

    /// Begins an HMAC. The key may have any length, including zero.
    pub fn keyed(algorithm: Algorithm, key: &[u8]) -> Self {
        with_digest!(algorithm, D => Self(Box::new(mac::<HmacReset<D>>(key))))
    }

    /// Adds the next part of the message.
    pub fn update(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    /// Ends the message.
    pub fn finish(self) -> Digest {
        Digest::new(&self.0.finalize())
    }
}

/// The state is not shown: it may follow from a key.
impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hasher").finish_non_exhaustive()
    }
}

/// Computes the digest of a message.
///
/// ```
/// use toolkit_core::digest::{Algorithm, digest};
///
/// let digest = digest(Algorithm::Sha256, b"abc");
/// assert_eq!(digest.as_bytes()[..4], [0xba, 0x78, 0x16, 0xbf]);
/// ```
pub fn digest(algorithm: Algorithm, message: &[u8]) -> Digest {
    with_digest!(algorithm, D => Digest::new(&D::digest(message)))
}

/// Computes the HMAC of a message. The key may have any length, including zero.
///
/// ```
/// use toolkit_core::digest::{Algorithm, digest, hmac};
///
/// let code = hmac(Algorithm::Sha256, b"", b"abc");
/// assert_ne!(code.as_bytes(), digest(Algorithm::Sha256, b"abc").as_bytes());
/// ```
pub fn hmac(algorithm: Algorithm, key: &[u8], message: &[u8]) -> Digest {
    with_digest!(algorithm, D => {
        let code = mac::<Hmac<D>>(key).chain_update(message).finalize();
        Digest::new(&code.into_bytes())
    })
}

/// Verifies an HMAC in constant time.
///
/// ```
/// use toolkit_core::digest::{Algorithm, hmac, hmac_verify};
///
/// let code = hmac(Algorithm::Sha256, b"key", b"message");
/// assert!(hmac_verify(Algorithm::Sha256, b"key", b"message", code.as_bytes()));
/// assert!(!hmac_verify(Algorithm::Sha256, b"key", b"massage", code.as_bytes()));
/// assert!(!hmac_verify(Algorithm::Sha256, b"key", b"message", b""));
/// ```
pub fn hmac_verify(algorithm: Algorithm, key: &[u8], message: &[u8], code: &[u8]) -> bool {
    with_digest!(algorithm, D => {
        let mac = mac::<Hmac<D>>(key).chain_update(message);
        mac.verify_slice(code).is_ok()
    })
}

fn mac<M: KeyInit>(key: &[u8]) -> M {
    M::new_from_slice(key).expect("a key of any length will do (RFC 2104 §2)")
}
