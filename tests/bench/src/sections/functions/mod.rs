//! Functions: those of the tools compared with the fastest alternatives for the same work, in
//! alternating rounds, each on one thread.

mod calls;
mod racer;

use std::io;

use serde::Deserialize;
use toolkit_bench::table::{figure, float, size};

pub(super) use self::racer::function;
use super::{Bench, Section};
use crate::goals::Figure;
use crate::measure::median;

#[derive(Deserialize)]
struct Works {
    works: Vec<Work>,
}

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

pub(super) fn measure(bench: &Bench, section: &mut Section) -> io::Result<()> {
    let Works { works } = toml::from_str(include_str!("works.toml")).map_err(io::Error::other)?;
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
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {
                        *theirs = Err("not installed".to_owned());
                    }
                    Err(error) => *theirs = Err(error.to_string()),
                }
            }
        }
        for (peer, _, length, theirs) in peers {
            let (row, found) = work.outcome(peer, length, &speeds, theirs);
            section.row([row]);
            section.figures.extend(found);
        }
    }
    section.table("Work | Peer | Its input | Ours | The peer's | Times as fast");
    Ok(())
}

impl Work {
    fn in_words(&self, speeds: &[f64]) -> String {
        let speed = median(speeds.to_vec());
        match self.results {
            Some(_) => format!("{} thousand/s", figure(speed / 1e3)),
            None => format!("{} MB/s", figure(speed / 1e6)),
        }
    }

    /// Returns the row of a peer, and the figure for its goal.
    fn outcome(
        &self,
        peer: &Peer,
        length: usize,
        ours: &[f64],
        theirs: Speeds,
    ) -> (String, Option<Figure>) {
        let input = self
            .results
            .map_or_else(|| size(length), |_| "-".to_owned());
        let start = format!(
            "{} | {} | {input} | {}",
            self.name,
            peer.name,
            self.in_words(ours)
        );
        let theirs = match theirs {
            Ok(theirs) => theirs,
            Err(reason) => return (format!("{start} | {reason} | "), None),
        };
        let pairs = ours.iter().zip(&theirs);
        let ratio = median(pairs.map(|(ours, theirs)| ours / theirs).collect());
        let found = peer.goal.as_deref().map(|goal| {
            // This goal is a ratio of times, not of speeds.
            let value = if goal == "conversion" {
                1.0 / ratio
            } else {
                ratio
            };
            let (goal, name) = (goal.to_owned(), self.name.clone());
            Figure { goal, name, value }
        });
        let row = format!("{start} | {} | {} x", self.in_words(&theirs), figure(ratio));
        (row, found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(goal: &str, theirs: Speeds) -> (String, Option<Figure>) {
        let text = format!(
            "works = [{{ name = 'YAML', input = '', peers = [{{ name = '`yq`', goal = '{goal}' }}] }}]"
        );
        let Works { works } = toml::from_str(&text).unwrap();
        works[0].outcome(&works[0].peers[0], 1_000_000, &[40e6], theirs)
    }

    #[test]
    fn a_bound_in_times_gets_the_ratio_of_the_times() {
        for (goal, value) in [("conversion", 1.25), ("json-jq", 0.8)] {
            let (_, found) = outcome(goal, Ok(vec![50e6]));
            assert_eq!(found.map(|found| found.value), Some(value));
        }
    }

    #[test]
    fn a_missing_peer_has_a_row_with_the_reason() {
        let (row, found) = outcome("json-jq", Err("not installed".to_owned()));
        assert_eq!(row, "YAML | `yq` | 1.00 MB | 40.0 MB/s | not installed | ");
        assert!(found.is_none());
    }
}
