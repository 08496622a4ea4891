//! Locked database: reported soon, harmless to other operations, over when the lock is released.

use std::time::{Duration, Instant};

use futures::future::join_all;
use toolkit_store::limits::{BUSY_TIMEOUT, OPERATION_TIMEOUT, PING_MEMORY};
use toolkit_store::{Reason, Store, StoreError};

use crate::helpers::{
    Fixture, NOW, contact, is_found_unavailable_soon, label, on_each_backend, on_sqlite, until_well,
};

/// Locks the database against other writers until the connection is dropped.
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
async fn a_write_to_a_locked_database_fails_within_the_timeout_and_succeeds_afterwards() {
    on_each_backend(async |f: &Fixture| {
        let mut raw = lock(f).await;
        let started = Instant::now();
        let answers = join_all(
            (0..20)
                .map(|i| f.store.contacts().receive(contact(&format!("message {i}")), None, NOW)),
        )
        .await;
        // One after the other they would take half a minute.
        assert!(started.elapsed() < 3 * OPERATION_TIMEOUT, "{:?}", started.elapsed());
        for answer in answers {
            let error = answer.unwrap_err();
            assert!(error.is_unavailable(), "{error:?}");
            assert!(
                matches!(
                    error,
                    StoreError::Unavailable { reason: Reason::Locked | Reason::TimedOut, .. }
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
async fn opening_waits_for_a_process_that_holds_the_lock_longer_than_a_write_may_wait() {
    on_sqlite(async |f: &Fixture| {
        let mut raw = lock(f).await;
        let release = async {
            tokio::time::sleep(BUSY_TIMEOUT + Duration::from_millis(500)).await;
            raw.execute("ROLLBACK").await;
        };
        let (opened, ()) = tokio::join!(Store::open(&f.url, 2), release);
        opened.unwrap().close().await;
    })
    .await;
}

#[tokio::test]
async fn a_database_that_takes_no_writes_is_not_opened() {
    on_each_backend(async |f: &Fixture| {
        let mut raw = lock(f).await;
        let error = Store::open(&f.url, 2).await.err().unwrap();
        assert!(error.is_unavailable(), "{error:?}");
        raw.execute("ROLLBACK").await;
        Store::open(&f.url, 2).await.unwrap().close().await;
    })
    .await;
}

#[tokio::test]
async fn a_ping_reports_within_a_second_that_the_database_is_locked_or_free_again() {
    on_each_backend(async |f: &Fixture| {
        until_well(&f.store).await;
        let mut raw = lock(f).await;
        is_found_unavailable_soon(&f.store).await;
        raw.execute("ROLLBACK").await;
        until_well(&f.store).await;
    })
    .await;
}

#[tokio::test]
async fn a_thousand_concurrent_pings_query_the_database_once() {
    on_each_backend(async |f: &Fixture| {
        let beats = async || f.raw().await.number("SELECT beats FROM heartbeat").await;
        let before = beats().await;
        assert!(before < 3, "one heartbeat at opening");
        let started = Instant::now();
        join_all((0..1_000).map(|_| f.store.ping())).await;
        // The result of a ping is cached for a moment, however busy the machine is.
        let moments = started.elapsed().as_millis() / PING_MEMORY.as_millis();
        let asked = beats().await - before;
        assert!(asked <= 1 + i64::try_from(moments).unwrap(), "{asked}");
        until_well(&f.store).await;
    })
    .await;
}

#[tokio::test]
async fn reads_continue_while_another_process_holds_the_write_lock() {
    on_each_backend(async |f: &Fixture| {
        f.store.keys().issue(&label("l"), &toolkit_store::KeyTerms::default(), NOW).await.unwrap();
        let _raw = lock(f).await;
        // A read that waited for the lock would fail.
        assert_eq!(f.store.keys().list().await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn one_failure_in_a_batch_does_not_affect_the_others() {
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
async fn waiting_operations_are_counted() {
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
async fn an_operation_that_waits_for_a_single_other_one_is_counted() {
    on_each_backend(async |f: &Fixture| {
        let store = Store::open(&f.url, 1).await.unwrap();
        let _raw = lock(f).await;
        let contacts = store.contacts();
        let in_use = async |count| {
            while store.usage().in_use != count {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        // The connection that opened the store goes back to its pool a moment later.
        in_use(0).await;
        let steps = async {
            in_use(1).await;
            let before = store.usage().waits;
            let second = contacts.receive(contact("second"), None, NOW);
            let _ = tokio::time::timeout(Duration::from_millis(50), second).await;
            assert_eq!(store.usage().waits, before + 1);
        };
        tokio::select! {
            answer = contacts.receive(contact("first"), None, NOW) => {
                panic!("the database is locked: {answer:?}")
            }
            () = steps => {}
        }
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_caller_leaves_nothing_half_done() {
    on_each_backend(async |f: &Fixture| {
        for delay in 0..40 {
            let receive = f.store.contacts().receive(contact("impatient"), None, NOW);
            let _ = tokio::time::timeout(Duration::from_micros(delay * 50), receive).await;
        }
        f.contact("patient").await;
        // One statement, since an operation cancelled a moment ago may be committed between two.
        let alone = "contacts WHERE id NOT IN \
                     (SELECT contact_id FROM outbox WHERE contact_id IS NOT NULL)";
        assert_eq!(f.count(alone).await, 0);
    })
    .await;
}
