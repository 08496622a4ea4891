//! Effective settings, as printed by `config check`.

use std::net::SocketAddr;

use toml::Value;

use super::Settings;
use super::schema::{Key, Kind, Setting, WHOLE};

impl Settings {
    /// The effective settings as TOML, with secrets masked as `***`.
    ///
    /// Keys that are neither set nor derived are comments. `mcp` is the listener of a separate MCP
    /// server, if there is one.
    pub fn effective(&self, mcp: Option<SocketAddr>) -> String {
        let mut settings = self.clone();
        let urls = self.public.resolve(self.api.bind, mcp);
        // With port 0 the address is unknown until the server listens.
        if self.api.bind.port() != 0 || self.public.base_url.is_some() {
            settings.public.base_url = Some(urls.base_url);
            settings.public.web_base_url = Some(urls.web_base_url);
        }
        let listener = mcp.unwrap_or(self.api.bind);
        if listener.port() != 0 || self.public.mcp_url.is_some() {
            settings.public.mcp_url = Some(urls.mcp_url);
        }
        let values = settings.shown();
        let section = |section: &Key| {
            let values = values.as_ref().and_then(|values| values.get(section.name));
            match (&section.kind, values) {
                (Kind::Tables(_), Some(Value::Array(elements))) => {
                    list(&format!("[[{}]]\n", section.name), section, elements)
                }
                _ => format!("[{}]\n{}", section.name, members(section, values)),
            }
        };
        let sections = WHOLE.keys().iter().map(section);
        let sections: Vec<_> = sections.filter(|text| !text.is_empty()).collect();
        let cautions = self.cautions().into_iter().map(|caution| format!("# caution: {caution}\n"));
        let mut parts: Vec<_> = cautions.collect();
        parts.extend(sections);
        parts.join("\n")
    }
}

/// The elements of a list of tables, each below its header.
fn list(head: &str, key: &Key, elements: &[Value]) -> String {
    let element = |values| format!("{head}{}", members(key, Some(values)));
    elements.iter().map(element).collect()
}

fn members(table: &Key, values: Option<&Value>) -> String {
    let line = |key: &Key| match (&key.kind, values.and_then(|values| values.get(key.name))) {
        (Kind::Tables(_), Some(Value::Array(elements))) if !elements.is_empty() => {
            list(&format!("\n[[{}.{}]]\n", table.name, key.name), key, elements)
        }
        (_, Some(value)) => format!("{} = {value}\n", key.name),
        (_, None) => match key.default_note {
            Some(note) => format!("# {}: {note}\n", key.name),
            None => format!("# {} is not set\n", key.name),
        },
    };
    table.keys().iter().map(line).collect()
}
