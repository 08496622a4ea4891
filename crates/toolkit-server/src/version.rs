//! Version of the program: of the package, the commit and its date, which only the program knows.

use std::sync::OnceLock;

static VERSION: OnceLock<&'static str> = OnceLock::new();

/// Sets the version of the program, once.
pub fn set(version: &'static str) {
    let _ = VERSION.set(version);
}

/// The version of the program; until it is set, that of the packages.
pub fn get() -> &'static str {
    VERSION.get().copied().unwrap_or(env!("CARGO_PKG_VERSION"))
}
