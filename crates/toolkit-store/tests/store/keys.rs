//! API keys: issue, list, revoke, and the key cache that authenticates requests.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use toolkit_store::limits::KEY_REFRESH_INTERVAL;
use toolkit_store::{ApiKey, KeyCache, KeyLabel, KeysUnavailable, Revocation, Ulid};

use crate::helpers::{Fixture, NOW, label, on_each_backend, on_sqlite};

#[tokio::test]
async fn a_key_is_listed_by_its_label_and_works_until_it_is_revoked() {
    on_each_backend(async |f: &Fixture| {
        let keys = f.store.keys();
        let (first, _) = keys
            .issue(&label("Ünïcode & 'quotes'"), &toolkit_store::KeyTerms::default(), NOW)
            .await
            .unwrap();
        let (second, key) = keys
            .issue(
                &label("second"),
                &toolkit_store::KeyTerms::default(),
                NOW + Duration::from_secs(1),
            )
            .await
            .unwrap();

        let cache = KeyCache::load(&f.store).await.unwrap();
        assert_eq!(cache.check(key.expose()).await, Ok(Some(second)));

        let later = NOW + Duration::from_mins(1);
        assert_eq!(keys.revoke(second, later).await.unwrap(), Revocation::Revoked);
        assert_eq!(keys.revoke(second, NOW).await.unwrap(), Revocation::AlreadyRevoked);
        assert_eq!(keys.revoke(Ulid::nil(), NOW).await.unwrap(), Revocation::Unknown);

        let list = keys.list().await.unwrap();
        let shown: Vec<_> =
            list.iter().map(|key| (key.id, key.label.as_str(), key.revoked_at)).collect();
        assert_eq!(shown, [(first, "Ünïcode & 'quotes'", None), (second, "second", Some(later))]);
        assert_eq!(list[0].created_at, NOW);

        cache.refresh().await.unwrap();
        assert_eq!(cache.check(key.expose()).await, Ok(None));
    })
    .await;
}

#[tokio::test]
async fn a_key_that_was_issued_by_another_replica_works_at_once() {
    on_each_backend(async |f: &Fixture| {
        let cache = KeyCache::load(&f.store).await.unwrap();
        let (id, key) = f
            .replica()
            .await
            .keys()
            .issue(&label("new"), &toolkit_store::KeyTerms::default(), NOW)
            .await
            .unwrap();
        assert_eq!(cache.check(key.expose()).await, Ok(Some(id)));
    })
    .await;
}

#[tokio::test]
async fn a_new_key_works_in_a_hundred_requests_at_once() {
    on_each_backend(async |f: &Fixture| {
        let cache = KeyCache::load(&f.store).await.unwrap();
        let replica = f.replica().await;
        let (id, key) = replica
            .keys()
            .issue(&label("new"), &toolkit_store::KeyTerms::default(), NOW)
            .await
            .unwrap();
        let checks = (0..100).map(|_| cache.check(key.expose()));
        assert_eq!(futures::future::join_all(checks).await, vec![Ok(Some(id)); 100]);
    })
    .await;
}

