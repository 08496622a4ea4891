//! First lines of a process: where its parts are.
//!
//! For a person on a terminal some lines to read; in a log one event with the same as fields.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::net::SocketAddr;

use crate::settings::{Log, LogFormat, MailTransport, PublicUrls, Settings};
use crate::version;

/// Where the parts of a server are, as far as it has them.
#[derive(Debug)]
pub struct Places {
    /// Whether a person reads the log.
    for_a_person: bool,
    /// The web pages.
    pages: Option<String>,
    /// The REST API.
    api: Option<String>,
    /// The MCP endpoint.
    pub mcp: Option<String>,
    /// The database.
    data: Option<String>,
    /// What is off, with the setting that turns it on.
    off: Vec<&'static str>,
}

impl Places {
    pub(super) fn new(log: &Log) -> Self {
        Self {
            for_a_person: io::stdout().is_terminal() && log.format != Some(LogFormat::Json),
            pages: None,
            api: None,
            mcp: None,
            data: None,
            off: Vec::new(),
        }
    }

    /// Sets the places of the REST server.
    pub fn of_api(&mut self, settings: &Settings, urls: &PublicUrls) {
        self.pages = Some(urls.web_base_url.join("/").to_string());
        self.api = Some(urls.base_url.join("/toolkit/api").to_string());
        self.mcp = settings.has_mcp(urls).then(|| urls.mcp_url.to_string());
        self.data = Some(settings.database.url.public());
        self.off = off(settings);
    }

    pub(super) fn announce(&self, address: SocketAddr, admin: Option<SocketAddr>) {
        let admin = admin.map(|admin| format!("http://{admin}"));
        if self.for_a_person {
            // A closed standard output cannot be reported.
            let _ = io::stdout().write_all(self.text(address, admin.as_deref()).as_bytes());
            return;
        }
        for off in &self.off {
            tracing::info!("{off}");
        }
        let (pages, api) = (self.pages.as_deref(), self.api.as_deref());
        let (mcp, data) = (self.mcp.as_deref(), self.data.as_deref());
        let version = version::get();
        tracing::info!(%address, pages, api, mcp, admin, data, version, "listening");
    }

    fn text(&self, address: SocketAddr, admin: Option<&str>) -> String {
        let version = version::get();
        let mut text = format!("\n  {version}, listening on {address}. Ctrl-C stops it.\n\n");
        let places = [
            ("Web pages", self.pages.as_deref()),
            ("REST API", self.api.as_deref()),
            ("MCP", self.mcp.as_deref()),
            ("Probes and metrics", admin),
            ("Data", self.data.as_deref()),
        ];
        for (name, place) in places {
            if let Some(place) = place {
                let _ = writeln!(text, "  {name:<20}{place}");
            }
        }
        text.push('\n');
        for off in &self.off {
            let _ = writeln!(text, "  {off}");
        }
        text.push('\n');
        text
    }
}

/// Which parts the settings turn off.
fn off(settings: &Settings) -> Vec<&'static str> {
    let mut off = Vec::new();
    if settings.llm.providers.is_empty() {
        off.push("chat is off: there are no `llm.providers`");
    }
    if settings.captcha.kind.is_none() && settings.turnstile.secret.is_none() {
        off.push("contact messages need no Turnstile token: there is no `turnstile.secret`");
    }
    if settings.mail.transport == MailTransport::Log {
        off.push("mail goes to the log: `mail.transport` is `log`");
    }
    off
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_where_the_parts_are_and_what_is_off() {
        let mut places = Places::new(&Log::default());
        places.pages = Some("http://127.0.0.1:8080/toolkit/".to_owned());
        places.off = vec!["chat is off: there are no `llm.providers`"];
        let address = ([127, 0, 0, 1], 8080).into();
        let text = places.text(address, Some("http://127.0.0.1:9080"));
        assert_eq!(
            text,
            "\n  0.1.0, listening on 127.0.0.1:8080. Ctrl-C stops it.\n\n  \
             Web pages           http://127.0.0.1:8080/toolkit/\n  \
             Probes and metrics  http://127.0.0.1:9080\n\n  \
             chat is off: there are no `llm.providers`\n\n"
        );
    }
}
