//! What only Chat Completions have, as spoken by OpenAI and compatible servers.

use reqwest::header::{HeaderName, HeaderValue};
use serde_json::{Value, json};
use toolkit_llm::providers::{Kind, OpenAi, ProviderConfig};
use toolkit_llm::{FinishReason, Message, ProviderError};
use wiremock::ResponseTemplate;

use crate::support::http::{header, json, read, read_json, request_for, server};
use crate::support::{ask_directly, client, config, conversation, hello};

const KIND: Kind = Kind::OpenAi;

fn keyless(mut config: ProviderConfig) -> ProviderConfig {
    config.api_key = None;
    config
}

/// An answer with this message.
fn completion(message: &Value, finish_reason: &str) -> Value {
    json!({"model": "gpt-x", "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}]})
}

fn said(content: &Value) -> Value {
    json!({"role": "assistant", "content": content, "refusal": null, "annotations": []})
}

#[tokio::test]
async fn there_is_one_system_message_and_it_is_the_first() {
    let conversation =
        conversation(vec![Message::user("a"), Message::system("Be kind."), Message::user("b")]);
    for (prompt, instructions) in [(Some("Be brief."), "Be brief.\n\nBe kind."), (None, "Be kind.")]
    {
        let body = json(&request_for(KIND, &conversation, prompt).await);
        assert_eq!(
            body["messages"],
            json!([
                {"role": "system", "content": instructions},
                {"role": "user", "content": "a"},
                {"role": "user", "content": "b"},
            ])
        );
    }
    let body = json(&request_for(KIND, &hello(), None).await);
    assert_eq!(body["messages"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn without_a_key_no_authorization_is_sent() {
    let server = server(ResponseTemplate::new(500)).await;
    let config = keyless(config(&server.uri()));
    let provider = OpenAi::new(client(), config).unwrap();
    ask_directly(&provider, &hello()).await.unwrap_err();
    let requests = server.received_requests().await.unwrap();
    assert_eq!(header(&requests[0], "authorization"), None);
}

#[tokio::test]
async fn a_key_with_a_line_break_around_it_works_and_one_within_is_refused() {
    let server = server(ResponseTemplate::new(500)).await;
    let with_key = |key: &str| {
        let config = config(&server.uri()).api_key(key);
        OpenAi::new(client(), config)
    };
    ask_directly(&with_key("k1\r\n").unwrap(), &hello()).await.unwrap_err();
    let requests = server.received_requests().await.unwrap();
    assert_eq!(header(&requests[0], "authorization"), Some("Bearer k1"));

    let error = with_key("k1\r\nX-Evil: 1").unwrap_err();
    assert_eq!(error.field, "api_key");
    assert!(!error.to_string().contains("Evil"), "{error}");
}

#[tokio::test]
async fn configured_headers_and_fields_are_sent_and_shown_nowhere() {
    let server = server(ResponseTemplate::new(500)).await;
    let config = config(&server.uri())
        .header(HeaderName::from_static("x-team"), HeaderValue::from_static("canary-team"))
        .body_field("reasoning_effort", "low");
    assert!(!format!("{config:?}").contains("canary-team"));
    let provider = OpenAi::new(client(), config).unwrap();
    ask_directly(&provider, &hello()).await.unwrap_err();
    let requests = server.received_requests().await.unwrap();
    assert_eq!(header(&requests[0], "x-team"), Some("canary-team"));
    let body = json(&requests[0]);
    assert_eq!((&body["reasoning_effort"], &body["model"]), (&json!("low"), &json!("model-1")));
}

#[tokio::test]
async fn reasoning_next_to_the_content_is_left_out() {
    let message = json!({"role": "assistant", "content": "42", "reasoning_content": "6 * 7"});
    let reply = read_json(KIND, completion(&message, "stop")).await.unwrap();
    assert_eq!(reply.text, "42");
}

#[tokio::test]
async fn a_refusal_is_the_reply_and_says_so() {
    let message = json!({"role": "assistant", "content": null, "refusal": "I can't help."});
    let reply = read_json(KIND, completion(&message, "stop")).await.unwrap();
    assert_eq!(reply.text, "I can't help.");
    assert_eq!(reply.finish_reason, FinishReason::ContentFilter);
}

#[tokio::test]
async fn a_bare_answer_of_a_small_server_is_enough() {
    let body = json!({"choices": [{"message": {"content": "Hi"}}]});
    let reply = read_json(KIND, body).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_str()), ("Hi", "model-1"));
    assert_eq!((reply.finish_reason, reply.usage), (FinishReason::Other, None));
}

#[tokio::test]
async fn an_unknown_field_may_nest_to_any_depth() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let body = format!(r#"{{"x": {deep}, "choices": [{{"message": {{"content": "Hi"}}}}]}}"#);
    let reply = read(KIND, ResponseTemplate::new(200).set_body_string(body)).await.unwrap();
    assert_eq!(reply.text, "Hi");
}

#[tokio::test]
async fn an_answer_in_the_format_without_text_is_told_apart() {
    for (text, reason) in [("", "stop"), (" \n", "length")] {
        let body = completion(&said(&json!(text)), reason);
        let error = read_json(KIND, body).await.unwrap_err();
        assert!(matches!(error, ProviderError::NoText { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn an_error_within_a_200_counts_by_its_own_status() {
    let mut with_text = completion(&said(&json!("text")), "stop");
    with_text["error"] = json!({"code": 502, "message": "Provider returned error"});
    let of = |code: u16| json!({"error": {"code": code, "message": "m"}});
    for (body, said) in [
        (with_text, "status 502"),
        (of(429), "rate limited"),
        (of(402), "status 402: the account has no credit"),
        (json!({"error": {"message": "m"}}), "unusable answer: an error with a successful status"),
    ] {
        let error = read_json(KIND, body).await.unwrap_err();
        assert_eq!(error.to_string(), said);
    }
}

#[tokio::test]
async fn a_400_that_names_length_or_content_is_the_callers_for_certain() {
    for (code, message) in [
        ("context_length_exceeded", "m"),
        ("content_filter", "The response was filtered"),
        ("string_above_max_length", "m"),
        (
            "400",
            "This model's maximum context length is 8192 tokens. However, your messages resulted in \
             9000 tokens (8500 in the messages, 500 in the functions).",
        ),
        ("400", "litellm.ContextWindowExceededError: m"),
        ("400", "the request exceeds the available context size"),
    ] {
        let body = json!({"error": {"message": message, "code": code}});
        let answer = ResponseTemplate::new(400).set_body_json(body);
        let error = read(KIND, answer).await.unwrap_err();
        let is_content = code == "content_filter";
        let is_right = match error {
            ProviderError::Refused { status: 400 } => is_content,
            ProviderError::TooLong { status: 400 } => !is_content,
            _ => false,
        };
        assert!(is_right, "{code} {message}: {error:?}");
    }
    let body = json!({"error": {"message": "Invalid model name passed in model=m", "code": "400"}});
    let answer = ResponseTemplate::new(400).set_body_json(body);
    let error = read(KIND, answer).await.unwrap_err();
    assert!(matches!(error, ProviderError::BadRequest), "{error:?}");
}

#[tokio::test]
async fn a_403_of_moderation_does_not_count_as_a_refused_key() {
    let body = json!({"error": {
        "code": 403,
        "message": "Your input was flagged",
        "metadata": {"reasons": ["violence"], "flagged_input": "…", "provider_name": "p"},
    }});
    let error = read(KIND, ResponseTemplate::new(403).set_body_json(body)).await.unwrap_err();
    assert!(matches!(error, ProviderError::Declined { .. }), "{error:?}");
}

#[tokio::test]
async fn a_conversation_of_the_largest_size_is_sent_whole() {
    let messages = (0..100).map(|_| Message::user("x".repeat(655))).collect();
    let request = request_for(KIND, &conversation(messages), None).await;
    let body = json(&request);
    let messages = body["messages"].as_array().unwrap();
    assert!(messages.len() == 100 && messages.iter().all(|m| m["content"] == "x".repeat(655)));
}
