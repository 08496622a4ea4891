//! SIGHUP: what changes while requests are served, what does not, and what a fault leaves as it was.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use reqwest::Client;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::net::TcpStream;
use toolkit_e2e::free_address;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::database::Database;
use crate::helpers::{Answer, Setup, binary, contact, until};
use crate::process::Process;

/// Rate limits that no test meets unless it is about them, and a level in the file.
const LIMITS: &str = "[log]\nlevel = \"info\"\n[limits]\nrun_per_minute = 0\nmcp_per_minute = 0\n";

struct Running {
    process: Process,
    database: Database,
    client: Client,
    key: String,
}

impl Running {
    async fn start(file: &str) -> Self {
        let database = Database::sqlite();
        let setup = Setup::default().with_file(file);
        let process = Process::start(&setup, &database.url, &database.folder).await;
        let key = database.key().await;
        Self { process, database, client: Client::new(), key }
    }

    fn folder(&self) -> &Path {
        self.database.folder.path()
    }

    /// Changes the settings file, and returns the lines of the log about it.
    async fn reload(&self, file: &str) -> String {
        std::fs::write(self.folder().join("settings.toml"), file).unwrap();
        let before = self.process.log().len();
        self.process.hang_up();
        let news = || self.process.log().get(before..).unwrap_or_default().to_owned();
        until("the end of the reload", async || {
            let news = news();
            let ends = ["settings reloaded", "settings not reloaded"];
            ends.iter().any(|end| news.contains(end)).then_some(())
        })
        .await;
        news()
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/toolkit{path}", self.process.address())
    }

    async fn home(&self) -> String {
        self.client.get(self.url("/")).send().await.unwrap().text().await.unwrap()
    }

    async fn run(&self) -> u16 {
        let request = self.client.post(self.url("/api/tools/uuid-generator/run"));
        request.json(&json!({})).send().await.unwrap().status().as_u16()
    }

    async fn mcp(&self, token: &str) -> u16 {
        mcp(&self.client, &self.url("/mcp"), token).await
    }
}

async fn mcp(client: &Client, url: &str, token: &str) -> u16 {
    let request =
        client.post(url).bearer_auth(token).header("Accept", "application/json, text/event-stream");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    request.json(&call).send().await.unwrap().status().as_u16()
}

async fn model(reply: &str) -> MockServer {
    let server = MockServer::start().await;
    let reply = json!({"id": "1", "object": "chat.completion", "model": "m", "choices": [{
        "index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": reply}}]});
    let answer = ResponseTemplate::new(200).set_body_json(reply);
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

fn provider(server: &MockServer, key: &Path) -> String {
    format!(
        "[[llm.providers]]\nname = \"main\"\nkind = \"openai\"\nmodel = \"m\"\nbase_url = \"{}\"\napi_key_file = \"{}\"\n",
        server.uri(),
        key.display()
    )
}

#[tokio::test]
async fn when_the_port_accepts_the_admin_port_does_too_and_a_reload_ends_nothing() {
    let database = Database::sqlite();
    for _ in 0..4 {
        let [address, admin] = [(); 2].map(|()| free_address().unwrap());
        let setup = Setup::new(&[
            ("TOOLKIT_API__BIND", &address.to_string()),
            ("TOOLKIT_API__ADMIN_BIND", &admin.to_string()),
        ]);
        let mut command = binary(&setup, &database.url, &database.folder);
        let mut server = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until("an open port", async || TcpStream::connect(address).await.ok()).await;
        kill_process(Pid::from_child(&server), Signal::HUP).unwrap();
        TcpStream::connect(admin).await.unwrap();
        let answer = Answer::of(Client::new().get(format!("http://{admin}/readyz"))).await;
        assert_eq!(answer.status, 200);
        kill_process(Pid::from_child(&server), Signal::TERM).unwrap();
        let ended = until("its end", async || server.try_wait().unwrap()).await;
        assert!(ended.success(), "{ended}");
    }
}

