//! Start report: the first lines of a process, with the addresses of its parts.
//!
//! On a terminal it is text. In a log it is one event with the same facts as fields.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};
use std::net::SocketAddr;

use crate::process::{self, ConfigArgs};
use crate::settings::{Log, LogFormat, MailTransport, PublicUrls, Settings};
use crate::version;

/// The addresses of a server's parts, as far as it has them.
#[derive(Debug)]
pub struct StartReport {
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
    /// The settings file.
    settings: Option<String>,
    /// Parts that are off, with the setting that turns each on.
    off: Vec<&'static str>,
    cautions: Vec<String>,
}

impl StartReport {
    pub(super) fn new(log: &Log) -> Self {
        Self {
            for_a_person: io::stdout().is_terminal() && log.format != Some(LogFormat::Json),
            pages: None,
            api: None,
            mcp: None,
            data: None,
            settings: None,
            off: Vec::new(),
            cautions: Vec::new(),
        }
    }

    /// Names the settings file.
    pub fn of_settings(&mut self, config: &ConfigArgs) {
        let file = config.file().map(|file| file.display().to_string());
        self.settings = Some(file.unwrap_or_else(|| "no file; defaults and variables".to_owned()));
    }

    /// Sets the addresses of the REST server.
    pub fn of_api(&mut self, settings: &Settings, urls: &PublicUrls) {
        self.pages = Some(urls.web_base_url.join("/").to_string());
        self.api = Some(urls.base_url.join("/toolkit/api").to_string());
        self.mcp = settings.has_mcp(urls).then(|| urls.mcp_url.to_string());
        self.data = Some(settings.database.url.location());
        self.off = off(settings);
        self.cautions = settings.cautions();
    }

    pub(super) fn announce(&self, address: SocketAddr, admin: Option<SocketAddr>) {
        let admin = admin.map(|admin| format!("http://{admin}"));
        for caution in &self.cautions {
            tracing::warn!("{caution}");
        }
        if self.for_a_person {
            process::tell(io::stdout(), self.text(address, admin.as_deref()));
            return;
        }
        for off in &self.off {
            tracing::info!("{off}");
        }
        let (pages, api) = (self.pages.as_deref(), self.api.as_deref());
        let (mcp, data) = (self.mcp.as_deref(), self.data.as_deref());
        let (settings, version) = (self.settings.as_deref(), version::get());
        tracing::info!(%address, pages, api, mcp, admin, data, settings, version, "listening");
    }

    fn text(&self, address: SocketAddr, admin: Option<&str>) -> String {
        let version = version::get();
        let mut text = format!("\n  {version}, listening on {address}. Ctrl-C stops it.\n\n");
        let report = [
            ("Web pages", self.pages.as_deref()),
            ("REST API", self.api.as_deref()),
            ("MCP", self.mcp.as_deref()),
            ("Probes and metrics", admin),
            ("Database", self.data.as_deref()),
            ("Settings", self.settings.as_deref()),
        ];
        for (name, place) in report {
            if let Some(place) = place {
                let _ = writeln!(text, "  {name:<20}{place}");
            }
        }
        text.push('\n');
        for off in &self.off {
            let _ = writeln!(text, "  {off}");
        }
        text
    }
}

/// The parts that the settings turn off.
fn off(settings: &Settings) -> Vec<&'static str> {
    let mut off = Vec::new();
    if settings.llm.providers.is_empty() {
        off.push("no `llm.providers` configured: chat is off");
    }
    if settings.mail.transport == MailTransport::Log {
        off.push("no mail server configured: mail is written to this log");
    }
    off
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_where_the_parts_are_and_what_is_off() {
        let mut report = StartReport::new(&Log::default());
        report.pages = Some("http://127.0.0.1:8080/toolkit/".to_owned());
        report.off = vec!["no `llm.providers` configured: chat is off"];
        let address = ([127, 0, 0, 1], 8080).into();
        let text = report.text(address, Some("http://127.0.0.1:9080"));
        assert_eq!(
            text,
            "\n  0.1.0, listening on 127.0.0.1:8080. Ctrl-C stops it.\n\n  \
             Web pages           http://127.0.0.1:8080/toolkit/\n  \
             Probes and metrics  http://127.0.0.1:9080\n\n  \
             no `llm.providers` configured: chat is off\n"
        );
    }
}
