//! `tools/list`: what a client and its model learn about the tools.

use serde_json::{Value as Json, json};
use toolkit_core::registry::mcp_tools;

use crate::helpers::{Ask, Served, spawn};

/// What the names, descriptions and inputs of all tools may have together.
const LIST_BYTES_MAX: usize = 8_800;

fn list(server: &Served) -> Vec<Json> {
    let result = server.send(&Ask::request("tools/list", &json!({}))).result();
    result["tools"].as_array().unwrap().clone()
}

/// The properties of a tool's inputs in the body of a list.
fn written<'a>(body: &'a str, tool: &str) -> &'a str {
    let (_, definition) = body.split_once(&format!("\"name\":\"{tool}\"")).unwrap();
    let (inputs, _) = definition.split_once("\"outputSchema\"").unwrap();
    inputs.split_once("\"properties\":").unwrap().1
}

#[test]
fn each_tool_accepts_exactly_its_inputs_in_their_order() {
    let server = spawn();
    let body = server.send(&Ask::request("tools/list", &json!({}))).text().to_owned();
    let tools = list(&server);
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, mcp_tools().map(|(_, mcp)| mcp.name).collect::<Vec<_>>());
    for (tool, (_, mcp)) in tools.iter().zip(mcp_tools()) {
        let (schema, name) = (&tool["inputSchema"], mcp.name);
        let bare: Vec<_> = mcp.inputs.iter().map(|input| input.trim_end_matches('?')).collect();
        // As written: a parsed object is sorted.
        let places: Vec<_> = bare
            .iter()
            .map(|input| written(&body, name).find(&format!("\"{input}\":{{")))
            .collect();
        assert!(places.is_sorted() && places[0].is_some(), "{name}: {places:?}");
        assert_eq!(schema["properties"].as_object().unwrap().len(), bare.len(), "{name}");
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let needed: Vec<_> = mcp.inputs.iter().filter(|input| !input.ends_with('?')).collect();
        assert_eq!(json!(required), json!(needed), "{name}");
        assert_eq!(schema["additionalProperties"], false, "{name}");
        assert_eq!(schema["type"], "object");
    }
}

#[test]
fn each_input_has_one_scalar_type_and_a_description() {
    let server = spawn();
    for tool in list(&server) {
        for (name, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
            let kind = property["type"].as_str().unwrap();
            assert!(["string", "integer", "boolean"].contains(&kind), "{name}: {kind}");
            assert!(property["description"].as_str().unwrap().ends_with('.'), "{name}");
        }
    }
}

/// Calls a function with each schema in a schema, and its place.
fn walk(schema: &Json, place: &str, seen: &mut impl FnMut(&Json, &str)) {
    seen(schema, place);
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        walk(property, &format!("{place}.{name}"), seen);
    }
    for alternative in schema["anyOf"].as_array().into_iter().flatten() {
        walk(alternative, place, seen);
    }
    for inner in ["items", "additionalProperties"] {
        if schema[inner].is_object() {
            walk(&schema[inner], &format!("{place}[]"), seen);
        }
    }
}

#[test]
fn no_schema_uses_a_feature_that_some_client_refuses() {
    let server = spawn();
    for tool in list(&server) {
        for schema in ["inputSchema", "outputSchema"] {
            let mut refuse = |part: &Json, place: &str| {
                for keyword in [
                    "$ref",
                    "$defs",
                    "$schema",
                    "oneOf",
                    "allOf",
                    "not",
                    "format",
                    "nullable",
                    "exclusiveMinimum",
                    "exclusiveMaximum",
                ] {
                    assert!(part.get(keyword).is_none(), "{place}: {keyword}");
                }
                let is_union = part.get("anyOf").is_some();
                assert!(!is_union || schema == "outputSchema", "{place}");
                assert!(part["type"] != "array" || part["items"].is_object(), "{place}");
            };
            walk(&tool[schema], &format!("{}.{schema}", tool["name"]), &mut refuse);
        }
    }
}

