//! Settings reference: the documentation page and the example file, generated from the settings.
//!
//! Both are generated from the settings' own types; a test compares them with the committed ones.

use std::time::Duration;

use serde_json::Value;

use super::schema::{self, Key, Kind, Section};
use crate::limits;

const PAGE_HEAD: &str = "\
# Configuration

<!-- Generated from the settings' documentation; `just bless` rewrites it. -->

Both servers read the same settings: the defaults, then a TOML file (`--config FILE`, or `toolkit.toml` in the
working directory if it is there), then the environment. The variable of a key is `TOOLKIT_`, its section, `__`
and its name, in upper case: `TOOLKIT_LIMITS__RUN_PER_MINUTE=60`. A list in a variable is separated by commas; an
element of `[[llm.providers]]` has its number between: `TOOLKIT_LLM__PROVIDERS__0__NAME=main`. An empty variable
leaves a key unset that may be; an empty secret is an error.

An unknown key, a value that is not accepted and an unreadable file end a server at start with exit code 2 and one
line that names every fault. `api-server config check` and `mcp-server config check` print the settings in force,
with secrets masked. `toolkit.example.toml` has every key with its default.
";

const EXAMPLE_HEAD: &str = "\
# Every setting of the two servers. Copy this file to `toolkit.toml`, and take the `#` away from what you change:
# a key with its default is written as it is without the line; one without a default shows what it may look like.
# docs/configuration.md has the same as a page. Generated; `just bless` rewrites it.
";

/// The reference of all settings, as Markdown.
pub fn page() -> String {
    let sections = schema::sections().iter().map(page_section);
    std::iter::once(PAGE_HEAD.to_owned())
        .chain(sections)
        .chain([page_bounds()])
        .collect()
}

/// A settings file that has every key, each as a comment.
pub fn example() -> String {
    let sections = schema::sections().iter().map(example_section);
    std::iter::once(EXAMPLE_HEAD.to_owned())
        .chain(sections)
        .collect()
}

/// A value as TOML writes it.
pub(super) fn toml_text(value: &Value) -> String {
    toml::Value::try_from(value).map_or_else(|_| String::new(), |value| value.to_string())
}

fn page_section(section: &Section) -> String {
    let rows: String = section
        .keys
        .iter()
        .map(|key| row(&section.name, key))
        .collect();
    let tables = section.keys.iter().filter_map(|key| match &key.kind {
        Kind::Tables(keys) => Some(page_elements(
            &format!("{}.{}", section.name, key.name),
            keys,
        )),
        _ => None,
    });
    let tables: String = tables.collect();
    format!(
        "\n## `[{}]`\n\n{}\n{TABLE_HEAD}{rows}{tables}",
        section.name, section.description
    )
}

/// What is not a setting, because no operator has a reason to change it.
fn page_bounds() -> String {
    let seconds = |time: Duration| format!("{} s", time.as_secs());
    let mebibytes = |bytes: usize| format!("{} MiB", bytes >> 20);
    let rows = [
        (
            "the head of a request, from its first byte",
            seconds(limits::HEAD_DEADLINE),
        ),
        (
            "the body of a request, from its head",
            seconds(limits::BODY_DEADLINE),
        ),
        (
            "a connection without a request",
            seconds(limits::KEEP_ALIVE),
        ),
        (
            "an answer that its client does not read",
            seconds(limits::WRITE_DEADLINE),
        ),
        ("headers of a request; its head", "96; 128 KiB".to_owned()),
        (
            "connections of a process",
            limits::CONNECTIONS_MAX.to_string(),
        ),
        (
            "requests of a process that are being worked on; past it, 503 with `Retry-After`",
            limits::IN_FLIGHT_MAX.to_string(),
        ),
        (
            "bodies of a process that are still to be completed; past it, 503",
            mebibytes(limits::PARTIAL_BODIES_MAX),
        ),
        (
            "clients that one limit tells apart; more share places",
            limits::LIMITED_CLIENTS_MAX.to_string(),
        ),
        (
            "log lines that wait for a slow reader; past it, lines are dropped and counted",
            mebibytes(limits::LOG_BUFFER_MAX),
        ),
    ];
    let rows = rows.map(|(what, bound)| format!("| {what} | {bound} |\n"));
    let rows = rows.concat();
    format!("\n## Bounds that are not settings\n\n| What | Bound |\n| --- | --- |\n{rows}")
}

const TABLE_HEAD: &str = "\n| Key | Default | Accepts | Meaning |\n| --- | --- | --- | --- |\n";

fn page_elements(name: &str, keys: &[Key]) -> String {
    let rows: String = keys
        .iter()
        .map(|key| row(&format!("{name}[]"), key))
        .collect();
    format!("\n### `[[{name}]]`\n{TABLE_HEAD}{rows}")
}

fn row(section: &str, key: &Key) -> String {
    let cells =
        [default(key), accepts(key), key.description.clone()].map(|cell| cell.replace('|', "\\|"));
    format!("| `{section}.{}` | {} |\n", key.name, cells.join(" | "))
}

fn default(key: &Key) -> String {
    match (&key.default_note, &key.default) {
        (Some(note), _) => note.clone(),
        (None, Some(value)) => format!("`{}`", toml_text(value)),
        (None, None) if key.required => "required".to_owned(),
        (None, None) => "none".to_owned(),
    }
}

fn accepts(key: &Key) -> String {
    match &key.kind {
        Kind::Choice(words) => words
            .iter()
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>()
            .join(", "),
        Kind::Flag => "`true`, `false`".to_owned(),
        Kind::Integer { min, max } => format!("{min} to {max}"),
        _ if key.secret => format!("{} (kept secret)", key.expected()),
        _ => key.expected(),
    }
}

fn example_section(section: &Section) -> String {
    let keys: String = section
        .keys
        .iter()
        .map(|key| example_key(&section.name, key))
        .collect();
    format!(
        "\n{}[{}]\n{keys}",
        comment(&section.description),
        section.name
    )
}

fn example_key(section: &str, key: &Key) -> String {
    let comment = comment(&format!("{} Default: {}.", key.description, default(key)));
    if let Kind::Tables(keys) = &key.kind {
        let members: String = keys.iter().map(|key| example_key("", key)).collect();
        return format!("\n{comment}# [[{section}.{}]]\n{members}", key.name);
    }
    // A key without a value of its own shows an example.
    let value = key
        .default
        .as_ref()
        .filter(|_| key.default_note.is_none())
        .or(key.example.as_ref());
    let value = value.map(toml_text).unwrap_or_default();
    format!("\n{comment}# {} = {value}\n", key.name)
}

/// Wraps a text into comment lines.
fn comment(text: &str) -> String {
    const WIDTH: usize = 100;
    let mut lines = vec!["#".to_owned()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("# {word}")),
        }
    }
    lines.join("\n") + "\n"
}
