//! Tool rounds in the vendors' wire formats.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use toolkit_llm::providers::{Kind, ProviderConfig};
use toolkit_llm::{Chain, LlmErrorKind, Provider, Reply};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::request;
use crate::support::client;
use crate::support::clock::advance;

/// Sets up a vendor that gives these answers in turn.
async fn vendor(
    name: &str,
    kind: Kind,
    answers: Vec<ResponseTemplate>,
) -> (Arc<dyn Provider>, MockServer) {
    let server = MockServer::start().await;
    let answers = Mutex::new(VecDeque::from(answers));
    Mock::given(any())
        .respond_with(move |_: &wiremock::Request| {
            answers.lock().unwrap().pop_front().unwrap_or_else(|| ResponseTemplate::new(500))
        })
        .mount(&server)
        .await;
    let config = ProviderConfig::new(name, "model-1").base_url(server.uri());
    (kind.provider(client(), config).unwrap(), server)
}

/// Returns the requests that a vendor has received.
async fn bodies_of(server: &MockServer) -> Vec<Value> {
    let requests = server.received_requests().await.unwrap();
    let bodies = requests.iter().map(|request| serde_json::from_slice(&request.body).unwrap());
    bodies.collect()
}

/// Sends these answers in turn, and returns the reply and the requests received.
async fn conversation_of(
    kind: Kind,
    answers: Vec<ResponseTemplate>,
) -> (Result<Reply, LlmErrorKind>, Vec<Value>) {
    let (provider, server) = vendor("main", kind, answers).await;
    let reply = Chain::new(vec![provider]).reply(request()).await.map_err(|error| error.kind());
    (reply, bodies_of(&server).await)
}

fn ok(body: &Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(body)
}

/// Returns OpenAI's last answer, a text without calls.
fn openai_done() -> ResponseTemplate {
    ok(&json!({"choices": [{"message": {"content": "Done."}, "finish_reason": "stop"}]}))
}

/// The same of Anthropic.
fn anthropic_done() -> ResponseTemplate {
    let content = json!([{"type": "text", "text": "Done."}]);
    ok(&json!({"content": content, "stop_reason": "end_turn"}))
}

/// The same of Gemini.
fn gemini_done() -> ResponseTemplate {
    let content = json!({"parts": [{"text": "Done."}]});
    ok(&json!({"candidates": [{"content": content, "finishReason": "STOP"}]}))
}

