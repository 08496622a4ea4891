//! Functions: the tools' parts against the fastest that others use for the same work.
//!
//! Functions get an input of 1 MB, which is what a body may have, and where that tells something a small one.
//! Programs get more, where they are fast, so that what they take to start can be taken off.

mod bytes;
mod cpu;
mod json;
mod markup;
mod peer;
mod race;
mod small;

use std::io;

use self::race::{Outcome, Rival};
use super::{Bench, Section};
use crate::goals::{Finding, Goal};
use crate::table::{Table, figure};

/// Bytes of an input.
const MB: usize = 1_000_000;

/// Measures one piece of work, if it is wanted.
type Work = fn(&Bench) -> io::Result<Option<Outcome>>;

const WORKS: [Work; 13] = [
    json::pretty,
    json::minify,
    bytes::encode_base64,
    bytes::decode_base64,
    bytes::sha1,
    bytes::sha256,
    bytes::sha512,
    bytes::md5,
    markup::yaml_to_json,
    markup::xml_to_json,
    small::search,
    small::identifiers,
    small::encode_base64,
];

pub(super) fn measure(bench: &Bench) -> io::Result<Section> {
    let outcomes: io::Result<Vec<_>> = WORKS
        .into_iter()
        .filter_map(|work| work(bench).transpose())
        .collect();
    let outcomes = outcomes?;
    Ok(Section {
        text: table(&outcomes).to_string(),
        findings: findings(&outcomes),
        ..Section::default()
    })
}

fn table(outcomes: &[Outcome]) -> Table {
    let columns = ["Work", "Peer", "Ours", "The peer's", "Times as fast"];
    let mut table = Table::new(&columns, 2);
    for outcome in outcomes {
        for rival in &outcome.rivals {
            table.row(&cells(outcome, rival));
        }
    }
    table
}

fn cells(outcome: &Outcome, rival: &Rival) -> [String; 5] {
    let speed = |value| format!("{} {}", figure(value), outcome.unit.name());
    let (theirs, ratio) = match &rival.result {
        Ok(theirs) => (speed(theirs.speed), format!("{} x", figure(theirs.ratio))),
        Err(reason) => (reason.clone(), String::new()),
    };
    [
        outcome.work.to_owned(),
        rival.name.to_owned(),
        speed(outcome.speed),
        theirs,
        ratio,
    ]
}

/// What was found for each goal.
fn findings(outcomes: &[Outcome]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for (goal, work, value) in outcomes.iter().flat_map(figures) {
        let figure = (work.to_owned(), value);
        match findings.iter_mut().find(|finding| finding.goal == goal) {
            Some(finding) => finding.figures.push(figure),
            None => findings.push(Finding {
                goal,
                figures: vec![figure],
            }),
        }
    }
    findings
}

fn figures(outcome: &Outcome) -> impl Iterator<Item = (Goal, &'static str, f64)> {
    let speed = outcome.goal.map(|goal| (goal, outcome.work, outcome.speed));
    let ratios = outcome.rivals.iter().filter_map(|rival| {
        let (goal, theirs) = (rival.goal?, rival.result.as_ref().ok()?);
        let value = match goal {
            // This one is laid down in times, and not in speeds.
            Goal::ConversionAgainstParser => 1.0 / theirs.ratio,
            _ => theirs.ratio,
        };
        Some((goal, outcome.work, value))
    });
    speed.into_iter().chain(ratios)
}

#[cfg(test)]
mod tests {
    use super::race::{Theirs, Unit};
    use super::*;

    fn outcome(goal: Goal, result: Result<Theirs, String>) -> Outcome {
        Outcome {
            work: "YAML",
            unit: Unit::Megabytes,
            speed: 40.0,
            goal: Some(Goal::YamlSpeed),
            rivals: vec![Rival {
                name: "`yq`",
                result,
                goal: Some(goal),
            }],
        }
    }

    #[test]
    fn a_bound_in_times_gets_the_ratio_of_the_times() {
        let theirs = || {
            Ok(Theirs {
                speed: 50.0,
                ratio: 0.8,
            })
        };
        for (goal, value) in [
            (Goal::ConversionAgainstParser, 1.25),
            (Goal::JsonAgainstJq, 0.8),
        ] {
            let found = findings(&[outcome(goal, theirs()), outcome(goal, theirs())]);
            let found: Vec<_> = found.iter().map(|one| (one.goal, &*one.figures)).collect();
            let twice = |value| [("YAML".to_owned(), value), ("YAML".to_owned(), value)];
            let (speeds, ratios) = (twice(40.0), twice(value));
            assert_eq!(found, [(Goal::YamlSpeed, &speeds[..]), (goal, &ratios[..])]);
        }
    }

    #[test]
    fn a_peer_that_is_not_there_has_a_row_that_says_so() {
        let missing = outcome(Goal::JsonAgainstJq, Err("not installed".to_owned()));
        assert_eq!(findings(std::slice::from_ref(&missing)).len(), 1);
        let table = table(&[missing]).to_string();
        assert!(table.ends_with("| YAML | `yq` | 40.0 MB/s | not installed |  |\n"));
    }
}
