//! Full disk: writes are refused, nothing acknowledged is lost, and the database stays intact.

use sqlx::{Connection, SqliteConnection};
use toolkit_store::limits::PING_MEMORY;
use toolkit_store::{Reason, Receipt, Store, StoreError};

use crate::helpers::{NOW, contact};
use crate::small_disk::SmallDisk;

#[tokio::test]
async fn a_full_disk_refuses_writes_loses_nothing_and_works_again_with_space() {
    let Some(disk) = SmallDisk::mount() else {
        return;
    };
    let ballast = disk.path().join("ballast");
    std::fs::write(&ballast, vec![0; 300 << 10]).unwrap();
    let url = format!("sqlite://{}/store.db", disk.path().display());
    let store = Store::open(&url, 4).await.unwrap();
    let message = "x".repeat(5_000);

    let mut acknowledged = Vec::new();
    let error = loop {
        match store.contacts().receive(contact(&message), None, NOW).await {
            Ok(Receipt::Stored(id)) => acknowledged.push(id.to_string()),
            Ok(Receipt::ChallengeReplayed) => panic!("there was no challenge"),
            Err(error) => break error,
        }
        assert!(acknowledged.len() < 1_000, "the disk is never full");
    };
    assert!(matches!(error, StoreError::Unavailable { reason: Reason::Full, .. }), "{error:?}");
    for _ in 0..5 {
        let error = store.contacts().receive(contact(&message), None, NOW).await.unwrap_err();
        assert!(error.is_unavailable(), "{error:?}");
    }
    // A ping writes less than a message: some may still have room.
    let mut pings = 0;
    let error = loop {
        match store.ping().await {
            Err(error) => break error,
            Ok(_) => tokio::time::sleep(PING_MEMORY).await,
        }
        pings += 1;
        assert!(pings < 100, "the disk is never full");
    };
    assert!(error.is_unavailable(), "{error:?}");
    assert!(!acknowledged.is_empty());

    std::fs::remove_file(&ballast).unwrap();
    match store.contacts().receive(contact("with space"), None, NOW).await {
        Ok(Receipt::Stored(id)) => acknowledged.push(id.to_string()),
        other => panic!("{other:?}"),
    }
    store.close().await;
    let mut raw = crate::helpers::Raw::Sqlite(SqliteConnection::connect(&url).await.unwrap());
    assert_eq!(raw.texts("PRAGMA integrity_check").await, ["ok"]);
    let mut stored = raw.texts("SELECT id FROM contacts").await;
    stored.sort();
    acknowledged.sort();
    assert_eq!(stored, acknowledged);
}
