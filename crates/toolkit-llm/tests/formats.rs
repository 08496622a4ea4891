//! Streams of the four formats: their content, wherever their bytes are split, and every oddity.

mod bounds;

use serde_json::{Value, json};
use toolkit_llm::providers::Kind;

use crate::support::sse::{End, HEAD, Pulled, events, pull, streamed};

fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}

fn chunk(delta: &Value) -> Value {
    json!({"id": "c", "model": "gpt-x", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn finish(word: &str) -> Value {
    json!({"model": "gpt-x", "choices": [{"index": 0, "delta": {}, "finish_reason": word}]})
}

fn fragment(index: u64, id: &Value, name: &Value, arguments: &str) -> Value {
    chunk(&json!({"tool_calls": [
        {"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
    ]}))
}

/// Inserts odd events after the first one of a stream.
fn with_oddities(stream: &str, odd: &str) -> String {
    let (first, rest) = stream.split_once("\n\n").unwrap();
    format!("{first}\n\n{odd}{rest}")
}

fn openai() -> String {
    let odd = events(&[
        json!({"model": "gpt-x", "choices": []}),
        json!({"model": "gpt-x", "choices": [{"index": 0}]}),
        json!({"model": "gpt-x", "choices": [{"index": 1, "delta": {"content": "other"}}]}),
    ]);
    with_oddities(
        include_str!("fixtures/openai-calls.sse"),
        &format!(": OPENROUTER PROCESSING\n\n{odd}"),
    )
    .replace("\"content\":\"🦀!\\n\"", "\"content\":[{\"type\":\"text\",\"text\":\"🦀!\\n\"}]")
}

fn anthropic() -> String {
    let odd = json!({"type": "something_new", "delta": "odd"});
    with_oddities(
        include_str!("fixtures/anthropic-calls.sse"),
        &format!("event: something_new\ndata: {odd}\n\n"),
    )
    .replace(
        "\"usage\":{\"output_tokens\":5}",
        "\"usage\":{\"input_tokens\":0,\"output_tokens\":5}",
    )
}

fn part(parts: &Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}}], "modelVersion": "gemini-x"})
}

fn gemini() -> String {
    include_str!("fixtures/gemini-calls.sse").to_owned()
}

fn expected(kind: Kind) -> Pulled {
    let (model, finish_reason, usage, history) = match kind {
        Kind::OpenAi => (
            "gpt-x",
            "tool_calls",
            (7, 5),
            json!({"role": "assistant", "content": "Zwölf 🦀!\n", "reasoning_content": "hm", "tool_calls": [
                {"id": "a", "type": "function", "extra_content": {"signature": "s=="}, "function": {"name": "echo", "arguments": "{\"text\": \"é\"}"}},
                {"id": "b", "type": "function", "function": {"name": "refuse", "arguments": "{\"n\":1}"}},
            ]}),
        ),
        Kind::Responses => (
            "gpt-x",
            "tool_calls",
            (7, 5),
            json!([
                {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "last=="},
                {"id": "msg_1", "type": "message", "status": "completed", "role": "assistant", "content": [
                    {"type": "output_text", "annotations": [], "logprobs": [], "text": "Zwölf 🦀!\n"}]},
                {"id": "fc_a", "type": "function_call", "status": "completed", "arguments": "{\"text\": \"é\"}", "call_id": "a", "name": "echo"},
                {"id": "fc_b", "type": "function_call", "status": "completed", "arguments": "{\"n\":1}", "call_id": "b", "name": "refuse"},
            ]),
        ),
        Kind::Anthropic => (
            "claude-x",
            "tool_calls",
            (12, 5),
            json!([
                {"type": "thinking", "thinking": "hm", "signature": "s=="},
                {"type": "text", "text": "Zwölf 🦀!\n"},
                {"type": "tool_use", "id": "a", "name": "echo", "input": {"text": "é"}},
                {"type": "tool_use", "id": "b", "name": "refuse", "input": {"n": 1}},
            ]),
        ),
        _ => (
            "gemini-x",
            "stop",
            (12, 5),
            json!({"role": "model", "parts": [
                {"text": "hm", "thought": true}, {"text": "Zwölf "}, {"text": "🦀!\n"},
                {"functionCall": {"id": "a", "name": "echo", "args": {"text": "é"}}, "thoughtSignature": "czE="},
                {"functionCall": {"id": "b", "name": "refuse", "args": {"n": 1}}},
                {"text": ""},
            ]}),
        ),
    };
    let spaced = if kind == Kind::Gemini { "{\"text\":\"é\"}" } else { "{\"text\": \"é\"}" };
    Pulled {
        model: Some(model.to_owned()),
        text: "Zwölf 🦀!\n".to_owned(),
        end: Some(End {
            finish_reason,
            usage: Some(usage),
            calls: vec![call("a", "echo", spaced), call("b", "refuse", "{\"n\":1}")],
            history: Some(history),
        }),
        error: None,
    }
}

