//! Chat Completions, as spoken by OpenAI and compatible servers.

use reqwest::header::{HeaderName, HeaderValue};
use serde_json::{Value, json};
use toolkit_llm::providers::{Kind, OpenAi, ProviderConfig};
use toolkit_llm::{FinishReason, Message, Provider, ProviderError, RetryAfter, Usage};
use wiremock::ResponseTemplate;

use crate::support::http::{
    assert_blame, assert_finish_reasons, assert_garbage_is_unusable, assert_reply,
    assert_statuses_are_told_apart, assert_unusable, header, json, read, read_json, request_for,
    server,
};
use crate::support::{KEY, ask_directly, client, config, conversation, hello};

const KIND: Kind = Kind::OpenAi;

fn keyless(mut config: ProviderConfig) -> ProviderConfig {
    config.api_key = None;
    config
}

/// An answer as shown in the API reference, with `message` and `finish_reason` filled in.
fn completion(message: &Value, finish_reason: &Value) -> Value {
    json!({
        "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
        "object": "chat.completion",
        "created": 1_741_569_952,
        "model": "gpt-x-2026-01-01",
        "choices": [{
            "index": 0,
            "message": message,
            "logprobs": null,
            "finish_reason": finish_reason,
        }],
        "usage": {
            "prompt_tokens": 19,
            "completion_tokens": 10,
            "total_tokens": 29,
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
        "service_tier": "default",
    })
}

fn said(content: &Value) -> Value {
    json!({"role": "assistant", "content": content, "refusal": null, "annotations": []})
}

#[tokio::test]
async fn a_reply_is_read_whole() {
    let body = completion(&said(&json!("Hello! \"é\" 🦀\n")), &json!("stop"));
    let reply = read_json(KIND, body).await.unwrap();
    assert_reply(&reply, "gpt-x-2026-01-01", "Hello! \"é\" 🦀\n", Usage::new(19, 10));
}

#[tokio::test]
async fn the_request_is_what_the_reference_asks_for() {
    let conversation = conversation(vec![
        Message::system("Be kind."),
        Message::user("a"),
        Message::assistant("b"),
        Message::user("c\"\n"),
    ]);
    let request = request_for(KIND, &conversation, Some("Be brief.")).await;
    assert_eq!(request.method.as_str(), "POST");
    assert_eq!(request.url.path(), "/v1/chat/completions");
    assert_eq!(request.url.query(), None);
    assert_eq!(header(&request, "authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(header(&request, "content-type"), Some("application/json"));
    assert_eq!(header(&request, "accept-encoding"), None);
    assert_eq!(
        json(&request),
        json!({
            "model": "model-1",
            "messages": [
                {"role": "system", "content": "Be brief.\n\nBe kind."},
                {"role": "user", "content": "a"},
                {"role": "assistant", "content": "b"},
                {"role": "user", "content": "c\"\n"},
            ],
            "max_tokens": 64,
            "stream": true,
            "stream_options": {"include_usage": true},
        })
    );
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
async fn cached_and_reasoning_tokens_are_told() {
    let mut body = completion(&said(&json!("text")), &json!("stop"));
    body["usage"]["prompt_tokens_details"] = json!({"cached_tokens": 7, "audio_tokens": 0});
    body["usage"]["completion_tokens_details"]["reasoning_tokens"] = json!(4);
    let usage = read_json(KIND, body).await.unwrap().usage.unwrap();
    assert_eq!((usage.cached_tokens, usage.reasoning_tokens), (7, 4));
    assert_eq!((usage.input_tokens, usage.output_tokens), (19, 10));
}

#[tokio::test]
async fn content_may_be_an_array_of_parts_and_reasoning_is_left_out() {
    let parts = json!([
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "Hello"},
        {"type": "text", "text": ", you"},
        {"type": "reference", "reference_ids": [1]},
    ]);
    let reply = read_json(KIND, completion(&said(&parts), &json!("stop"))).await.unwrap();
    assert_eq!(reply.text, "Hello, you");
}

#[tokio::test]
async fn reasoning_next_to_the_content_is_left_out() {
    let message = json!({"role": "assistant", "content": "42", "reasoning_content": "6 * 7"});
    let reply = read_json(KIND, completion(&message, &json!("stop"))).await.unwrap();
    assert_eq!(reply.text, "42");
}

#[tokio::test]
async fn a_refusal_is_the_reply_and_says_so() {
    let message = json!({"role": "assistant", "content": null, "refusal": "I can't help."});
    let reply = read_json(KIND, completion(&message, &json!("stop"))).await.unwrap();
    assert_eq!(reply.text, "I can't help.");
    assert_eq!(reply.finish_reason, FinishReason::ContentFilter);
}

#[tokio::test]
async fn finish_reasons_come_in_one_vocabulary() {
    let words = [
        (json!("stop"), FinishReason::Stop),
        (json!("length"), FinishReason::Length),
        (json!("model_length"), FinishReason::Length),
        (json!("content_filter"), FinishReason::ContentFilter),
        (json!("tool_calls"), FinishReason::ToolCalls),
        (json!("function_call"), FinishReason::ToolCalls),
        (json!("something_new"), FinishReason::Other),
        (json!(null), FinishReason::Other),
        (json!(7), FinishReason::Other),
    ];
    let body = |word: &Value| completion(&said(&json!("text")), word);
    assert_finish_reasons(KIND, body, words).await;
}

#[tokio::test]
async fn a_bare_answer_of_a_small_server_is_enough() {
    let body = json!({"choices": [{"message": {"content": "Hi"}}]});
    let reply = read_json(KIND, body).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_str()), ("Hi", "model-1"));
    assert_eq!((reply.finish_reason, reply.usage), (FinishReason::Other, None));
}

#[tokio::test]
async fn malformed_fields_other_than_the_text_do_not_lose_the_reply() {
    for (field, odd) in [
        ("usage", json!(null)),
        ("usage", json!("many")),
        ("usage", json!({"prompt_tokens": -1, "completion_tokens": 1})),
        ("usage", json!({"prompt_tokens": 1.5, "completion_tokens": 1})),
        ("usage", json!({"prompt_tokens": 1})),
        ("model", json!(null)),
        ("model", json!(["a"])),
        ("model", json!("")),
        ("model", json!("a\nb")),
        ("model", json!("m".repeat(201))),
        ("error", json!(null)),
    ] {
        let mut body = completion(&said(&json!("text")), &json!("stop"));
        body[field] = odd.clone();
        let reply = read_json(KIND, body).await.unwrap();
        assert_eq!(reply.text, "text", "{field}: {odd}");
        match field {
            "usage" => assert_eq!(reply.usage, None, "{odd}"),
            "model" => assert_eq!(reply.model, "model-1", "{odd}"),
            _ => {}
        }
    }
}

#[tokio::test]
async fn an_unknown_field_may_nest_to_any_depth() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let body = format!(r#"{{"x": {deep}, "choices": [{{"message": {{"content": "Hi"}}}}]}}"#);
    let reply = read(KIND, ResponseTemplate::new(200).set_body_string(body)).await.unwrap();
    assert_eq!(reply.text, "Hi");
}

#[tokio::test]
async fn an_answer_without_text_is_unusable() {
    let with_choices = |choices: Value| {
        let mut body = completion(&said(&json!("text")), &json!("stop"));
        body["choices"] = choices;
        body
    };
    let bodies = [
        with_choices(json!([])),
        with_choices(json!(null)),
        with_choices(json!({})),
        with_choices(json!("text")),
        with_choices(json!([{}])),
        with_choices(json!([null])),
        with_choices(json!([{"text": "old style"}])),
        with_choices(json!([{"message": "text"}])),
        completion(&json!({"role": "assistant"}), &json!("stop")),
        completion(&said(&json!(null)), &json!("stop")),
        completion(&said(&json!("")), &json!("stop")),
        completion(&said(&json!(" \n")), &json!("length")),
        completion(&said(&json!(7)), &json!("stop")),
        completion(&said(&json!({"text": "a"})), &json!("stop")),
        completion(&said(&json!([])), &json!("stop")),
        completion(&said(&json!(["a"])), &json!("stop")),
        completion(&said(&json!([{"type": "text", "text": 7}])), &json!("stop")),
        completion(&said(&json!("half a rep")), &json!("error")),
    ];
    assert_unusable(KIND, bodies).await;
}

#[tokio::test]
async fn an_answer_in_the_format_without_text_is_told_apart() {
    for (text, reason) in [("", "stop"), (" \n", "length")] {
        let body = completion(&said(&json!(text)), &json!(reason));
        let error = read_json(KIND, body).await.unwrap_err();
        assert!(matches!(error, ProviderError::NoText { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_filter_that_leaves_nothing_is_not_the_providers_fault() {
    let body = completion(&said(&json!("")), &json!("content_filter"));
    let error = read_json(KIND, body).await.unwrap_err();
    assert!(matches!(error, ProviderError::Filtered { .. }), "{error:?}");
}

#[tokio::test]
async fn an_error_within_a_200_counts_by_its_own_status() {
    let mut with_text = completion(&said(&json!("text")), &json!("stop"));
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
async fn garbage_is_unusable() {
    assert_garbage_is_unusable(KIND).await;
}

#[tokio::test]
async fn statuses_are_distinguished() {
    assert_statuses_are_told_apart(KIND).await;
}

#[tokio::test]
async fn a_400_is_the_callers_fault_unless_it_names_our_configuration() {
    for (kind, code, denied) in [
        ("invalid_request_error", "context_length_exceeded", false),
        ("invalid_request_error", "invalid_value", false),
        ("invalid_request_error", "400", false),
        ("invalid_request_error", "model_not_found", true),
        ("invalid_request_error", "model_decommissioned", true),
        ("invalid_request_error", "unsupported_parameter", true),
        ("no_db_connection", "400", true),
    ] {
        let body = json!({"error": {"message": "m", "type": kind, "param": null, "code": code}});
        let answer = ResponseTemplate::new(400).set_body_json(body);
        assert_blame(KIND, answer, denied, &format!("{kind} {code}")).await;
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
async fn a_429_gives_its_retry_after_in_either_form() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    for (value, expected) in [
        (Some("17"), RetryAfter::parse("17")),
        (Some(date), RetryAfter::parse(date)),
        (Some("later"), None),
        (None, None),
    ] {
        let mut answer = ResponseTemplate::new(429);
        if let Some(value) = value {
            answer = answer.insert_header("Retry-After", value);
        }
        match read(KIND, answer).await {
            Err(ProviderError::RateLimited { retry_after }) => assert_eq!(retry_after, expected),
            other => panic!("{value:?}: {other:?}"),
        }
    }
    assert!(RetryAfter::parse(date).is_some());
}

#[tokio::test]
async fn a_conversation_of_the_largest_size_is_sent_whole() {
    let messages = (0..100).map(|_| Message::user("x".repeat(655))).collect();
    let request = request_for(KIND, &conversation(messages), None).await;
    let body = json(&request);
    let messages = body["messages"].as_array().unwrap();
    assert!(messages.len() == 100 && messages.iter().all(|m| m["content"] == "x".repeat(655)));
}

#[test]
fn openai_itself_is_the_default_and_needs_a_key() {
    let config = ProviderConfig::new("main", "model-1").api_key(KEY);
    let provider = OpenAi::new(client(), config.clone()).unwrap();
    assert_eq!((provider.name(), provider.timeout()), ("main", None));
    let config = keyless(config);
    assert_eq!(OpenAi::new(client(), config).unwrap_err().field, "api_key");
}
