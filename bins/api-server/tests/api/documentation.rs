//! Documentation pages: they show what the OpenAPI document and the MCP tools declare.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};
use toolkit_catalog::{Category, ENTRIES};
use toolkit_core::input::Surface;
use toolkit_core::registry::mcp_tools;

use crate::helpers::{App, Setup};
use crate::pages::{get, values};

/// The text of a part of a page, without its markup.
fn text(html: &str) -> String {
    let mut text = String::new();
    for piece in html.split('<') {
        text.push_str(piece.split_once('>').map_or(piece, |(_, after)| after));
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The part of a page between two texts.
#[track_caller]
fn between<'a>(html: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = html.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).map_or(rest, |(inside, _)| inside)
}

/// Part of the OpenAPI document, behind its reference if it is one.
fn resolved<'a>(part: &'a Json, openapi: &'a Json) -> &'a Json {
    part["$ref"]
        .as_str()
        .map_or(part, |reference| openapi.pointer(reference.trim_start_matches('#')).unwrap())
}

#[tokio::test]
async fn the_bar_marks_the_page_that_is_open() {
    let app = App::start(Setup::default()).await;
    for (path, expected) in [
        ("/toolkit/", "aria-current=\"page\">Tools"),
        ("/toolkit/tools/hex-encoder", "aria-current=\"true\">Tools"),
        ("/toolkit/docs", "aria-current=\"page\">REST API"),
        ("/toolkit/docs/mcp", "aria-current=\"page\">MCP server"),
    ] {
        let page = get(&app, path).await.body;
        let bar = between(&page, "<header class=\"bar\">", "</header>");
        assert!(bar.contains(expected), "{path}: {bar}");
        assert_eq!(bar.matches("aria-current").count(), 1, "{path}");
    }
}

#[tokio::test]
async fn the_rest_page_has_every_operation_of_the_openapi_document() {
    let app = App::start(Setup::default()).await;
    let page = get(&app, "/toolkit/docs").await.body;
    let address = values(&page, "href").into_iter().find(|it| it.ends_with("openapi.json"));
    let openapi = get(&app, address.unwrap()).await.json();
    let contents = values(between(&page, "class=\"contents\"", "</nav>"), "href");
    assert_eq!(contents.first(), Some(&"#first-call"));
    assert_eq!(contents.last(), Some(&"#errors"));
    let mut operations = 0;
    for (path, item) in openapi["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(id) = operation["operationId"].as_str() else {
                continue;
            };
            operations += 1;
            assert!(contents.contains(&&*format!("#{id}")), "{id}");
            let section = between(&page, &format!("<h3 id=\"{id}\">"), "</section>");
            let shown = text(section);
            assert!(shown.contains(&format!("{} {path}", method.to_uppercase())), "{shown}");
            assert!(shown.contains(operation["summary"].as_str().unwrap()), "{id}");
            let needs_key = operation["security"].as_array().is_some_and(|it| !it.is_empty());
            assert_eq!(shown.contains("needs a key"), needs_key, "{id}");
            let is_run = id.starts_with("run-");
            assert_eq!(section.contains(">Try it</a>"), is_run, "{id}");
            let parameters = [item, operation].map(|it| it["parameters"].as_array());
            for parameter in parameters.into_iter().flatten().flatten() {
                let name = format!("<code>{}</code>", parameter["name"].as_str().unwrap());
                let shown = between(section, &name, "</dt>");
                let is_required = parameter["required"] == true;
                assert_eq!(shown.contains(">required<"), is_required, "{id}: {name}");
            }
            let request = &operation["requestBody"]["content"]["application/json"];
            let answer = &operation["responses"]["200"]["content"]["application/json"];
            for content in [request, answer] {
                let schema = resolved(&content["schema"], &openapi);
                for name in schema["properties"].as_object().into_iter().flatten() {
                    let name = format!("<code>{}</code>", name.0);
                    assert!(section.contains(&name), "{id}: {name}");
                }
            }
            for (status, response) in operation["responses"].as_object().unwrap() {
                let is_listed = [format!("<b>{status}</b>"), format!(">{status}</a>")];
                let is_listed = is_listed.iter().any(|it| section.contains(it));
                assert_eq!(is_listed, status != "200", "{id}: {status}");
                if status == "200" && answer.is_null() {
                    // A page, which has no fields.
                    continue;
                }
                let description = resolved(response, &openapi)["description"].as_str().unwrap();
                let description = description.replace('`', "");
                assert!(shown.contains(&description), "{id}: {description}");
            }
            let examples = request["examples"].as_object().map_or(0, Map::len);
            assert_eq!(section.matches("<figcaption>").count(), examples, "{id}");
        }
    }
    assert_eq!(page.matches("class=\"operation\"").count(), operations);
    let about = openapi["info"]["description"].as_str().unwrap();
    assert!(text(&page).contains(&about.replace('`', "")), "{about}");
    let mcp = values(&page, "href").into_iter().filter(|it| *it == "/toolkit/docs/mcp");
    // One in the bar, one in the description.
    assert_eq!(mcp.count(), 2);
    for tag in openapi["tags"].as_array().unwrap() {
        let (name, about) = (tag["name"].as_str().unwrap(), tag["description"].as_str().unwrap());
        let group = between(&page, &format!("<h2 id=\"{name}\">"), "<section class=\"operation\"");
        assert!(text(group).contains(about), "{name}");
        assert!(contents.contains(&&*format!("#{name}")), "{name}");
    }
}

