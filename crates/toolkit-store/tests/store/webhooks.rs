//! Events: queued with their cause, in a queue of their own, for the receivers that there are.

use time::Duration;
use toolkit_store::limits::{ATTEMPTS_MIN, MAIL_LIFETIME};
use toolkit_store::{
    AuditEntry, Event, Failure, Mail, Notice, Queue, Receivers, Subject, SubscriptionState,
};

use crate::helpers::{Fixture, LEASE, NOW, email, on_each_backend};

const URL: &str = "https://example.org#01234567";

async fn notices(
    f: &Fixture,
    now: time::OffsetDateTime,
) -> Vec<(toolkit_store::ClaimedMail, Event)> {
    let queue = Queue::Events(URL.to_owned());
    let claimed = f.store.outbox().claim(queue, now, 50, LEASE).await.unwrap();
    let event = |mail: toolkit_store::ClaimedMail| match &mail.mail {
        Mail::Webhook(Notice { event, receiver, .. }) if receiver == URL => {
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
            subscriptions
                .press(mail.confirm.expose(), toolkit_store::Purpose::Confirm, NOW)
                .await
                .unwrap();
            subscriptions
                .press(mail.unsubscribe.expose(), toolkit_store::Purpose::Unsubscribe, NOW)
                .await
                .unwrap();
        }
        f.contact("m").await;
        let claimed = f.claim(NOW).await.remove(0);
        let failure = Failure::Permanent("smtp 550".into());
        f.store.outbox().failed(&claimed, failure, NOW).await.unwrap();
        let stats = f.store.outbox().stats(NOW).await.unwrap();
        assert_eq!((stats.pending, stats.webhooks), (0, 4));
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
                Subject::Erased { .. } => panic!("{notice:?}"),
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
        // Of what is erased meanwhile, only the id and the app are told.
        f.store.erase(&email("ada@example.org"), NOW).await.unwrap();
        let told = notices(f, NOW + Duration::DAY).await;
        let [(mail, Event::SubscriberEnded)] = &told[..] else { panic!("{told:?}") };
        let Mail::Webhook(Notice { subject: Subject::Erased { app_id, .. }, .. }) = &mail.mail
        else {
            panic!("{mail:?}")
        };
        assert_eq!(app_id, "weekly");
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
async fn events_of_a_receiver_that_a_process_does_not_know_wait_and_are_counted() {
    on_each_backend(async |f: &Fixture| {
        f.store.tell(Receivers::from([(Event::ContactReceived, vec![URL.to_owned()])]));
        f.contact("m").await;
        let replica = f.replica().await;
        let stats = async |store: &toolkit_store::Store| {
            let stats = store.outbox().stats(NOW).await.unwrap();
            (stats.webhooks, stats.unknown)
        };
        assert_eq!((stats(&f.store).await, stats(&replica).await), ((1, 0), (1, 1)));
        // After six days it still gets several attempts, and with the seventh it goes.
        let day_6 = NOW + Duration::days(6);
        f.store.purge(day_6, 365, &[]).await.unwrap();
        assert!(day_6 - NOW > MAIL_LIFETIME && ATTEMPTS_MIN > 1);
        let (mail, _) = notices(f, day_6).await.remove(0);
        let failure = Failure::Transient("timeout".into());
        let disposition = f.store.outbox().failed(&mail, failure, day_6).await.unwrap();
        assert!(matches!(disposition, toolkit_store::Disposition::Retry(_)), "{disposition:?}");
        f.store.purge(NOW + Duration::days(7), 365, &[]).await.unwrap();
        assert_eq!(stats(&f.store).await, (0, 0));
    })
    .await;
}

#[tokio::test]
async fn an_event_that_was_given_up_is_counted_and_queued_again_with_the_messages() {
    on_each_backend(async |f: &Fixture| {
        f.store.tell(Receivers::from([(Event::ContactReceived, vec![URL.to_owned()])]));
        f.contact("m").await;
        let (mail, _) = notices(f, NOW).await.remove(0);
        f.store.outbox().failed(&mail, Failure::Permanent("x".into()), NOW).await.unwrap();
        assert_eq!(f.store.outbox().stats(NOW).await.unwrap().dead, 1);
        assert_eq!(f.store.outbox().retry(None, NOW).await.unwrap(), 1);
        assert_eq!(notices(f, NOW).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn what_waits_for_its_next_attempt_is_hastened_and_what_is_being_sent_is_not() {
    on_each_backend(async |f: &Fixture| {
        f.contact("waits").await;
        let waits = f.claim(NOW).await.remove(0);
        f.store.outbox().failed(&waits, Failure::Transient("x".into()), NOW).await.unwrap();
        f.contact("is being sent").await;
        assert_eq!(f.claim(NOW).await.len(), 1);
        f.store.outbox().hasten(NOW).await.unwrap();
        let due: Vec<_> = f.claim(NOW).await.iter().map(|mail| mail.id).collect();
        assert_eq!(due, [waits.id]);
    })
    .await;
}

#[tokio::test]
async fn contact_mails_are_claimed_whatever_waits_in_the_other_queues() {
    on_each_backend(async |f: &Fixture| {
        for number in 0..30 {
            f.subscribe(&format!("a{number}@example.org"), "weekly", NOW).await;
        }
        f.contact("m").await;
        let outbox = f.store.outbox();
        let contacts = outbox.claim(Queue::Contacts, NOW, 4, LEASE).await.unwrap();
        assert!(matches!(contacts[..], [ref mail] if matches!(mail.mail, Mail::Contact(_))));
        assert_eq!(outbox.claim(Queue::Confirmations, NOW, 4, LEASE).await.unwrap().len(), 4);
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
        assert_eq!(outbox.retry(Some(mail.id), NOW).await.unwrap(), 1);
        assert_eq!(f.claim(NOW).await.len(), 1);
        assert!(outbox.discard(mail.id).await.unwrap());
        assert!(!outbox.discard(mail.id).await.unwrap());
        assert_eq!(outbox.retry(Some(mail.id), NOW).await.unwrap(), 0);
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
