//! Servers that start without their database, and a database that is lost while they run.

use std::process::Stdio;
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::json;
use toolkit_store::Store;

use crate::database::{Database, on_each, postgres};
use crate::helpers::{Answer, App, Setup, binary, contact, until};
use crate::process::Process;
use crate::proxy::{Mode, Proxy};

/// From the return of the database to the next write.
const WRITTEN_AGAIN: Duration = Duration::from_secs(5);

/// A server whose database is out of reach from the start.
async fn start_without(database: &Database) -> (Proxy, String, Process) {
    let (mut proxy, url) = Proxy::start(&database.url).await;
    proxy.set(Mode::Closed).await;
    let setup = Setup::new(&[("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")]);
    let process = Process::start(&setup, &url, &database.folder).await;
    (proxy, url, process)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_its_database_serves_what_needs_none_and_then_everything() {
    let Some(database) = postgres().await else {
        return;
    };
    let (mut proxy, url, process) = start_without(&database).await;
    let mut command = binary(&Setup::default(), &url, &database.folder);
    command.args(["keys", "create", "--label", "early"]);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let client = Client::new();
    let base = format!("http://{}", process.address());
    let get = async |url: String| Answer::of(client.get(url)).await;
    let ready = async || get(format!("{}/readyz", process.admin())).await;
    for _ in 0..3 {
        let run = client.post(format!("{base}/toolkit/api/tools/uuid-generator/run"));
        assert_eq!(Answer::of(run.json(&json!({}))).await.status, 200);
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "cidr_info", "arguments": {"cidr": "192.0.2.0/24"}}});
        let call = client.post(format!("{base}/toolkit/mcp")).json(&call);
        let call = call.header("Accept", "application/json, text/event-stream");
        let call = Answer::of(call).await;
        assert!(call.status == 200 && call.body.contains("structuredContent"), "{call:?}");
        assert_eq!(get(format!("{base}/toolkit/tools/uuid-generator")).await.status, 200);
        let health = get(format!("{base}/toolkit/api/health")).await.json();
        assert_eq!(health["database"]["status"], "unavailable");
        let answer = ready().await;
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (200, r#"{"status":"ready","database":"unavailable"}"#)
        );
    }
    let known = App::start(Setup::default()).await.key;
    let answer = process.contact(&known, &contact()).await;
    assert_eq!(answer.status, 503, "it is not known whether this is a key: {answer:?}");

    proxy.set(Mode::Forward).await;
    let back = Instant::now();
    // The command has waited, and so for the tables.
    let created =
        tokio::task::spawn_blocking(|| command.wait_with_output().unwrap()).await.unwrap();
    assert!(created.status.success(), "{created:?}");
    let key = String::from_utf8(created.stdout).unwrap();
    let key = key.split_whitespace().find(|word| word.starts_with("tk_")).unwrap().to_owned();
    assert!(String::from_utf8(created.stderr).unwrap().contains("waiting for the database"));
    until("a message that is stored", async || {
        (process.contact(&key, &contact()).await.status == 200).then_some(())
    })
    .await;
    println!("written after {:?}", back.elapsed());
    assert!(back.elapsed() < WRITTEN_AGAIN, "{:?}", back.elapsed());
    until("the name of the database", async || {
        (ready().await.body == r#"{"status":"ready","database":"ok"}"#).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newer_database_ends_a_server_that_has_waited_for_it() {
    let Some(database) = postgres().await else {
        return;
    };
    Store::open(&database.url, 1).await.unwrap().close().await;
    database
        .execute(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
             SELECT 9999, 'newer', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1",
        )
        .await;
    let (mut proxy, _, mut process) = start_without(&database).await;
    proxy.set(Mode::Forward).await;
    let status = until("the end of the process", async || process.ended()).await;
    assert_eq!(status.code(), Some(1));
    assert!(process.kill().contains("a newer version of this program"));
}

#[tokio::test]
async fn a_database_from_before_the_first_release_is_refused_with_the_way_to_take_it_along() {
    on_each(async |database| {
        database.key().await;
        database
            .execute("UPDATE _sqlx_migrations SET checksum = (SELECT digest FROM api_keys)")
            .await;
        for arguments in [&[][..], &["outbox", "status"], &["keys", "list", "--migrate"]] {
            let mut program = binary(&Setup::default(), &database.url, &database.folder);
            let output = program.args(arguments).output().unwrap();
            let line = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{line}");
            assert_eq!(line.lines().count(), 1, "{line}");
            assert!(
                line.contains("before 0.1.0") && line.contains("`subscribers import`"),
                "{line}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn wrong_settings_of_the_database_end_a_start_at_once() {
    let Some(database) = postgres().await else {
        return;
    };
    let (server, _) = database.url.rsplit_once('/').unwrap();
    let url = format!("{server}/no_such_database");
    let output = binary(&Setup::default(), &url, &database.folder).output().unwrap();
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{line}");
    assert!(line.contains("cannot open postgres:"), "{line}");
    assert!(line.contains("/no_such_database: "), "{line}");
}

#[tokio::test]
async fn a_file_that_is_deleted_under_the_server_takes_nothing_and_is_told() {
    let database = Database::sqlite();
    let app = App::start_on(&database, Setup::new(&[("TOOLKIT_API__ADMIN_BIND", "127.0.0.1:0")]));
    let app = app.await;
    assert_eq!(app.contact(&contact()).await.status, 200);
    until("the metric before", async || {
        app.metrics().await.contains("toolkit_database_lost 0").then_some(())
    })
    .await;
    std::fs::remove_file(database.url.strip_prefix("sqlite://").unwrap()).unwrap();
    for _ in 0..20 {
        app.contact(&contact()).await.refuses(503, "nothing was stored");
        let once = app.post("/contact").header("X-Api-Key", &app.key).json(&contact());
        let once = Answer::of(once.header("Idempotency-Key", "a")).await;
        once.refuses(503, "nothing was stored");
    }
    app.until_the_database_is("unavailable").await;
    until("the metric", async || {
        app.metrics().await.contains("toolkit_database_lost 1").then_some(())
    })
    .await;
    let run = app.post("/tools/uuid-generator/run").json(&json!({}));
    assert_eq!(Answer::of(run).await.status, 200);
}