#[tokio::test]
async fn a_key_that_was_revoked_on_another_replica_stops_within_five_seconds() {
    on_each_backend(async |f: &Fixture| {
        let (id, key) = f
            .store
            .keys()
            .issue(&label("short-lived"), &toolkit_store::KeyTerms::default(), NOW)
            .await
            .unwrap();
        let cache = Arc::new(KeyCache::load(&f.store).await.unwrap());
        let background = tokio::spawn({
            let cache = Arc::clone(&cache);
            async move { cache.keep_current().await }
        });
        f.replica().await.keys().revoke(id, NOW).await.unwrap();
        let revoked = Instant::now();
        while cache.check(key.expose()).await != Ok(None) {
            assert!(revoked.elapsed() < Duration::from_secs(5));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        background.abort();
    })
    .await;
}

/// Lines of a log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// How often the log has these words.
    fn count(&self, words: &str) -> usize {
        String::from_utf8_lossy(&self.0.lock().unwrap()).matches(words).count()
    }

    async fn until(&self, words: &str) {
        let started = Instant::now();
        while self.count(words) == 0 {
            assert!(started.elapsed() < Duration::from_secs(30), "{words}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test]
async fn it_is_logged_once_that_keys_cannot_be_read_and_once_that_they_can() {
    on_sqlite(async |f: &Fixture| {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
        // The test and its tasks share one thread.
        let _logged = tracing::subscriber::set_default(subscriber);
        let cache = KeyCache::load(&f.store).await.unwrap();
        let failed = "API keys cannot be read: the known ones remain valid";
        let over = "API keys are up to date again";
        let steps = async {
            let mut raw = f.raw().await;
            raw.execute("ALTER TABLE api_keys RENAME TO absent").await;
            log.until(failed).await;
            tokio::time::sleep(2 * KEY_REFRESH_INTERVAL).await;
            raw.execute("ALTER TABLE absent RENAME TO api_keys").await;
            log.until(over).await;
            tokio::time::sleep(2 * KEY_REFRESH_INTERVAL).await;
        };
        tokio::select! {
            () = cache.keep_current() => unreachable!("it never ends"),
            () = steps => {}
        }
        assert_eq!((log.count(failed), log.count(over)), (1, 1));
    })
    .await;
}

#[tokio::test]
async fn only_an_issued_key_is_accepted() {
    on_each_backend(async |f: &Fixture| {
        let (_, key) = f
            .store
            .keys()
            .issue(&label("real"), &toolkit_store::KeyTerms::default(), NOW)
            .await
            .unwrap();
        let (_, foreign) = {
            let folder = tempfile::tempdir().unwrap();
            let url = format!("sqlite://{}/other.db", folder.path().display());
            let other = toolkit_store::Store::open(&url, 2).await.unwrap();
            other
                .keys()
                .issue(&label("issued elsewhere"), &toolkit_store::KeyTerms::default(), NOW)
                .await
                .unwrap()
        };
        assert!(ApiKey::parse(foreign.expose()).is_ok());
        let cache = KeyCache::load(&f.store).await.unwrap();
        let real = key.expose();
        let swapped = format!("tk_{}{}", &foreign.expose()[3..46], &real[46..]);
        for junk in [
            "",
            "tk_",
            "' OR '1'='1",
            foreign.expose(),
            &swapped,
            &real[..51],
            &real.to_lowercase(),
            &format!("{real}\0"),
            &format!(" {real}"),
            &"k".repeat(1 << 20),
        ] {
            assert_eq!(cache.check(junk).await, Ok(None), "{junk:.60}");
        }
        assert!(matches!(cache.check(real).await, Ok(Some(_))));
    })
    .await;
}

#[tokio::test]
async fn without_the_database_known_keys_work_and_no_other_key_waits_or_is_called_invalid() {
    on_sqlite(async |f: &Fixture| {
        let (id, key) = f
            .store
            .keys()
            .issue(&label("steady"), &toolkit_store::KeyTerms::default(), NOW)
            .await
            .unwrap();
        let cache = KeyCache::load(&f.store).await.unwrap();
        let (_, new) = f
            .store
            .keys()
            .issue(&label("new"), &toolkit_store::KeyTerms::default(), NOW)
            .await
            .unwrap();
        f.store.close().await;
        assert!(cache.refresh().await.is_err());
        assert!(!cache.is_current());
        assert_eq!(cache.check(key.expose()).await, Ok(Some(id)));
        assert_eq!(cache.check("tk_short").await, Ok(None));
        let started = Instant::now();
        for _ in 0..1_000 {
            assert_eq!(cache.check(new.expose()).await, Err(KeysUnavailable));
        }
        // A lookup may take two seconds.
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    })
    .await;
}

#[tokio::test]
async fn in_a_flood_of_well_formed_keys_a_new_one_works_at_once() {
    on_each_backend(async |f: &Fixture| {
        let elsewhere = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/other.db", elsewhere.path().display());
        let other = toolkit_store::Store::open(&url, 2).await.unwrap();
        let cache = KeyCache::load(&f.store).await.unwrap();
        for _ in 0..50 {
            let (_, unknown) = other
                .keys()
                .issue(&label("unknown"), &toolkit_store::KeyTerms::default(), NOW)
                .await
                .unwrap();
            // All that are sent at the same time wait for one refresh.
            let checks = (0..100).map(|_| cache.check(unknown.expose()));
            assert_eq!(futures::future::join_all(checks).await, vec![Ok(None); 100]);
        }
        let (id, new) = f
            .store
            .keys()
            .issue(&label("new"), &toolkit_store::KeyTerms::default(), NOW)
            .await
            .unwrap();
        assert_eq!(cache.check(new.expose()).await, Ok(Some(id)));
    })
    .await;
}

#[test]
fn a_label_is_one_line_of_1_to_200_characters() {
    for text in ["x", "Ünïcode", &"ä".repeat(200)] {
        assert!(text.parse::<KeyLabel>().is_ok(), "{text}");
    }
    for text in ["", "a\nb", "a\0", "a\u{1b}[31m", &"ä".repeat(201)] {
        assert!(text.parse::<KeyLabel>().is_err(), "{text:?}");
    }
}
