//! Baseline: the committed instruction counts of the hot paths.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;

use crate::Count;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.toml");

const HEAD: &str = "\
# Instructions of a request or a call, as callgrind counts them on x86-64 with AVX2.
# `just instructions` fails above these by five per cent; `just instructions --bless` writes this file.

";

/// Tolerated change of a path in per cent.
const TOLERANCE: u64 = 5;

/// The instructions of each path.
#[derive(Debug)]
pub(crate) struct Baseline(BTreeMap<String, u64>);

/// A path with its counts, now and before.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) name: String,
    pub(crate) before: Option<u64>,
    pub(crate) now: Option<u64>,
}

/// Outcome for a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// Unchanged within the tolerance.
    None,
    /// It costs less; the file should be updated.
    Cheaper,
    /// It costs more.
    Dearer,
    /// It is missing from the file.
    New,
    /// It is only in the file.
    Gone,
}

impl Baseline {
    pub(crate) fn of(counts: &[Count]) -> Self {
        let pairs = counts.iter();
        Self(
            pairs
                .map(|count| (count.name.clone(), count.instructions))
                .collect(),
        )
    }

    pub(crate) fn read() -> io::Result<Self> {
        let text = fs::read_to_string(FILE)?;
        toml::from_str(&text).map(Self).map_err(io::Error::other)
    }

    pub(crate) fn write(&self) -> io::Result<()> {
        let mut text = HEAD.to_owned();
        for (name, instructions) in &self.0 {
            let _ = writeln!(text, "{name:?} = {instructions}");
        }
        fs::write(FILE, text)
    }

    /// Each counted path, then the uncounted ones.
    pub(crate) fn verdicts(&self, counts: &[Count]) -> Vec<Verdict> {
        let counted = counts.iter().map(|count| Verdict {
            name: count.name.clone(),
            before: self.0.get(&count.name).copied(),
            now: Some(count.instructions),
        });
        let is_counted = |name: &str| counts.iter().any(|count| count.name == name);
        let gone = self.0.iter().filter(|(name, _)| !is_counted(name));
        let gone = gone.map(|(name, &before)| Verdict {
            name: name.clone(),
            before: Some(before),
            now: None,
        });
        counted.chain(gone).collect()
    }
}

impl Verdict {
    pub(crate) fn change(&self) -> Change {
        match (self.before, self.now) {
            (None, _) => Change::New,
            (_, None) => Change::Gone,
            (Some(before), Some(now)) if now * 100 > before * (100 + TOLERANCE) => Change::Dearer,
            (Some(before), Some(now)) if now * 100 < before * (100 - TOLERANCE) => Change::Cheaper,
            _ => Change::None,
        }
    }
}

impl Change {
    /// Whether it needs attention before a commit.
    pub(crate) fn fails(self) -> bool {
        matches!(self, Self::Dearer | Self::New | Self::Gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(before: &str, now: &[(&str, u64)]) -> Vec<(String, Change)> {
        let counts: Vec<_> = now
            .iter()
            .map(|&(name, instructions)| Count {
                name: name.to_owned(),
                instructions,
            })
            .collect();
        let baseline = Baseline(toml::from_str(before).unwrap());
        let verdicts = baseline.verdicts(&counts);
        verdicts
            .into_iter()
            .map(|verdict| (verdict.name.clone(), verdict.change()))
            .collect()
    }

    #[test]
    fn five_per_cent_pass_in_both_directions_and_one_instruction_more_does_not() {
        let changes = [
            (950, Change::None),
            (949, Change::Cheaper),
            (1050, Change::None),
            (1051, Change::Dearer),
        ];
        for (now, change) in changes {
            let seen = verdicts("\"a, b\" = 1000", &[("a, b", now)]);
            assert_eq!(seen, [("a, b".to_owned(), change)], "{now}");
        }
        assert!(Change::Dearer.fails());
        assert!(!Change::Cheaper.fails());
    }

    #[test]
    fn a_path_without_a_count_before_or_now_fails() {
        let seen = verdicts("old = 1", &[("new", 1)]);
        let expected = [("new", Change::New), ("old", Change::Gone)];
        assert_eq!(
            seen,
            expected.map(|(name, change)| (name.to_owned(), change))
        );
        assert!(seen.iter().all(|(_, change)| change.fails()));
    }
}
