//! Cautions: settings that are valid but rarely intended.

use super::value::is_loopback;
use super::{MailTransport, Settings};

impl Settings {
    /// One sentence per caution, for the log at start, `config check` and `doctor`.
    pub fn cautions(&self) -> Vec<String> {
        let urls = self.public.resolve(self.api.bind, self.mcp_apart());
        let base = urls.base_url;
        let is_local = is_loopback(base.origin());
        let mut cautions = Vec::new();
        if is_local && !self.api.bind.ip().is_loopback() {
            cautions.push(format!(
                "`api.bind` is open to other machines, but pages and MCP clients are sent to {base}. \
                 Set `public.base_url` to the address that others use"
            ));
        }
        let mcp = self.public.resolve(self.api.bind, Some(self.mcp.bind)).mcp_url;
        if is_loopback(mcp.origin()) && !self.mcp.bind.ip().is_loopback() {
            cautions.push(format!(
                "`mcp.bind` is open to other machines, but MCP clients are sent to {mcp}. \
                 Set `public.mcp_url` to the address that others use"
            ));
        }
        if is_local && self.mail.transport == MailTransport::Smtp {
            cautions.push(format!(
                "mails link to {base}, which only this machine can open. \
                 Set `public.base_url` to the address that recipients can reach"
            ));
        }
        cautions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_others_reach_is_told_to_name_its_address() {
        for (file, cautions) in [
            ("", 0),
            ("[api]\nbind = \"0.0.0.0:8080\"", 1),
            ("[api]\nbind = \"192.0.2.1:8080\"", 0),
            ("[mcp]\nbind = \"0.0.0.0:8081\"", 1),
            (
                "[mcp]\nbind = \"0.0.0.0:8081\"\n[public]\nmcp_url = \"http://tools.lan/toolkit/mcp\"",
                0,
            ),
            ("[api]\nbind = \"0.0.0.0:8080\"\n[public]\nbase_url = \"http://tools.lan:8080\"", 0),
            (
                "[public]\nbase_url = \"http://localhost:8080\"\n[mail]\ntransport = \"smtp\"\nsmtp_url = \"smtp://h\"\nfrom = \"a@b.example\"\noperator = \"a@b.example\"",
                1,
            ),
        ] {
            let settings = Settings::parse(file, []).unwrap();
            assert_eq!(settings.cautions().len(), cautions, "{file}");
        }
    }
}
