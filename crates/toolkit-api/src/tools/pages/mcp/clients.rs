//! MCP client setup: instructions for each client, based on the client's own documentation.
//!
//! They are in `remote.md` and `local.md`, in a subset of Markdown: each client is a heading with
//! an anchor, followed by lines that are each a paragraph, an install link or a code block.

use serde_json::{Value as Json, json};
use toolkit_core::base64::{self, Alphabet};
use toolkit_core::percent::{self, Scope};

use crate::tools::pages::code::quoted;

/// The server's name in clients. No underscore, since Gemini CLI takes it for a separator.
const NAME: &str = "toolkit";

/// Assumed path of the program. Settings files need the full path, since programs started from a
/// desktop lack the shell's `PATH`.
const PROGRAM: &str = "/usr/local/bin/mcp-server";

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
    /// A link that opens the client and offers to add the server.
    Install(&'static str, String),
    /// Something to copy, or a program's output, with its language.
    Code(&'static str, String),
}

/// Clients that connect to the server at `url`.
pub(super) fn remote(url: &str) -> Vec<Client> {
    let mut arguments = vec!["-y", "mcp-remote", url];
    // `mcp-remote` requires the flag for plain HTTP, except to loopback. The page may show another host.
    if url.starts_with("http:") {
        arguments.push("--allow-http");
    }
    let bridge = json!({"command": "npx", "args": arguments}).to_string();
    let entry = json!({"url": url});
    let values = [("$URL", url), ("$BRIDGE", &bridge)];
    clients(include_str!("remote.md"), "http", &entry, &values)
}

/// Clients that start the server and talk to it over standard input and output.
pub(super) fn local() -> Vec<Client> {
    let entry = json!({"command": PROGRAM, "args": ["stdio"]});
    let values = [("$PROGRAM", PROGRAM)];
    clients(include_str!("local.md"), "stdio", &entry, &values)
}

/// Reads instructions, replacing names with a `$` by values.
///
/// `entry` is the server's entry in settings files. Some clients name the transport in it.
fn clients(
    text: &'static str,
    transport: &str,
    entry: &Json,
    values: &[(&str, &str)],
) -> Vec<Client> {
    let typed_entry = with(entry, "type", transport);
    let vs_code_server = with(&typed_entry, "name", NAME).to_string();
    let config = base64::encode(entry.to_string().as_bytes(), Alphabet::Standard);
    let common = [
        ("$NAME", NAME),
        ("$ENTRY", &entry.to_string()),
        ("$TYPED_ENTRY", &typed_entry.to_string()),
        ("$VS_CODE_SERVER", &quoted(&vs_code_server)),
        ("$VS_CODE_LINK", &percent::encode(&vs_code_server, Scope::Component)),
        ("$CURSOR_CONFIG", &percent::encode(&config, Scope::Component)),
    ];
    let fill = |text: &str| {
        let values = common.iter().chain(values);
        values.fold(text.to_owned(), |text, (name, value)| text.replace(name, value))
    };
    let sections = text.split("\n## ").skip(1);
    let client = |section: &'static str| {
        let (heading, body) = section.split_once("}\n")?;
        let (name, id) = heading.split_once(" {#")?;
        let steps = steps(body, fill);
        Some(Client { id, name, steps })
    };
    sections.filter_map(client).collect()
}

/// An object with one more member.
fn with(object: &Json, name: &str, value: &str) -> Json {
    let mut object = object.clone();
    if let Some(members) = object.as_object_mut() {
        members.insert(name.to_owned(), value.into());
    }
    object
}

