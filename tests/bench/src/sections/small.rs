//! Small requests: a run of each tool over REST, the open GET endpoints, and the tools over MCP.

use serde_json::json;
use toolkit_bench::Result;
use toolkit_bench::cases::{self, Case};
use toolkit_bench::load::NUMBER;
use toolkit_bench::table::{figure, times};

use super::{Bench, Section, ours};
use crate::measure::{Costs, HEADS, Subject, alternate, cells};

/// Runs whose own work is negligible, so that the cost of a request shows.
const SMALL: [&str; 2] = ["base64-encoder", "uuid-generator"];

const LOG: &str = "Access log | Body | on, CPU of the bare handler's | off, CPU of the bare handler's \
                   | on, us | off, us | bare, us";

pub(super) fn runs(bench: &Bench, section: &mut Section) -> Result<()> {
    let mut cases = cases::runs();
    let input = json!({"pattern": format!("(\\w+)@(\\w+)|{NUMBER}"), "text": "ada@example"});
    let new_patterns = cases::run("regex-tester, new patterns", "regex-tester", &input);
    cases.push(new_patterns.with(Some("regex-new")));
    rows("Run", &cases, bench, section)?;
    cases.retain(|case| SMALL.contains(&&*case.name) && bench.wants(&case.name));
    for case in &cases {
        // All three in the same rounds, so that only the log makes a difference.
        let with = ours("api-server", &[])?;
        let without = ours("api-server", &[("LOG__LEVEL", "warn")])?;
        let bare = Subject(&with, case).bare(1)?;
        let subjects = [&with, &without, &bare].map(|server| Subject(server, case));
        let costs = alternate(subjects, bench.plan)?;
        let [on, off] = [&costs[0], &costs[1]].map(|ours| ours.cpu_over(&costs[2]));
        section.figure("small-run", &case.name, on);
        let micros = costs.map(|costs: Costs| figure(costs.median().cpu_micros));
        let (name, ratios) = (case.name.clone(), [on, off].map(times));
        section.row([name, case.input(), ratios.join(" | "), micros.join(" | ")]);
    }
    section.table(LOG);
    Ok(())
}

pub(super) fn reads(bench: &Bench, section: &mut Section) -> Result<()> {
    rows("Read", &cases::reads(), bench, section)
}

pub(super) fn calls(bench: &Bench, section: &mut Section) -> Result<()> {
    let cases = [cases::calls(false), cases::calls(true)].concat();
    rows("Call", &cases, bench, section)
}

/// Measures the selected cases on a server with one worker, each against a bare handler.
fn rows(what: &str, cases: &[Case], bench: &Bench, section: &mut Section) -> Result<()> {
    let name = if what == "Call" {
        "mcp-server"
    } else {
        "api-server"
    };
    let server = ours(name, &[])?;
    for case in cases.iter().filter(|case| bench.wants(&case.name)) {
        let costs = Subject(&server, case).against_bare(1, bench.plan)?;
        let [ours, bare] = &costs;
        if let Some(goal) = &case.goal {
            section.figure(goal, &case.name, ours.cpu_over(bare));
        }
        if what == "Run" && case.goal.as_deref() != Some("regex-new") {
            section.figure("p99", &case.name, ours.over(bare, |cost| cost.p99_micros));
        }
        section.row([case.name.clone(), cells(case, &costs)]);
    }
    section.table(&format!("{what} | {HEADS}"));
    Ok(())
}
