//! Options of a request: how each wire format writes them, and the warnings for those that a
//! provider does not support.

use serde_json::{Value, json};
use toolkit_llm::providers::Kind;
use toolkit_llm::{Chain, ChatRequest, ResponseFormat};
use wiremock::ResponseTemplate;

use crate::support::http::{json as body_of, server};
use crate::support::script::{Script, Step, chain_of};
use crate::support::{hello, provider};

fn schema() -> Value {
    json!({
        "type": "object", "properties": {"city": {"type": "string"}},
        "required": ["city"], "additionalProperties": false,
    })
}

fn request() -> ChatRequest {
    ChatRequest::new(hello())
        .max_output_tokens(64)
        .temperature(0.5)
        .top_p(0.25)
        .stop(["END", "\n\n"])
        .seed(7)
        .response_format(ResponseFormat::json_schema("place", schema()))
}

/// Returns the request that a provider receives, and the reply's warnings.
async fn exchange(kind: Kind, request: ChatRequest, answer: Value) -> (Value, Vec<String>) {
    let server = server(ResponseTemplate::new(200).set_body_json(answer)).await;
    let chain = Chain::new(vec![provider(kind, &server.uri())]);
    let reply = chain.reply(request).await.unwrap();
    let requests = server.received_requests().await.unwrap();
    (body_of(&requests[0]), reply.warnings)
}

fn openai_answer() -> Value {
    json!({"choices": [{"message": {"content": "{}"}, "finish_reason": "stop"}]})
}

fn gemini_answer() -> Value {
    json!({"candidates": [{"content": {"parts": [{"text": "{}"}]}, "finishReason": "STOP"}]})
}

#[tokio::test]
async fn chat_completions_take_every_option() {
    let (body, warnings) = exchange(Kind::OpenAi, request(), openai_answer()).await;
    assert_eq!(body["max_tokens"], 64);
    assert_eq!(body["temperature"], 0.5);
    assert_eq!(body["top_p"], 0.25);
    assert_eq!(body["stop"], json!(["END", "\n\n"]));
    assert_eq!(body["seed"], 7);
    let format = json!({"type": "json_schema", "json_schema": {"name": "place", "schema": schema(), "strict": true}});
    assert_eq!(body["response_format"], format);
    assert_eq!(warnings, Vec::<String>::new());
}

#[tokio::test]
async fn gemini_supports_every_option() {
    let (body, warnings) = exchange(Kind::Gemini, request(), gemini_answer()).await;
    let expected = json!({
        "maxOutputTokens": 64,
        "temperature": 0.5,
        "topP": 0.25,
        "stopSequences": ["END", "\n\n"],
        "seed": 7,
        "responseMimeType": "application/json",
        "responseJsonSchema": schema(),
    });
    assert_eq!(body["generationConfig"], expected);
    assert_eq!(warnings, Vec::<String>::new());
}

#[tokio::test]
async fn anthropic_is_asked_without_a_seed_and_the_reply_says_so() {
    let answer = json!({
        "model": "m", "content": [{"type": "text", "text": "{}"}], "stop_reason": "end_turn",
    });
    let (body, warnings) = exchange(Kind::Anthropic, request(), answer).await;
    assert_eq!(body["max_tokens"], 64);
    assert_eq!(body["temperature"], 0.5);
    assert_eq!(body["top_p"], 0.25);
    assert_eq!(body["stop_sequences"], json!(["END", "\n\n"]));
    assert!(!body.to_string().contains("seed"));
    let format = json!({"type": "json_schema", "schema": schema()});
    assert_eq!(body["output_config"], json!({"format": format}));
    let without_seed = "The model was asked without `seed`: it does not support one.";
    assert_eq!(warnings, [without_seed]);
}

#[tokio::test]
async fn a_provider_that_declares_nothing_is_asked_without_seed_and_format_and_the_reply_says_so() {
    let chain = chain_of([&Script::new("own", [Step::Reply])]);
    let reply = chain.reply(request()).await.unwrap();
    assert_eq!(
        reply.warnings,
        [
            "The model was asked without `seed`: it does not support one.",
            "The model was asked without a response format: it does not support one.",
        ]
    );
    let reply = chain.reply(hello()).await.unwrap();
    assert_eq!(reply.warnings, Vec::<String>::new());
}

#[tokio::test]
async fn any_json_object_needs_no_schema() {
    let request = || ChatRequest::new(hello()).response_format(ResponseFormat::JsonObject);
    let (body, _) = exchange(Kind::OpenAi, request(), openai_answer()).await;
    assert_eq!(body["response_format"], json!({"type": "json_object"}));
    let (body, _) = exchange(Kind::Gemini, request(), gemini_answer()).await;
    let config = &body["generationConfig"];
    assert_eq!(config["responseMimeType"], "application/json");
    assert_eq!(config["responseJsonSchema"], Value::Null);
}

#[tokio::test]
async fn unset_options_are_not_sent() {
    let (body, warnings) = exchange(Kind::OpenAi, hello().into(), openai_answer()).await;
    let names: Vec<&String> = body.as_object().unwrap().keys().collect();
    assert_eq!(names, ["max_tokens", "messages", "model", "stream", "stream_options"]);
    assert_eq!(warnings, Vec::<String>::new());
}
