//! MCP client set-up for a server that the client starts itself, over standard input and output.

use serde_json::{Value as Json, json};
use toolkit_core::base64::{self, Alphabet};
use toolkit_core::percent::{self, Scope};

use super::clients::Step::{Code, Install, Prints, Say};
use super::clients::{Client, NAME, Step, file, shell};
use crate::pages::code::{Language, quoted};

/// Assumed path of the program. Settings files need the full path, since programs started from a
/// desktop lack the `PATH` of the shell.
const PROGRAM: &str = "/usr/local/bin/mcp-server";
const ARGUMENT: &str = "stdio";

/// All of them.
pub(super) fn all() -> Vec<Client> {
    let client = |id, name, steps| Client { id, name, steps };
    vec![
        client("local-claude-code", "Claude Code (stdio)", claude_code()),
        client(
            "local-claude-desktop",
            "Claude Desktop (stdio)",
            claude_desktop(),
        ),
        client("local-vs-code", "VS Code (stdio)", vs_code()),
        client("local-cursor", "Cursor (stdio)", cursor()),
        client("local-gemini-cli", "Gemini CLI (stdio)", gemini_cli()),
        client("local-codex", "Codex (stdio)", codex()),
        client("local-inspector", "MCP Inspector (stdio)", inspector()),
        client(
            "local-typescript-sdk",
            "TypeScript SDK (stdio)",
            typescript(),
        ),
        client("local-python-sdk", "Python SDK (stdio)", python()),
    ]
}

/// An entry of a settings file.
fn entry() -> Json {
    json!({"command": PROGRAM, "args": [ARGUMENT]})
}

fn typed_entry() -> Json {
    json!({"type": "stdio", "command": PROGRAM, "args": [ARGUMENT]})
}

fn claude_code() -> Vec<Step> {
    vec![
        Say("In a terminal, for all your projects:"),
        shell(format!(
            "claude mcp add --scope user {NAME} -- {PROGRAM} {ARGUMENT}"
        )),
        Say("Or for everyone who works on a project, in `.mcp.json` at its root:"),
        file("mcpServers", &typed_entry()),
    ]
}

fn claude_desktop() -> Vec<Step> {
    vec![
        Say(
            "Open the bundle `toolkit-….mcpb` that `just mcpb` writes: Claude Desktop asks whether to install it.",
        ),
        Say(
            "Or Settings, Developer, Edit Config opens `claude_desktop_config.json`; quit and reopen \
             Claude afterwards.",
        ),
        file("mcpServers", &entry()),
    ]
}

fn vs_code() -> Vec<Step> {
    let mut server = typed_entry();
    if let Some(members) = server.as_object_mut() {
        members.insert("name".to_owned(), NAME.into());
    }
    let link = percent::encode(&server.to_string(), Scope::Component);
    vec![
        Install("Install in VS Code", format!("vscode:mcp/install?{link}")),
        Say("The same in a terminal:"),
        shell(format!("code --add-mcp {}", quoted(&server.to_string()))),
        Say("Or in `.vscode/mcp.json` of a workspace:"),
        file("servers", &typed_entry()),
    ]
}

fn cursor() -> Vec<Step> {
    let config = base64::encode(entry().to_string().as_bytes(), Alphabet::Standard);
    let config = percent::encode(&config, Scope::Component);
    vec![
        Install(
            "Install in Cursor",
            format!("cursor://anysphere.cursor-deeplink/mcp/install?name={NAME}&config={config}"),
        ),
        Say("Or in `~/.cursor/mcp.json`, or in `.cursor/mcp.json` of a project:"),
        file("mcpServers", &entry()),
    ]
}

fn gemini_cli() -> Vec<Step> {
    vec![
        Say("In a terminal:"),
        shell(format!(
            "gemini mcp add --scope user {NAME} {PROGRAM} {ARGUMENT}"
        )),
        Say("It writes to `~/.gemini/settings.json`:"),
        file("mcpServers", &entry()),
    ]
}

fn codex() -> Vec<Step> {
    vec![
        Say("In a terminal:"),
        shell(format!("codex mcp add {NAME} -- {PROGRAM} {ARGUMENT}")),
        Say("It writes to `~/.codex/config.toml`:"),
        Code(
            Language::Toml,
            format!("[mcp_servers.{NAME}]\ncommand = \"{PROGRAM}\"\nargs = [\"{ARGUMENT}\"]"),
        ),
    ]
}

