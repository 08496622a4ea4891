//! `subscribers`: newsletter subscribers, exported to a mailing tool and back.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use time::OffsetDateTime;
use toolkit_server::settings::HttpUrl;
use toolkit_store::{AppId, Email, Ended, Store, SubscriberFilter, SubscriptionState, Ulid};

use super::import::{Import, Report};
use super::records::{Format, Record, write};
use super::{CommandError, audit, seconds, time_of};
use crate::office::listed::{Listed, state};

/// Subcommands of `subscribers`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lists subscribers, oldest first.
    List(Filter),
    /// Writes subscribers with their unsubscribe links as CSV or JSON to standard output.
    Export {
        #[command(flatten)]
        filter: Filter,
        /// Format of the export.
        #[arg(long, default_value = "csv")]
        format: Format,
    },
    /// Unsubscribes addresses, as their own links would.
    Unsubscribe {
        /// E-mail addresses.
        #[arg(required = true)]
        addresses: Vec<Email>,
        /// Only from this app.
        #[arg(long, value_name = "APP")]
        app_id: Option<AppId>,
    },
    /// Imports addresses confirmed elsewhere, from a CSV file with a column "email". Does not
    /// revive subscriptions that ended here.
    Import {
        /// CSV file with a header line.
        file: PathBuf,
        /// App to subscribe them to. Default: the file's column for it.
        #[arg(long, value_name = "APP")]
        app_id: Option<AppId>,
        /// How and where they confirmed. Stored with each subscription.
        #[arg(long, value_name = "TEXT", value_parser = proof)]
        confirmed_by: String,
        /// Reports what would happen without changing anything.
        #[arg(long)]
        dry_run: bool,
    },
    /// Makes a new key for unsubscribe links. Existing links keep working.
    RotateLinks,
}

/// Selects subscribers.
#[derive(Debug, Args)]
pub struct Filter {
    /// Only subscribers of this app.
    #[arg(long, value_name = "APP")]
    app_id: Option<AppId>,
    /// Only in this state: pending, confirmed, unsubscribed or undeliverable.
    #[arg(long, value_name = "STATE", value_parser = state)]
    status: Option<SubscriptionState>,
    /// Only if requested, confirmed or ended since a date or an RFC 3339 time.
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    since: Option<OffsetDateTime>,
}

fn proof(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() || text.chars().count() > 200 || text.contains(char::is_control) {
        return Err("must be 1 to 200 characters on one line");
    }
    Ok(text.to_owned())
}

/// Runs the command.
pub(super) async fn run(
    command: Command,
    store: &Store,
    base_url: &HttpUrl,
    now: OffsetDateTime,
) -> Result<String, CommandError> {
    let (filter, format) = match command {
        Command::List(filter) => (filter, Format::List),
        Command::Export { filter, format } => {
            let app_id = filter.app_id.as_ref().map_or("all apps", AppId::as_str);
            audit::record_if_it_can(store, "subscribers.export", app_id).await?;
            (filter, format)
        }
        Command::Unsubscribe { addresses, app_id } => {
            return unsubscribe(store, &addresses, app_id.as_ref(), now).await;
        }
        Command::Import { file, app_id, confirmed_by, dry_run } => {
            let import = Import { app_id, confirmed_by, dry_run, report: Report::default() };
            return import.run(store, &file, now).await;
        }
        Command::RotateLinks => {
            store.rotate_links(now).await?;
            audit::record(store, "subscribers.rotate-links", "").await?;
            return Ok("New links use a new key. Existing links keep working.\n".to_owned());
        }
    };
    let filter =
        SubscriberFilter { app_id: filter.app_id, status: filter.status, since: filter.since };
    let links = store.unsubscribe_links(now).await?;
    write(format, async |after| {
        let page = store.subscribers(&filter, after).await?;
        let listed = page.into_iter().map(|it| Listed::new(it, &links, base_url));
        Ok(listed.collect())
    })
    .await
}

impl Record for Listed {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "state",
        "app_id",
        "email",
        "confirmed_at",
        "unsubscribed_at",
        "unsubscribe_url",
    ];
    const LISTED: usize = 5;

    fn id(&self) -> Ulid {
        self.subscriber.id
    }

    fn cells(&self) -> Vec<String> {
        let or_empty = |time: Option<OffsetDateTime>| time.map(seconds).unwrap_or_default();
        let of = &self.subscriber.subscription;
        vec![
            self.subscriber.id.to_string(),
            seconds(of.created_at),
            of.state.as_str().to_owned(),
            of.app_id.clone(),
            self.subscriber.email.clone(),
            or_empty(of.confirmed_at),
            or_empty(of.unsubscribed_at),
            self.unsubscribe_url.clone(),
        ]
    }
}

async fn unsubscribe(
    store: &Store,
    addresses: &[Email],
    app_id: Option<&AppId>,
    now: OffsetDateTime,
) -> Result<String, CommandError> {
    let (mut ended, mut before, mut unknown) = (0, 0, Vec::new());
    for address in addresses {
        match store.subscriptions().end(address, app_id, now).await? {
            Ended::Now(0) => before += 1,
            Ended::Now(number) => ended += number,
            Ended::Unknown => unknown.push(address.to_string()),
        }
    }
    audit::record(store, "subscribers.unsubscribe", ended.to_string()).await?;
    let report = format!("ended: {ended}, ended before: {before}, unknown: {}", unknown.len());
    if unknown.is_empty() {
        return Ok(report + "\n");
    }
    Err(format!("{report}; no subscription has {}", unknown.join(", ")).into())
}
