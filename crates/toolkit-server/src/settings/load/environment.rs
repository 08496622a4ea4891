//! Environment variables: `TOOLKIT_` + section + `__` + key, in upper case.

use std::ffi::{OsStr, OsString};

use toml::Value;

use super::{Loader, Place};
use crate::settings::schema::Kind;

const PREFIX: &str = "TOOLKIT_";
const SEPARATOR: &str = "__";

impl Loader {
    /// Reads the variables that are settings.
    pub(super) fn read_environment(&mut self, environment: &[(OsString, OsString)]) {
        let mut variables: Vec<_> = environment
            .iter()
            .filter_map(|(name, value)| Some((name.to_str()?, value.as_os_str())))
            .filter(|(name, _)| name.starts_with(PREFIX) && !is_service_link(name))
            .collect();
        // In a fixed order, so that errors are reproducible.
        variables.sort_unstable();
        for (name, value) in variables {
            if let Err(fault) = self.read_variable(name, value) {
                self.faults.push(format!("{name} is not {fault}"));
            }
        }
    }

    fn read_variable(&mut self, name: &str, value: &OsStr) -> Result<(), String> {
        let (place, key) = split(name).ok_or_else(|| {
            format!("a setting; a variable is {PREFIX}, the section, {SEPARATOR} and the key")
        })?;
        let text = value.to_str().ok_or("UTF-8")?;
        let known = place.schema().and_then(|table| table.key(&key));
        let known = known.ok_or_else(|| format!("a setting: there is no `{place}.{key}`"))?;
        // Deployment tools pass an empty variable for an unknown one. Where leaving it unset would
        // turn off a check, that must be reported.
        if !text.is_empty() || !known.optional || known.secret {
            self.put(&place, known, name, value_of(&known.kind, text));
        }
        Ok(())
    }
}

/// Splits the name of a variable into its place and its key.
fn split(name: &str) -> Option<(Place, String)> {
    let lower = name.strip_prefix(PREFIX)?.to_ascii_lowercase();
    let parts: Vec<_> = lower.split(SEPARATOR).collect();
    let (table, index, key) = match parts[..] {
        [section, key] => (section.to_owned(), None, key),
        [section, list, index, key] => {
            (format!("{section}.{list}"), Some(index.parse().ok()?), key)
        }
        _ => return None,
    };
    Some((Place { table, index }, key.to_owned()))
}

/// Parses a text for the type of the key; what does not fit remains a text, and is refused later.
fn value_of(kind: &Kind, text: &str) -> Value {
    let parsed = match kind {
        Kind::Flag => text.parse().ok().map(Value::Boolean),
        Kind::Integer { .. } => text.parse().ok().map(Value::Integer),
        Kind::List(_) => {
            let items = text.split(',').map(str::trim);
            let items: Vec<_> = items.filter(|item| !item.is_empty()).collect();
            Some(items.into())
        }
        Kind::Text(_) | Kind::Choice(_) | Kind::Table(_) | Kind::Tables(_) => None,
    };
    parsed.unwrap_or_else(|| text.into())
}

/// Whether a variable is one that Kubernetes sets for a service named `toolkit…`.
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
        for name in [
            "TOOLKIT_API__BIND",
            "TOOLKIT_LIMITS_RUN_BURST",
            "TOOLKIT_API__PORT",
            "TOOLKIT_X",
        ] {
            assert!(!is_service_link(name), "{name}");
        }
    }
}
