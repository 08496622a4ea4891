//! Baseline: the committed instruction counts of the hot paths, and how others differ from them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use toolkit_measure::Result;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.toml");

const HEAD: &str = "\
# Instructions of a request or a call, as callgrind counts them on x86-64 with AVX2.
# `just instructions` fails above these by five per cent; `just instructions --bless` writes this file.

";

/// Tolerated change of a path in per cent.
const TOLERANCE: f64 = 5.0;

/// The instructions of one execution of each path.
pub(crate) type Counts = BTreeMap<String, f64>;

pub(crate) fn read() -> Result<Counts> {
    Ok(toml::from_str(&fs::read_to_string(FILE)?)?)
}

pub(crate) fn write(counts: &Counts) -> Result<()> {
    Ok(fs::write(FILE, text(counts))?)
}

fn text(counts: &Counts) -> String {
    let mut text = HEAD.to_owned();
    for (name, instructions) in counts {
        let _ = writeln!(text, "{name:?} = {instructions}");
    }
    text
}

/// Prints a line for each path, counted before or now, and returns whether none fails.
pub(crate) fn compare(before: &Counts, now: &Counts) -> bool {
    println!("{:>12} {:>12}", "before", "now");
    let (mut fails, mut notes) = (false, String::new());
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    for name in names {
        let counts = [before, now].map(|counts| counts.get(name).copied());
        let (failed, note) = verdict(counts);
        let [was, is] = counts.map(|count| count.map_or("-".to_owned(), |n| n.to_string()));
        let change = match counts {
            [Some(before), Some(now)] => format!("{:+.1} %", (now / before - 1.0) * 100.0),
            _ => String::new(),
        };
        println!("{was:>12} {is:>12} {change:>7}  {name}{note}");
        fails |= failed;
        notes += note;
    }
    if !notes.is_empty() {
        println!(
            "`just instructions --bless` makes these the baseline; commit it with its reason."
        );
    }
    !fails
}

/// Whether a path with these counts, before and now, needs attention before a commit; and a note,
/// which is empty within the tolerance.
fn verdict(counts: [Option<f64>; 2]) -> (bool, &'static str) {
    const DEARER: &str = "   FAILED: dearer by over five per cent";
    match counts {
        [None, _] => (true, "   FAILED: not in the baseline"),
        [_, None] => (true, "   FAILED: not measured any more"),
        [Some(before), Some(now)] if now * 100.0 > before * (100.0 + TOLERANCE) => (true, DEARER),
        [Some(before), Some(now)] if now * 100.0 < before * (100.0 - TOLERANCE) => {
            (false, "   cheaper: bless it")
        }
        _ => (false, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_per_cent_pass_in_both_directions_and_one_instruction_more_does_not() {
        let cases = [
            (950.0, (false, "")),
            (949.0, (false, "cheaper: bless it")),
            (1050.0, (false, "")),
            (1051.0, (true, "FAILED: dearer by over five per cent")),
        ];
        for (now, expected) in cases {
            let (fails, note) = verdict([Some(1000.0), Some(now)]);
            assert_eq!((fails, note.trim()), expected, "{now}");
        }
    }

    #[test]
    fn a_path_without_a_count_before_or_now_fails() {
        let [old, new] = ["old = 1", "new = 1"].map(|text| toml::from_str(text).unwrap());
        assert!(verdict([None, Some(1.0)]).1.contains("not in"));
        assert!(verdict([Some(1.0), None]).1.contains("not measured"));
        for (before, now, is_well) in [(&old, &new, false), (&new, &new, true)] {
            assert_eq!(compare(before, now), is_well);
        }
    }

    #[test]
    fn the_committed_baseline_is_as_blessing_writes_it() {
        assert_eq!(text(&read().unwrap()), fs::read_to_string(FILE).unwrap());
    }
}
