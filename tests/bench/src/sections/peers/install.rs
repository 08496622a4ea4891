//! The peers' packages, in a folder of the user's cache: nothing of them is part of the project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::output;
use crate::report::say;

/// The peers' programs and the lists of their packages, in the project's folder.
const PROGRAMS: &str = "tests/bench/peers";

/// What a peer is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    JavaScript,
    Python,
}

/// The folder with all that could be installed.
pub(super) struct Installation {
    folder: PathBuf,
    /// Why there is no JavaScript, or no Python.
    javascript: Result<(), String>,
    python: Result<(), String>,
}

impl Installation {
    /// Installs what is not there yet in the versions that the project names.
    pub(super) fn make() -> io::Result<Self> {
        let folder = cache()?.join("toolkit-bench");
        fs::create_dir_all(&folder)?;
        for file in fs::read_dir(PROGRAMS)? {
            let file = file?;
            fs::copy(file.path(), folder.join(file.file_name()))?;
        }
        let install = |program, list, install| {
            if Command::new(program).arg("--version").output().is_err() {
                return Err(format!("{program} is not installed"));
            }
            once(&folder, list, install).map_err(|error| error.to_string())
        };
        Ok(Self {
            javascript: install("npm", "package-lock.json", npm),
            python: install("python3", "requirements.txt", pip),
            folder,
        })
    }

    /// What runs one of the programs.
    pub(super) fn command(&self, language: Language, script: &str) -> io::Result<Command> {
        let (there, runtime) = match language {
            Language::JavaScript => (&self.javascript, node(&self.folder)),
            Language::Python => (&self.python, self.folder.join("venv/bin/python")),
        };
        there.clone().map_err(io::Error::other)?;
        let mut command = Command::new(runtime);
        command
            .arg(script)
            .current_dir(&self.folder)
            .env("NODE_ENV", "production");
        Ok(command)
    }

    /// The version of a package, with that of what runs it.
    pub(super) fn version(&self, language: Language, package: &str) -> io::Result<String> {
        let text = match language {
            Language::JavaScript => {
                #[derive(Deserialize)]
                struct Manifest {
                    version: String,
                }
                let path = self.folder.join("node_modules").join(package);
                let manifest = fs::read(path.join("package.json"))?;
                let Manifest { version } = serde_json::from_slice(&manifest)?;
                let node = output(Command::new(node(&self.folder)).arg("--version"))?;
                format!("{version}, Node {}", String::from_utf8_lossy(&node))
            }
            Language::Python => {
                let code = "import sys, platform, importlib.metadata as m; \
                            print(m.version(sys.argv[1]) + ', Python ' + platform.python_version())";
                let mut command = self.command(language, "-c")?;
                String::from_utf8_lossy(&output(command.args([code, package]))?).into_owned()
            }
        };
        Ok(text.trim().to_owned())
    }
}

/// The folder for what can be had again.
fn cache() -> io::Result<PathBuf> {
    let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let cache = folder("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || folder("HOME").map(|home| Path::new(&home).join(".cache"));
    let none = || io::Error::other("neither XDG_CACHE_HOME nor HOME is set");
    cache.or_else(home).ok_or_else(none)
}

/// Installs what a list names, unless that very list was installed before.
fn once(folder: &Path, list: &str, install: fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let wanted = fs::read(folder.join(list))?;
    let stamp = folder.join(list).with_extension("installed");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    say(&format!("installing what {list} names"));
    if let Err(error) = install(folder) {
        // For the terminal alone: it names folders of this machine.
        say(&error.to_string());
        let text = format!("what {list} names cannot be installed");
        return Err(io::Error::new(error.kind(), text));
    }
    fs::write(stamp, wanted)
}

fn npm(folder: &Path) -> io::Result<()> {
    output(Command::new("npm").current_dir(folder).args([
        "ci",
        // What the packages would run when they are installed is not needed, but for the one below.
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]))?;
    // CyberChef repairs the imports of one of its dependencies when it is installed.
    let repair = "node_modules/cyberchef/src/core/config/scripts/fixCryptoApiImports.mjs";
    output(Command::new(node(folder)).arg(repair).current_dir(folder))?;
    Ok(())
}

fn pip(folder: &Path) -> io::Result<()> {
    output(
        Command::new("python3")
            .current_dir(folder)
            .args(["-m", "venv", "venv"]),
    )?;
    output(
        Command::new(folder.join("venv/bin/pip"))
            .args(["install", "--quiet", "--requirement", "requirements.txt"])
            .current_dir(folder),
    )?;
    Ok(())
}

/// Node comes as a package of its own: one of the peers needs a newer one than most systems have.
fn node(folder: &Path) -> PathBuf {
    let machine = if cfg!(target_arch = "aarch64") {
        "arm64"
    } else {
        "x64"
    };
    folder.join(format!("node_modules/node-linux-{machine}/bin/node"))
}
