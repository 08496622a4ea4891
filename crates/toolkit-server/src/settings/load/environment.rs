//! Environment variables: `TOOLKIT_` + section + `__` + key, in upper case. For an element of a
//! list of tables, its number follows the list.

use std::ffi::OsString;

use toml::{Table, Value};

use super::Loader;
use crate::settings::schema::{ENV_SUFFIX, FILE_SUFFIX, Key, Kind, WHOLE};

const PREFIX: &str = "TOOLKIT_";
const SEPARATOR: &str = "__";

/// Build variables, which `cargo run` passes on to the program.
const OF_BUILD: [&str; 2] = ["TOOLKIT_COMMIT", "TOOLKIT_WEB_LIBRARIES"];

/// Similarity from which a variable is proposed for a misspelled one, of at most 1.
const SIMILARITY_MIN: f64 = 0.8;

/// Variables proposed for an unknown one.
const NAMED_MAX: usize = 3;

/// Maximum list elements that variables can number.
const ELEMENTS_MAX: usize = 100;

impl Loader {
    /// Merges variables that are settings over the values of the file.
    pub(super) fn overlay(&mut self, values: &mut Table, environment: &[(OsString, OsString)]) {
        let mut variables: Vec<_> = environment
            .iter()
            .filter_map(|(name, value)| Some((name.to_str()?, value)))
            .filter(|(name, _)| name.starts_with(PREFIX))
            .filter(|(name, _)| !OF_BUILD.contains(name) && !is_service_link(name))
            .collect();
        // In a fixed order, so that errors are reproducible.
        variables.sort_unstable();
        for (name, value) in variables {
            let Some(text) = value.to_str() else {
                self.refuse("", format!("{name} is not UTF-8"));
                continue;
            };
            if self.put(values, name, text).is_none() {
                self.refuse("", format!("{name} is not a setting. {}", instead_of(name)));
            }
        }
    }

    /// Stores a variable in its place. `None` if it is not a setting.
    fn put(&mut self, values: &mut Table, name: &str, text: &str) -> Option<()> {
        let lower = name.strip_prefix(PREFIX)?.to_ascii_lowercase();
        let parts: Vec<_> = lower.split(SEPARATOR).collect();
        let (section, element, name_of_key) = match parts[..] {
            [section, key] => (section, None, key),
            [list, index, key] => ("", Some((list, index.parse().ok()?)), key),
            [section, list, index, key] => (section, Some((list, index.parse().ok()?)), key),
            _ => return None,
        };
        let mut table = if section.is_empty() { &*WHOLE } else { WHOLE.key(section)? };
        let mut path = section.to_owned();
        if let Some((list, index)) = element {
            let is_list = |key: &&Key| matches!(key.kind, Kind::Tables(_));
            table = table.key(list).filter(is_list)?;
            let dot = if section.is_empty() { "" } else { "." };
            path = format!("{section}{dot}{list}[{index}]");
        } else if matches!(table.kind, Kind::Tables(_)) {
            return None;
        }
        let key = table.key(name_of_key);
        let is_in_file = |stem: &&str| table.key(stem).is_some_and(|key| key.is_in_file);
        let of = |suffix| name_of_key.strip_suffix(suffix).filter(is_in_file);
        if key.is_none() && of(FILE_SUFFIX).is_none() {
            return None;
        }
        let value = key.map_or_else(|| text.into(), |key| value_of(&key.kind, text));
        // Deployment tools pass unset variables as empty ones.
        let is_unset = text.is_empty() && key.is_none_or(|key| key.is_unset_by(&value));
        let mut members = values;
        if !section.is_empty() {
            let place = members.entry(section).or_insert_with(empty_table);
            // Anything but a table is reported as a fault of the file.
            let Some(table) = place.as_table_mut() else {
                return Some(());
            };
            members = table;
        }
        if let Some((list, index)) = element {
            let listed = members.get(list).and_then(Value::as_array).map_or(0, Vec::len);
            if is_unset && index >= listed {
                return Some(());
            }
            members = element_of(members, list, index)?.as_table_mut()?;
        }
        let stem = of(FILE_SUFFIX).or_else(|| of(ENV_SUFFIX)).unwrap_or(name_of_key);
        if is_in_file(&stem) {
            // Remove other forms of the same secret from the file's values.
            for suffix in ["", FILE_SUFFIX, ENV_SUFFIX] {
                if !self.variables.contains_key(&format!("{path}.{stem}{suffix}")) {
                    members.remove(&format!("{stem}{suffix}"));
                }
            }
        }
        if is_unset {
            members.remove(name_of_key);
            return Some(());
        }
        self.variables.insert(format!("{path}.{name_of_key}"), name.to_owned());
        members.insert(name_of_key.to_owned(), value);
        Some(())
    }
}

