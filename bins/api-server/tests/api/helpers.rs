//! Server and client: every test begins with [`App::start`].

use std::ffi::OsString;
use std::net::SocketAddr;
use std::process::{Command, Output};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use api_server::Server;
use reqwest::{Client, RequestBuilder, Response};
use serde_json::Value as Json;
use tempfile::TempDir;
use tokio::sync::oneshot;
use toolkit_server::settings::Settings;
use toolkit_store::Store;
use toolkit_store::limits::PING_MEMORY;

use crate::database::{self, Database};

/// Time limit for something that should happen at once.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Settings in addition to those of every test: variables and a file.
#[derive(Default, Clone)]
pub(crate) struct Setup {
    pub(crate) variables: Vec<(String, String)>,
    pub(crate) file: String,
    /// Descriptors that the process may have.
    pub(crate) descriptors: Option<u32>,
}

impl Setup {
    pub(crate) fn new(variables: &[(&str, &str)]) -> Self {
        let own = |text: &&str| (*text).to_owned();
        let variables = variables.iter().map(|(name, value)| (own(name), own(value)));
        Self { variables: variables.collect(), ..Self::default() }
    }

    /// Adds the tables of a settings file.
    pub(crate) fn with_file(mut self, file: &str) -> Self {
        self.file.push_str(file);
        self
    }

    /// Adds a provider of the format `openai`.
    pub(crate) fn with_provider(self, name: &str, base_url: &str) -> Self {
        self.with_file(&format!(
            "[[llm.providers]]\nname = \"{name}\"\nkind = \"openai\"\nmodel = \"m\"\n\
             base_url = \"{base_url}\"\napi_key = \"provider-key-canary\"\ntimeout_ms = 4000\n"
        ))
    }

    /// Configures a mail server.
    pub(crate) fn with_mail(mut self, smtp: SocketAddr) -> Self {
        let mail = [
            ("TOOLKIT_MAIL__TRANSPORT", "smtp".to_owned()),
            ("TOOLKIT_MAIL__SMTP_URL", format!("smtp://{smtp}")),
            ("TOOLKIT_MAIL__FROM", "The Toolkit <toolkit@example.org>".to_owned()),
            ("TOOLKIT_MAIL__OPERATOR", "\"Doe, J.\" <operator@example.org>".to_owned()),
        ];
        self.variables.extend(mail.map(|(name, value)| (name.to_owned(), value)));
        self
    }

    /// Returns all environment variables of a process that uses this database.
    pub(crate) fn variables(&self, database: &str, folder: &TempDir) -> Vec<(String, String)> {
        let file = folder.path().join("settings.toml");
        std::fs::write(&file, &self.file).unwrap();
        let mut variables = [
            ("TOOLKIT_API__BIND", "127.0.0.1:0"),
            ("TOOLKIT_API__ADMIN_BIND", ""),
            ("TOOLKIT_HTTP__WORKERS", "2"),
            ("TOOLKIT_DATABASE__URL", database),
            ("TOOLKIT_LIMITS__CHAT_PER_MINUTE", "0"),
            ("TOOLKIT_LIMITS__CONTACT_PER_MINUTE", "0"),
            ("TOOLKIT_LIMITS__SUBSCRIBE_PER_MINUTE", "0"),
            ("TOOLKIT_LOG__LEVEL", "error"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
        variables.retain(|(name, _)| self.variables.iter().all(|(other, _)| other != name));
        variables.extend(self.variables.clone());
        variables
    }

    /// Returns the arguments that name the file.
    pub(crate) fn file_of(folder: &TempDir) -> String {
        folder.path().join("settings.toml").display().to_string()
    }
}

/// A running server with its database and a key.
pub(crate) struct App {
    /// Dropped first: a server whose database file is deleted logs an error.
    _server: Running,
    pub(crate) address: SocketAddr,
    pub(crate) admin: Option<SocketAddr>,
    /// The same database, without the server.
    pub(crate) store: Store,
    pub(crate) key: String,
    pub(crate) client: Client,
    folder: TempDir,
    setup: Setup,
    url: String,
}

impl App {
    /// Starts a server on SQLite with these settings.
    pub(crate) async fn start(setup: Setup) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/toolkit.db", folder.path().display());
        Self::start_in(folder, url, setup).await
    }

    /// Starts a server on a given database.
    pub(crate) async fn start_on(database: &Database, setup: Setup) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), database.url.clone(), setup).await
    }

    async fn start_in(folder: TempDir, url: String, setup: Setup) -> Self {
        let variables = setup.variables(&url, &folder);
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        let variables: Vec<(OsString, OsString)> = variables.collect();
        let file = folder.path().join("settings.toml");
        let settings = Settings::load(Some(&file), variables).unwrap();
        let store = Store::open(&url, 2).await.unwrap();
        let key = database::key(&store).await;
        let (server, address, admin) = serve(settings);
        Self {
            _server: server,
            address,
            admin,
            store,
            key,
            client: Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap(),
            folder,
            setup,
            url,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}/toolkit/api{path}", self.address)
    }

    /// Returns a request without a key.
    pub(crate) fn post(&self, path: &str) -> RequestBuilder {
        self.client.post(self.url(path))
    }

    /// Sends a request with a key and a JSON body.
    pub(crate) async fn send(&self, path: &str, body: &Json) -> Answer {
        let request = self.post(path).header("X-Api-Key", &self.key).json(body);
        Answer::of(request).await
    }

    /// Sends a request with a key and exactly these bytes as its body.
    pub(crate) async fn send_raw(&self, path: &str, body: impl Into<reqwest::Body>) -> Answer {
        let request = self.post(path).header("X-Api-Key", &self.key);
        Answer::of(request.header("Content-Type", "application/json").body(body)).await
    }

    pub(crate) async fn chat(&self, body: &Json) -> Answer {
        self.send("/chat", body).await
    }

    pub(crate) async fn contact(&self, body: &Json) -> Answer {
        self.send("/contact", body).await
    }

    pub(crate) async fn subscribe(&self, email: &str, app_id: &str) -> Answer {
        let body = serde_json::json!({"email": email, "app_id": app_id});
        self.send("/subscribe", &body).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        Answer::of(self.client.get(self.url(path))).await
    }

    pub(crate) async fn health(&self) -> Json {
        let answer = self.get("/health").await;
        assert_eq!(answer.status, 200);
        answer.json()
    }

    /// Waits until the health check reports this status of the database, and expects it to answer
    /// within a second in one of five attempts, since a busy machine can delay any of them.
    pub(crate) async fn until_the_database_is(&self, status: &str) {
        let is_so = async || self.health().await["database"]["status"] == status;
        until(status, async || is_so().await.then_some(())).await;
        let mut times = Vec::new();
        for _ in 0..5 {
            // The result of a ping is cached for a moment.
            tokio::time::sleep(PING_MEMORY + Duration::from_millis(50)).await;
            let started = Instant::now();
            self.health().await;
            times.push(started.elapsed());
            if started.elapsed() < Duration::from_secs(1) {
                return;
            }
        }
        panic!("{times:?}");
    }

    /// Waits until the worker has recorded the outcome of every mail: a mail that has arrived may
    /// not be marked yet.
    pub(crate) async fn mail_is_settled(&self) {
        until("the outcome of every mail", async || {
            let (pending, _) = self.outbox().await;
            (pending == 0).then_some(())
        })
        .await;
    }

    /// Returns the numbers of mails to be sent and of mails given up.
    pub(crate) async fn outbox(&self) -> (u64, u64) {
        let now = time::OffsetDateTime::now_utc();
        let stats = self.store.outbox().stats(now).await.unwrap();
        (stats.pending, stats.dead)
    }

    /// Returns the metrics as text.
    pub(crate) async fn metrics(&self) -> String {
        let url = format!("http://{}/metrics", self.admin.unwrap());
        self.client.get(url).send().await.unwrap().text().await.unwrap()
    }

    /// Runs a command of the binary on the same database.
    pub(crate) fn command(&self, arguments: &[&str]) -> Output {
        binary(&self.setup, &self.url, &self.folder).args(arguments).output().unwrap()
    }
}

