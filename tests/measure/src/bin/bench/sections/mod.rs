//! Sections of the report, one file each.

mod footprint;
mod inputs;
mod peers;
mod small;

use toolkit_measure::Result;
use toolkit_measure::process::Server;
use toolkit_measure::table::table;

use crate::measure::Plan;

/// Measures a section, and writes its results.
type Measure = fn(&Bench, &mut Section) -> Result<()>;

/// All sections, by the names in their markers, in the order of measurement.
pub(crate) const SECTIONS: [(&str, Measure); 4] = [
    ("footprint", footprint::measure),
    ("small", small::measure),
    ("inputs", inputs::measure),
    ("peers", peers::measure),
];

/// Setting of a server that accepts inputs of a megabyte, also when escaped as JSON strings.
const LARGE_BODIES: (&str, &str) = ("HTTP__BODY_LIMIT_BYTES", "4194304");

/// Context of every section.
pub(crate) struct Bench {
    pub(crate) plan: Plan,
    /// Part of a name: only matching cases are measured.
    pub(crate) filter: Option<String>,
}

impl Bench {
    /// Whether the case of this name is to be measured.
    fn wants(&self, name: &str) -> bool {
        let filter = self.filter.as_deref();
        filter.is_none_or(|filter| name.contains(filter))
    }
}

/// Part of the report written by a section.
#[derive(Default)]
pub(crate) struct Section {
    /// Markdown text between its markers.
    pub(crate) text: String,
    /// Rows of the current table.
    rows: Vec<String>,
}

impl Section {
    /// Adds a row to the current table, and prints it.
    fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let row = cells.into_iter().collect::<Vec<_>>().join(" | ");
        println!("{row}");
        self.rows.push(row);
    }

    /// Writes the table whose rows have been added.
    fn table(&mut self, heads: &str) {
        self.text += &table(heads, self.rows.drain(..));
        self.text.push('\n');
    }
}

/// Starts one of our servers with one worker and these additional settings.
fn ours(name: &str, settings: &[(&str, &str)]) -> Result<Server> {
    Server::ours(name, &[settings, &[("HTTP__WORKERS", "1")]].concat())
}
