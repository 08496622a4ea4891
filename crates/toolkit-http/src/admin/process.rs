//! Process metrics, under the names that Prometheus client libraries use.
//!
//! Standard: proc(5). On a system without `/proc` there is nothing to tell.

use std::fs;

/// Kernel ticks in a second: `USER_HZ`, 100 on every architecture that Rust has a Linux for.
const TICKS_PER_SECOND: f64 = 100.0;

/// The metrics of the process as text.
pub(super) fn render() -> String {
    let mut text = String::new();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let facts = [
        (
            "process_resident_memory_bytes",
            "gauge",
            "Resident memory.",
            bytes(&status, "VmRSS:"),
        ),
        (
            "process_virtual_memory_bytes",
            "gauge",
            "Virtual memory.",
            bytes(&status, "VmSize:"),
        ),
        (
            "process_threads",
            "gauge",
            "Threads.",
            number(&status, "Threads:"),
        ),
        (
            "process_open_fds",
            "gauge",
            "Open descriptors.",
            open_descriptors(),
        ),
        (
            "process_max_fds",
            "gauge",
            "Descriptors that may be open.",
            max_descriptors(),
        ),
        (
            "process_cpu_seconds_total",
            "counter",
            "Processor time spent.",
            processor_seconds(&stat),
        ),
        (
            "process_start_time_seconds",
            "gauge",
            "Start, in Unix time.",
            start_seconds(&stat),
        ),
    ];
    for (name, kind, help, value) in facts {
        if let Some(value) = value {
            let lines = [
                format!("# HELP {name} {help}"),
                format!("# TYPE {name} {kind}"),
            ];
            text.extend([lines.join("\n"), format!("\n{name} {value}\n\n")]);
        }
    }
    text
}

/// A line of `status` such as `VmRSS: 5120 kB`.
fn number(status: &str, name: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn bytes(status: &str, name: &str) -> Option<f64> {
    number(status, name).map(|kilobytes| kilobytes * 1024.0)
}

/// A field of `stat`, counted from 1 as in the manual.
fn field(stat: &str, place: usize) -> Option<f64> {
    // The second field, the name, is in brackets and may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace()
        .nth(place.checked_sub(3)?)?
        .parse()
        .ok()
}

fn processor_seconds(stat: &str) -> Option<f64> {
    Some((field(stat, 14)? + field(stat, 15)?) / TICKS_PER_SECOND)
}

fn start_seconds(stat: &str) -> Option<f64> {
    let system = fs::read_to_string("/proc/stat").ok()?;
    Some(number(&system, "btime")? + field(stat, 22)? / TICKS_PER_SECOND)
}

fn open_descriptors() -> Option<f64> {
    let open = fs::read_dir("/proc/self/fd").ok()?.count();
    // The one that reads the directory is open, too.
    u32::try_from(open).ok().map(|open| f64::from(open) - 1.0)
}

fn max_descriptors() -> Option<f64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    number(&limits, "Max open files")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_behind_any_name() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 4 0 4200 0 0";
        assert_eq!(processor_seconds(stat), Some(3.0));
        assert_eq!(field(stat, 22), Some(4200.0));
        assert_eq!(field("", 22), None);
    }

    #[test]
    fn a_process_of_linux_tells_all_of_it() {
        let text = render();
        for name in [
            "resident_memory_bytes",
            "open_fds",
            "cpu_seconds_total",
            "start_time_seconds",
        ] {
            let found = text
                .lines()
                .any(|line| line.starts_with(&format!("process_{name} ")));
            assert!(found || !cfg!(target_os = "linux"), "{name}: {text}");
        }
    }
}
