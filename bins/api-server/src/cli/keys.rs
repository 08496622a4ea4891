//! `keys`: issues, lists and revokes API keys.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use clap::Subcommand;
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use toolkit_store::{KeyLabel, KeyRecord, Revocation, Store, Ulid};

use super::Failure;

/// Advice printed with a new key.
const ADVICE: &str = "Keep the key now: it is not stored and cannot be shown again.\n";

/// Subcommands of `keys`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Issues a key and prints it; it cannot be shown again.
    Create {
        /// Purpose of the key: 1 to 200 characters.
        #[arg(long, value_name = "TEXT")]
        label: KeyLabel,
        /// Prints only the key.
        #[arg(long, conflicts_with = "json")]
        quiet: bool,
        /// Prints id, key, label and time as a JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Lists the ids and labels of all keys, the oldest first.
    List,
    /// Revokes a key, on every server within five seconds.
    Revoke {
        /// Id of the key, as printed by "keys list".
        #[arg(value_parser = id)]
        id: Ulid,
    },
}

fn id(text: &str) -> Result<Ulid, &'static str> {
    Ulid::from_string(text).map_err(|_| "not an id; `keys list` shows the ids")
}

/// Runs the command and returns its output.
pub(super) async fn run(
    command: Command,
    store: &Store,
    now: OffsetDateTime,
) -> Result<String, Failure> {
    let keys = store.keys();
    match command {
        Command::Create { label, quiet, json } => {
            let (id, key) = keys.create(&label, now).await?;
            let key = key.expose();
            if quiet {
                return Ok(format!("{key}\n"));
            }
            // Keeps the advice away from a script that reads the key from standard output.
            let _ = io::stderr().write_all(ADVICE.as_bytes());
            if json {
                let created_at = seconds(now);
                let all = json!({"id": id.to_string(), "key": key, "label": label.to_string(), "created_at": created_at});
                return Ok(format!("{all}\n"));
            }
            Ok(format!("id:  {id}\nkey: {key}\n"))
        }
        Command::List => Ok(table(&keys.list().await?)),
        Command::Revoke { id } => match keys.revoke(id, now).await? {
            Revocation::Revoked => Ok(format!("{id} is revoked.\n")),
            Revocation::AlreadyRevoked => Ok(format!("{id} was already revoked.\n")),
            Revocation::Unknown => Err(format!("no key has the id {id}").into()),
        },
    }
}

fn table(records: &[KeyRecord]) -> String {
    let mut text = format!("{:26}  {:20}  {:20}  LABEL\n", "ID", "CREATED", "REVOKED");
    for record in records {
        let revoked = record.revoked_at.map_or_else(|| "-".to_owned(), seconds);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}  {:20}  {revoked:20}  {}",
            record.id,
            seconds(record.created_at),
            record.label
        );
    }
    text
}

fn seconds(time: OffsetDateTime) -> String {
    let time = time.replace_nanosecond(0).unwrap_or(time);
    time.format(&Rfc3339).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_each_key_on_a_line() {
        let record = KeyRecord {
            id: Ulid::nil(),
            label: "the web site".to_owned(),
            created_at: OffsetDateTime::UNIX_EPOCH,
            revoked_at: None,
            terms: toolkit_store::KeyTerms::default(),
            requests: 0,
            last_used_at: None,
        };
        let lines = table(&[record]);
        let expected =
            "00000000000000000000000000  1970-01-01T00:00:00Z  -                     the web site";
        assert_eq!(lines.lines().nth(1), Some(expected));
    }
}
