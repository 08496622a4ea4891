//! Valgrind's callgrind: runs a program on a simulated processor that counts instructions.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use toolkit_measure::Result;
use toolkit_measure::process::{Server, output, sibling};

/// A server whose instructions are counted while it runs.
pub(crate) struct CountedServer {
    pub(crate) server: Server,
    /// Folder of the counts, and of the pipes for requesting them.
    directory: TempDir,
    /// Number of counts requested.
    dumps: usize,
}

impl CountedServer {
    pub(crate) fn start(name: &str) -> Result<Self> {
        let directory = tempfile::tempdir()?;
        let mut command = valgrind(directory.path());
        command.arg(prefix(&directory)).arg(sibling(name)?);
        Ok(Self {
            server: Server::ours_by(command, name, &[("HTTP__WORKERS", "1")])?,
            directory,
            dumps: 0,
        })
    }

    /// Instructions since the last call, or since the start.
    pub(crate) fn instructions(&mut self) -> Result<f64> {
        let pid = format!("--pid={}", self.server.id());
        output(Command::new("vgdb").args([&prefix(&self.directory), &pid, "dump"]))?;
        self.dumps += 1;
        total(&self.directory.path().join(format!("count.{}", self.dumps)))
    }
}

fn valgrind(directory: &Path) -> Command {
    let mut command = Command::new("valgrind");
    let out = directory.join("count");
    let out = format!("--callgrind-out-file={}", out.display());
    command.args(["--quiet", "--tool=callgrind", &out]);
    command
}

fn prefix(directory: &TempDir) -> String {
    format!("--vgdb-prefix={}", directory.path().join("vgdb").display())
}

/// The total of all functions in a callgrind file.
fn total(file: &Path) -> Result<f64> {
    let text = fs::read_to_string(file)?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    Ok(total.ok_or("callgrind gave no total")?.trim().parse()?)
}
