//! `subscribers import`: addresses confirmed elsewhere, from another program's export.
//!
//! In each line, only the address and, if present, app and state must be UTF-8. Names are not read.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use time::OffsetDateTime;
use toolkit_store::{AppId, Email, Imported, Store};

use super::cells::plain;
use super::records::patiently;
use super::table::Table;
use super::{CommandError, audit};

/// Addresses per transaction.
const BATCH: usize = 200;

/// Faulty lines shown in the report.
const NAMED_MAX: usize = 20;

/// Headings of the address column, in lower case without punctuation: "E-Mail", "Email Address".
const EMAIL: [&str; 6] =
    ["email", "emailaddress", "emailadresse", "adresseemail", "subscriberemail", "useremail"];

/// What mailing tools call a confirmed subscription, in lower case.
const CONFIRMED: [&str; 3] = ["confirmed", "subscribed", "active"];

/// An import and its counts so far.
pub(super) struct Import {
    pub(super) app_id: Option<AppId>,
    pub(super) confirmed_by: String,
    pub(super) dry_run: bool,
    pub(super) report: Report,
}

#[derive(Default)]
pub(super) struct Report {
    confirmed: u64,
    already: u64,
    unsubscribed: u64,
    /// Lines that say that they are not confirmed.
    others: u64,
    refused: u64,
    /// Lines whose other cells are not UTF-8.
    undecoded: u64,
    /// The faults of the first lines refused.
    faults: Vec<String>,
}

/// The columns that matter.
struct Columns {
    email: usize,
    app_id: Option<usize>,
    state: Option<usize>,
}

impl Import {
    /// Imports a file. The report goes to standard output, even on failure.
    pub(super) async fn run(
        mut self,
        store: &Store,
        path: &Path,
        now: OffsetDateTime,
    ) -> Result<String, CommandError> {
        let unreadable = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let table = File::open(path).and_then(Table::new);
        let mut table = table.map_err(|error| unreadable(&error))?;
        let names = table.next().map_err(|error| unreadable(&error))?;
        let names = names.map_or(Ok(Vec::new()), |names| names.cells);
        let columns = names.and_then(|names| self.columns(&names));
        let columns = columns.map_err(|error| unreadable(&error))?;
        self.record(store, "begun").await?;
        let imported = self.lines(store, &mut table, &columns, now).await;
        let ended = if imported.is_ok() { "ended" } else { "stopped" };
        let recorded = self.record(store, ended).await;
        let text = self.report.text(self.dry_run);
        io::stdout().write_all(text.as_bytes()).map_err(|error| unreadable(&error))?;
        let again = "the rest of the file was not imported. It is safe to import the file again";
        imported.map_err(|error| format!("{error}; {again}"))?;
        recorded?;
        match self.report.refused {
            0 => Ok(String::new()),
            refused => Err(format!("lines refused: {refused}").into()),
        }
    }

    async fn record(&self, store: &Store, step: &str) -> Result<(), CommandError> {
        if !self.dry_run {
            let Report { confirmed, refused, .. } = self.report;
            let by = &self.confirmed_by;
            let about = format!("{step}: {confirmed} confirmed by {by}, {refused} refused");
            audit::record(store, "subscribers.import", about).await?;
        }
        Ok(())
    }

    async fn lines(
        &mut self,
        store: &Store,
        table: &mut Table,
        columns: &Columns,
        now: OffsetDateTime,
    ) -> Result<(), CommandError> {
        let mut batch = Vec::with_capacity(BATCH);
        while let Some(record) = table.next()? {
            match record.cells.and_then(|cells| self.entry(columns, &cells)) {
                Ok(Some(entry)) => batch.push(entry),
                Ok(None) => self.report.others += 1,
                Err(fault) => self.report.refuse(record.line, &fault),
            }
            if batch.len() == BATCH {
                self.store(store, std::mem::take(&mut batch), now).await?;
            }
        }
        self.store(store, batch, now).await
    }

    fn columns(&self, names: &[Vec<u8>]) -> Result<Columns, String> {
        let find = |wanted: &[&str]| {
            names.iter().position(|name| {
                let name = String::from_utf8_lossy(name).to_lowercase();
                let name: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
                wanted.contains(&name.as_str())
            })
        };
        let columns = Columns {
            email: find(&EMAIL).ok_or("the first line has no column `email`")?,
            app_id: find(&["appid"]),
            state: find(&["state"]).or_else(|| find(&["status"])),
        };
        if self.app_id.is_none() && columns.app_id.is_none() {
            return Err("there is no column `app_id`. Name the app with --app-id".to_owned());
        }
        Ok(columns)
    }

    /// The address and app of a line, unless it says that it is not confirmed.
    fn entry(
        &mut self,
        columns: &Columns,
        cells: &[Vec<u8>],
    ) -> Result<Option<(Email, AppId)>, String> {
        let cell = |name: &str, column: usize| {
            let cell = cells.get(column).map_or(&[][..], Vec::as_slice);
            let text = std::str::from_utf8(cell);
            let text =
                text.map_err(|_| format!("`{name}` is not UTF-8. Save the file as UTF-8"))?;
            Ok::<_, String>(plain(text.trim()))
        };
        if let Some(state) = columns.state
            && !CONFIRMED.contains(&cell("state", state)?.to_lowercase().as_str())
        {
            return Ok(None);
        }
        let email = cell("email", columns.email)?.parse();
        let email = email.map_err(|error| format!("`email` {error}"))?;
        let app_id = match (&self.app_id, columns.app_id) {
            (None, Some(column)) => {
                cell("app_id", column)?.parse().map_err(|error| format!("`app_id` {error}"))?
            }
            (Some(app_id), _) => app_id.clone(),
            (None, None) => return Err("`app_id` is missing".to_owned()),
        };
        let is_undecoded = cells.iter().any(|cell| std::str::from_utf8(cell).is_err());
        self.report.undecoded += u64::from(is_undecoded);
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
        // A batch stored by an earlier attempt counts as confirmed before.
        for outcome in patiently(async || import().await).await? {
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
        let Self { confirmed, already, unsubscribed, others, refused, undecoded, faults } = self;
        let read = confirmed + already + unsubscribed + others + refused;
        let verb = if dry_run { "would be confirmed" } else { "confirmed" };
        let note = match undecoded {
            0 => String::new(),
            lines => {
                format!("not UTF-8, imported by their addresses: {lines} of the lines above\n")
            }
        };
        format!(
            "{verb}: {confirmed}\nconfirmed before: {already}\nunsubscribed, kept: {unsubscribed}\n\
             not confirmed in the file, skipped: {others}\nrefused: {refused}\nlines: {read}\n{note}{}",
            faults.concat()
        )
    }
}
