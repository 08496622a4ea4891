//! The same work done by what others use for it, in requests for a second of CPU time.

mod install;

use std::io;
use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use toolkit_bench::cases::{self, Case};
use toolkit_bench::process::{Server, free_port};

use super::{Bench, Section, ours};
use crate::goals::{Finding, Goal};
use crate::measure::{Costs, Plan, Subject, alternate};
use crate::report::say;
use crate::table::{Table, figure};
use install::{Installation, Language};

/// What all of them encode, and what comes of it.
const TEXT: &str = "Hello, World! 32 bytes of text.";
const ENCODED: &str = "SGVsbG8sIFdvcmxkISAzMiBieXRlcyBvZiB0ZXh0Lg==";

/// How long a peer is asked before it counts: its compiler works while it runs.
const WARM_UP: Duration = Duration::from_secs(2);

/// What a peer does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Encodes the text of a JSON body.
    Run,
    /// Answers `tools/call` of a tool that does the same.
    Call,
}

/// A program in `tests/bench/peers`.
struct Peer {
    name: &'static str,
    goal: Goal,
    language: Language,
    script: &'static str,
    /// The package that is measured.
    package: &'static str,
    work: Work,
}

static PEERS: [Peer; 6] = [
    node(
        "fastify",
        Goal::Fastify,
        "fastify.mjs",
        "fastify",
        Work::Run,
    ),
    node(
        "express",
        Goal::Express,
        "express.mjs",
        "express",
        Work::Run,
    ),
    Peer {
        name: "FastAPI, uvicorn",
        goal: Goal::FastApi,
        language: Language::Python,
        script: "fastapi_endpoint.py",
        package: "fastapi",
        work: Work::Run,
    },
    node(
        "CyberChef, node:http",
        Goal::CyberChef,
        CYBERCHEF,
        "cyberchef",
        Work::Run,
    ),
    node(
        "TypeScript MCP SDK, express",
        Goal::TypeScriptSdk,
        "typescript_sdk.mjs",
        "@modelcontextprotocol/sdk",
        Work::Call,
    ),
    Peer {
        name: "Python MCP SDK, uvicorn",
        goal: Goal::PythonSdk,
        language: Language::Python,
        script: "python_sdk.py",
        package: "mcp",
        work: Work::Call,
    },
];

const CYBERCHEF: &str = "cyberchef.mjs";

const fn node(
    name: &'static str,
    goal: Goal,
    script: &'static str,
    package: &'static str,
    work: Work,
) -> Peer {
    Peer {
        name,
        goal,
        language: Language::JavaScript,
        script,
        package,
        work,
    }
}

/// A peer beside ours.
struct Compared {
    peer: &'static Peer,
    version: String,
    theirs: Costs,
    ours: Costs,
    resident_mib: f64,
}

impl Compared {
    /// Requests per CPU second of ours over the peer's.
    fn ratio(&self) -> f64 {
        self.theirs.cpu_over(&self.ours)
    }
}

pub(super) fn measure(bench: &Bench) -> io::Result<Section> {
    let wanted: Vec<&Peer> = PEERS.iter().filter(|peer| bench.wants(peer.name)).collect();
    if wanted.is_empty() {
        return Ok(Section::default());
    }
    let installation = Installation::make()?;
    let (api, mcp) = (ours("api-server", &[])?, ours("mcp-server", &[])?);
    let plan = Plan {
        warm_up: WARM_UP,
        ..bench.plan
    };
    let (mut rows, mut without) = (Vec::new(), Vec::new());
    for peer in wanted {
        let server = if peer.work == Work::Run { &api } else { &mcp };
        match compare(peer, server, &installation, plan) {
            Ok(row) => {
                say(&format!("{}: ours {} x", peer.name, figure(row.ratio())));
                rows.push(row);
            }
            Err(error) => without.push(format!("Not measured: {}: {error}.\n", peer.name)),
        }
    }
    let alone = chef_alone(&installation, plan.duration);
    Ok(Section {
        text: format!("{}\n{alone}{}", table(&rows), without.concat()),
        findings: rows.iter().map(finding).collect(),
        plots: Vec::new(),
    })
}

