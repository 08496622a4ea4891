//! Server process.

use std::env;
use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(30);

/// A running server, in a separate working directory; killed on drop.
#[derive(Debug)]
pub struct Program {
    child: Child,
    lines: Receiver<String>,
    log: Vec<Json>,
    /// Its address.
    pub address: SocketAddr,
    /// Its working directory.
    pub directory: TempDir,
}

/// Outcome of a program.
#[derive(Debug)]
pub struct Ended {
    /// The exit code, unless a signal ended it.
    pub code: Option<i32>,
    /// Every line of the log.
    pub log: Vec<Json>,
    /// What it wrote to standard error.
    pub errors: String,
    /// The names of the files in its working directory.
    pub files: Vec<OsString>,
}

impl Program {
    /// Starts `api-server` or `mcp-server` with these settings, on free ports, and waits until it
    /// announces its address.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or ends before it listens.
    pub fn start(name: &str, settings: &[(&str, &str)]) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let mut command = command(name, &directory)?;
        command.env("TOOLKIT_LOG__FORMAT", "json").envs(settings.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut program = Self { child, lines, log: Vec::new(), address: nowhere, directory };
        program.address = program.wait_until_it_listens()?;
        Ok(program)
    }

    fn wait_until_it_listens(&mut self) -> io::Result<SocketAddr> {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.log.push(serde_json::from_str(&line)?),
                Err(RecvTimeoutError::Timeout) => return Err(io::ErrorKind::TimedOut.into()),
                Err(RecvTimeoutError::Disconnected) => {
                    let mut errors = String::new();
                    if let Some(stderr) = &mut self.child.stderr {
                        stderr.read_to_string(&mut errors)?;
                    }
                    return Err(io::Error::other(errors));
                }
            }
            let said =
                self.log.last().filter(|line| line.get("message") == Some(&"listening".into()));
            let address = said.and_then(|line| line.get("address")).and_then(Json::as_str);
            if let Some(address) = address.and_then(|address| address.parse().ok()) {
                return Ok(address);
            }
        }
    }

    /// Every line of the log so far.
    pub fn log(&mut self) -> &[Json] {
        let new = self.lines.try_iter();
        self.log.extend(new.filter_map(|line| serde_json::from_str(&line).ok()));
        &self.log
    }

    /// Asks the server to stop, and waits for its end.
    ///
    /// # Errors
    ///
    /// When the signal cannot be sent, or its directory cannot be read.
    pub fn stop(mut self) -> io::Result<Ended> {
        let pid = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status()?;
        let code = self.child.wait()?.code();
        let mut errors = String::new();
        if let Some(stderr) = &mut self.child.stderr {
            stderr.read_to_string(&mut errors)?;
        }
        let rest = self.lines.iter().filter_map(|line| serde_json::from_str(&line).ok());
        let log = self.log.drain(..).chain(rest).collect();
        let files = self.directory.path().read_dir()?;
        let files = files.map(|file| Ok(file?.file_name()));
        Ok(Ended { code, log, errors, files: files.collect::<io::Result<_>>()? })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a server that is expected to end by itself.
///
/// # Errors
///
/// When it cannot be started.
pub fn finish(name: &str, arguments: &[&str], settings: &[(&str, &str)]) -> io::Result<Output> {
    let directory = tempfile::tempdir()?;
    command(name, &directory)?.args(arguments).envs(settings.iter().copied()).output()
}

/// Returns a command for a server with free ports, and no settings from the environment.
fn command(name: &str, directory: &TempDir) -> io::Result<Command> {
    let mut command = Command::new(built(name)?);
    command.current_dir(directory.path());
    for (variable, _) in env::vars_os() {
        if variable.to_string_lossy().starts_with("TOOLKIT_") {
            command.env_remove(variable);
        }
    }
    for section in ["API", "MCP"] {
        command.env(format!("TOOLKIT_{section}__BIND"), "127.0.0.1:0");
        command.env(format!("TOOLKIT_{section}__ADMIN_BIND"), "");
    }
    Ok(command)
}

/// Returns the path of a program of the same build: tests are two directories below it.
fn built(name: &str) -> io::Result<PathBuf> {
    let own = env::current_exe()?;
    let directory = own.parent().and_then(|deps| deps.parent()).ok_or(io::ErrorKind::NotFound)?;
    let program = directory.join(name);
    if program.exists() {
        return Ok(program);
    }
    let text = format!("{} does not exist: run `cargo build --bins` first", program.display());
    Err(io::Error::other(text))
}
