//! Cron expressions: run times increase, and the normal form has the same ones.
#![cfg_attr(feature = "libfuzzer", no_main)]

use time::macros::datetime;
use toolkit_core::Warnings;
use toolkit_core::cron::Schedule;
use toolkit_fuzz::fuzz_target;

const NOW: time::PlainDateTime = datetime!(2024-02-28 23:59:59);

fuzz_target!(|text: &str| {
    let Ok(schedule) = Schedule::parse(text, &mut Warnings::new()) else {
        return;
    };
    assert!(!schedule.describe().is_empty());
    let runs: Vec<_> = schedule.after(NOW).take(20).collect();
    assert!(runs.first().is_none_or(|&first| first > NOW));
    assert!(runs.is_sorted_by(|one, next| one < next));
    let again = Schedule::parse(&schedule.expression(), &mut Warnings::new()).unwrap();
    assert!(again.after(NOW).take(20).eq(runs));
});