fn responses() -> String {
    let odd = json!({"type": "response.something_new", "delta": {"x": 1}});
    with_oddities(
        include_str!("fixtures/responses-calls.sse"),
        &format!("event: keepalive\ndata: {{\"type\":\"keepalive\"}}\n\ndata: {odd}\n\ndata:\n\n"),
    )
}

fn fixtures() -> [(Kind, String); 4] {
    [
        (Kind::Responses, responses()),
        (Kind::OpenAi, openai()),
        (Kind::Anthropic, anthropic()),
        (Kind::Gemini, gemini()),
    ]
}

#[tokio::test]
async fn text_reasoning_and_interleaved_calls_are_read_with_every_line_end() {
    for (kind, body) in fixtures() {
        for end in ["\n", "\r", "\r\n"] {
            let body = format!("\u{feff}: hello\n\n{body}").replace('\n', end);
            assert_eq!(pull(kind, streamed(&body)).await, expected(kind), "{kind:?} {end:?}");
        }
    }
}

/// Contents of each fixture, in a form that is also compared with other readers of the formats.
#[tokio::test]
async fn every_fixture_decodes_as_expected() {
    let expected: Value = serde_json::from_str(include_str!("fixtures/expected.json")).unwrap();
    for (name, kind, body) in [
        ("openai-text", Kind::OpenAi, include_str!("fixtures/openai-text.sse")),
        ("openai-calls", Kind::OpenAi, include_str!("fixtures/openai-calls.sse")),
        ("responses-text", Kind::Responses, include_str!("fixtures/responses-text.sse")),
        ("responses-calls", Kind::Responses, include_str!("fixtures/responses-calls.sse")),
        ("anthropic-text", Kind::Anthropic, include_str!("fixtures/anthropic-text.sse")),
        ("anthropic-calls", Kind::Anthropic, include_str!("fixtures/anthropic-calls.sse")),
        ("gemini-text", Kind::Gemini, include_str!("fixtures/gemini-text.sse")),
        ("gemini-calls", Kind::Gemini, include_str!("fixtures/gemini-calls.sse")),
    ] {
        let pulled = pull(kind, streamed(body)).await;
        let end = pulled.end.unwrap();
        let calls: Vec<Value> = end
            .calls
            .iter()
            .map(|(id, name, arguments)| {
                let arguments: Value = serde_json::from_str(arguments).unwrap();
                json!({"id": id, "name": name, "arguments": arguments})
            })
            .collect();
        let (input, output) = end.usage.unwrap();
        let held = json!({"text": pulled.text, "calls": calls, "input_tokens": input, "output_tokens": output});
        assert_eq!(held, expected[name], "{name}");
    }
}

#[tokio::test]
async fn chunk_boundaries_do_not_matter() {
    for (kind, body) in fixtures() {
        // HTTP chunks keep their boundaries only roughly on the loopback interface; single bytes
        // are the finest split there is, and the event reader has a separate test of every split.
        for size in [1, 7, 100] {
            let mut bytes =
                HEAD.replace("Connection: close", "Transfer-Encoding: chunked").into_bytes();
            for piece in body.as_bytes().chunks(size) {
                bytes.extend(format!("{:x}\r\n", piece.len()).bytes());
                bytes.extend(piece);
                bytes.extend(b"\r\n");
            }
            bytes.extend(b"0\r\n\r\n");
            assert_eq!(pull(kind, bytes).await, expected(kind), "{kind:?} {size}");
        }
    }
}

#[tokio::test]
async fn a_clean_end_before_the_end_of_the_format_is_an_error() {
    for (kind, body) in fixtures() {
        let ends: Vec<usize> = body.match_indices("\n\n").map(|(place, _)| place + 2).collect();
        // Complete from the event on that says why it ends.
        let whole_from = body
            .find(match kind {
                Kind::Responses => "\"type\":\"response.completed\"",
                Kind::OpenAi => "\"finish_reason\":\"tool_calls\"",
                Kind::Anthropic => "\"stop_reason\":\"",
                _ => "\"finishReason\"",
            })
            .unwrap();
        for end in ends {
            let pulled = pull(kind, streamed(body.get(..end).unwrap())).await;
            assert_eq!(pulled.end.is_some(), end > whole_from, "{kind:?} at {end}");
            assert_eq!(pulled.error.is_none(), end > whole_from, "{kind:?} at {end}: {pulled:?}");
        }
    }
}

