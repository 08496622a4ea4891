//! Process entry point: arguments, settings, panics and exit codes, for both servers.

use std::fmt::Display;
use std::future::Future;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::descriptors;
use crate::server::Ended;
use crate::settings::{FILE_NAME, Settings, SettingsError};

/// Exit code when a server cannot start or continue.
const FAILED: u8 = 1;

/// Exit code for invalid settings or arguments.
const MISUSED: u8 = 2;

/// Threads for background work: shutdown, maintenance, deliveries.
const BACKGROUND_THREADS: usize = 2;

/// The end of `--help`, with what newcomers look for.
pub const HELP: &str = "\
Without a command it serves until SIGTERM or Ctrl-C. SIGHUP reloads the settings.

Settings: the defaults, then the settings file (toolkit.toml, or --config FILE), then variables:
TOOLKIT_, the section, __ and the key, such as TOOLKIT_LIMITS__RUN_PER_MINUTE=60. \"config check\"
prints those in force.

Documents: docs/configuration.md has every setting, toolkit.example.toml too; docs/operating has
deployment, proxies, mail, models, keys, backups and upgrades. A running server has those for its
callers at /toolkit/docs.";

/// Arguments that select the settings.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigArgs {
    /// The settings file; by default toolkit.toml in the working directory, if present.
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

impl ConfigArgs {
    /// The absolute path of the settings file, if one is read.
    pub fn file(&self) -> Option<PathBuf> {
        let named = self.config.clone();
        let file = named.or_else(|| Some(PathBuf::from(FILE_NAME)).filter(|file| file.exists()));
        file.map(|file| std::path::absolute(&file).unwrap_or(file))
    }

    /// Reads the settings. Only this function reads the environment.
    ///
    /// # Errors
    ///
    /// When the settings are invalid.
    pub fn load(&self) -> Result<Settings, SettingsError> {
        Settings::load(self.config.as_deref(), std::env::vars_os())
    }

    /// Reads the settings as [`ConfigArgs::load`] does, but only a file that was named.
    ///
    /// # Errors
    ///
    /// When the settings are invalid.
    pub fn load_named(&self) -> Result<Settings, SettingsError> {
        let environment = std::env::vars_os();
        match &self.config {
            Some(file) => Settings::load(Some(file), environment),
            None => Settings::parse("", environment),
        }
    }
}

/// The `config` subcommands.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Checks the settings and prints the effective ones, with secrets masked.
    Check,
}

/// Prints the effective settings, preceded by their source.
pub fn print_settings(config: &ConfigArgs, effective: &str) -> ExitCode {
    let file = config.file().map_or_else(|| "none".to_owned(), |file| file.display().to_string());
    print(&format!("# settings file: {file}\n\n{effective}"))
}

/// Prints a command's output.
pub fn print(text: &str) -> ExitCode {
    ended(io::stdout().write_all(text.as_bytes()))
}

/// The exit code of a command without output. A failure is printed on one line.
pub fn ended(result: Result<(), impl Display>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// Runs a server process and returns its exit code.
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
    // Background work has had its time.
    runtime.shutdown_background();
    match ended {
        Ok(Ended::Drained | Ended::TimedOut) => ExitCode::SUCCESS,
        Ok(Ended::Forced) => ExitCode::from(FAILED),
        Err(error) => failed(&error),
    }
}

/// Prints on one line why a server cannot start or continue.
pub fn failed(error: &impl Display) -> ExitCode {
    report(&error.to_string().replace(['\n', '\r'], " "));
    ExitCode::from(FAILED)
}

/// Prints what is wrong with the settings or arguments, one line per fault.
pub fn misused(error: &impl Display) -> ExitCode {
    error.to_string().lines().for_each(report);
    ExitCode::from(MISUSED)
}

fn report(line: &str) {
    tell(io::stderr(), format_args!("error: {line}"));
}

/// Writes a line to a standard stream. There is no way to report a closed one.
pub fn tell(mut stream: impl Write, line: impl Display) {
    let _ = writeln!(stream, "{line}");
}
