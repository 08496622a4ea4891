//! Web pages: addresses, headers, versions, and what a page loads.

use std::collections::BTreeSet;

use toolkit_catalog::ENTRIES;

use crate::helpers::{Answer, App, Setup};

pub(crate) const BROWSER_TOOL: &str = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; \
     img-src data: blob:; connect-src 'none'; frame-src blob:; form-action 'none'; base-uri 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types toolkit dompurify";
const PAGE: &str = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; \
     img-src data:; connect-src 'none'; manifest-src 'self'; form-action 'none'; base-uri 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types toolkit dompurify";

pub(crate) async fn get(app: &App, path: &str) -> Answer {
    get_with(app, path, &[]).await
}

async fn get_with(app: &App, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = app.client.get(format!("http://{}{path}", app.address));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Answer::of(request).await
}

/// Sends the request of a browser in which a person opens an address.
pub(crate) async fn open(app: &App, path: &str) -> Answer {
    get_with(app, path, &[("accept", "text/html,application/xhtml+xml,*/*;q=0.8")]).await
}

/// Returns the values of an attribute, as they are written in a page.
pub(crate) fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(&start)
        .skip(1)
        .filter_map(|rest| rest.split_once('"'))
        .map(|(value, _)| value)
        .collect()
}

#[tokio::test]
async fn the_root_and_the_address_of_the_pages_redirect_to_home() {
    let app = App::start(Setup::default()).await;
    for (path, status) in [("/", 302), ("/toolkit", 308)] {
        let answer = get(&app, path).await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (status, Some("/toolkit/")),
            "{path}"
        );
    }
    let home = get(&app, "/toolkit/").await;
    assert_eq!(home.status, 200);
    assert!(home.body.contains("<h1>Developer tools</h1>"));
}

#[tokio::test]
async fn every_tool_has_a_page_and_home_links_to_it() {
    let app = App::start(Setup::default()).await;
    let home = get(&app, "/toolkit/").await.body;
    let cards: Vec<_> = values(&home, "data-slug");
    let slugs: BTreeSet<_> = ENTRIES.iter().map(|entry| entry.slug).collect();
    assert_eq!(cards.iter().copied().collect::<BTreeSet<_>>(), slugs);
    assert_eq!(cards.len(), slugs.len());
    for entry in ENTRIES {
        let path = format!("/toolkit/tools/{}", entry.slug);
        assert!(home.contains(&format!("href=\"{path}\"")), "{path}");
        let page = get(&app, &path).await;
        assert_eq!(page.status, 200, "{path}");
        let title = format!("<title>{} · Toolkit</title>", entry.name.replace('&', "&amp;"));
        assert!(page.body.contains(&title), "{path}");
        assert_eq!(page.header("content-security-policy"), Some(BROWSER_TOOL), "{path}");
        assert!(page.body.contains("Nothing you enter leaves this page."), "{path}");
        assert_eq!(page.body.contains("id=\"tool\""), entry.server_side, "{path}");
    }
}

#[tokio::test]
async fn no_page_may_connect_and_home_says_so() {
    let app = App::start(Setup::default()).await;
    for path in ["/toolkit/", "/toolkit/docs", "/toolkit/docs/mcp", "/toolkit/offline"] {
        let page = get(&app, path).await;
        assert_eq!(page.header("content-security-policy"), Some(PAGE), "{path}");
    }
    let home = get(&app, "/toolkit/").await.body;
    let said = format!("{} tools. Nothing you enter leaves your browser.", ENTRIES.len());
    assert!(home.contains(&said));
    let is_unbuilt = home.contains("built without Node");
    assert_eq!(is_unbuilt, !toolkit_web::is_built());
    assert_eq!(home.contains(" data-unbuilt"), is_unbuilt);
}

#[tokio::test]
async fn the_address_in_a_501_is_a_page() {
    let app = App::start(Setup::default()).await;
    let refusal = app.post("/tools/hex-encoder/run").send().await.unwrap();
    assert_eq!(refusal.status().as_u16(), 501);
    let detail = refusal.text().await.unwrap();
    let address = detail.split_once("http://").unwrap().1;
    let path = &address[address.find('/').unwrap()..address.find(".\"").unwrap()];
    assert_eq!(get(&app, path).await.status, 200, "{detail}");
}

