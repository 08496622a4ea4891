//! `kill -9` while messages arrive: every acknowledged message is stored, and is mailed.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures::future::{join, join_all};
use serde_json::json;

use crate::database::{Database, on_each};
use crate::helpers::{Setup, until};
use crate::process::Process;
use crate::sink::{Behavior, Received, Sink};

/// Number of answers, of 200, after which the process is killed.
const KILLED_AFTER: usize = 40;

/// Sends 200 messages at once, kills the server meanwhile, and returns the numbers of the messages
/// that it had acknowledged.
async fn acknowledged_before_a_kill(database: &Database, setup: &Setup) -> BTreeSet<String> {
    let key = database.key().await;
    let process = RefCell::new(Process::start(setup, &database.url, &database.folder).await);
    let sender = process.borrow().contacts(&key);
    let taken = Cell::new(0);
    let send = async |number: usize| {
        let body = json!({
            "name": "Ada", "email": "ada@example.org", "message": format!("message {number}"),
        });
        let answer = sender.send(&body).await.filter(|answer| answer.status == 200)?;
        taken.set(taken.get() + 1);
        Some(answer.json()["id"].as_str().unwrap().to_owned())
    };
    let kill = async {
        let enough = async || (taken.get() >= KILLED_AFTER).then_some(());
        until("acknowledgements", enough).await;
        process.borrow_mut().kill();
    };
    let (numbers, ()) = join(join_all((0..200).map(send)), kill).await;
    numbers.into_iter().flatten().collect()
}

#[tokio::test]
async fn every_message_that_was_acknowledged_survives_a_kill_and_is_mailed() {
    on_each(async |database| {
        let sink = Sink::start(Behavior::Friendly);
        let setup = Setup::default().with_mail(sink.address);
        let acknowledged = acknowledged_before_a_kill(database, &setup).await;
        println!("acknowledged before the kill: {} of 200", acknowledged.len());
        assert!(acknowledged.len() >= KILLED_AFTER);

        let restarted = Instant::now();
        let _again = Process::start(&setup, &database.url, &database.folder).await;
        let took = restarted.elapsed();
        assert!(took < Duration::from_secs(10), "{took:?}");
        let store = database.store().await;
        let held = store.export(&"ada@example.org".parse().unwrap()).await;
        let kept = held.unwrap().contacts;
        let numbers: BTreeSet<_> = kept.iter().map(|contact| contact.id.to_string()).collect();
        assert_eq!(numbers.len(), kept.len());
        assert!(numbers.is_superset(&acknowledged));

        // The mails leased by the killed process are due when the lease expires: now.
        database.execute("UPDATE outbox SET due_at = 0 WHERE state = 'pending'").await;
        let is_mailed = |number: &String, texts: &[String]| {
            let line = format!("ID: {number}\r\n");
            texts.iter().any(|text| text.contains(&line))
        };
        until("a mail for every acknowledged message", async || {
            let texts: Vec<_> = sink.mails().iter().map(Received::text).collect();
            let mut numbers = acknowledged.iter();
            numbers.all(|number| is_mailed(number, &texts)).then_some(())
        })
        .await;
    })
    .await;
}
