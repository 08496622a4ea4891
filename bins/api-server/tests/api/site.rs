//! Web site: address, name, offline use and search engines, as the settings determine them.

use toolkit_catalog::ENTRIES;

use crate::helpers::{App, Setup, contact};
use crate::pages::{BROWSER_TOOL, get, open, values};
use crate::sink::{Behavior, Sink};

/// Returns settings with other public addresses.
fn at(web: &str) -> Setup {
    Setup::new(&[("TOOLKIT_PUBLIC__WEB_BASE_URL", web)])
}

#[tokio::test]
async fn the_pages_work_below_any_path() {
    for (web, base) in [("http://127.0.0.1:1", ""), ("http://127.0.0.1:1/a/b/", "/a/b")] {
        let app = App::start(at(web)).await;
        let home = get(&app, &format!("{base}/")).await;
        assert_eq!(home.status, 200, "{web}");
        assert_eq!(values(&home.body, "data-base"), [base]);
        let assets = values(&home.body, "data-assets")[0];
        assert!(assets.starts_with(&format!("{base}/assets/")), "{assets}");
        assert_eq!(get(&app, &format!("{assets}/kit/page.js")).await.status, 200);
        assert_eq!(get(&app, &format!("{base}/tools/hex-encoder")).await.status, 200);
        assert_eq!(get(&app, &format!("{base}/docs/mcp")).await.status, 200);
        assert_eq!(
            open(&app, &format!("{base}/none")).await.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        open(&app, "/toolkit/api/none").await.refuses(404, "No such path");
        let worker = get(&app, &format!("{base}/sw.js")).await.body;
        assert!(worker.contains(&format!("BASE = \"{base}\"")), "{worker:.300}");
    }
}

#[tokio::test]
async fn pages_show_the_api_at_its_public_address_and_do_not_call_it() {
    let same = App::start(Setup::default()).await;
    let home = get(&same, "/toolkit/").await;
    assert_eq!(values(&home.body, "data-api"), ["/toolkit/api"]);
    let setup = Setup::new(&[
        ("TOOLKIT_PUBLIC__BASE_URL", "https://api.example.org"),
        ("TOOLKIT_PUBLIC__WEB_BASE_URL", "https://www.example.org/toolkit"),
    ]);
    let apart = App::start(setup).await;
    let home = get(&apart, "/toolkit/").await;
    assert_eq!(values(&home.body, "data-api"), ["https://api.example.org/toolkit/api"]);
    let tool = get(&apart, "/toolkit/tools/hex-encoder").await;
    assert_eq!(tool.header("content-security-policy"), Some(BROWSER_TOOL));
}

#[tokio::test]
async fn the_service_worker_lists_every_page_and_every_file() {
    let app = App::start(Setup::default()).await;
    let worker = get(&app, "/toolkit/sw.js").await;
    assert_eq!(
        worker.header("content-security-policy"),
        Some("default-src 'none'; script-src 'self'; connect-src 'self'")
    );
    assert_eq!(worker.header("cache-control"), Some("no-cache"));
    for entry in ENTRIES {
        assert!(
            worker.body.contains(&format!("\"/toolkit/tools/{}\"", entry.slug)),
            "{}",
            entry.slug
        );
    }
    for path in toolkit_web::paths() {
        // Browsers keep the icons themselves, and nothing offline shows the licenses.
        let is_kept = path == "catalog.js"
            || path.contains('/')
                && !path.starts_with("icons/")
                && path != "libraries/licenses.txt";
        let address = format!("/assets/{}/{path}\"", toolkit_web::version_of(path));
        assert_eq!(worker.body.contains(&address), is_kept, "{path}");
    }
    assert!(!worker.body.contains("/*FILES*/"));
}

#[tokio::test]
async fn offline_pages_can_be_turned_off() {
    let app = App::start(Setup::new(&[("TOOLKIT_PUBLIC__OFFLINE", "false")])).await;
    let worker = get(&app, "/toolkit/sw.js").await.body;
    assert!(worker.contains("unregister()") && !worker.contains("fetch"), "{worker}");
    assert_eq!(values(&get(&app, "/toolkit/").await.body, "data-offline"), ["off"]);
}

#[tokio::test]
async fn search_engines_are_excluded_unless_a_setting_allows_them() {
    let closed = App::start(Setup::default()).await;
    assert_eq!(get(&closed, "/robots.txt").await.body, "User-agent: *\nDisallow: /\n");
    let setup = Setup::new(&[
        ("TOOLKIT_PUBLIC__SEARCH_ENGINES", "true"),
        ("TOOLKIT_PUBLIC__BASE_URL", "https://example.org"),
    ]);
    let found = App::start(setup).await;
    assert!(get(&found, "/toolkit/").await.header("x-robots-tag").is_none());
    let robots = get(&found, "/robots.txt").await.body;
    assert!(robots.contains("Sitemap: https://example.org/toolkit/sitemap.xml"), "{robots}");
    let map = get(&found, "/toolkit/sitemap.xml").await;
    assert_eq!(map.header("content-type"), Some("application/xml"));
    assert_eq!(map.body.matches("<loc>https://example.org/toolkit/").count(), ENTRIES.len() + 3);
}

#[tokio::test]
async fn the_service_uses_its_configured_name() {
    let sink = Sink::start(Behavior::Friendly);
    let setup = Setup::new(&[("TOOLKIT_PUBLIC__NAME", "Tom & Ada's <tools>")]);
    let app = App::start(setup.with_mail(sink.address)).await;
    let escaped = "Tom &amp; Ada's &lt;tools&gt;";
    for (path, title) in [
        ("/toolkit/", "Developer tools"),
        ("/toolkit/tools/hex-encoder", "Hex Encoder"),
        ("/toolkit/docs/mcp", "MCP server"),
        ("/toolkit/offline", "Offline"),
    ] {
        let page = get(&app, path).await.body;
        assert!(page.contains(&format!("<title>{title} · {escaped}</title>")), "{path}");
        let (_, brand) = page.split_once("<a class=\"brand\" href=\"/toolkit/\">").unwrap();
        let (brand, _) = brand.split_once("</a>").unwrap();
        assert!(brand.ends_with(&format!("</svg>{escaped}")), "{path}: {brand}");
    }
    assert_eq!(app.subscribe("ada@example.org", "docs").await.status, 200);
    let mail = sink.mail_to("ada@example.org").await;
    assert!(mail.text().contains("Sent by Tom & Ada's <tools>, "), "{}", mail.text());
    assert!(mail.html().contains(escaped), "{}", mail.html());
    assert_eq!(app.contact(&contact()).await.status, 200);
    let mail = sink.mail_to("operator@example.org").await;
    let subject = mail.header("Subject").unwrap();
    assert!(subject.starts_with("[Tom & Ada's <tools>] "), "{subject}");
    let manifest = get(&app, "/toolkit/manifest.webmanifest").await;
    assert_eq!(manifest.header("content-type"), Some("application/manifest+json"));
    let manifest = manifest.json();
    assert_eq!(manifest["name"], "Tom & Ada's <tools>");
    assert_eq!(manifest["start_url"], "/toolkit/");
    for icon in manifest["icons"].as_array().unwrap() {
        assert_eq!(get(&app, icon["src"].as_str().unwrap()).await.status, 200, "{icon}");
    }
}

#[tokio::test]
async fn pages_and_files_have_no_rate_limit() {
    let setup =
        Setup::new(&[("TOOLKIT_LIMITS__RUN_PER_MINUTE", "1"), ("TOOLKIT_LIMITS__RUN_BURST", "1")]);
    let app = App::start(setup).await;
    for _ in 0..5 {
        assert_eq!(get(&app, "/toolkit/tools/uuid-generator").await.status, 200);
    }
    assert_eq!(app.post("/tools/uuid-generator/run").send().await.unwrap().status().as_u16(), 200);
}

#[tokio::test]
async fn documentation_and_tools_link_to_each_other() {
    let app = App::start(Setup::default()).await;
    let (rest, mcp) =
        (get(&app, "/toolkit/docs").await.body, get(&app, "/toolkit/docs/mcp").await.body);
    for entry in ENTRIES.iter().filter(|entry| entry.server_side) {
        let (path, anchor) =
            (format!("/toolkit/tools/{}", entry.slug), format!("run-{}", entry.slug));
        assert!(
            rest.contains(&format!("href=\"{path}\""))
                && rest.contains(&format!("id=\"{anchor}\"")),
            "{path}"
        );
        let page = get(&app, &path).await.body;
        assert!(page.contains(&format!("href=\"/toolkit/docs#{anchor}\"")), "{path}");
    }
    assert!(mcp.contains("href=\"/toolkit/tools/hash-generator\""));
    let hash = get(&app, "/toolkit/tools/hash-generator").await.body;
    assert!(
        hash.contains("href=\"/toolkit/docs/mcp#hash_text\"") && mcp.contains("id=\"hash_text\"")
    );
}

#[tokio::test]
async fn a_browser_without_scripts_gets_the_call_and_the_fields() {
    let app = App::start(Setup::default()).await;
    let page = get(&app, "/toolkit/tools/cidr-calculator").await.body;
    let (_, rest) = page.split_once("<noscript>").unwrap();
    let (hand, _) = rest.split_once("</noscript>").unwrap();
    assert!(
        hand.contains("/toolkit/api/tools/cidr-calculator/run")
            && hand.contains("<code>cidr</code>"),
        "{hand}"
    );
}

#[tokio::test]
async fn a_logo_and_links_are_on_every_page() {
    let folder = tempfile::tempdir().unwrap();
    let logo = folder.path().join("logo.svg");
    let image = "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0h1\"/></svg>";
    std::fs::write(&logo, image).unwrap();
    let link = ("TOOLKIT_PUBLIC__LINKS__0__URL", "https://example.org/imprint");
    let setup = Setup::new(&[
        ("TOOLKIT_PUBLIC__LOGO", logo.to_str().unwrap()),
        ("TOOLKIT_PUBLIC__LINKS__0__TEXT", "Imprint & more"),
        link,
    ]);
    let sink = Sink::start(Behavior::Friendly);
    let app = App::start(setup.with_mail(sink.address)).await;
    app.subscribe("ada@example.org", "docs").await;
    let mail = sink.mail_to("ada@example.org").await;
    let token = mail.token("/subscribe/confirm");
    let confirmation = format!("/toolkit/api/subscribe/confirm?token={token}");
    for path in [
        "/toolkit/",
        "/toolkit/docs",
        "/toolkit/tools/url-encoder",
        "/toolkit/tools/hex-encoder",
        &confirmation,
    ] {
        let page = open(&app, path).await.body;
        let expected = "<a href=\"https://example.org/imprint\">Imprint &amp; more</a>";
        assert!(page.contains(expected), "{path}: {page}");
        assert!(page.contains("<img src=\"data:image/svg+xml,%3Csvg xmlns='"), "{path}");
    }
}
