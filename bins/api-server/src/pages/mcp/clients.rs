//! MCP client set-up: data for each client, following the client's own documentation.

use reqwest::Url;
use serde_json::{Value as Json, json};
use toolkit_core::base64::{self, Alphabet};
use toolkit_core::percent::{self, Scope};

use crate::pages::code::{Language, quoted};

/// The server's name in the clients. No underscore: Gemini CLI reads it as a separator.
pub(super) const NAME: &str = "toolkit";

/// A client, or a library to write one.
pub(super) struct Client {
    /// The anchor of its section.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) steps: Vec<Step>,
}

/// One element of the instructions.
pub(super) enum Step {
    /// A sentence, with code in backticks.
    Say(&'static str),
    /// A link that opens the client, which offers to add the server.
    Install(&'static str, String),
    /// Something to copy.
    Code(Language, String),
    /// Output of the program above.
    Prints(&'static str),
}

use Step::{Code, Install, Prints, Say};

/// All of them, for the server at `url`.
pub(super) fn all(url: &str) -> Vec<Client> {
    let client = |id, name, steps| Client { id, name, steps };
    vec![
        client("claude-code", "Claude Code", claude_code(url)),
        client("claude-desktop", "Claude Desktop", claude_desktop(url)),
        client("vs-code", "VS Code", vs_code(url)),
        client("cursor", "Cursor", cursor(url)),
        client("gemini-cli", "Gemini CLI", gemini_cli(url)),
        client("codex", "Codex", codex(url)),
        client("inspector", "MCP Inspector", inspector(url)),
        client("typescript-sdk", "TypeScript SDK", typescript(url)),
        client("python-sdk", "Python SDK", python(url)),
        client("curl", "By hand", curl(url)),
    ]
}

fn claude_code(url: &str) -> Vec<Step> {
    vec![
        Say("In a terminal, for all your projects:"),
        shell(format!(
            "claude mcp add --scope user --transport http {NAME} {url}"
        )),
        Say("Or for everyone who works on a project, in `.mcp.json` at its root:"),
        file("mcpServers", &json!({"type": "http", "url": url})),
        Say("`claude mcp list` shows whether it answers."),
    ]
}

fn claude_desktop(url: &str) -> Vec<Step> {
    let mut arguments = vec!["-y", "mcp-remote", url];
    if needs_leave(url) {
        arguments.push("--allow-http");
    }
    vec![
        Say(
            "Under Customize, Connectors (in older versions Settings, Connectors) choose Add custom \
             connector, and enter the address of the server. Claude connects from its own machines: the \
             address must begin with `https` and be reachable from the internet.",
        ),
        Say(
            "For a server on your machine or in your network, Settings, Developer, Edit Config opens \
             `claude_desktop_config.json`. The bridge needs Node.js; quit and reopen Claude afterwards.",
        ),
        file("mcpServers", &json!({"command": "npx", "args": arguments})),
    ]
}

fn vs_code(url: &str) -> Vec<Step> {
    let server = json!({"name": NAME, "type": "http", "url": url}).to_string();
    vec![
        Install(
            "Install in VS Code",
            format!(
                "vscode:mcp/install?{}",
                percent::encode(&server, Scope::Component)
            ),
        ),
        Say("The same in a terminal:"),
        shell(format!("code --add-mcp {}", quoted(&server))),
        Say(
            "Or in `.vscode/mcp.json` of a workspace; MCP: Open User Configuration opens the file for \
             all of them:",
        ),
        file("servers", &json!({"type": "http", "url": url})),
    ]
}

fn cursor(url: &str) -> Vec<Step> {
    let server = json!({"url": url});
    let config = base64::encode(server.to_string().as_bytes(), Alphabet::Standard);
    let link = format!(
        "cursor://anysphere.cursor-deeplink/mcp/install?name={NAME}&config={}",
        percent::encode(&config, Scope::Component)
    );
    vec![
        Install("Install in Cursor", link),
        Say("Or in `~/.cursor/mcp.json`, or in `.cursor/mcp.json` of a project:"),
        file("mcpServers", &server),
    ]
}

fn gemini_cli(url: &str) -> Vec<Step> {
    vec![
        Say("In a terminal; without `--scope user` for the project there only:"),
        shell(format!(
            "gemini mcp add --scope user --transport http {NAME} {url}"
        )),
        Say("It writes to `~/.gemini/settings.json`:"),
        file("mcpServers", &json!({"type": "http", "url": url})),
    ]
}

fn codex(url: &str) -> Vec<Step> {
    vec![
        Say("In a terminal:"),
        shell(format!("codex mcp add {NAME} --url {url}")),
        Say("It writes to `~/.codex/config.toml`, which the editor extension reads too:"),
        Code(
            Language::Toml,
            format!("[mcp_servers.{NAME}]\nurl = \"{url}\""),
        ),
    ]
}

fn inspector(url: &str) -> Vec<Step> {
    vec![
        Say("To look at the server in a browser, with Node.js 22.19 or newer:"),
        shell(format!(
            "npx @modelcontextprotocol/inspector --server-url {url} --transport http"
        )),
        Say("In a terminal:"),
        shell(format!(
            "npx @modelcontextprotocol/inspector --cli {url} --transport http --method tools/list"
        )),
        shell(format!(
            "npx @modelcontextprotocol/inspector --cli {url} --transport http \\\n  \
             --method tools/call --tool-name base64_transform --tool-arg text=Hi --tool-arg mode=encode"
        )),
    ]
}

fn typescript(url: &str) -> Vec<Step> {
    let call = "await client.connect(transport);\n\
        const { structuredContent } = await client.callTool({\n  \
          name: 'base64_transform',\n  arguments: { text: 'Hi', mode: 'encode' },\n\
        });\n\
        console.log(structuredContent);\n\
        await client.close();";
    let make = format!(
        "const client = new Client({{ name: 'example', version: '1.0.0' }});\n\
         const transport = new StreamableHTTPClientTransport(new URL('{url}'));\n"
    );
    let program = |imports: &str| Code(Language::TypeScript, format!("{imports}\n\n{make}{call}"));
    vec![
        Say("After `npm install @modelcontextprotocol/client`:"),
        program(
            "import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';",
        ),
        Prints("{ result: 'SGk=', type: 'base64' }"),
        Say("With version 1, `npm install @modelcontextprotocol/sdk`, the imports differ:"),
        program(
            "import { Client } from '@modelcontextprotocol/sdk/client/index.js';\n\
             import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';",
        ),
    ]
}

fn python(url: &str) -> Vec<Step> {
    vec![
        Say("After `pip install mcp`, version 2 or newer:"),
        Code(
            Language::Python,
            format!(
                "import asyncio\n\nfrom mcp import Client\n\n\n\
                 async def main() -> None:\n    \
                     async with Client(\"{url}\") as client:\n        \
                         answer = await client.call_tool(\"base64_transform\", {{\"text\": \"Hi\", \"mode\": \"encode\"}})\n        \
                         print(answer.structured_content)\n\n\n\
                 asyncio.run(main())"
            ),
        ),
        Prints("{'result': 'SGk=', 'type': 'base64'}"),
    ]
}

fn curl(url: &str) -> Vec<Step> {
    let call = json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "base64_transform", "arguments": {"text": "Hi", "mode": "encode"}},
    });
    vec![
        Say("A call is one request: there is no session to open before it."),
        shell(format!(
            "curl -s {url} \\\n  -H 'Content-Type: application/json' \\\n  \
             -H 'Accept: application/json, text/event-stream' \\\n  -d {}",
            quoted(&call.to_string())
        )),
    ]
}

