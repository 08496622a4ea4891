//! `tools/call`: answers and refusals of the tools.

use serde_json::{Value as Json, json};
use toolkit_core::Context;
use toolkit_core::input::Surface;
use toolkit_core::registry::{TOOLS, by_mcp_name};

use crate::helpers::{Ask, spawn};

/// A call that each tool refuses, and words that the refusal must contain.
const REFUSED: [(&str, &str, &[&str]); 9] = [
    ("base64_transform", r#"{"text": "a*b=", "mode": "decode"}"#, &["`text`", "offset 1"]),
    ("format_data", r#"{"text": "{\"a\": }", "from_format": "json"}"#, &["`text`", "line 1"]),
    ("hash_text", r#"{"text": "x", "algorithm": "sha3"}"#, &["`algorithm`", "sha3", "sha256"]),
    ("decode_jwt", r#"{"token": "abc"}"#, &["`token`"]),
    ("generate_id", r#"{"id_type": "ulid", "count": 101}"#, &["`count`", "101", "100"]),
    ("regex_test", r#"{"pattern": "(", "text": "x"}"#, &["`pattern`", "offset"]),
    ("unix_timestamp", r#"{"value": "yesterday"}"#, &["`value`", "yesterday"]),
    ("cron_explain", r#"{"expression": "* * *"}"#, &["`expression`", "five"]),
    ("cidr_info", r#"{"cidr": "10.0.0.0/33"}"#, &["`cidr`", "offset 9", "0 to 32"]),
];

#[test]
fn every_example_of_every_tool_runs_and_text_and_structured_content_agree() {
    let server = spawn();
    let mut ran = 0;
    for tool in TOOLS {
        let Some(mcp) = &tool.spec().mcp else {
            continue;
        };
        for example in tool.spec().examples {
            // Some examples have inputs that only REST accepts, or omit one that MCP requires.
            let accepted = Surface::Mcp(mcp.inputs);
            let body = example.input.as_bytes();
            if tool.run_json(body, accepted, &mut Context::fixed(), &mut Vec::new()).is_err() {
                continue;
            }
            let arguments: Json = serde_json::from_str(example.input).unwrap();
            let result = server.call(mcp.name, &arguments);
            assert_eq!(result["isError"], false, "{}: {result}", mcp.name);
            let text = result["content"][0]["text"].as_str().unwrap();
            let text: Json = serde_json::from_str(text).unwrap();
            assert_eq!(text, result["structuredContent"], "{}", mcp.name);
            assert_eq!(result["content"].as_array().unwrap().len(), 1);
            let expected: Json = serde_json::from_str(example.answer).unwrap();
            assert_eq!(text["type"], expected["type"]);
            ran += 1;
        }
    }
    assert!(ran >= 9, "{ran} examples");
}

#[test]
fn a_refused_call_is_a_result_that_a_model_can_read() {
    let server = spawn();
    for (tool, arguments, words) in REFUSED {
        let arguments: Json = serde_json::from_str(arguments).unwrap();
        for ask in [
            Ask::request("tools/call", &json!({"name": tool, "arguments": arguments})),
            Ask::stateless("tools/call", json!({"name": tool, "arguments": arguments})),
        ] {
            let result = server.send(&ask).result();
            assert_eq!(result["isError"], true, "{tool}: {result}");
            assert!(result.get("structuredContent").is_none(), "{tool}");
            let content = result["content"].as_array().unwrap();
            assert_eq!((content.len(), &content[0]["type"]), (1, &json!("text")));
            let text = content[0]["text"].as_str().unwrap();
            for word in words {
                assert!(text.contains(word), "{tool}: {text}");
            }
            assert!(text.ends_with('.'), "{tool}: {text}");
        }
    }
}

#[test]
fn arguments_that_do_not_fit_the_schema_are_refused_by_name() {
    let server = spawn();
    for (arguments, expected) in [
        (json!({}), "`text` is required; also `mode` is required; use one of encode, decode."),
        (json!({"text": "x"}), "`mode` is required; use one of encode, decode."),
        (json!({"text": 1, "mode": "encode"}), "`text` must be a string, not a number."),
        (
            json!({"text": ["x"], "mode": "encode"}),
            "`text` must be a string, not an array; write the document as JSON text.",
        ),
        (
            json!({"text": "x", "mode": "encode", "url_safe": "maybe"}),
            "`url_safe` is `maybe`; use true or false.",
        ),
        (
            json!({"text": "x", "mode": "encode", "indent": 2}),
            "There is no input `indent`; the inputs are `text`, `mode`, `url_safe`.",
        ),
    ] {
        let result = server.call("base64_transform", &arguments);
        assert_eq!(result["isError"], true, "{arguments}");
        assert_eq!(result["content"][0]["text"], expected);
    }
}

#[test]
fn lenient_types_and_the_alias_of_the_main_input_are_accepted() {
    let server = spawn();
    for (tool, arguments, expected) in [
        ("base64_transform", json!({"input": "Hi", "mode": "ENCODE"}), None),
        ("base64_transform", json!({"input": "Hi", "mode": "encode"}), Some(json!("SGk="))),
        (
            "base64_transform",
            json!({"text": "a?>", "mode": "encode", "url_safe": "true"}),
            Some(json!("YT8-")),
        ),
        (
            "base64_transform",
            json!({"text": "Hi", "mode": "encode", "url_safe": null}),
            Some(json!("SGk=")),
        ),
        ("base64_transform", json!({"text": "", "mode": "encode"}), Some(json!(""))),
    ] {
        let result = server.call(tool, &arguments);
        match expected {
            Some(expected) => assert_eq!(result["structuredContent"]["result"], expected),
            None => assert_eq!(result["isError"], true, "{result}"),
        }
    }
}

#[test]
fn arguments_that_only_some_parsers_accept_are_refused_and_never_repaired() {
    let server = spawn();
    for (tool, arguments) in [
        ("base64_transform", r#"{"text": "\ud800", "mode": "encode"}"#),
        ("base64_transform", r#"{"text": "a", "text": "b", "mode": "encode"}"#),
        ("generate_id", r#"{"id_type": "ulid", "count": 1e400}"#),
        ("generate_id", r#"{"id_type": "ulid", "count": 1.5}"#),
        ("generate_id", r#"{"id_type": "ulid", "count": -1}"#),
        ("generate_id", r#"{"id_type": "ulid", "count": 18446744073709551616}"#),
    ] {
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\
             \"name\":\"{tool}\",\"arguments\":{arguments}}}}}"
        );
        let result = server.send(&Ask::post(body)).result();
        assert_eq!(result["isError"], true, "{arguments}: {result}");
    }
}

#[test]
fn an_unknown_tool_is_a_protocol_error_that_names_the_known_ones() {
    let server = spawn();
    for (ask, status) in [
        (Ask::request("tools/call", &json!({"name": "sha256", "arguments": {}})), 200),
        (Ask::stateless("tools/call", json!({"name": "sha256", "arguments": {}})), 200),
    ] {
        let reply = server.send(&ask);
        let (code, message) = reply.error();
        assert_eq!((reply.status, code), (status, -32602));
        assert!(message.starts_with("There is no tool `sha256`; the tools are base64_transform, "));
        for tool in TOOLS.iter().filter_map(|tool| tool.spec().mcp.as_ref()) {
            assert!(message.contains(tool.name), "{message}");
        }
    }
}

#[test]
fn a_slug_of_rest_is_not_a_tool_of_mcp() {
    let server = spawn();
    for name in ["url-encoder", "base64-encoder", "json-formatter", "uuid_generator", ""] {
        let reply = server.send(&Ask::request("tools/call", &json!({"name": name})));
        assert_eq!(reply.error().0, -32602, "{name}");
    }
}

#[test]
fn parameters_of_a_wrong_shape_are_a_protocol_error() {
    let server = spawn();
    for params in [
        json!({"name": 5}),
        json!({"arguments": {}}),
        json!({"name": "cidr_info", "arguments": "10.0.0.0/8"}),
        json!({"name": "cidr_info", "arguments": ["10.0.0.0/8"]}),
    ] {
        let reply = server.send(&Ask::request("tools/call", &params));
        let (code, message) = reply.error();
        assert_eq!((reply.status, code), (200, -32602), "{params}");
        assert_eq!(message, "tools/call takes `name`, a string, and `arguments`, an object.");
    }
}

#[test]
fn an_initialize_of_a_wrong_shape_says_what_it_takes() {
    let server = spawn();
    for params in [json!({}), json!({"protocolVersion": "2025-11-25"})] {
        let (code, message) = server.send(&Ask::request("initialize", &params)).error();
        assert_eq!(code, -32602, "{params}");
        assert!(message.starts_with("initialize takes `protocolVersion`"), "{message}");
    }
}

#[test]
fn a_list_of_identifiers_has_its_count() {
    let server = spawn();
    for id_type in ["uuid_v4", "uuid_v7", "ulid", "nanoid", "UUID-V7", "UuidV4"] {
        let result = server.call("generate_id", &json!({"id_type": id_type, "count": 100}));
        let answer = &result["structuredContent"];
        assert_eq!(answer["count"], 100, "{id_type}: {result}");
        assert_eq!(answer["result"].as_array().unwrap().len(), 100);
    }
}

#[test]
fn an_answer_much_longer_than_the_text_says_how_to_get_less() {
    let server = spawn();
    let nested = "[".repeat(120) + &"]".repeat(120);
    let groups = "(a)".repeat(40);
    let pretty = json!({"text": nested, "from_format": "json", "indent": 8});
    let minified = json!({"text": nested, "from_format": "json", "action": "minify"});
    let many = json!({"pattern": groups, "text": "a".repeat(40 * 100)});
    let own = json!({"text": "x".repeat(40_000), "mode": "encode"});
    for (tool, arguments, less) in [
        ("format_data", &pretty, Some("set `action` to `minify`")),
        ("format_data", &minified, None),
        ("regex_test", &many, Some("use fewer groups")),
        ("base64_transform", &own, None),
    ] {
        let params = json!({"name": tool, "arguments": arguments});
        let reply = server.send(&Ask::request("tools/call", &params));
        let warnings = reply.result()["structuredContent"]["warnings"].to_string();
        match less {
            Some(less) => assert!(warnings.contains(less), "{tool}: {warnings}"),
            None => assert!(!warnings.contains("for less"), "{tool}: {warnings}"),
        }
        let is_long = reply.body.len() > 32 << 10;
        assert_eq!(is_long, less.is_some() || tool == "base64_transform", "{tool}");
    }
}

#[test]
fn a_claim_keeps_its_digits() {
    let server = spawn();
    // {"alg":"none"} and {"n":12345678901234567890123, "f":1.10}, in Base64.
    let token = "eyJhbGciOiJub25lIn0.eyJuIjoxMjM0NTY3ODkwMTIzNDU2Nzg5MDEyMywgImYiOjEuMTB9.";
    let params = json!({"name": "decode_jwt", "arguments": {"token": token}});
    let reply = server.send(&Ask::request("tools/call", &params));
    assert!(reply.text().contains(r#""payload":{"n":12345678901234567890123"#), "{}", reply.text());
    assert!(reply.text().contains("1.10"));
}

#[test]
fn a_tool_returns_over_mcp_what_it_returns_when_called_directly() {
    let server = spawn();
    for (name, arguments) in [
        ("base64_transform", json!({"text": "Grüße \u{1F980}", "mode": "encode"})),
        ("hash_text", json!({"text": "abc", "algorithm": "SHA-512", "key": "k"})),
        ("cidr_info", json!({"cidr": "10.1.2.3/255.255.240.0"})),
    ] {
        let tool = by_mcp_name(name).unwrap();
        let mut out = b"{".to_vec();
        let body = arguments.to_string();
        let mut ctx = Context::fixed();
        tool.run_json(body.as_bytes(), Surface::Rest, &mut ctx, &mut out).unwrap();
        out.push(b'}');
        let expected: Json = serde_json::from_slice(&out).unwrap();
        assert_eq!(server.call(name, &arguments)["structuredContent"], expected);
    }
}
