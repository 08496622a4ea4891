//! Program version: package version, commit and commit date, known only to the binary.

use std::sync::OnceLock;

static VERSION: OnceLock<&'static str> = OnceLock::new();

/// Sets the program's version, once.
pub fn set(version: &'static str) {
    let _ = VERSION.set(version);
}

/// The program's version. Until set, that of the package.
pub fn get() -> &'static str {
    VERSION.get().copied().unwrap_or(env!("CARGO_PKG_VERSION"))
}
