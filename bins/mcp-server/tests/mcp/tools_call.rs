//! `tools/call`: answers and refusals of the tools.

use serde_json::{Value as Json, json};
use toolkit_core::registry::mcp_tools;

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
        (json!({}), "`text` is required. `mode` is required. Use one of encode, decode."),
        (json!({"text": "x"}), "`mode` is required. Use one of encode, decode."),
        (json!({"text": 1, "mode": "encode"}), "`text` must be a string, not a number."),
        (
            json!({"text": ["x"], "mode": "encode"}),
            "`text` must be a string, not an array. Write the document as JSON text.",
        ),
        (
            json!({"text": "x", "mode": "encode", "url_safe": "maybe"}),
            "`url_safe` is `maybe`. Use true or false.",
        ),
        (
            json!({"text": "x", "mode": "encode", "indent": 2}),
            "Unknown input `indent`. This tool takes `text`, `mode`, `url_safe`.",
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
        ("base64_transform", json!({"input": "Hi", "mode": "ENCODE"}), Some(json!("SGk="))),
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
        assert!(message.starts_with("Unknown tool `sha256`. The tools are base64_transform, "));
        for (_, mcp) in mcp_tools() {
            assert!(message.contains(mcp.name), "{message}");
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
    // Nested groups: a hundred characters have as many matches, found in a millisecond.
    let groups = "(".repeat(40) + "a" + &")".repeat(40);
    let pretty = json!({"text": nested, "from_format": "json", "indent": 8});
    let minified = json!({"text": nested, "from_format": "json", "action": "minify"});
    let many = json!({"pattern": groups, "text": "a".repeat(100)});
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
            Some(less) => assert!(warnings.contains(less), "{tool}: {}", reply.text()),
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