/// Returns a command for the binary with these settings, without arguments.
pub(crate) fn binary(setup: &Setup, database: &str, folder: &TempDir) -> Command {
    let program = env!("CARGO_BIN_EXE_api-server");
    let mut command = Command::new(program);
    if let Some(descriptors) = setup.descriptors {
        command = Command::new("sh");
        let script = format!("ulimit -n {descriptors} && exec \"$0\" \"$@\"");
        command.args(["-c", &script, program]);
    }
    command
        .env_clear()
        .envs(setup.variables(database, folder))
        .args(["--config", &Setup::file_of(folder)]);
    command
}

/// Serves until the test process ends, since a signal cannot stop one of several servers.
/// A server on a thread of its own, which ends when this is dropped.
struct Running {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.take();
        // A failed test has reported already.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn serve(settings: Settings) -> (Running, SocketAddr, Option<SocketAddr>) {
    let (sender, receiver) = mpsc::channel();
    let (stop, stopped) = oneshot::channel();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let server = Server::build(settings).await.unwrap();
            // The server logs panics without their messages; a test should show why it fails.
            drop(std::panic::take_hook());
            sender.send((server.address(), server.admin_address())).unwrap();
            tokio::select! {
                ended = server.run() => drop(ended.unwrap()),
                _ = stopped => {}
            }
        });
        runtime.shutdown_timeout(PATIENCE);
    });
    let (address, admin) = receiver.recv_timeout(PATIENCE).unwrap();
    let deadline = Instant::now() + PATIENCE;
    while std::net::TcpStream::connect(address).is_err() {
        assert!(Instant::now() < deadline, "the server accepts nobody");
    }
    (Running { stop: Some(stop), thread: Some(thread) }, address, admin)
}

/// A complete answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) async fn of(request: RequestBuilder) -> Self {
        Self::read(request.send().await.unwrap()).await.unwrap()
    }

    /// Returns the answer, or an error if the server stops before it is complete.
    pub(crate) async fn try_of(request: RequestBuilder) -> Option<Self> {
        Self::read(request.send().await.ok()?).await
    }

    async fn read(response: Response) -> Option<Self> {
        let status = response.status().as_u16();
        let header =
            |(name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue)| {
                (name.to_string(), value.to_str().unwrap().to_owned())
            };
        let headers = response.headers().iter().map(header).collect();
        let body = response.text().await.ok()?;
        Some(Self { status, headers, body })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// Returns the sentence of a refusal, after checking its format.
    #[track_caller]
    pub(crate) fn detail(&self) -> String {
        assert!(self.status >= 400, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
        let json = self.json();
        assert_eq!(json.as_object().unwrap().len(), 1, "{self:?}");
        json["detail"].as_str().unwrap().to_owned()
    }

    /// Expects a refusal whose sentence contains these words.
    #[track_caller]
    pub(crate) fn refuses(&self, status: u16, words: &str) {
        assert_eq!(self.status, status, "{self:?}");
        let detail = self.detail();
        assert!(detail.contains(words), "{words:?} in {detail:?}");
    }
}

/// Waits until a condition holds, and returns the value found.
pub(crate) async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(Instant::now() < deadline, "not within {PATIENCE:?}: {what}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Returns a valid contact message.
pub(crate) fn contact() -> Json {
    serde_json::json!({"name": "Ada", "email": "ada@example.org", "message": "Hello"})
}
