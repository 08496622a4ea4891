//! Database faults: a full disk, and a PostgreSQL server that stops or hangs. Requests that need
//! the database are refused, nothing acknowledged is lost, everything else keeps working, and the
//! service recovers by itself.

use std::collections::BTreeSet;

use serde_json::json;

use crate::database::{Database, postgres};
use crate::helpers::{Answer, App, Setup, contact, until};
use crate::proxy::{Mode, Proxy};
use crate::small_disk::SmallDisk;

async fn tools_keep_working(app: &App) {
    let run = app.post("/tools/uuid-generator/run").json(&json!({}));
    assert_eq!(Answer::of(run).await.status, 200);
    assert_eq!(app.get("/tools").await.status, 200);
}

async fn nothing_is_accepted(app: &App) {
    for answer in [app.contact(&contact()).await, app.subscribe("ada@example.org", "docs").await] {
        answer.refuses(503, "nothing was stored");
        assert!(answer.header("retry-after").is_some(), "{answer:?}");
    }
}

/// Returns the numbers of the sender's stored messages.
async fn held(app: &App) -> BTreeSet<String> {
    let data = app.store.export(&"ada@example.org".parse().unwrap()).await;
    let contacts = data.unwrap().contacts;
    contacts.iter().map(|contact| contact.id.to_string()).collect()
}

fn number(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_full_disk_affects_only_what_needs_it_and_loses_no_message() {
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
    app.until_the_database_is("unavailable").await;
    nothing_is_accepted(&app).await;
    tools_keep_working(&app).await;
    assert_eq!(held(&app).await, acknowledged);

    std::fs::remove_file(&ballast).unwrap();
    app.until_the_database_is("ok").await;
    acknowledged.insert(number(&app.contact(&message).await));
    assert_eq!(held(&app).await, acknowledged);
}

// Several threads: the proxy must keep running while the server starts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_server_that_stops_or_hangs_affects_only_what_needs_it_and_loses_no_message() {
    let Some(database) = postgres().await else {
        return;
    };
    let (mut proxy, url) = Proxy::start(&database.url).await;
    let app = App::start_on(&Database::at(url), Setup::default()).await;
    let mut acknowledged = BTreeSet::from([number(&app.contact(&contact()).await)]);
    for mode in [Mode::Closed, Mode::Hanging] {
        proxy.set(mode).await;
        app.until_the_database_is("unavailable").await;
        nothing_is_accepted(&app).await;
        tools_keep_working(&app).await;
        // Issued around the proxy, so the server cannot know it.
        let new = database.key().await;
        let ask = async || {
            let request = app.post("/contact").header("X-Api-Key", &new);
            Answer::of(request.json(&contact())).await
        };
        ask().await.refuses(503, "The API key cannot be checked");
        Answer::of(app.post("/contact").header("X-Api-Key", "tk_short"))
            .await
            .refuses(401, "`X-Api-Key`");
        proxy.set(Mode::Forward).await;
        app.until_the_database_is("ok").await;
        let answer = until("the new key works", async || {
            Some(ask().await).filter(|answer| answer.status != 503)
        });
        acknowledged.insert(number(&answer.await));
        acknowledged.insert(number(&app.contact(&contact()).await));
        assert!(held(&app).await.is_superset(&acknowledged));
    }
}