fn compare(
    peer: &'static Peer,
    ours: &Server,
    installation: &Installation,
    plan: Plan,
) -> io::Result<Compared> {
    let port = free_port()?;
    let mut command = installation.command(peer.language, peer.script)?;
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let theirs = Server::start(command.arg(port.to_string()), address)?;
    let (our_case, their_case) = cases(peer.work);
    let theirs = Subject {
        server: &theirs,
        case: &their_case,
    };
    let ours = Subject {
        server: ours,
        case: &our_case,
    };
    for subject in [ours, theirs] {
        must_be_right(&subject.ask()?)?;
    }
    let [our_costs, their_costs] = alternate([ours, theirs], plan)?;
    Ok(Compared {
        peer,
        version: installation.version(peer.language, peer.package)?,
        theirs: their_costs,
        ours: our_costs,
        resident_mib: theirs.server.memory()?.resident,
    })
}

/// What ours is asked, and what the peer is.
fn cases(work: Work) -> (Case, Case) {
    let (ours, path) = match work {
        Work::Run => (
            cases::run(
                "a run".to_owned(),
                "base64-encoder",
                &json!({ "text": TEXT }),
            ),
            "/base64",
        ),
        Work::Call => (
            cases::call(
                "base64_transform",
                &json!({"text": TEXT, "mode": "encode"}),
                false,
            ),
            "/mcp",
        ),
    };
    let theirs = Case {
        path: path.to_owned(),
        ..ours.clone()
    };
    (ours, theirs)
}

fn must_be_right(answer: &[u8]) -> io::Result<()> {
    let text = String::from_utf8_lossy(answer);
    if text.contains(ENCODED) {
        return Ok(());
    }
    Err(io::Error::other(format!("a wrong answer: {text}")))
}

/// What the function of one of them does without a server around it, in words.
fn chef_alone(installation: &Installation, time: Duration) -> String {
    const WHAT: &str = "CyberChef's function alone, called in a loop without a server";
    match calls_in_a_loop(installation, time) {
        Ok(per_second) => format!("{WHAT}: {} calls per CPU second.\n", figure(per_second)),
        Err(error) => format!("Not measured: {WHAT}: {error}.\n"),
    }
}

fn calls_in_a_loop(installation: &Installation, time: Duration) -> io::Result<f64> {
    #[derive(Deserialize)]
    struct Done {
        calls: f64,
        cpu_seconds: f64,
    }
    let seconds = time.max(WARM_UP).as_secs().to_string();
    let mut command = installation.command(Language::JavaScript, CYBERCHEF)?;
    let output = output(command.args(["loop", &seconds]))?;
    let done: Done = serde_json::from_slice(&output)?;
    Ok(done.calls / done.cpu_seconds)
}

/// What a program prints; when it fails, an error with what it complains about, which npm explains at length.
fn output(command: &mut Command) -> io::Result<Vec<u8>> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines: Vec<&str> = complaint.trim().lines().take(3).collect();
    Err(io::Error::other(format!(
        "{}: {}",
        output.status,
        lines.join(" ")
    )))
}

fn finding(row: &Compared) -> Finding {
    Finding {
        goal: row.peer.goal,
        figures: vec![(row.peer.name.to_owned(), row.ratio())],
    }
}

fn table(rows: &[Compared]) -> Table {
    let mut table = Table::of_figures(&[
        "Peer",
        "Version",
        "ours per CPU second, of the peer's",
        "Goal",
        "ours per CPU second",
        "the peer's",
        "ours, requests/s",
        "the peer's",
        "its memory, MiB",
    ]);
    for row in rows {
        let (ours, theirs) = (row.ours.median(), row.theirs.median());
        table.row(&[
            row.peer.name.to_owned(),
            row.version.clone(),
            format!("{} x", figure(row.ratio())),
            row.peer.goal.bound(),
            figure(ours.per_cpu_second()),
            figure(theirs.per_cpu_second()),
            figure(ours.per_second),
            figure(theirs.per_second),
            figure(row.resident_mib),
        ]);
    }
    table
}
