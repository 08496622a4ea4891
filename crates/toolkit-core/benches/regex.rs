//! Regex: compilation, search with each engine, and cancellation.

#![expect(clippy::unwrap_used, reason = "a benchmark ends at the first failure")]

use std::time::{Duration, Instant};

use divan::{Bencher, black_box};
use toolkit_core::Warnings;
use toolkit_core::limits::RUN_MILLISECONDS_MAX;
use toolkit_core::regex::{Flags, Pattern};

const LINE: &str =
    "127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] \"GET /a.gif HTTP/1.0\" 200 2326\n";
const LOG: &str =
    r#"(?m)^(\S+) \S+ (\S+) \[([^\]]+)\] "(GET|POST) ([^"]+) HTTP/1\.\d" (\d{3}) (\d+)$"#;

fn main() {
    divan::main();
}

fn pattern(regex: &str) -> Pattern {
    Pattern::new(regex, Flags::parse("g").unwrap()).unwrap()
}

fn search(pattern: &Pattern, text: &str) -> bool {
    let end = Instant::now() + Duration::from_millis(RUN_MILLISECONDS_MAX);
    let is_over = || Instant::now() >= end;
    pattern
        .search(text, Some("$1"), Some(&is_over), &mut Warnings::new())
        .is_ok()
}

#[divan::bench(args = [r"\d+", LOG, r"[\w.+-]{1,64}@[\w-]+", r"(?<!\d)\d{3}(?!\d)"])]
fn compile(regex: &str) -> Pattern {
    pattern(black_box(regex))
}

/// A short text, then a long one, for which the log's pattern runs on the engine that can be
/// cancelled.
#[divan::bench(args = [1, 13, 3200])]
fn log_lines(bencher: Bencher<'_, '_>, lines: usize) {
    let (pattern, text) = (pattern(LOG), LINE.repeat(lines));
    bencher.bench(|| assert!(search(&pattern, black_box(&text))));
}

#[divan::bench(args = [1, 13, 3200])]
fn look_around(bencher: Bencher<'_, '_>, lines: usize) {
    let (pattern, text) = (pattern(r"(?<!\d)\d{3}(?!\d)"), LINE.repeat(lines));
    bencher.bench(|| assert!(search(&pattern, black_box(&text))));
}

/// Must not exceed its time limit.
#[divan::bench(sample_count = 5, args = ["(?:(?=.*z)a)+q", "(?:a|b)*a(?:a|b){1000}c"])]
fn stopped(bencher: Bencher<'_, '_>, regex: &str) {
    let (pattern, text) = (pattern(regex), "aab".repeat(80_000) + "z");
    bencher.bench(|| search(&pattern, black_box(&text)));
}
