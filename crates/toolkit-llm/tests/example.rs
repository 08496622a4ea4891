//! Runs `examples/chat.rs` against a provider that calls its tool.

use serde_json::{Value, json};
use wiremock::matchers::{any, body_string_contains};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::support::config;
use crate::support::sse::events;

#[path = "../examples/chat.rs"]
#[expect(dead_code, reason = "a test calls what its main function calls")]
mod chat;

fn answer(delta: &Value, finish_reason: &str) -> ResponseTemplate {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish_reason});
    let body = events(&[json!({"model": "m-1", "choices": [choice]})]) + "data: [DONE]\n\n";
    ResponseTemplate::new(200).set_body_raw(body, "text/event-stream")
}

#[tokio::test]
async fn the_example_runs_its_tool_and_prints_the_reply() {
    let server = MockServer::start().await;
    let function = json!({"name": "count_characters", "arguments": r#"{"text": "strawberry"}"#});
    let call = json!({"tool_calls": [{"index": 0, "id": "a", "function": function}]});
    let result = body_string_contains(r#""content":"10""#);
    let reply = answer(&json!({"content": "Ten."}), "stop");
    Mock::given(result).respond_with(reply).mount(&server).await;
    let first = Mock::given(any()).respond_with(answer(&call, "tool_calls"));
    first.up_to_n_times(1).mount(&server).await;

    let mut out = Vec::new();
    let config = config(&server.uri());
    chat::chat(config, "How long is strawberry?", &mut out).await.unwrap();
    let printed = String::from_utf8(out).unwrap();
    assert_eq!(printed, "[count_characters]\nTen.\n(m-1, stop)\n");
}
