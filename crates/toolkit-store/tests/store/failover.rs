//! Fail-over to another PostgreSQL server, servers that take no writes for a while, and poolers in front of one.

use std::time::{Duration, Instant};

use futures::future::join_all;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Row};
use toolkit_store::{Reason, Receipt, Store, StoreError};

use crate::helpers::{NOW, PATIENCE, contact, label, postgres_server, until_well};
use crate::servers::{PgBouncer, Server};

/// From the return of the database to the next write.
const WRITTEN_AGAIN: Duration = Duration::from_secs(5);

async fn write(store: &Store) -> Result<String, StoreError> {
    match store.contacts().receive(contact("m"), None, NOW).await? {
        Receipt::Stored(id) => Ok(id.to_string()),
        Receipt::ChallengeReplayed => panic!("there was no challenge"),
    }
}

/// Writes until that succeeds, and expects it in time.
async fn is_written_again(store: &Store) -> String {
    let started = Instant::now();
    loop {
        match write(store).await {
            Ok(id) => {
                println!("written again after {:?}", started.elapsed());
                assert!(started.elapsed() < WRITTEN_AGAIN, "{:?}", started.elapsed());
                return id;
            }
            Err(error) => assert!(started.elapsed() < PATIENCE, "{error:?}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Reads and writes with all connections at once.
async fn every_connection_writes(store: &Store) {
    for answer in join_all((0..40).map(|_| write(store))).await {
        answer.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_failover_it_is_written_again_within_five_seconds_and_nothing_is_lost() {
    if postgres_server().is_none() {
        return;
    }
    let old = Server::start();
    let new = old.standby().await;
    let hosts = format!("{},{}", old.host(), new.host());
    let url = format!("postgres://toolkit@{hosts}/postgres?target_session_attrs=read-write");
    let store = Store::open(&url, 4).await.unwrap();
    every_connection_writes(&store).await;
    let mut acknowledged = vec![write(&store).await.unwrap()];
    // The old one stays readable, as one that a cluster manager demotes.
    old.execute("ALTER SYSTEM SET default_transaction_read_only = on").await;
    old.execute("SELECT pg_reload_conf()").await;
    let started = Instant::now();
    while let Ok(id) = write(&store).await {
        acknowledged.push(id);
        assert!(started.elapsed() < PATIENCE, "it still takes writes");
    }
    assert!(store.keys().list().await.is_ok(), "it can be read");
    new.promote();
    acknowledged.push(is_written_again(&store).await);
    every_connection_writes(&store).await;
    let stored = new.texts("SELECT id FROM contacts").await;
    assert!(acknowledged.iter().all(|id| stored.contains(id)));
    // Both are named, so a new process finds the one that takes writes.
    let reversed = url.replace(&hosts, &format!("{},{}", new.host(), old.host()));
    for url in [url, reversed] {
        every_connection_writes(&Store::open(&url, 2).await.unwrap()).await;
    }
}

#[tokio::test]
async fn of_several_hosts_one_that_is_away_or_hangs_is_passed_over() {
    let Some(server) = postgres_server() else {
        return;
    };
    let (user, rest) = server.rsplit_once('@').unwrap();
    let schema = "several_hosts";
    let admin = async |sql: &str| {
        let mut connection = PgConnection::connect(&server).await.unwrap();
        connection.execute(AssertSqlSafe(sql)).await.unwrap();
    };
    admin(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}")).await;
    // Accepts connections, and never says anything.
    let hanging = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let hosts = format!("127.0.0.1:1,{}", hanging.local_addr().unwrap());
    let url = format!("{user}@{hosts},{rest}?options[search_path]={schema}");
    let store = Store::open(&url, 2).await.unwrap();
    every_connection_writes(&store).await;
    store.close().await;
    admin(&format!("DROP SCHEMA {schema} CASCADE")).await;
}

#[tokio::test]
async fn sessions_of_a_read_only_moment_are_not_used_after_it() {
    if postgres_server().is_none() {
        return;
    }
    let server = Server::start();
    let store = Store::open(&server.url(), 4).await.unwrap();
    every_connection_writes(&store).await;
    // New sessions are read-only, for as long as they are open.
    server.execute("ALTER DATABASE postgres SET default_transaction_read_only = on").await;
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
    server.execute(end).await;
    for answer in join_all((0..8).map(|_| write(&store))).await {
        assert!(answer.is_err_and(|error| error.is_unavailable()));
    }
    for answer in join_all((0..8).map(|_| store.keys().list())).await {
        answer.unwrap();
    }
    server.execute("ALTER DATABASE postgres RESET default_transaction_read_only").await;
    is_written_again(&store).await;
    every_connection_writes(&store).await;
}

#[tokio::test]
async fn sessions_that_the_server_ends_are_replaced() {
    if postgres_server().is_none() {
        return;
    }
    let server = Server::start();
    let store = Store::open(&server.url(), 4).await.unwrap();
    for _ in 0..3 {
        every_connection_writes(&store).await;
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
        server.execute(end).await;
        is_written_again(&store).await;
    }
    every_connection_writes(&store).await;
}

#[tokio::test]
async fn a_server_without_a_free_connection_is_told_from_one_out_of_reach() {
    let Some(server) = postgres_server() else {
        return;
    };
    let mut admin = PgConnection::connect(&server).await.unwrap();
    admin
        .execute("DROP ROLE IF EXISTS crowded; CREATE ROLE crowded LOGIN CONNECTION LIMIT 1")
        .await
        .unwrap();
    let (_, rest) = server.rsplit_once('@').unwrap();
    let url = format!("postgres://crowded@{rest}");
    let _taken = PgConnection::connect(&url).await.unwrap();
    let error = Store::open(&url, 4).await.err().unwrap();
    assert!(matches!(error, StoreError::Unavailable { reason: Reason::Crowded, .. }), "{error:?}");
    assert!(error.to_string().contains("no connections left"), "{error}");
}

/// Two programs through `PgBouncer` in transaction mode: another session may serve each statement.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pgbouncer_in_transaction_mode_serves_it_and_no_session_is_left_changed() {
    let Some(server) = postgres_server() else {
        return;
    };
    let (_, rest) = server.rsplit_once('@').unwrap();
    let (host, _) = rest.split_once('/').unwrap();
    let Some(bouncer) = PgBouncer::start(host, 3) else {
        return;
    };
    let mut admin = PgConnection::connect(&server).await.unwrap();
    admin.execute("DROP DATABASE IF EXISTS pooled").await.unwrap();
    admin.execute("CREATE DATABASE pooled").await.unwrap();
    let url = bouncer.url("pooled");
    let stores = join_all((0..3).map(|_| Store::open(&url, 4))).await;
    let stores: Vec<_> = stores.into_iter().map(Result::unwrap).collect();
    for _ in 0..3 {
        let writes = stores.iter().flat_map(|store| (0..20).map(move |_| write(store)));
        let keys = stores.iter().map(async |store| {
            let terms = toolkit_store::KeyTerms::default();
            store.keys().issue(&label("l"), &terms, NOW).await.unwrap();
            store.keys().list().await.unwrap();
            store.ping().await.unwrap();
        });
        let (answers, _) = futures::future::join(join_all(writes), join_all(keys)).await;
        for answer in answers {
            answer
                .unwrap_or_else(|error| panic!("{error} {:?}", std::error::Error::source(&error)));
        }
    }
    // Another client of the same pooler meets no trace of these.
    let mut other = PgConnection::connect_with(
        &url.parse::<sqlx::postgres::PgConnectOptions>().unwrap().extra_float_digits(None),
    )
    .await
    .unwrap();
    for (sql, expected) in [
        ("SELECT COUNT(*)::text FROM contacts", "180"),
        ("SELECT COUNT(*)::text FROM pg_prepared_statements", "0"),
        // Of this database alone: the server is that of other tests too.
        (
            "SELECT COUNT(*)::text FROM pg_locks JOIN pg_database ON pg_database.oid = database \
             WHERE locktype = 'advisory' AND datname = current_database()",
            "0",
        ),
        ("SHOW statement_timeout", "0"),
        ("SHOW idle_in_transaction_session_timeout", "0"),
    ] {
        let row = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_one(&mut other).await.unwrap();
        assert_eq!(row.get::<String, _>(0), expected, "{sql}");
    }
    // The limits of an operation hold all the same.
    sqlx::raw_sql("BEGIN; LOCK TABLE contacts").execute(&mut other).await.unwrap();
    let started = Instant::now();
    let error = write(&stores[0]).await.unwrap_err();
    assert!(error.is_unavailable() && started.elapsed() < PATIENCE, "{error:?}");
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    until_well(&stores[0]).await;
    for store in stores {
        store.close().await;
    }
}
