//! Contact messages: stored with their mail or not at all, and once per challenge.

use futures::future::join_all;
use time::Duration;
use toolkit_store::{Mail, NewContact, Receipt};

use crate::helpers::{Fixture, NOW, contact, email, on_each_backend};

#[tokio::test]
async fn a_message_reaches_the_operator_complete_by_mail() {
    on_each_backend(async |f: &Fixture| {
        let new =
            NewContact::new("Ada L.", email("Ada@Example.ORG"), None, "Hello,\r\nWorld").unwrap();
        let Receipt::Stored(id) = f.store.contacts().receive(new, None, NOW).await.unwrap() else {
            panic!("not stored")
        };
        let claimed = f.deliver(NOW).await;
        assert_eq!((claimed.attempt, claimed.queued_at), (1, NOW));
        let Mail::Contact(contact) = claimed.mail else { panic!("not a contact message") };
        assert_eq!(contact.id, id);
        assert_eq!(contact.name, "Ada L.");
        assert_eq!(contact.email, "Ada@example.org");
        assert_eq!(contact.subject, None);
        assert_eq!(contact.message, "Hello,\nWorld");
        assert_eq!(contact.created_at, NOW);
        assert_eq!(
            id.timestamp_ms(),
            u64::try_from(NOW.unix_timestamp_nanos() / 1_000_000).unwrap()
        );
    })
    .await;
}

#[tokio::test]
async fn of_twenty_concurrent_messages_with_one_challenge_one_is_stored() {
    on_each_backend(async |f: &Fixture| {
        let replica = f.replica().await;
        let replicas = [&f.store, &replica];
        let receipts = join_all((0..20).map(async |i: usize| {
            replicas[i % 2]
                .contacts()
                .receive(contact("same token"), Some("0.solved"), NOW)
                .await
                .unwrap()
        }))
        .await;
        let stored =
            receipts.iter().filter(|receipt| matches!(receipt, Receipt::Stored(_))).count();
        assert_eq!(stored, 1);
        assert_eq!(f.count("contacts").await, 1);
        assert_eq!(f.claim(NOW).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_challenge_is_used_up_for_a_day_and_another_one_is_not() {
    on_each_backend(async |f: &Fixture| {
        let receive = async |token, now| {
            f.store.contacts().receive(contact("m"), Some(token), now).await.unwrap()
        };
        assert!(matches!(receive("one", NOW).await, Receipt::Stored(_)));
        assert!(matches!(receive("two", NOW).await, Receipt::Stored(_)));
        let before_a_day = NOW + Duration::days(1) - Duration::milliseconds(1);
        f.store.purge(before_a_day, 365, &[]).await.unwrap();
        assert_eq!(receive("one", before_a_day).await, Receipt::ChallengeReplayed);
        assert_eq!(f.store.purge(NOW + Duration::days(1), 365, &[]).await.unwrap().challenges, 2);
    })
    .await;
}

#[tokio::test]
async fn any_text_of_a_message_is_data() {
    on_each_backend(async |f: &Fixture| {
        let messages = [
            "'; DROP TABLE contacts; --",
            "\" OR \"\"=\"",
            "%s %n $1 ?1 :name @x",
            "\\'\\\\",
            "a␀b",
            "🦀\u{202e}\u{feff}\u{fffd}",
            "{{7*7}} ${7*7} <script>",
            &"ü".repeat(10_000),
        ];
        for message in messages {
            f.contact(message).await;
        }
        let stored: Vec<_> = f
            .claim(NOW)
            .await
            .into_iter()
            .map(|claimed| match claimed.mail {
                Mail::Contact(contact) => contact.message,
                _ => panic!("no contact"),
            })
            .collect();
        for message in messages {
            assert!(stored.iter().any(|text| text == message), "{message:.40}");
        }
        // PostgreSQL cannot store NUL.
        f.contact("a\0b").await;
        assert_eq!(f.count("contacts WHERE message = 'a␀b'").await, 2);
    })
    .await;
}

#[tokio::test]
async fn fifty_concurrent_messages_are_each_stored_once() {
    on_each_backend(async |f: &Fixture| {
        join_all((0..50).map(async |i| f.contact(&format!("message {i}")).await)).await;
        assert_eq!(f.count("contacts").await, 50);
        assert_eq!(f.count("outbox").await, 50);
    })
    .await;
}
