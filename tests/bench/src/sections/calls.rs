//! The tools over MCP, in a revision with a handshake and in the one without.

use std::io;

use toolkit_bench::cases;

use super::{Bench, Section, costs_table, ours, ratios};
use crate::goals::Goal;

pub(super) fn measure(bench: &Bench) -> io::Result<Section> {
    let server = ours("mcp-server", &[])?;
    let handshake = bench.against_bare(&server, &cases::calls(false))?;
    let modern = bench.against_bare(&server, &cases::calls(true))?;
    Ok(Section {
        findings: vec![
            ratios(Goal::Call, &handshake),
            ratios(Goal::ModernCall, &modern),
        ],
        text: costs_table("Call", &[handshake, modern].concat()).to_string(),
        plots: Vec::new(),
    })
}
