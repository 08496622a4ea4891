//! Secrets: keys and conversations appear in no log, error or debug output.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use toolkit_llm::providers::Kind;
use toolkit_llm::{Chain, Message};
use tracing::level_filters::LevelFilter;
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;
use wiremock::ResponseTemplate;

use crate::support::http::server;
use crate::support::script::{Script, Step, ask, chain_of};
use crate::support::tcp::{Act, FarEnd};
use crate::support::{KEY, client, config, conversation};

const CANARIES: [&str; 4] = [KEY, "canary-prompt", "canary-message", "canary-answer"];

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self::Writer {
        self.clone()
    }
}

/// The log of all crates at the finest level, until the guard is dropped.
fn logged() -> (Log, DefaultGuard) {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_writer(log.clone())
        .with_ansi(false)
        .finish();
    (log, tracing::subscriber::set_default(subscriber))
}

/// Everything visible of one call: the log, the caller's result, and every `Debug`.
async fn seen(kind: Kind, base_url: &str) -> (String, String) {
    let (log, _guard) = logged();
    let config = config(base_url);
    let config_debug = format!("{config:?}");
    let provider = kind.provider(client(), config).unwrap();
    let chain = Chain::new(vec![provider]).with_system_prompt("canary-prompt");
    let conversation = conversation(vec![Message::user("canary-message")]);
    let result = chain.reply(&conversation).await;
    let error_text = result.as_ref().err().map(ToString::to_string);
    let told = format!("{config_debug} {result:?} {error_text:?} {chain:?} {conversation:?}");
    (log.text(), told)
}

fn assert_no_canary(text: &str, what: &str) {
    for canary in CANARIES {
        assert!(!text.contains(canary), "{what} shows {canary}: {text}");
    }
}

#[tokio::test]
async fn no_log_error_or_debug_shows_a_key_or_a_message() {
    let echo = json!({"error": {
        "message": format!("{KEY} canary-message canary-answer"),
        "code": "canary-answer",
        "type": "canary-answer",
        "status": "canary-answer",
    }});
    let reply = json!({
        "choices": [{"message": {"content": "canary-answer"}, "finish_reason": "canary-answer"}],
        "content": [{"type": "text", "text": "canary-answer"}],
        "candidates": [{"content": {"parts": [{"text": "canary-answer"}]}}],
    });
    for kind in [Kind::OpenAi, Kind::Anthropic, Kind::Gemini] {
        for (status, body) in [
            (200, &reply),
            (200, &echo),
            (400, &echo),
            (401, &echo),
            (403, &echo),
            (429, &echo),
            (503, &echo),
        ] {
            let server = server(ResponseTemplate::new(status).set_body_json(body)).await;
            let (log, told) = seen(kind, &server.uri()).await;
            assert!(log.contains("llm.provider=\"main\""), "{log}");
            assert!(log.contains("duration_ms"), "{log}");
            assert_no_canary(&log, "the log");
            assert_no_canary(&told, "an error or a debug");
        }
    }
}

#[tokio::test]
async fn a_broken_connection_is_logged_with_its_cause_and_without_its_address() {
    let far_end = FarEnd::start(Act::Reset).await;
    let url = format!("{}/canary-prompt", far_end.url());
    let (log, told) = seen(Kind::OpenAi, &url).await;
    let line = log.lines().find(|line| line.contains("toolkit_llm")).expect("a line of ours");
    assert!(line.contains("no connection, or it broke before an answer: "), "{line}");
    assert!(!line.contains("http://"), "{line}");
    let told = told.replace(&url, "");
    assert_no_canary(&told, "an error or a debug");
}

#[tokio::test]
async fn a_refused_key_is_logged_as_an_error_that_says_what_to_do() {
    let server = server(ResponseTemplate::new(401)).await;
    let (log, told) = seen(Kind::OpenAi, &server.uri()).await;
    let line = log.lines().find(|line| line.contains("ERROR")).expect("an error");
    assert!(line.contains("check the key"), "{line}");
    assert!(line.contains("llm.status=401"), "{line}");
    assert!(told.contains("No language model gave a reply. Try again later."), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_log_line_says_how_many_milliseconds_an_attempt_took() {
    let (log, _guard) = logged();
    let steps = [
        Step::FailAfter(Duration::from_millis(1_250)),
        Step::ReplyAfter(Duration::from_millis(2_500)),
    ];
    ask(&chain_of([&Script::new("a", steps)])).await.unwrap();
    let text = log.text();
    let durations: Vec<&str> =
        text.split_whitespace().filter(|word| word.starts_with("duration_ms=")).collect();
    assert_eq!(durations, ["duration_ms=1250", "duration_ms=2500"]);
}

#[test]
fn debug_of_a_provider_shows_no_key() {
    let config = config("http://127.0.0.1:1").api_key(KEY);
    let shown = [
        format!("{:?}", toolkit_llm::providers::OpenAi::new(client(), config.clone()).unwrap()),
        format!("{:?}", toolkit_llm::providers::Anthropic::new(client(), config.clone()).unwrap()),
        format!("{:?}", toolkit_llm::providers::Gemini::new(client(), config).unwrap()),
    ];
    for debug in shown {
        assert_no_canary(&debug, "a debug");
    }
}
