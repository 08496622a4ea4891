//! `subscribers` and `messages`: lists for a person, exports for a program.
//!
//! Standard: RFC 4180 (CSV), RFC 8259 (JSON). Records are read in pages and written as they come, so
//! any number takes constant memory. In CSV a cell that a spreadsheet would take for a formula begins
//! with an apostrophe.

use std::io::{self, ErrorKind, Write as _};

use clap::{Args, Subcommand, ValueEnum};
use csv::Terminator;
use serde::Serialize;
use time::OffsetDateTime;
use toolkit_store::{
    AppId, Contact, Store, StoreError, Subscriber, SubscriberFilter, SubscriptionState, Ulid,
};

use super::{Failure, id, seconds, time_of};

/// Subcommands of `subscribers`.
#[derive(Debug, Subcommand)]
pub enum Subscribers {
    /// Lists subscribers, the oldest first.
    List(Filter),
    /// Writes subscribers as CSV or JSON to standard output.
    Export {
        #[command(flatten)]
        filter: Filter,
        /// Format of the export.
        #[arg(long, default_value = "csv")]
        format: Format,
    },
}

/// Which subscribers.
#[derive(Debug, Args)]
pub struct Filter {
    /// Only of this app.
    #[arg(long, value_name = "APP")]
    app_id: Option<AppId>,
    /// Only in this state: pending, confirmed or unsubscribed.
    #[arg(long, value_name = "STATE", value_parser = state)]
    status: Option<SubscriptionState>,
    /// Only those that were requested, confirmed or ended since a date or an RFC 3339 time.
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    since: Option<OffsetDateTime>,
}

/// Subcommands of `messages`.
#[derive(Debug, Subcommand)]
pub enum Messages {
    /// Lists messages, the oldest first.
    List {
        /// Only those received since a date or an RFC 3339 time.
        #[arg(long, value_name = "TIME", value_parser = time_of)]
        since: Option<OffsetDateTime>,
    },
    /// Prints a message.
    Show {
        /// Id of the message, as in the answer to its sender and in its mail.
        #[arg(value_parser = id)]
        id: Ulid,
    },
    /// Writes messages as CSV or JSON to standard output.
    Export {
        /// Only those received since a date or an RFC 3339 time.
        #[arg(long, value_name = "TIME", value_parser = time_of)]
        since: Option<OffsetDateTime>,
        /// Format of the export.
        #[arg(long, default_value = "csv")]
        format: Format,
    },
}

/// Format of an export.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Format {
    /// RFC 4180, in UTF-8.
    Csv,
    /// An array of objects.
    Json,
    /// Lines for a person.
    #[value(skip)]
    List,
}

fn state(text: &str) -> Result<SubscriptionState, &'static str> {
    let mut all = SubscriptionState::ALL.into_iter();
    all.find(|state| state.as_str() == text)
        .ok_or("must be pending, confirmed or unsubscribed")
}

/// Runs a command of `subscribers`.
pub(super) async fn subscribers(command: Subscribers, store: &Store) -> Result<String, Failure> {
    let (filter, format) = match command {
        Subscribers::List(filter) => (filter, Format::List),
        Subscribers::Export { filter, format } => (filter, format),
    };
    let filter = SubscriberFilter {
        app_id: filter.app_id,
        status: filter.status,
        since: filter.since,
    };
    write(format, async |after| {
        store.subscribers(&filter, after).await
    })
    .await
}

/// Runs a command of `messages`.
pub(super) async fn messages(command: Messages, store: &Store) -> Result<String, Failure> {
    let (since, format) = match command {
        Messages::Show { id } => {
            let message = store.message(id).await?;
            let message = message.ok_or_else(|| format!("no message has the id {id}"))?;
            return Ok(shown(&message));
        }
        Messages::List { since } => (since, Format::List),
        Messages::Export { since, format } => (since, format),
    };
    write(format, async |after| store.messages(since, after).await).await
}

fn shown(message: &Contact) -> String {
    let subject = message.subject.as_deref().unwrap_or("-");
    format!(
        "id:       {}\nreceived: {}\nname:     {}\nemail:    {}\nsubject:  {subject}\n\n{}\n",
        message.id,
        seconds(message.created_at),
        message.name,
        message.email,
        message.message
    )
}

