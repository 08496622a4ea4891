//! Google's Gemini API.

use std::time::Duration;

use serde_json::{Value, json};
use toolkit_llm::providers::Kind;
use toolkit_llm::{FinishReason, Message, ProviderError, RetryAfter, Usage};
use wiremock::ResponseTemplate;

use crate::support::http::{
    assert_blame, assert_filtered, assert_finish_reasons, assert_garbage_is_unusable, assert_reply,
    assert_statuses_are_told_apart, assert_unusable, header, json, read, read_json, request_for,
};
use crate::support::{KEY, conversation, hello};

const KIND: Kind = Kind::Gemini;

/// An answer as shown in the API reference, with `parts` and `finish_reason` filled in.
fn answer(parts: &Value, finish_reason: &Value) -> Value {
    json!({
        "candidates": [{
            "content": {"parts": parts, "role": "model"},
            "finishReason": finish_reason,
            "index": 0,
            "avgLogprobs": -0.05,
        }],
        "usageMetadata": {
            "promptTokenCount": 8,
            "candidatesTokenCount": 4,
            "thoughtsTokenCount": 30,
            "totalTokenCount": 42,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 8}],
        },
        "modelVersion": "gemini-x-001",
        "responseId": "abc",
    })
}

fn text(text: &str) -> Value {
    json!([{"text": text}])
}

#[tokio::test]
async fn a_reply_is_read_whole_and_thoughts_count_as_output() {
    let reply = read_json(KIND, answer(&text("Hello!"), &json!("STOP"))).await.unwrap();
    assert_reply(&reply, "gemini-x-001", "Hello!", Usage::new(8, 34));
    assert_eq!(reply.usage.unwrap().reasoning_tokens, 30);
}

#[tokio::test]
async fn the_request_is_what_the_reference_asks_for() {
    let conversation = conversation(vec![
        Message::user("a"),
        Message::assistant("b"),
        Message::system("Be kind."),
        Message::user("c"),
    ]);
    let request = request_for(KIND, &conversation, Some("Be brief.")).await;
    assert_eq!(request.method.as_str(), "POST");
    let path = "/v1beta/models/model-1:streamGenerateContent";
    assert_eq!(request.url.path(), path);
    let query = request.url.query();
    assert_eq!(query, Some("alt=sse"), "the key is never in the address");
    assert_eq!(header(&request, "x-goog-api-key"), Some(KEY));
    assert_eq!(header(&request, "content-type"), Some("application/json"));
    assert_eq!(
        json(&request),
        json!({
            "systemInstruction": {"parts": [{"text": "Be brief."}, {"text": "Be kind."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "a"}]},
                {"role": "model", "parts": [{"text": "b"}]},
                {"role": "user", "parts": [{"text": "c"}]},
            ],
            "generationConfig": {"maxOutputTokens": 64},
        })
    );
}

#[tokio::test]
async fn without_instructions_there_is_no_system_instruction() {
    let request = request_for(KIND, &hello(), None).await;
    assert_eq!(json(&request).get("systemInstruction"), None);
}

#[tokio::test]
async fn the_texts_of_all_parts_are_joined_and_thoughts_are_left_out() {
    let parts = json!([
        {"text": "hm", "thought": true},
        {"text": "Hello", "thoughtSignature": "x"},
        {"inlineData": {"mimeType": "image/png", "data": ""}},
        {"text": ", you", "thought": false},
    ]);
    let reply = read_json(KIND, answer(&parts, &json!("STOP"))).await.unwrap();
    assert_eq!(reply.text, "Hello, you");
}

#[tokio::test]
async fn finish_reasons_come_in_one_vocabulary() {
    let words = [
        (json!("STOP"), FinishReason::Stop),
        (json!("MAX_TOKENS"), FinishReason::Length),
        (json!("SAFETY"), FinishReason::ContentFilter),
        (json!("RECITATION"), FinishReason::ContentFilter),
        (json!("BLOCKLIST"), FinishReason::ContentFilter),
        (json!("PROHIBITED_CONTENT"), FinishReason::ContentFilter),
        (json!("SPII"), FinishReason::ContentFilter),
        (json!("LANGUAGE"), FinishReason::Other),
        (json!("MALFORMED_FUNCTION_CALL"), FinishReason::Other),
        (json!(null), FinishReason::Other),
        (json!(1), FinishReason::Other),
    ];
    let body = |word: &Value| answer(&text("text"), word);
    assert_finish_reasons(KIND, body, words).await;
}

