//! Tables in Markdown.

use std::fmt;

/// A table.
pub(crate) struct Table {
    lines: Vec<String>,
}

impl Table {
    /// A table of figures, but for its first column, which names them.
    pub(crate) fn of_figures(columns: &[&str]) -> Self {
        let names = 1.min(columns.len());
        Self::new(columns, names)
    }

    /// A table of words.
    pub(crate) fn of_words(columns: &[&str]) -> Self {
        Self::new(columns, columns.len())
    }

    /// A table whose first columns are words, and the others figures.
    pub(crate) fn new(columns: &[&str], words: usize) -> Self {
        let mut rules = vec!["---"; words];
        rules.resize(columns.len(), "---:");
        Self {
            lines: vec![line(columns), line(&rules)],
        }
    }

    /// Adds a row.
    pub(crate) fn row<S: AsRef<str>>(&mut self, cells: &[S]) {
        self.lines.push(line(cells));
    }
}

fn line<S: AsRef<str>>(cells: &[S]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |", cells.join(" | "))
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = match self.lines.as_slice() {
            // A head alone is no table.
            [_, _] => &[],
            lines => lines,
        };
        lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// A number with as many digits as are worth reading, and with commas between thousands.
pub(crate) fn figure(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 20.0 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut grouped = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) && !grouped.ends_with('-') {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if fraction.is_empty() {
        grouped
    } else {
        format!("{grouped}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_or_more_and_thousands_are_set_apart() {
        for (value, text) in [
            (0.947, "0.95"),
            (1.25, "1.25"),
            (28.26, "28.3"),
            (706.4, "706"),
            (1_234.5, "1,234"),
            (63_136.0, "63,136"),
            (1_048_576.0, "1,048,576"),
        ] {
            assert_eq!(figure(value), text);
        }
    }

    #[test]
    fn a_table_is_one_of_markdown_and_nothing_when_it_is_empty() {
        let mut table = Table::of_figures(&["Run", "us"]);
        assert_eq!(table.to_string(), "");
        table.row(&["uuid-generator", "11.05"]);
        assert_eq!(
            table.to_string(),
            "| Run | us |\n| --- | ---: |\n| uuid-generator | 11.05 |\n"
        );
    }
}
