//! Settings file (TOML).

use toml::{Table, Value};

use super::{Loader, Place};
use crate::settings::schema;

/// Splits a file into values.
pub(super) fn read(name: &str, text: &str, loader: &mut Loader) {
    // Editors on some systems add a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = match text.parse::<Table>() {
        Ok(table) => table,
        Err(error) => return loader.faults.push(syntax_fault(name, text, &error)),
    };
    let names: Vec<_> = schema::sections().iter().map(|known| known.name).collect();
    for (section, value) in table {
        let is_known = names.contains(&section.as_str());
        match value {
            Value::Table(keys) if is_known => read_section(name, &section, keys, loader),
            _ if is_known => loader.faults.push(format!(
                "`{section}` in {name} is not a section; write [{section}]"
            )),
            _ => loader.faults.push(format!(
                "`{section}` in {name} is not a setting; the sections are {}",
                names.join(", ")
            )),
        }
    }
}

fn read_section(name: &str, section: &str, keys: Table, loader: &mut Loader) {
    for (key, value) in keys {
        let list = format!("{section}.{key}");
        match value {
            Value::Array(elements) if !schema::keys(&list).is_empty() => {
                read_elements(name, &list, elements, loader);
            }
            value => put(name, (section, None, key), &value, loader),
        }
    }
}

fn read_elements(name: &str, list: &str, elements: Vec<Value>, loader: &mut Loader) {
    for (index, element) in elements.into_iter().enumerate() {
        let Value::Table(keys) = element else {
            loader.faults.push(format!(
                "`{list}[{index}]` in {name} is not a table; write [[{list}]]"
            ));
            continue;
        };
        // An element without any key also lacks the required ones.
        loader.providers.entry(index).or_default();
        for (key, value) in keys {
            put(name, (list, Some(index), key), &value, loader);
        }
    }
}

fn put(
    name: &str,
    (section, index, key): (&str, Option<usize>, String),
    value: &Value,
    loader: &mut Loader,
) {
    let place = Place {
        section: section.to_owned(),
        index,
        key,
    };
    loader.put(&place, &format!("`{place}` in {name}"), value);
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
