//! Embedded files, by path.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::iter;
use std::sync::{LazyLock, Mutex, PoisonError};

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest as _, Sha256};

use crate::catalog;

/// Bytes of the digest in a version: 72 bits distinguish any two releases, and need no Base64
/// padding.
const VERSION_BYTES: usize = 9;

/// Every file of `web/` and every library, ordered by path.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

struct File {
    path: &'static str,
    /// Its path when it was embedded: debug builds read it from there.
    disk: &'static str,
    embedded: &'static [u8],
}

/// A file that pages load.
#[derive(Debug, Clone)]
pub struct Asset {
    /// Its path below the base address of the assets, without a leading slash.
    pub path: &'static str,
    /// Its media type, with the encoding of text.
    pub content_type: &'static str,
    /// Its bytes.
    pub bytes: Cow<'static, [u8]>,
}

impl Asset {
    /// Whether it is built from third-party packages.
    pub fn is_library(&self) -> bool {
        self.path.starts_with("libraries/")
    }

    /// Whether it is a module.
    pub fn is_module(&self) -> bool {
        self.content_type.starts_with("text/javascript")
    }
}

/// Finds a file by its path.
pub fn asset(path: &str) -> Option<Asset> {
    if path == catalog::PATH {
        return Some(catalog_module());
    }
    let index = FILES.binary_search_by_key(&path, |file| file.path).ok()?;
    FILES.get(index).map(|file| of(file.path, file.bytes()))
}

/// Every file.
pub fn assets() -> impl Iterator<Item = Asset> {
    let files = FILES.iter().map(|file| of(file.path, file.bytes()));
    iter::once(catalog_module()).chain(files)
}

/// The path of every file.
pub fn paths() -> impl Iterator<Item = &'static str> {
    iter::once(catalog::PATH).chain(FILES.iter().map(|file| file.path))
}

/// A number that changes when a file does: in debug builds, which read the files from disk. In
/// others it stays 0.
pub fn revision() -> u64 {
    if !cfg!(debug_assertions) {
        return 0;
    }
    let mut hasher = DefaultHasher::new();
    for file in FILES.iter().filter(|file| file.is_read()) {
        let changed = std::fs::metadata(file.disk)
            .and_then(|metadata| Ok((metadata.len(), metadata.modified()?)));
        changed.ok().hash(&mut hasher);
    }
    hasher.finish()
}

/// Digest of all files, part of their addresses, so that a file may be cached indefinitely.
pub fn version() -> Cow<'static, str> {
    static RELEASE: LazyLock<String> = LazyLock::new(digest);
    static LATEST: Mutex<Option<(u64, String)>> = Mutex::new(None);
    if !cfg!(debug_assertions) {
        return Cow::Borrowed(&RELEASE);
    }
    let revision = revision();
    let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    let version = match latest.take() {
        Some((of, version)) if of == revision => version,
        _ => digest(),
    };
    *latest = Some((revision, version.clone()));
    Cow::Owned(version)
}

fn digest() -> String {
    // Debug builds get here after each change, and the libraries are most of the bytes.
    static LIBRARIES: LazyLock<[u8; 32]> =
        LazyLock::new(|| digest_of(assets().filter(Asset::is_library)));
    let own = digest_of(assets().filter(|asset| !asset.is_library()));
    let digest = Sha256::new()
        .chain_update(own)
        .chain_update(*LIBRARIES)
        .finalize();
    BASE64URL_NOPAD.encode(digest.get(..VERSION_BYTES).unwrap_or_default())
}

fn digest_of(assets: impl Iterator<Item = Asset>) -> [u8; 32] {
    let mut digest = Sha256::new();
    for asset in assets {
        digest.update(asset.path);
        digest.update(asset.bytes.len().to_le_bytes());
        digest.update(&asset.bytes);
    }
    digest.finalize().into()
}

impl File {
    /// Whether it is read from disk for each request.
    fn is_read(&self) -> bool {
        cfg!(debug_assertions) && !self.path.starts_with("libraries/")
    }

    /// The embedded content or, in debug builds, the current content on disk.
    fn bytes(&self) -> Cow<'static, [u8]> {
        match self.is_read().then(|| std::fs::read(self.disk)) {
            Some(Ok(bytes)) => Cow::Owned(bytes),
            _ => Cow::Borrowed(self.embedded),
        }
    }
}

fn catalog_module() -> Asset {
    of(catalog::PATH, Cow::Borrowed(catalog::module().as_bytes()))
}

fn of(path: &'static str, bytes: Cow<'static, [u8]>) -> Asset {
    let content_type = match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    Asset {
        path,
        content_type,
        bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_ordered_so_that_each_is_found() {
        for file in FILES {
            assert_eq!(asset(file.path).map(|asset| asset.path), Some(file.path));
        }
        for absent in [
            "",
            "kit",
            "kit/",
            "/kit/tool.js",
            "kit/../kit/tool.js",
            "package.json",
        ] {
            assert!(asset(absent).is_none(), "{absent}");
        }
    }

    #[test]
    fn a_version_stays_while_no_file_changes() {
        assert_eq!(version(), version());
        assert_eq!(version().len(), 12);
    }

    #[test]
    fn a_revision_stays_while_no_file_changes() {
        assert_eq!(revision(), revision());
    }

    #[test]
    fn each_file_has_the_type_that_browsers_run_it_as() {
        let of = |path: &str| asset(path).map(|asset| asset.content_type);
        assert_eq!(of("kit/tool.js"), Some("text/javascript; charset=utf-8"));
        assert_eq!(of("catalog.js"), Some("text/javascript; charset=utf-8"));
    }
}
