//! Figures in documents: those of limits are compared with their constants, those of defaults with the
//! table of settings.

use std::path::Path;

/// A line for each: a document, words with `{}` in place of a figure, and the file and the name of what it
/// must equal.
const FIGURES: &str = include_str!("figures.txt");

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What a figure stands for: bytes, seconds, or a count.
fn quantity(text: &str) -> Option<f64> {
    const WORDS: [&str; 11] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let word = WORDS.iter().position(|word| *word == number).map(|place| place.to_string());
    let number: f64 = word.unwrap_or(number.replace([',', '_'], "")).parse().ok()?;
    let scale = match unit.trim_end_matches('s') {
        "" | "second" => 1.0,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "m" if unit == "ms" => 0.001,
        "min" | "minute" => 60.0,
        "hour" | "h" => 3_600.0,
        "day" => 86_400.0,
        _ => return None,
    };
    Some(number * scale)
}

/// The value of a constant or of a field, as its file writes it.
fn written(path: &str, name: &str) -> f64 {
    let text = read(path);
    let start = format!("{name}: ");
    let values =
        text.split(&start).skip(1).filter_map(|rest| value(rest.split([';', ',']).next()?));
    values.last().unwrap_or_else(|| panic!("{path} has no {name}"))
}

/// The value of `usize = 64 << 10`, of `Duration::from_secs(5)`, or of `8`.
fn value(written: &str) -> Option<f64> {
    let written = written.rsplit(" = ").next()?.trim_end_matches(')');
    let (kind, value) = written.split_once('(').unwrap_or(("", written));
    let (value, shift) = value.split_once(" << ").unwrap_or((value, "0"));
    let unit = match kind.rsplit("::").next()? {
        "from_millis" => "ms",
        "from_mins" | "minutes" => "minutes",
        "from_hours" | "hours" => "hours",
        "days" => "days",
        _ => "",
    };
    let value = quantity(format!("{value} {unit}").trim())?;
    Some(value * f64::from(1_u32 << shift.parse::<u32>().ok()?))
}

/// The figure of a document: what stands in place of `{}`.
fn figure<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let (before, after) = words.split_once("{}")?;
    text.match_indices(before).find_map(|(place, _)| {
        let rest = text.get(place + before.len()..)?;
        let rest = rest.get(..rest.floor_char_boundary(80))?;
        let figure = rest.get(..rest.find(after)?)?;
        quantity(figure).map(|_| figure)
    })
}

#[test]
fn figures_of_limits_are_those_of_the_constants() {
    for line in FIGURES.lines() {
        let (document, rest) = line.split_once(": ").unwrap();
        let (words, source) = rest.rsplit_once(" = ").unwrap();
        let (path, name) = source.split_once(' ').unwrap();
        let text = read(document).split_whitespace().collect::<Vec<_>>().join(" ");
        let found = figure(&text, words).unwrap_or_else(|| panic!("{document} lacks: {words}"));
        let (said, is) = (quantity(found).unwrap(), written(path, name));
        assert!((said - is).abs() < 1e-9, "{document}: {words}: {found}, but {name} is {is}");
    }
}

/// As in "`database.max_connections` (4)".
#[test]
fn defaults_in_documents_are_those_of_the_settings() {
    let settings = read("docs/configuration.md");
    let default = |name: &str| {
        let row = settings.lines().find(|line| line.starts_with(&format!("| `{name}` |")))?;
        quantity(row.split('|').nth(2)?.trim().trim_matches('`'))
    };
    let mut compared = 0;
    let folders = ["docs", "docs/operating"].map(|folder| {
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)).unwrap()
    });
    for file in folders.into_iter().flatten().map(|entry| entry.unwrap().path()) {
        if file.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let mut parts = text.split('`').peekable();
        while let Some(name) = parts.next() {
            let said = parts.peek().and_then(|next| next.strip_prefix(" (")?.split_once(')'));
            let said = said.and_then(|(said, _)| quantity(said.trim_end_matches(" by default")));
            if let (Some(is), Some(said)) = (default(name), said) {
                assert!((said - is).abs() < 1e-9, "{}: {name} is {is}", file.display());
                compared += 1;
            }
        }
    }
    assert!(compared >= 4, "{compared}");
}
