//! Operator commands on stored records: keys, mails, subscribers, messages, personal data, backups.

mod audit;
mod cells;
mod doctor;
mod import;
mod keys;
mod outbox;
mod privacy;
mod records;
mod subscribers;
mod table;
mod webhooks;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::time::{Instant, sleep};
use toolkit_server::process::tell;
use toolkit_server::settings::{DatabaseUrl, HttpUrl, Settings};
use toolkit_store::{Access, Connections, Email, Store, StoreError, Ulid};

use crate::api::ApiError;
use crate::office::mail;
use crate::office::webhooks::Webhooks;

/// Database connections of a command, which runs one query at a time.
const CONNECTIONS: u32 = 1;

/// How long a command waits for PostgreSQL, which may be starting at the same time.
const DATABASE_WAIT: Duration = Duration::from_mins(1);

/// Pause between attempts.
const DATABASE_PAUSE: Duration = Duration::from_secs(2);

/// The reason a command failed: the database, a missing record, or output that cannot be written.
pub type CommandError = Box<dyn std::error::Error>;

/// An operator command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Issues, lists and revokes API keys. Running servers notice changes.
    #[command(subcommand)]
    Keys(keys::Command),
    /// Shows, retries and deletes queued mails and events.
    #[command(subcommand)]
    Outbox(outbox::Command),
    /// Exports and erases personal data.
    #[command(subcommand)]
    Privacy(privacy::Command),
    /// Lists, exports, imports and ends newsletter subscriptions.
    #[command(subcommand)]
    Subscribers(subscribers::Command),
    /// Lists, shows and exports contact messages.
    #[command(subcommand)]
    Messages(records::Messages),
    /// Backs up, checks and copies the database.
    #[command(subcommand)]
    Database(DatabaseCommand),
    /// Tests webhooks and re-enables them.
    #[command(subcommand)]
    Webhooks(webhooks::Command),
    /// Shows who issued, revoked, exported, imported and erased what.
    #[command(subcommand)]
    Audit(audit::Command),
    /// Tests the mail settings.
    #[command(subcommand)]
    Mail(MailCommand),
    /// Tests database, Redis, mail server, models, captcha and webhooks, and shows which client
    /// address the running server sees. Asks each model for one word, and sends each webhook a test
    /// event.
    Doctor,
}

/// Subcommands of `database`.
#[derive(Debug, Subcommand)]
pub enum DatabaseCommand {
    /// Writes all records to a new SQLite file, from SQLite or PostgreSQL, while servers run.
    Backup {
        /// Path of the new file.
        file: PathBuf,
    },
    /// Reads all records and says whether the database is intact.
    Check,
    /// Copies all records to an empty database, from SQLite to PostgreSQL or back. Stop the servers
    /// first.
    Copy {
        /// URL of the other database, as in `database.url`.
        #[arg(long, value_name = "URL")]
        to: String,
    },
}

impl DatabaseCommand {
    async fn run(self, store: &Store) -> Result<String, CommandError> {
        match self {
            Self::Backup { file } => {
                let name = file.display();
                let records = store.back_up(&file).await.map_err(|why| format!("{name}: {why}"))?;
                audit::record_if_it_can(store, "database.backup", name.to_string()).await?;
                Ok(format!("{name}: {records} records.\n"))
            }
            Self::Check => match store.check().await {
                Ok(records) => Ok(format!(
                    "The {} database is intact: {records} records.\n",
                    store.backend().as_str()
                )),
                Err(error) => Err(error.with_cause().into()),
            },
            Self::Copy { to } => copy(store, &to).await,
        }
    }
}

/// Subcommands of `mail`.
#[derive(Debug, Subcommand)]
pub enum MailCommand {
    /// Sends a test mail, or says why it cannot be sent.
    Test {
        /// Recipient of the test mail.
        address: Email,
    },
}

