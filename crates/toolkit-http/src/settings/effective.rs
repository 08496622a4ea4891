//! The settings in force, as `config check` prints them.

use serde_json::Value;

use super::schema::{self, Key, Kind, Section};
use super::{Settings, reference};

impl Settings {
    /// The settings in force as TOML, with secrets masked as `***`.
    ///
    /// What is not set and follows from nothing is a comment.
    pub fn effective(&self) -> String {
        let mut settings = self.clone();
        let urls = self.public.resolve(self.api.bind, self.mcp.bind);
        // With port 0 the address is not known before the server listens.
        if self.api.bind.port() != 0 || self.public.base_url.is_some() {
            settings.public.base_url = Some(urls.base_url);
            settings.public.web_base_url = Some(urls.web_base_url);
        }
        if self.mcp.bind.port() != 0 || self.public.mcp_url.is_some() {
            settings.public.mcp_url = Some(urls.mcp_url);
        }
        let values = serde_json::to_value(settings).unwrap_or_default();
        let section = |section: &Section| {
            let value = |key: &Key| values.get(&section.name)?.get(&key.name);
            let keys = section.keys.iter();
            let keys =
                keys.map(|key| lines(&section.name, key, value(key).unwrap_or(&Value::Null)));
            format!("[{}]\n{}", section.name, keys.collect::<String>())
        };
        schema::sections()
            .iter()
            .map(section)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

fn lines(section: &str, key: &Key, value: &Value) -> String {
    let name = &key.name;
    match (&key.kind, value) {
        (Kind::Tables(keys), Value::Array(elements)) if !elements.is_empty() => {
            let element = |value: &Value| {
                let members = keys
                    .iter()
                    .map(|key| lines("", key, value.get(&key.name).unwrap_or(&Value::Null)));
                format!("\n[[{section}.{name}]]\n{}", members.collect::<String>())
            };
            elements.iter().map(element).collect()
        }
        (_, Value::Null) => match &key.default_note {
            Some(note) => format!("# {name}: {note}\n"),
            None => format!("# {name} is not set\n"),
        },
        _ => format!("{name} = {}\n", reference::toml_text(value)),
    }
}
