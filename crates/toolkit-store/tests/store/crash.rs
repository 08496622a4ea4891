//! `kill -9` while 200 messages are being stored: every acknowledged message is there, once, with
//! its mail.
//!
//! The killed process is another run of this test binary: an environment variable makes it the
//! victim.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures::future::join_all;
use toolkit_store::{Receipt, Store};

use crate::helpers::{Fixture, NOW, contact, on_each_backend};

const URL_VARIABLE: &str = "TOOLKIT_TEST_VICTIM_URL";

/// Far longer than the victim lives.
const VICTIM_LIFETIME: Duration = Duration::from_mins(2);

#[tokio::test]
async fn messages_acknowledged_before_a_kill_are_stored_once() {
    on_each_backend(async |f: &Fixture| {
        let mut acknowledged = Vec::new();
        for round in 0..10 {
            acknowledged.extend(kill_after(&f.url, 1 + round * 37 % 300));
            let started = Instant::now();
            let store = Store::open(&f.url, 4).await.unwrap();
            assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());
            store.close().await;
        }
        let mut raw = f.raw().await;
        let stored = raw.texts("SELECT id FROM contacts").await;
        let queued = raw.texts("SELECT contact_id FROM outbox WHERE state = 'pending'").await;
        for id in &acknowledged {
            assert_eq!(stored.iter().filter(|stored| *stored == id).count(), 1, "{id}");
            assert_eq!(queued.iter().filter(|queued| *queued == id).count(), 1, "{id}");
        }
        assert_eq!(stored.len(), queued.len());
        if f.is_sqlite() {
            assert_eq!(raw.texts("PRAGMA integrity_check").await, ["ok"]);
        }
    })
    .await;
}

/// The victim process, killed at the latest when this value is dropped.
struct Victim(Child);

impl Victim {
    fn start(url: &str) -> Self {
        let name = "crash::a_victim_stores_messages_until_it_is_killed";
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .env(URL_VARIABLE, url)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        Self(child.unwrap())
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the victim, kills it after this many acknowledgements, and returns what it printed.
fn kill_after(url: &str, acknowledgements: usize) -> Vec<String> {
    let Victim(child) = &mut Victim::start(url);
    let mut ids = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        if let Some(id) = line.unwrap().strip_prefix("stored ") {
            ids.push(id.to_owned());
        }
        if ids.len() == acknowledgements {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    assert!(ids.len() >= acknowledgements, "the victim ended by itself");
    ids
}

#[tokio::test]
async fn a_victim_stores_messages_until_it_is_killed() {
    let Ok(url) = std::env::var(URL_VARIABLE) else {
        return;
    };
    let store = Store::open(&url, 10).await.unwrap();
    let started = Instant::now();
    join_all((0..200).map(async |_| {
        // The process that should kill it may have ended.
        while started.elapsed() < VICTIM_LIFETIME {
            // A busy server may refuse some; only acknowledged messages matter.
            let receipt = store.contacts().receive(contact("last words"), None, NOW).await;
            if let Ok(Receipt::Stored(id)) = receipt {
                let mut stdout = std::io::stdout().lock();
                writeln!(stdout, "stored {id}").and_then(|()| stdout.flush()).unwrap();
            }
        }
    }))
    .await;
}
