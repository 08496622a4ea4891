//! Report: progress to the terminal, figures into docs/performance.md.
#![expect(clippy::print_stdout, reason = "a report is what this program is for")]

use std::fs;
use std::io;
use std::path::Path;

use crate::document::Document;
use crate::goals;
use crate::machine::Machine;
use crate::sections::Section;

/// The report, in the project's folder.
const REPORT: &str = "docs/performance.md";

/// The folder of its plots.
const PLOTS: &str = "docs/performance";

/// Tells what is under way, or was measured.
pub(crate) fn say(text: &str) {
    println!("{text}");
}

/// The report, as it is while a part after the other is measured.
pub(crate) struct Report {
    document: Document,
    /// Where and when, and how thoroughly, in a few words.
    stamp: String,
}

impl Report {
    /// Opens the report that is there.
    pub(crate) fn open(machine: &Machine, quick: bool) -> io::Result<Self> {
        let mut document = Document::open(Path::new(REPORT))?;
        document.replace("machine", &machine.table())?;
        let quick = if quick { ", with --quick" } else { "" };
        Ok(Self {
            document,
            stamp: format!("*{}{quick}*", machine.stamp()),
        })
    }

    /// Writes a part in place of the one that is there, and its goals; all else stays as it is.
    pub(crate) fn write(&mut self, name: &str, section: &Section) -> io::Result<()> {
        let text = format!("{}\n{}", section.text, self.stamp);
        self.document.replace(name, &text)?;
        let before = self.document.part("goals")?;
        let goals = goals::table(&section.findings, before);
        self.document.replace("goals", &goals)?;
        fs::create_dir_all(PLOTS)?;
        for plot in &section.plots {
            fs::write(
                Path::new(PLOTS).join(plot.name).with_extension("svg"),
                plot.svg()?,
            )?;
        }
        self.document.save()
    }
}
