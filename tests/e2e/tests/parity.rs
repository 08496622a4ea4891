//! Parity: an example of a tool has the same answer over REST, over MCP in the revisions with and
//! without a handshake, and on the MCP page.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by a panic")]

use serde_json::{Value as Json, json};
use toolkit_core::input::Surface;
use toolkit_core::registry::TOOLS;
use toolkit_e2e::{Program, Request, get, post};

/// Members that depend on the time of a call.
const FLEETING: [&str; 3] = ["relative", "expires_in_seconds", "next_runs"];

#[test]
fn every_example_has_the_same_answer_over_rest_and_mcp_and_on_the_mcp_page() {
    let mcp = Program::start("mcp-server", &[]).unwrap();
    let url = format!("http://{}/toolkit/mcp", mcp.address);
    let rest = Program::start("api-server", &[("TOOLKIT_PUBLIC__MCP_URL", &url)]).unwrap();
    let page = String::from_utf8(get(rest.address, "/toolkit/docs/mcp").unwrap().body).unwrap();
    assert!(page.contains(&url));
    let printed = examples(&page);
    let mut compared = 0;
    for tool in TOOLS {
        let spec = tool.spec();
        for example in spec.examples {
            let input: Json = serde_json::from_str(example.input).unwrap();
            let answer = spec.slug.map(|slug| run(&rest, slug, example.input));
            let answer = answer.map(|answer| without_fleeting(as_over_mcp(answer)));
            let Some(offered) = &spec.mcp else {
                continue;
            };
            if !Surface::Mcp(offered.inputs).fit(tool.fields(), input.as_object().unwrap()) {
                continue;
            }
            let alike = |answer: Json| {
                let answer = without_fleeting(answer);
                if offered.idempotent { answer } else { shape(&answer) }
            };
            let params = json!({"name": offered.name, "arguments": input});
            let shown = printed.iter().find(|(call, _)| *call == params);
            let shown = alike(shown.unwrap_or_else(|| panic!("{params}")).1.clone());
            for is_stateless in [false, true] {
                let result = call(&mcp, params.clone(), is_stateless);
                assert_eq!(result["isError"], false, "{params}: {result}");
                assert_eq!(result["content"].as_array().unwrap().len(), 1, "{params}");
                let text = result["content"][0]["text"].as_str().unwrap();
                let structured = &result["structuredContent"];
                assert_eq!(serde_json::from_str::<Json>(text).unwrap(), *structured, "{params}");
                assert_eq!(alike(structured.clone()), shown, "{params}");
                if let Some(answer) = &answer {
                    assert_eq!(without_fleeting(structured.clone()), *answer, "{params}");
                }
            }
            compared += 1;
        }
    }
    assert!(compared > 20 && compared == printed.len() - 1, "{compared} of {}", printed.len());
    let (params, refused) = printed.iter().find(|(_, answer)| answer["isError"] == true).unwrap();
    assert_eq!(call(&mcp, params.clone(), false), *refused);
}

/// Runs a tool over REST.
fn run(rest: &Program, slug: &str, input: &str) -> Json {
    let answer = post(rest.address, &format!("/toolkit/api/tools/{slug}/run"), input).unwrap();
    let mut body = answer.json();
    assert_eq!((answer.status, &body["ok"], &body["slug"]), (200, &json!(true), &json!(slug)));
    body.as_object_mut().unwrap().retain(|name, _| name != "ok" && name != "slug");
    body
}

/// The answer over REST without what a model is not shown: where a match starts and ends in other
/// units than characters, groups beyond their texts, and cron's fields.
fn as_over_mcp(mut answer: Json) -> Json {
    let matches = answer.pointer_mut("/result/matches");
    for found in matches.and_then(Json::as_array_mut).into_iter().flatten() {
        let members = found.as_object_mut().unwrap();
        members.retain(|name, _| !name.starts_with("byte_") && !name.starts_with("utf16_"));
        for group in members.get_mut("groups").and_then(Json::as_array_mut).into_iter().flatten() {
            *group = group["text"].take();
        }
    }
    answer["result"].as_object_mut().and_then(|result| result.remove("fields"));
    answer
}

/// Calls a tool over MCP, and returns the result without the type that the newest revision adds.
fn call(mcp: &Program, mut params: Json, is_stateless: bool) -> Json {
    let name = params["name"].as_str().unwrap().to_owned();
    let revision = if is_stateless { "2026-07-28" } else { "2025-11-25" };
    if is_stateless {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let mut request = Request::post("/toolkit/mcp", &body.to_string())
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", revision);
    if is_stateless {
        request = request.header("Mcp-Method", "tools/call").header("Mcp-Name", &name);
    }
    let mut result = request.send(mcp.address).unwrap().json()["result"].take();
    let kind = result.as_object_mut().unwrap().remove("resultType");
    assert_eq!(kind, is_stateless.then(|| json!("complete")));
    result
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

/// Returns an answer without the members that depend on the time of the call.
fn without_fleeting(mut answer: Json) -> Json {
    if let Some(result) = answer.get_mut("result").and_then(Json::as_object_mut) {
        if result.get("detected") == Some(&"now".into()) {
            result.clear();
        }
        result.retain(|name, _| !FLEETING.contains(&name.as_str()));
    }
    answer
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

#[test]
fn the_mcp_page_names_the_supported_revisions() {
    let mcp = Program::start("mcp-server", &[]).unwrap();
    let api = Program::start("api-server", &[]).unwrap();
    let card = get(mcp.address, "/toolkit/mcp/server-card").unwrap().json();
    let mut spoken: Vec<String> =
        serde_json::from_value(card["remotes"][0]["supportedProtocolVersions"].clone()).unwrap();
    spoken.reverse();
    let page = String::from_utf8(get(api.address, "/toolkit/docs/mcp").unwrap().body).unwrap();
    let (_, fact) = page.split_once("<dt>Revisions</dt><dd>").unwrap();
    let (fact, _) = fact.split_once("</dd>").unwrap();
    let named = fact.split("</span>").filter_map(|part| part.split_once('>'));
    let named: Vec<_> = named.map(|(_, revision)| revision).collect();
    assert_eq!(named, spoken);
}