#[tokio::test]
async fn openai_gets_its_message_back_and_a_message_for_each_result() {
    let message = json!({"role": "assistant", "content": null, "reasoning_content": "hm", "tool_calls": [
        {"id": "c1", "type": "function", "x": 1, "function": {"name": "echo", "arguments": "{\"text\":\"a\"}"}}]});
    let (reply, bodies) = conversation_of(
        Kind::OpenAi,
        vec![
            ok(&json!({"choices": [{"message": message, "finish_reason": "stop"}]})),
            openai_done(),
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
    // The cache ends with the last tool, and later with the last result.
    let mark = json!({"type": "ephemeral"});
    assert_eq!(bodies[0]["tools"][3]["cache_control"], mark);
    assert_eq!(bodies[0]["tools"][2].get("cache_control"), None);
    let messages = bodies[1]["messages"].as_array().unwrap();
    assert_eq!(messages[1], json!({"role": "assistant", "content": content}));
    assert_eq!(
        messages[2],
        json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t1", "content": "{\"text\":\"a\"}"},
            {"type": "tool_result", "tool_use_id": "t2", "content": "`text` is refused.", "is_error": true, "cache_control": mark},
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
    let answers = vec![streamed(), streamed(), done];
    let (provider, server) = vendor("main", Kind::Anthropic, answers).await;
    let chain = Chain::new(vec![provider]);
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
            gemini_done(),
        ],
    )
    .await;
    assert_eq!(reply.unwrap().text, "Done.");
    assert_eq!(bodies[0]["toolConfig"], json!({"functionCallingConfig": {"mode": "AUTO"}}));
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

/// Returns the request to a vendor that takes over after a round of another one.
async fn taken_over(
    (kind, round): (Kind, Value),
    (next_kind, done): (Kind, ResponseTemplate),
) -> Value {
    let refused = ResponseTemplate::new(400);
    let (first, _server) = vendor("first", kind, vec![ok(&round), refused]).await;
    let (second, server) = vendor("second", next_kind, vec![done]).await;
    let reply = Chain::new(vec![first, second]).reply(request()).await;
    assert_eq!(reply.unwrap().text, "Let me see.\n\nDone.");
    bodies_of(&server).await.remove(0)
}

/// A round of OpenAI: a text, a call, and a call whose arguments are not an object.
fn openai_round() -> (Kind, Value) {
    let call = |id, arguments| json!({"id": id, "type": "function", "function": {"name": "echo", "arguments": arguments}});
    let calls = [call("c1", "{\"text\": \"a\"}"), call("c2", "[1]")];
    let message = json!({"content": "Let me see.", "reasoning_content": "hm", "tool_calls": calls});
    let choice = json!({"message": message, "finish_reason": "tool_calls"});
    (Kind::OpenAi, json!({"choices": [choice]}))
}

const NO_OBJECT: &str = "The arguments are invalid: they are not an object. Send a JSON object.";

#[tokio::test]
async fn gemini_takes_over_with_the_text_calls_and_results_of_another_vendor() {
    let body = taken_over(openai_round(), (Kind::Gemini, gemini_done())).await;
    assert_eq!(
        body["contents"].as_array().unwrap()[1..],
        [
            json!({"role": "model", "parts": [
                {"text": "Let me see."},
                {
                    "functionCall": {"name": "echo", "args": {"text": "a"}},
                    "thoughtSignature": "skip_thought_signature_validator",
                },
                {"functionCall": {"name": "echo", "args": {}}},
            ]}),
            json!({"role": "user", "parts": [
                {"functionResponse": {"name": "echo", "response": {"output": {"text": "a"}}}},
                {"functionResponse": {"name": "echo", "response": {"error": NO_OBJECT}}},
            ]}),
        ]
    );
}

#[tokio::test]
async fn anthropic_takes_over_with_the_text_calls_and_results_of_another_vendor() {
    let body = taken_over(openai_round(), (Kind::Anthropic, anthropic_done())).await;
    let (first, second) = ("r01c00000", "r01c00001");
    assert_eq!(
        body["messages"].as_array().unwrap()[1..],
        [
            json!({"role": "assistant", "content": [
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": first, "name": "echo", "input": {"text": "a"}},
                {"type": "tool_use", "id": second, "name": "echo", "input": {}},
            ]}),
            json!({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": first, "content": "{\"text\":\"a\"}"},
                {
                    "type": "tool_result", "tool_use_id": second, "content": NO_OBJECT,
                    "is_error": true, "cache_control": {"type": "ephemeral"},
                },
            ]}),
        ]
    );
}

#[tokio::test]
async fn openai_takes_over_with_the_text_calls_and_results_of_another_vendor() {
    let content = json!([
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "t1", "name": "echo", "input": {"text": "a"}},
        {"type": "tool_use", "id": "t2", "name": "refuse", "input": {}},
    ]);
    let round = json!({"content": content, "stop_reason": "tool_use"});
    let body = taken_over((Kind::Anthropic, round), (Kind::OpenAi, openai_done())).await;
    let call = |id, name, arguments| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let (first, second) = ("r01c00000", "r01c00001");
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(
        messages[messages.len() - 3..],
        [
            json!({"role": "assistant", "content": "Let me see.", "tool_calls": [
                call(first, "echo", "{\"text\":\"a\"}"),
                call(second, "refuse", "{}"),
            ]}),
            json!({"role": "tool", "tool_call_id": first, "content": "{\"text\":\"a\"}"}),
            json!({"role": "tool", "tool_call_id": second, "content": "`text` is refused."}),
        ]
    );
}