#[test]
fn each_part_of_an_answer_has_one_type_or_alternatives_with_one_each() {
    let server = spawn();
    let mut count = 0;
    for tool in list(&server) {
        let mut check = |part: &Json, place: &str| {
            count += 1;
            let alternatives = part["anyOf"].as_array();
            assert!(part["type"].is_string() != alternatives.is_some(), "{place}: {part}");
            assert!(alternatives.is_none_or(|them| them.len() == 2), "{place}: {part}");
        };
        walk(&tool["outputSchema"], tool["name"].as_str().unwrap(), &mut check);
    }
    assert!(count > 103, "{count}");
}

#[test]
fn the_words_of_each_input_are_explained() {
    let server = spawn();
    for tool in list(&server) {
        for (name, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
            let description = property["description"].as_str().unwrap();
            for word in property["enum"].as_array().into_iter().flatten() {
                let word = format!("`{}`", word.as_str().unwrap());
                assert!(description.contains(&word), "{name}: {description}: {word}");
            }
        }
    }
}

#[test]
fn each_tool_says_when_to_use_it_and_shows_an_example() {
    let server = spawn();
    for tool in list(&server) {
        let (title, description) =
            (tool["title"].as_str().unwrap(), tool["description"].as_str().unwrap());
        assert!(title.len() > 5 && title.len() < 40, "{title}");
        assert!(description.contains("Example: "), "{description}");
        let (_, not) = description.split_once("ot for ").expect(description);
        let mut others = mcp_tools().map(|(_, mcp)| mcp.name).filter(|name| tool["name"] != *name);
        assert!(others.any(|other| not.contains(other)), "{description}");
        assert!(description.len() <= 600, "{} bytes: {description}", description.len());
        assert!(!description.contains("  "), "{description}");
    }
}

#[test]
fn the_whole_list_is_short() {
    let server = spawn();
    let reply = server.send(&Ask::request("tools/list", &json!({})));
    let bytes = reply.body.len();
    assert!(bytes <= 22 << 10, "{bytes} bytes");
    // What a client gives its model on every turn.
    let text = |value: &Json| value.as_str().unwrap().len();
    let shown: usize = list(&server)
        .iter()
        .map(|tool| {
            text(&tool["name"]) + text(&tool["description"]) + tool["inputSchema"].to_string().len()
        })
        .sum();
    assert!(shown <= LIST_BYTES_MAX, "{shown} bytes: shorten descriptions to {LIST_BYTES_MAX}");
}

#[test]
fn the_hints_of_each_tool_are_true() {
    let server = spawn();
    for tool in list(&server) {
        let name = tool["name"].as_str().unwrap();
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], true);
        assert_eq!(hints["destructiveHint"], false);
        assert_eq!(hints["openWorldHint"], false);
        let repeatable = !["generate_id", "unix_timestamp"].contains(&name);
        assert_eq!(hints["idempotentHint"], repeatable, "{name}");
    }
}

#[test]
fn each_answer_is_described() {
    let server = spawn();
    for tool in list(&server) {
        let schema = &tool["outputSchema"];
        let properties = schema["properties"].as_object().unwrap();
        assert!(properties["type"]["enum"].is_array());
        assert!(properties.contains_key("result") && properties.contains_key("warnings"));
        let is_list = properties["result"]["type"] == "array";
        assert_eq!(properties.contains_key("count"), is_list, "{}", tool["name"]);
    }
}

#[test]
fn anyone_may_cache_the_list_for_an_hour() {
    let server = spawn();
    let result = server.send(&Ask::stateless("tools/list", json!({}))).result();
    assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(3_600_000), &json!("public")));
    assert_eq!(result["tools"].as_array().unwrap(), &list(&server));
    assert!(result.get("nextCursor").is_none());
}

#[test]
fn two_lists_are_the_same_bytes() {
    let server = spawn();
    let ask = Ask::request("tools/list", &json!({}));
    assert_eq!(server.send(&ask).body, server.send(&ask).body);
}

#[test]
fn there_is_only_one_page() {
    let server = spawn();
    let reply = server.send(&Ask::request("tools/list", &json!({"cursor": "2"})));
    let (code, message) = reply.error();
    assert_eq!(code, -32602);
    assert_eq!(message, "There is only one page of tools. Leave `cursor` out.");
}

#[test]
fn the_generated_definition_of_each_tool_matches_its_snapshot() {
    let server = spawn();
    for tool in list(&server) {
        let name = tool["name"].as_str().unwrap().to_owned();
        insta::assert_json_snapshot!(name, tool);
    }
}
