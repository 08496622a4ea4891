//! Goals: what each path may cost, and whether it does.

use crate::table::{Table, figure};

/// Which goal a figure is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    SmallRun,
    SmallRunWithoutLog,
    Call,
    ModernCall,
    Catalog,
    JsonSpeed,
    JsonAgainstJq,
    Base64AgainstCoreutils,
    Sha1Sha256AgainstOpenssl,
    Sha512Md5AgainstOpenssl,
    YamlSpeed,
    XmlSpeed,
    ConversionAgainstParser,
    Fastify,
    Express,
    FastApi,
    CyberChef,
    TypeScriptSdk,
    PythonSdk,
    P99,
    StartUp,
    IdleMemory,
    MemoryUnderLoad,
}

/// What a figure is held against.
#[derive(Debug, Clone, Copy)]
enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

/// A goal as the report has it.
struct Aim {
    goal: Goal,
    path: &'static str,
    bound: Bound,
    unit: &'static str,
}

/// What was measured for a goal: a name and a figure for each thing that it is asked of.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) goal: Goal,
    pub(crate) figures: Vec<(String, f64)>,
}

use Bound::{AtLeast, AtMost};

/// Every goal, in the order of the report.
const AIMS: [Aim; 23] = [
    aim(
        Goal::SmallRun,
        "a small run with everything on, CPU of the bare handler's",
        AtMost(1.25),
        "x",
    ),
    aim(
        Goal::SmallRunWithoutLog,
        "the same with the access log off",
        AtMost(1.12),
        "x",
    ),
    aim(
        Goal::Call,
        "MCP `tools/call`, 2025-11-25, CPU of the bare handler's",
        AtMost(1.6),
        "x",
    ),
    aim(
        Goal::ModernCall,
        "MCP `tools/call`, 2026-07-28, CPU of the bare handler's",
        AtMost(2.0),
        "x",
    ),
    aim(
        Goal::Catalog,
        "catalog, CPU of a static answer's",
        AtMost(1.05),
        "x",
    ),
    aim(
        Goal::P99,
        "p99 at 32 connections, of the bare handler's",
        AtMost(2.0),
        "x",
    ),
    aim(
        Goal::JsonSpeed,
        "JSON pretty and minify, one core",
        AtLeast(700.0),
        "MB/s",
    ),
    aim(
        Goal::JsonAgainstJq,
        "JSON pretty and minify, speed of `jq`'s",
        AtLeast(25.0),
        "x",
    ),
    aim(
        Goal::Base64AgainstCoreutils,
        "Base64 on 1 MB, speed of coreutils'",
        AtLeast(1.5),
        "x",
    ),
    aim(
        Goal::Sha1Sha256AgainstOpenssl,
        "SHA-1 and SHA-256 on 1 MB, speed of OpenSSL's",
        AtLeast(0.95),
        "x",
    ),
    aim(
        Goal::Sha512Md5AgainstOpenssl,
        "SHA-512 and MD5 on 1 MB, speed of OpenSSL's",
        AtLeast(0.75),
        "x",
    ),
    aim(
        Goal::YamlSpeed,
        "YAML to JSON on 1 MB",
        AtLeast(30.0),
        "MB/s",
    ),
    aim(
        Goal::XmlSpeed,
        "XML to JSON on 1 MB",
        AtLeast(200.0),
        "MB/s",
    ),
    aim(
        Goal::ConversionAgainstParser,
        "YAML and XML to JSON, time of the parser's alone",
        AtMost(1.3),
        "x",
    ),
    aim(
        Goal::Fastify,
        "requests per CPU second, of fastify's",
        AtLeast(1.5),
        "x",
    ),
    aim(
        Goal::Express,
        "requests per CPU second, of express's",
        AtLeast(10.0),
        "x",
    ),
    aim(
        Goal::FastApi,
        "requests per CPU second, of FastAPI's",
        AtLeast(9.0),
        "x",
    ),
    aim(
        Goal::CyberChef,
        "requests per CPU second, of CyberChef's",
        AtLeast(18.0),
        "x",
    ),
    aim(
        Goal::TypeScriptSdk,
        "calls per CPU second, of the TypeScript MCP SDK's",
        AtLeast(20.0),
        "x",
    ),
    aim(
        Goal::PythonSdk,
        "calls per CPU second, of the Python MCP SDK's",
        AtLeast(30.0),
        "x",
    ),
    aim(
        Goal::StartUp,
        "start, until a connection is taken",
        AtMost(50.0),
        "ms",
    ),
    aim(
        Goal::IdleMemory,
        "resident memory, idle",
        AtMost(20.0),
        "MiB",
    ),
    aim(
        Goal::MemoryUnderLoad,
        "resident memory under load, at its highest",
        AtMost(35.0),
        "MiB",
    ),
];