fn steps(text: &'static str, fill: impl Fn(&str) -> String) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let link = line.strip_prefix('[').and_then(|link| link.split_once("]("));
        if let Some(language) = line.strip_prefix("```") {
            let code: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            steps.push(Step::Code(language, fill(&code.join("\n"))));
        } else if let Some((label, address)) = link {
            steps.push(Step::Install(label, fill(address.trim_end_matches(')'))));
        } else if !line.is_empty() {
            steps.push(Step::Say(line));
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::fmt::Write as _;

    use serde_json::{Value as Json, json};
    use toolkit_core::{Warnings, base64, percent};

    use super::{Client, PROGRAM, Step, local, remote};

    const URL: &str = "https://tools.example.org/toolkit/mcp";

    /// The text to copy, by client.
    fn written(clients: Vec<Client>) -> Vec<(&'static str, &'static str, String)> {
        let mut written = Vec::new();
        for client in clients {
            for step in client.steps {
                if let Step::Code(language, text) = step
                    && language != "text"
                {
                    written.push((client.id, language, text));
                }
            }
        }
        written
    }

    fn json_of(client: &str, url: &str) -> Json {
        let snippets = written(remote(url));
        let found = snippets.iter().find(|(id, language, _)| *id == client && *language == "json");
        serde_json::from_str(&found.unwrap().2).unwrap()
    }

    /// The servers in the links of VS Code and Cursor.
    fn linked(clients: Vec<Client>) -> [Json; 2] {
        let mut links = Vec::new();
        for step in clients.into_iter().flat_map(|client| client.steps) {
            if let Step::Install(_, link) = step {
                links.push(link);
            }
        }
        let decoded = |text: &str| {
            let scope = percent::Scope::Component;
            percent::decode(text, scope, &mut Warnings::default()).unwrap()
        };
        let vs_code = links[0].strip_prefix("vscode:mcp/install?").unwrap();
        let start = "cursor://anysphere.cursor-deeplink/mcp/install?name=toolkit&config=";
        let cursor = decoded(links[1].strip_prefix(start).unwrap());
        [
            serde_json::from_str(&decoded(vs_code)).unwrap(),
            serde_json::from_slice(&base64::decode_exact(&cursor).unwrap()).unwrap(),
        ]
    }

    #[test]
    fn the_instructions_are_read_whole_and_filled_in() {
        let clients: Vec<_> = remote(URL).into_iter().chain(local()).collect();
        assert_eq!(clients.len(), 19);
        for Client { id, name, steps } in clients {
            assert!(id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{id}");
            assert!(!name.contains(['#', '{']) && steps.len() >= 2, "{id}");
            for step in steps {
                match step {
                    Step::Say(text) => {
                        let is_sentence = text.ends_with(['.', ':']) && !text.contains('$');
                        assert!(is_sentence, "{id}: {text}");
                    }
                    Step::Install(_, text) | Step::Code(_, text) => {
                        assert!(!text.contains('$') && !text.contains("```"), "{id}: {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn everything_to_copy_names_the_server() {
        for (client, _, text) in written(remote(URL)) {
            assert!(text.contains(URL), "{client}: {text}");
        }
        for (client, _, text) in written(local()) {
            let starts_it = text.contains(PROGRAM) && text.contains("stdio");
            assert!(starts_it, "{client}: {text}");
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
        for (client, language, text) in written(remote(URL)) {
            match language {
                "json" => assert!(expected.contains_key(client), "{client}"),
                "toml" => {
                    let settings: toml::Table = text.parse().unwrap();
                    let server = &settings["mcp_servers"]["toolkit"];
                    assert_eq!(server["url"].as_str(), Some(URL));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn settings_files_of_local_clients_have_the_keys_that_their_client_reads() {
        for (client, language, text) in written(local()) {
            let server = match language {
                "json" => {
                    let settings: Json = serde_json::from_str(&text).unwrap();
                    let is_vs_code = client == "local-vs-code";
                    let root = if is_vs_code { "servers" } else { "mcpServers" };
                    settings[root]["toolkit"].clone()
                }
                "toml" => {
                    let settings: toml::Table = text.parse().unwrap();
                    serde_json::to_value(&settings["mcp_servers"]["toolkit"]).unwrap()
                }
                _ => continue,
            };
            assert_eq!(server["command"], PROGRAM, "{client}");
            assert_eq!(server["args"], json!(["stdio"]), "{client}");
        }
    }

    #[test]
    fn the_bridge_gets_the_flag_for_plain_http_alone() {
        let arguments = |url| {
            let settings = json_of("claude-desktop", url);
            settings["mcpServers"]["toolkit"]["args"].as_array().unwrap().clone()
        };
        assert!(!arguments(URL).contains(&json!("--allow-http")));
        for url in ["http://127.0.0.1:8081/toolkit/mcp", "http://tools.lan/toolkit/mcp"] {
            assert!(arguments(url).contains(&json!("--allow-http")), "{url}");
        }
    }

    #[test]
    fn install_links_carry_the_same_settings() {
        let entry = json!({"url": URL});
        let named = json!({"name": "toolkit", "type": "http", "url": URL});
        assert_eq!(linked(remote(URL)), [named, entry]);
        let arguments = json!(["stdio"]);
        let entry = json!({"command": PROGRAM, "args": arguments});
        let named =
            json!({"name": "toolkit", "type": "stdio", "command": PROGRAM, "args": arguments});
        assert_eq!(linked(local()), [named, entry]);
    }

    #[test]
    fn the_generated_instructions_of_the_mcp_document_are_the_same() {
        let mut clients = remote("http://127.0.0.1:8080/toolkit/mcp");
        clients.extend(local());
        let ids = ["claude-code", "claude-desktop", "vs-code", "cursor", "gemini-cli", "codex"];
        let mut current = String::new();
        for id in ids {
            let is_it = |client: &&Client| client.id.trim_start_matches("local-") == id;
            for client in clients.iter().filter(is_it) {
                writeln!(current, "### {}\n", client.name).unwrap();
                for step in &client.steps {
                    match step {
                        Step::Say(sentence) => writeln!(current, "{sentence}\n").unwrap(),
                        // A web page may not open a program.
                        Step::Install(..) => {}
                        Step::Code(language, text) => {
                            writeln!(current, "```{language}\n{text}\n```\n").unwrap();
                        }
                    }
                }
            }
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mcp.md");
        let document = std::fs::read_to_string(path).unwrap();
        let (begin, end) = ("<!-- clients: generated -->\n", "<!-- end of clients -->");
        let (before, rest) = document.split_once(begin).unwrap();
        let (committed, after) = rest.split_once(end).unwrap();
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, format!("{before}{begin}{current}{end}{after}")).unwrap();
            return;
        }
        assert_eq!(committed, current, "docs/mcp.md is stale; run `just bless`");
    }
}
