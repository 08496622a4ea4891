//! Sections of the report, one file each.

mod fairness;
mod footprint;
mod functions;
mod growth;
mod inputs;
mod peers;
mod shared;
mod small;

use std::io;

use toolkit_bench::process::Server;
use toolkit_bench::table::table;

use crate::goals::Figure;
use crate::measure::Plan;
use crate::plot::Plot;
use crate::report::say;

/// Measures a section, and writes what it finds.
type Measure = fn(&Bench, &mut Section) -> io::Result<()>;

/// Every section, under the name that its markers have, in the order in which they are measured.
pub(crate) const SECTIONS: [(&str, Measure); 10] = [
    ("footprint", footprint::measure),
    ("runs", small::runs),
    ("reads", small::reads),
    ("calls", small::calls),
    ("inputs", inputs::measure),
    ("fairness", fairness::measure),
    ("growth", growth::measure),
    ("peers", peers::measure),
    ("shared", shared::measure),
    ("functions", functions::measure),
];

/// The setting of a server that takes inputs of a megabyte, and what they become as JSON strings.
const LARGE_BODIES: (&str, &str) = ("HTTP__BODY_LIMIT_BYTES", "4194304");

/// What every section is given.
pub(crate) struct Bench {
    pub(crate) plan: Plan,
    /// Only what has this in its name.
    pub(crate) filter: Option<String>,
}

impl Bench {
    /// Whether something of this name is to be measured.
    fn wants(&self, name: &str) -> bool {
        let filter = self.filter.as_deref();
        filter.is_none_or(|filter| name.contains(filter))
    }
}

/// What a section brings to the report.
#[derive(Default)]
pub(crate) struct Section {
    /// Markdown: what comes between its markers.
    pub(crate) text: String,
    pub(crate) figures: Vec<Figure>,
    pub(crate) plots: Vec<Plot>,
    /// Of the table that is being filled.
    rows: Vec<String>,
}

impl Section {
    /// Adds a row to the table that is being filled, and tells it.
    fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let row = cells.into_iter().collect::<Vec<_>>().join(" | ");
        say(&row);
        self.rows.push(row);
    }

    /// Writes the table whose rows have been added.
    fn table(&mut self, heads: &str) {
        self.text += &table(heads, self.rows.drain(..));
        self.text.push('\n');
    }

    /// Adds what was measured for a goal.
    fn figure(&mut self, goal: &str, name: &str, value: f64) {
        let (goal, name) = (goal.to_owned(), name.to_owned());
        self.figures.push(Figure { goal, name, value });
    }

    fn plot(&mut self, plot: Plot) {
        let image = format!("![{}](performance/{}.svg)\n\n", plot.title, plot.name);
        self.text += &image;
        self.plots.push(plot);
    }
}

/// A server of ours with one worker and these settings beyond.
fn ours(name: &str, settings: &[(&str, &str)]) -> io::Result<Server> {
    Server::ours(name, &[settings, &[("HTTP__WORKERS", "1")]].concat())
}
