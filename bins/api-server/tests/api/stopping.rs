//! Graceful shutdown while a mail is being sent: it is finished, and no mail is sent twice.

use std::time::Duration;

use serde_json::json;
use time::OffsetDateTime;

use crate::database::{Database, on_each};
use crate::helpers::{Setup, contact, until};
use crate::process::Process;
use crate::sink::{Behavior, Sink};

/// Starts a server whose mail server has received a mail and not acknowledged it yet.
async fn with_mail_in_progress(database: &Database, setup: &Setup, sink: &Sink) -> Process {
    let key = database.key().await;
    let process = Process::start(setup, &database.url, &database.folder).await;
    let answer = process.contact(&key, &contact()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(sink.wait(1).await.len(), 1);
    process.terminate();
    until("the stop", async || process.log().contains("stopping: ").then_some(())).await;
    process
}

#[tokio::test]
async fn a_mail_in_progress_is_finished_before_the_end_and_sent_once() {
    on_each(async |database| {
        let sink = Sink::start(Behavior::Holding);
        let setup = Setup::default().with_mail(sink.address);
        let mut process = with_mail_in_progress(database, &setup, &sink).await;
        // Long enough for a server that does not wait to end, far shorter than the grace period.
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(process.ended(), None, "{}", process.log());
        sink.set(Behavior::Friendly);
        let ended = until("it ends", async || process.ended()).await;
        assert!(ended.success(), "{ended}: {}", process.log());

        let store = database.store().await;
        let stats = store.outbox().stats(OffsetDateTime::now_utc()).await;
        let stats = stats.unwrap();
        assert_eq!((stats.pending, stats.dead), (0, 0));
        let again = Process::start(&setup, &database.url, &database.folder).await;
        let mut second = contact();
        second["message"] = json!("Second");
        let answer = again.contact(&database.key().await, &second).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let mails = sink.wait(2).await;
        assert_eq!(mails.len(), 2);
        assert!(mails[1].text().contains("Second"));
    })
    .await;
}

#[tokio::test]
async fn a_mail_that_takes_longer_than_the_grace_period_is_aborted_and_stays_queued() {
    let database = Database::sqlite();
    let sink = Sink::start(Behavior::Holding);
    let setup = Setup::new(&[("TOOLKIT_HTTP__SHUTDOWN_GRACE_SECONDS", "1")]);
    let setup = setup.with_mail(sink.address);
    let mut process = with_mail_in_progress(&database, &setup, &sink).await;
    let ended = until("it ends", async || process.ended()).await;
    assert!(ended.success(), "{ended}");
    assert!(process.kill().contains("mails in progress were aborted"));
    let store = database.store().await;
    let stats = store.outbox().stats(OffsetDateTime::now_utc()).await;
    assert_eq!(stats.unwrap().pending, 1);
}
