//! `POST /toolkit/api/chat`, with providers of the format `openai`.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::helpers::{App, Setup, until};
use crate::model::{Act, Model};

/// Starts a provider that returns this response to every request.
async fn provider(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

fn reply(text: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "id": "1", "object": "chat.completion", "model": "m-2026",
        "choices": [{
            "index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": text},
        }],
        "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
    }))
}

fn said(content: &str) -> Json {
    json!({"messages": [{"role": "user", "content": content}]})
}

async fn app_with(answer: ResponseTemplate) -> (App, MockServer) {
    let server = provider(answer).await;
    let app = App::start(Setup::default().with_provider("main", &server.uri())).await;
    (app, server)
}

#[tokio::test]
async fn a_reply_has_exactly_the_documented_fields() {
    let (app, server) = app_with(reply("A sortable identifier.")).await;
    let conversation = json!({"messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
        {"content": "What is a ULID? \u{1f600}", "role": "user"},
    ]});
    let answer = app.chat(&conversation).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(
        answer.json(),
        json!({
            "ok": true, "reply": "A sortable identifier.", "provider": "main", "model": "m-2026",
            "finish_reason": "stop", "usage": {"input_tokens": 7, "output_tokens": 3},
        })
    );
    let asked: Json = server.received_requests().await.unwrap()[0].body_json().unwrap();
    assert_eq!(asked["messages"][3]["content"], json!("What is a ULID? \u{1f600}"));
}

#[tokio::test]
async fn usage_is_null_if_the_provider_does_not_report_it() {
    let body = json!({"choices": [{"finish_reason": "stop", "message": {"content": "x"}}]});
    let (app, _server) = app_with(ResponseTemplate::new(200).set_body_json(body)).await;
    let answer = app.chat(&said("Hi")).await.json();
    assert!(answer.as_object().unwrap().contains_key("usage"));
    assert_eq!(answer["usage"], Json::Null);
}

#[tokio::test]
async fn when_one_provider_fails_the_next_one_answers_and_the_failure_does_not_show() {
    for trouble in [
        ResponseTemplate::new(500).set_body_string("provider-text-canary"),
        ResponseTemplate::new(401).set_body_string("provider-text-canary"),
        ResponseTemplate::new(429).insert_header("Retry-After", "3600"),
        ResponseTemplate::new(200).set_body_string("{\"choices\": [provider-text-canary"),
        ResponseTemplate::new(200).set_body_json(json!({"choices": []})),
        ResponseTemplate::new(302).insert_header("Location", "http://127.0.0.1:1/"),
        ResponseTemplate::new(200).set_delay(Duration::from_secs(30)),
    ] {
        let (first, second) = (provider(trouble).await, provider(reply("two")).await);
        let setup = Setup::default()
            .with_provider("first", &first.uri())
            .with_provider("second", &second.uri());
        let app = App::start(setup).await;
        let started = Instant::now();
        let answer = app.chat(&said("Hi")).await;
        assert_eq!((answer.status, &answer.json()["provider"]), (200, &json!("second")));
        assert!(!answer.body.contains("canary"), "{answer:?}");
        // The timeout of a provider is 4 seconds; the slow one would take 30.
        assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    }
}

#[tokio::test]
async fn the_status_depends_on_whether_the_caller_or_the_provider_caused_the_failure() {
    let canary = || ResponseTemplate::new(500).set_body_string("provider-text-canary");
    let (app, _server) = app_with(canary()).await;
    app.chat(&said("Hi")).await.refuses(502, "No language model gave a reply");

    let (app, _server) = app_with(ResponseTemplate::new(400).set_body_string("canary")).await;
    app.chat(&said("Hi")).await.refuses(422, "refused this conversation");

    let server = provider(reply("late").set_delay(Duration::from_secs(20))).await;
    let setup = Setup::new(&[("TOOLKIT_LLM__DEADLINE_MS", "500")]);
    let app = App::start(setup.with_provider("slow", &server.uri())).await;
    app.chat(&said("Hi")).await.refuses(504, "No language model replied in time");

    let app = App::start(Setup::default()).await;
    app.chat(&said("Hi")).await.refuses(503, "No language model is configured");
}

#[tokio::test]
async fn while_all_circuit_breakers_are_open_the_answer_is_503_and_health_and_metrics_show_it() {
    let server = provider(ResponseTemplate::new(429).insert_header("Retry-After", "600")).await;
    let setup = Setup::new(&[("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")]);
    let app = App::start(setup.with_provider("main", &server.uri())).await;
    let state = async || {
        let health = app.health().await;
        (health["status"].clone(), health["llm"].clone())
    };
    let untried = json!({"status": "ok", "providers": [{"name": "main", "status": "untried"}]});
    assert_eq!(state().await, (json!("ok"), untried));
    app.chat(&said("Hi")).await.refuses(503, "Try again in 600 seconds.");
    let answer = app.chat(&said("Hi")).await;
    answer.refuses(503, "Try again in ");
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((590..=600).contains(&seconds), "{seconds}");
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
    let resting =
        json!({"status": "unavailable", "providers": [{"name": "main", "status": "cooling_down"}]});
    assert_eq!(state().await, (json!("degraded"), resting));
    let metrics = app.metrics().await;
    let line = "toolkit_llm_attempts_total{provider=\"main\",outcome=\"rate_limited\"} ";
    assert!(metrics.contains(line), "{metrics}");
}