#[tokio::test]
async fn the_mcp_page_has_each_tool_with_its_arguments_and_examples() {
    let app = App::start(Setup::default()).await;
    let page = get(&app, "/toolkit/docs/mcp").await.body;
    let contents = values(between(&page, "class=\"contents\"", "</nav>"), "href");
    for (tool, mcp) in mcp_tools() {
        let section = between(&page, &format!("<h3 id=\"{}\">", mcp.name), "</section>");
        let shown = text(section);
        assert!(contents.contains(&&*format!("#{}", mcp.name)), "{}", mcp.name);
        assert!(shown.starts_with(&format!("{} {}", mcp.name, mcp.title)), "{shown}");
        for input in mcp.inputs {
            let name = format!("<code>{}</code>", input.trim_end_matches('?'));
            assert!(section.contains(&name), "{}: {name}", mcp.name);
        }
        let fitting = tool.spec().examples.iter().filter(|example| {
            let arguments = serde_json::from_str(example.input).unwrap();
            Surface::Mcp(mcp.inputs).fit(tool.fields(), &arguments)
        });
        let titles: Vec<_> = fitting.map(|example| example.title).collect();
        assert!(!titles.is_empty(), "{}", mcp.name);
        let figures: Vec<_> = section.split("<figcaption>").skip(1).collect();
        assert_eq!(figures.len(), titles.len(), "{}", mcp.name);
        for (figure, title) in figures.into_iter().zip(titles) {
            let shown = text(figure);
            assert!(shown.starts_with(title), "{shown}");
            assert!(shown.contains(&format!("\"name\": \"{}\"", mcp.name)), "{shown}");
            assert!(shown.contains("\"result\""), "{shown}");
        }
        assert_eq!(shown.contains("yours will differ"), !mcp.idempotent, "{}", mcp.name);
    }
    let refusal = text(between(&page, "<h2 id=\"answers\">", "</section>"));
    assert!(refusal.contains("\"arguments\": {}") && refusal.contains("\"isError\": true"));
}

#[tokio::test]
async fn each_id_of_a_page_is_unique_and_each_link_to_an_id_leads_to_one() {
    let app = App::start(Setup::default()).await;
    let documents = ["/toolkit/", "/toolkit/docs", "/toolkit/docs/mcp"];
    let tools = ENTRIES.iter().map(|entry| format!("/toolkit/tools/{}", entry.slug));
    let mut pages = BTreeMap::new();
    for path in documents.map(str::to_owned).into_iter().chain(tools) {
        let page = get(&app, &path).await.body;
        pages.insert(path, page);
    }
    let mut links = 0;
    for (path, page) in &pages {
        let ids = values(page, "id");
        let unique: BTreeSet<_> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len(), "{path}: {ids:?}");
        for link in values(page, "href") {
            let Some((to, id)) = link.split_once('#') else {
                continue;
            };
            let to = if to.is_empty() { path } else { to };
            if let Some(page) = pages.get(to) {
                assert!(values(page, "id").contains(&id), "{path}: {link}");
                links += 1;
            }
        }
    }
    assert!(links > pages.len(), "{links}");
}

#[tokio::test]
async fn home_sorts_the_tools_and_a_tool_links_to_related_ones() {
    let app = App::start(Setup::default()).await;
    let home = get(&app, "/toolkit/").await.body;
    for category in Category::ALL {
        let start = format!("<section class=\"category\" id=\"{}\"", category.name());
        let section = between(&home, &start, "</section>");
        let expected: Vec<_> = ENTRIES
            .iter()
            .filter(|entry| entry.category == category)
            .map(|entry| entry.slug)
            .collect();
        assert_eq!(values(section, "data-slug"), expected);
    }
    assert!(home.contains(">Date and time</h2>") && home.contains(">Encoders</h2>"));
    for entry in ENTRIES {
        let page = get(&app, &format!("/toolkit/tools/{}", entry.slug)).await.body;
        let related = between(&page, "class=\"related\"", "</section>");
        let related = values(related, "data-slug");
        assert_eq!(related, entry.related, "{}", entry.slug);
    }
}

/// `BLESS=1` rewrites them.
#[test]
fn the_generated_counts_in_the_first_lines_of_the_readme_are_those_of_the_tools() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let mut readme = std::fs::read_to_string(path).unwrap();
    let server_side = ENTRIES.iter().filter(|entry| entry.server_side).count();
    for (count, after) in [
        (ENTRIES.len(), " developer tools in one"),
        (server_side, " of them are also an API for scripts"),
        (mcp_tools().count(), " are tools for AI assistants"),
    ] {
        let (before, rest) = readme.split_once(after).unwrap_or_else(|| panic!("no `{after}`"));
        let before = before.trim_end_matches(|last: char| last.is_ascii_digit());
        let expected = format!("{before}{count}{after}{rest}");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &expected).unwrap();
        } else {
            let is_right = readme == expected;
            assert!(is_right, "README.md: {count}{after}; run `just bless -p api-server`");
        }
        readme = expected;
    }
}
