//! Effective settings, as printed by `config check`.

use toml::Value;

use super::Settings;
use super::schema::{self, Key, Kind, Setting};

impl Settings {
    /// The settings in force as TOML, with secrets masked as `***`.
    ///
    /// Keys that are neither set nor derived are comments.
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
        let values = settings.shown();
        let section = |section: &Key| {
            let values = values.as_ref().and_then(|values| values.get(section.name));
            format!("[{}]\n{}", section.name, members(section, values))
        };
        let sections: Vec<_> = schema::sections().iter().map(section).collect();
        sections.join("\n")
    }
}

fn members(table: &Key, values: Option<&Value>) -> String {
    let value = |key: &Key| values.and_then(|values| values.get(key.name));
    let lines = table
        .keys()
        .iter()
        .map(|key| lines(table.name, key, value(key)));
    lines.collect()
}

fn lines(section: &str, key: &Key, value: Option<&Value>) -> String {
    let name = key.name;
    match (&key.kind, value) {
        (Kind::Tables(_), Some(Value::Array(elements))) if !elements.is_empty() => {
            let element = |value| format!("\n[[{section}.{name}]]\n{}", members(key, Some(value)));
            elements.iter().map(element).collect()
        }
        (_, Some(value)) => format!("{name} = {value}\n"),
        (_, None) => match &key.default_note {
            Some(note) => format!("# {name}: {note}\n"),
            None => format!("# {name} is not set\n"),
        },
    }
}
