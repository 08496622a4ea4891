//! Records as lists for people and exports for programs, and the `messages` command.
//!
//! Standard: RFC 4180 (CSV), RFC 8259 (JSON). Records are read in pages and written as they arrive,
//! so any number takes constant memory.

use std::io::{self, ErrorKind, Write as _};

use clap::{Args, Subcommand, ValueEnum};
use csv::{QuoteStyle, Terminator};
use serde::Serialize;
use time::OffsetDateTime;
use toolkit_store::{AppId, Contact, Entry, Store, StoreError, Ulid};

use super::cells::inert;
use super::{CommandError, audit, id, seconds, time_of};

/// Subcommands of `messages`.
#[derive(Debug, Subcommand)]
pub enum Messages {
    /// Lists messages, oldest first: ID, time, app, address, subject.
    List(Filter),
    /// Prints a message, and whether it was mailed.
    Show {
        /// ID of the message, as in the sender's answer and in the mail.
        #[arg(value_parser = id)]
        id: Ulid,
    },
    /// Writes messages as CSV or JSON to standard output.
    Export {
        #[command(flatten)]
        filter: Filter,
        /// Format of the export.
        #[arg(long, default_value = "csv")]
        format: Format,
    },
}

/// Which messages are listed.
#[derive(Debug, Args)]
pub struct Filter {
    /// Only messages of this app.
    #[arg(long, value_name = "APP")]
    app_id: Option<AppId>,
    /// Only messages received since a date or an RFC 3339 time.
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    since: Option<OffsetDateTime>,
}

/// Format of an export.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Format {
    /// RFC 4180, in UTF-8.
    Csv,
    /// An array of objects.
    Json,
    /// One object per line.
    Jsonl,
    /// Lines for people.
    #[value(skip)]
    List,
}

/// Runs a command of `messages`.
pub(super) async fn messages(command: Messages, store: &Store) -> Result<String, CommandError> {
    let (Filter { app_id, since }, format) = match command {
        Messages::Show { id } => {
            let message = store.message(id).await?;
            let message = message.ok_or_else(|| format!("no message has the ID {id}"))?;
            let mail = store.outbox().of_message(id).await?;
            return Ok(shown(&message, mail.as_ref()));
        }
        Messages::List(filter) => (filter, Format::List),
        Messages::Export { filter, format } => {
            let of = filter.app_id.as_ref().map_or("", AppId::as_str);
            audit::record_if_it_can(store, "messages.export", of).await?;
            (filter, format)
        }
    };
    write(format, async |after| store.messages(app_id.as_ref(), since, after).await).await
}

fn shown(message: &Contact, mail: Option<&Entry>) -> String {
    let subject = message.subject.as_deref().unwrap_or("-");
    let app = message.app_id.as_deref().unwrap_or("-");
    format!(
        "id:       {}\nreceived: {}\nmailed:   {}\napp:      {app}\nname:     {}\nemail:    {}\nsubject:  {subject}\n\n{}\n",
        message.id,
        seconds(message.created_at),
        mailed(message, mail),
        message.name,
        message.email,
        message.message
    )
}

/// Whether a message was mailed, or the reason it was not.
fn mailed(message: &Contact, mail: Option<&Entry>) -> String {
    let failure = mail.and_then(|mail| mail.failure.as_deref()).unwrap_or("-");
    match (message.mailed_at, mail) {
        (Some(at), None) => seconds(at),
        (None, None) => "no, its mail was removed from the outbox".to_owned(),
        (_, Some(mail)) if mail.is_dead => format!("given up, {failure}"),
        (_, Some(mail)) => format!("waits, attempt {}, {failure}", mail.attempts),
    }
}

/// A kind of record with its columns. The first ones appear in lists.
pub(super) trait Record: Serialize {
    const COLUMNS: &'static [&'static str];
    const LISTED: usize;
    fn id(&self) -> Ulid;
    fn cells(&self) -> Vec<String>;
}

impl Record for Contact {
    const COLUMNS: &'static [&'static str] =
        &["id", "created_at", "app_id", "email", "subject", "mailed_at", "name", "message"];
    const LISTED: usize = 5;

    fn id(&self) -> Ulid {
        self.id
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            seconds(self.created_at),
            self.app_id.clone().unwrap_or_default(),
            self.email.clone(),
            self.subject.clone().unwrap_or_default(),
            self.mailed_at.map(seconds).unwrap_or_default(),
            self.name.clone(),
            self.message.clone(),
        ]
    }
}

/// Further attempts while the database is unreachable or busy.
const RETRIES: u32 = 5;

/// Repeats store operations while the store is unreachable or busy, so that a long command
/// survives.
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

/// Writes all pages of records to standard output. Stops when the reader closes it.
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
