//! Settings file (TOML).

use toml::{Table, Value};

use super::{Loader, Place};
use crate::settings::schema::{Key, Kind, WHOLE};

impl Loader {
    /// Reads the text of a file.
    pub(super) fn read_file(&mut self, file: &str, text: &str) {
        // Editors on some systems add a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let sections = match text.parse::<Table>() {
            Ok(sections) => sections,
            Err(error) => return self.faults.push(syntax_fault(file, text, &error)),
        };
        for (table, value) in sections {
            let place = Place { table, index: None };
            let fault = match (WHOLE.key(&place.table), value) {
                (Some(known), Value::Table(keys)) => {
                    self.read_keys(file, &place, known, keys);
                    continue;
                }
                (Some(_), _) => format!("is not a section; write [{place}]"),
                (None, _) => format!("is not a setting; the sections are {}", WHOLE.names()),
            };
            self.faults.push(format!("`{place}` in {file} {fault}"));
        }
    }

    fn read_keys(&mut self, file: &str, place: &Place, known: &Key, keys: Table) {
        for (name, value) in keys {
            let path = format!("{place}.{name}");
            let source = format!("`{path}` in {file}");
            match (known.key(&name), value) {
                (Some(list), Value::Array(elements)) if matches!(list.kind, Kind::Tables(_)) => {
                    self.read_elements(file, &path, list, elements);
                }
                (Some(key), value) => self.put(place, key, &source, value),
                (None, _) => self.faults.push(format!(
                    "{source} is not a setting; this section has {}",
                    known.names()
                )),
            }
        }
    }

    fn read_elements(&mut self, file: &str, path: &str, list: &Key, elements: Vec<Value>) {
        for (index, element) in elements.into_iter().enumerate() {
            let place = Place {
                table: path.to_owned(),
                index: Some(index),
            };
            let Value::Table(keys) = element else {
                self.faults.push(format!(
                    "`{place}` in {file} is not a table; write [[{path}]]"
                ));
                continue;
            };
            // An element without any key also lacks the required ones.
            self.values(&place);
            self.read_keys(file, &place, list, keys);
        }
    }
}

fn syntax_fault(file: &str, text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.unwrap_or_default().matches('\n').count() + 1;
    let message = error.message().replace('\n', ", ");
    format!("{file}, line {line}, is not TOML: {message}")
}