fn inspector() -> Vec<Step> {
    vec![
        Say("In a terminal, with Node.js 22.19 or newer:"),
        shell(format!(
            "npx @modelcontextprotocol/inspector --cli {PROGRAM} {ARGUMENT} --method tools/list"
        )),
    ]
}

fn typescript() -> Vec<Step> {
    let program = format!(
        "import {{ Client }} from '@modelcontextprotocol/client';\n\
         import {{ StdioClientTransport }} from '@modelcontextprotocol/client/stdio';\n\n\
         const client = new Client({{ name: 'example', version: '1.0.0' }});\n\
         const transport = new StdioClientTransport({{ command: '{PROGRAM}', args: ['{ARGUMENT}'] }});\n\
         await client.connect(transport);\n\
         const {{ structuredContent }} = await client.callTool({{\n  \
           name: 'base64_transform',\n  arguments: {{ text: 'Hi', mode: 'encode' }},\n\
         }});\n\
         console.log(structuredContent);\n\
         await client.close();"
    );
    vec![
        Say("After `npm install @modelcontextprotocol/client`:"),
        Code(Language::TypeScript, program),
        Prints("{ result: 'SGk=', type: 'base64' }"),
    ]
}

fn python() -> Vec<Step> {
    let program = format!(
        "import asyncio\n\nfrom mcp import Client, StdioServerParameters\n\n\n\
         async def main() -> None:\n    \
             server = StdioServerParameters(command=\"{PROGRAM}\", args=[\"{ARGUMENT}\"])\n    \
             async with Client(server) as client:\n        \
                 answer = await client.call_tool(\"base64_transform\", {{\"text\": \"Hi\", \"mode\": \"encode\"}})\n        \
                 print(answer.structured_content)\n\n\n\
         asyncio.run(main())"
    );
    vec![
        Say("After `pip install mcp`, version 2 or newer:"),
        Code(Language::Python, program),
        Prints("{'result': 'SGk=', 'type': 'base64'}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolkit_core::Warnings;

    fn written() -> Vec<(&'static str, Language, String)> {
        let steps = all()
            .into_iter()
            .flat_map(|client| client.steps.into_iter().map(move |step| (client.id, step)));
        steps
            .filter_map(|(id, step)| match step {
                Code(language, text) => Some((id, language, text)),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn everything_to_copy_starts_the_server() {
        for (client, _, text) in written() {
            assert!(
                text.contains(PROGRAM) && text.contains(ARGUMENT),
                "{client}: {text}"
            );
        }
    }

    #[test]
    fn settings_files_have_the_keys_that_their_client_reads() {
        for (client, language, text) in written() {
            let (command, arguments) = match language {
                Language::Json => {
                    let settings: Json = serde_json::from_str(&text).unwrap();
                    let root = if client == "local-vs-code" {
                        "servers"
                    } else {
                        "mcpServers"
                    };
                    let server = settings[root]["toolkit"].clone();
                    (server["command"].clone(), server["args"].clone())
                }
                Language::Toml => {
                    let settings: toml::Table = text.parse().unwrap();
                    let server = serde_json::to_value(&settings["mcp_servers"]["toolkit"]).unwrap();
                    (server["command"].clone(), server["args"].clone())
                }
                _ => continue,
            };
            assert_eq!(
                (command, arguments),
                (json!(PROGRAM), json!([ARGUMENT])),
                "{client}"
            );
        }
    }

    #[test]
    fn install_links_carry_the_same_settings() {
        let link = |id: &str| {
            let client = all().into_iter().find(|client| client.id == id).unwrap();
            let mut steps = client.steps.into_iter();
            steps.find_map(|step| match step {
                Install(_, link) => Some(link),
                _ => None,
            })
        };
        let decoded = |text: &str| {
            let scope = percent::Scope::Component;
            percent::decode(text, scope, &mut Warnings::default()).unwrap()
        };
        let vs_code = link("local-vs-code").unwrap();
        let server = decoded(vs_code.strip_prefix("vscode:mcp/install?").unwrap());
        let server: Json = serde_json::from_str(&server).unwrap();
        assert_eq!(server["command"], PROGRAM);
        let cursor = link("local-cursor").unwrap();
        let config = decoded(cursor.split_once("&config=").unwrap().1);
        let config = base64::decode_exact(&config).unwrap();
        assert_eq!(serde_json::from_slice::<Json>(&config).unwrap(), entry());
    }
}
