//! A database that is locked: told soon, harmless to others, over when the lock is.

use std::time::{Duration, Instant};

use futures::future::join_all;
use toolkit_store::limits::OPERATION_TIMEOUT;
use toolkit_store::{Reason, Store, StoreError};

use crate::helpers::{Fixture, NOW, contact, label, on_each_backend, on_sqlite};

/// Keeps everyone else from writing until it is dropped with its connection.
async fn lock(f: &Fixture) -> crate::helpers::Raw {
    let mut raw = f.raw().await;
    raw.execute(if f.is_sqlite() {
        "BEGIN EXCLUSIVE"
    } else {
        "BEGIN; LOCK TABLE heartbeat, contacts IN EXCLUSIVE MODE"
    })
    .await;
    raw
}

#[tokio::test]
async fn a_write_to_a_locked_database_gives_up_within_the_bound_and_works_after() {
    on_each_backend(async |f: &Fixture| {
        let mut raw = lock(f).await;
        let started = Instant::now();
        let answers = join_all((0..5).map(|i| {
            f.store
                .contacts()
                .receive(contact(&format!("message {i}")), None, NOW)
        }))
        .await;
        assert!(
            started.elapsed() < OPERATION_TIMEOUT + Duration::from_millis(500),
            "{:?}",
            started.elapsed()
        );
        for answer in answers {
            let error = answer.unwrap_err();
            assert!(error.is_unavailable(), "{error:?}");
            assert!(
                matches!(
                    error,
                    StoreError::Unavailable {
                        reason: Reason::Locked | Reason::TimedOut,
                        ..
                    }
                ),
                "{error:?}"
            );
        }
        raw.execute("ROLLBACK").await;
        f.contact("after").await;
        assert_eq!(f.count("contacts").await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_ping_tells_within_a_second_that_the_database_is_locked_and_that_it_is_free_again() {
    on_each_backend(async |f: &Fixture| {
        assert!(f.store.ping().await.unwrap() < Duration::from_millis(700));
        let mut raw = lock(f).await;
        tokio::time::sleep(Duration::from_millis(250)).await;
        let started = Instant::now();
        let error = f.store.ping().await.unwrap_err();
        assert!(
            started.elapsed() < Duration::from_millis(900),
            "{:?}",
            started.elapsed()
        );
        assert!(error.is_unavailable());
        raw.execute("ROLLBACK").await;
        let started = Instant::now();
        while f.store.ping().await.is_err() {
            assert!(started.elapsed() < Duration::from_secs(3));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_thousand_pings_at_once_ask_the_database_once() {
    on_each_backend(async |f: &Fixture| {
        let before = f.count("heartbeat WHERE beats < 3").await;
        assert_eq!(before, 1, "one heartbeat at opening");
        let pings = join_all((0..1_000).map(|_| f.store.ping())).await;
        assert!(pings.iter().all(Result::is_ok));
        assert_eq!(f.count("heartbeat WHERE beats < 8").await, 1);
    })
    .await;
}

#[tokio::test]
async fn reading_goes_on_while_another_process_holds_the_write_lock() {
    on_each_backend(async |f: &Fixture| {
        f.store.keys().create(&label("l"), NOW).await.unwrap();
        let _raw = lock(f).await;
        let started = Instant::now();
        assert_eq!(f.store.keys().list().await.unwrap().len(), 1);
        assert!(
            started.elapsed() < Duration::from_millis(500),
            "{:?}",
            started.elapsed()
        );
    })
    .await;
}

#[tokio::test]
async fn one_failure_in_a_batch_is_its_own() {
    on_sqlite(async |f: &Fixture| {
        // One insert in five fails; all of them wait for the same commit.
        f.raw()
            .await
            .execute(
                "CREATE TRIGGER refuse BEFORE INSERT ON outbox WHEN EXISTS \
                 (SELECT 1 FROM contacts WHERE id = NEW.contact_id AND message LIKE '%bad%') \
                 BEGIN SELECT RAISE(ABORT, 'refused'); END",
            )
            .await;
        let answers = join_all((0..50).map(|i| {
            let message = if i % 5 == 0 { "bad" } else { "good" };
            f.store.contacts().receive(contact(message), None, NOW)
        }))
        .await;
        let failed = answers.iter().filter(|answer| answer.is_err()).count();
        assert_eq!(failed, 10);
        assert_eq!(f.count("contacts").await, 40);
        assert_eq!(f.count("outbox").await, 40);
    })
    .await;
}

#[tokio::test]
async fn operations_that_wait_for_one_another_are_counted() {
    on_each_backend(async |f: &Fixture| {
        let store = Store::open(&f.url, 1).await.unwrap();
        let messages = (0..20).map(|_| store.contacts().receive(contact("crowd"), None, NOW));
        join_all(messages).await;
        let usage = store.usage();
        assert!(usage.waits > 0 && usage.waits <= 20, "{usage:?}");
        assert!(usage.open >= 1 && usage.in_use <= usage.open, "{usage:?}");
    })
    .await;
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_nothing_half_done() {
    on_each_backend(async |f: &Fixture| {
        for delay in 0..40 {
            let receive = f.store.contacts().receive(contact("impatient"), None, NOW);
            let _ = tokio::time::timeout(Duration::from_micros(delay * 50), receive).await;
        }
        f.contact("patient").await;
        // One statement: what was given up a moment ago may still be committed between two.
        let alone = "contacts WHERE id NOT IN \
                     (SELECT contact_id FROM outbox WHERE contact_id IS NOT NULL)";
        assert_eq!(f.count(alone).await, 0);
    })
    .await;
}
