//! Records as lists for a person and exports for a program; `messages`.
//!
//! Standard: RFC 4180 (CSV), RFC 8259 (JSON). Records are read in pages and written as they come, so
//! any number takes constant memory.

use std::io::{self, ErrorKind, Write as _};

use clap::{Subcommand, ValueEnum};
use csv::{QuoteStyle, Terminator};
use serde::Serialize;
use time::OffsetDateTime;
use toolkit_store::{Contact, Store, StoreError, Ulid};

use super::cells::inert;
use super::{CommandError, audit, id, seconds, time_of};

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
    /// An object per line.
    Jsonl,
    /// Lines for a person.
    #[value(skip)]
    List,
}

/// Runs a command of `messages`.
pub(super) async fn messages(command: Messages, store: &Store) -> Result<String, CommandError> {
    let (since, format) = match command {
        Messages::Show { id } => {
            let message = store.message(id).await?;
            let message = message.ok_or_else(|| format!("no message has the id {id}"))?;
            return Ok(shown(&message));
        }
        Messages::List { since } => (since, Format::List),
        Messages::Export { since, format } => {
            audit::record(store, "messages.export", "").await?;
            (since, format)
        }
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
pub(super) trait Record: Serialize {
    const COLUMNS: &'static [&'static str];
    const LISTED: usize;
    fn id(&self) -> Ulid;
    fn cells(&self) -> Vec<String>;
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

/// Further attempts while the database is out of reach or busy.
const RETRIES: u32 = 5;

/// Repeats work on the store a few times while the store is out of reach or busy: a long command should not end for that.
pub(super) async fn patiently<T>(
    work: impl AsyncFn() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut outcome = work().await;
    for _ in 0..RETRIES {
        if !outcome.as_ref().is_err_and(StoreError::is_unavailable) {
            break;
        }
        outcome = work().await;
    }
    outcome
}

/// Writes all pages of records to standard output. A reader that has seen enough ends it.
pub(super) async fn write<R: Record>(
    format: Format,
    page: impl AsyncFn(Option<Ulid>) -> Result<Vec<R>, StoreError>,
) -> Result<String, CommandError> {
    let mut out = io::stdout().lock();
    let (mut is_first, mut last) = (true, None);
    loop {
        let records = patiently(async || page(last).await).await?;
        let mut text = Vec::new();
        match format {
            Format::Csv | Format::List => table(format, &records, is_first, &mut text)?,
            Format::Json => array(&records, is_first, &mut text)?,
            Format::Jsonl => lines(&records, &mut text)?,
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
    builder.terminator(Terminator::CRLF);
    let mut out = builder.quote_style(QuoteStyle::Always).from_writer(text);
    if is_first {
        out.write_record(R::COLUMNS)?;
    }
    let mut records = records.iter();
    records.try_for_each(|record| out.write_record(record.cells().iter().map(|cell| inert(cell))))
}

fn lines<R: Record>(records: &[R], text: &mut Vec<u8>) -> Result<(), serde_json::Error> {
    for record in records {
        serde_json::to_writer(&mut *text, record)?;
        text.push(b'\n');
    }
    Ok(())
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
