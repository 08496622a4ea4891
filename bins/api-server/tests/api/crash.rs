//! `kill -9` while messages come in: what was acknowledged is there.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::Client;
use serde_json::json;
use tempfile::TempDir;
use time::OffsetDateTime;
use toolkit_store::Store;

use crate::database::{Database, on_each};
use crate::helpers::{Setup, binary, until};

/// Answers after which the process is killed, of 200.
const KILLED_AFTER: usize = 40;

/// Starts the binary and waits until it says where it listens.
fn start(setup: &Setup, database: &Database, folder: &TempDir) -> (Child, String) {
    let mut child = binary(setup, &database.url, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let address = lines.find_map(|line| {
        let line: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let address = line["address"].as_str()?.to_owned();
        (line["message"] == "listening").then_some(address)
    });
    // Somebody must read the rest, or the log is full.
    std::thread::spawn(move || lines.for_each(drop));
    (child, address.unwrap())
}

#[tokio::test]
async fn every_message_that_was_acknowledged_survives_a_kill() {
    on_each(async |database| {
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup::new(&[
            ("TOOLKIT_LOG__LEVEL", "info"),
            ("TOOLKIT_LOG__FORMAT", "json"),
        ]);
        let store = Store::open(&database.url, 2).await.unwrap();
        let label = "test".parse().unwrap();
        let (_, key) = store
            .keys()
            .create(&label, OffsetDateTime::now_utc())
            .await
            .unwrap();
        let (mut child, address) = start(&setup, database, &folder);
        let client = Client::new();
        let taken = Cell::new(0);
        let send = async |number: usize| {
            let body = json!({
                "name": "Ada", "email": "ada@example.org", "message": format!("message {number}"),
            });
            let request = client
                .post(format!("http://{address}/toolkit/api/contact"))
                .header("X-Api-Key", key.expose())
                .json(&body);
            let answer: serde_json::Value = request.send().await.ok()?.json().await.ok()?;
            taken.set(taken.get() + 1);
            Some(answer["id"].as_str()?.to_owned())
        };
        let kill = async {
            until("some are acknowledged", async || {
                (taken.get() >= KILLED_AFTER).then_some(())
            })
            .await;
            child.kill().unwrap();
        };
        let (acknowledged, ()) = futures::future::join(join_all((0..200).map(send)), kill).await;
        child.wait().unwrap();
        let acknowledged: BTreeSet<String> = acknowledged.into_iter().flatten().collect();
        println!(
            "acknowledged before the kill: {} of 200",
            acknowledged.len()
        );
        let restarted = Instant::now();
        let (mut child, _) = start(&setup, database, &folder);
        assert!(
            restarted.elapsed() < Duration::from_secs(5),
            "{:?}",
            restarted.elapsed()
        );
        let held = store
            .export(&"ada@example.org".parse().unwrap())
            .await
            .unwrap();
        let kept: Vec<String> = held
            .contacts
            .iter()
            .map(|contact| contact.id.to_string())
            .collect();
        let distinct: BTreeSet<String> = kept.iter().cloned().collect();
        assert_eq!(distinct.len(), kept.len());
        assert!(distinct.is_superset(&acknowledged));
        child.kill().unwrap();
        child.wait().unwrap();
    })
    .await;
}
