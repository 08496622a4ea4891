//! Health check while the database fails, and what keeps working meanwhile.

use std::time::Instant;

use serde_json::{Value as Json, json};
use sqlx::{Connection, Executor, SqliteConnection};

use crate::database::Database;
use crate::helpers::{App, Setup, contact};

#[tokio::test]
async fn a_server_with_nothing_configured_is_healthy() {
    // The check may be one that the server began by itself.
    let before = Instant::now();
    let app = App::start(Setup::default()).await;
    let mut health = app.health().await;
    let most = before.elapsed().as_secs_f64() * 1e3;
    assert!(health["uptime_seconds"].is_u64());
    let latency = health["database"]["latency_ms"].as_f64().unwrap();
    assert!(0.0 < latency && latency <= most, "{latency} of {most} ms");
    health["uptime_seconds"] = json!(0);
    health["database"]["latency_ms"] = json!(0);
    assert_eq!(
        health,
        json!({
            "status": "ok",
            "version": env!("CARGO_PKG_VERSION"),
            "uptime_seconds": 0,
            "database": {"status": "ok", "backend": "sqlite", "latency_ms": 0},
            "llm": {"status": "unconfigured", "providers": []},
        })
    );
    let flags = app.get("/flags").await.json();
    assert_eq!(flags, json!({"backendEnabled": true, "aiEnabled": false, "paidEnabled": false}));
}

#[tokio::test]
async fn a_locked_database_is_reported_at_once_and_affects_only_what_needs_it() {
    let database = Database::sqlite();
    let app = App::start_on(&database, Setup::default()).await;
    let mut other = SqliteConnection::connect(&database.url).await.unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    app.until_the_database_is("unavailable").await;
    let health = app.health().await;
    assert_eq!(health["status"], json!("degraded"));
    assert_eq!(health["database"]["status"], json!("unavailable"));
    assert_eq!(health["database"]["latency_ms"], Json::Null);
    let run = app.post("/tools/uuid-generator/run").json(&json!({}));
    assert_eq!(run.send().await.unwrap().status(), 200);
    other.execute("ROLLBACK").await.unwrap();
    app.until_the_database_is("ok").await;
    assert_eq!(app.health().await["status"], json!("ok"));
}

#[tokio::test]
async fn while_the_database_is_locked_nothing_is_acknowledged() {
    let database = Database::sqlite();
    let app = App::start_on(&database, Setup::default()).await;
    assert_eq!(app.contact(&contact()).await.status, 200);
    let mut other = SqliteConnection::connect(&database.url).await.unwrap();
    other.execute("BEGIN EXCLUSIVE").await.unwrap();
    for answer in [app.contact(&contact()).await, app.subscribe("ada@example.org", "docs").await] {
        answer.refuses(503, "nothing was stored");
        assert!(answer.header("retry-after").is_some());
        assert!(!answer.body.contains("lock") && !answer.body.contains("SQL"), "{answer:?}");
    }
    other.execute("ROLLBACK").await.unwrap();
    assert_eq!(app.contact(&contact()).await.status, 200);
    let held = app.store.export(&"ada@example.org".parse().unwrap()).await.unwrap();
    assert_eq!((held.contacts.len(), held.subscriptions.len()), (2, 0));
}
