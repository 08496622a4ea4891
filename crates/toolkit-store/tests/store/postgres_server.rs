//! PostgreSQL server that becomes unreachable, hangs, and returns.

use std::time::Instant;

use futures::future::join_all;
use toolkit_store::limits::OPERATION_TIMEOUT;
use toolkit_store::{KeyCache, Store};

use crate::helpers::{
    Fixture, NOW, contact, is_found_unavailable_soon, label, on_postgres, until_well,
};
use crate::proxy::{Mode, Proxy};

async fn is_refused_in_time(store: &Store) {
    let started = Instant::now();
    let answers =
        join_all((0..10).map(|_| store.contacts().receive(contact("m"), None, NOW))).await;
    assert!(
        answers.iter().all(|answer| {
            answer.as_ref().is_err_and(toolkit_store::StoreError::is_unavailable)
        })
    );
    // The driver itself would wait half a minute.
    assert!(started.elapsed() < 3 * OPERATION_TIMEOUT, "{:?}", started.elapsed());
    is_found_unavailable_soon(store).await;
}

async fn recovers(store: &Store) {
    until_well(store).await;
    // More operations than connections, so that each connection is tried.
    for answer in join_all((0..20).map(|_| store.contacts().receive(contact("m"), None, NOW))).await
    {
        answer.unwrap();
    }
}

async fn fails_and_recovers(f: &Fixture, mode: Mode) {
    let (mut proxy, url) = Proxy::start(&f.url).await;
    let store = Store::open(&url, 4).await.unwrap();
    let (id, key) =
        store.keys().issue(&label("l"), &toolkit_store::KeyTerms::default(), NOW).await.unwrap();
    let cache = KeyCache::load(&store).await.unwrap();
    recovers(&store).await;
    for _ in 0..2 {
        proxy.set(mode).await;
        is_refused_in_time(&store).await;
        assert!(cache.refresh().await.is_err());
        assert_eq!(cache.check(key.expose()).await, Ok(Some(id)));
        proxy.set(Mode::Forward).await;
        recovers(&store).await;
        cache.refresh().await.unwrap();
    }
}

#[tokio::test]
async fn an_unreachable_server_is_reported_in_time_and_used_again_when_it_returns() {
    on_postgres(async |f: &Fixture| fails_and_recovers(f, Mode::Closed).await).await;
}

#[tokio::test]
async fn a_hanging_server_is_reported_in_time_and_used_again_when_it_recovers() {
    on_postgres(async |f: &Fixture| fails_and_recovers(f, Mode::Hanging).await).await;
}

#[tokio::test]
async fn more_callers_than_connections_are_all_served() {
    on_postgres(async |f: &Fixture| {
        let store = Store::open(&f.url, 1).await.unwrap();
        for answer in
            join_all((0..40).map(|_| store.contacts().receive(contact("m"), None, NOW))).await
        {
            answer.unwrap();
        }
    })
    .await;
}