/// What to write instead of an unknown variable: the same key in its section, or the most similar
/// variable.
fn instead_of(name: &str) -> String {
    let index = name.split(SEPARATOR).find(|part| part.parse::<usize>().is_ok());
    let mut known = Vec::new();
    collect_variables(&WHOLE, PREFIX, index.unwrap_or("0"), &mut known);
    let bare = name.trim_start_matches(PREFIX);
    let (_, key) = bare.rsplit_once(SEPARATOR).unwrap_or(("", bare));
    let end = format!("{SEPARATOR}{key}");
    let mut meant: Vec<_> = known.iter().filter(|it| it.ends_with(&end)).collect();
    if meant.is_empty() {
        let similarity = |it: &&String| strsim::normalized_damerau_levenshtein(it, name);
        let nearest = known.iter().max_by(|a, b| similarity(a).total_cmp(&similarity(b)));
        meant = nearest.filter(|it| similarity(it) >= SIMILARITY_MIN).into_iter().collect();
    }
    let meant: Vec<_> = meant.into_iter().take(NAMED_MAX).map(String::as_str).collect();
    if meant.is_empty() {
        format!("A variable is {PREFIX}, the section, {SEPARATOR} and the key")
    } else {
        format!("Did you mean {}?", meant.join(" or "))
    }
}

/// Collects the variables of all settings. `index` numbers the elements of lists.
fn collect_variables(table: &Key, prefix: &str, index: &str, all: &mut Vec<String>) {
    for key in table.keys() {
        let name = format!("{prefix}{}", key.name.to_ascii_uppercase());
        match key.kind {
            Kind::Table(_) => collect_variables(key, &(name + SEPARATOR), index, all),
            Kind::Tables(_) => {
                let prefix = format!("{name}{SEPARATOR}{index}{SEPARATOR}");
                collect_variables(key, &prefix, index, all);
            }
            _ => all.push(name),
        }
    }
}

fn empty_table() -> Value {
    Value::Table(Table::new())
}

/// Returns an element of a list of tables. Missing ones before it become `false`, and are refused
/// later.
fn element_of<'a>(section: &'a mut Table, list: &str, index: usize) -> Option<&'a mut Value> {
    let elements = section.entry(list);
    let elements = elements.or_insert_with(|| Value::Array(Vec::new())).as_array_mut()?;
    if index >= elements.len() {
        elements.resize((index < ELEMENTS_MAX).then(|| index + 1)?, false.into());
    }
    let element = elements.get_mut(index)?;
    if element.is_bool() {
        *element = empty_table();
    }
    Some(element)
}

/// Parses a text as the key's type. A text that doesn't fit stays a text, and is refused later.
fn value_of(kind: &Kind, text: &str) -> Value {
    let parsed = match kind {
        Kind::Flag => text.parse().ok().map(Value::Boolean),
        Kind::Integer { .. } => text.parse().ok().map(Value::Integer),
        Kind::List(_) => {
            let items = text.split(',').map(str::trim);
            let items: Vec<_> = items.filter(|item| !item.is_empty()).collect();
            Some(items.into())
        }
        Kind::Map(_) => format!("value = {text}")
            .parse::<Table>()
            .ok()
            .and_then(|mut table| table.remove("value")),
        Kind::Text(_) | Kind::Choice(_) | Kind::Table(_) | Kind::Tables(_) => None,
    };
    parsed.unwrap_or_else(|| text.into())
}

/// Whether Kubernetes sets the variable for a service named `toolkit…`.
fn is_service_link(name: &str) -> bool {
    let Some((_, tail)) = name.rsplit_once("_PORT") else {
        return name.ends_with("_SERVICE_HOST");
    };
    let protocol = || tail.contains("_TCP") || tail.contains("_UDP") || tail.contains("_SCTP");
    !name.contains(SEPARATOR) && (tail.is_empty() || name.contains("_SERVICE_PORT") || protocol())
}

#[cfg(test)]
mod tests {
    use super::is_service_link;

    #[test]
    fn variables_that_kubernetes_sets_for_a_service_are_ignored() {
        for name in [
            "TOOLKIT_SERVICE_HOST",
            "TOOLKIT_API_SERVICE_HOST",
            "TOOLKIT_SERVICE_PORT",
            "TOOLKIT_API_SERVICE_PORT_HTTP",
            "TOOLKIT_PORT",
            "TOOLKIT_PORT_8080_TCP",
            "TOOLKIT_PORT_8080_TCP_ADDR",
        ] {
            assert!(is_service_link(name), "{name}");
        }
        for name in
            ["TOOLKIT_API__BIND", "TOOLKIT_LIMITS_RUN_BURST", "TOOLKIT_API__PORT", "TOOLKIT_X"]
        {
            assert!(!is_service_link(name), "{name}");
        }
    }
}
