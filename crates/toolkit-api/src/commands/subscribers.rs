//! `subscribers`: the lists of newsletters, out to a mailing tool and back.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use csv::{ReaderBuilder, StringRecord};
use time::OffsetDateTime;
use toolkit_server::settings::HttpUrl;
use toolkit_store::{
    AppId, Email, Ended, Imported, Store, SubscriberFilter, SubscriptionState, Ulid,
};

use super::cells::plain;
use super::records::{Format, Record, patiently, write};
use super::{CommandError, audit, seconds, time_of};
use crate::listed::{Listed, state};

/// Addresses that are imported in one transaction.
const BATCH: usize = 200;

/// Lines of a file that are named in a report.
const NAMED_MAX: usize = 20;

/// Subcommands of `subscribers`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lists subscribers, the oldest first.
    List(Filter),
    /// Writes subscribers with their links to unsubscribe as CSV or JSON to standard output.
    Export {
        #[command(flatten)]
        filter: Filter,
        /// Format of the export.
        #[arg(long, default_value = "csv")]
        format: Format,
    },
    /// Ends the subscriptions of addresses, as their own link would.
    Unsubscribe {
        /// E-mail addresses.
        #[arg(required = true)]
        addresses: Vec<Email>,
        /// Only of this app.
        #[arg(long, value_name = "APP")]
        app_id: Option<AppId>,
    },
    /// Takes over addresses whose owners have confirmed elsewhere, from a CSV file with a column "email".
    /// What was ended here is not revived.
    Import {
        /// The file, in UTF-8, with a line of names.
        file: PathBuf,
        /// App that they are subscribed to; without it, the file has a column for it.
        #[arg(long, value_name = "APP")]
        app_id: Option<AppId>,
        /// How and where they have confirmed: it is kept with each.
        #[arg(long, value_name = "TEXT", value_parser = proof)]
        confirmed_by: String,
        /// Reports what would happen, and changes nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Makes another key for links to unsubscribe. Those made before go on working.
    RotateLinks,
}

/// Which subscribers.
#[derive(Debug, Args)]
pub struct Filter {
    /// Only of this app.
    #[arg(long, value_name = "APP")]
    app_id: Option<AppId>,
    /// Only in this state: pending, confirmed, unsubscribed or undeliverable.
    #[arg(long, value_name = "STATE", value_parser = state)]
    status: Option<SubscriptionState>,
    /// Only those that were requested, confirmed or ended since a date or an RFC 3339 time.
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
            audit::record(store, "subscribers.export", app_id).await?;
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
            return Ok(
                "Links made from now on have a new key; earlier ones go on working.\n".to_owned()
            );
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

/// An import, and what has become of the lines so far.
struct Import {
    app_id: Option<AppId>,
    confirmed_by: String,
    dry_run: bool,
    report: Report,
}

#[derive(Default)]
struct Report {
    confirmed: u64,
    already: u64,
    unsubscribed: u64,
    /// Lines of the file that say that they are not confirmed.
    others: u64,
    refused: u64,
    /// What is wrong with the first lines that are refused.
    faults: Vec<String>,
}

/// The columns of a file that count.
struct Columns {
    email: usize,
    app_id: Option<usize>,
    /// The state, in an export of this program.
    state: Option<usize>,
}

impl Import {
    async fn run(
        mut self,
        store: &Store,
        path: &Path,
        now: OffsetDateTime,
    ) -> Result<String, CommandError> {
        let unreadable = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let mut file = File::open(path).map_err(|error| unreadable(&error))?;
        let (delimiter, is_crlf) = first_line(&file).map_err(|error| unreadable(&error))?;
        file.rewind().map_err(|error| unreadable(&error))?;
        let mut reader = ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(file);
        let names = reader.headers().map_err(|error| unreadable(&error))?;
        let columns = self.columns(names).map_err(|error| unreadable(&error))?;
        let mut batch = Vec::with_capacity(BATCH);
        let mut record = StringRecord::new();
        while reader.read_record(&mut record).map_err(|error| unreadable(&error))? {
            let line = record.position().map_or(0, csv::Position::line) + u64::from(is_crlf);
            match self.entry(&columns, &record) {
                Ok(Some(entry)) => batch.push(entry),
                Ok(None) => self.report.others += 1,
                Err(fault) => self.report.refuse(line, &fault),
            }
            if batch.len() == BATCH {
                self.store(store, std::mem::take(&mut batch), now).await?;
            }
        }
        self.store(store, batch, now).await?;
        if !self.dry_run {
            let about = format!("{} confirmed by {}", self.report.confirmed, self.confirmed_by);
            audit::record(store, "subscribers.import", about).await?;
        }
        Ok(self.report.text(self.dry_run))
    }