const fn aim(goal: Goal, path: &'static str, bound: Bound, unit: &'static str) -> Aim {
    Aim {
        goal,
        path,
        bound,
        unit,
    }
}

impl Goal {
    /// What is to be reached.
    pub(crate) fn bound(self) -> String {
        let aim = AIMS.iter().find(|aim| aim.goal == self);
        aim.map(Aim::bound).unwrap_or_default()
    }
}

impl Aim {
    fn bound(&self) -> String {
        match self.bound {
            AtMost(most) => format!("at most {most} {}", self.unit),
            AtLeast(least) => format!("at least {least} {}", self.unit),
        }
    }

    fn reached(&self, figure: f64) -> bool {
        match self.bound {
            AtMost(most) => figure <= most,
            AtLeast(least) => figure >= least,
        }
    }

    /// The row of this goal, with what was measured.
    fn cells(&self, figures: &[(String, f64)]) -> [String; 4] {
        let reached = figures.iter().filter(|(_, value)| self.reached(*value));
        let verdict = match reached.count() {
            count if count == figures.len() => "yes".to_owned(),
            0 => "**no**".to_owned(),
            count => format!("**{count} of {}**", figures.len()),
        };
        let measured: Vec<String> = figures
            .iter()
            .map(|(name, value)| format!("{name} {} {}", figure(*value), self.unit))
            .collect();
        [
            self.path.to_owned(),
            self.bound(),
            measured.join(", "),
            verdict,
        ]
    }
}

/// The table of all goals. A goal without a new figure keeps the row that it has in `before`.
pub(crate) fn table(findings: &[Finding], before: &str) -> String {
    let mut table = Table::of_words(&["What", "Goal", "Measured", "Reached"]);
    for aim in &AIMS {
        let finding = findings.iter().find(|finding| finding.goal == aim.goal);
        match finding.filter(|finding| !finding.figures.is_empty()) {
            Some(finding) => table.row(&aim.cells(&finding.figures)),
            None => match row_before(aim, before) {
                Some(cells) => table.row(&cells),
                None => table.row(&[aim.path, &aim.bound(), "not measured", ""]),
            },
        }
    }
    table.to_string()
}

fn row_before<'a>(aim: &Aim, before: &'a str) -> Option<Vec<&'a str>> {
    before
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
        .map(|line| line.split(" | ").collect::<Vec<_>>())
        .find(|cells| cells.first() == Some(&aim.path) && cells.get(1) == Some(&&*aim.bound()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(goal: Goal, figures: &[(&str, f64)]) -> Finding {
        let figures = figures
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value));
        Finding {
            goal,
            figures: figures.collect(),
        }
    }

    fn row<'a>(table: &'a str, word: &str) -> &'a str {
        table.lines().find(|line| line.contains(word)).unwrap()
    }

    #[test]
    fn a_goal_says_whether_all_or_some_or_none_reach_it() {
        let all = [
            finding(Goal::SmallRun, &[("base64", 1.25), ("uuid", 1.1)]),
            finding(Goal::Fastify, &[("", 1.49)]),
            finding(Goal::IdleMemory, &[("api", 28.0), ("mcp", 15.0)]),
        ];
        let table = table(&all, "");
        assert!(
            row(&table, "a small run")
                .ends_with("| at most 1.25 x | base64 1.25 x, uuid 1.10 x | yes |")
        );
        assert!(row(&table, "fastify").ends_with("| **no** |"));
        assert!(row(&table, "idle").ends_with("| api 28.0 MiB, mcp 15.00 MiB | **1 of 2** |"));
        assert!(row(&table, "catalog").ends_with("| not measured |  |"));
    }

    #[test]
    fn a_row_without_a_new_figure_stays_as_it_was() {
        let before = table(&[finding(Goal::Catalog, &[("", 1.16)])], "");
        let after = table(&[finding(Goal::Fastify, &[("", 2.0)])], &before);
        assert_eq!(row(&after, "catalog"), row(&before, "catalog"));
        assert_ne!(row(&after, "fastify"), row(&before, "fastify"));
    }
}
