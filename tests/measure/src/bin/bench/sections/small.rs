//! Small requests: a run of each tool over REST, the catalog, and the tools over MCP.

use serde_json::json;
use toolkit_measure::Result;
use toolkit_measure::cases::{self, Case};
use toolkit_measure::load::NUMBER;

use super::{Bench, Section, ours};
use crate::measure::{HEADS, Subject, cells};

pub(super) fn measure(bench: &Bench, section: &mut Section) -> Result<()> {
    let input = json!({"pattern": format!("(\\w+)@(\\w+)|{NUMBER}"), "text": "ada@example"});
    let new_patterns = cases::run("regex-tester, new patterns", "regex-tester", &input);
    let catalog = cases::api("catalog", "tools", None);
    let runs = [cases::runs(), vec![new_patterns, catalog]].concat();
    rows("api-server", &runs, bench, section)?;
    rows("mcp-server", &cases::calls(true), bench, section)?;
    section.table(&format!("Request | {HEADS}"));
    Ok(())
}

/// Measures the selected cases on a server with one worker, each against a bare handler.
fn rows(server: &str, cases: &[Case], bench: &Bench, section: &mut Section) -> Result<()> {
    let server = ours(server, &[])?;
    for case in cases.iter().filter(|case| bench.wants(&case.name)) {
        let costs = Subject(&server, case).against_bare(bench.plan)?;
        section.row([case.name.clone(), cells(case, &costs)]);
    }
    Ok(())
}
