//! The documentation of the MCP server, made from the list of its tools.

use maud::{Markup, html};
use serde_json::{Value as Json, json};
use toolkit_core::input::Accepted;
use toolkit_core::registry::TOOLS;
use toolkit_core::{DynTool, Mcp, schema};

use super::layout::{code, json, page};
use super::schema::properties;

/// Makes the page. `style` is the path of the stylesheet, `rest_page` that of the REST API's page.
pub(crate) fn render(mcp_url: &str, style: &str, rest_page: &str) -> Markup {
    let offered: Vec<_> = TOOLS
        .iter()
        .filter_map(|tool| Some((*tool, tool.spec().mcp.as_ref()?)))
        .collect();
    let content = html! {
        h1 { "Toolkit over MCP" }
        p {
            "A remote MCP server with " (offered.len()) " deterministic developer tools. No key is needed. \
             Nothing is stored, and nothing is fetched."
        }
        p { "Address (Streamable HTTP): " code { (mcp_url) } }
        p { "The same tools over REST: " a href=(rest_page) { "Toolkit API" } "." }
        nav aria-label="Sections" {
            ul {
                li { a href="#setup" { "Set it up" } }
                li { a href="#answers" { "Answers, refusals and limits" } }
                @for (_, mcp) in &offered {
                    li { a href={ "#" (mcp.name) } { code { (mcp.name) } } }
                }
            }
        }
        (setup(mcp_url))
        (answers())
        @for (tool, mcp) in &offered { (section(*tool, mcp)) }
    };
    page("Toolkit over MCP", style, &content)
}

/// How the usual clients are told of the server.
fn setup(url: &str) -> Markup {
    let file = |root: &str, entry: Json| json!({root: {"toolkit": entry}});
    let python = format!(
        "import asyncio\nfrom mcp import Client\n\nasync def main():\n    async with Client(\"{url}\") as client:\n        \
         answer = await client.call_tool(\"generate_id\", {{\"id_type\": \"ulid\"}})\n        \
         print(answer.structured_content)\n\nasyncio.run(main())"
    );
    let typescript = format!(
        "import {{ Client }} from '@modelcontextprotocol/sdk/client/index.js';\n\
         import {{ StreamableHTTPClientTransport }} from '@modelcontextprotocol/sdk/client/streamableHttp.js';\n\n\
         const client = new Client({{ name: 'example', version: '1.0.0' }});\n\
         await client.connect(new StreamableHTTPClientTransport(new URL('{url}')));\n\
         const answer = await client.callTool({{ name: 'generate_id', arguments: {{ id_type: 'ulid' }} }});\n\
         console.log(answer.structuredContent);\nawait client.close();"
    );
    html! {
        section aria-labelledby="setup" {
            h2 id="setup" { "Set it up" }
            h3 { "Claude Code" }
            (code(&format!("claude mcp add --transport http toolkit {url}")))
            h3 { "Claude Desktop" }
            p {
                "Settings, Connectors, Add custom connector, with the address above; it must be reachable from \
                 the internet. For a server on this machine, in " code { "claude_desktop_config.json" } ":"
            }
            (json(&file("mcpServers", json!({"command": "npx", "args": ["-y", "mcp-remote", url]}))))
            h3 { "VS Code" }
            p { "In " code { ".vscode/mcp.json" } ":" }
            (json(&file("servers", json!({"type": "http", "url": url}))))
            h3 { "Cursor" }
            p { "In " code { "~/.cursor/mcp.json" } " or " code { ".cursor/mcp.json" } ":" }
            (json(&file("mcpServers", json!({"url": url}))))
            h3 { "Gemini CLI" }
            (code(&format!("gemini mcp add --transport http toolkit {url}")))
            h3 { "Codex" }
            p { "In " code { "~/.codex/config.toml" } ":" }
            (code(&format!("[mcp_servers.toolkit]\nurl = \"{url}\"")))
            h3 { "MCP Inspector" }
            (code(&format!("npx @modelcontextprotocol/inspector --cli {url} --transport http --method tools/list")))
            h3 { "TypeScript SDK" }
            (code(&typescript))
            h3 { "Python SDK" }
            (code(&python))
            h3 { "By hand" }
            (code(&format!(
                "curl -s {url} -H 'Content-Type: application/json' -d '{{\"jsonrpc\":\"2.0\",\"id\":1,\
                 \"method\":\"tools/call\",\"params\":{{\"name\":\"generate_id\",\"arguments\":{{\"id_type\":\"ulid\"}}}}}}'"
            )))
        }
    }
}

fn answers() -> Markup {
    html! {
        section aria-labelledby="answers" {
            h2 id="answers" { "Answers, refusals and limits" }
            ul {
                li {
                    "An answer is " code { "structuredContent" } " with " code { "result" } ", " code { "type" } ", "
                    code { "count" } " beside arrays and " code { "warnings" } " where something was assumed; the same \
                     JSON is there as text."
                }
                li {
                    "An input that a tool refuses is a result with " code { "isError" } ": its text says what to change. \
                     An unknown tool is the error -32602."
                }
                li { "Revisions: 2026-07-28, 2025-11-25, 2025-06-18 and 2025-03-26. There are no sessions and no streams." }
                li {
                    "A request is at most 1 MiB, and calls are limited for each client address: 429 with "
                    code { "Retry-After" } ". An operator can set both otherwise."
                }
            }
        }
    }
}

fn section(tool: &dyn DynTool, mcp: &Mcp) -> Markup {
    let mut input = schema::input(tool, Accepted::Only(mcp.inputs));
    schema::portable_input(&mut input);
    let taken: Vec<_> = mcp
        .inputs
        .iter()
        .map(|input| input.trim_end_matches('?'))
        .collect();
    let examples = tool.spec().examples.iter().filter_map(|example| {
        let input: Json = serde_json::from_str(example.input).ok()?;
        let answer: Json = serde_json::from_str(example.answer).ok()?;
        let fits = input
            .as_object()?
            .keys()
            .all(|name| taken.contains(&name.as_str()));
        fits.then_some((example.title, input, answer))
    });
    html! {
        section aria-labelledby=(mcp.name) {
            h2 id=(mcp.name) { code { (mcp.name) } ": " (mcp.title) }
            p { (schema::one_line(mcp.description)) }
            h3 { "Takes" }
            (properties(&input))
            h3 { "Answers" }
            (properties(&schema::answer(tool)))
            @for (title, input, answer) in examples {
                p.soft { (title) }
                (json(&json!({"name": mcp.name, "arguments": input})))
                (json(&answer))
            }
        }
    }
}
