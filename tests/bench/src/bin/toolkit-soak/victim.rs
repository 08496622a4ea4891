//! A client that keeps to the rules, while others do not.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use toolkit_bench::cases;
use toolkit_bench::client::Client;

/// Between two of its requests.
const PAUSE: Duration = Duration::from_millis(5);

/// What it has seen since it was last asked.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) latencies: Vec<Duration>,
    /// Requests without the answer that they should have.
    pub(crate) failures: usize,
}

/// The client, at work on a thread of its own for as long as the program runs.
pub(crate) struct Victim(Arc<Mutex<Seen>>);

impl Victim {
    /// Begins to ask.
    pub(crate) fn start(server: SocketAddr) -> Self {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let shared = Arc::clone(&seen);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            if let Ok(runtime) = runtime {
                runtime.block_on(ask(server, &shared));
            }
        });
        Self(seen)
    }

    /// What it has seen since this was called last.
    pub(crate) fn take(&self) -> Seen {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn ask(server: SocketAddr, seen: &Mutex<Seen>) {
    let body = serde_json::json!({"text": "Hello"});
    let request = cases::run(String::new(), "base64-encoder", &body).request(server);
    let mut connection = None;
    loop {
        let answer = match &mut connection {
            None => match Client::connect(server).await {
                Ok(client) => connection.insert(client).ask(&request).await,
                Err(error) => Err(error),
            },
            Some(client) => client.ask(&request).await,
        };
        let took = answer.ok().filter(|answer| answer.status == 200);
        let took = took.map(|answer| answer.took);
        if took.is_none() {
            connection = None;
        }
        note(seen, took);
        tokio::time::sleep(PAUSE).await;
    }
}

/// Notes how long an answer took, or that there was none.
fn note(seen: &Mutex<Seen>, took: Option<Duration>) {
    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    match took {
        Some(took) => seen.latencies.push(took),
        None => seen.failures += 1,
    }
}