#[tokio::test]
async fn what_follows_the_end_of_the_format_is_not_read() {
    let error = json!({"type": "error", "error": {"type": "api_error", "code": 500}});
    for (kind, body) in fixtures() {
        // Gemini's format has no end of its own.
        if kind != Kind::Gemini {
            let body = body + &events(std::slice::from_ref(&error));
            let pulled = pull(kind, streamed(&body)).await;
            assert_eq!(pulled, expected(kind), "{kind:?}");
        }
    }
}

#[tokio::test]
async fn a_last_event_without_its_blank_line_counts_if_its_json_is_whole() {
    let body = events(&[part(&json!([{"text": "Hi"}]))]);
    let last = json!({"candidates": [{"finishReason": "STOP"}]}).to_string();
    let whole = pull(Kind::Gemini, streamed(&format!("{body}data: {last}"))).await;
    assert_eq!((whole.text.as_str(), whole.error), ("Hi", None));
    let cut =
        pull(Kind::Gemini, streamed(&format!("{body}data: {}", last.strip_suffix('}').unwrap())))
            .await;
    assert_eq!(cut.error.as_deref(), Some("unusable answer: cut before its end"));
}

#[tokio::test]
async fn a_broken_connection_is_an_error_even_after_the_finish_reason() {
    let mut bytes = HEAD.replace("Connection: close", "Content-Length: 100000").into_bytes();
    bytes.extend(events(&[chunk(&json!({"content": "Hi"})), finish("stop")]).bytes());
    let pulled = pull(Kind::OpenAi, bytes).await;
    assert_eq!((pulled.text.as_str(), pulled.end), ("Hi", None));
}

#[tokio::test]
async fn errors_in_a_stream_are_classified_by_their_status() {
    let openai = |error: Value| (Kind::OpenAi, events(&[json!({"error": error})]));
    let anthropic = |kind: &str| {
        let error = json!({"type": "error", "error": {"type": kind, "message": "canary"}});
        (Kind::Anthropic, events(&[error]))
    };
    let gemini = |error: Value| (Kind::Gemini, events(&[json!({"error": error})]));
    for ((kind, body), said) in [
        (openai(json!({"code": 503, "message": "canary"})), "status 503"),
        (openai(json!({"code": "502"})), "status 502"),
        (openai(json!({"type": "rate_limit_error"})), "rate limited"),
        (openai(json!("canary")), "unusable answer: an error with a successful status"),
        (
            (Kind::OpenAi, events(&[finish("error")])),
            "unusable answer: cut by an error of the model's server",
        ),
        (anthropic("overloaded_error"), "status 529"),
        (anthropic("rate_limit_error"), "rate limited"),
        (anthropic("request_too_large"), "status 413: the conversation is too long"),
        (anthropic("api_error"), "status 500"),
        (gemini(json!({"code": 503, "status": "UNAVAILABLE"})), "status 503"),
        (gemini(json!({"code": 429})), "rate limited"),
        ((Kind::Gemini, "{\n  \"error\": {\n    \"code\": 503\n  }\n}\n".to_owned()), "status 503"),
        (
            (Kind::Gemini, events(&[json!({"promptFeedback": {"blockReason": "SAFETY"}})])),
            "filtered: the prompt was blocked",
        ),
    ] {
        let pulled = pull(kind, streamed(&body)).await;
        assert_eq!(pulled.error.as_deref(), Some(said), "{body}");
    }
    for reason in [
        "MALFORMED_FUNCTION_CALL",
        "MALFORMED_RESPONSE",
        "UNEXPECTED_TOOL_CALL",
        "TOO_MANY_TOOL_CALLS",
        "MISSING_THOUGHT_SIGNATURE",
    ] {
        let body = events(&[json!({"candidates": [{"finishReason": reason}]})]);
        let pulled = pull(Kind::Gemini, streamed(&body)).await;
        assert!(pulled.error.is_some(), "{reason}");
    }
}

async fn openai_calls(fragments: &[Value]) -> Vec<(String, String, String)> {
    let mut documents: Vec<Value> =
        fragments.iter().map(|fragment| chunk(&json!({"tool_calls": [fragment]}))).collect();
    documents.push(finish("stop"));
    pull(Kind::OpenAi, streamed(&events(&documents))).await.end.unwrap().calls
}

