//! Commands of the operator on the stored records: keys, mails, subscribers, messages, personal data, a copy.

mod audit;
mod cells;
mod doctor;
mod keys;
mod outbox;
mod privacy;
mod records;
mod subscribers;
mod webhooks;

use std::error::Error as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::time::{Instant, sleep};
use toolkit_server::settings::{HttpUrl, Settings};
use toolkit_store::{Connections, Email, Store, StoreError, Ulid};

use crate::mail;
use crate::webhooks::Webhooks;

/// Database connections of a command, which runs one query.
const CONNECTIONS: u32 = 1;

/// How long a command waits for PostgreSQL: it may start together with it.
const DATABASE_WAIT: Duration = Duration::from_mins(1);

/// Pause between two attempts.
const DATABASE_PAUSE: Duration = Duration::from_secs(2);

/// Why a command failed: the database, a record that does not exist, or a result that cannot be written.
pub type CommandError = Box<dyn std::error::Error>;

/// A command of the operator.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Issues, lists and revokes API keys. A running server notices changes.
    #[command(subcommand)]
    Keys(keys::Command),
    /// Shows and requeues mails.
    #[command(subcommand)]
    Outbox(outbox::Command),
    /// Exports and erases personal data.
    #[command(subcommand)]
    Privacy(privacy::Command),
    /// Lists, exports, imports and ends subscriptions.
    #[command(subcommand)]
    Subscribers(subscribers::Command),
    /// Lists, shows and exports messages of the contact form.
    #[command(subcommand)]
    Messages(records::Messages),
    /// Backs up and checks the database, or moves to another one.
    #[command(subcommand)]
    Database(DatabaseCommand),
    /// Tries webhooks, and turns them on again.
    #[command(subcommand)]
    Webhooks(webhooks::Command),
    /// Shows who issued, revoked, exported, imported and erased.
    #[command(subcommand)]
    Audit(audit::Command),
    /// Tries the mail settings.
    #[command(subcommand)]
    Mail(MailCommand),
    /// Tries database, Redis, mail server, models, captcha and webhooks, and shows which client address
    /// the running server sees. A model is asked for one word; a webhook gets its test.
    Doctor,
}

/// Subcommands of `database`.
#[derive(Debug, Subcommand)]
pub enum DatabaseCommand {
    /// Writes everything to a new SQLite file, from SQLite or PostgreSQL, while servers run.
    Backup {
        /// The file; it must not exist yet.
        file: PathBuf,
    },
    /// Reads everything, and says whether the database is whole.
    Check,
    /// Copies everything to an empty database: from SQLite to PostgreSQL, or back. Stop the servers first.
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
                audit::record(store, "database.backup", name.to_string()).await?;
                Ok(format!("{name}: {records} records.\n"))
            }
            Self::Check => match store.check().await {
                Ok(records) => Ok(format!(
                    "The {} database is whole: {records} records.\n",
                    store.backend().as_str()
                )),
                Err(error) => Err(match error.source() {
                    Some(cause) => format!("{error}: {cause}").into(),
                    None => error.into(),
                }),
            },
            Self::Copy { to } => copy(store, &to).await,
        }
    }
}

/// Subcommands of `mail`.
#[derive(Debug, Subcommand)]
pub enum MailCommand {
    /// Sends a test mail, and says why if that fails.
    Test {
        /// Address that receives it.
        address: Email,
    },
}

impl Command {
    /// Runs the command, and returns the rest of its output.
    ///
    /// The database of an older version is migrated only if asked, as a server may be using it.
    ///
    /// # Errors
    ///
    /// Why it failed.
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
        if let Self::Database(DatabaseCommand::Backup { .. } | DatabaseCommand::Check) = self
            && let Some(file) = Store::file(settings.database.url.expose())
            && !file.exists()
        {
            return Err(format!("{}: there is no database", file.display()).into());
        }
        let url = settings.database.url.public();
        let store = open(settings, migrate).await.map_err(|error| format!("{url}: {error}"))?;
        // What a command changes is told, as what a request changes.
        store.tell(Webhooks::receivers(settings));
        let public = &settings.public;
        let urls = public.resolve(settings.api.bind, settings.mcp_apart());
        let now = OffsetDateTime::now_utc();
        let result = self.run_on(&store, settings, &urls.base_url, now).await;
        store.close().await;
        result
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
            Self::Privacy(command) => privacy::run(command, store).await,
            Self::Subscribers(command) => subscribers::run(command, store, base_url, now).await,
            Self::Messages(command) => records::messages(command, store).await,
            Self::Database(command) => command.run(store).await,
            Self::Webhooks(command) => webhooks::run(command, store, settings).await,
            Self::Audit(command) => audit::run(command, store).await,
            Self::Mail(_) | Self::Doctor => Ok(String::new()),
        }
    }
}

/// Opens the database. PostgreSQL that is out of reach is waited for, as by a server.
async fn open(settings: &Settings, migrate: bool) -> Result<Store, StoreError> {
    let url = settings.database.url.expose();
    let connections = Connections { max: CONNECTIONS, pooler: settings.database.pooler };
    let (waits, started) = (url.starts_with("postgres"), Instant::now());
    loop {
        let opened = if migrate {
            Store::open(url, connections).await
        } else {
            Store::open_current(url, connections).await
        };
        match opened {
            Err(error) if error.is_out_of_reach() && waits && started.elapsed() < DATABASE_WAIT => {
                // A closed standard error cannot be reported.
                let _ = writeln!(io::stderr(), "waiting for the database: {error}");
                sleep(DATABASE_PAUSE).await;
            }
            result => return result,
        }
    }
}

async fn copy(store: &Store, to: &str) -> Result<String, CommandError> {
    let target = Store::open(to, CONNECTIONS).await;
    let target = target.map_err(|error| format!("the target cannot be opened: {error}"))?;
    let copied = store.copy_to(&target, false).await;
    target.close().await;
    let (from, to) = (store.backend().as_str(), target.backend().as_str());
    Ok(format!(
        "Copied {} records from {from} to {to}; each table has as many there as here.\n",
        copied?
    ))
}

fn id(text: &str) -> Result<Ulid, &'static str> {
    Ulid::from_string(text).map_err(|_| "not an id; the command `list` shows the ids")
}

/// A time, or the beginning of a date in UTC.
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
