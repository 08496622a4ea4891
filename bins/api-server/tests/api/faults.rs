//! A disk that is full, and a PostgreSQL server that goes away or hangs: what needs the database is
//! refused, nothing acknowledged is lost, the rest goes on, and it is over when the fault is.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::database::{Database, postgres};
use crate::helpers::{Answer, App, Setup, contact, until};
use crate::proxy::{Proxy, Wire};
use crate::small_disk::SmallDisk;

/// Asks for the health of the database, which is told within a second.
async fn database_status(app: &App) -> Json {
    let asked = Instant::now();
    let mut health = app.health().await;
    let took = asked.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
    health["database"]["status"].take()
}

async fn until_the_database_is(app: &App, status: &str) {
    let is_so = async || (database_status(app).await == status).then_some(());
    until(status, is_so).await;
}

async fn tools_go_on(app: &App) {
    let run = app.post("/tools/uuid-generator/run").json(&json!({}));
    assert_eq!(Answer::of(run).await.status, 200);
    assert_eq!(app.get("/tools").await.status, 200);
}

async fn nothing_is_taken(app: &App) {
    for answer in [
        app.contact(&contact()).await,
        app.subscribe("ada@example.org", "docs").await,
    ] {
        answer.refuses(503, "nothing was stored");
        assert!(answer.header("retry-after").is_some(), "{answer:?}");
    }
}

/// The numbers of the messages that are held of the sender.
async fn held(app: &App) -> BTreeSet<String> {
    let data = app.store.export(&"ada@example.org".parse().unwrap()).await;
    let contacts = data.unwrap().contacts;
    contacts
        .iter()
        .map(|contact| contact.id.to_string())
        .collect()
}

fn number(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_full_disk_costs_only_what_needs_it_and_no_message() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 300 << 10]).unwrap();
    let url = format!("sqlite://{}/toolkit.db", disk.path().display());
    let app = App::start_on(&Database::at(url), Setup::default()).await;
    let mut message = contact();
    message["message"] = json!("x".repeat(9_000));
    let mut acknowledged = BTreeSet::new();
    let refused = loop {
        let answer = app.contact(&message).await;
        if answer.status != 200 {
            break answer;
        }
        acknowledged.insert(number(&answer));
        assert!(acknowledged.len() < 1_000, "the disk is never full");
    };
    refused.refuses(503, "nothing was stored");
    until_the_database_is(&app, "unavailable").await;
    nothing_is_taken(&app).await;
    tools_go_on(&app).await;
    assert_eq!(held(&app).await, acknowledged);

    std::fs::remove_file(&ballast).unwrap();
    until_the_database_is(&app, "ok").await;
    acknowledged.insert(number(&app.contact(&message).await));
    assert_eq!(held(&app).await, acknowledged);
}

// Several threads: the proxy has to go on while the server starts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_server_that_goes_away_or_hangs_costs_only_what_needs_it_and_no_message() {
    let Some(database) = postgres().await else {
        return;
    };
    let (mut proxy, url) = Proxy::start(&database.url).await;
    let app = App::start_on(&Database::at(url), Setup::default()).await;
    let mut acknowledged = BTreeSet::from([number(&app.contact(&contact()).await)]);
    for wire in [Wire::Cut, Wire::Hanging] {
        proxy.set(wire).await;
        until_the_database_is(&app, "unavailable").await;
        nothing_is_taken(&app).await;
        tools_go_on(&app).await;
        proxy.set(Wire::Whole).await;
        until_the_database_is(&app, "ok").await;
        acknowledged.insert(number(&app.contact(&contact()).await));
        assert!(held(&app).await.is_superset(&acknowledged));
    }
}
