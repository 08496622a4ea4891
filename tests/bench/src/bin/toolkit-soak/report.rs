//! Report of the soak test.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]

use std::time::Duration;

use toolkit_bench::client::quantile;

use crate::abuse::Damage;
use crate::mixed::Outcome;

/// Memory that may come to a server between the first and the last third of the load.
const GROWTH_MIB_MAX: f64 = 10.0;

/// The head of the table of attacks.
pub(crate) fn abuse_head() {
    println!(
        "{:<38} {:>9} {:>9} {:>6}   {:<22} {:>9} {:>9}   {:<14} answers",
        "attack",
        "quiet p50",
        "p50",
        "ratio",
        "MiB before/most/after",
        "descr.",
        "back in",
        "verdict"
    );
}

/// One attack.
pub(crate) fn damage(damage: &Damage) {
    let [before, most, after] = damage.memory;
    let faults = damage.faults();
    let answers: Vec<String> = damage
        .answers
        .iter()
        .map(|(status, count)| format!("{count} x {status}"))
        .collect();
    println!(
        "{:<38} {:>6.0} us {:>6.0} us {:>5.2}x   {:<22} {:>9} {:>7.1} s   {:<14} {}",
        damage.name,
        micros(damage.quiet),
        micros(damage.under_attack),
        damage.slower(),
        format!("{before:.0} / {most:.0} / {after:.0}"),
        format!("{} / {}", damage.descriptors[0], damage.descriptors[1]),
        damage.recovered_in.as_secs_f64(),
        if faults.is_empty() {
            "ok".to_owned()
        } else {
            faults.join(", ").to_uppercase()
        },
        answers.join(", "),
    );
}

/// The mixed load; says whether all went well.
pub(crate) fn outcome(outcome: &mut Outcome) -> bool {
    let mut well = true;
    println!(
        "\n{:<10} {:>9} {:>9} {:>9} {:>10} {:>10}",
        "request", "200", "excused", "faulty", "p50", "p99"
    );
    for (kind, tally) in &mut outcome.tallies {
        well &= tally.faulty == 0;
        println!(
            "{:<10} {:>9} {:>9} {:>9} {:>7.0} us {:>7.0} us",
            format!("{kind:?}"),
            tally.good,
            tally.excused,
            tally.faulty,
            micros(quantile(&mut tally.latencies, 0.5)),
            micros(quantile(&mut tally.latencies, 0.99)),
        );
        for (what, count) in &tally.faults {
            println!("    {count} x {what}");
        }
    }
    for (name, memory, [before, after]) in &outcome.servers {
        let third = memory.len() / 3;
        let [first, last] = [memory.get(..third), memory.get(memory.len() - third..)]
            .map(|values| mean(values.unwrap_or_default()));
        let most = memory.iter().copied().fold(0.0, f64::max);
        well &= last <= first + GROWTH_MIB_MAX && after <= before;
        println!(
            "{name}: {first:.1} MiB in the first third, {last:.1} MiB in the last, {most:.1} MiB at most; \
             {before} descriptors before, {after} after"
        );
    }
    let [promised, came] = outcome.mails;
    well &= came >= promised;
    println!("mails: {promised} promised, {came} delivered");
    well
}

fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 values")]
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
