//! Machine description: processor, memory and kernel.

use std::fs;
use std::io;
use std::process::Command;
use std::thread::available_parallelism;

use crate::table::Table;

/// The machine, and the day.
pub(crate) struct Machine {
    cpu: String,
    cores: usize,
    memory_gib: f64,
    kernel: String,
    rustc: String,
    date: String,
}

impl Machine {
    /// Reads what there is to be known; a fact that the system does not tell is "unknown".
    pub(crate) fn read() -> io::Result<Self> {
        Ok(Self {
            cpu: field("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
            cores: available_parallelism()?.get(),
            memory_gib: field("/proc/meminfo", "MemTotal")
                .and_then(|value| value.trim_end_matches(" kB").parse::<f64>().ok())
                .map_or(f64::NAN, |kib| kib / f64::from(1 << 20)),
            kernel: first_line(Command::new("uname").arg("-sr")).unwrap_or_else(unknown),
            rustc: first_line(Command::new("rustc").arg("--version")).unwrap_or_else(unknown),
            date: first_line(Command::new("date").args(["-u", "+%F"])).unwrap_or_else(unknown),
        })
    }

    /// Where and when, in a few words.
    pub(crate) fn stamp(&self) -> String {
        let Self {
            date, cores, cpu, ..
        } = self;
        format!("{date}, {cores} cores of {cpu}")
    }

    /// All of it.
    pub(crate) fn table(&self) -> String {
        let mut table = Table::of_words(&["Machine", ""]);
        table.row(&["CPU", &self.cpu]);
        table.row(&["cores", &self.cores.to_string()]);
        table.row(&["memory", &format!("{:.0} GiB", self.memory_gib)]);
        table.row(&["kernel", &self.kernel]);
        table.row(&["compiler", &self.rustc]);
        table.row(&["date", &self.date]);
        table.to_string()
    }
}

fn unknown() -> String {
    "unknown".to_owned()
}

/// The value of the first line of a file of `/proc` that has this key.
fn field(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = pairs.find(|(name, _)| name.trim() == key)?;
    Some(value.trim().to_owned())
}

/// The first line that a program prints, if it does.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().next()?.trim();
    output.status.success().then(|| line.to_owned())
}
