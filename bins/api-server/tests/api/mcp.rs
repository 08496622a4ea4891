//! MCP in the REST server, and where it is when it is elsewhere.

use reqwest::RequestBuilder;
use serde_json::json;

use crate::helpers::{Answer, App, Setup};

const PATH: &str = "/toolkit/mcp";

fn request(app: &App, path: &str) -> RequestBuilder {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "base64_transform", "arguments": {"text": "Hi", "mode": "encode"},
    }});
    app.client.post(format!("http://{}{path}", app.address)).json(&call)
}

async fn get(app: &App, path: &str) -> Answer {
    Answer::of(app.client.get(format!("http://{}{path}", app.address))).await
}

#[tokio::test]
async fn the_rest_server_answers_mcp_and_says_where() {
    let app = App::start(Setup::new(&[("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")])).await;
    let answer = Answer::of(request(&app, PATH)).await;
    assert_eq!(answer.status, 200);
    let result = &answer.json()["result"]["structuredContent"]["result"];
    assert_eq!(result, "SGk=");
    let catalog = app.get("/tools").await.json();
    let url = format!("http://{}{PATH}", app.address);
    assert_eq!(catalog["mcp"], url);
    let card = get(&app, "/.well-known/mcp.json").await;
    assert_eq!(card.json()["remotes"][0]["url"], url);
    assert_eq!(get(&app, "/llms.txt").await.status, 200);
    assert_eq!(get(&app, PATH).await.status, 405);
    let metrics = app.metrics().await;
    for count in [
        "toolkit_mcp_calls_total{tool=\"base64_transform\"",
        "toolkit_http_requests_total{method=\"POST\",route=\"/toolkit/mcp\"",
    ] {
        assert!(metrics.contains(count), "{count}: {metrics}");
    }
}

#[tokio::test]
async fn identifiers_increase_over_both_ways() {
    let app = App::start(Setup::new(&[])).await;
    let mut last = String::new();
    for _ in 0..10 {
        let input = json!({"version": "v7"});
        let over_rest = app.send("/tools/uuid-generator/run", &input).await.json();
        let over_rest = over_rest["result"][0].clone();
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "generate_id", "arguments": {"id_type": "uuid_v7"},
        }});
        let over_mcp = app.client.post(format!("http://{}{PATH}", app.address));
        let over_mcp = Answer::of(over_mcp.json(&call)).await.json();
        let over_mcp = over_mcp["result"]["structuredContent"]["result"][0].clone();
        for id in [over_rest, over_mcp] {
            let id = id.as_str().unwrap().to_owned();
            assert!(id > last, "{id} after {last}");
            last = id;
        }
    }
}

#[tokio::test]
async fn pages_and_hosts_are_admitted_by_the_rules_of_mcp_and_calls_have_their_own_limit() {
    let app = App::start(Setup::new(&[("TOOLKIT_LIMITS__MCP_BURST", "1")])).await;
    let foreign = request(&app, PATH).header("Origin", "https://evil.example");
    let foreign = Answer::of(foreign).await;
    assert_eq!(foreign.status, 403);
    assert_eq!(foreign.header("access-control-allow-origin"), None);
    let strange = request(&app, PATH).header("Host", "evil.example");
    assert_eq!(Answer::of(strange).await.status, 403);
    let ours = request(&app, PATH).header("Origin", "http://localhost:3000");
    let ours = Answer::of(ours).await;
    assert_eq!(ours.status, 200);
    let origin = ours.header("access-control-allow-origin");
    assert_eq!(origin, Some("http://localhost:3000"));
    assert_eq!(Answer::of(request(&app, PATH)).await.status, 429);
    let read = app.client.get(app.url("/tools"));
    let read = Answer::of(read.header("Origin", "https://evil.example")).await;
    assert_eq!(read.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn where_there_is_no_mcp_the_answer_names_its_address() {
    let apart = "http://127.0.0.1:8081/toolkit/mcp";
    for (name, value, address) in
        [("TOOLKIT_API__MCP", "false", apart), ("TOOLKIT_PUBLIC__MCP_URL", apart, apart)]
    {
        let app = App::start(Setup::new(&[(name, value)])).await;
        let answer = Answer::of(request(&app, PATH)).await;
        answer.refuses(404, address);
        assert_eq!(app.get("/tools").await.json()["mcp"], address);
        assert_eq!(get(&app, "/llms.txt").await.status, 404);
    }
}

#[tokio::test]
async fn everything_moves_below_the_path_of_the_base_url() {
    let base = "https://tools.example.org/dev";
    let app = App::start(Setup::new(&[("TOOLKIT_PUBLIC__BASE_URL", base)])).await;
    let catalog = app.get("/tools").await.json();
    assert_eq!(catalog["mcp"], format!("{base}{PATH}"));
    // A proxy passes the path on, or takes it off.
    for prefix in ["/dev", ""] {
        let path = format!("{prefix}{PATH}");
        assert_eq!(Answer::of(request(&app, &path)).await.status, 200);
        for path in ["/toolkit/api/tools", "/toolkit/docs", "/llms.txt", "/robots.txt"] {
            let answer = get(&app, &format!("{prefix}{path}")).await;
            assert_eq!(answer.status, 200, "{prefix}{path}");
        }
        let home = get(&app, &format!("{prefix}/toolkit/")).await.body;
        for link in ["href=\"/dev/toolkit/docs\"", "data-api=\"/dev/toolkit/api\""] {
            assert!(home.contains(link), "{link}: {home:.2000}");
        }
        assert!(!home.contains("\"/toolkit/"), "{home:.2000}");
        let moved = get(&app, &format!("{prefix}/")).await;
        assert_eq!(moved.header("location"), Some("/dev/toolkit/"));
    }
    let missing = get(&app, "/dev/toolkit/none").await;
    assert_eq!(missing.status, 404);
}
