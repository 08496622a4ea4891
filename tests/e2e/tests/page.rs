//! MCP documentation page: its examples and statements match the answers of `mcp-server`.
#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]

use serde_json::{Value as Json, json};
use toolkit_core::registry::{TOOLS, by_mcp_name};
use toolkit_e2e::{Program, get, post, without_fleeting};

#[test]
fn every_example_of_the_mcp_page_returns_the_printed_answer() {
    let mcp = Program::start("mcp-server", &[]).unwrap();
    let url = format!("http://{}/toolkit/mcp", mcp.address);
    let api = Program::start("api-server", &[("TOOLKIT_PUBLIC__MCP_URL", &url)]).unwrap();
    let page = get(api.address, "/toolkit/docs/mcp").unwrap().body;
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains(&url));
    let mut shown = Vec::new();
    for (call, printed) in examples(&page) {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call});
        let answer = post(mcp.address, "/toolkit/mcp", &body.to_string()).unwrap();
        let mut result = answer.json()["result"].take();
        let name = call["name"].as_str().unwrap().to_owned();
        if printed["isError"] == true {
            assert_eq!(result["content"], printed["content"], "{call}");
            assert_eq!(result["isError"], true, "{call}");
        } else {
            let given = without_fleeting(result["structuredContent"].take());
            let printed = without_fleeting(printed);
            let tool = by_mcp_name(&name).unwrap();
            if tool.spec().mcp.as_ref().unwrap().idempotent {
                assert_eq!(given, printed, "{call}");
            } else {
                assert_eq!(shape(&given), shape(&printed), "{call}");
            }
            shown.push(name);
        }
    }
    for mcp in TOOLS.iter().filter_map(|tool| tool.spec().mcp.as_ref()) {
        assert!(shown.iter().any(|name| name == mcp.name), "{}", mcp.name);
    }
}

#[test]
fn the_mcp_page_names_the_supported_revisions() {
    let mcp = Program::start("mcp-server", &[]).unwrap();
    let api = Program::start("api-server", &[]).unwrap();
    let card = get(mcp.address, "/toolkit/mcp/server-card").unwrap().json();
    let mut spoken: Vec<String> =
        serde_json::from_value(card["remotes"][0]["supportedProtocolVersions"].clone()).unwrap();
    spoken.reverse();
    let page = get(api.address, "/toolkit/docs/mcp").unwrap().body;
    let page = String::from_utf8(page).unwrap();
    let (_, fact) = page.split_once("<dt>Revisions</dt><dd>").unwrap();
    let (fact, _) = fact.split_once("</dd>").unwrap();
    let named = fact.split("</span>").filter_map(|part| part.split_once('>'));
    let named: Vec<_> = named.map(|(_, revision)| revision).collect();
    assert_eq!(named, spoken);
}

/// Returns the calls on a page, each with the answer below it.
fn examples(page: &str) -> Vec<(Json, Json)> {
    let figures = page.split("<figure class=\"example\">").skip(1);
    let examples = figures.map(|figure| {
        let mut boxes = figure.split("<code class=\"language-json\">").skip(1);
        let mut next = || {
            let text = boxes.next().unwrap().split("</code>").next().unwrap();
            let text = text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
            serde_json::from_str(&text.replace("&amp;", "&")).unwrap()
        };
        (next(), next())
    });
    examples.collect()
}

/// Returns a result without its words and numbers.
fn shape(answer: &Json) -> Json {
    match answer {
        Json::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), shape(value)));
            Json::Object(members.collect())
        }
        Json::Array(items) => items.iter().map(shape).collect(),
        Json::String(_) => json!("text"),
        Json::Number(_) => json!(0),
        Json::Bool(_) | Json::Null => answer.clone(),
    }
}
