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

/// Whether our files are read from disk for each request, so that an edit is seen without a build.
const READS_DISK: bool = cfg!(debug_assertions);

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
    if READS_DISK { revision_of(FILES) } else { 0 }
}

fn revision_of(files: &[File]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in files.iter().filter(|file| file.is_read()) {
        let changed = std::fs::metadata(file.disk)
            .and_then(|metadata| Ok((metadata.len(), metadata.modified()?)));
        changed.ok().hash(&mut hasher);
    }
    hasher.finish()
}

/// Digest of all files, part of their addresses, so that a file may be cached indefinitely.
pub fn version() -> Cow<'static, str> {
    static RELEASE: LazyLock<String> = LazyLock::new(digest);
    static LATEST: Latest = Latest::new(None);
    if READS_DISK {
        Cow::Owned(version_at(revision(), &LATEST, digest))
    } else {
        Cow::Borrowed(&RELEASE)
    }
}

/// The last version, and the revision that it is of.
type Latest = Mutex<Option<(u64, String)>>;

/// The version at a revision: the latest, unless that is of another.
fn version_at(revision: u64, latest: &Latest, digest: impl FnOnce() -> String) -> String {
    let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
    let version = match latest.take() {
        Some((of, version)) if of == revision => version,
        _ => digest(),
    };
    *latest = Some((revision, version.clone()));
    version
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
        READS_DISK && !self.path.starts_with("libraries/")
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

    /// A file embedded as `old`, with another content on disk.
    fn edited(path: &'static str, folder: &tempfile::TempDir) -> File {
        let disk = folder.path().join("edited");
        std::fs::write(&disk, "new text").unwrap();
        File {
            path,
            disk: disk.to_str().unwrap().to_owned().leak(),
            embedded: b"old",
        }
    }

    #[test]
    fn a_debug_build_reads_our_files_from_disk_and_others_read_none() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = edited("kit/page.js", &folder);
        let expected: &[u8] = if READS_DISK { b"new text" } else { b"old" };
        assert_eq!(*file.bytes(), *expected);
        file.disk = "no/such/file";
        assert_eq!(*file.bytes(), *b"old");
        assert_eq!(*edited("libraries/diff.js", &folder).bytes(), *b"old");
    }

    #[test]
    fn a_revision_changes_with_a_file_that_is_read() {
        let folder = tempfile::tempdir().unwrap();
        for (path, changes) in [("kit/page.js", READS_DISK), ("libraries/diff.js", false)] {
            let files = [edited(path, &folder)];
            let before = revision_of(&files);
            assert_eq!(revision_of(&files), before);
            std::fs::write(files[0].disk, "a longer text").unwrap();
            assert_eq!(revision_of(&files) != before, changes, "{path}");
        }
        assert_eq!(revision(), if READS_DISK { revision_of(FILES) } else { 0 });
    }

    #[test]
    fn a_version_is_computed_once_for_each_revision() {
        let latest = Latest::new(None);
        let version = |revision, digest: &str| version_at(revision, &latest, || digest.to_owned());
        assert_eq!(version(1, "first"), "first");
        assert_eq!(version(1, "not asked"), "first");
        assert_eq!(version(2, "second"), "second");
        assert_eq!(version(1, "first again"), "first again");
        assert_eq!(self::version(), self::version());
        assert_eq!(self::version(), digest());
    }

    #[test]
    fn a_digest_is_of_each_path_and_its_bytes() {
        let asset = |path, text: &'static str| of(path, Cow::Borrowed(text.as_bytes()));
        let digests = [
            vec![],
            vec![asset("a.js", "text")],
            vec![asset("b.js", "text")],
            vec![asset("a.js", "texts")],
            vec![asset("a.js", "text"), asset("b.js", "text")],
        ]
        .map(|assets| digest_of(assets.into_iter()));
        let distinct: std::collections::HashSet<_> = digests.iter().collect();
        assert_eq!(distinct.len(), digests.len());
        // A release's digest is of our files, and of the libraries.
        let (libraries, own): (Vec<_>, Vec<_>) = assets().partition(Asset::is_library);
        let both = [own, libraries].map(|assets| digest_of(assets.into_iter()));
        let expected = BASE64URL_NOPAD.encode(&Sha256::digest(both.concat()));
        assert!(expected.starts_with(&digest()) && digest().len() == 12);
    }

    #[test]
    fn each_file_has_the_type_as_which_browsers_use_it() {
        let own = |path: &str| asset(path).map(|asset| asset.content_type);
        assert_eq!(own("kit/tool.js"), Some("text/javascript; charset=utf-8"));
        assert_eq!(own("catalog.js"), Some("text/javascript; charset=utf-8"));
        for (path, content_type, is_module, is_library) in [
            ("a.css", "text/css; charset=utf-8", false, false),
            (
                "libraries/a.js",
                "text/javascript; charset=utf-8",
                true,
                true,
            ),
            ("a.png", "image/png", false, false),
            ("a.svg", "image/svg+xml", false, false),
            ("libraries/a.txt", "text/plain; charset=utf-8", false, true),
        ] {
            let asset = of(path, Cow::Borrowed(b""));
            assert_eq!(asset.content_type, content_type, "{path}");
            assert_eq!(asset.is_module(), is_module, "{path}");
            assert_eq!(asset.is_library(), is_library, "{path}");
        }
    }

    #[test]
    fn every_file_is_listed_and_the_catalog_is_among_them() {
        let listed: Vec<_> = assets().map(|asset| asset.path).collect();
        assert_eq!(listed, paths().collect::<Vec<_>>());
        assert_eq!(listed.len(), FILES.len() + 1);
        let catalog = asset(catalog::PATH).unwrap();
        let text = str::from_utf8(&catalog.bytes).unwrap();
        assert!(text.starts_with("export default [{") && text.ends_with("}];\n"));
        assert!(text.contains(r#""slug":"hex-encoder""#));
    }
}
