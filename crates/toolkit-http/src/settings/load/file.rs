//! Settings file (TOML).

use toml::{Table, Value};

use super::given::{Given, Path};
use crate::settings::error::Faults;
use crate::settings::schema::{self, Kind};

/// Takes a file apart into values.
pub(super) fn read(name: &str, text: &str, given: &mut Vec<Given>, faults: &mut Faults) {
    // Editors of some systems put a byte order mark in front.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = match text.parse::<Table>() {
        Ok(table) => table,
        Err(error) => return faults.push(syntax_fault(name, text, &error)),
    };
    for (section, value) in table {
        let known = schema::sections().iter().any(|known| known.name == section);
        match value {
            Value::Table(keys) if known => read_section(name, &section, keys, given, faults),
            _ if known => faults.push(format!(
                "`{section}` in {name} is no section; write [{section}]"
            )),
            _ => faults.push(format!(
                "`{section}` in {name} is not a setting; {}",
                sections()
            )),
        }
    }
}

fn read_section(
    name: &str,
    section: &str,
    keys: Table,
    given: &mut Vec<Given>,
    faults: &mut Faults,
) {
    for (key, value) in keys {
        let path = Path {
            section: section.to_owned(),
            key,
            element: None,
        };
        let tables = matches!(path.schema().map(|key| &key.kind), Some(Kind::Tables(_)));
        match value {
            Value::Array(elements) if tables => read_elements(name, &path, elements, given, faults),
            value => given.push(Given {
                source: format!("`{path}` in {name}"),
                path,
                value,
            }),
        }
    }
}

fn read_elements(
    name: &str,
    path: &Path,
    elements: Vec<Value>,
    given: &mut Vec<Given>,
    faults: &mut Faults,
) {
    for (index, element) in elements.into_iter().enumerate() {
        let Value::Table(keys) = element else {
            faults.push(format!(
                "`{path}[{index}]` in {name} is no table; write [[{path}]]"
            ));
            continue;
        };
        for (key, value) in keys {
            let path = Path {
                element: Some((index, key)),
                ..path.clone()
            };
            given.push(Given {
                source: format!("`{path}` in {name}"),
                path,
                value,
            });
        }
    }
}

fn sections() -> String {
    let names: Vec<_> = schema::sections()
        .iter()
        .map(|section| section.name.as_str())
        .collect();
    format!("the sections are {}", names.join(", "))
}

fn syntax_fault(name: &str, text: &str, error: &toml::de::Error) -> String {
    let before = error
        .span()
        .and_then(|span| text.get(..span.start))
        .unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let message = error.message().replace('\n', ", ");
    format!("{name}, line {line}, is not TOML: {message}")
}
