//! Markdown tables, and the format of their figures.

/// Writes a table, or nothing if it has no rows. Cells are separated by ` | `, and columns that
/// contain only figures are right-aligned.
pub fn table(heads: &str, rows: impl IntoIterator<Item = String>) -> String {
    let rows: Vec<String> = rows.into_iter().collect();
    if rows.is_empty() {
        return String::new();
    }
    let rules = (0..heads.split(" | ").count()).map(|column| {
        let mut cells = rows.iter().map(|row| row.split(" | ").nth(column));
        if cells.all(is_figure) { "---:" } else { "---" }
    });
    let rules = rules.collect::<Vec<_>>().join(" | ");
    let lines = [heads.to_owned(), rules].into_iter().chain(rows);
    lines.fold(String::new(), |text, line| text + "| " + &line + " |\n")
}

fn is_figure(cell: Option<&str>) -> bool {
    cell.is_some_and(|cell| cell == "-" || cell.starts_with(|first: char| first.is_ascii_digit()))
}

/// Formats a number with three significant digits or more, and commas between thousands.
pub fn figure(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 20.0 => 1,
        _ => 2,
    };
    let mut text = format!("{value:.decimals$}");
    let mut at = text.find('.').unwrap_or(text.len());
    while at > 3 + usize::from(value < 0.0) {
        at -= 3;
        text.insert(at, ',');
    }
    text
}

/// Formats a ratio: `1.25 x`.
pub fn times(ratio: f64) -> String {
    format!("{ratio:.2} x")
}

/// Formats a number of bytes: `31 B`, `1.04 KB`, `38.0 KB`, `1.00 MB`.
pub fn size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} KB", figure(float(bytes) / 1e3)),
        _ => format!("{} MB", figure(float(bytes) / 1e6)),
    }
}

/// Converts a count to a figure.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_at_least_three_digits_and_commas_between_thousands() {
        for (value, text) in [
            (0.947, "0.95"),
            (1.25, "1.25"),
            (28.26, "28.3"),
            (706.4, "706"),
            (1_234.5, "1,234"),
            (1_048_576.0, "1,048,576"),
        ] {
            assert_eq!(figure(value), text);
        }
        assert_eq!([31, 38_040, 1_000_001].map(size), ["31 B", "38.0 KB", "1.00 MB"]);
    }

    #[test]
    fn a_table_right_aligns_figures_and_is_empty_without_rows() {
        assert_eq!(table("Run | us", []), "");
        assert_eq!(
            table("Run | us", ["uuid | 11.05", "flags | -"].map(str::to_owned)),
            "| Run | us |\n| --- | ---: |\n| uuid | 11.05 |\n| flags | - |\n"
        );
    }
}
