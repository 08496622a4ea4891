//! Catalog: entries, both paths, caching and compression.

use serde_json::{Value as Json, json};
use toolkit_catalog::{Category, ENTRIES};

use crate::helpers::{Answer, App, Setup};

const PATHS: [&str; 2] = ["/tools", "/tools.json"];

async fn get(app: &App, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = app.client.get(app.url(path));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Answer::of(request).await
}

#[tokio::test]
async fn both_paths_return_every_tool_in_the_same_bytes() {
    let variables = [
        ("TOOLKIT_PUBLIC__WEB_BASE_URL", "https://web.example.org/toolkit"),
        ("TOOLKIT_PUBLIC__MCP_URL", "https://mcp.example.org/toolkit/mcp"),
    ];
    let app = App::start(Setup::new(&variables)).await;
    let [one, other] = [get(&app, PATHS[0], &[]).await, get(&app, PATHS[1], &[]).await];
    assert_eq!((one.status, other.status), (200, 200));
    assert_eq!(one.body, other.body);
    assert_eq!(one.header("content-type"), Some("application/json"));
    let catalog = one.json();
    let members: Vec<_> = catalog.as_object().unwrap().keys().collect();
    assert_eq!(members, ["categories", "count", "docs", "mcp", "tools"]);
    assert_eq!(catalog["count"], json!(ENTRIES.len()));
    assert_eq!(catalog["categories"], json!(Category::ALL));
    assert_eq!(catalog["mcp"], "https://mcp.example.org/toolkit/mcp");
    assert_eq!(catalog["docs"], "https://web.example.org/toolkit/docs/mcp");
    let slugs: Vec<_> = catalog["tools"].as_array().unwrap().iter().map(slug).collect();
    assert!(slugs.into_iter().eq(ENTRIES.iter().map(|entry| entry.slug)));
}

/// Returns the slug of an entry, which must have exactly the documented members.
fn slug(entry: &Json) -> &str {
    let members: Vec<_> = entry.as_object().unwrap().keys().collect();
    let documented = ["category", "description", "name", "serverSide", "slug"];
    assert_eq!(members, documented, "{entry}");
    entry["slug"].as_str().unwrap()
}

#[tokio::test]
async fn a_client_with_the_current_etag_gets_304_without_a_body() {
    let app = App::start(Setup::default()).await;
    for path in PATHS {
        let fresh = get(&app, path, &[]).await;
        let etag = fresh.header("etag").unwrap();
        assert!(etag.starts_with('"'), "a strong validator: {etag}");
        assert!(fresh.header("cache-control").unwrap().contains("max-age="));
        let known = get(&app, path, &[("If-None-Match", etag)]).await;
        assert_eq!((known.status, known.body.as_str()), (304, ""), "{path}");
        assert_eq!(known.header("etag"), Some(etag));
        let stale = get(&app, path, &[("If-None-Match", "\"stale\"")]).await;
        assert_eq!((stale.status, stale.body), (200, fresh.body), "{path}");
    }
}

#[tokio::test]
async fn it_is_compressed_on_request_and_each_encoding_has_its_own_etag() {
    let app = App::start(Setup::default()).await;
    let plain = get(&app, PATHS[0], &[]).await;
    assert_eq!(plain.header("content-encoding"), None);
    assert_eq!(plain.header("vary"), Some("Accept-Encoding"));
    let mut validators = vec![plain.header("etag").unwrap().to_owned()];
    for encoding in ["gzip", "br"] {
        let request = app.client.get(app.url(PATHS[0]));
        let request = request.header("Accept-Encoding", encoding);
        let response = request.send().await.unwrap();
        let headers = response.headers();
        assert_eq!(headers["content-encoding"], encoding);
        assert_eq!(headers["vary"], "Accept-Encoding");
        let etag = headers["etag"].to_str().unwrap().to_owned();
        let compressed = response.bytes().await.unwrap();
        assert!(compressed.len() < plain.body.len() / 2, "{}", compressed.len());
        let known = [("Accept-Encoding", encoding), ("If-None-Match", &etag)];
        let known = get(&app, PATHS[0], &known).await;
        assert_eq!(known.status, 304, "{encoding}");
        // Without compression the body is a different one.
        let changed = get(&app, PATHS[0], &[("If-None-Match", &etag)]).await;
        assert_eq!(changed.status, 200, "{encoding}");
        validators.push(etag);
    }
    validators.dedup();
    assert_eq!(validators.len(), 3, "{validators:?}");
}

#[tokio::test]
async fn head_returns_the_headers_of_get_and_other_methods_are_refused() {
    let app = App::start(Setup::default()).await;
    for path in PATHS.into_iter().chain(["/flags", "/health"]) {
        let whole = get(&app, path, &[]).await;
        let head = Answer::of(app.client.head(app.url(path))).await;
        assert_eq!((head.status, head.body.as_str()), (200, ""), "{path}");
        assert_eq!(head.header("content-type"), whole.header("content-type"));
        assert_eq!(head.header("etag"), whole.header("etag"), "{path}");
        for request in [app.post(path), app.client.delete(app.url(path))] {
            let refused = Answer::of(request).await;
            refused.refuses(405, "GET, HEAD");
            assert_eq!(refused.header("allow"), Some("GET, HEAD"), "{path}");
        }
    }
}
