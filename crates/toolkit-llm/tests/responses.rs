//! What only the Responses API has.

use serde_json::{Value, json};
use toolkit_llm::providers::Kind;
use toolkit_llm::{Chain, ChatRequest, FinishReason, ProviderError, ResponseFormat};
use wiremock::ResponseTemplate;

use crate::support::hello;
use crate::support::http::read_json;
use crate::support::sse::{events, pull, streamed};
use crate::support::vendor::{Vendor, completion, refused};

const KIND: Kind = Kind::Responses;

fn with_tools() -> ChatRequest {
    ChatRequest::new(hello()).tools(crate::support::tools::tools())
}

/// A response as the API reference shows it.
fn response(status: &str, output: &Value) -> Value {
    json!({
        "id": "resp_1", "object": "response", "created_at": 1_764_270_000, "status": status,
        "error": null, "incomplete_details": null, "model": "gpt-x", "output": output,
    })
}

fn message(text: &str) -> Value {
    let part = json!({"type": "output_text", "text": text, "annotations": []});
    json!({"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [part]})
}

fn answer(output: &Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(response("completed", output))
}

#[tokio::test]
async fn reasoning_of_a_whole_answer_is_read_too() {
    let reasoning = json!({"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]});
    let body = response("completed", &json!([reasoning, message("Hello")]));
    let reply = read_json(KIND, body).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.reasoning.as_str()), ("Hello", "hm"));
}

#[tokio::test]
async fn items_go_back_with_the_results_of_calls() {
    let call = json!({"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "echo",
        "arguments": "{\"text\":\"a\"}", "status": "completed"});
    let kept =
        json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x=="});
    let lost = json!({"type": "reasoning", "id": "rs_2", "summary": []});
    let output = json!([kept, lost, call]);
    let vendor = Vendor::start("a", KIND, move |body| {
        let is_second = body["input"].as_array().unwrap().len() > 1;
        answer(&if is_second { json!([message("Done.")]) } else { output.clone() })
    })
    .await;
    let reply = Chain::new(vec![vendor.provider()]).reply(with_tools()).await.unwrap();
    assert_eq!((reply.text.as_str(), reply.tool_calls.len()), ("Done.", 1));
    let bodies = vendor.bodies().await;
    assert_eq!(bodies[0]["tool_choice"], "auto");
    let tool = &bodies[0]["tools"][0];
    assert_eq!((&tool["type"], &tool["name"]), (&json!("function"), &json!("echo")));
    assert_eq!(tool["strict"], false);
    let result =
        json!({"type": "function_call_output", "call_id": "c1", "output": "{\"text\":\"a\"}"});
    let input = bodies[1]["input"].as_array().unwrap();
    assert_eq!(input[1..], [kept, call, result]);
}

#[tokio::test]
async fn a_round_of_another_vendor_is_taken_over() {
    let first = Vendor::start("a", Kind::Chat, |body| {
        if body["messages"].as_array().unwrap().len() > 2 {
            return ResponseTemplate::new(500);
        }
        let call = json!({"id": "c9", "function": {"name": "echo", "arguments": "{}"}});
        ResponseTemplate::new(200).set_body_json(
            json!({"choices": [{"message": {"content": "Hm.", "tool_calls": [call]}}]}),
        )
    })
    .await;
    let second = Vendor::start("b", KIND, |_| answer(&json!([message("Done.")]))).await;
    let chain = Chain::new(vec![first.provider(), second.provider()]);
    assert_eq!(chain.reply(with_tools()).await.unwrap().text, "Hm.\n\nDone.");
    let id = "r01c00000";
    assert_eq!(
        second.bodies().await[0]["input"].as_array().unwrap()[1..],
        [
            json!({"role": "assistant", "content": "Hm."}),
            json!({"type": "function_call", "call_id": id, "name": "echo", "arguments": "{}"}),
            json!({"type": "function_call_output", "call_id": id, "output": "{}"}),
        ]
    );
}

#[tokio::test]
async fn a_refusal_is_the_reply_and_a_spent_limit_says_so() {
    let refusal =
        json!([{"type": "message", "content": [{"type": "refusal", "refusal": "I can't."}]}]);
    let reply = read_json(KIND, response("completed", &refusal)).await.unwrap();
    assert_eq!(
        (reply.text.as_str(), reply.finish_reason),
        ("I can't.", FinishReason::ContentFilter)
    );
    let mut spent = response("incomplete", &json!([]));
    spent["incomplete_details"] = json!({"reason": "max_output_tokens"});
    let error = read_json(KIND, spent).await.unwrap_err();
    assert!(matches!(error, ProviderError::NoText { limit_spent: true, .. }), "{error:?}");
}

#[tokio::test]
async fn errors_in_a_stream_are_classified() {
    let failed = |error: Value| {
        let mut response = response("failed", &json!([]));
        response["error"] = error;
        json!({"type": "response.failed", "response": response})
    };
    for (event, said) in [
        (failed(json!({"code": "rate_limit_exceeded", "message": "m"})), "rate limited"),
        (
            failed(json!({"code": "insufficient_quota", "message": "m"})),
            "status 429: the account has no credit",
        ),
        (
            failed(json!({"code": "server_error", "message": "m"})),
            "unusable answer: an error with a successful status",
        ),
        (
            json!({"type": "error", "code": "context_length_exceeded", "message": "m", "param": null}),
            "status 400: the conversation is too long",
        ),
        (json!({"type": "error", "error": {"code": "rate_limit_exceeded"}}), "rate limited"),
    ] {
        let pulled = pull(KIND, streamed(&events(&[event]))).await;
        assert_eq!(pulled.error.as_deref(), Some(said));
    }
}

#[tokio::test]
async fn options_of_the_format_are_written_and_others_are_named_in_a_warning() {
    let vendor = Vendor::start("a", KIND, |_| answer(&json!([message("{}")]))).await;
    let schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let request = ChatRequest::new(hello())
        .temperature(0.5)
        .seed(7)
        .stop(["END"])
        .response_format(ResponseFormat::json_schema("place", schema.clone()));
    let reply = Chain::new(vec![vendor.provider()]).reply(request).await.unwrap();
    assert_eq!(
        reply.warnings,
        [
            "The model was asked without `stop`: it does not support it.",
            "The model was asked without `seed`: it does not support one.",
        ]
    );
    let body = &vendor.bodies().await[0];
    assert_eq!(body["temperature"], 0.5);
    let format = json!({"type": "json_schema", "name": "place", "schema": schema, "strict": true});
    assert_eq!(body["text"], json!({"format": format}));
}

#[tokio::test]
async fn a_server_that_knows_no_encrypted_reasoning_is_asked_without() {
    let vendor = Vendor::start("a", KIND, |body| {
        if body.get("include").is_some() {
            let message = "Encrypted content is not supported with this model.";
            return refused(400, &json!({"message": message, "param": "include"}));
        }
        answer(&json!([message("Hello")]))
    })
    .await;
    let chain = Chain::new(vec![vendor.provider()]);
    for requests in [2, 3] {
        assert_eq!(chain.reply(hello()).await.unwrap().text, "Hello");
        assert_eq!(vendor.bodies().await.len(), requests);
    }
}

#[tokio::test]
async fn in_a_chain_the_next_provider_is_asked() {
    let first = Vendor::start("a", KIND, |_| ResponseTemplate::new(500)).await;
    let second = Vendor::start("b", Kind::Chat, |_| completion("Hello")).await;
    let chain = Chain::new(vec![first.provider(), second.provider()]);
    assert_eq!(chain.reply(hello()).await.unwrap().provider, "b");
    let reply = chain.stream(hello()).into_reply().await.unwrap();
    assert_eq!(reply.provider, "b");
}