/// A kind of record: its columns, the first of which are listed.
trait Record: Serialize {
    const COLUMNS: &'static [&'static str];
    const LISTED: usize;
    fn id(&self) -> Ulid;
    fn cells(&self) -> Vec<String>;
}

impl Record for Subscriber {
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "created_at",
        "state",
        "app_id",
        "email",
        "confirmed_at",
        "unsubscribed_at",
    ];
    const LISTED: usize = 5;

    fn id(&self) -> Ulid {
        self.id
    }

    fn cells(&self) -> Vec<String> {
        let or_empty = |time: Option<OffsetDateTime>| time.map(seconds).unwrap_or_default();
        let of = &self.subscription;
        vec![
            self.id.to_string(),
            seconds(of.created_at),
            of.state.as_str().to_owned(),
            of.app_id.clone(),
            self.email.clone(),
            or_empty(of.confirmed_at),
            or_empty(of.unsubscribed_at),
        ]
    }
}

impl Record for Contact {
    const COLUMNS: &'static [&'static str] =
        &["id", "created_at", "email", "subject", "name", "message"];
    const LISTED: usize = 4;

    fn id(&self) -> Ulid {
        self.id
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            seconds(self.created_at),
            self.email.clone(),
            self.subject.clone().unwrap_or_default(),
            self.name.clone(),
            self.message.clone(),
        ]
    }
}

/// Writes all pages of records to standard output. A reader that has seen enough ends it.
async fn write<R: Record>(
    format: Format,
    page: impl AsyncFn(Option<Ulid>) -> Result<Vec<R>, StoreError>,
) -> Result<String, Failure> {
    let mut out = io::stdout().lock();
    let (mut is_first, mut last) = (true, None);
    loop {
        let records = page(last).await?;
        let mut text = Vec::new();
        match format {
            Format::Csv | Format::List => table(format, &records, is_first, &mut text)?,
            Format::Json => array(&records, is_first, &mut text)?,
        }
        match out.write_all(&text).and_then(|()| out.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            written => written.map_err(|error| format!("the output is incomplete: {error}"))?,
        }
        let Some(record) = records.last() else { break };
        (is_first, last) = (false, Some(record.id()));
    }
    Ok(String::new())
}

fn table<R: Record>(
    format: Format,
    records: &[R],
    is_first: bool,
    text: &mut Vec<u8>,
) -> Result<(), csv::Error> {
    let mut builder = csv::WriterBuilder::new();
    if let Format::List = format {
        let mut out = builder.delimiter(b'\t').from_writer(text);
        let listed = |record: &R| record.cells().into_iter().take(R::LISTED);
        let mut records = records.iter();
        return records.try_for_each(|record| out.write_record(listed(record)));
    }
    // RFC 4180, section 2: lines end with CRLF.
    let mut out = builder.terminator(Terminator::CRLF).from_writer(text);
    if is_first {
        out.write_record(R::COLUMNS)?;
    }
    let mut records = records.iter();
    records.try_for_each(|record| out.write_record(record.cells().into_iter().map(inert)))
}

fn array<R: Record>(
    records: &[R],
    is_first: bool,
    text: &mut Vec<u8>,
) -> Result<(), serde_json::Error> {
    for record in records {
        let is_start = is_first && text.is_empty();
        text.extend_from_slice(if is_start { b"[\n" } else { b",\n" });
        serde_json::to_writer(&mut *text, record)?;
    }
    match (records.is_empty(), is_first) {
        (true, true) => text.extend_from_slice(b"[]\n"),
        (true, false) => text.extend_from_slice(b"\n]\n"),
        (false, _) => {}
    }
    Ok(())
}

/// A cell that no spreadsheet takes for a formula.
fn inert(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{cell}")
    } else {
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_never_a_formula() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(inert(text.to_owned()), format!("'{text}"));
        }
        for text in ["", "a=1", "1-1", "ada@example.org"] {
            assert_eq!(inert(text.to_owned()), text);
        }
    }
}
