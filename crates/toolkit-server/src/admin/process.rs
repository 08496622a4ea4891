//! Process metrics: memory, processor time, threads, descriptors, start time.
//!
//! Standard: the process metrics that Prometheus expects of client libraries.

use std::fmt::{Display, Write as _};

use metrics_process::collector::collect;

/// The metrics of the process in the Prometheus text format.
///
/// Only the collector of `metrics-process` is used: its exporter counts processor time in whole
/// seconds, too coarse for the rate of a mostly idle server.
pub(super) fn render() -> String {
    let process = collect();
    let gauges = [
        ("resident_memory_bytes", "Resident memory.", process.resident_memory_bytes),
        ("virtual_memory_bytes", "Virtual memory.", process.virtual_memory_bytes),
        ("threads", "Threads.", process.threads),
        ("open_fds", "Open descriptors.", process.open_fds),
        ("max_fds", "Descriptors that may be open; 0 is no limit.", process.max_fds),
        ("start_time_seconds", "Start, in Unix time.", process.start_time_seconds),
    ];
    let mut text = String::new();
    for (name, help, value) in gauges {
        push(&mut text, name, "gauge", help, value);
    }
    push(
        &mut text,
        "cpu_seconds_total",
        "counter",
        "Processor time spent.",
        process.cpu_seconds_total,
    );
    text
}

fn push(text: &mut String, name: &str, kind: &str, help: &str, value: Option<impl Display>) {
    let Some(value) = value else { return };
    // Writing to a `String` cannot fail.
    let _ = write!(
        text,
        "# HELP process_{name} {help}\n# TYPE process_{name} {kind}\nprocess_{name} {value}\n\n"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a metric, with its Prometheus header lines.
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