pub(super) fn shell(command: String) -> Step {
    Code(Language::Shell, command)
}

/// A settings file with an entry for the server.
pub(super) fn file(root: &str, entry: &Json) -> Step {
    let settings = json!({root: {NAME: entry}});
    Code(Language::Json, settings.to_string())
}

/// Whether `mcp-remote` refuses an address without a flag: plain HTTP to another machine.
fn needs_leave(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| {
        url.scheme() == "http" && !matches!(url.host_str(), Some("localhost" | "127.0.0.1"))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde_json::{Value as Json, json};
    use toolkit_core::{Warnings, base64, percent};

    use super::{Step, all};
    use crate::pages::code::Language;

    const URL: &str = "https://tools.example.org/toolkit/mcp";

    /// Content of the page, by client.
    fn written(url: &str) -> Vec<(&'static str, Language, String)> {
        let mut written = Vec::new();
        for client in all(url) {
            for step in client.steps {
                if let Step::Code(language, text) = step {
                    written.push((client.id, language, text));
                }
            }
        }
        written
    }

    fn json_of(client: &str, url: &str) -> Json {
        let snippets = written(url);
        let found = snippets
            .iter()
            .find(|(id, language, _)| *id == client && *language == Language::Json);
        serde_json::from_str(&found.unwrap().2).unwrap()
    }

    #[test]
    fn everything_to_copy_names_the_server() {
        for (client, _, text) in written(URL) {
            assert!(text.contains(URL), "{client}: {text}");
        }
    }

    #[test]
    fn settings_files_are_well_formed_and_have_the_keys_that_their_client_reads() {
        let http = json!({"type": "http", "url": URL});
        let expected = HashMap::from([
            ("claude-code", json!({"mcpServers": {"toolkit": http}})),
            ("vs-code", json!({"servers": {"toolkit": http}})),
            ("gemini-cli", json!({"mcpServers": {"toolkit": http}})),
            ("cursor", json!({"mcpServers": {"toolkit": {"url": URL}}})),
            (
                "claude-desktop",
                json!({"mcpServers": {"toolkit": {"command": "npx", "args": ["-y", "mcp-remote", URL]}}}),
            ),
        ]);
        for (client, settings) in &expected {
            assert_eq!(json_of(client, URL), *settings, "{client}");
        }
        for (client, language, text) in written(URL) {
            match language {
                Language::Json => assert!(expected.contains_key(client), "{client}"),
                Language::Toml => {
                    let settings: toml::Table = text.parse().unwrap();
                    assert_eq!(
                        settings["mcp_servers"]["toolkit"]["url"].as_str(),
                        Some(URL)
                    );
                }
                _ => {}
            }
        }
    }

    #[test]
    fn the_bridge_gets_the_flag_for_plain_http_only_when_needed() {
        let arguments = |url| {
            let settings = json_of("claude-desktop", url);
            settings["mcpServers"]["toolkit"]["args"]
                .as_array()
                .unwrap()
                .clone()
        };
        for url in [
            URL,
            "http://127.0.0.1:8081/toolkit/mcp",
            "http://localhost/toolkit/mcp",
        ] {
            assert!(!arguments(url).contains(&json!("--allow-http")), "{url}");
        }
        for url in [
            "http://tools.lan/toolkit/mcp",
            "http://localhost.example.org/toolkit/mcp",
        ] {
            assert!(arguments(url).contains(&json!("--allow-http")), "{url}");
        }
    }

    #[test]
    fn install_links_carry_the_same_settings() {
        let mut links = HashMap::new();
        for client in all(URL) {
            for step in client.steps {
                if let Step::Install(_, link) = step {
                    links.insert(client.id, link);
                }
            }
        }
        let decoded = |text: &str| {
            let scope = percent::Scope::Component;
            percent::decode(text, scope, &mut Warnings::default()).unwrap()
        };
        let vs_code = links["vs-code"]
            .strip_prefix("vscode:mcp/install?")
            .unwrap();
        let server: Json = serde_json::from_str(&decoded(vs_code)).unwrap();
        assert_eq!(
            server,
            json!({"name": "toolkit", "type": "http", "url": URL})
        );
        let start = "cursor://anysphere.cursor-deeplink/mcp/install?name=toolkit&config=";
        let config = decoded(links["cursor"].strip_prefix(start).unwrap());
        let server: Json = serde_json::from_slice(&base64::decode_exact(&config).unwrap()).unwrap();
        assert_eq!(server, json!({"url": URL}));
    }
}