#[tokio::test]
async fn absent_counts_are_zero_and_malformed_ones_are_ignored() {
    for (usage, expected) in [
        (json!({"promptTokenCount": 8}), Some(Usage::new(8, 0))),
        (json!({"promptTokenCount": "8"}), None),
        (json!({"promptTokenCount": -8}), None),
        (json!({}), None),
        (json!(null), None),
        (json!([]), None),
    ] {
        let mut body = answer(&text("text"), &json!("STOP"));
        body["usageMetadata"] = usage.clone();
        assert_eq!(read_json(KIND, body).await.unwrap().usage, expected, "{usage}");
    }
}

#[tokio::test]
async fn a_blocked_prompt_or_candidate_is_not_the_providers_fault() {
    let blocked_prompt = json!({
        "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
        "usageMetadata": {"promptTokenCount": 8, "totalTokenCount": 8},
        "modelVersion": "gemini-x-001",
    });
    let without_content = json!({"candidates": [{"finishReason": "SAFETY", "index": 0}]});
    assert_filtered(
        KIND,
        [blocked_prompt, without_content, answer(&json!([]), &json!("RECITATION"))],
    )
    .await;
}

#[tokio::test]
async fn an_answer_without_text_is_unusable() {
    let stop = json!("STOP");
    let bodies = [
        json!({"candidates": []}),
        json!({"candidates": null}),
        json!({"candidates": {}}),
        json!({"candidates": [{}]}),
        json!({"candidates": [null]}),
        json!({"candidates": [{"content": "text"}]}),
        json!({"candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}]}),
        json!({"promptFeedback": {"safetyRatings": []}}),
        json!({"promptFeedback": {"blockReason": ""}}),
        answer(&json!([]), &stop),
        answer(&json!("text"), &stop),
        answer(&json!([{"text": 7}]), &stop),
        answer(&text(""), &stop),
        answer(&text(" \n"), &stop),
        answer(&json!([{"text": "hm", "thought": true}]), &json!("MAX_TOKENS")),
    ];
    assert_unusable(KIND, bodies).await;
}

#[tokio::test]
async fn garbage_is_unusable() {
    assert_garbage_is_unusable(KIND).await;
}

#[tokio::test]
async fn statuses_are_distinguished() {
    assert_statuses_are_told_apart(KIND).await;
}

fn failure(code: u16, status: &str, details: &Value) -> ResponseTemplate {
    let error = json!({"code": code, "message": "m", "status": status, "details": details});
    ResponseTemplate::new(code).set_body_json(json!({"error": error}))
}

#[tokio::test]
async fn a_wrong_key_is_the_operators_fault_though_its_status_is_400() {
    let info = json!([{
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "API_KEY_INVALID",
        "domain": "googleapis.com",
    }]);
    let violation = json!([{
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": [{"field": "contents", "description": "d"}],
    }]);
    let text = json!("API_KEY_INVALID");
    for (case, status, details, denied) in [
        ("a wrong key", "INVALID_ARGUMENT", &info, true),
        ("a wrong account", "FAILED_PRECONDITION", &json!([]), true),
        ("a wrong request", "INVALID_ARGUMENT", &violation, false),
        ("another form", "INVALID_ARGUMENT", &text, false),
    ] {
        let answer = failure(400, status, details);
        assert_blame(KIND, answer, denied, case).await;
    }
}

#[tokio::test]
async fn a_429_gives_its_pause_in_the_body_or_the_header() {
    let info = |delay: &str| {
        json!([
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": []},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
        ])
    };
    let answer = |delay| failure(429, "RESOURCE_EXHAUSTED", &info(delay));
    let delay = |seconds| Some(RetryAfter::Delay(Duration::from_secs(seconds)));
    for (answer, expected) in [
        (answer("34s"), delay(34)),
        (answer("soon").insert_header("Retry-After", "9"), delay(9)),
        (failure(429, "RESOURCE_EXHAUSTED", &json!([])), None),
    ] {
        match read(KIND, answer).await {
            Err(ProviderError::RateLimited { retry_after }) => assert_eq!(retry_after, expected),
            other => panic!("{other:?}"),
        }
    }
}
