//! Anthropic's Messages API.

use serde_json::{Value, json};
use toolkit_llm::providers::{Anthropic, Kind};
use toolkit_llm::{FinishReason, Message, Usage};
use wiremock::ResponseTemplate;

use crate::support::http::{
    assert_blame, assert_filtered, assert_finish_reasons, assert_garbage_is_unusable, assert_reply,
    assert_statuses_are_told_apart, assert_unusable, header, json, read_json, request_for, server,
};
use crate::support::{KEY, ask_directly, client, config, conversation, hello};

const KIND: Kind = Kind::Anthropic;

/// An answer as shown in the API reference, with `content` and `stop_reason` filled in.
fn message(content: &Value, stop_reason: &Value) -> Value {
    json!({
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "content": content,
        "model": "claude-x-20260101",
        "stop_reason": stop_reason,
        "stop_sequence": null,
        "usage": {
            "input_tokens": 12,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 6,
            "service_tier": "standard",
        },
    })
}

fn text(text: &str) -> Value {
    json!([{"type": "text", "text": text, "citations": null}])
}

#[tokio::test]
async fn a_reply_is_read_whole() {
    let reply = read_json(KIND, message(&text("Hello!"), &json!("end_turn"))).await.unwrap();
    assert_reply(&reply, "claude-x-20260101", "Hello!", Usage::new(12, 6));
}

#[tokio::test]
async fn the_request_is_what_the_reference_asks_for() {
    let conversation = conversation(vec![
        Message::system("Be kind."),
        Message::user("a"),
        Message::assistant("b"),
        Message::user("c"),
        Message::user("d"),
    ]);
    let request = request_for(KIND, &conversation, Some("Be brief.")).await;
    assert_eq!(request.method.as_str(), "POST");
    assert_eq!((request.url.path(), request.url.query()), ("/v1/messages", None));
    assert_eq!(header(&request, "x-api-key"), Some(KEY));
    assert_eq!(header(&request, "anthropic-version"), Some("2023-06-01"));
    assert_eq!(header(&request, "content-type"), Some("application/json"));
    assert_eq!(header(&request, "authorization"), None);
    assert_eq!(
        json(&request),
        json!({
            "model": "model-1",
            "max_tokens": 64,
            "system": [
                {"type": "text", "text": "Be brief."},
                {"type": "text", "text": "Be kind."},
            ],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "a"}]},
                {"role": "assistant", "content": [{"type": "text", "text": "b"}]},
                {"role": "user", "content": [
                    {"type": "text", "text": "c"},
                    {"type": "text", "text": "d"},
                ]},
            ],
            "stream": true,
        })
    );
}

#[tokio::test]
async fn without_instructions_there_is_no_system() {
    let request = request_for(KIND, &hello(), None).await;
    assert_eq!(json(&request).get("system"), None);
}

#[tokio::test]
async fn a_base_with_its_version_is_understood() {
    let server = server(ResponseTemplate::new(500)).await;
    for base in ["/", "/v1", "/v1/"] {
        let config = config(&format!("{}{base}", server.uri()));
        ask_directly(&Anthropic::new(client(), config).unwrap(), &hello()).await.unwrap_err();
    }
    for request in server.received_requests().await.unwrap() {
        assert_eq!(request.url.path(), "/v1/messages");
    }
}

#[tokio::test]
async fn the_texts_of_all_blocks_are_joined_and_other_blocks_are_left_out() {
    let content = json!([
        {"type": "thinking", "thinking": "hm", "signature": "x"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": "Hello"},
        {"type": "something_new", "text": "?"},
        {"type": "text", "text": ", you"},
    ]);
    let reply = read_json(KIND, message(&content, &json!("end_turn"))).await.unwrap();
    assert_eq!(reply.text, "Hello, you");
}

#[tokio::test]
async fn finish_reasons_come_in_one_vocabulary() {
    let words = [
        (json!("end_turn"), FinishReason::Stop),
        (json!("stop_sequence"), FinishReason::Stop),
        (json!("max_tokens"), FinishReason::Length),
        (json!("model_context_window_exceeded"), FinishReason::Length),
        (json!("refusal"), FinishReason::ContentFilter),
        (json!("tool_use"), FinishReason::ToolCalls),
        (json!("pause_turn"), FinishReason::Other),
        (json!(null), FinishReason::Other),
        (json!(7), FinishReason::Other),
    ];
    let body = |word: &Value| message(&text("text"), word);
    assert_finish_reasons(KIND, body, words).await;
}

#[tokio::test]
async fn cached_input_counts_as_input() {
    let mut body = message(&text("text"), &json!("end_turn"));
    body["usage"] = json!({
        "input_tokens": 5,
        "cache_creation_input_tokens": 100,
        "cache_read_input_tokens": null,
        "output_tokens": 2,
    });
    let reply = read_json(KIND, body.clone()).await.unwrap();
    assert_eq!(reply.usage, Some(Usage::new(105, 2)));
    body["usage"]["cache_read_input_tokens"] = json!(40);
    let usage = read_json(KIND, body).await.unwrap().usage.unwrap();
    assert_eq!((usage.input_tokens, usage.cached_tokens), (145, 40));
}

#[tokio::test]
async fn malformed_fields_other_than_the_text_do_not_lose_the_reply() {
    for (field, odd) in [
        ("usage", json!(null)),
        ("usage", json!({"input_tokens": "12", "output_tokens": 6})),
        ("model", json!(7)),
        ("role", json!(7)),
        ("id", json!(null)),
    ] {
        let mut body = message(&text("text"), &json!("end_turn"));
        body[field] = odd;
        assert_eq!(read_json(KIND, body).await.unwrap().text, "text", "{field}");
    }
}

#[tokio::test]
async fn an_answer_without_text_is_unusable() {
    let stop = json!("end_turn");
    let bodies = [
        message(&json!([]), &stop),
        message(&json!(null), &stop),
        message(&json!("text"), &stop),
        message(&json!([null]), &stop),
        message(&json!([{"text": "a"}]), &stop),
        message(&json!([{"type": "text"}]), &stop),
        message(&json!([{"type": "text", "text": 7}]), &stop),
        message(&text(""), &stop),
        message(&text(" \n"), &stop),
        message(&json!([{"type": "thinking", "thinking": "hm"}]), &json!("max_tokens")),
    ];
    assert_unusable(KIND, bodies).await;
}

#[tokio::test]
async fn an_empty_refusal_is_not_the_providers_fault() {
    let bodies = [json!([]), text("")].map(|content| message(&content, &json!("refusal")));
    assert_filtered(KIND, bodies).await;
}

#[tokio::test]
async fn garbage_is_unusable() {
    assert_garbage_is_unusable(KIND).await;
}

#[tokio::test]
async fn statuses_are_distinguished() {
    assert_statuses_are_told_apart(KIND).await;
}

#[tokio::test]
async fn an_empty_account_is_the_operators_fault_though_its_status_is_400() {
    for (message, denied) in [
        ("Your credit balance is too low to access the Anthropic API.", true),
        ("You have reached your specified API usage limits.", true),
        ("prompt is too long: 250000 tokens > 200000 maximum", false),
        ("messages.0.content: Your credit balance", false),
    ] {
        let body = json!({
            "type": "error",
            "error": {"type": "invalid_request_error", "message": message},
            "request_id": "req_1",
        });
        let answer = ResponseTemplate::new(400).set_body_json(body);
        assert_blame(KIND, answer, denied, message).await;
    }
}
