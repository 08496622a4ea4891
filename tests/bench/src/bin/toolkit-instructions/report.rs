//! Report of the instruction counts.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]

use crate::baseline::{Change, Verdict};

/// Prints a line for each path, and returns whether all are within the tolerance.
pub(crate) fn verdicts(verdicts: &[Verdict]) -> bool {
    println!("{:>12} {:>12}", "before", "now");
    for verdict in verdicts {
        line(verdict);
    }
    let changes: Vec<_> = verdicts.iter().map(Verdict::change).collect();
    if changes.iter().any(|&change| change != Change::None) {
        println!(
            "`just instructions --bless` makes what is now the baseline; commit it with its reason."
        );
    }
    !changes.into_iter().any(Change::fails)
}

fn line(verdict: &Verdict) {
    let number = |count: Option<u64>| count.map_or("-".to_owned(), |count| count.to_string());
    let note = match verdict.change() {
        Change::None => "",
        Change::Cheaper => "   cheaper: bless it",
        Change::Dearer => "   FAILED: dearer by over five per cent",
        Change::New => "   FAILED: not in the baseline",
        Change::Gone => "   FAILED: not measured any more",
    };
    println!(
        "{:>12} {:>12} {:>7}  {}{note}",
        number(verdict.before),
        number(verdict.now),
        percent(verdict),
        verdict.name,
    );
}

#[expect(
    clippy::cast_precision_loss,
    reason = "instructions are far fewer than 2^52"
)]
fn percent(verdict: &Verdict) -> String {
    match (verdict.before, verdict.now) {
        (Some(before), Some(now)) => {
            format!("{:+.1} %", (now as f64 / before as f64 - 1.0) * 100.0)
        }
        _ => String::new(),
    }
}
