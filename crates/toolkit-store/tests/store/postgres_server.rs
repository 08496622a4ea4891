//! A PostgreSQL server that goes away, comes back, or hangs.

use std::time::{Duration, Instant};

use futures::future::join_all;
use toolkit_store::limits::OPERATION_TIMEOUT;
use toolkit_store::{KeyCache, Store};

use crate::helpers::{Fixture, NOW, contact, label, on_postgres};
use crate::proxy::{Proxy, Wire};

async fn is_refused_in_time(store: &Store) {
    let started = Instant::now();
    let answers =
        join_all((0..10).map(|_| store.contacts().receive(contact("m"), None, NOW))).await;
    assert!(answers.iter().all(|answer| {
        answer
            .as_ref()
            .is_err_and(toolkit_store::StoreError::is_unavailable)
    }));
    assert!(
        started.elapsed() < OPERATION_TIMEOUT + Duration::from_millis(500),
        "{:?}",
        started.elapsed()
    );
    tokio::time::sleep(Duration::from_millis(250)).await;
    let started = Instant::now();
    assert!(store.ping().await.is_err());
    assert!(
        started.elapsed() < Duration::from_millis(900),
        "{:?}",
        started.elapsed()
    );
}

async fn recovers(store: &Store) {
    let started = Instant::now();
    while store.ping().await.is_err() {
        assert!(started.elapsed() < Duration::from_secs(5));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // More than there are connections, so that each of them is tried.
    for answer in join_all((0..20).map(|_| store.contacts().receive(contact("m"), None, NOW))).await
    {
        answer.unwrap();
    }
}

async fn goes_and_comes_back(f: &Fixture, wire: Wire) {
    let (mut proxy, url) = Proxy::start(&f.url).await;
    let store = Store::open(&url, 4).await.unwrap();
    let (id, key) = store.keys().create(&label("l"), NOW).await.unwrap();
    let ring = KeyCache::load(&store).await.unwrap();
    recovers(&store).await;
    for _ in 0..2 {
        proxy.set(wire).await;
        is_refused_in_time(&store).await;
        assert!(ring.refresh().await.is_err());
        assert_eq!(ring.check(key.expose()).await, Some(id));
        proxy.set(Wire::Whole).await;
        recovers(&store).await;
        ring.refresh().await.unwrap();
    }
}

#[tokio::test]
async fn a_server_that_goes_away_is_told_in_time_and_found_again() {
    on_postgres(async |f: &Fixture| goes_and_comes_back(f, Wire::Cut).await).await;
}

#[tokio::test]
async fn a_server_that_hangs_is_told_in_time_and_found_again() {
    on_postgres(async |f: &Fixture| goes_and_comes_back(f, Wire::Hanging).await).await;
}

#[tokio::test]
async fn more_callers_than_connections_all_get_their_turn_or_are_told_in_time() {
    on_postgres(async |f: &Fixture| {
        let store = Store::open(&f.url, 1).await.unwrap();
        for answer in
            join_all((0..100).map(|_| store.contacts().receive(contact("m"), None, NOW))).await
        {
            answer.unwrap();
        }
    })
    .await;
}