#[tokio::test]
async fn a_page_is_revalidated_and_not_sent_again() {
    let app = App::start(Setup::default()).await;
    for path in ["/toolkit/", "/toolkit/tools/hex-encoder", "/toolkit/docs"] {
        let page = get_with(&app, path, &[("accept-encoding", "br")]).await;
        assert_eq!(page.header("cache-control"), Some("no-cache"), "{path}");
        assert_eq!(page.header("content-encoding"), Some("br"), "{path}");
        assert_eq!(page.header("vary"), Some("Accept-Encoding"), "{path}");
        let etag = page.header("etag").unwrap();
        assert!(etag.starts_with('"'), "{etag}");
        let again =
            get_with(&app, path, &[("accept-encoding", "br"), ("if-none-match", etag)]).await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
        assert!(again.header("content-security-policy").is_some(), "{path}");
    }
}

#[tokio::test]
async fn pages_have_the_headers_that_protect_them() {
    let app = App::start(Setup::default()).await;
    for path in [
        "/toolkit/",
        "/toolkit/tools/hex-encoder",
        "/toolkit/tools/json-formatter",
        "/toolkit/docs/mcp",
        "/toolkit/offline",
    ] {
        let page = get(&app, path).await;
        for (name, value) in [
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
            ("x-robots-tag", "noindex"),
        ] {
            assert_eq!(page.header(name), Some(value), "{path}: {name}");
        }
        let permissions = page.header("permissions-policy").unwrap();
        assert!(permissions.contains("clipboard-write=(self)"), "{permissions}");
        assert_eq!(permissions.matches("=()").count() + 1, permissions.split(',').count());
        assert!(!page.body.contains("<style") && !page.body.contains(" style="), "{path}");
        assert!(!page.body.contains(" onclick="), "{path}");
    }
}

#[tokio::test]
async fn another_host_over_plain_http_is_not_isolated() {
    let app = App::start(Setup::default()).await;
    let isolated = async |host: &str| {
        let page = get_with(&app, "/toolkit/", &[("host", host)]).await;
        page.header("cross-origin-opener-policy").is_some()
    };
    for host in ["localhost:8080", "127.0.0.1", "[::1]:80"] {
        assert!(isolated(host).await, "{host}");
    }
    for host in ["192.0.2.1:8080", "toolkit.example"] {
        assert!(!isolated(host).await, "{host}");
    }
}

#[tokio::test]
async fn everything_that_a_page_links_to_exists() {
    let app = App::start(Setup::default()).await;
    let mut seen = BTreeSet::new();
    for page in [
        "/toolkit/",
        "/toolkit/docs",
        "/toolkit/docs/mcp",
        "/toolkit/offline",
        "/toolkit/tools/hex-encoder",
        "/toolkit/tools/json-formatter",
    ] {
        let html = get(&app, page).await.body;
        let paths = values(&html, "src").into_iter().chain(values(&html, "href"));
        for path in paths.filter(|path| path.starts_with('/')) {
            let path = path.split('#').next().unwrap();
            if seen.insert(path.to_owned()) {
                assert_eq!(get(&app, path).await.status, 200, "{path} in {page}");
            }
        }
    }
    assert!(seen.iter().any(|path| path.ends_with("/kit/page.js")), "{seen:?}");
}

#[tokio::test]
async fn a_tool_preloads_its_module_and_what_that_imports() {
    let app = App::start(Setup::default()).await;
    let html = get(&app, "/toolkit/tools/hex-encoder").await.body;
    // Without a build of the pages it is not known what a module imports.
    let imported = toolkit_web::is_built().then_some("/kit/tool.js");
    let named = ["/kit/page.js", "/kit/tool-page.js", "/tools/hex-encoder/tool.js"];
    for module in named.into_iter().chain(imported) {
        let link = format!("{module}\">");
        let preloads = html.split("<link rel=\"modulepreload\" href=\"").skip(1);
        assert_eq!(
            preloads
                .filter(|rest| rest.split_once('>').unwrap().0.ends_with(&link[..link.len() - 1]))
                .count(),
            1,
            "{module}"
        );
    }
    let docs = get(&app, "/toolkit/docs").await.body;
    assert!(!docs.contains("/kit/tool-page.js"));
}