#[tokio::test]
async fn calls_of_compatible_servers_are_distinguished_by_index_and_id() {
    let f = |name: &str, arguments: Value| json!({"name": name, "arguments": arguments});
    // A new id on a known index, as Gemini's compatible server sends it.
    assert_eq!(
        openai_calls(&[
            json!({"index": 0, "id": "a", "function": f("echo", json!("{}"))}),
            json!({"index": 0, "id": "b", "function": f("refuse", json!("{}"))}),
        ])
        .await,
        [call("a", "echo", "{}"), call("b", "refuse", "{}")]
    );
    // An id without an index starts a call; a fragment without either continues it.
    assert_eq!(
        openai_calls(&[
            json!({"id": "a", "function": f("echo", json!("{\"x\""))}),
            json!({"function": {"arguments": ":1}"}}),
            json!({"id": "b", "function": f("refuse", json!(""))}),
        ])
        .await,
        [call("a", "echo", "{\"x\":1}"), call("b", "refuse", "{}")]
    );
    // Repeated id and name, arguments as an object, no id at all.
    assert_eq!(
        openai_calls(&[
            json!({"index": 0, "id": "a", "function": f("echo", json!("{"))}),
            json!({"index": 0, "id": "a", "function": f("echo", json!("}"))}),
            json!({"index": 1, "function": f("echo", json!({"x": 1.50}))}),
        ])
        .await,
        [call("a", "echo", "{}"), call("r01c00001", "echo", "{\"x\":1.5}")]
    );
    // The name repeated before the arguments begin.
    assert_eq!(
        openai_calls(&[
            json!({"index": 0, "id": "a", "function": f("echo", json!(""))}),
            json!({"index": 0, "id": "a", "function": f("echo", json!("{}"))}),
        ])
        .await,
        [call("a", "echo", "{}")]
    );
}

#[tokio::test]
async fn arguments_that_are_not_json_reach_the_tools_as_the_model_wrote_them() {
    let broken = anthropic().replace("{\\\"n\\\":1}", "{\\\"n\\\":\\n oops}");
    let end = pull(Kind::Anthropic, streamed(&broken)).await.end.unwrap();
    assert_eq!(end.calls[1], call("b", "refuse", "{\"n\":\n oops}"));
    // The vendor accepts only objects back.
    assert_eq!(end.history.unwrap()[3]["input"], json!({}));
}

#[tokio::test]
async fn a_refusal_is_text_and_says_so() {
    let body = events(&[chunk(&json!({"refusal": "I can't."})), finish("stop")]);
    let pulled = pull(Kind::OpenAi, streamed(&body)).await;
    assert_eq!(pulled.text, "I can't.");
    assert_eq!(pulled.end.unwrap().finish_reason, "content_filter");
}

#[tokio::test]
async fn an_emoji_that_is_split_into_two_escapes_over_two_chunks_is_whole() {
    let chunk = |escape: &str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{escape}\"}}}}]}}\n\n")
    };
    let body = [chunk("a\\ud83d"), chunk("\\ude00b"), events(&[finish("stop")])].concat();
    assert_eq!(pull(Kind::OpenAi, streamed(&body)).await.text, "a😀b");
}

#[tokio::test]
async fn an_event_without_data_and_an_end_without_a_reason_are_accepted() {
    let body = events(&[chunk(&json!({"content": "Hi"}))]);
    let body = format!("data:\n\n{body}data: \n\ndata: [DONE]\n\n");
    let pulled = pull(Kind::OpenAi, streamed(&body)).await;
    assert_eq!((pulled.text.as_str(), pulled.end.unwrap().finish_reason), ("Hi", "other"));
}

#[tokio::test]
async fn a_model_whose_server_broke_off_has_no_complete_answer() {
    for word in ["insufficient_system_resource", "abort", "network_error", "error"] {
        let body = events(&[chunk(&json!({"content": "Half a"})), finish(word)]);
        let pulled = pull(Kind::OpenAi, streamed(&body)).await;
        assert_eq!((pulled.text.as_str(), pulled.end), ("Half a", None), "{word}");
    }
}

#[tokio::test]
async fn reasoning_in_the_text_is_cut_wherever_the_stream_is_split() {
    let whole = "<think>canary</think>\n\nHello";
    for cut in 0..=whole.len() {
        let (head, tail) = whole.split_at(cut);
        let pieces = [head, tail].map(|text| chunk(&json!({"content": text})));
        let pulled =
            pull(Kind::OpenAi, streamed(&(events(&pieces) + &events(&[finish("stop")])))).await;
        assert_eq!(pulled.text, "Hello", "at {cut}");
    }
}

#[tokio::test]
async fn a_json_answer_to_a_stream_is_a_whole_answer() {
    let body = json!({"model": "gpt-x", "choices": [{"finish_reason": "stop", "message": {"content": null,
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "echo", "arguments": "{}"}}]}}]});
    let pulled = pull(Kind::OpenAi, crate::support::tcp::answer(&body.to_string())).await;
    let end = pulled.end.unwrap();
    assert_eq!(end.calls, [call("a", "echo", "{}")]);
    assert_eq!(end.history.unwrap()["content"], json!(null));
}