#[tokio::test]
async fn health_never_calls_a_model() {
    let (app, server) = app_with(reply("x")).await;
    for _ in 0..100 {
        app.health().await;
    }
    assert!(server.received_requests().await.unwrap().is_empty());
    assert_eq!(app.get("/flags").await.json()["aiEnabled"], json!(true));
}

#[tokio::test]
async fn errors_in_a_conversation_are_named_and_no_model_is_asked() {
    let (app, server) = app_with(reply("x")).await;
    let message = |role: &str, content: &str| json!({"role": role, "content": content});
    let too_many: Vec<_> = (0..101).map(|_| message("user", "x")).collect();
    let half = "x".repeat(32 << 10);
    for (body, words) in [
        (json!({}), "`messages` is required"),
        (json!([]), "must be a JSON object, not an array"),
        (json!({"messages": null}), "`messages` is required"),
        (
            json!({"messages": "x"}),
            "line 1, column 13: `messages` must be an array of objects, not a string.",
        ),
        (json!({"messages": []}), "1 to 100 messages"),
        (json!({"messages": too_many}), "1 to 100"),
        (json!({"messages": ["x"]}), "`messages[0]` must be an object, not a string"),
        (json!({"messages": [{"role": "user"}]}), "`messages[0].content` is required"),
        (json!({"messages": [{"content": "x"}]}), "`messages[0].role` is required"),
        (
            json!({"messages": [message("tool", "x")]}),
            "`messages[0].role` must be `user`, `assistant` or `system`",
        ),
        (json!({"messages": [message("User", "x")]}), "`messages[0].role` must be"),
        (
            json!({"messages": [{"role": "user", "content": 5}]}),
            "`messages[0].content` must be a string, not a number",
        ),
        (
            json!({"messages": [{"role": "user", "content": ["x"]}]}),
            "must be a string, not an array",
        ),
        (
            json!({"messages": [{"role": "user", "content": "x", "name": "y"}]}),
            "`messages[0]` has no `name`",
        ),
        (json!({"messages": [message("user", "")]}), "`messages[0].content` is empty"),
        (json!({"messages": [message("user", " \n")]}), "`messages[0].content` is empty"),
        (
            json!({"messages": [message("user", "x"), message("assistant", "y")]}),
            "the last message must be from `user`",
        ),
        (
            json!({"messages": [message("user", &half), message("user", &half), message("user", "x")]}),
            "65536 bytes",
        ),
        (
            json!({"messages": [message("user", "x")], "model": "m"}),
            "unknown input `model`. This endpoint takes `messages`",
        ),
        (
            json!({"message": [message("user", "x")]}),
            "This endpoint takes `messages`, `stream`, `tools`",
        ),
    ] {
        app.chat(&body).await.refuses(422, words);
    }
    for (body, words) in [
        ("", "The body is empty"),
        ("{\"messages\": [", "not valid JSON"),
        (
            "{\"messages\": []} x",
            "line 1, column 18: the body is not valid JSON: trailing characters",
        ),
        (
            "{\"messages\": [], \"messages\": []}",
            "line 1, column 30: `messages` is given twice. Leave one out.",
        ),
        (
            "{\"messages\": [{\"role\": \"user\", \"content\": \"\\ud800\"}]}",
            "must be Unicode text",
        ),
    ] {
        app.send_raw("/chat", body).await.refuses(422, words);
    }
    assert!(server.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_hundred_messages_and_64_kib_are_accepted() {
    let (app, _server) = app_with(reply("x")).await;
    let many: Vec<_> = (0..100).map(|_| json!({"role": "user", "content": "x"})).collect();
    assert_eq!(app.chat(&json!({"messages": many})).await.status, 200);
    assert_eq!(app.chat(&said(&"x".repeat(64 << 10))).await.status, 200);
    app.chat(&said(&"x".repeat((64 << 10) + 1))).await.refuses(422, "65536 bytes");
}

#[tokio::test]
async fn a_body_of_another_type_is_415_and_one_over_the_limit_413() {
    let app = App::start(Setup::default()).await;
    let plain = app.post("/chat").header("X-Api-Key", &app.key).body("{}");
    crate::helpers::Answer::of(plain).await.refuses(415, "application/json");
    app.send_raw("/chat", " ".repeat((1 << 20) + 1)).await.refuses(413, "1048576 bytes");
    app.send_raw("/chat", " ".repeat(1 << 20)).await.refuses(422, "The body is empty");
    let answer = crate::helpers::Answer::of(app.client.get(app.url("/chat"))).await;
    answer.refuses(405, "POST");
    assert_eq!(answer.header("allow"), Some("POST"));
}

#[tokio::test]
async fn a_client_that_disconnects_cancels_the_call() {
    let model = Model::start(vec![Act::Hang(Vec::new())]).await;
    let provider = format!(
        "[[llm.providers]]\nname = \"main\"\nkind = \"openai\"\nmodel = \"m\"\n\
         base_url = \"{}\"\napi_key = \"k\"\ntimeout_ms = 60000\n",
        model.url
    );
    let deadline = ("TOOLKIT_LLM__DEADLINE_MS", "60000");
    let app = App::start(Setup::new(&[deadline]).with_file(&provider)).await;
    let request = app.post("/chat").header("X-Api-Key", &app.key).json(&said("Hi"));
    let asking = tokio::spawn(request.send());
    until("the model is asked", async || (model.requests().len() == 1).then_some(())).await;
    let started = Instant::now();
    asking.abort();
    until("the model's connection is closed", async || (model.closed() == 1).then_some(())).await;
    // Without the cancellation it would stay open for a minute.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert_eq!(app.health().await["llm"]["providers"][0]["status"], json!("untried"));
}
