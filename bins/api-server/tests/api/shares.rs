//! Shares: what one address does to the others, and what many people of one address do to each other.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value as Json, json};
use tokio::task::JoinSet;
use tokio::time::sleep;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::database::Database;
use crate::helpers::{Answer, App, Setup};
use crate::process::Process;

/// A client at another address of this machine.
fn another() -> Client {
    let address = Ipv4Addr::new(127, 0, 0, 2);
    Client::builder().local_address(Some(address.into())).build().unwrap()
}

async fn run(client: &Client, app: &App, slug: &str, body: &Json) -> (u16, Json) {
    let url = app.url(&format!("/tools/{slug}/run"));
    let answer = client.post(url).json(body).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn chats_that_wait_for_a_stalled_model_keep_nothing_else_out() {
    let model = MockServer::start().await;
    let stalled = ResponseTemplate::new(200).set_delay(Duration::from_mins(10));
    Mock::given(any()).respond_with(stalled).mount(&model).await;
    let setup = Setup::new(&[
        ("TOOLKIT_LIMITS__CLIENT_CONNECTIONS", "2000"),
        ("TOOLKIT_LLM__DEADLINE_MS", "600000"),
        ("TOOLKIT_LLM__PROVIDERS__0__TIMEOUT_MS", "600000"),
    ]);
    let app = Arc::new(App::start(setup.with_provider("stalled", &model.uri())).await);
    let mut chats = JoinSet::new();
    // A key has half of the chats at most.
    let other = crate::database::key(&app.store).await;
    for index in 0..1_150 {
        let app = Arc::clone(&app);
        let key = if index % 2 == 0 { &app.key } else { &other }.clone();
        let body = json!({"messages": [{"role": "user", "content": "Hello"}]});
        let request = app.post("/chat").header("X-Api-Key", key).json(&body);
        chats.spawn(async move { Answer::of(request).await.status });
    }
    // Those that have a slot wait; the others are refused at once.
    for _ in 1_024..1_150 {
        assert_eq!(chats.join_next().await.unwrap().unwrap(), 503);
    }
    for _ in 0..3 {
        let (status, _) = run(&app.client, &app, "uuid-generator", &json!({})).await;
        assert_eq!(status, 200);
        for path in ["/flags", "/health", "/tools"] {
            assert_eq!(app.get(path).await.status, 200, "{path}");
        }
    }
    assert_eq!(chats.len(), 1_024);
}

#[tokio::test(flavor = "multi_thread")]
async fn expressions_of_one_address_that_take_their_whole_time_do_not_keep_another_waiting() {
    let setup = Setup::new(&[("TOOLKIT_LIMITS__RUN_PER_MINUTE", "0")]);
    let app = Arc::new(App::start(setup).await);
    let mut slow = JoinSet::new();
    let body = json!({"pattern": "(?=.*z)q", "text": "a".repeat(100_000)});
    for _ in 0..16 {
        let (app, body) = (Arc::clone(&app), body.clone());
        slow.spawn(async move {
            let end = Instant::now() + Duration::from_secs(4);
            while Instant::now() < end {
                let (status, _) = run(&app.client, &app, "regex-tester", &body).await;
                assert!(matches!(status, 200 | 422 | 503), "{status}");
            }
        });
    }
    let other = another();
    let mut answered = 0;
    while !slow.is_empty() {
        let body = json!({"pattern": "\\d+", "text": "a1"});
        let (status, answer) = run(&other, &app, "regex-tester", &body).await;
        assert_eq!(status, 200, "{answer}");
        answered += 1;
        while slow.try_join_next().is_some() {}
    }
    assert!(answered > 10, "{answered}");
}

/// Sends one document over each of so many connections at once; all are answered.
async fn all_are_answered(connections: usize, bytes: usize) {
    let setup = Setup::new(&[("TOOLKIT_LIMITS__RUN_PER_MINUTE", "0")]);
    let app = Arc::new(App::start(setup).await);
    let mut people = JoinSet::new();
    let text = serde_json::to_string(&vec!["0123456789"; bytes / 13]).unwrap();
    let body = json!({"text": text});
    for _ in 0..connections {
        let (app, body) = (Arc::clone(&app), body.clone());
        people.spawn(async move {
            let (status, answer) = run(&app.client, &app, "json-formatter", &body).await;
            assert_eq!(status, 200, "{answer}");
        });
    }
    while let Some(person) = people.join_next().await {
        person.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sixteen_people_of_one_address_with_eight_connections_each_are_answered() {
    all_are_answered(16 * 8, 100_000).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_of_a_megabyte_of_one_address_wait_their_turn() {
    all_are_answered(16, 800_000).await;
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[tokio::test]
async fn memory_of_large_results_goes_back_to_the_system() {
    let database = Database::sqlite();
    let process = Process::start(&Setup::default(), &database.url, &database.folder).await;
    let url = format!("http://{}/toolkit/api/tools/data-converter/run", process.address());
    let text = format!("{}{}1{}", "[".repeat(500), "1,".repeat(1_500), "]".repeat(500));
    let input = json!({"text": text, "from_format": "json", "indent": 8});
    let client = Client::new();
    let before = process.memory_mib();
    for _ in 0..6 {
        let response = client.post(&url).json(&input).send().await.unwrap();
        assert!(response.bytes().await.unwrap().len() > 7 << 20);
    }
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let more = process.memory_mib().saturating_sub(before);
        if more < 16 {
            return;
        }
        assert!(Instant::now() < end, "{more} MiB more than the {before} before");
        sleep(Duration::from_millis(100)).await;
    }
}