#[tokio::test]
async fn a_file_of_this_version_is_cached_indefinitely_and_any_other_is_not_cached() {
    let app = App::start(Setup::default()).await;
    let html = get(&app, "/toolkit/").await.body;
    let assets = values(&html, "data-assets")[0];
    let present =
        get_with(&app, &format!("{assets}/kit/page.js"), &[("accept-encoding", "gzip")]).await;
    assert_eq!(present.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(present.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(present.header("content-encoding"), Some("gzip"));
    assert_eq!(
        present.header("content-security-policy"),
        Some(
            "default-src 'none'; script-src 'self'; connect-src 'none'; require-trusted-types-for 'script'; trusted-types toolkit"
        )
    );
    let other = get(&app, "/toolkit/assets/another/kit/page.js").await;
    assert_eq!((other.status, other.header("cache-control")), (200, Some("no-store")));
    assert!(other.header("cross-origin-resource-policy").is_none());
    let etag = present.header("etag").unwrap();
    let known = get_with(
        &app,
        &format!("{assets}/kit/page.js"),
        &[("accept-encoding", "gzip"), ("if-none-match", etag)],
    )
    .await;
    assert_eq!(known.status, 304);
    for missing in [
        "kit/none.js",
        "",
        "kit/",
        "../../Cargo.toml",
        "package.json",
        "tests/run.mjs",
        "kit/types.d.ts",
    ] {
        get(&app, &format!("{assets}/{missing}")).await.refuses(404, "No such path");
    }
}

#[tokio::test]
async fn only_a_browser_gets_the_404_as_a_page_and_only_below_the_pages() {
    let app = App::start(Setup::default()).await;
    for path in
        ["/toolkit/none", "/toolkit/tools/jsn-formatter", "/toolkit/assets/x", "/toolkit/tools"]
    {
        let page = open(&app, path).await;
        assert_eq!(page.status, 404, "{path}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(page.header("vary"), Some("Accept"));
        assert_eq!(page.header("content-security-policy"), Some(PAGE));
        assert!(page.body.contains("Page not found"), "{path}");
        get(&app, path).await.refuses(404, "No such path");
    }
    let meant = open(&app, "/toolkit/tools/jsn-formatter").await.body;
    assert!(meant.contains("data-slug=\"json-formatter\""));
    for path in
        ["/none", "/toolkits", "/toolkit/api/none", "/toolkit/api/tools/none/run", "/toolkit/api"]
    {
        let answer = open(&app, path).await;
        assert!(answer.status == 404 || answer.status == 405, "{path}: {answer:?}");
        answer.detail();
    }
}

#[tokio::test]
async fn other_methods_and_other_statuses_stay_json() {
    let app = App::start(Setup::default()).await;
    for path in ["/toolkit/", "/toolkit/tools/hex-encoder", "/toolkit/sw.js", "/"] {
        let request = app.client.post(format!("http://{}{path}", app.address));
        let answer = Answer::of(request.header("accept", "text/html")).await;
        answer.refuses(405, "GET, HEAD");
        assert_eq!(answer.header("allow"), Some("GET, HEAD"), "{path}");
    }
    let lost = app.client.post(format!("http://{}/toolkit/none", app.address));
    Answer::of(lost.header("accept", "text/html")).await.refuses(404, "No such path");
}

#[tokio::test]
async fn a_head_request_gets_the_headers_of_the_page() {
    let app = App::start(Setup::default()).await;
    for (path, status) in [("/toolkit/tools/hex-encoder", 200), ("/toolkit/none", 404)] {
        let request = app.client.head(format!("http://{}{path}", app.address));
        let head = Answer::of(request.header("accept", "text/html")).await;
        assert_eq!((head.status, head.body.as_str()), (status, ""), "{path}");
        assert_eq!(head.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
    }
}

#[tokio::test]
async fn a_superfluous_slash_is_removed() {
    let app = App::start(Setup::default()).await;
    let answer = get(&app, "/toolkit/tools/hex-encoder/").await;
    assert_eq!(
        (answer.status, answer.header("location")),
        (308, Some("/toolkit/tools/hex-encoder"))
    );
    assert_eq!(open(&app, "/toolkit/tools/hex-encoder//").await.status, 404);
}

#[tokio::test]
async fn the_documentation_shows_which_endpoints_need_a_key() {
    let app = App::start(Setup::default()).await;
    let docs = get(&app, "/toolkit/docs").await.body;
    // Chat, contact, subscribe and the list of subscribers need a key; tool runs do not.
    assert_eq!(docs.matches("needs a key").count(), 4);
    let run = docs.split_once("id=\"run-json-formatter\"").unwrap().1;
    let run = run.split_once("</section>").unwrap().0;
    assert!(run.contains("curl -s"));
    assert!(!run.contains("X-Api-Key"));
}
