//! Tool runs: answers, unknown and browser-only tools, and refused bodies.

use serde_json::{Value as Json, json};
use toolkit_catalog::ENTRIES;

use crate::helpers::{Answer, App, Setup};

/// Starts a server without a limit on runs.
async fn start() -> App {
    let variables = [
        ("TOOLKIT_LIMITS__RUN_PER_MINUTE", "0"),
        ("TOOLKIT_PUBLIC__WEB_BASE_URL", "https://web.example.org/toolkit"),
        ("TOOLKIT_HTTP__BODY_LIMIT_BYTES", "2048"),
    ];
    App::start(Setup::new(&variables)).await
}

fn path(slug: &str) -> String {
    format!("/tools/{slug}/run")
}

async fn run(app: &App, slug: &str, body: &Json) -> Answer {
    Answer::of(app.post(&path(slug)).json(body)).await
}

#[tokio::test]
async fn a_missing_body_is_the_same_as_an_empty_object() {
    let app = start().await;
    let bare = Answer::of(app.post(&path("uuid-generator"))).await;
    let empty = run(&app, "uuid-generator", &json!({})).await;
    for answer in [bare, empty] {
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(
            (&answer.json()["type"], &answer.json()["count"]),
            (&json!("uuid-v4"), &json!(1))
        );
    }
}

#[tokio::test]
async fn an_unknown_tool_is_404_and_its_name_is_shown_escaped() {
    let app = start().await;
    for (slug, shown) in [
        ("no-such-tool", "`no-such-tool`"),
        ("Base64-Encoder", "`Base64-Encoder`"),
        ("a%22%0Ab", r#"`a"\nb`"#),
    ] {
        let answer = run(&app, slug, &json!({})).await;
        answer.refuses(404, &format!("Unknown tool {shown}."));
        answer.refuses(404, "GET /toolkit/api/tools lists all tools");
    }
}

#[tokio::test]
async fn every_browser_only_tool_is_501_and_names_its_page() {
    let app = start().await;
    for entry in ENTRIES.iter().filter(|entry| !entry.server_side) {
        let answer = run(&app, entry.slug, &json!({})).await;
        let page = format!("https://web.example.org/toolkit/tools/{}", entry.slug);
        answer.refuses(501, &page);
    }
}

#[tokio::test]
async fn paths_near_a_run_are_404_and_methods_other_than_post_405() {
    let app = start().await;
    for path in ["/tools/", "/tools/base64-encoder", "/tools//run", "/tools/a/b/run", "/nothing"] {
        let answer = Answer::of(app.post(path).json(&json!({}))).await;
        answer.refuses(404, "No such path");
    }
    let address = app.url(&path("base64-encoder"));
    for request in [app.client.get(&address), app.client.put(&address)] {
        let refused = Answer::of(request).await;
        refused.refuses(405, "POST");
        assert_eq!(refused.header("allow"), Some("POST"));
    }
}

#[tokio::test]
async fn a_body_that_is_not_json_of_the_right_size_is_refused() {
    let app = start().await;
    let post = |media_type: Option<&str>, body: String| {
        let request = app.post(&path("base64-encoder")).body(body);
        Answer::of(match media_type {
            Some(media_type) => request.header("Content-Type", media_type),
            None => request,
        })
    };
    let fine = r#"{"text": "a"}"#.to_owned();
    for media_type in ["application/json", "Application/LD+JSON; charset=utf-8"] {
        assert_eq!(post(Some(media_type), fine.clone()).await.status, 200, "{media_type}");
    }
    for media_type in [Some("text/plain"), Some("application/jsonp"), None] {
        let answer = post(media_type, fine.clone()).await;
        answer.refuses(415, "`Content-Type: application/json`");
    }
    let long = format!(r#"{{"text": "{}"}}"#, "a".repeat(2_048));
    post(Some("application/json"), long).await.refuses(413, "2048 bytes");
    for (body, words) in [
        ("{\"text\": \"a\",\n \"mode\" 1}", "line 2, column 9: the body is not valid JSON"),
        ("[]", "must be a JSON object"),
        (r#"{"txet": "a"}"#, "Unknown input `txet`"),
        (r#"{"text": 5}"#, "`text` must be a string"),
        (r#"{"mode": "encode"}"#, "`text` is required"),
        (r#"{"text": "a", "input": "a"}"#, "`text` is given twice"),
        (r#"{"text": "a", "mode": "x"}"#, "Use one of encode, decode"),
    ] {
        post(Some("application/json"), body.to_owned()).await.refuses(422, words);
    }
}
