//! What programs with their own tools, models and images ask for.

use serde_json::{Value, json};
use toolkit_llm::providers::Kind;
use toolkit_llm::{
    Chain, ChatRequest, FinishReason, Image, LlmErrorKind, Message, ToolCall, ToolOutcome, ToolSpec,
};
use wiremock::ResponseTemplate;

use crate::support::script::{Script, Step, ask, chain_of};
use crate::support::vendor::{Vendor, completion, refused};
use crate::support::{conversation, hello};

fn door() -> ToolSpec {
    ToolSpec::new("door", "Opens the door.", json!({"type": "object", "properties": {}}))
}

/// Answers with a call of `door`, then with a text.
fn calls_door(body: &Value) -> ResponseTemplate {
    let messages = body["messages"].as_array().unwrap();
    if messages.iter().any(|message| message["role"] == "tool") {
        return completion("It is open.");
    }
    let call = json!({"id": "c1", "x": 1, "function": {"name": "door", "arguments": "{}"}});
    let message = json!({"content": "Wait.", "tool_calls": [call], "reasoning": "hm"});
    ResponseTemplate::new(200).set_body_json(json!({"choices": [{"message": message}]}))
}

#[tokio::test]
async fn a_tool_of_the_caller_ends_the_reply_and_its_result_continues_it() {
    let vendor = Vendor::start("a", Kind::Chat, calls_door).await;
    let chain = Chain::new(vec![vendor.provider()]);
    let request = ChatRequest::new(hello()).caller_tools(vec![door()]);
    let reply = chain.reply(&request).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish_reason), ("Wait.", FinishReason::ToolCalls));
    let pending = reply.pending.unwrap();
    assert_eq!(pending.calls[0].name, "door");
    let round = pending.answered([ToolOutcome::done(&"open")]);
    let reply = chain.reply(request.rounds(vec![round])).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.pending.is_none()), ("It is open.", true));
    // The provider gets its own message back.
    let body = &vendor.bodies().await[1];
    assert_eq!(body["messages"][2]["reasoning"], "hm");
    assert_eq!(body["messages"][2]["tool_calls"][0]["x"], 1);
    assert_eq!(
        body["messages"][3],
        json!({"role": "tool", "tool_call_id": "c1", "content": "open"})
    );
}

#[tokio::test]
async fn calls_and_results_in_a_conversation_reach_every_format() {
    let call = ToolCall::new("door", "{\"n\":1}").with_id(Some("c1".to_owned()));
    let conversation = conversation(vec![
        Message::user("Open it."),
        Message::assistant("").with_tool_calls(vec![call]),
        Message::tool("c1", "open"),
    ]);
    for (kind, list, expected) in [
        (
            Kind::Chat,
            "messages",
            json!([
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "door", "arguments": "{\"n\":1}"}}]},
                {"role": "tool", "tool_call_id": "c1", "content": "open"},
            ]),
        ),
        (
            Kind::Responses,
            "input",
            json!([
                {"type": "function_call", "call_id": "c1", "name": "door", "arguments": "{\"n\":1}"},
                {"type": "function_call_output", "call_id": "c1", "output": "open"},
            ]),
        ),
        (
            Kind::Anthropic,
            "messages",
            json!([
                {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "door", "input": {"n": 1}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "open",
                     "cache_control": {"type": "ephemeral"}}]},
            ]),
        ),
        (
            Kind::Gemini,
            "contents",
            json!([
                {"role": "model", "parts": [{"functionCall": {"name": "door", "args": {"n": 1}},
                    "thoughtSignature": "skip_thought_signature_validator"}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "door", "response": {"output": "open"}}}]},
            ]),
        ),
    ] {
        let vendor = Vendor::start("a", kind, |_| ResponseTemplate::new(500)).await;
        let chain = Chain::new(vec![vendor.provider()]);
        chain.reply(&conversation).await.unwrap_err();
        let body = &vendor.bodies().await[0];
        assert_eq!(json!(body[list].as_array().unwrap()[1..]), expected, "{kind:?}");
    }
}

#[tokio::test]
async fn images_reach_every_format() {
    let message = Message::user("What is it?").with_image(Image::base64("image/png", "AAAA"));
    let conversation = conversation(vec![message]);
    for (kind, pointer, expected) in [
        (
            Kind::Chat,
            "/messages/0/content/1",
            json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}),
        ),
        (
            Kind::Responses,
            "/input/0/content/1",
            json!({"type": "input_image", "image_url": "data:image/png;base64,AAAA"}),
        ),
        (
            Kind::Anthropic,
            "/messages/0/content/1",
            json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}),
        ),
        (
            Kind::Gemini,
            "/contents/0/parts/1",
            json!({"inlineData": {"mimeType": "image/png", "data": "AAAA"}}),
        ),
    ] {
        let vendor = Vendor::start("a", kind, |_| ResponseTemplate::new(500)).await;
        let chain = Chain::new(vec![vendor.provider()]);
        chain.reply(&conversation).await.unwrap_err();
        assert_eq!(vendor.bodies().await[0].pointer(pointer), Some(&expected), "{kind:?}");
    }
}

#[tokio::test]
async fn a_request_names_the_model_of_a_provider() {
    let chat = Vendor::start("a", Kind::Chat, |_| ResponseTemplate::new(500)).await;
    let gemini = Vendor::start("b", Kind::Gemini, |_| ResponseTemplate::new(500)).await;
    let chain = Chain::new(vec![chat.provider(), gemini.provider()]);
    let request = ChatRequest::new(hello()).model("b", "large");
    chain.reply(request).await.unwrap_err();
    assert_eq!(chat.bodies().await[0]["model"], "model-1");
    let requests = gemini.server.received_requests().await.unwrap();
    assert!(requests[0].url.path().ends_with("/models/large:streamGenerateContent"));
}

#[tokio::test(start_paused = true)]
async fn a_conversation_too_long_for_one_model_goes_to_the_next_if_the_program_says_so() {
    let (small, large) = (Script::new("a", [Step::TooLong]), Script::new("b", [Step::Reply]));
    let chain = chain_of([&small, &large]);
    assert_eq!(ask(&chain).await, Err(LlmErrorKind::Refused));
    let chain = chain.with_context_fallback(true);
    assert_eq!(ask(&chain).await.unwrap(), "b");
    let chain = chain_of([&small, &Script::new("b", [Step::TooLong])]).with_context_fallback(true);
    assert_eq!(ask(&chain).await, Err(LlmErrorKind::Refused));
}

#[tokio::test]
async fn a_tool_of_the_caller_is_offered_beside_those_of_the_chain() {
    let vendor = Vendor::start("a", Kind::Chat, |_| refused(500, &json!({}))).await;
    let request =
        ChatRequest::new(hello()).tools(crate::support::tools::tools()).caller_tools(vec![door()]);
    Chain::new(vec![vendor.provider()]).reply(request).await.unwrap_err();
    let tools = vendor.bodies().await[0]["tools"].clone();
    assert_eq!(tools.as_array().unwrap().len(), 5);
}
