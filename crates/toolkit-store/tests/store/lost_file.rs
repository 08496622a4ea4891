//! SQLite file that is deleted, replaced or damaged while it is open.

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use toolkit_store::{Store, StoreError};

use crate::helpers::{Fixture, Home, NOW, contact, label, on_sqlite};

async fn is_refused(store: &Store) {
    let answer = store.contacts().receive(contact("lost"), None, NOW).await;
    assert!(answer.as_ref().is_err_and(StoreError::is_unavailable), "{answer:?}");
    assert!(store.ping().await.is_err());
    assert!(store.is_lost());
}

fn each_file(folder: &Path, act: impl Fn(&Path)) {
    for name in ["store.db", "store.db-wal", "store.db-shm"] {
        act(&folder.join(name));
    }
}

#[tokio::test]
async fn a_file_that_is_deleted_or_replaced_takes_nothing_until_a_restart() {
    for is_replaced in [false, true] {
        on_sqlite(async |f: &Fixture| {
            let Home::Sqlite(folder) = &f.home else {
                return;
            };
            let (folder, aside) = (folder.path(), tempfile::tempdir().unwrap());
            f.contact("kept").await;
            each_file(folder, |file| {
                let to = aside.path().join(file.file_name().unwrap());
                std::fs::rename(file, to).unwrap();
            });
            if is_replaced {
                Store::open(&f.url, 2).await.unwrap().close().await;
            }
            is_refused(&f.store).await;
            assert!(f.store.keys().list().await.is_err(), "what it says is of another file");
            assert_eq!(folder.join("store.db").exists(), is_replaced);
            // Also when it comes back: another process may have written to the other one.
            each_file(folder, |file| {
                let from = aside.path().join(file.file_name().unwrap());
                std::fs::rename(from, file).unwrap();
            });
            is_refused(&f.store).await;
            f.store.close().await;
            let again = Store::open(&f.url, 2).await.unwrap();
            again.contacts().receive(contact("after"), None, NOW).await.unwrap();
            assert_eq!(f.count("contacts").await, 2);
        })
        .await;
    }
}

#[tokio::test]
async fn a_damaged_file_takes_no_writes_and_is_read_where_it_is_whole() {
    on_sqlite(async |f: &Fixture| {
        f.contact("kept").await;
        let terms = toolkit_store::KeyTerms::default();
        f.store.keys().issue(&label("l"), &terms, NOW).await.unwrap();
        f.store.close().await;
        let store = f.replica().await;
        let sql = "SELECT rootpage FROM sqlite_master WHERE name = 'contacts'";
        let page = u64::try_from(f.raw().await.number(sql).await).unwrap();
        let path = f.url.strip_prefix("sqlite://").unwrap();
        let mut file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
        file.seek(SeekFrom::Start((page - 1) * 4096)).unwrap();
        file.write_all(&[0x5a; 4096]).unwrap();
        drop(file);
        let answer = store.contacts().receive(contact("lost"), None, NOW).await;
        assert!(matches!(answer, Err(StoreError::Corrupt { .. })), "{answer:?}");
        is_refused(&store).await;
        assert_eq!(store.keys().list().await.unwrap().len(), 1);
    })
    .await;
}
