//! Streamed chats and tools in chat, over real connections, as a client receives them.

use std::time::Duration;

use reqwest::Response;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::database::Database;
use crate::helpers::{App, PATIENCE, Setup, until};
use crate::model::{Act, Model, app, asked, call, delta, end};
use crate::process::Process;

/// Asks for a stream, and returns once its head has been received.
async fn open(app: &App) -> Response {
    let request = app.post("/chat").header("X-Api-Key", &app.key);
    let request = request.json(&asked(&json!({"stream": true})));
    request.send().await.unwrap()
}

const SHA: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

#[tokio::test]
async fn a_reply_is_streamed_event_by_event() {
    let model = Model::start(vec![Act::Send(vec![delta(" "), delta("Hello"), end()])]).await;
    let app = app(&model, &[]).await;
    let answer = app.chat(&asked(&json!({"stream": "true"}))).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("text/event-stream"));
    assert_eq!(answer.header("cache-control"), Some("no-store, no-transform"));
    assert_eq!(answer.header("x-accel-buffering"), Some("no"));
    assert_eq!(
        answer.body,
        "event: start\ndata: {\"type\":\"start\",\"provider\":\"main\",\"model\":\"m-2026\"}\n\n\
         event: delta\ndata: {\"type\":\"delta\",\"text\":\" Hello\"}\n\n\
         event: done\ndata: {\"type\":\"done\",\"ok\":true,\"provider\":\"main\",\"model\":\"m-2026\",\
         \"finish_reason\":\"stop\",\"usage\":{\"input_tokens\":3,\"output_tokens\":2}}\n\n"
    );
    let sent = &model.requests()[0];
    assert_eq!((&sent["stream"], sent.get("tools")), (&json!(true), None));
}

#[tokio::test]
async fn a_reply_is_streamed_only_if_the_input_says_so() {
    let answer = json!({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]});
    let model = Model::start(vec![Act::Json(answer)]).await;
    let app = app(&model, &[]).await;
    for stream in [json!(false), json!("false")] {
        let answer = app.chat(&asked(&json!({"stream": stream}))).await;
        assert_eq!((answer.status, &answer.json()["reply"]), (200, &json!("Hi")));
    }
    for stream in [json!("no"), json!(1)] {
        let answer = app.chat(&asked(&json!({"stream": stream}))).await;
        answer.refuses(422, "`stream` must be");
    }
}

