//! `docs/openapi.json` is the document of a server with default settings; `BLESS=1` rewrites it.

use std::{env, fs};

use serde_json::Value as Json;
use toolkit_server::settings::Settings;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

#[test]
fn the_generated_document_is_up_to_date() {
    let text = toolkit_api::openapi::text(&Settings::default());
    if env::var_os("BLESS").is_some() {
        fs::write(FILE, &text).unwrap();
    }
    let there = fs::read_to_string(FILE).unwrap_or_default();
    assert!(text == there, "docs/openapi.json is stale: run `just bless` and read the difference");
}

#[test]
fn every_reference_has_a_target() {
    let text = toolkit_api::openapi::text(&Settings::default());
    let document: Json = serde_json::from_str(&text).unwrap();
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[test]
fn each_tool_of_the_service_has_a_path_with_examples() {
    let text = toolkit_api::openapi::text(&Settings::default());
    let document: Json = serde_json::from_str(&text).unwrap();
    for entry in toolkit_catalog::ENTRIES.iter().filter(|entry| entry.server_side) {
        let path = format!("/toolkit/api/tools/{}/run", entry.slug);
        let post = &document["paths"][&path]["post"];
        for body in [&post["requestBody"], &post["responses"]["200"]] {
            let content = &body["content"]["application/json"];
            assert!(content["schema"]["properties"].is_object(), "{path}");
            assert!(!content["examples"].as_object().unwrap().is_empty(), "{path}");
        }
    }
}

fn collect<'a>(value: &'a Json, references: &mut Vec<&'a str>) {
    match value {
        Json::Object(members) => {
            references.extend(members.get("$ref").and_then(Json::as_str));
            members.values().for_each(|member| collect(member, references));
        }
        Json::Array(items) => items.iter().for_each(|item| collect(item, references)),
        _ => {}
    }
}
