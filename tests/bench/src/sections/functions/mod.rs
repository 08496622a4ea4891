//! Functions: those of the tools compared with the fastest alternatives for the same work, in
//! alternating rounds, each on one thread.

mod calls;
mod racer;

use std::error::Error;
use std::io;

use serde::Deserialize;
use toolkit_bench::table::{figure, float, size};
use toolkit_bench::{Result, list};

pub(super) use self::racer::function;
use super::{Bench, Section};
use crate::measure::median;

/// A work of `works.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Work {
    name: String,
    input: String,
    #[serde(default)]
    bytes: usize,
    results: Option<usize>,
    peers: Vec<Peer>,
}

/// A peer: another program or crate that does the work.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Peer {
    name: String,
    bytes: Option<usize>,
    results: Option<usize>,
    tiny: Option<String>,
    python: Option<String>,
    openssl: Option<String>,
    goal: Option<String>,
}

/// Work of a peer per second, round by round, or the reason why it was not measured.
type Speeds = Result<Vec<f64>, String>;

pub(super) fn measure(bench: &Bench, section: &mut Section) -> Result<()> {
    let works: Vec<Work> = list(include_str!("works.toml"))?;
    for work in works.iter().filter(|work| bench.wants(&work.name)) {
        let input = calls::input(&work.input, work.bytes);
        let amount = float(work.results.unwrap_or(input.len()));
        let ours = calls::call(&work.name, "ours", &input)?;
        let mut peers = Vec::new();
        for peer in &work.peers {
            let own = peer.bytes.map(|bytes| calls::input(&work.input, bytes));
            let own = own.as_ref().unwrap_or(&input);
            let racer = racer::of_peer(work, peer, own, &input)?;
            let length = peer.results.or(work.results).unwrap_or(own.len());
            peers.push((peer, racer, length, Ok(Vec::new())));
        }
        let (duration, mut speeds) = (bench.plan.duration / 4, Vec::new());
        for _ in 0..bench.plan.rounds {
            speeds.push(amount / ours(duration)?);
            for (_, racer, length, theirs) in &mut peers {
                // A peer that failed once is not run again.
                let Ok(rounds) = theirs else { continue };
                match racer(duration) {
                    Ok(seconds) => rounds.push(float(*length) / seconds),
                    Err(error) => *theirs = Err(reason(&*error)),
                }
            }
        }
        for (peer, _, length, theirs) in peers {
            work.compare(peer, length, &speeds, theirs, section);
        }
    }
    section.table("Work | Peer | Its input | Ours | The peer's | Times as fast");
    Ok(())
}

fn reason(error: &(dyn Error + 'static)) -> String {
    match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(io::ErrorKind::NotFound) => "not installed".to_owned(),
        _ => error.to_string(),
    }
}

impl Work {
    fn in_words(&self, speeds: &[f64]) -> String {
        let speed = median(speeds.to_vec());
        match self.results {
            Some(_) => format!("{} thousand/s", figure(speed / 1e3)),
            None => format!("{} MB/s", figure(speed / 1e6)),
        }
    }

    /// Adds the row of a peer, and the figure for its goal.
    fn compare(
        &self,
        peer: &Peer,
        length: usize,
        ours: &[f64],
        theirs: Speeds,
        section: &mut Section,
    ) {
        let input = self
            .results
            .map_or_else(|| size(length), |_| "-".to_owned());
        let (name, speed) = (&self.name, self.in_words(ours));
        let start = format!("{name} | {} | {input} | {speed}", peer.name);
        let theirs = match theirs {
            Ok(theirs) => theirs,
            Err(reason) => return section.row([start, reason, String::new()]),
        };
        let pairs = ours.iter().zip(&theirs);
        let ratio = median(pairs.map(|(ours, theirs)| ours / theirs).collect());
        if let Some(goal) = &peer.goal {
            // This goal is a ratio of times, not of speeds.
            let exponent = if goal == "conversion" { -1 } else { 1 };
            section.figure(goal, &self.name, ratio.powi(exponent));
        }
        let times = format!("{} x", figure(ratio));
        section.row([start, self.in_words(&theirs), times]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(goal: &str, theirs: Speeds) -> Section {
        let peers = format!("[{{ name = '`yq`', goal = '{goal}' }}]");
        let work = format!("name = 'YAML'\ninput = ''\npeers = {peers}");
        let work: Work = toml::from_str(&work).unwrap();
        let mut section = Section::default();
        work.compare(&work.peers[0], 1_000_000, &[40e6], theirs, &mut section);
        section
    }

    #[test]
    fn a_bound_in_times_gets_the_ratio_of_the_times() {
        for (goal, value) in [("conversion", 1.25), ("json-jq", 0.8)] {
            let section = compare(goal, Ok(vec![50e6]));
            let values: Vec<f64> = section.figures.iter().map(|found| found.value).collect();
            assert_eq!(values, [value]);
        }
    }

    #[test]
    fn a_missing_peer_has_a_row_with_the_reason() {
        let section = compare("json-jq", Err("not installed".to_owned()));
        let row = "YAML | `yq` | 1.00 MB | 40.0 MB/s | not installed | ";
        assert_eq!(section.rows, [row]);
        assert!(section.figures.is_empty());
    }
}
