//! `audit`: who did what.

use std::fmt::Write as _;

use clap::Subcommand;
use time::OffsetDateTime;
use toolkit_store::{AuditEntry, Store, StoreError};

use super::{CommandError, seconds};

/// Subcommands of `audit`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lists the last thousand actions, the oldest first: time, user, action, and what it was about.
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

/// Records what a command did, by the user who ran it.
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

/// The user of the machine, without control characters: an environment may say anything.
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
