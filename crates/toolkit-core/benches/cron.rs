//! Cron: cost of parsing and of the next run, including an expression that never fires.

#![expect(clippy::unwrap_used, reason = "a benchmark ends at the first failure")]

use divan::black_box;
use time::PlainDateTime;
use time::macros::datetime;
use toolkit_core::Warnings;
use toolkit_core::cron::Schedule;

const NOW: PlainDateTime = datetime!(2023-11-14 22:13:20);
const EXPRESSIONS: [&str; 4] = [
    "*/5 9-17 * * MON-FRI",
    "0 0 29 2 *",
    "0 0 29 2 */7",
    "0 0 30 2 *",
];

fn main() {
    divan::main();
}

fn schedule(expression: &str) -> Schedule {
    Schedule::parse(expression, &mut Warnings::new()).unwrap()
}

#[divan::bench(args = EXPRESSIONS)]
fn read_and_describe(expression: &str) -> String {
    schedule(black_box(expression)).describe()
}

#[divan::bench(args = EXPRESSIONS)]
fn fifty_runs(expression: &str) -> usize {
    let schedule = schedule(black_box(expression));
    schedule.after(NOW).take(50).count()
}