#[tokio::test]
async fn everything_that_can_change_changes_under_load_without_a_failed_request() {
    let folder = tempfile::tempdir().unwrap();
    let [tokens, key] = ["tokens", "key"].map(|name| folder.path().join(name));
    std::fs::write(&tokens, "token-that-stays-1\ntoken-that-goes-01\n").unwrap();
    std::fs::write(&key, "first-key").unwrap();
    let (first, second) = (model("first").await, model("second").await);
    let mcp_section = format!("[mcp]\ntokens_file = {tokens:?}\n");
    let running = Running::start(&format!("{LIMITS}{mcp_section}{}", provider(&first, &key))).await;
    assert_eq!(running.mcp("token-that-goes-01").await, 200);

    let (ends, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let load: Vec<_> = (0..4)
        .map(|number| {
            let (client, key) = (running.client.clone(), running.key.clone());
            let (ends, answered) = (Arc::clone(&ends), Arc::clone(&answered));
            let [flags, mcp_url, contacts] =
                ["/api/flags", "/mcp", "/api/contact"].map(|path| running.url(path));
            tokio::spawn(async move {
                while !ends.load(Relaxed) {
                    let status = match number {
                        0 => mcp(&client, &mcp_url, "token-that-stays-1").await,
                        1 => {
                            let request = client.post(&contacts).header("x-api-key", &key);
                            request.json(&contact()).send().await.unwrap().status().as_u16()
                        }
                        _ => client.get(&flags).send().await.unwrap().status().as_u16(),
                    };
                    assert_eq!(status, 200, "{number}");
                    answered.fetch_add(1, Relaxed);
                }
            })
        })
        .collect();

    std::fs::write(&tokens, "token-that-stays-1\n").unwrap();
    std::fs::write(&key, "second-key").unwrap();
    let links = "[[public.links]]\ntext = \"Imprint\"\nurl = \"https://example.org/imprint\"\n";
    let changed =
        format!("{LIMITS}{mcp_section}{links}{}[[apps]]\nid = \"docs\"\n", provider(&second, &key));
    let changed = changed.replace("\"info\"", "\"debug\"");
    let started = Instant::now();
    let log = running.reload(&changed).await;
    assert_eq!(running.mcp("token-that-goes-01").await, 401);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    for key in ["mcp.tokens_file", "llm.providers", "public.links", "apps", "log.level"] {
        assert!(log.contains(key), "{key}: {log}");
    }
    for _ in 0..20 {
        running.reload(&changed).await;
    }
    ends.store(true, Relaxed);
    for requests in load {
        requests.await.unwrap();
    }
    assert!(answered.load(Relaxed) > 100, "{answered:?}");

    assert!(running.home().await.contains("Imprint"));
    let chat = running.client.post(running.url("/api/chat")).header("x-api-key", &running.key);
    let chat = chat.json(&json!({"messages": [{"role": "user", "content": "Hi"}]}));
    assert!(chat.send().await.unwrap().text().await.unwrap().contains("second"));
    let asked = &second.received_requests().await.unwrap()[0];
    assert_eq!(asked.headers["authorization"], "Bearer second-key");
    let subscribe = running.client.post(running.url("/api/subscribe"));
    let subscribe = subscribe.header("x-api-key", &running.key);
    let other = subscribe.json(&json!({"email": "a@example.org", "app_id": "other"}));
    assert_eq!(other.send().await.unwrap().status(), 422);
    running
        .reload(&changed.replace("run_per_minute = 0", "run_per_minute = 1\nrun_burst = 1"))
        .await;
    assert_eq!([running.run().await, running.run().await], [200, 429]);
    // Who is counted stays counted.
    running
        .reload(&changed.replace("run_per_minute = 0", "run_per_minute = 1\nrun_burst = 1"))
        .await;
    assert_eq!(running.run().await, 429);
    let log = running.process.log();
    assert!(log.contains("\"DEBUG\"") && !log.contains("second-key"), "{log}");
}

#[tokio::test]
async fn a_removed_token_stops_within_five_seconds_also_without_a_signal() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = folder.path().join("tokens");
    std::fs::write(&tokens, "token-that-stays-1\ntoken-that-goes-01\n").unwrap();
    let running = Running::start(&format!("{LIMITS}[mcp]\ntokens_file = {tokens:?}\n")).await;
    assert_eq!(running.mcp("token-that-goes-01").await, 200);
    // One that cannot be read takes no caller away.
    std::fs::write(&tokens, "short\n").unwrap();
    assert_eq!(running.mcp("token-that-goes-01").await, 200);
    std::fs::write(&tokens, "token-that-stays-1\n").unwrap();
    let started = Instant::now();
    until("401", async || (running.mcp("token-that-goes-01").await == 401).then_some(())).await;
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    assert_eq!(running.mcp("token-that-stays-1").await, 200);
}

#[tokio::test]
async fn what_cannot_change_is_named_and_left_and_the_rest_applies() {
    let running = Running::start("").await;
    let links = "[[public.links]]\ntext = \"Imprint\"\nurl = \"https://example.org/imprint\"\n";
    let log = running
        .reload(&format!("[http]\nbody_limit_bytes = 2048\n[public]\nname = \"Other\"\n{links}"))
        .await;
    for key in ["http.body_limit_bytes", "public.name"] {
        assert!(log.contains(&format!("`{key}` changed: restart to apply it")), "{log}");
    }
    let home = running.home().await;
    assert!(home.contains("Imprint") && !home.contains("Other"), "{home}");
}

#[tokio::test]
async fn with_a_fault_nothing_changes_and_the_log_says_what_it_is() {
    let links = "[[public.links]]\ntext = \"Imprint\"\nurl = \"https://example.org/imprint\"\n";
    let running = Running::start("").await;
    for (fault, words) in [
        ("[limits", "is not TOML"),
        ("[limits]\nrun_per_minute = -1\n", "limits.run_per_minute"),
        (
            "[mail]\ntransport = \"smtp\"\nsmtp_url = \"smtps://localhost\"\nsmtp_ca_file = \"/no/such/file\"\nfrom = \"a@example.org\"\noperator = \"a@example.org\"\n",
            "smtp_ca_file",
        ),
        ("[turnstile]\nsecret_file = \"/no/such/file\"\n", "turnstile.secret_file"),
    ] {
        let log = running.reload(&format!("{links}{fault}")).await;
        assert!(log.contains(words) && log.contains("\"ERROR\""), "{words}: {log}");
        assert!(!running.home().await.contains("Imprint"), "{fault}");
    }
    running.reload(links).await;
    assert!(running.home().await.contains("Imprint"));
}
