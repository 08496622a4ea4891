//! Events: queued with their cause, in a lane of their own, for the receivers that there are.

use time::Duration;
use toolkit_store::{
    AuditEntry, Event, Failure, Lane, Mail, Notice, Receivers, Subject, SubscriptionState,
};

use crate::helpers::{Fixture, LEASE, NOW, email, on_each_backend};

const URL: &str = "https://example.org/hook";

async fn notices(
    f: &Fixture,
    now: time::OffsetDateTime,
) -> Vec<(toolkit_store::ClaimedMail, Event)> {
    let claimed = f.store.outbox().claim(Lane::Webhook, now, 50, LEASE).await.unwrap();
    let event = |mail: toolkit_store::ClaimedMail| match &mail.mail {
        Mail::Webhook(Notice { event, url, .. }) if url == URL => {
            let event = *event;
            (mail, event)
        }
        other => panic!("{other:?}"),
    };
    claimed.into_iter().map(event).collect()
}

#[tokio::test]
async fn each_event_is_queued_with_its_cause_and_never_as_a_mail() {
    on_each_backend(async |f: &Fixture| {
        let all = Event::ALL.iter().map(|&event| (event, vec![URL.to_owned()]));
        f.store.tell(all.collect());
        let mail = f.confirmation("ada@example.org", "weekly", NOW).await;
        let subscriptions = f.store.subscriptions();
        for _ in 0..2 {
            subscriptions.confirm(mail.confirm.expose(), NOW).await.unwrap();
            subscriptions.unsubscribe(mail.unsubscribe.expose(), NOW).await.unwrap();
        }
        f.contact("m").await;
        let claimed = f.claim(NOW).await.remove(0);
        let failure = Failure::Permanent("smtp 550".into());
        f.store.outbox().failed(&claimed, failure, NOW).await.unwrap();
        // As the statement of a version without webhooks sees it.
        assert_eq!(f.count("outbox WHERE state = 'pending'").await, 0);
        assert_eq!(f.store.outbox().stats(NOW).await.unwrap().webhooks, 4);
        let told = notices(f, NOW).await;
        let mut events: Vec<_> = told.iter().map(|(_, event)| event.as_str()).collect();
        events.sort_unstable();
        assert_eq!(
            events,
            ["contact.received", "mail.given_up", "subscriber.confirmed", "subscriber.ended"]
        );
        for (mail, event) in &told {
            let Mail::Webhook(notice) = &mail.mail else { panic!() };
            match &notice.subject {
                Subject::Contact(contact) => assert_eq!(contact.message, "m"),
                Subject::Subscriber(it) => assert_eq!(
                    (&*it.email, it.subscription.state),
                    ("ada@example.org", SubscriptionState::Unsubscribed)
                ),
            }
            if *event == Event::SubscriberEnded {
                let failure = Failure::Transient("http 500".into());
                f.store.outbox().failed(mail, failure, NOW).await.unwrap();
            } else {
                f.store.outbox().sent(mail, NOW).await.unwrap();
            }
        }
        assert_eq!(notices(f, NOW + Duration::MINUTE).await.len(), 1);
        // What is erased meanwhile is not told to anybody.
        f.store.erase(&email("ada@example.org")).await.unwrap();
        assert!(notices(f, NOW + Duration::DAY).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_receiver_that_is_off_is_told_nothing_until_it_is_on_again() {
    on_each_backend(async |f: &Fixture| {
        f.store.tell(Receivers::from([(Event::ContactReceived, vec![URL.to_owned()])]));
        f.store.turn_off(URL, NOW).await.unwrap();
        f.store.turn_off(URL, NOW).await.unwrap();
        f.contact("m").await;
        assert!(notices(f, NOW).await.is_empty());
        assert!(f.store.turn_on(URL).await.unwrap());
        assert!(!f.store.turn_on(URL).await.unwrap());
        assert_eq!(notices(f, NOW).await.len(), 1);
        // One that stays off does not fill the outbox.
        f.store.turn_off(URL, NOW).await.unwrap();
        f.store.purge(NOW + Duration::days(7), 365, &[]).await.unwrap();
        assert_eq!(f.count("outbox WHERE webhook IS NOT NULL").await, 0);
    })
    .await;
}

#[tokio::test]
async fn contact_mails_are_claimed_whatever_waits_in_the_other_lanes() {
    on_each_backend(async |f: &Fixture| {
        for number in 0..30 {
            f.subscribe(&format!("a{number}@example.org"), "weekly", NOW).await;
        }
        f.contact("m").await;
        let outbox = f.store.outbox();
        let contacts = outbox.claim(Lane::Contact, NOW, 4, LEASE).await.unwrap();
        assert!(matches!(contacts[..], [ref mail] if matches!(mail.mail, Mail::Contact(_))));
        assert_eq!(outbox.claim(Lane::Confirmation, NOW, 4, LEASE).await.unwrap().len(), 4);
    })
    .await;
}

#[tokio::test]
async fn rows_are_listed_retried_and_dropped_by_their_id() {
    on_each_backend(async |f: &Fixture| {
        f.contact("m").await;
        let outbox = f.store.outbox();
        let mail = f.claim(NOW).await.remove(0);
        outbox.failed(&mail, Failure::Permanent("smtp 550".into()), NOW).await.unwrap();
        let entry = outbox.list().await.unwrap().remove(0);
        assert_eq!(
            (entry.id, &*entry.kind, entry.is_dead, entry.failure.as_deref()),
            (mail.id, "contact", true, Some("smtp 550"))
        );
        assert!(outbox.retry(mail.id, NOW).await.unwrap());
        assert_eq!(f.claim(NOW).await.len(), 1);
        assert!(outbox.discard(mail.id).await.unwrap());
        assert!(
            !outbox.discard(mail.id).await.unwrap() && !outbox.retry(mail.id, NOW).await.unwrap()
        );
        assert!(outbox.list().await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_action_is_listed_and_logged_once() {
    on_each_backend(async |f: &Fixture| {
        let entry = AuditEntry {
            at: NOW,
            actor: "ada".into(),
            action: "keys.create".into(),
            about: "a key".into(),
        };
        f.store.audit(&entry).await.unwrap();
        let listed = f.store.audited().await.unwrap();
        assert_eq!(listed, std::slice::from_ref(&entry));
        assert_eq!(f.store.take_unlogged().await.unwrap(), [entry]);
        assert!(f.replica().await.take_unlogged().await.unwrap().is_empty());
    })
    .await;
}
