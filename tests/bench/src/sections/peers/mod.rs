//! Peers: the same work done by common alternatives, in requests per second of CPU time.

pub(super) mod install;

use std::io;

use serde::Deserialize;
use serde_json::json;
use toolkit_bench::cases;
use toolkit_bench::process::Server;
use toolkit_bench::table::{figure, times};

use super::{Bench, Section, ours};
use crate::measure::{Costs, Plan, Subject, alternate};
use install::{Language, start, version};

/// Input of all peers, and the expected output.
const TEXT: &str = "Hello, World! 32 bytes of text.";
const ENCODED: &str = "SGVsbG8sIFdvcmxkISAzMiBieXRlcyBvZiB0ZXh0Lg==";

const HEADS: &str = "Peer | Version | Body | ours per CPU second, of the peer's \
                     | ours per CPU second | the peer's | ours, requests/s | the peer's \
                     | its memory, MiB";

#[derive(Deserialize)]
struct Peers {
    peers: Vec<Peer>,
}

/// A program in `tests/bench/peers`, as listed in `peers.toml`.
#[derive(Deserialize)]
struct Peer {
    name: String,
    goal: String,
    language: Language,
    script: String,
    package: String,
    path: String,
}

pub(super) fn measure(bench: &Bench, section: &mut Section) -> io::Result<()> {
    const PEERS: &str = include_str!("../../../peers/peers.toml");
    let Peers { peers } = toml::from_str(PEERS).map_err(io::Error::other)?;
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

fn compare(peer: &Peer, ours: &Server, plan: Plan, section: &mut Section) -> io::Result<()> {
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
            return Err(io::Error::other(format!("a wrong answer: {answer}")));
        }
    }
    // The peer is compiled just in time, so it needs a warm-up.
    let warm_up = plan.warm_up * 10;
    let costs = alternate(subjects, Plan { warm_up, ..plan })?;
    let ratio = costs[1].cpu_over(&costs[0]);
    section.figure(&peer.goal, &peer.name, ratio);
    let medians = costs.map(|costs: Costs| costs.median());
    section.row([
        peer.name.clone(),
        version(peer.language, &peer.package)?,
        case.input(),
        times(ratio),
        medians
            .map(|cost| figure(1e6 / cost.cpu_micros))
            .join(" | "),
        medians.map(|cost| figure(cost.per_second)).join(" | "),
        figure(theirs.memory("VmRSS")?),
    ]);
    Ok(())
}
