//! Outbox: delivery at least once, by one worker at a time, with retries.

use std::collections::HashSet;

use futures::future::join_all;
use time::Duration;
use toolkit_store::limits::ATTEMPTS_MIN;
use toolkit_store::{Disposition, Failure, Queue};

use crate::helpers::{Fixture, LEASE, NOW, confirmation_of, contact, on_each_backend};

fn transient() -> Failure {
    Failure::Transient("connect".to_owned())
}

#[tokio::test]
async fn a_sent_mail_is_not_leased_again() {
    on_each_backend(async |f: &Fixture| {
        f.contact("m").await;
        let mail = f.deliver(NOW).await;
        assert!(f.claim(NOW + Duration::days(10)).await.is_empty());
        // Reporting twice is harmless, and a failure reported late changes nothing.
        f.store.outbox().sent(&mail, NOW).await.unwrap();
        assert_eq!(
            f.store.outbox().failed(&mail, transient(), NOW).await.unwrap(),
            Disposition::NotOurs
        );
        assert_eq!(f.store.outbox().stats(NOW).await.unwrap().pending, 0);
    })
    .await;
}

#[tokio::test]
async fn the_mails_of_a_dead_worker_are_due_again_when_its_lease_expires() {
    on_each_backend(async |f: &Fixture| {
        f.subscribe("ada@example.org", "weekly", NOW).await;
        let lost = f.claim(NOW).await.remove(0);
        assert!(f.claim(NOW + LEASE - Duration::MILLISECOND).await.is_empty());
        let found = f.claim(NOW + LEASE).await.remove(0);
        assert_eq!((found.id, found.attempt), (lost.id, 2));
        // The worker presumed dead reports a failure; the other still holds the lease.
        assert_eq!(
            f.store.outbox().failed(&lost, transient(), NOW).await.unwrap(),
            Disposition::NotOurs
        );
        f.store.outbox().sent(&found, NOW).await.unwrap();
        // Both mails may have arrived, so the links of both work.
        for mail in [confirmation_of(lost), confirmation_of(found)] {
            let answer = f
                .store
                .subscriptions()
                .press(mail.confirm.expose(), toolkit_store::Purpose::Confirm, NOW)
                .await
                .unwrap();
            assert!(matches!(answer, toolkit_store::Pressed::Done(_)));
        }
    })
    .await;
}

