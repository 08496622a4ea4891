//! Site files: web app manifest, service worker, sitemap, robots.txt.
//!
//! Standards: Web Application Manifest, Service Workers, sitemaps.org protocol 0.9, RFC 9309.

use maud::{Markup, PreEscaped, html};
use serde_json::json;
use toolkit_catalog::ENTRIES;

use super::layout::Paths;
use crate::site::Site;

/// Page and icon color, for the window of an installed app.
const BACKGROUND: &str = "#ffffff";
const THEME: &str = "#0a53c4";

/// The manifest, which makes the site installable.
pub(crate) fn manifest(paths: &Paths<'_>) -> String {
    let icon = |path: &str, sizes: &str, kind: &str| json!({"src": paths.asset(path), "sizes": sizes, "type": kind, "purpose": "any maskable"});
    let manifest = json!({
        "name": paths.site.name,
        "short_name": paths.site.name,
        "description": format!("{} tools for developers.", ENTRIES.len()),
        "lang": "en",
        "id": paths.home,
        "start_url": paths.home,
        "scope": paths.home,
        "display": "standalone",
        "background_color": BACKGROUND,
        "theme_color": THEME,
        "icons": [
            icon("icons/icon.svg", "any", "image/svg+xml"),
            icon("icons/icon-192.png", "192x192", "image/png"),
            icon("icons/icon-512.png", "512x512", "image/png"),
        ],
    });
    manifest.to_string()
}

/// The service worker, or one that unregisters itself if offline pages are off.
pub(crate) fn service_worker(paths: &Paths<'_>) -> String {
    if !paths.site.offline {
        return source("sw-off.js");
    }
    let files: Vec<_> =
        toolkit_web::paths().filter(|path| is_kept(path)).map(|path| paths.asset(path)).collect();
    let tools = ENTRIES.iter().map(|entry| paths.tool(entry.slug));
    let pages: Vec<_> =
        [paths.home.clone(), paths.site.path("/offline")].into_iter().chain(tools).collect();
    source("sw.js")
        .replace("/*VERSION*/ ''", &json!(toolkit_web::version()).to_string())
        .replace("/*BASE*/ ''", &json!(paths.site.base).to_string())
        .replace("/*FILES*/ []", &json!(files).to_string())
        .replace("/*PAGES*/ []", &json!(pages).to_string())
}

/// Whether a file is cached with the pages. Browsers cache icons themselves.
fn is_kept(path: &str) -> bool {
    match path.split_once('/') {
        Some((folder, _)) => folder != "icons" && path != "libraries/licenses.txt",
        None => path == "catalog.js",
    }
}

fn source(path: &str) -> String {
    let bytes = toolkit_web::asset(path).map(|asset| asset.bytes).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The pages that search engines may list.
pub(crate) fn site_map(site: &Site) -> String {
    let tools = ENTRIES.iter().map(|entry| format!("/tools/{}", entry.slug));
    let paths = ["/", "/docs", "/docs/mcp"].map(str::to_owned);
    let map: Markup = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" {
            @for path in paths.into_iter().chain(tools) {
                (PreEscaped("\n")) url { loc { (site.address(&path)) } }
            }
        }
    };
    map.into_string() + "\n"
}

/// The contents of robots.txt.
pub(crate) fn robots(site: &Site) -> String {
    if !site.search_engines {
        return "User-agent: *\nDisallow: /\n".to_owned();
    }
    let api = site.urls.base_url.join("/toolkit/api/");
    format!(
        "User-agent: *\nDisallow: {}\n\nSitemap: {}\n",
        api.path(),
        site.address("/sitemap.xml")
    )
}
