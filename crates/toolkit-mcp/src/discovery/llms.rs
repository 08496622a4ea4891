//! `llms.txt`: describes the server to a model that visits the site.
//!
//! Standard: llmstxt.org: a title, a summary, then lists of links.

use std::fmt::Write as _;

use toolkit_core::registry::mcp_tools;
use toolkit_server::settings::PublicUrls;

use crate::identity::{title, website};

/// The media type of the document.
pub(super) const MEDIA_TYPE: &str = "text/markdown; charset=utf-8";

/// The document for a server.
pub(super) fn text(urls: &PublicUrls) -> String {
    let (url, website) = (urls.mcp_url.as_str(), website(urls));
    let (title, website) = (title(&urls.name), website.as_str());
    let mut text = format!(
        "# {title}\n\n\
         > Deterministic developer tools for assistants, over MCP (Streamable HTTP) at {url}. No key \
         unless its operator asks for one, no session; nothing is stored and nothing is fetched.\n\n\
         ## Tools\n\n"
    );
    for (tool, mcp) in mcp_tools() {
        // Writing to memory cannot fail.
        let _ = writeln!(
            text,
            "- [{name}]({website}#{name}): {summary}",
            name = mcp.name,
            summary = tool.spec().summary,
        );
    }
    let _ = write!(
        text,
        "\n## Connecting\n\n\
         - [Set-up for each client]({website}): Claude, VS Code, Cursor, Gemini CLI, Codex, SDKs\n\
         - [Server card]({url}/server-card): the same for machines\n"
    );
    text
}
