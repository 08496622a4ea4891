//! Discovery documents of the server.

use serde_json::{Value as Json, json};

use crate::helpers::{Ask, Served, spawn, spawn_with};

const CARD: &str = "/toolkit/mcp/server-card";

fn get(server: &Served, path: &str) -> crate::helpers::Reply {
    server.send(&Ask::new("GET", path))
}

fn public() -> Served {
    spawn_with(
        "public.mcp_url = \"https://tools.example.org/toolkit/mcp\"\n\
         public.web_base_url = \"https://tools.example.org/toolkit\"",
    )
}

#[test]
fn the_card_has_what_a_client_needs_before_it_connects() {
    let server = public();
    let reply = get(&server, CARD);
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("content-type"), Some("application/mcp-server-card+json"));
    let card = reply.json();
    assert_eq!(
        card["$schema"],
        "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
    );
    assert_eq!(card["name"], "org.example.tools/toolkit");
    assert_eq!(card["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(card["websiteUrl"], "https://tools.example.org/toolkit/docs/mcp");
    assert!(card["description"].as_str().unwrap().len() <= 100);
    let remote = json!([{
        "type": "streamable-http",
        "url": "https://tools.example.org/toolkit/mcp",
        "supportedProtocolVersions": ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"],
    }]);
    assert_eq!(card["remotes"], remote);
}

#[test]
fn the_card_agrees_with_the_running_server() {
    let server = public();
    let card = get(&server, CARD).json();
    let discovered = server.send(&Ask::stateless("server/discover", json!({}))).result();
    let about = &discovered["_meta"]["io.modelcontextprotocol/serverInfo"];
    for field in ["version", "title", "description", "websiteUrl", "icons"] {
        assert_eq!(card[field], about[field], "{field}");
    }
    assert_eq!(card["name"].as_str().unwrap().rsplit('/').next(), about["name"].as_str());
    let versions = &card["remotes"][0]["supportedProtocolVersions"];
    assert_eq!(versions, &discovered["supportedVersions"]);
}

#[test]
fn the_card_is_also_at_the_paths_of_older_clients() {
    let server = spawn();
    let card = get(&server, CARD);
    for path in ["/.well-known/mcp/server-card.json", "/.well-known/mcp.json"] {
        let reply = get(&server, path);
        assert_eq!((reply.status, &reply.body), (200, &card.body), "{path}");
        assert_eq!(reply.header("etag"), card.header("etag"));
    }
}

#[test]
fn the_catalog_points_to_the_card() {
    let server = public();
    let reply = get(&server, "/.well-known/ai-catalog.json");
    assert_eq!(reply.header("content-type"), Some("application/ai-catalog+json"));
    let expected = json!({
        "specVersion": "1.0",
        "entries": [{
            "identifier": "urn:air:tools.example.org:mcp:toolkit",
            "type": "application/mcp-server-card+json",
            "url": "https://tools.example.org/toolkit/mcp/server-card",
        }],
    });
    assert_eq!(reply.json(), expected);
}

#[test]
fn llms_txt_names_every_tool_and_links_to_the_documentation() {
    let server = public();
    let reply = get(&server, "/llms.txt");
    assert_eq!(reply.header("content-type"), Some("text/markdown; charset=utf-8"));
    let text = reply.text();
    assert!(text.starts_with("# Toolkit: developer tools\n\n> "), "{text}");
    let list = server.send(&Ask::request("tools/list", &json!({}))).result();
    for tool in list["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let link = format!("- [{name}](https://tools.example.org/toolkit/docs/mcp#{name}): ");
        assert!(text.contains(&link), "{text}");
    }
}

#[test]
fn the_documents_are_cached_and_open_to_every_page() {
    let server = spawn();
    for path in [CARD, "/.well-known/ai-catalog.json", "/llms.txt"] {
        let reply = server.send(&Ask::new("GET", path).header("Origin", "https://any.example"));
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{path}");
        assert_eq!(reply.header("access-control-allow-methods"), Some("GET"));
        assert_eq!(reply.header("access-control-expose-headers"), Some("ETag"));
        assert_eq!(reply.header("cache-control"), Some("public, max-age=3600"));
        let etag = reply.header("etag").unwrap();
        let again = server.send(&Ask::new("GET", path).header("If-None-Match", etag));
        assert_eq!((again.status, again.text()), (304, ""), "{path}");
        let preflight = Ask::new("OPTIONS", path)
            .header("Origin", "https://any.example")
            .header("Access-Control-Request-Method", "GET")
            .header("Access-Control-Request-Headers", "if-none-match");
        let reply = server.send(&preflight);
        assert_eq!(reply.status, 204);
        assert_eq!(
            reply.header("access-control-allow-headers"),
            Some("Content-Type, If-None-Match")
        );
    }
}

#[test]
fn the_documents_answer_head_and_refuse_other_methods() {
    let server = spawn();
    for path in [CARD, "/llms.txt"] {
        let whole = get(&server, path);
        let head = server.send(&Ask::new("HEAD", path));
        assert_eq!((head.status, head.text()), (200, ""));
        assert_eq!(head.header("content-length"), Some(whole.body.len().to_string().as_str()));
        let reply = server.send(&Ask::post("{}").at(path));
        assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, HEAD")));
        assert!(!reply.detail().is_empty());
    }
}

#[test]
fn a_client_that_asks_about_authorization_learns_that_none_is_needed() {
    let server = spawn();
    for path in [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/toolkit/mcp",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/toolkit/mcp",
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/toolkit/mcp",
        "/toolkit/mcp/.well-known/openid-configuration",
    ] {
        let reply = get(&server, path);
        assert_eq!(reply.status, 404, "{path}");
        assert_eq!(reply.detail(), "This server needs no authorization. Connect without it.");
        assert_eq!(reply.header("www-authenticate"), None);
    }
    let reply = server.send(&Ask::post("{}").at("/register"));
    assert_eq!(reply.status, 404);
    assert_eq!(reply.detail(), "This server needs no authorization. Connect without it.");
}

#[test]
fn any_other_path_is_404_with_a_detail() {
    let server = spawn();
    for path in ["/", "/toolkit", "/toolkit/mcp/x", "/.well-known/other", "/toolkit/api/tools"] {
        let reply = get(&server, path);
        assert_eq!((reply.status, reply.detail()), (404, "No such path.".into()));
    }
}

#[test]
fn a_path_where_other_servers_have_their_endpoint_names_that_of_this_one() {
    let server = spawn();
    for path in [
        "/mcp",
        "/mcp/",
        "/api/mcp",
        "/sse",
        "/toolkit/api/mcp",
        "/toolkit/sse",
        "/toolkit/mcp/sse",
        "/toolkit/mcp/messages",
    ] {
        for reply in [get(&server, path), server.send(&Ask::post("{}").at(path))] {
            assert_eq!(reply.status, 404, "{path}");
            let detail = reply.detail();
            let start = "No such path. The MCP endpoint is http://";
            assert!(detail.starts_with(start) && detail.ends_with("/toolkit/mcp."), "{detail}");
        }
    }
}

#[test]
fn the_manifest_for_registries_is_up_to_date() {
    let manifest = include_str!("../../../../server.json");
    let manifest: Json = serde_json::from_str(manifest).unwrap();
    let server = public();
    let card = get(&server, CARD).json();
    assert_eq!(
        manifest["$schema"],
        "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
    );
    for field in ["name", "title", "version", "description", "websiteUrl"] {
        assert_eq!(manifest[field], card[field], "{field}");
    }
    assert_eq!(manifest["remotes"][0]["type"], card["remotes"][0]["type"]);
    assert_eq!(manifest["remotes"][0]["url"], card["remotes"][0]["url"]);
}
