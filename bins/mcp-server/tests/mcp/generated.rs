//! Tables of README.md and docs/mcp.md, generated from the list of tools; `BLESS=1` rewrites
//! them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use serde_json::Value as Json;
use toolkit_core::input::Surface;
use toolkit_core::registry::{TOOLS, mcp_tools};

use crate::helpers::spawn;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const WRONG_CALLS: &str = include_str!("refusals.json");

/// Compares the generated part of a file, between two comments, or rewrites it.
fn compare(file: &str, part: &str, current: &str) {
    // Several tests rewrite the same file.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let path = format!("{ROOT}/{file}");
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("<!-- {part}: generated -->\n"), format!("<!-- end of {part} -->"));
    let (before, rest) = text.split_once(&begin).unwrap();
    let (committed, after) = rest.split_once(&end).unwrap();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, format!("{before}{begin}{current}{end}{after}")).unwrap();
        return;
    }
    assert_eq!(committed, current, "{file} is stale; run `just bless`");
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

#[test]
fn the_table_of_the_readme_matches_the_list_of_tools() {
    let mut table = "| Tool | MCP | |\n| --- | --- | --- |\n".to_owned();
    for tool in TOOLS {
        let spec = tool.spec();
        let slug = spec.slug.map_or(String::new(), code);
        let mcp = spec.mcp.as_ref().map_or(String::new(), |mcp| code(mcp.name));
        writeln!(table, "| {slug} | {mcp} | {} |", spec.summary).unwrap();
    }
    compare("README.md", "tools", &table);
}

#[test]
fn the_tools_of_the_mcp_page_match_the_list_of_tools() {
    let mut table =
        "| Tool | Inputs (`?` may be left out) | Runs |\n| --- | --- | --- |\n".to_owned();
    for tool in TOOLS {
        let Some(mcp) = &tool.spec().mcp else {
            continue;
        };
        let inputs: Vec<_> = mcp.inputs.iter().map(|input| code(input)).collect();
        let runs = tool.spec().slug.map_or("the generators".to_owned(), code);
        writeln!(table, "| {} | {} | {runs} |", code(mcp.name), inputs.join(", ")).unwrap();
    }
    compare("docs/mcp.md", "tools", &table);
}

/// The descriptions that a model reads.
#[test]
fn every_description_says_when_to_use_the_tool_and_the_table_matches_the_list() {
    let calls: Vec<Json> = serde_json::from_str(WRONG_CALLS).unwrap();
    let mut corrected = BTreeMap::<_, usize>::new();
    for call in &calls {
        *corrected.entry(call["tool"].as_str().unwrap()).or_default() += 1;
    }
    let mut table =
        "| Tool | Characters | Says when to use it | Shows an example | Inputs described \
                     | Wrong calls corrected in one try |\n| --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for tool in TOOLS {
        let Some(mcp) = &tool.spec().mcp else {
            continue;
        };
        let description = mcp.description;
        let says_when = description.contains("Use it") || description.contains("use it");
        let shows = description.contains("Example: ");
        let fields = Surface::Mcp(mcp.inputs).of(tool.fields());
        let described = fields.iter().filter(|(field, _)| !field.description.is_empty());
        let described = format!("{} of {}", described.count(), fields.len());
        let characters = description.chars().count();
        assert!(
            characters <= 600 && says_when && shows,
            "{}: its description needs \"Use it …\" and \"Example: \", and at most 600 characters",
            mcp.name
        );
        let count = corrected.get(mcp.name).copied().unwrap_or_default();
        assert!(
            count >= 5,
            "{}: {count} wrong calls in tests/mcp/refusals.json; give it five or more",
            mcp.name
        );
        writeln!(
            table,
            "| {} | {characters} | yes | yes | {described} | {count} |",
            code(mcp.name)
        )
        .unwrap();
    }
    compare("docs/mcp.md", "descriptions", &table);
}

/// Returns a value as code, shortened to fit a table.
fn short(value: &Json) -> String {
    let text = value.to_string();
    let shown: String = text.chars().take(48).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!("`{}{more}`", shown.replace('|', "\\|"))
}

/// Describes the values that a schema accepts.
fn accepted(schema: &serde_json::Map<String, Json>) -> String {
    if let Some(Json::Array(words)) = schema.get("enum") {
        let words: Vec<_> = words.iter().map(|word| code(word.as_str().unwrap())).collect();
        return words.join(", ");
    }
    match (schema.get("minimum"), schema.get("maximum")) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        _ if schema["type"] == "boolean" => "`true`, `false`".to_owned(),
        _ => "text".to_owned(),
    }
}

/// Each input has a set of values, a range, or an example.
#[test]
fn the_inputs_that_a_model_reads_match_the_list_of_tools() {
    let mut table = "| Tool | Input | Accepts | Example |\n| --- | --- | --- | --- |\n".to_owned();
    for (tool, mcp) in mcp_tools() {
        let examples = tool.spec().examples.iter();
        let examples: Vec<Json> =
            examples.map(|example| serde_json::from_str(example.input).unwrap()).collect();
        for (field, _) in Surface::Mcp(mcp.inputs).of(tool.fields()) {
            let example = examples.iter().find_map(|example| example.get(field.name));
            let example =
                example.unwrap_or_else(|| panic!("{}: no example has `{}`", mcp.name, field.name));
            let accepted = accepted(&(field.schema)());
            writeln!(
                table,
                "| {} | {} | {accepted} | {} |",
                code(mcp.name),
                code(field.name),
                short(example)
            )
            .unwrap();
        }
    }
    compare("docs/mcp.md", "inputs", &table);
}

#[test]
fn the_refusals_on_the_mcp_page_match_those_of_the_server() {
    let server = spawn();
    let calls: Vec<Json> = serde_json::from_str(WRONG_CALLS).unwrap();
    let mut table =
        "| Tool | Wrong inputs | What the model gets |\n| --- | --- | --- |\n".to_owned();
    for (_, mcp) in mcp_tools() {
        let wrong = calls
            .iter()
            .find(|call| call["tool"] == mcp.name)
            .unwrap_or_else(|| panic!("{}: tests/mcp/refusals.json has no wrong call", mcp.name));
        let refused = server.call(mcp.name, &wrong["arguments"]);
        let sentence = refused["content"][0]["text"].as_str().unwrap();
        writeln!(
            table,
            "| {} | {} | {} |",
            code(mcp.name),
            short(&wrong["arguments"]),
            sentence.replace('|', "\\|")
        )
        .unwrap();
    }
    compare("docs/mcp.md", "refusals", &table);
}
