//! The open GET endpoints, whose answers are made beforehand.

use std::io;

use toolkit_bench::cases;

use super::{Bench, Section, costs_table, ours, ratios};
use crate::goals::Goal;

pub(super) fn measure(bench: &Bench) -> io::Result<Section> {
    let server = ours("api-server", &[])?;
    let rows = bench.against_bare(&server, &cases::reads())?;
    let catalog = rows.iter().filter(|row| row.name == "catalog");
    Ok(Section {
        text: costs_table("Read", &rows).to_string(),
        findings: vec![ratios(Goal::Catalog, catalog)],
        plots: Vec::new(),
    })
}
