//! `keys`: issues, lists and revokes API keys.

use std::fmt::Write as _;
use std::io;
use std::iter;
use std::str::FromStr;

use clap::Subcommand;
use serde_json::json;
use time::OffsetDateTime;
use toolkit_server::process::tell;
use toolkit_server::settings::{Origin, Settings};
use toolkit_store::limits::LABEL_CHARACTERS_MAX;
use toolkit_store::{DayTokens, KeyLabel, KeyRecord, KeyTerms, Revocation, Scope, Store, Ulid};

use super::{CommandError, audit, id, seconds, time_of};
use crate::office::captcha;

/// Advice printed with a new key.
const ADVICE: &str = "Copy this key now. It is not stored, so it cannot be shown again.";

/// Subcommands of `keys`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Issues a key and prints it. It cannot be shown again.
    Create {
        /// Purpose of the key: 1 to 200 characters. Not required for a site key.
        #[arg(long, value_name = "TEXT", required_unless_present = "sites")]
        label: Option<KeyLabel>,
        /// Makes a public site key (pk_…) for the forms of a web site, given by its origin. May be
        /// repeated. The key only opens contact and subscribe, only for pages of these sites, and
        /// requires the configured captcha.
        #[arg(long = "site", value_name = "ORIGIN", value_parser = site, conflicts_with = "forwards_clients")]
        sites: Vec<String>,
        /// Expiry: a date, when the key stops working at 00:00 UTC, or an RFC 3339 time.
        #[arg(long, value_name = "DATE", value_parser = expiry)]
        expires: Option<OffsetDateTime>,
        /// Requests per minute with the key, in addition to the limits per address.
        #[arg(long, value_name = "N", value_parser = rate::<u32>)]
        per_minute: Option<u32>,
        /// Language model tokens per day (UTC) for chats with the key, input and output together.
        #[arg(long, value_name = "N", value_parser = rate::<u64>)]
        tokens_per_day: Option<u64>,
        /// What the key opens: chat, contact, subscribe, subscribers:read, separated by commas.
        /// Default: chat, contact and subscribe.
        #[arg(long = "for", value_name = "SCOPES", value_delimiter = ',')]
        scopes: Vec<Scope>,
        /// For the back end of a web site: requests with the key name the visitor in Forwarded or
        /// X-Forwarded-For, and the limits per address apply to the visitor.
        #[arg(long)]
        forwards_clients: bool,
        /// Prints only the key.
        #[arg(long, conflicts_with = "json")]
        quiet: bool,
        /// Prints ID, key, label and time as a JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Lists the IDs and labels of all keys, oldest first.
    List,
    /// Revokes a key, on every server within five seconds.
    Revoke {
        /// ID of the key, as printed by "keys list".
        #[arg(value_parser = id)]
        id: Ulid,
    },
}

fn expiry(text: &str) -> Result<OffsetDateTime, &'static str> {
    let time = time_of(text)?;
    if time <= OffsetDateTime::now_utc() {
        return Err("that is in the past, so the key would not work at all");
    }
    Ok(time)
}

/// The origin of a web site.
fn site(text: &str) -> Result<String, &'static str> {
    let origin = Origin::parse(text).filter(|origin| origin.as_str() != "*");
    origin
        .map(|origin| origin.as_str().to_owned())
        .ok_or("must be an origin: scheme, host and port if any, such as https://example.org")
}

/// The scopes of a site key.
fn for_sites(scopes: Vec<Scope>, settings: &Settings) -> Result<Vec<Scope>, &'static str> {
    if !captcha::is_configured(settings) {
        return Err(
            "a site key needs `captcha.kind` in the settings, since everyone can see such a key",
        );
    }
    let all = vec![Scope::Contact, Scope::Subscribe];
    if scopes.iter().any(|scope| !all.contains(scope)) {
        return Err("a site key can only open contact and subscribe");
    }
    Ok(if scopes.is_empty() { all } else { scopes })
}

fn rate<N: FromStr + Default + PartialEq>(text: &str) -> Result<N, &'static str> {
    match text.parse() {
        Ok(number) if number == N::default() => {
            Err("the key would not work at all. Without the option it has no limit of its own")
        }
        Ok(number) => Ok(number),
        Err(_) => Err("not a whole number"),
    }
}

