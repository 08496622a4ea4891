//! Process metrics: memory, processor time, threads, descriptors, start time.
//!
//! Standard: the process metrics that Prometheus expects of client libraries.

use std::fmt::Write as _;
use std::fs;
use std::str::FromStr;

/// Clock ticks per second in `/proc`, a constant of Linux's interface.
const TICKS: f64 = 100.0;

/// Renders process metrics in the Prometheus text format; nothing where there is no `/proc`.
pub(super) fn render() -> String {
    let mut text = String::new();
    for (name, kind, help, value) in read().into_iter().flatten() {
        // Writing to a `String` cannot fail.
        let _ = write!(
            text,
            "# HELP process_{name} {help}\n# TYPE process_{name} {kind}\nprocess_{name} {value}\n\n"
        );
    }
    text
}

type Metric = (&'static str, &'static str, &'static str, f64);

#[expect(clippy::cast_precision_loss, reason = "bytes and descriptors are far below 2^52")]
fn read() -> Option<[Metric; 7]> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name is in parentheses and may contain spaces.
    let (_, fields) = stat.rsplit_once(") ")?;
    // Numbered as in proc_pid_stat(5), where the first of these is 3.
    let field = |number: usize| fields.split(' ').nth(number - 3)?.parse::<f64>().ok();
    let gauge = |name, help, value| (name, "gauge", help, value);
    let used = (field(14)? + field(15)?) / TICKS;
    // Without the one that lists them.
    let open = fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1);
    Some([
        gauge("resident_memory_bytes", "Resident memory.", resident_bytes()? as f64),
        gauge("virtual_memory_bytes", "Virtual memory.", field(23)?),
        gauge("threads", "Threads.", field(20)?),
        gauge("open_fds", "Open descriptors.", open as f64),
        gauge(
            "max_fds",
            "Maximum open descriptors.",
            number_in::<f64>("/proc/self/limits", "Max open files")?,
        ),
        gauge(
            "start_time_seconds",
            "Start, in Unix time.",
            number_in::<f64>("/proc/stat", "btime ")? + field(22)? / TICKS,
        ),
        ("cpu_seconds_total", "counter", "Processor time used.", used),
    ])
}

/// Resident memory of this process.
pub(crate) fn resident_bytes() -> Option<u64> {
    number_in::<u64>("/proc/self/status", "VmRSS:").map(|kib| kib << 10)
}

/// The number after a name at the start of a line of a file.
fn number_in<N: FromStr>(file: &str, name: &str) -> Option<N> {
    let text = fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    value.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value of a metric that has its Prometheus header lines.
    fn value(text: &str, name: &str, kind: &str) -> f64 {
        let (_, rest) = text
            .split_once(&format!("# TYPE process_{name} {kind}\nprocess_{name} "))
            .unwrap_or_else(|| panic!("no {name} in {text}"));
        rest.lines().next().unwrap().parse().unwrap()
    }

    #[test]
    fn memory_threads_descriptors_start_and_time_are_reported() {
        let text = render();
        assert!(value(&text, "resident_memory_bytes", "gauge") > 1e6);
        assert!(
            value(&text, "virtual_memory_bytes", "gauge")
                >= value(&text, "resident_memory_bytes", "gauge")
        );
        assert!(value(&text, "threads", "gauge") >= 2.0);
        let open = value(&text, "open_fds", "gauge");
        assert!(open >= 3.0 && open <= value(&text, "max_fds", "gauge"));
        let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
        let age = now - value(&text, "start_time_seconds", "gauge");
        assert!((-2.0..86_400.0).contains(&age), "{age}");
        assert!(value(&text, "cpu_seconds_total", "counter") >= 0.0);
    }

    #[test]
    fn processor_time_has_fractions_of_a_second() {
        let is_whole = || value(&render(), "cpu_seconds_total", "counter").fract() == 0.0;
        let begun = std::time::Instant::now();
        while is_whole() {
            assert!(begun.elapsed() < std::time::Duration::from_secs(20));
        }
    }
}
