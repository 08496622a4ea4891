//! Tool rounds in the vendors' wire formats.

use std::collections::VecDeque;
use std::sync::Mutex;

use serde_json::{Value, json};
use toolkit_llm::providers::{Kind, ProviderConfig};
use toolkit_llm::{Chain, LlmErrorKind, Reply};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::request;
use crate::support::client;

/// Sets up a chain of one vendor that gives these answers in turn.
async fn vendor(kind: Kind, answers: Vec<ResponseTemplate>) -> (Chain, MockServer) {
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
    (chain, server)
}

/// Returns the requests that a vendor has received.
async fn bodies_of(server: &MockServer) -> Vec<Value> {
    let requests = server.received_requests().await.unwrap();
    let bodies = requests
        .iter()
        .map(|request| serde_json::from_slice(&request.body).unwrap());
    bodies.collect()
}

/// Sends these answers in turn, and returns the reply and the requests received.
async fn conversation_of(
    kind: Kind,
    answers: Vec<ResponseTemplate>,
) -> (Result<Reply, LlmErrorKind>, Vec<Value>) {
    let (chain, server) = vendor(kind, answers).await;
    let reply = chain.reply(request()).await.map_err(|error| error.kind());
    (reply, bodies_of(&server).await)
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

/// Returns Anthropic's last answer, a text without calls.
fn anthropic_done() -> ResponseTemplate {
    let content = json!([{"type": "text", "text": "Done."}]);
    ok(&json!({"content": content, "stop_reason": "end_turn"}))
}

/// Answers with these content blocks of Anthropic, then with a text, and returns the requests
/// received.
async fn anthropic_round(content: &Value) -> Vec<Value> {
    let called = ok(&json!({"content": content, "stop_reason": "tool_use"}));
    let (reply, bodies) = conversation_of(Kind::Anthropic, vec![called, anthropic_done()]).await;
    assert_eq!(reply.unwrap().text, "Done.");
    bodies
}

#[tokio::test]
async fn anthropic_gets_its_blocks_back_and_one_message_with_the_results() {
    let content = json!([{"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "tool_use", "id": "t1", "name": "echo", "input": {"text": "a"}},
        {"type": "tool_use", "id": "t2", "name": "refuse", "input": {}}]);
    let bodies = anthropic_round(&content).await;
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
async fn of_anthropics_blocks_only_a_text_without_a_word_is_left_out() {
    let block = json!({"type": "search_result", "title": "t", "text": " "});
    let call = json!({"type": "tool_use", "id": "t1", "name": "echo", "input": {"text": "a"}});
    let content =
        json!([block, {"type": "text", "text": ""}, {"type": "text", "text": " \n"}, call]);
    let bodies = anthropic_round(&content).await;
    assert_eq!(bodies[1]["messages"][1]["content"], json!([block, call]));
}

/// Returns the ids of calls and those of results, over all messages of a request.
fn anthropic_ids(body: &Value) -> (Vec<&str>, Vec<&str>) {
    let messages = body["messages"].as_array().unwrap().iter();
    let blocks = messages.flat_map(|message| message["content"].as_array().unwrap());
    let ids = |name| blocks.clone().filter_map(move |block| block[name].as_str());
    (ids("id").collect(), ids("tool_use_id").collect())
}

#[tokio::test]
async fn calls_without_an_id_get_one_that_no_other_round_has() {
    let calls = || {
        let call = json!({"type": "tool_use", "name": "echo", "input": {"text": "a"}});
        ok(&json!({"content": [call, call], "stop_reason": "tool_use"}))
    };
    let done = anthropic_done();
    let (reply, bodies) =
        conversation_of(Kind::Anthropic, vec![calls(), calls(), done.clone()]).await;
    assert_eq!(reply.unwrap().tool_calls.len(), 4);
    let expected = ["r01c00000", "r01c00001", "r02c00000", "r02c00001"];
    let (called, answered) = anthropic_ids(&bodies[2]);
    assert_eq!((called, answered), (expected.to_vec(), expected.to_vec()));

    // The same of a stream.
    let events = [
        json!({"type": "message_start", "message": {}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "name": "echo"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ];
    let streamed = || {
        ResponseTemplate::new(200)
            .set_body_raw(crate::support::sse::events(&events), "text/event-stream")
    };
    let (chain, server) = vendor(Kind::Anthropic, vec![streamed(), streamed(), done]).await;
    chain.stream(request()).into_reply().await.unwrap();
    let bodies = bodies_of(&server).await;
    let expected = ["r01c00000", "r02c00000"];
    let (called, answered) = anthropic_ids(&bodies[2]);
    assert_eq!((called, answered), (expected.to_vec(), expected.to_vec()));
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
            ["The model was asked without tools: it does not support them."]
        );
        assert!(bodies[1].get("tools").is_none() && bodies[1].get("tool_choice").is_none());
    }
    // A conversation that is refused without tools as well is the caller's fault.
    let refused = ResponseTemplate::new(400);
    let (reply, bodies) = conversation_of(Kind::OpenAi, vec![refused.clone(), refused]).await;
    assert_eq!(
        (reply.unwrap_err(), bodies.len()),
        (LlmErrorKind::Refused, 2)
    );
}