/// Runs the command and returns its output.
pub(super) async fn run(
    command: Command,
    store: &Store,
    settings: &Settings,
    now: OffsetDateTime,
) -> Result<String, CommandError> {
    let keys = store.keys();
    match command {
        Command::Create {
            label,
            sites,
            expires,
            per_minute,
            tokens_per_day,
            scopes,
            forwards_clients,
            quiet,
            json,
        } => {
            let terms = KeyTerms {
                expires_at: expires,
                per_minute,
                scopes: if sites.is_empty() { scopes } else { for_sites(scopes, settings)? },
                sites,
                forwards_clients,
                tokens_per_day,
            };
            let label = match label {
                Some(label) => label,
                None => terms
                    .sites
                    .join(" ")
                    .chars()
                    .take(LABEL_CHARACTERS_MAX)
                    .collect::<String>()
                    .parse()?,
            };
            let (id, key) = keys.issue(&label, &terms, now).await?;
            audit::record(store, "keys.create", format!("{id} {label}")).await?;
            let key = key.expose();
            if quiet {
                return Ok(format!("{key}\n"));
            }
            // On standard error, out of the way of a script that reads the key.
            tell(io::stderr(), ADVICE);
            if json {
                let created_at = seconds(now);
                let all = json!({"id": id.to_string(), "key": key, "label": label.to_string(), "created_at": created_at});
                return Ok(format!("{all}\n"));
            }
            Ok(format!("id:  {id}\nkey: {key}\n"))
        }
        Command::List => Ok(table(&keys.list().await?, DayTokens::day_of(now))),
        Command::Revoke { id } => match keys.revoke(id, now).await? {
            Revocation::Revoked => {
                audit::record(store, "keys.revoke", id.to_string()).await?;
                Ok(format!("{id} is revoked.\n"))
            }
            Revocation::AlreadyRevoked => Ok(format!("{id} was already revoked.\n")),
            Revocation::Unknown => Err(format!("no key has the ID {id}").into()),
        },
    }
}

fn table(records: &[KeyRecord], today: i64) -> String {
    let mut text = format!(
        "{:26}  {:20}  {:20}  {:20}  {:>10}  {:22}  {:>17}  {:20}  {:>10}  LABEL\n",
        "ID",
        "CREATED",
        "REVOKED",
        "EXPIRES",
        "PER MINUTE",
        "FOR",
        "TOKENS TODAY",
        "LAST USED",
        "REQUESTS"
    );
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    for record in records {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}  {:20}  {:20}  {:20}  {:>10}  {:22}  {:>17}  {:20}  {:>10}  {}",
            record.id,
            seconds(record.created_at),
            or_none(record.revoked_at.map(seconds)),
            or_none(record.terms.expires_at.map(seconds)),
            or_none(record.terms.per_minute.map(|number| number.to_string())),
            purpose(&record.terms),
            tokens(record, today),
            or_none(record.last_used_at.map(seconds)),
            record.requests,
            record.label
        );
    }
    text
}

/// Today's tokens and the daily limit.
fn tokens(record: &KeyRecord, today: i64) -> String {
    let used = record.tokens.on(today);
    match record.terms.tokens_per_day {
        Some(most) => format!("{used}/{most}"),
        None => used.to_string(),
    }
}

/// What a key opens, and for whom.
fn purpose(terms: &KeyTerms) -> String {
    let scopes: Vec<_> = terms.scopes.iter().map(|scope| scope.as_str()).collect();
    let scopes = if scopes.is_empty() { "-".to_owned() } else { scopes.join(",") };
    let visitors = terms.forwards_clients.then(|| "visitors".to_owned());
    let more = visitors.into_iter().chain(terms.sites.iter().cloned());
    iter::once(scopes).chain(more).collect::<Vec<_>>().join(" ")
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
            terms: KeyTerms {
                expires_at: None,
                per_minute: Some(60),
                scopes: vec![Scope::Chat, Scope::Contact],
                tokens_per_day: Some(1_000),
                ..KeyTerms::default()
            },
            tokens: DayTokens { day: 20_000, count: 12 },
            requests: 7,
            last_used_at: Some(OffsetDateTime::UNIX_EPOCH),
        };
        let lines = table(&[record], 20_000);
        let line: Vec<_> = lines.lines().nth(1).unwrap_or_default().split("  ").collect();
        let cells: Vec<_> = line.iter().map(|cell| cell.trim()).collect();
        let cells: Vec<_> = cells.into_iter().filter(|cell| !cell.is_empty()).collect();
        let (id, time) = ("00000000000000000000000000", "1970-01-01T00:00:00Z");
        let expected =
            [id, time, "-", "-", "60", "chat,contact", "12/1000", time, "7", "the web site"];
        assert_eq!(cells, expected);
    }
}
