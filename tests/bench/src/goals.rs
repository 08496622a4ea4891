//! Goals of `goals.toml`: the cost allowed for each path, and whether it is met.

use serde::Deserialize;
use toolkit_bench::table::{figure, table};
use toolkit_bench::{Result, list};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Goal {
    id: String,
    what: String,
    at_most: Option<f64>,
    at_least: Option<f64>,
    unit: String,
}

/// The measurement for a goal.
pub(crate) struct Figure {
    /// The id of the goal.
    pub(crate) goal: String,
    pub(crate) name: String,
    pub(crate) value: f64,
}

impl Goal {
    fn bound(&self) -> String {
        let bounds = [("at most", self.at_most), ("at least", self.at_least)];
        let bound = |(word, limit)| Some(format!("{word} {} {}", limit?, self.unit));
        bounds.into_iter().find_map(bound).unwrap_or_default()
    }

    fn is_reached(&self, figure: &Figure) -> bool {
        self.at_most.is_none_or(|most| figure.value <= most)
            && self.at_least.is_none_or(|least| figure.value >= least)
    }

    /// The row of this goal: with new figures, otherwise as in the previous table.
    fn row(&self, figures: &[Figure], before: &str) -> String {
        let figures = figures.iter().filter(|figure| figure.goal == self.id);
        let figures: Vec<&Figure> = figures.collect();
        let head = format!("{} | {}", self.what, self.bound());
        if figures.is_empty() {
            let cells = |line: &str| Some(line.strip_prefix("| ")?.strip_suffix(" |")?.to_owned());
            let mut old = before.lines().filter_map(cells);
            let old = old.find(|line| line.starts_with(&head));
            return old.unwrap_or_else(|| format!("{head} | not measured | "));
        }
        let reached = figures.iter().filter(|figure| self.is_reached(figure));
        let verdict = match reached.count() {
            count if count == figures.len() => "yes".to_owned(),
            0 => "**no**".to_owned(),
            count => format!("**{count} of {}**", figures.len()),
        };
        let measured = figures.iter().map(|found| {
            let text = format!("{} {} {}", found.name, figure(found.value), self.unit);
            text.trim().to_owned()
        });
        let measured = measured.collect::<Vec<_>>().join(", ");
        format!("{head} | {measured} | {verdict}")
    }
}

/// The table of all goals. A goal without a new figure keeps its row of `before`.
pub(crate) fn goals(figures: &[Figure], before: &str) -> Result<String> {
    let goals: Vec<Goal> = list(include_str!("goals.toml"))?;
    let rows = goals.iter().map(|goal| goal.row(figures, before));
    Ok(table("What | Goal | Measured | Reached", rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found((goal, name, value): (&str, &str, f64)) -> Figure {
        let (goal, name) = (goal.to_owned(), name.to_owned());
        Figure { goal, name, value }
    }

    fn row<'a>(table: &'a str, word: &str) -> &'a str {
        table.lines().find(|line| line.contains(word)).unwrap()
    }

    #[test]
    fn a_goal_says_whether_all_or_some_or_none_reach_it() {
        let figures = [
            ("small-run", "base64", 1.25),
            ("small-run", "uuid", 1.1),
            ("fastapi", "", 8.9),
            ("idle-memory", "api", 31.0),
            ("idle-memory", "mcp", 15.0),
        ];
        let table = goals(&figures.map(found), "").unwrap();
        for (word, end) in [
            ("a small run", "| base64 1.25 x, uuid 1.10 x | yes |"),
            ("FastAPI", "| at least 9 x | 8.90 x | **no** |"),
            ("idle", "| api 31.0 MiB, mcp 15.00 MiB | **1 of 2** |"),
            ("catalog", "| at most 1.15 x | not measured |  |"),
        ] {
            assert!(row(&table, word).ends_with(end), "{table}");
        }
    }

    #[test]
    fn a_row_without_a_new_figure_stays_as_it_was() {
        let before = goals(&[found(("catalog", "catalog", 1.16))], "").unwrap();
        let after = goals(&[found(("fastapi", "FastAPI", 12.0))], &before).unwrap();
        assert_eq!(row(&after, "catalog"), row(&before, "catalog"));
        assert_ne!(row(&after, "FastAPI"), row(&before, "FastAPI"));
    }
}
