//! Embedded files, by path.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::iter;
use std::sync::{LazyLock, Mutex, PoisonError};

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use sha2::{Digest as _, Sha256};

use crate::catalog;

/// Bytes of a version's digest. 72 bits tell any two releases apart and need no Base64 padding.
const VERSION_BYTES: usize = 9;
/// Bytes of a library's digest.
const LIBRARY_BYTES: usize = 6;

// `FILES`: every file that pages load, ordered by path. `IMPORTS`: each module's static imports, by
// path. `IS_BUILT`: whether the pages were built. `READS_DISK`: whether our own files are read from
// disk for each request, so that edits are visible without a build.
include!(concat!(env!("OUT_DIR"), "/files.rs"));

struct File {
    path: &'static str,
    /// The path on disk, if read from there.
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

/// Whether the pages were built: minified, and with the libraries that some tools need.
pub const fn is_built() -> bool {
    IS_BUILT
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

/// A number that changes with any file, in builds that read files from disk. Otherwise 0.
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

/// The part of a file's address that changes with it, so that it may be cached indefinitely: the
/// overall version, or a library's own digest, so that a release does not refetch all libraries.
pub fn version_of(path: &str) -> Cow<'static, str> {
    match LIBRARIES.get(path) {
        // Unbuilt modules import libraries by their version.
        Some(digest) if !READS_DISK => Cow::Borrowed(digest),
        _ => version(),
    }
}

/// Digest of all files.
pub fn version() -> Cow<'static, str> {
    static RELEASE: LazyLock<String> = LazyLock::new(digest);
    static LATEST: Latest = Latest::new(None);
    if READS_DISK {
        Cow::Owned(version_at(revision(), &LATEST, digest))
    } else {
        Cow::Borrowed(&RELEASE)
    }
}

/// The last version, and its revision.
type Latest = Mutex<Option<(u64, String)>>;

/// The version at a revision, computed if the latest is another revision's.
fn version_at(revision: u64, latest: &Latest, digest: impl FnOnce() -> String) -> String {
    let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
    let version = match latest.take() {
        Some((of, version)) if of == revision => version,
        _ => digest(),
    };
    *latest = Some((revision, version.clone()));
    version
}

/// Each library's digest as `pages.mjs` writes it into the modules that import it: the first digits
/// of the one in `libraries.json`.
static LIBRARIES: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
    let libraries = assets().filter(Asset::is_library);
    let digest = |bytes: &[u8]| {
        let digest = Sha256::digest(bytes);
        HEXLOWER.encode(digest.get(..LIBRARY_BYTES).unwrap_or_default())
    };
    libraries.map(|asset| (asset.path, digest(&asset.bytes))).collect()
});

fn digest() -> String {
    let mut digest = Sha256::new();
    for asset in assets().filter(|asset| !asset.is_library()) {
        digest.update(asset.path);
        digest.update(asset.bytes.len().to_le_bytes());
        digest.update(&asset.bytes);
    }
    for (path, own) in &*LIBRARIES {
        digest.update(path);
        digest.update(own);
    }
    let digest = digest.finalize();
    BASE64URL_NOPAD.encode(digest.get(..VERSION_BYTES).unwrap_or_default())
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
    Asset { path, content_type, bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_ordered_so_that_each_is_found() {
        for file in FILES {
            assert_eq!(asset(file.path).map(|asset| asset.path), Some(file.path));
        }
        for absent in ["", "kit", "kit/", "/kit/tool.js", "kit/../kit/tool.js", "package.json"] {
            assert!(asset(absent).is_none(), "{absent}");
        }
    }

    /// A file embedded as `old`, with other content on disk.
    fn edited(path: &'static str, folder: &tempfile::TempDir) -> File {
        let disk = folder.path().join("edited");
        std::fs::write(&disk, "new text").unwrap();
        File { path, disk: disk.to_str().unwrap().to_owned().leak(), embedded: b"old" }
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
    fn a_library_has_a_version_of_its_own_where_modules_name_it() {
        assert_eq!(version().len(), 12);
        assert_eq!(version_of("kit/page.js"), version());
        let list = include_str!("../web/libraries.json");
        for asset in assets().filter(|asset| asset.is_library() && asset.is_module()) {
            let own = version_of(asset.path);
            assert_eq!(own == version(), READS_DISK, "{}", asset.path);
            let recorded = format!("\"sha256\":\"{own}");
            assert_eq!(list.contains(&recorded), !READS_DISK, "{}", asset.path);
        }
    }

    #[test]
    fn each_file_has_the_type_as_which_browsers_use_it() {
        let own = |path: &str| asset(path).map(|asset| asset.content_type);
        assert_eq!(own("kit/tool.js"), Some("text/javascript; charset=utf-8"));
        assert_eq!(own("catalog.js"), Some("text/javascript; charset=utf-8"));
        for (path, content_type, is_module, is_library) in [
            ("a.css", "text/css; charset=utf-8", false, false),
            ("libraries/a.js", "text/javascript; charset=utf-8", true, true),
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
