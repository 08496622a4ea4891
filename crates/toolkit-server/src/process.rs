//! Process entry: arguments, settings, panics and exit codes, for both servers.

use std::fmt::Display;
use std::future::Future;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::descriptors;
use crate::server::Ended;
use crate::settings::{Settings, SettingsError};

/// Exit code of a server that could not start or continue.
const FAILED: u8 = 1;

/// Exit code of invalid settings and arguments.
const MISUSED: u8 = 2;

/// Threads for background work: shutdown, maintenance, deliveries.
const BACKGROUND_THREADS: usize = 2;

/// The end of `--help`: what a newcomer looks for and no argument shows.
pub const HELP: &str = "\
Without a command it serves until SIGTERM or Ctrl-C; SIGHUP reads the settings again.

Settings: the defaults, then the settings file (toolkit.toml, or --config FILE), then variables:
TOOLKIT_, the section, __ and the key, such as TOOLKIT_LIMITS__RUN_PER_MINUTE=60. \"config check\"
prints those in force.

Documents: docs/configuration.md has every setting, toolkit.example.toml too; docs/operating has
deployment, proxies, mail, models, keys, backups and upgrades. A running server has those for its
callers at /toolkit/docs.";

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
    #[cfg(unix)]
    descriptors::raise();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    crate::memory::give_back();
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
    report(&error.to_string().replace(['\n', '\r'], " "));
    ExitCode::from(FAILED)
}

/// Prints what is wrong with the settings or the arguments, a line for each fault.
pub fn misused(error: &impl Display) -> ExitCode {
    error.to_string().lines().for_each(report);
    ExitCode::from(MISUSED)
}

fn report(line: &str) {
    // A closed standard error cannot be reported.
    let _ = writeln!(io::stderr(), "error: {line}");
}