#[tokio::test]
async fn a_request_that_is_refused_for_its_tools_is_sent_once_more_without() {
    let error = json!({"error": {"message": "this model does not support Tools"}});
    for status in [400, 404, 422] {
        let refused = ResponseTemplate::new(status).set_body_json(&error);
        let (reply, bodies) = conversation_of(Kind::OpenAi, vec![refused, openai_done()]).await;
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
    assert_eq!((reply.unwrap_err(), bodies.len()), (LlmErrorKind::Refused, 2));
}

#[tokio::test]
async fn a_conversation_that_is_too_long_turns_no_tools_off() {
    let error = json!({"error": {
        "message": "This model's maximum context length is 8192 tokens. However, your messages \
                    resulted in 9000 tokens (8500 in the messages, 500 in the functions). Please \
                    reduce the length of the messages or functions.",
        "type": "invalid_request_error",
        "param": "messages",
        "code": "context_length_exceeded",
    }});
    let refused = ResponseTemplate::new(400).set_body_json(error);
    let answers = vec![refused, openai_done(), openai_done()];
    let (provider, server) = vendor("main", Kind::OpenAi, answers).await;
    let chain = Chain::new(vec![provider]);
    // Without the tools it fits.
    assert!(chain.reply(request()).await.is_ok());
    assert!(chain.reply(request()).await.unwrap().warnings.is_empty());
    assert!(bodies_of(&server).await[2].get("tools").is_some());
}

#[tokio::test]
async fn tools_are_offered_again_ten_minutes_after_they_were_refused() {
    let error = json!({"error": {"message": "model does not support tools"}});
    let refused = || ResponseTemplate::new(400).set_body_json(&error);
    let answers = vec![refused(), openai_done(), openai_done(), openai_done()];
    let (provider, server) = vendor("main", Kind::OpenAi, answers).await;
    let chain = Chain::new(vec![provider]);
    for (wait, warnings) in [(0, 1), (599, 1), (1, 0)] {
        advance(Duration::from_secs(wait)).await;
        let reply = chain.reply(request()).await.unwrap();
        assert_eq!(reply.warnings.len(), warnings, "{wait}");
    }
    let offered = bodies_of(&server).await;
    let offered: Vec<bool> = offered.iter().map(|body| body.get("tools").is_some()).collect();
    assert_eq!(offered, [true, false, false, true]);
}

#[tokio::test]
async fn a_refused_setup_is_asked_once_more_without_tools_only_if_the_error_names_them() {
    let openai =
        |message: &str| json!({"error": {"code": "unsupported_parameter", "message": message}});
    let gemini =
        |message: &str| json!({"error": {"status": "FAILED_PRECONDITION", "message": message}});
    let (tools, functions) = ("Unsupported parameter: 'tools'.", "Function calling is disabled.");
    for (kind, error, done) in [
        (Kind::OpenAi, openai(tools), openai_done()),
        (Kind::Gemini, gemini(functions), gemini_done()),
    ] {
        let refused = ResponseTemplate::new(400).set_body_json(error);
        let (reply, bodies) = conversation_of(kind, vec![refused, done]).await;
        assert_eq!(reply.unwrap().text, "Done.", "{kind:?}");
        let offered: Vec<bool> = bodies.iter().map(|body| body.get("tools").is_some()).collect();
        assert_eq!(offered, [true, false], "{kind:?}");
    }
    for (kind, error) in [
        (Kind::OpenAi, openai("Unsupported parameter: 'audio'.")),
        (Kind::Gemini, gemini("User location is not supported.")),
    ] {
        let refused = ResponseTemplate::new(400).set_body_json(error);
        let (reply, bodies) = conversation_of(kind, vec![refused]).await;
        let seen = (reply.unwrap_err(), bodies.len());
        assert_eq!(seen, (LlmErrorKind::Failed, 1), "{kind:?}");
    }
}