impl Command {
    /// Runs the command and returns the rest of its output.
    ///
    /// An older database is migrated only if asked, since a server may be using it.
    ///
    /// # Errors
    ///
    /// The reason it failed.
    pub async fn run(self, settings: &Settings, migrate: bool) -> Result<String, CommandError> {
        if let Self::Mail(MailCommand::Test { address }) = self {
            mail::send_test(settings, address.as_str())
                .await
                .map_err(|cause| format!("the mail was not sent: {cause}"))?;
            return Ok(format!("A test mail to {address} was accepted by the mail server.\n"));
        }
        if let Self::Doctor = self {
            return doctor::run(settings).await;
        }
        let only_reads = self.only_reads();
        let url = &settings.database.url;
        if only_reads
            && Store::absent(url.expose()).map_err(|error| unopened(url, error))?.is_some()
        {
            let location = url.location();
            let advice = "start `api-server` once to make it, or correct `database.url`";
            return Err(format!("{location}: there is no database; {advice}").into());
        }
        let access = if migrate {
            Access::Migrate
        } else if only_reads {
            Access::Read
        } else {
            Access::Write
        };
        let store = open(settings, access).await.map_err(|error| unopened(url, error))?;
        // Commands send events too, as requests do.
        store.tell(Webhooks::receivers(settings));
        let public = &settings.public;
        let urls = public.resolve(settings.api.bind, settings.mcp_apart());
        let now = OffsetDateTime::now_utc();
        let result = self.run_on(&store, settings, &urls.base_url, now).await;
        store.close().await;
        result
    }

    /// Whether it changes no records, so that it works on a full disk.
    fn only_reads(&self) -> bool {
        matches!(
            self,
            Self::Keys(keys::Command::List)
                | Self::Outbox(outbox::Command::Status | outbox::Command::List)
                | Self::Privacy(privacy::Command::Export { .. })
                | Self::Subscribers(
                    subscribers::Command::List(_) | subscribers::Command::Export { .. }
                )
                | Self::Messages(_)
                | Self::Database(_)
                | Self::Audit(_)
        )
    }

    async fn run_on(
        self,
        store: &Store,
        settings: &Settings,
        base_url: &HttpUrl,
        now: OffsetDateTime,
    ) -> Result<String, CommandError> {
        match self {
            Self::Keys(command) => keys::run(command, store, settings, now).await,
            Self::Outbox(command) => outbox::run(command, store, now).await,
            Self::Privacy(command) => privacy::run(command, store, now).await,
            Self::Subscribers(command) => subscribers::run(command, store, base_url, now).await,
            Self::Messages(command) => records::messages(command, store).await,
            Self::Database(command) => command.run(store).await,
            Self::Webhooks(command) => webhooks::run(command, store, settings).await,
            Self::Audit(command) => audit::run(command, store).await,
            Self::Mail(_) | Self::Doctor => Ok(String::new()),
        }
    }
}

/// The failure to open a database, in words.
fn unopened(url: &DatabaseUrl, error: StoreError) -> String {
    ApiError::Database(url.location(), error).to_string()
}

/// Opens the database, waiting for PostgreSQL as a server would.
async fn open(settings: &Settings, access: Access) -> Result<Store, StoreError> {
    let url = settings.database.url.expose();
    let connections = Connections { max: CONNECTIONS, pooler: settings.database.pooler };
    let (waits, started) = (url.starts_with("postgres"), Instant::now());
    loop {
        match Store::open_for(access, url, connections).await {
            Err(error) if error.is_out_of_reach() && waits && started.elapsed() < DATABASE_WAIT => {
                let (url, cause) = (settings.database.url.location(), error.with_cause());
                tell(io::stderr(), format_args!("waiting for the database {url}: {cause}"));
                sleep(DATABASE_PAUSE).await;
            }
            result => return result,
        }
    }
}

async fn copy(store: &Store, to: &str) -> Result<String, CommandError> {
    let target = Store::open(to, CONNECTIONS).await;
    let target =
        target.map_err(|error| format!("cannot open the target: {}", error.with_cause()))?;
    let copied = store.copy_to(&target, false).await;
    target.close().await;
    let (from, to) = (store.backend().as_str(), target.backend().as_str());
    Ok(format!(
        "Copied {} records from {from} to {to}. Each table has the same number of rows on both sides.\n",
        copied?
    ))
}

fn id(text: &str) -> Result<Ulid, &'static str> {
    Ulid::from_string(text).map_err(|_| "not an ID. The command `list` shows the IDs")
}

/// A time, or the start of a date in UTC.
fn time_of(text: &str) -> Result<OffsetDateTime, &'static str> {
    let parse = |text: &str| OffsetDateTime::parse(text, &Rfc3339);
    parse(text)
        .or_else(|_| parse(&format!("{text}T00:00:00Z")))
        .map_err(|_| "not a date like 2027-01-31 or a time like 2027-01-31T18:00:00Z")
}

/// A time in whole seconds, for people.
fn seconds(time: OffsetDateTime) -> String {
    let time = time.replace_nanosecond(0).unwrap_or(time);
    time.format(&Rfc3339).unwrap_or_default()
}
