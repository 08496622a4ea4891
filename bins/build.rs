//! Program version: the package's and, as `SemVer` build metadata, the commit and its date.
//!
//! Without git, as in a container, `TOOLKIT_COMMIT` may supply git's output. Otherwise both are
//! absent.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=TOOLKIT_COMMIT");
    let mut version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let given = env::var("TOOLKIT_COMMIT").ok();
    if let Some(commit) = given.filter(|commit| !commit.is_empty()).or_else(commit) {
        version = format!("{version}+{commit}");
    }
    // `cargo run` passes it on to the program, where a name that starts with `TOOLKIT_` would be an
    // unknown setting.
    println!("cargo::rustc-env=PROGRAM_VERSION={version}");
}

/// The repository's current commit. A tarball inside another repository has none.
fn commit() -> Option<String> {
    let root = git(&["rev-parse", "--show-toplevel"])?;
    let own = Path::new("../..").canonicalize().ok()?;
    if Path::new(&root).canonicalize().ok()? != own {
        return None;
    }
    // Grows with each commit and each checkout.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    git(&["log", "-1", "--format=%h.%cs"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let run = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(run.stdout).ok()?;
    run.status.success().then(|| text.trim().to_owned())
}
