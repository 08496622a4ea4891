//! Rounds of tools as the vendors' formats carry them.

use std::collections::VecDeque;
use std::sync::Mutex;

use serde_json::{Value, json};
use toolkit_llm::providers::{Kind, ProviderConfig};
use toolkit_llm::{Chain, LlmErrorKind, Reply};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::request;
use crate::support::client;

/// A vendor that gives these answers in turn, and the requests that it got.
async fn conversation_of(
    kind: Kind,
    answers: Vec<ResponseTemplate>,
) -> (Result<Reply, LlmErrorKind>, Vec<Value>) {
    let server = MockServer::start().await;
    let answers = Mutex::new(VecDeque::from(answers));
    Mock::given(any())
        .respond_with(move |_: &wiremock::Request| {
            answers
                .lock()
                .unwrap()
                .pop_front()
                .unwrap_or_else(|| ResponseTemplate::new(500))
        })
        .mount(&server)
        .await;
    let config = ProviderConfig::new("main", "model-1").base_url(server.uri());
    let chain = Chain::new(vec![kind.provider(client(), config).unwrap()]);
    let reply = chain.reply(request()).await.map_err(|error| error.kind());
    let requests = server.received_requests().await.unwrap();
    let bodies = requests
        .iter()
        .map(|request| serde_json::from_slice(&request.body).unwrap());
    (reply, bodies.collect())
}

fn ok(body: &Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(body)
}

#[tokio::test]
async fn openai_gets_its_message_back_and_a_message_for_each_result() {
    let message = json!({"role": "assistant", "content": null, "reasoning_content": "hm", "tool_calls": [
        {"id": "c1", "type": "function", "x": 1, "function": {"name": "echo", "arguments": "{\"text\":\"a\"}"}}]});
    let (reply, bodies) = conversation_of(
        Kind::OpenAi,
        vec![
            ok(&json!({"choices": [{"message": message, "finish_reason": "stop"}]})),
            ok(&json!({"choices": [{"message": {"content": "Done."}, "finish_reason": "stop"}]})),
        ],
    )
    .await;
    assert_eq!(reply.unwrap().text, "Done.");
    assert_eq!(bodies[0]["tool_choice"], "auto");
    assert_eq!(bodies[0]["tools"][0]["type"], "function");
    assert_eq!(bodies[0]["tools"][0]["function"]["name"], "echo");
    let messages = bodies[1]["messages"].as_array().unwrap();
    assert_eq!(messages[messages.len() - 2], message);
    assert_eq!(
        messages[messages.len() - 1],
        json!({"role": "tool", "tool_call_id": "c1", "content": "{\"text\":\"a\"}"})
    );
}

#[tokio::test]
async fn anthropic_gets_its_blocks_back_and_one_message_with_the_results() {
    let content = json!([{"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "tool_use", "id": "t1", "name": "echo", "input": {"text": "a"}},
        {"type": "tool_use", "id": "t2", "name": "refuse", "input": {}}]);
    let (reply, bodies) = conversation_of(
        Kind::Anthropic,
        vec![
            ok(&json!({"content": content, "stop_reason": "tool_use"})),
            ok(&json!({"content": [{"type": "text", "text": "Done."}], "stop_reason": "end_turn"})),
        ],
    )
    .await;
    assert_eq!(reply.unwrap().text, "Done.");
    assert_eq!(bodies[0]["tool_choice"], json!({"type": "auto"}));
    assert_eq!(bodies[0]["tools"][0]["input_schema"]["type"], "object");
    let messages = bodies[1]["messages"].as_array().unwrap();
    assert_eq!(
        messages[1],
        json!({"role": "assistant", "content": content})
    );
    assert_eq!(
        messages[2],
        json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "{\"text\":\"a\"}"},
            {"type": "tool_result", "tool_use_id": "t2", "content": "`text` is refused.", "is_error": true},
        ]})
    );
}

#[tokio::test]
async fn gemini_gets_its_parts_back_and_one_content_with_the_results() {
    let parts = json!([{"functionCall": {"name": "echo", "args": {"text": "a"}}, "thoughtSignature": "s"},
        {"functionCall": {"id": "f2", "name": "refuse", "args": {}}}]);
    let (reply, bodies) = conversation_of(
        Kind::Gemini,
        vec![
            ok(&json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]})),
            ok(&json!({"candidates": [{"content": {"parts": [{"text": "Done."}]}, "finishReason": "STOP"}]})),
        ],
    )
    .await;
    assert_eq!(reply.unwrap().text, "Done.");
    assert_eq!(
        bodies[0]["toolConfig"],
        json!({"functionCallingConfig": {"mode": "AUTO"}})
    );
    assert!(bodies[0]["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"].is_object());
    let contents = bodies[1]["contents"].as_array().unwrap();
    assert_eq!(contents[1], json!({"role": "model", "parts": parts}));
    assert_eq!(
        contents[2],
        json!({"role": "user", "parts": [
            {"functionResponse": {"name": "echo", "response": {"output": {"text": "a"}}}},
            {"functionResponse": {"id": "f2", "name": "refuse", "response": {"error": "`text` is refused."}}},
        ]})
    );
}

#[tokio::test]
async fn a_request_that_is_refused_for_its_tools_is_sent_once_more_without() {
    let done =
        ok(&json!({"choices": [{"message": {"content": "Done."}, "finish_reason": "stop"}]}));
    let error = json!({"error": {"message": "this model does not support Tools"}});
    for status in [400, 404, 422] {
        let refused = ResponseTemplate::new(status).set_body_json(&error);
        let (reply, bodies) = conversation_of(Kind::OpenAi, vec![refused, done.clone()]).await;
        let reply = reply.unwrap();
        assert_eq!(
            reply.warnings,
            ["The model was asked without tools: it takes none."]
        );
        assert!(bodies[1].get("tools").is_none() && bodies[1].get("tool_choice").is_none());
    }
    // A conversation that is refused without them too is the caller's.
    let refused = ResponseTemplate::new(400);
    let (reply, bodies) = conversation_of(Kind::OpenAi, vec![refused.clone(), refused]).await;
    assert_eq!(
        (reply.unwrap_err(), bodies.len()),
        (LlmErrorKind::Refused, 2)
    );
}
