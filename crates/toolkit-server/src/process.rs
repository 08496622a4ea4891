//! Process entry: arguments, settings, panics and exit codes, for both servers.

use std::fmt::Display;
use std::future::Future;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::server::Ended;
use crate::settings::{Settings, SettingsError};

/// Exit code of a server that could not start or continue.
const FAILED: u8 = 1;

/// Exit code of invalid settings and arguments.
const MISUSED: u8 = 2;

/// Descriptors that a server requests; a connection takes one.
#[cfg(unix)]
const DESCRIPTORS_WANTED: u64 = 65_536;

/// Threads for background work: shutdown, maintenance, deliveries.
const BACKGROUND_THREADS: usize = 2;

/// Arguments that locate the settings.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigArgs {
    /// The settings file; by default toolkit.toml in the working directory, if present.
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

impl ConfigArgs {
    /// Reads the settings. The environment is read only here.
    ///
    /// # Errors
    ///
    /// When the settings are wrong.
    pub fn load(&self) -> Result<Settings, SettingsError> {
        Settings::load(self.config.as_deref(), std::env::vars_os())
    }

    /// Reads the settings as [`ConfigArgs::load`] does, but no file unless named.
    ///
    /// # Errors
    ///
    /// When the settings are wrong.
    pub fn load_named(&self) -> Result<Settings, SettingsError> {
        let environment = std::env::vars_os();
        match &self.config {
            Some(file) => Settings::load(Some(file), environment),
            None => Settings::parse("", environment),
        }
    }
}

/// Subcommands of `config`.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Checks the settings and prints the effective ones, with secrets masked.
    Check,
}

/// Prints the output of a command.
pub fn print(text: &str) -> ExitCode {
    ended(io::stdout().write_all(text.as_bytes()))
}

/// The exit code of a command without output; what failed is printed in one line.
pub fn ended(result: Result<(), impl Display>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// Runs the server of a process and returns its exit code.
pub fn run<E: Display>(server: impl Future<Output = Result<Ended, E>>) -> ExitCode {
    raise_descriptor_limit();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    return_freed_memory();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(BACKGROUND_THREADS)
        .thread_name("background")
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error),
    };
    let ended = runtime.block_on(server);
    // Background work still running has had its time.
    runtime.shutdown_background();
    match ended {
        Ok(Ended::Drained | Ended::TimedOut) => ExitCode::SUCCESS,
        Ok(Ended::Forced) => ExitCode::from(FAILED),
        Err(error) => failed(&error),
    }
}

/// Prints in one line why a server cannot start or continue.
pub fn failed(error: &impl Display) -> ExitCode {
    report(error, FAILED)
}

/// Prints in one line what is wrong with the settings or the arguments.
pub fn misused(error: &impl Display) -> ExitCode {
    report(error, MISUSED)
}

fn report(error: &impl Display, code: u8) -> ExitCode {
    let line = error.to_string().replace(['\n', '\r'], " ");
    // A closed standard error cannot be reported.
    let _ = writeln!(io::stderr(), "error: {line}");
    ExitCode::from(code)
}

/// Size from which freed memory goes back to the system at once. A smaller one makes requests of
/// 1 MB twice as slow.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_BLOCK: libc::c_int = 4 << 20;

/// Interval at which all other freed memory does: five times as long leaves 50 MiB more under attack.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const RETURN_INTERVAL: std::time::Duration = std::time::Duration::from_millis(100);

/// The allocator of glibc raises its thresholds with each large block that is freed, so that the
/// memory of large results would stay with the process; smaller blocks that are free between used
/// ones it keeps until it is asked.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator has no other interface")]
fn return_freed_memory() {
    // SAFETY: it takes integers alone, and no thread but this one allocates yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BLOCK);
        libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE_BLOCK);
    }
    let ask = || loop {
        std::thread::sleep(RETURN_INTERVAL);
        // SAFETY: it takes an integer alone, and all threads may allocate meanwhile.
        unsafe { libc::malloc_trim(0) };
    };
    // Without this thread the server works too.
    let _ = std::thread::Builder::new()
        .name("memory".to_owned())
        .spawn(ask);
}

/// Windows has no such limit.
#[cfg(not(unix))]
fn raise_descriptor_limit() {}

/// Many systems start a process with 1,024 descriptors and allow more on request.
#[cfg(unix)]
fn raise_descriptor_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};

    let mut limit = getrlimit(Resource::Nofile);
    let wanted = limit
        .maximum
        .unwrap_or(DESCRIPTORS_WANTED)
        .min(DESCRIPTORS_WANTED);
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(wanted);
        // If this is refused, fewer connections are accepted at a time.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}
