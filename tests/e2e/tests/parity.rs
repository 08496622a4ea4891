//! Parity: REST and MCP return the same answer to the same call.

use serde_json::{Value as Json, json};
use toolkit_core::input::Surface;
use toolkit_core::registry::TOOLS;
use toolkit_e2e::{Program, post, without_fleeting};

#[test]
fn the_same_call_returns_the_same_answer_over_rest_and_mcp() {
    let rest = Program::start("api-server", &[]).unwrap();
    let mcp = Program::start("mcp-server", &[]).unwrap();
    let mut compared = 0;
    for tool in TOOLS {
        let spec = tool.spec();
        let (Some(slug), Some(offered)) = (spec.slug, &spec.mcp) else {
            continue;
        };
        for example in spec.examples {
            let input: Json = serde_json::from_str(example.input).unwrap();
            let accepted = Surface::Mcp(offered.inputs);
            if !accepted.fit(tool.fields(), input.as_object().unwrap()) {
                continue;
            }
            let path = format!("/toolkit/api/tools/{slug}/run");
            let mut one = post(rest.address, &path, example.input).unwrap().json();
            let call = json!({
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": offered.name, "arguments": input},
            });
            let answer = post(mcp.address, "/toolkit/mcp", &call.to_string()).unwrap().json();
            let other = answer["result"]["structuredContent"].clone();
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert_eq!(serde_json::from_str::<Json>(text).unwrap(), other, "{slug}");
            assert_eq!(one["ok"], true, "{slug}: {one}");
            one.as_object_mut().unwrap().retain(|name, _| name != "ok" && name != "slug");
            // A model is shown where a match starts and ends in characters alone, of groups the texts,
            // and of cron's fields no values.
            let matches = one.pointer_mut("/result/matches");
            for found in matches.and_then(Json::as_array_mut).into_iter().flatten() {
                let members = found.as_object_mut().unwrap();
                members.retain(|name, _| !name.starts_with("byte_") && !name.starts_with("utf16_"));
                let groups = members.get_mut("groups").and_then(Json::as_array_mut);
                for group in groups.into_iter().flatten() {
                    *group = group["text"].take();
                }
            }
            let fields = one.pointer_mut("/result/fields");
            for field in fields.and_then(Json::as_object_mut).into_iter().flatten() {
                field.1.as_object_mut().unwrap().remove("values");
            }
            let (one, other) = (without_fleeting(one), without_fleeting(other));
            assert_eq!(one, other, "{slug}: {}", example.input);
            compared += 1;
        }
    }
    assert!(compared >= 8, "only {compared} examples were compared");
}
