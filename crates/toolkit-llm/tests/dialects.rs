//! Requests and whole answers of the four wire formats: each rule once, and what a vendor writes
//! in the rows of its format.

use std::time::Duration;

use serde_json::{Value, json};
use toolkit_llm::providers::{Anthropic, Kind, ProviderConfig};
use toolkit_llm::{FinishReason, Message, ProviderError, RetryAfter, Usage};
use wiremock::ResponseTemplate;

use crate::support::http::{header, json, read, read_json, request_for, server};
use crate::support::{KEY, ask_directly, client, config, conversation, hello};

/// A vendor's format.
struct Dialect {
    kind: Kind,
    /// An answer as shown in the API reference, with this content, and this word for why it ends.
    answer: fn(&Value, &Value) -> Value,
    /// Content that is a text.
    text: fn(&str) -> Value,
    /// The model in that answer, and the tokens.
    model: &'static str,
    usage: Usage,
    /// Words for why an answer ends, the first of them for a finished one.
    ends: Vec<(Value, FinishReason)>,
    /// Content of several parts, whose texts are "Hello, you".
    parts: Value,
    /// Members of an answer that do not lose its text.
    odd: Vec<(&'static str, Value)>,
    /// Contents without a text.
    empty: Vec<Value>,
    /// Other answers without one.
    unusable: Vec<Value>,
    /// Answers that the vendor's filter holds back.
    filtered: Vec<Value>,
    /// Path and query of a request, its headers, and its body for the conversation of the test.
    path: (&'static str, Option<&'static str>),
    headers: Vec<(&'static str, Option<String>)>,
    body: Value,
}

impl Dialect {
    fn finished(&self, content: &Value) -> Value {
        (self.answer)(content, &self.ends[0].0)
    }
}

fn dialects() -> [Dialect; 4] {
    [openai(), responses(), anthropic(), gemini()]
}

fn bearer() -> Vec<(&'static str, Option<String>)> {
    vec![("authorization", Some(format!("Bearer {KEY}")))]
}

/// Chat Completions, as spoken by OpenAI and compatible servers.
fn openai() -> Dialect {
    let said = |content: &Value| json!({"role": "assistant", "content": content, "refusal": null, "annotations": []});
    let answer = |message: &Value, end: &Value| {
        json!({
            "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
            "object": "chat.completion",
            "created": 1_741_569_952,
            "model": "gpt-x-2026-01-01",
            "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": end}],
            "usage": {
                "prompt_tokens": 19,
                "completion_tokens": 10,
                "total_tokens": 29,
                "completion_tokens_details": {"reasoning_tokens": 0},
            },
            "service_tier": "default",
        })
    };
    let with_choices = |choices: Value| json!({"model": "gpt-x", "choices": choices});
    Dialect {
        kind: Kind::OpenAi,
        answer,
        text: |text| json!({"role": "assistant", "content": text, "refusal": null, "annotations": []}),
        model: "gpt-x-2026-01-01",
        usage: Usage::new(19, 10),
        ends: vec![
            (json!("stop"), FinishReason::Stop),
            (json!("length"), FinishReason::Length),
            (json!("model_length"), FinishReason::Length),
            (json!("content_filter"), FinishReason::ContentFilter),
            (json!("tool_calls"), FinishReason::ToolCalls),
            (json!("function_call"), FinishReason::ToolCalls),
            (json!("something_new"), FinishReason::Other),
            (json!(null), FinishReason::Other),
            (json!(7), FinishReason::Other),
        ],
        parts: said(&json!([
            {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
            {"type": "text", "text": "Hello"},
            {"type": "text", "text": ", you"},
            {"type": "reference", "reference_ids": [1]},
        ])),
        odd: vec![
            ("model", json!(null)),
            ("model", json!(["a"])),
            ("model", json!("")),
            ("model", json!("a\nb")),
            ("model", json!("m".repeat(201))),
            ("error", json!(null)),
        ],
        empty: vec![
            json!("text"),
            json!({"role": "assistant"}),
            said(&json!(null)),
            said(&json!(7)),
            said(&json!({"text": "a"})),
            said(&json!([])),
            said(&json!(["a"])),
            said(&json!([{"type": "text", "text": 7}])),
        ],
        unusable: vec![
            with_choices(json!([])),
            with_choices(json!(null)),
            with_choices(json!({})),
            with_choices(json!("text")),
            with_choices(json!([{}])),
            with_choices(json!([null])),
            with_choices(json!([{"text": "old style"}])),
            answer(&said(&json!(" \n")), &json!("length")),
            answer(&said(&json!("half a rep")), &json!("error")),
        ],
        filtered: vec![answer(&said(&json!("")), &json!("content_filter"))],
        path: ("/v1/chat/completions", None),
        headers: bearer(),
        body: json!({
            "model": "model-1",
            "messages": [
                {"role": "system", "content": "Be brief.\n\nBe kind."},
                {"role": "user", "content": "a"},
                {"role": "assistant", "content": "b"},
                {"role": "user", "content": "c\"\n"},
                {"role": "user", "content": "d"},
            ],
            "max_tokens": 64,
            "stream": true,
            "stream_options": {"include_usage": true},
        }),
    }
}

/// The Responses API.
fn responses() -> Dialect {
    let message = |part: Value| json!([{"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [part]}]);
    Dialect {
        kind: Kind::Responses,
        answer: |output, end| {
            let is_whole = end == "completed";
            json!({
                "id": "resp_1", "object": "response", "created_at": 1_764_270_000, "error": null,
                "status": if is_whole { "completed" } else { "incomplete" },
                "incomplete_details": (!is_whole).then(|| json!({"reason": end})),
                "model": "gpt-x", "output": output,
                "usage": {"input_tokens": 36, "output_tokens": 87, "total_tokens": 123},
            })
        },
        text: |text| {
            let part = json!({"type": "output_text", "text": text, "annotations": []});
            json!([{"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [part]}])
        },
        model: "gpt-x",
        usage: Usage::new(36, 87),
        ends: vec![
            (json!("completed"), FinishReason::Stop),
            (json!("max_output_tokens"), FinishReason::Length),
            (json!("content_filter"), FinishReason::ContentFilter),
        ],
        parts: json!([
            {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]},
            {"type": "message", "role": "assistant", "content": [
                {"type": "output_text", "text": "Hello"}, {"type": "output_text", "text": ", you"}]},
        ]),
        odd: vec![("model", json!(7)), ("id", json!(null)), ("error", json!(null))],
        empty: vec![json!([]), message(json!({"type": "output_text", "text": 7}))],
        unusable: vec![],
        filtered: vec![],
        path: ("/v1/responses", None),
        headers: bearer(),
        body: json!({
            "model": "model-1",
            "instructions": "Be brief.\n\nBe kind.",
            "input": [
                {"role": "user", "content": "a"},
                {"role": "assistant", "content": "b"},
                {"role": "user", "content": "c\"\n"},
                {"role": "user", "content": "d"},
            ],
            "max_output_tokens": 64,
            "include": ["reasoning.encrypted_content"],
            "store": false,
            "stream": true,
        }),
    }
}

/// Anthropic's Messages API.
fn anthropic() -> Dialect {
    let answer = |content: &Value, end: &Value| {
        json!({
            "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
            "type": "message",
            "role": "assistant",
            "content": content,
            "model": "claude-x-20260101",
            "stop_reason": end,
            "stop_sequence": null,
            "usage": {
                "input_tokens": 12,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "output_tokens": 6,
                "service_tier": "standard",
            },
        })
    };
    let text = |text: &str| json!([{"type": "text", "text": text, "citations": null}]);
    Dialect {
        kind: Kind::Anthropic,
        answer,
        text,
        model: "claude-x-20260101",
        usage: Usage::new(12, 6),
        ends: vec![
            (json!("end_turn"), FinishReason::Stop),
            (json!("stop_sequence"), FinishReason::Stop),
            (json!("max_tokens"), FinishReason::Length),
            (json!("model_context_window_exceeded"), FinishReason::Length),
            (json!("refusal"), FinishReason::ContentFilter),
            (json!("tool_use"), FinishReason::ToolCalls),
            (json!("pause_turn"), FinishReason::Other),
            (json!(null), FinishReason::Other),
            (json!(7), FinishReason::Other),
        ],
        parts: json!([
            {"type": "thinking", "thinking": "hm", "signature": "x"},
            {"type": "redacted_thinking", "data": "x"},
            {"type": "text", "text": "Hello"},
            {"type": "something_new", "text": "?"},
            {"type": "text", "text": ", you"},
        ]),
        odd: vec![("model", json!(7)), ("role", json!(7)), ("id", json!(null))],
        empty: vec![
            json!([]),
            json!(null),
            json!("text"),
            json!([null]),
            json!([{"text": "a"}]),
            json!([{"type": "text"}]),
            json!([{"type": "text", "text": 7}]),
        ],
        unusable: vec![answer(
            &json!([{"type": "thinking", "thinking": "hm"}]),
            &json!("max_tokens"),
        )],
        filtered: [json!([]), text("")].map(|content| answer(&content, &json!("refusal"))).into(),
        path: ("/v1/messages", None),
        headers: vec![
            ("x-api-key", Some(KEY.to_owned())),
            ("anthropic-version", Some("2023-06-01".to_owned())),
            ("authorization", None),
        ],
        body: json!({
            "model": "model-1",
            "max_tokens": 64,
            "system": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Be kind."}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "a"}]},
                {"role": "assistant", "content": [{"type": "text", "text": "b"}]},
                {"role": "user", "content": [
                    {"type": "text", "text": "c\"\n"},
                    {"type": "text", "text": "d"},
                ]},
            ],
            "stream": true,
        }),
    }
}

/// Google's Gemini API.
fn gemini() -> Dialect {
    let answer = |parts: &Value, end: &Value| {
        json!({
            "candidates": [{
                "content": {"parts": parts, "role": "model"},
                "finishReason": end,
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
    };
    let blocked_prompt = json!({
        "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
        "usageMetadata": {"promptTokenCount": 8, "totalTokenCount": 8},
        "modelVersion": "gemini-x-001",
    });
    Dialect {
        kind: Kind::Gemini,
        answer,
        text: |text| json!([{"text": text}]),
        model: "gemini-x-001",
        // Thoughts count as output.
        usage: Usage::new(8, 34),
        ends: vec![
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
        ],
        parts: json!([
            {"text": "hm", "thought": true},
            {"text": "Hello", "thoughtSignature": "x"},
            {"inlineData": {"mimeType": "image/png", "data": ""}},
            {"text": ", you", "thought": false},
        ]),
        odd: vec![("modelVersion", json!(7)), ("responseId", json!(null))],
        empty: vec![json!([]), json!("text"), json!([{"text": 7}])],
        unusable: vec![
            json!({"candidates": []}),
            json!({"candidates": null}),
            json!({"candidates": {}}),
            json!({"candidates": [{}]}),
            json!({"candidates": [null]}),
            json!({"candidates": [{"content": "text"}]}),
            json!({"candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}]}),
            json!({"promptFeedback": {"safetyRatings": []}}),
            json!({"promptFeedback": {"blockReason": ""}}),
            answer(&json!([{"text": "hm", "thought": true}]), &json!("MAX_TOKENS")),
        ],
        filtered: vec![
            blocked_prompt,
            json!({"candidates": [{"finishReason": "SAFETY", "index": 0}]}),
            answer(&json!([]), &json!("RECITATION")),
        ],
        // The key is never in the address.
        path: ("/v1beta/models/model-1:streamGenerateContent", Some("alt=sse")),
        headers: vec![("x-goog-api-key", Some(KEY.to_owned()))],
        body: json!({
            "systemInstruction": {"parts": [{"text": "Be brief."}, {"text": "Be kind."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "a"}]},
                {"role": "model", "parts": [{"text": "b"}]},
                {"role": "user", "parts": [{"text": "c\"\n"}, {"text": "d"}]},
            ],
            "generationConfig": {"maxOutputTokens": 64},
        }),
    }
}

#[tokio::test]
async fn the_request_is_what_the_reference_asks_for() {
    let conversation = conversation(vec![
        Message::user("a"),
        Message::assistant("b"),
        Message::system("Be kind."),
        Message::user("c\"\n"),
        Message::user("d"),
    ]);
    for dialect in dialects() {
        let request = request_for(dialect.kind, &conversation, Some("Be brief.")).await;
        assert_eq!(request.method.as_str(), "POST");
        assert_eq!((request.url.path(), request.url.query()), dialect.path);
        assert_eq!(header(&request, "content-type"), Some("application/json"));
        assert_eq!(header(&request, "accept-encoding"), None);
        for (name, value) in dialect.headers {
            assert_eq!(header(&request, name), value.as_deref(), "{name}");
        }
        assert_eq!(json(&request), dialect.body);
        let bare = json(&request_for(dialect.kind, &hello(), None).await).to_string();
        assert!(!bare.contains("ystem") && !bare.contains("nstructions"), "{bare}");
    }
}

#[tokio::test]
async fn a_reply_is_read_whole_and_texts_of_other_kinds_are_left_out() {
    for dialect in dialects() {
        let body = dialect.finished(&(dialect.text)("Hello! \"é\" 🦀\n"));
        let reply = read_json(dialect.kind, body).await.unwrap();
        assert_eq!(
            (reply.model.as_str(), reply.text.as_str()),
            (dialect.model, "Hello! \"é\" 🦀\n")
        );
        assert_eq!(reply.provider, "main");
        let counts = reply.usage.map(|usage| Usage::new(usage.input_tokens, usage.output_tokens));
        assert_eq!(counts, Some(dialect.usage));
        let reply = read_json(dialect.kind, dialect.finished(&dialect.parts)).await.unwrap();
        assert_eq!(reply.text, "Hello, you");
    }
}

#[tokio::test]
async fn finish_reasons_come_in_one_vocabulary() {
    for dialect in dialects() {
        for (word, expected) in &dialect.ends {
            let body = (dialect.answer)(&(dialect.text)("text"), word);
            let reply = read_json(dialect.kind, body).await.unwrap();
            assert_eq!(reply.finish_reason, *expected, "{word}");
        }
    }
}

#[tokio::test]
async fn malformed_fields_other_than_the_text_do_not_lose_the_reply() {
    for dialect in dialects() {
        for (field, odd) in &dialect.odd {
            let mut body = dialect.finished(&(dialect.text)("text"));
            body[field] = odd.clone();
            let reply = read_json(dialect.kind, body).await.unwrap();
            let is_model = field.starts_with("model");
            let model = if is_model { "model-1" } else { dialect.model };
            assert_eq!((reply.text.as_str(), reply.model.as_str()), ("text", model), "{field}");
        }
    }
}

#[tokio::test]
async fn an_answer_without_text_is_unusable_and_a_filter_is_not_the_providers_fault() {
    for dialect in dialects() {
        let blank = ["", " \n"].map(|text| (dialect.text)(text));
        let contents = dialect.empty.iter().chain(&blank);
        let bodies = contents.map(|content| dialect.finished(content));
        for body in bodies.chain(dialect.unusable.clone()) {
            let error = read_json(dialect.kind, body.clone()).await.unwrap_err();
            let is_unusable =
                matches!(error, ProviderError::Unusable { .. } | ProviderError::NoText { .. });
            assert!(is_unusable, "{body}: {error:?}");
        }
        for body in dialect.filtered {
            let error = read_json(dialect.kind, body).await.unwrap_err();
            assert!(matches!(error, ProviderError::Filtered { .. }), "{error:?}");
        }
    }
}

#[tokio::test]
async fn tokens_are_counted_as_far_as_they_are_told() {
    let count = |input, output, cached, reasoning| {
        let mut usage = Usage::new(input, output);
        (usage.cached_tokens, usage.reasoning_tokens) = (cached, reasoning);
        Some(usage)
    };
    for (dialect, told, expected) in [
        (openai(), json!(null), None),
        (openai(), json!("many"), None),
        (openai(), json!({"prompt_tokens": -1, "completion_tokens": 1}), None),
        (openai(), json!({"prompt_tokens": 1.5, "completion_tokens": 1}), None),
        (openai(), json!({"prompt_tokens": 1}), None),
        (
            openai(),
            json!({
                "prompt_tokens": 19, "prompt_tokens_details": {"cached_tokens": 7, "audio_tokens": 0},
                "completion_tokens": 10, "completion_tokens_details": {"reasoning_tokens": 4},
            }),
            count(19, 10, 7, 4),
        ),
        (
            responses(),
            json!({
                "input_tokens": 36, "input_tokens_details": {"cached_tokens": 4},
                "output_tokens": 87, "output_tokens_details": {"reasoning_tokens": 9},
            }),
            count(36, 87, 4, 9),
        ),
        (anthropic(), json!(null), None),
        (anthropic(), json!({"input_tokens": "12", "output_tokens": 6}), None),
        (
            anthropic(),
            json!({
                "input_tokens": 5, "cache_creation_input_tokens": 100,
                "cache_read_input_tokens": null, "output_tokens": 2,
            }),
            count(105, 2, 0, 0),
        ),
        (
            anthropic(),
            json!({
                "input_tokens": 5, "cache_creation_input_tokens": 100,
                "cache_read_input_tokens": 40, "output_tokens": 2,
            }),
            count(145, 2, 40, 0),
        ),
        (gemini(), json!({"promptTokenCount": 8, "thoughtsTokenCount": 30}), count(8, 30, 0, 30)),
        (gemini(), json!({"promptTokenCount": 8}), count(8, 0, 0, 0)),
        (gemini(), json!({"promptTokenCount": "8"}), None),
        (gemini(), json!({"promptTokenCount": -8}), None),
        (gemini(), json!({}), None),
        (gemini(), json!(null), None),
        (gemini(), json!([]), None),
    ] {
        let mut body = dialect.finished(&(dialect.text)("text"));
        let field = if dialect.kind == Kind::Gemini { "usageMetadata" } else { "usage" };
        body[field] = told.clone();
        assert_eq!(read_json(dialect.kind, body).await.unwrap().usage, expected, "{told}");
    }
}

/// Bodies that are not a valid reply for any vendor.
#[tokio::test]
async fn garbage_is_unusable() {
    let deep = "[".repeat(100_000);
    for kind in dialects().map(|dialect| dialect.kind) {
        for body in [
            "",
            " ",
            "null",
            "true",
            "7",
            "\"text\"",
            "[]",
            "{}",
            "{",
            "{\"choices\": [{",
            "<html><body>502 Bad Gateway</body></html>",
            "data: {\"choices\": []}\n\n",
            deep.as_str(),
        ] {
            let answer = ResponseTemplate::new(200).set_body_string(body);
            let error = read(kind, answer).await.unwrap_err();
            let start: String = body.chars().take(20).collect();
            assert!(matches!(error, ProviderError::Unusable { .. }), "{start}: {error:?}");
        }
        let not_utf8 = ResponseTemplate::new(200).set_body_bytes(vec![0xff, 0xfe, 0x00]);
        assert!(matches!(read(kind, not_utf8).await, Err(ProviderError::Unusable { .. })));
    }
}

/// Statuses that mean the same for all vendors, each with a body that is not JSON.
#[tokio::test]
async fn statuses_are_distinguished() {
    for kind in dialects().map(|dialect| dialect.kind) {
        for (status, expected) in [
            (301, "status 301"),
            (400, "status 400: the request was refused"),
            (401, "status 401: check the key, its rights and the account's credit"),
            (402, "status 402: the account has no credit"),
            (403, "status 403: check the key, its rights and the account's credit"),
            (404, "status 404"),
            (408, "status 408"),
            (413, "status 413: the conversation is too long"),
            (422, "declined: status 422"),
            (429, "rate limited"),
            (500, "status 500"),
            (502, "status 502"),
            (529, "status 529"),
        ] {
            let answer = ResponseTemplate::new(status).set_body_string("<html>canary</html>");
            assert_eq!(read(kind, answer).await.unwrap_err().to_string(), expected);
        }
    }
}

/// An error of 400 with one of these members in `error`.
fn blamed(kind: Kind, error: &Value) -> (Kind, ResponseTemplate) {
    let body = json!({"type": "error", "error": error, "request_id": "req_1"});
    (kind, ResponseTemplate::new(400).set_body_json(body))
}

#[tokio::test]
async fn a_400_is_the_callers_fault_unless_it_names_key_account_or_configuration() {
    let openai = |kind: &str, code: &str| {
        let error = json!({"message": "m", "type": kind, "param": null, "code": code});
        blamed(Kind::OpenAi, &error)
    };
    let anthropic = |message: &str| {
        let error = json!({"type": "invalid_request_error", "message": message});
        blamed(Kind::Anthropic, &error)
    };
    let gemini = |status: &str, details: Value| {
        let error = json!({"code": 400, "message": "m", "status": status, "details": details});
        blamed(Kind::Gemini, &error)
    };
    let wrong_key = json!([{
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "API_KEY_INVALID",
        "domain": "googleapis.com",
    }]);
    let violation = json!([{
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        "fieldViolations": [{"field": "contents", "description": "d"}],
    }]);
    for (case, ((kind, answer), denied)) in [
        (openai("invalid_request_error", "context_length_exceeded"), false),
        (openai("invalid_request_error", "invalid_value"), false),
        (openai("invalid_request_error", "400"), false),
        (openai("invalid_request_error", "model_not_found"), true),
        (openai("invalid_request_error", "model_decommissioned"), true),
        (openai("invalid_request_error", "unsupported_parameter"), true),
        (openai("no_db_connection", "400"), true),
        (anthropic("Your credit balance is too low to access the Anthropic API."), true),
        (anthropic("You have reached your specified API usage limits."), true),
        (anthropic("prompt is too long: 250000 tokens > 200000 maximum"), false),
        (anthropic("messages.0.content: Your credit balance"), false),
        (gemini("INVALID_ARGUMENT", wrong_key), true),
        (gemini("FAILED_PRECONDITION", json!([])), true),
        (gemini("INVALID_ARGUMENT", violation), false),
        (gemini("INVALID_ARGUMENT", json!("API_KEY_INVALID")), false),
    ]
    .into_iter()
    .enumerate()
    {
        let error = read(kind, answer).await.unwrap_err();
        let as_expected = match error {
            ProviderError::Denied { .. } => denied,
            ProviderError::Refused { .. }
            | ProviderError::TooLong { .. }
            | ProviderError::BadRequest => !denied,
            _ => false,
        };
        assert!(as_expected, "{case}: {error:?}");
    }
}

#[tokio::test]
async fn a_429_gives_its_pause_in_the_header_or_the_body() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    let info = |delay: &str| {
        let details = json!([
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": []},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
        ]);
        let error = json!({"code": 429, "status": "RESOURCE_EXHAUSTED", "details": details});
        ResponseTemplate::new(429).set_body_json(json!({"error": error}))
    };
    let bare = || ResponseTemplate::new(429);
    let delay = |seconds| Some(RetryAfter::Delay(Duration::from_secs(seconds)));
    for (kind, answer, expected) in [
        (Kind::OpenAi, bare().insert_header("Retry-After", "17"), delay(17)),
        (Kind::OpenAi, bare().insert_header("Retry-After", date), RetryAfter::parse(date)),
        (Kind::OpenAi, bare().insert_header("Retry-After", "later"), None),
        (Kind::OpenAi, bare(), None),
        (Kind::Gemini, info("34s"), delay(34)),
        (Kind::Gemini, info("soon").insert_header("Retry-After", "9"), delay(9)),
        (Kind::Gemini, bare().set_body_json(json!({"error": {"code": 429}})), None),
    ] {
        match read(kind, answer).await {
            Err(ProviderError::RateLimited { retry_after }) => assert_eq!(retry_after, expected),
            other => panic!("{other:?}"),
        }
    }
    assert!(RetryAfter::parse(date).is_some());
}

#[test]
fn the_vendor_itself_is_the_default_and_needs_a_key() {
    for kind in dialects().map(|dialect| dialect.kind) {
        let config = ProviderConfig::new("main", "model-1");
        let provider = kind.provider(client(), config.clone().api_key(KEY)).unwrap();
        assert_eq!((provider.name(), provider.timeout()), ("main", None));
        assert_eq!(kind.provider(client(), config).err().unwrap().field, "api_key");
    }
}

#[tokio::test]
async fn a_base_with_its_version_is_understood() {
    let server = server(ResponseTemplate::new(500)).await;
    for base in ["/", "/v1", "/v1/"] {
        let config = config(&format!("{}{base}", server.uri()));
        ask_directly(&Anthropic::new(client(), config).unwrap(), &hello()).await.unwrap_err();
    }
    for request in server.received_requests().await.unwrap() {
        assert_eq!(request.url.path(), "/v1/messages");
    }
}
