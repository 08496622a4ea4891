//! What is printed.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]

use std::io;

use toolkit_bench::process::Server;

use crate::measure::Row;

/// One case.
pub(crate) fn line(row: &Row) {
    println!(
        "{:<34} {:>5.2} x   {:>7.2} us ({:.2} us bare)   {:>7.0}/s   p50 {:>5.0} us   p99 {:>5.0} us ({:.0} us bare)",
        row.name,
        row.ratio(),
        row.ours.cpu_micros,
        row.bare.cpu_micros,
        row.ours.per_second,
        row.ours.p50_micros,
        row.ours.p99_micros,
        row.bare.p99_micros,
    );
}

/// A process after the load.
pub(crate) fn process(name: &str, server: &Server) -> io::Result<()> {
    let (now, highest) = server.memory_mib()?;
    println!(
        "{name}: started in {:.0} ms; {now:.1} MiB now, {highest:.1} MiB at most\n",
        server.start_up.as_secs_f64() * 1000.0,
    );
    Ok(())
}
