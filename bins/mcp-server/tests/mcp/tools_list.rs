//! `tools/list`: what a client and its model learn about the tools.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::helpers::{Ask, Served, spawn};

/// The tools with their inputs, as documented.
const TOOLS: [(&str, &[&str]); 9] = [
    ("base64_transform", &["text", "mode", "url_safe?"]),
    (
        "format_data",
        &["text", "from_format", "to_format?", "action?", "indent?"],
    ),
    ("hash_text", &["text", "algorithm", "key?", "encoding?"]),
    ("decode_jwt", &["token"]),
    ("generate_id", &["id_type", "count?"]),
    ("regex_test", &["pattern", "text", "flags?", "replacement?"]),
    ("unix_timestamp", &["value?"]),
    ("cron_explain", &["expression"]),
    ("cidr_info", &["cidr"]),
];

fn list(server: &Served) -> Vec<Json> {
    let result = server
        .send(&Ask::request("tools/list", &json!({})))
        .result();
    result["tools"].as_array().unwrap().clone()
}

#[test]
fn there_are_nine_tools_in_the_documented_order() {
    let server = spawn();
    let names: Vec<_> = list(&server)
        .iter()
        .map(|tool| tool["name"].clone())
        .collect();
    assert_eq!(names, TOOLS.map(|(name, _)| json!(name)));
}

#[test]
fn each_tool_accepts_exactly_the_documented_inputs() {
    let server = spawn();
    for (tool, (name, inputs)) in list(&server).iter().zip(TOOLS) {
        let schema = &tool["inputSchema"];
        let known: BTreeSet<_> = schema["properties"].as_object().unwrap().keys().collect();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let bare = inputs
            .iter()
            .map(|input| input.trim_end_matches('?').to_owned());
        assert_eq!(
            known,
            bare.collect::<BTreeSet<_>>().iter().collect(),
            "{name}"
        );
        let needed: Vec<_> = inputs
            .iter()
            .filter(|input| !input.ends_with('?'))
            .collect();
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
            assert!(
                ["string", "integer", "boolean"].contains(&kind),
                "{name}: {kind}"
            );
            assert!(
                property["description"].as_str().unwrap().ends_with('.'),
                "{name}"
            );
        }
    }
}

#[test]
fn no_schema_uses_a_feature_that_some_client_refuses() {
    fn walk(schema: &Json, place: &str) {
        for keyword in [
            "$ref",
            "$defs",
            "$schema",
            "oneOf",
            "anyOf",
            "allOf",
            "not",
            "format",
            "nullable",
            "exclusiveMinimum",
            "exclusiveMaximum",
        ] {
            assert!(schema.get(keyword).is_none(), "{place}: {keyword}");
        }
        assert!(!schema["type"].is_array(), "{place}");
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            walk(property, &format!("{place}.{name}"));
        }
        if schema["type"] == "array" {
            assert!(
                schema["items"].is_object(),
                "{place}: an array without items"
            );
        }
        if let Some(items) = schema.get("items") {
            walk(items, &format!("{place}[]"));
        }
    }
    let server = spawn();
    for tool in list(&server) {
        for schema in ["inputSchema", "outputSchema"] {
            walk(&tool[schema], &format!("{}.{schema}", tool["name"]));
        }
    }
}

#[test]
fn each_tool_says_when_to_use_it_and_shows_an_example() {
    let server = spawn();
    for tool in list(&server) {
        let (title, description) = (
            tool["title"].as_str().unwrap(),
            tool["description"].as_str().unwrap(),
        );
        assert!(title.len() > 5 && title.len() < 40, "{title}");
        assert!(description.contains("Example: "), "{description}");
        assert!(
            description.len() <= 600,
            "{} bytes: {description}",
            description.len()
        );
        assert!(!description.contains("  "), "{description}");
    }
}

#[test]
fn the_whole_list_is_short() {
    let server = spawn();
    let reply = server.send(&Ask::request("tools/list", &json!({})));
    let bytes = reply.body.len();
    assert!(bytes <= 20 << 10, "{bytes} bytes");
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
        assert_eq!(
            properties.contains_key("count"),
            is_list,
            "{}",
            tool["name"]
        );
    }
}

#[test]
fn anyone_may_cache_the_list_for_an_hour() {
    let server = spawn();
    let result = server
        .send(&Ask::stateless("tools/list", json!({})))
        .result();
    assert_eq!(
        (&result["ttlMs"], &result["cacheScope"]),
        (&json!(3_600_000), &json!("public"))
    );
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
    assert_eq!(
        message,
        "There is only one page of tools; leave `cursor` out."
    );
}

#[test]
fn the_definition_of_each_tool_matches_its_snapshot() {
    let server = spawn();
    for tool in list(&server) {
        let name = tool["name"].as_str().unwrap().to_owned();
        insta::assert_json_snapshot!(name, tool);
    }
}