#[tokio::test]
async fn mails_from_a_clock_that_was_ahead_are_due_when_it_is_back_and_the_oldest_shows_them() {
    on_each_backend(async |f: &Fixture| {
        let ahead = Duration::days(2);
        f.store.contacts().receive(contact("m"), None, NOW + ahead).await.unwrap();
        f.subscribe("ada@example.org", "weekly", NOW + ahead).await;
        let stats = f.store.outbox().stats(NOW).await.unwrap();
        assert_eq!(stats.oldest_pending, Some(ahead.unsigned_abs()));
        assert_eq!(f.claim(NOW).await.len(), 2);
        // One that waits for its next attempt is not due.
        assert!(f.claim(NOW).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn four_workers_on_two_replicas_share_the_mails_and_send_none_twice() {
    on_each_backend(async |f: &Fixture| {
        join_all((0..100).map(async |i| f.contact(&format!("message {i}")).await)).await;
        let replica = f.replica().await;
        let stores = [&f.store, &replica, &f.store, &replica];
        let taken = join_all(stores.map(async |store| {
            let mut ids = Vec::new();
            loop {
                let mails = store.outbox().claim(Queue::Contacts, NOW, 7, LEASE).await.unwrap();
                if mails.is_empty() {
                    return ids;
                }
                for mail in mails {
                    store.outbox().sent(&mail, NOW).await.unwrap();
                    ids.push(mail.id);
                }
            }
        }))
        .await
        .concat();
        assert_eq!(taken.len(), 100);
        assert_eq!(taken.iter().collect::<HashSet<_>>().len(), 100);
        assert_eq!(f.count("outbox WHERE state = 'sent'").await, 100);
    })
    .await;
}

#[tokio::test]
async fn a_failure_is_retried_with_increasing_delays_for_72_hours_and_then_given_up() {
    on_each_backend(async |f: &Fixture| {
        f.contact("m").await;
        let mut now = NOW;
        let mut attempts = 0;
        loop {
            let mut mails = f.claim(now).await;
            assert_eq!(mails.len(), 1, "attempt {attempts} at {now}");
            attempts += 1;
            assert_eq!(mails[0].attempt, attempts);
            match f.store.outbox().failed(&mails.remove(0), transient(), now).await.unwrap() {
                Disposition::Retry(at) => {
                    let wait = at - now;
                    assert!(wait >= Duration::milliseconds(7_500), "{wait}");
                    assert!(wait <= Duration::minutes(90), "{wait}");
                    assert!(f.claim(at - Duration::milliseconds(2)).await.is_empty());
                    now = at;
                }
                Disposition::Dead => break,
                Disposition::NotOurs | Disposition::Undeliverable => panic!("lost"),
            }
        }
        assert!(now - NOW >= Duration::hours(72), "{}", now - NOW);
        assert!(now - NOW < Duration::hours(74), "{}", now - NOW);
        assert!((60..200).contains(&attempts), "{attempts}");
        let stats = f.store.outbox().stats(now).await.unwrap();
        assert_eq!((stats.pending, stats.oldest_pending, stats.dead), (0, None, 1));
        assert!(f.claim(now + Duration::days(30)).await.is_empty());
        assert_eq!(f.count("contacts").await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_permanent_failure_is_given_up_at_once_and_can_be_retried() {
    on_each_backend(async |f: &Fixture| {
        f.contact("m").await;
        let mail = f.claim(NOW).await.remove(0);
        let failure = Failure::Permanent("smtp 550".to_owned());
        assert_eq!(f.store.outbox().failed(&mail, failure, NOW).await.unwrap(), Disposition::Dead);
        assert_eq!(f.count("outbox WHERE state = 'dead' AND failure = 'smtp 550'").await, 1);

        let days_5 = NOW + Duration::days(5);
        assert_eq!(f.store.outbox().retry(None, days_5).await.unwrap(), 1);
        let mail = f.claim(days_5).await.remove(0);
        let disposition = f.store.outbox().failed(&mail, transient(), days_5).await.unwrap();
        assert!(matches!(disposition, Disposition::Retry(_)), "{disposition:?}");
    })
    .await;
}

#[tokio::test]
async fn a_confirmation_given_up_is_not_retried_and_a_new_request_replaces_it() {
    on_each_backend(async |f: &Fixture| {
        f.subscribe("ada@example.org", "weekly", NOW).await;
        let later = NOW + Duration::hours(72);
        for attempt in 1..=ATTEMPTS_MIN {
            let at = NOW + Duration::hours(2) * attempt;
            let mail = f.claim(at).await.remove(0);
            let last = if attempt < ATTEMPTS_MIN { at } else { later };
            f.store.outbox().failed(&mail, transient(), last).await.unwrap();
        }
        assert_eq!(f.store.outbox().retry(None, later).await.unwrap(), 0);

        let mail = f.confirmation("ada@example.org", "weekly", later).await;
        assert_eq!(f.count("outbox WHERE state = 'dead'").await, 1);
        // It is no contact mail, which an operator could send again.
        assert_eq!(f.store.outbox().stats(later).await.unwrap().dead, 0);
        f.store
            .subscriptions()
            .press(mail.confirm.expose(), toolkit_store::Purpose::Confirm, later)
            .await
            .unwrap();
        assert_eq!(f.count("outbox WHERE state = 'dead'").await, 0);
    })
    .await;
}

#[tokio::test]
async fn the_state_of_the_outbox_is_counted() {
    on_each_backend(async |f: &Fixture| {
        let outbox = f.store.outbox();
        let empty = outbox.stats(NOW).await.unwrap();
        assert_eq!((empty.pending, empty.oldest_pending, empty.dead), (0, None, 0));
        f.contact("a").await;
        f.contact("b").await;
        let stats = outbox.stats(NOW + Duration::seconds(90)).await.unwrap();
        assert_eq!((stats.pending, stats.dead), (2, 0));
        assert_eq!(stats.oldest_pending, Some(std::time::Duration::from_secs(90)));
    })
    .await;
}

#[tokio::test]
async fn a_worker_leases_no_more_than_it_asks_for_and_the_oldest_first() {
    on_each_backend(async |f: &Fixture| {
        for age in [1, 3, 2] {
            let queued_at = NOW - Duration::seconds(age);
            let new = crate::helpers::contact("m");
            f.store.contacts().receive(new, None, queued_at).await.unwrap();
        }
        let claim =
            async |limit| f.store.outbox().claim(Queue::Contacts, NOW, limit, LEASE).await.unwrap();
        assert!(claim(0).await.is_empty());
        let first: Vec<_> = claim(2).await.iter().map(|mail| NOW - mail.queued_at).collect();
        assert_eq!(first, [Duration::seconds(3), Duration::seconds(2)]);
        assert_eq!(claim(u32::MAX).await.len(), 1);
        let for_ever = std::time::Duration::MAX;
        assert!(
            f.store.outbox().claim(Queue::Contacts, NOW, 1, for_ever).await.unwrap().is_empty()
        );
    })
    .await;
}

#[tokio::test]
async fn a_waiting_worker_wakes_when_a_mail_is_queued() {
    on_each_backend(async |f: &Fixture| {
        let outbox = f.store.outbox();
        let started = std::time::Instant::now();
        let wait = outbox.wait(std::time::Duration::from_mins(1));
        futures::future::join(wait, f.contact("m")).await;
        // Also when the mail was queued while nobody was waiting.
        f.contact("n").await;
        outbox.wait(std::time::Duration::from_mins(1)).await;
        assert!(started.elapsed() < std::time::Duration::from_secs(30));
        outbox.wait(std::time::Duration::from_millis(1)).await;
    })
    .await;
}

#[tokio::test]
async fn a_mail_that_cannot_be_read_is_given_up_and_the_others_are_leased() {
    on_each_backend(async |f: &Fixture| {
        f.contact("unreadable").await;
        let mut raw = f.raw().await;
        raw.execute("UPDATE contacts SET created_at = 9000000000000000000").await;
        f.contact("readable").await;
        let leased = f.claim(NOW).await;
        assert_eq!(leased.len(), 1, "{leased:?}");
        assert_eq!(f.count("outbox WHERE state = 'dead'").await, 1);
        assert_eq!(f.store.outbox().stats(NOW).await.unwrap().dead, 1);
    })
    .await;
}
