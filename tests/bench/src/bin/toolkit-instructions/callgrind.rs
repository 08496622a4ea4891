//! Valgrind's callgrind: runs a program on a simulated processor that counts instructions.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use toolkit_bench::process::{Server, sibling};

/// Counts all instructions of a program that ends by itself.
pub(crate) fn count(program: &Path, arguments: &[&str]) -> io::Result<u64> {
    let directory = tempfile::tempdir()?;
    let status = valgrind(directory.path())
        .arg(program)
        .args(arguments)
        .stderr(Stdio::null())
        .status()?;
    if !status.success() {
        return Err(io::Error::other(format!("{arguments:?} ended: {status}")));
    }
    total(&directory.path().join("count"))
}

/// A server whose instructions are counted while it runs.
#[derive(Debug)]
pub(crate) struct CountedServer {
    pub(crate) server: Server,
    /// Folder of the counts, and of the pipes for requesting them.
    directory: TempDir,
    /// Number of counts requested.
    dumps: usize,
}

impl CountedServer {
    pub(crate) fn start(name: &str) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let mut command = valgrind(directory.path());
        command.arg(prefix(&directory)).arg(sibling(name)?);
        let one_worker = ("HTTP__WORKERS".to_owned(), "1".to_owned());
        let server = Server::ours_by(command, name, &[one_worker])?;
        Ok(Self {
            server,
            directory,
            dumps: 0,
        })
    }

    /// Instructions since the last call, or since the start.
    pub(crate) fn instructions(&mut self) -> io::Result<f64> {
        let status = Command::new("vgdb")
            .arg(prefix(&self.directory))
            .arg(format!("--pid={}", self.server.id()))
            .arg("dump")
            .stderr(Stdio::null())
            .status()?;
        if !status.success() {
            return Err(io::Error::other(format!("vgdb ended: {status}")));
        }
        self.dumps += 1;
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52")]
        total(&self.directory.path().join(format!("count.{}", self.dumps)))
            .map(|instructions| instructions as f64)
    }
}

fn valgrind(directory: &Path) -> Command {
    let mut command = Command::new("valgrind");
    let out = directory.join("count");
    command
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()));
    command
}

fn prefix(directory: &TempDir) -> String {
    format!("--vgdb-prefix={}", directory.path().join("vgdb").display())
}

/// The total of all functions in a callgrind file.
fn total(file: &Path) -> io::Result<u64> {
    let text = fs::read_to_string(file)?;
    text.lines()
        .find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
        .ok_or_else(|| io::Error::other("callgrind gave no total"))
}
