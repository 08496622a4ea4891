//! Secrets: no key, message, token or address is ever in the log, even at the most verbose level.

use serde_json::json;
use tempfile::TempDir;
use toolkit_store::Store;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::database;
use crate::helpers::{Setup, until};
use crate::model::{Act, Model, call, delta, end};
use crate::process::Process;
use crate::sink::{Behavior, Sink};

const CANARIES: [&str; 8] = [
    "chat-text-canary",
    "name-canary",
    "address-canary",
    "message-canary",
    "turnstile-secret-canary",
    "turnstile-token-canary",
    "provider-key-canary",
    "provider-text-canary",
];

/// Log filter: everything from our crates and the libraries.
const TRACE: &str = "trace,hyper=trace,reqwest=trace,sqlx=trace,rustls=trace,actix_http=trace";

async fn server(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

#[tokio::test]
async fn nothing_secret_or_personal_is_logged() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/path-canary.db", folder.path().display());
    let refusal = "550 5.1.1 address-canary@example.org is not here, message-canary";
    let sink = Sink::start(Behavior::Recipients(refusal));
    let model = server(ResponseTemplate::new(500).set_body_string("provider-text-canary")).await;
    let verdict = ResponseTemplate::new(200).set_body_json(json!({"success": true}));
    let verifier = server(verdict).await;
    let setup = Setup::new(&[
        ("TOOLKIT_LOG__LEVEL", TRACE),
        ("TOOLKIT_TURNSTILE__SECRET", "turnstile-secret-canary"),
        ("TOOLKIT_TURNSTILE__VERIFY_URL", &verifier.uri()),
    ])
    .with_provider("main", &model.uri())
    .with_mail(sink.address);
    let mut process = Process::start(&setup, &url, &folder).await;
    let mut secrets = use_everything(process.address(), &url, &sink).await;
    // The mail to the operator, and the one to the subscriber.
    until("log lines of two attempts", async || {
        let logged = process.log().matches("mail not sent").count() >= 2;
        (logged && sink.attempts() >= 2).then_some(())
    })
    .await;
    let log = process.stop().await;
    assert!(log.contains("\"TRACE\""), "{log}");
    secrets.extend(CANARIES.map(str::to_owned));
    for secret in secrets {
        let line = log.lines().find(|line| line.contains(&secret));
        assert_eq!(line, None, "{secret}");
    }
    check_files(&folder);
}

#[tokio::test]
async fn nothing_of_a_chat_with_tools_is_logged() {
    let hash =
        "{\"text\":\"tool-text-canary\",\"algorithm\":\"sha256\",\"key\":\"hmac-key-canary\"}";
    let model = Model::start(vec![
        Act::Send(vec![call("hash_text", hash), end()]),
        Act::Send(vec![call("hash_text", "{\"text\":\"cut-canary"), end()]),
        Act::Send(vec![call("tool-name-canary", "{}"), end()]),
        Act::Send(vec![delta("reply-canary"), "data: {\"error\":\"error-canary\"}\n\n".to_owned()]),
    ])
    .await;
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/toolkit.db", folder.path().display());
    let prompt = ("TOOLKIT_LLM__SYSTEM_PROMPT", "prompt-canary");
    let setup = Setup::new(&[("TOOLKIT_LOG__LEVEL", TRACE), prompt]);
    let setup = setup.with_provider("main", &model.url);
    let mut process = Process::start(&setup, &url, &folder).await;
    let key = database::key(&Store::open(&url, 2).await.unwrap()).await;
    let client = reqwest::Client::new();
    let chat = json!({
        "messages": [{"role": "user", "content": "message-canary"}], "stream": true, "tools": "auto",
    });
    let request = client.post(format!("http://{}/toolkit/api/chat", process.address()));
    let answer = request.header("X-Api-Key", &key).json(&chat).send().await.unwrap();
    let events = answer.text().await.unwrap();
    // The caller receives what the log must not contain.
    for said in ["hmac-key-canary", "tool-name-canary", "reply-canary", "event: error"] {
        assert!(events.contains(said), "{said}: {events}");
    }
    let log = process.stop().await;
    assert!(log.contains("\"TRACE\""), "{log}");
    // The digest of the text given to the tool, with the key.
    let digest = events.split("\"result\":{\"result\":\"").nth(1).unwrap();
    let digest = digest.split('"').next().unwrap();
    for secret in ["canary", digest] {
        let line = log.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret}");
    }
}

/// Calls every endpoint with valid and invalid requests, and returns the secrets created.
async fn use_everything(address: &str, url: &str, sink: &Sink) -> Vec<String> {
    let store = Store::open(url, 2).await.unwrap();
    let key = database::key(&store).await;
    let client = reqwest::Client::new();
    let post = async |path: &str, body: String| {
        let request = client.post(format!("http://{address}/toolkit/api{path}"));
        let request = request.header("X-Api-Key", &key).header("Content-Type", "application/json");
        request.body(body).send().await.unwrap().status().as_u16()
    };
    let chat = json!({"messages": [{"role": "user", "content": "chat-text-canary"}]});
    let contact = json!({
        "name": "name-canary", "email": "address-canary@example.org",
        "message": "message-canary", "turnstile_token": "turnstile-token-canary",
    });
    let subscribe = json!({"email": "address-canary@example.org", "app_id": "docs"});
    assert_eq!(post("/chat", chat.to_string()).await, 502);
    assert_eq!(post("/contact", contact.to_string()).await, 200);
    assert_eq!(post("/contact", contact.to_string()).await, 422);
    assert_eq!(post("/subscribe", subscribe.to_string()).await, 200);
    for path in ["/chat", "/contact", "/subscribe"] {
        assert_eq!(post(path, "{\"message-canary\": 1}".to_owned()).await, 422);
        assert_eq!(post(path, "{message-canary".to_owned()).await, 422);
    }
    let token = "tokenCanary".to_owned() + &"A".repeat(32);
    for path in ["/subscribe/confirm", "/unsubscribe"] {
        let url = format!("http://{address}/toolkit/api{path}?token={token}");
        assert_eq!(client.get(&url).send().await.unwrap().status(), 422);
        assert_eq!(client.post(&url).send().await.unwrap().status(), 422);
    }
    assert!(sink.mails().is_empty());
    vec![key, token]
}

/// Expects that the files contain the key and the other secrets only as digests.
fn check_files(folder: &TempDir) {
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let has = |word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
        assert!(!has(b"turnstile-token-canary"), "{}", path.display());
        assert!(!has(b"tk_"), "{}", path.display());
    }
}
