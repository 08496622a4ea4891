//! `docs/tools.md` is generated from the list of tools; `BLESS=1` rewrites it.

use std::fmt::Write as _;
use std::{env, fs};

use serde_json::Value as Json;
use toolkit_core::input::Surface;
use toolkit_core::registry::TOOLS;
use toolkit_core::{DynTool, schema};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tools.md");

#[test]
fn the_generated_page_of_the_tools_is_up_to_date() {
    let page = page();
    if env::var_os("BLESS").is_some() {
        fs::write(FILE, &page).expect("docs/ can be written");
    }
    let there = fs::read_to_string(FILE).unwrap_or_default();
    assert!(page == there, "docs/tools.md is stale: run `just bless` and read the difference");
}

fn page() -> String {
    let mut page = String::from(
        "# Tools\n\n\
         Generated from the tools' own files: do not edit. `{slug}` is the path of a run over REST, \
         the other name is the tool over MCP.\n\n\
         | REST | MCP | |\n| --- | --- | --- |\n",
    );
    for tool in TOOLS {
        let spec = tool.spec();
        let code = |name: Option<&str>| name.map_or(String::new(), |name| format!("`{name}`"));
        let mcp = code(spec.mcp.as_ref().map(|mcp| mcp.name));
        let anchor = heading(*tool).replace('`', "").replace(", ", "-").to_lowercase();
        let slug = spec.slug.map_or(String::new(), |slug| format!("[`{slug}`](#{anchor})"));
        let mcp = if slug.is_empty() { format!("[{mcp}](#{anchor})") } else { mcp };
        writeln!(page, "| {slug} | {mcp} | {} |", spec.summary).expect("text is written to memory");
    }
    for tool in TOOLS {
        section(&mut page, *tool);
    }
    page
}

fn heading(tool: &dyn DynTool) -> String {
    let spec = tool.spec();
    let names = spec.slug.into_iter().chain(spec.mcp.as_ref().map(|mcp| mcp.name));
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn section(page: &mut String, tool: &dyn DynTool) {
    let spec = tool.spec();
    write!(page, "\n## {}\n\n{}\n\n", heading(tool), spec.summary)
        .expect("text is written to memory");
    page.push_str("| Input | Type | Default | Meaning |\n| --- | --- | --- | --- |\n");
    for (field, required) in Surface::Rest.of(tool.fields()) {
        let schema = Json::from((field.schema)());
        let default = match schema.get("default") {
            Some(default) => format!("`{default}`"),
            None if required => "required".to_owned(),
            None => String::new(),
        };
        let main = if field.name == tool.main_input() { " (also `input`)" } else { "" };
        let about = cell(&schema::one_line(field.description));
        writeln!(page, "| `{}`{main} | {} | {default} | {about} |", field.name, kind(&schema))
            .expect("text is written to memory");
    }
    if let Some(mcp) = &spec.mcp {
        let inputs: Vec<_> = mcp.inputs.iter().map(|input| format!("`{input}`")).collect();
        write!(page, "\nOver MCP: {}.\n", inputs.join(", ")).expect("text is written to memory");
    }
    let kinds: Vec<_> = spec.kinds.iter().map(|kind| format!("`{kind}`")).collect();
    write!(page, "\n`type` is {}.", kinds.join(" or ")).expect("text is written to memory");
    result(page, &tool.result_schema());
    page.push_str("\n\n```text\n");
    for example in spec.examples {
        let one_line = |json: &str| {
            serde_json::from_str::<Json>(json).expect("an example is JSON").to_string()
        };
        writeln!(page, "# {}", example.title).expect("text is written to memory");
        writeln!(page, "{}", one_line(example.input)).expect("text is written to memory");
        let answer = tool.demonstrate(example.input, Surface::Rest).expect("an example is valid");
        writeln!(page, "→ {}", one_line(&answer)).expect("text is written to memory");
    }
    page.push_str("```\n");
}

fn result(page: &mut String, schema: &Json) {
    let Some(properties) = schema.get("properties").and_then(Json::as_object) else {
        let kind = kind(schema);
        let phrase = match kind.as_str() {
            "string" => "a string",
            "array of string" => "an array of strings",
            other => other,
        };
        write!(page, " `result` is {phrase}.").expect("text is written to memory");
        return;
    };
    page.push_str(" `result` is an object:\n\n| Field | Type | Meaning |\n| --- | --- | --- |\n");
    let rows: Vec<_> = properties
        .iter()
        .map(|(name, property)| {
            let about = property.get("description").and_then(Json::as_str).unwrap_or_default();
            format!("| `{name}` | {} | {} |", kind(property), cell(&schema::one_line(about)))
        })
        .collect();
    page.push_str(&rows.join("\n"));
}

fn kind(schema: &Json) -> String {
    if let Some(word) = schema.get("const") {
        return format!("`{word}`");
    }
    if let Some(words) = schema.get("enum").and_then(Json::as_array) {
        return words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    }
    let alternatives = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Json::as_array);
    if let Some(alternatives) = alternatives {
        let are_words = alternatives.iter().all(|one| one.get("const").is_some());
        return alternatives.iter().map(kind).collect::<Vec<_>>().join(if are_words {
            ", "
        } else {
            " or "
        });
    }
    let name = match schema.get("type") {
        Some(Json::String(name)) => name.clone(),
        Some(Json::Array(names)) => {
            names.iter().filter_map(Json::as_str).collect::<Vec<_>>().join(" or ")
        }
        _ => return "any".to_owned(),
    };
    match (schema.get("minimum"), schema.get("maximum"), schema.get("items")) {
        (Some(least), Some(most), _) => format!("{name}, {least}–{most}"),
        (_, _, Some(items)) => format!("{name} of {}", kind(items)),
        _ => name,
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