#[tokio::test]
async fn a_tool_call_is_run_and_reported() {
    let rounds = vec![
        Act::Send(vec![call("hash_text", "{\"text\": \"abc\", \"algorithm\": \"sha256\"}"), end()]),
        Act::Send(vec![delta("Done."), end()]),
    ];
    let model = Model::start(rounds).await;
    let app = app(&model, &[]).await;
    let answer = app.chat(&asked(&json!({"stream": true, "tools": "auto"}))).await;
    let tool = format!(
        "event: tool_start\ndata: {{\"type\":\"tool_start\",\"id\":\"r01c00000\",\"name\":\"hash_text\"}}\n\n\
         event: tool\ndata: {{\"type\":\"tool\",\"id\":\"r01c00000\",\"name\":\"hash_text\",\
         \"arguments\":{{\"text\":\"abc\",\"algorithm\":\"sha256\"}},\"ok\":true,\
         \"result\":{{\"result\":\"{SHA}\",\"type\":\"sha256\"}}}}\n\n"
    );
    assert!(answer.body.contains(&tool), "{}", answer.body);
    assert!(answer.body.contains("\"usage\":{\"input_tokens\":6,\"output_tokens\":4}"));
    let requests = model.requests();
    assert_eq!(requests[0]["tools"].as_array().unwrap().len(), 9);
    let last = requests[1]["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["role"], "tool");
    assert!(last["content"].as_str().unwrap().contains(SHA));
}

#[tokio::test]
async fn an_answer_in_one_piece_lists_its_calls() {
    let calls = json!([
        {"id": "a", "type": "function", "function": {"name": "hash_text", "arguments": "{\"text\":\"abc\",\"algorithm\":\"sha256\"}"}},
        {"id": "b", "type": "function", "function": {"name": "cidr_info", "arguments": "{\"cidr\":\"10.0.0.0/33\"}"}},
        {"id": "c", "type": "function", "function": {"name": "shell", "arguments": "{}"}},
    ]);
    let usage = json!({"prompt_tokens": 3, "completion_tokens": 2});
    let model = Model::start(vec![
        Act::Json(json!({"choices": [{"message": {"tool_calls": calls}, "finish_reason": "stop"}], "usage": usage})),
        Act::Json(json!({"choices": [{"message": {"content": "Done."}, "finish_reason": "stop"}], "usage": usage})),
    ])
    .await;
    let app = app(&model, &[("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")]).await;
    let reply = app.chat(&asked(&json!({"tools": "auto"}))).await.json();
    assert_eq!(reply["reply"], "Done.");
    assert_eq!(reply["tool_calls"][0]["result"]["result"], SHA);
    let refused = &reply["tool_calls"][1];
    assert_eq!(refused["ok"], false);
    assert!(
        refused["detail"].as_str().unwrap().starts_with("offset 9: `cidr` has a prefix length"),
        "{refused}"
    );
    let unknown = reply["tool_calls"][2]["detail"].as_str().unwrap().to_owned();
    assert!(
        unknown.starts_with("Unknown tool `shell`. The tools are base64_transform,"),
        "{unknown}"
    );
    assert_eq!(reply.get("warnings"), None);
    let metrics = app.metrics().await;
    for labels in [
        "toolkit_chat_tool_calls_total{tool=\"hash_text\",outcome=\"ok\"}",
        "toolkit_chat_tool_calls_total{tool=\"cidr_info\",outcome=\"refused\"}",
        "toolkit_chat_tool_calls_total{tool=\"unknown\",outcome=\"unknown\"}",
        "toolkit_llm_tokens_total{provider=\"main\",direction=\"input\"}",
        "toolkit_llm_tokens_total{provider=\"main\",direction=\"output\"}",
    ] {
        assert!(metrics.contains(labels), "{labels}: {metrics}");
    }
}

#[tokio::test]
async fn a_failure_before_the_first_content_has_its_own_status() {
    let model =
        Model::start(vec![Act::Send(vec!["data: {\"error\": {\"code\": 500}}\n\n".to_owned()])])
            .await;
    let app = app(&model, &[]).await;
    let answer = app.chat(&asked(&json!({"stream": true}))).await;
    answer.refuses(502, "No language model gave a reply. Try again later.");
    let down = Model::start(vec![Act::Status(429)]).await;
    let app = self::app(&down, &[]).await;
    app.chat(&asked(&json!({"stream": true})))
        .await
        .refuses(503, "No language model can be asked right now");
    let resting = app.chat(&asked(&json!({"stream": true}))).await;
    resting.refuses(503, "No language model can be asked right now");
    assert!(resting.header("retry-after").is_some());
}

#[tokio::test]
async fn a_failure_after_the_first_content_is_an_event() {
    let model = Model::start(vec![Act::Send(vec![delta("Half a")])]).await;
    let app = app(&model, &[]).await;
    let answer = app.chat(&asked(&json!({"stream": true}))).await;
    assert_eq!(answer.status, 200);
    let error = "event: error\ndata: {\"type\":\"error\",\"status\":502,\"detail\":\"The language model broke off. \
                 The text so far is not the whole reply. Try again later.\"}\n\n";
    assert!(answer.body.ends_with(error), "{}", answer.body);
}

#[tokio::test]
async fn a_stream_that_takes_too_long_is_ended() {
    let model = Model::start(vec![Act::Hang(vec![delta("Hi")])]).await;
    let app = app(&model, &[("TOOLKIT_LLM__STREAM_TOTAL_MS", "1000")]).await;
    let answer = app.chat(&asked(&json!({"stream": true}))).await;
    let words = "\"status\":504,\"detail\":\"The reply took too long and was cut. The text so far is not the whole reply.\"";
    assert!(answer.body.contains(words), "{}", answer.body);
}

#[tokio::test]
async fn a_silent_stream_has_a_heartbeat_every_ten_seconds() {
    let model = Model::start(vec![Act::Hang(vec![delta("Hi")])]).await;
    let patient = ("TOOLKIT_LLM__PROVIDERS__0__TIMEOUT_MS", "60000");
    let app = app(&model, &[("TOOLKIT_LLM__STREAM_TOTAL_MS", "14000"), patient]).await;
    let answer = app.chat(&asked(&json!({"stream": true}))).await;
    assert_eq!(answer.body.matches("\n:\n").count(), 1, "{}", answer.body);
    assert!(answer.body.contains("\"status\":504"), "{}", answer.body);
}

#[tokio::test]
async fn a_client_that_disconnects_closes_the_connection_to_the_model() {
    let model = Model::start(vec![Act::Hang(vec![delta("Hi")])]).await;
    let app = app(&model, &[]).await;
    let mut response = open(&app).await;
    assert!(response.chunk().await.unwrap().is_some());
    drop(response);
    until("the model's connection is closed", async || (model.closed() == 1).then_some(())).await;
    let health = app.health().await;
    assert_ne!(health["llm"]["providers"][0]["status"], json!("cooling_down"));
}

#[tokio::test]
async fn a_stream_that_is_open_at_a_shutdown_ends_with_an_error() {
    let model = Model::start(vec![Act::Hang(vec![delta("Hi")])]).await;
    let database = Database::sqlite();
    let key = database.key().await;
    let setup = Setup::new(&[("TOOLKIT_HTTP__SHUTDOWN_GRACE_SECONDS", "3")]);
    let setup = setup.with_provider("main", &model.url);
    let mut process = Process::start(&setup, &database.url, &database.folder).await;
    let request = reqwest::Client::new()
        .post(format!("http://{}/toolkit/api/chat", process.address()))
        .header("X-Api-Key", key)
        .json(&asked(&json!({"stream": true})));
    let mut response = request.send().await.unwrap();
    let mut body = response.chunk().await.unwrap().unwrap().to_vec();
    process.terminate();
    while let Some(chunk) = response.chunk().await.unwrap() {
        body.extend_from_slice(&chunk);
    }
    let body = String::from_utf8(body).unwrap();
    let error = "event: error\ndata: {\"type\":\"error\",\"status\":503,\"detail\":\"The server is stopping. \
                 Send the request again.\"}\n\n";
    assert!(body.ends_with(error), "{body}");
    let ended = until("the end of the process", async || process.ended()).await;
    assert!(ended.success(), "{ended}: {}", process.log());
}

#[tokio::test]
async fn streams_are_counted_while_they_are_open_and_by_how_they_ended() {
    let model = Model::start(vec![
        Act::Send(vec![delta("Hi"), end()]),
        Act::Send(vec![delta("Half a")]),
        Act::Hang(vec![delta("Hi")]),
    ])
    .await;
    let app = app(&model, &[("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")]).await;
    // All servers of this process share the metrics: a number is at least that of this test.
    let value = async |name: &str| {
        let metrics = app.metrics().await;
        let mut values =
            metrics.lines().filter_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
        values.next()
    };
    let ended = |outcome| format!("toolkit_chat_streams_total{{outcome=\"{outcome}\"}}");
    for outcome in ["done", "error", "client_left", "stalled", "stopped"] {
        assert!(value(&ended(outcome)).await.is_some(), "{outcome}");
    }
    let is_counted = async |outcome| {
        until(outcome, async || (value(&ended(outcome)).await >= Some(1)).then_some(())).await;
    };
    for outcome in ["done", "error"] {
        let answer = app.chat(&asked(&json!({"stream": true}))).await;
        assert_eq!(answer.status, 200);
        is_counted(outcome).await;
    }
    let response = open(&app).await;
    assert!(value("toolkit_chat_streams ").await >= Some(1));
    drop(response);
    is_counted("client_left").await;
    until("the end of all streams", async || {
        (value("toolkit_chat_streams ").await == Some(0)).then_some(())
    })
    .await;
}

#[tokio::test]
async fn stray_bytes_of_a_client_do_not_end_its_stream() {
    let model = Model::start(vec![Act::Hang(vec![delta("Hi")])]).await;
    let patient = ("TOOLKIT_LLM__PROVIDERS__0__TIMEOUT_MS", "60000");
    let app = app(&model, &[("TOOLKIT_LLM__STREAM_TOTAL_MS", "7000"), patient]).await;
    let body = asked(&json!({"stream": true})).to_string();
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = format!(
        "POST /toolkit/api/chat HTTP/1.1\r\nHost: x\r\nX-Api-Key: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        app.key,
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut read = Vec::new();
    while !String::from_utf8_lossy(&read).contains("delta") {
        assert!(stream.read_buf(&mut read).await.unwrap() > 0);
    }
    stream.write_all(b"x\r\n\r\n").await.unwrap();
    let rest = async {
        while !String::from_utf8_lossy(&read).contains("\"status\":504") {
            assert!(
                stream.read_buf(&mut read).await.unwrap() > 0,
                "{}",
                String::from_utf8_lossy(&read)
            );
        }
    };
    tokio::time::timeout(PATIENCE.max(Duration::from_secs(20)), rest).await.unwrap();
}

#[tokio::test]
async fn errors_in_the_inputs_are_named() {
    let model = Model::start(vec![Act::Status(500)]).await;
    let app = app(&model, &[("TOOLKIT_LLM__TOOL_ROUNDS", "0")]).await;
    for (more, words) in [
        (json!({"stream": 1}), ": `stream` must be a boolean, not a number."),
        (json!({"stream": "yes"}), ": `stream` must be true or false."),
        (json!({"tools": "all"}), "`tools` must be `none` or `auto`."),
        (json!({"tools": []}), "`tools` must be a string, not an array"),
        (json!({"tools": "auto"}), "`tools` must be `none`: this server offers no tools in chat."),
        (json!({"tool_choice": "any"}), "This endpoint takes `messages`, `stream`, `tools`"),
    ] {
        app.chat(&asked(&more)).await.refuses(422, words);
    }
    assert!(model.requests().is_empty());
}
