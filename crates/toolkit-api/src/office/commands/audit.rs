//! `audit`: who did what.

use std::fmt::Write as _;
use std::io;

use clap::Subcommand;
use time::OffsetDateTime;
use toolkit_server::process::tell;
use toolkit_store::{AuditEntry, Store, StoreError};

use super::{CommandError, seconds};

/// Subcommands of `audit`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lists the last thousand actions, oldest first: time, user, action and object.
    List,
}

/// Runs the command and returns its output.
pub(super) async fn run(command: Command, store: &Store) -> Result<String, CommandError> {
    let Command::List = command;
    let mut text = String::new();
    for AuditEntry { at, actor, action, about } in store.audited().await? {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}  {actor:16}  {action:24}  {about}", seconds(at));
    }
    Ok(text)
}

/// Records a command, with the user who ran it.
pub(super) async fn record(
    store: &Store,
    action: &str,
    about: impl Into<String>,
) -> Result<(), StoreError> {
    let entry = AuditEntry {
        at: OffsetDateTime::now_utc(),
        actor: user(),
        action: action.to_owned(),
        about: about.into(),
    };
    store.audit(&entry).await
}

/// Records a command that only reads. If nothing can be written, prints that and goes on.
pub(super) async fn record_if_it_can(
    store: &Store,
    action: &str,
    about: impl Into<String>,
) -> Result<(), StoreError> {
    match record(store, action, about).await {
        Err(error) if error.is_unavailable() => {
            tell(io::stderr(), format_args!("not recorded in the audit: {error}"));
            Ok(())
        }
        recorded => recorded,
    }
}

/// The operating system's user, without control characters, since the environment may contain
/// anything.
fn user() -> String {
    let mut names = ["SUDO_USER", "USER", "LOGNAME"].into_iter();
    let name = names.find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
    let name = name.unwrap_or_else(number);
    name.chars().filter(|c| !c.is_control()).take(64).collect()
}

#[cfg(unix)]
fn number() -> String {
    format!("uid {}", rustix::process::getuid().as_raw())
}

#[cfg(not(unix))]
fn number() -> String {
    "unknown".to_owned()
}