    fn columns(&self, names: &StringRecord) -> Result<Columns, &'static str> {
        let find = |wanted: &str| {
            let mut names = names.iter();
            names.position(|name| name.trim().eq_ignore_ascii_case(wanted))
        };
        let columns = Columns {
            email: find("email").ok_or("the first line names no column `email`")?,
            app_id: find("app_id"),
            state: find("state").or_else(|| find("status")),
        };
        if self.app_id.is_none() && columns.app_id.is_none() {
            return Err("there is no column `app_id`; name the app with --app-id");
        }
        Ok(columns)
    }

    /// The address and the app of a line, unless the line says that it is not confirmed.
    fn entry(
        &self,
        columns: &Columns,
        record: &StringRecord,
    ) -> Result<Option<(Email, AppId)>, String> {
        let cell = |column: usize| plain(record.get(column).unwrap_or_default().trim());
        if columns.state.is_some_and(|state| cell(state) != "confirmed") {
            return Ok(None);
        }
        let email = cell(columns.email).parse();
        let email = email.map_err(|error| format!("`email` {error}"))?;
        let app_id = match (&self.app_id, columns.app_id) {
            (None, Some(column)) => {
                cell(column).parse().map_err(|error| format!("`app_id` {error}"))?
            }
            (Some(app_id), _) => app_id.clone(),
            (None, None) => return Err("`app_id` is missing".to_owned()),
        };
        Ok(Some((email, app_id)))
    }

    async fn store(
        &mut self,
        store: &Store,
        batch: Vec<(Email, AppId)>,
        now: OffsetDateTime,
    ) -> Result<(), CommandError> {
        let subscriptions = store.subscriptions();
        let import =
            || subscriptions.import(batch.clone(), self.confirmed_by.clone(), self.dry_run, now);
        // A batch that is stored already counts as confirmed before.
        let outcomes = patiently(async || import().await).await;
        let outcomes = outcomes.map_err(|error| {
            let so_far = self.report.text(self.dry_run);
            format!("{error}; the rest of the file is not imported, and the import can be repeated. {so_far}")
        })?;
        for outcome in outcomes {
            *match outcome {
                Imported::Confirmed => &mut self.report.confirmed,
                Imported::AlreadyConfirmed => &mut self.report.already,
                Imported::Unsubscribed => &mut self.report.unsubscribed,
            } += 1;
        }
        Ok(())
    }
}

impl Report {
    fn refuse(&mut self, line: u64, fault: &str) {
        self.refused += 1;
        if self.faults.len() < NAMED_MAX {
            self.faults.push(format!("line {line}: {fault}\n"));
        }
    }

    fn text(&self, dry_run: bool) -> String {
        format!(
            "{}: {}\nconfirmed before: {}\nunsubscribed, left so: {}\nnot confirmed in the file, left out: {}\nrefused: {}\n{}",
            if dry_run { "would be confirmed" } else { "confirmed" },
            self.confirmed,
            self.already,
            self.unsubscribed,
            self.others,
            self.refused,
            self.faults.concat()
        )
    }
}

/// What separates the names in the first line, as spreadsheets of many countries write semicolons; and
/// whether it ends with CRLF, whose LF the reader counts with the next record.
fn first_line(file: &File) -> std::io::Result<(u8, bool)> {
    let mut line = String::new();
    BufReader::new(file).read_line(&mut line)?;
    let mut known = [b',', b';', b'\t'].into_iter();
    let delimiter = known.find(|&it| line.contains(char::from(it)));
    Ok((delimiter.unwrap_or(b','), line.ends_with("\r\n")))
}
