//! Personal data requests: exported and erased in full, and nobody else is touched.

use crate::helpers::{Fixture, Home, NOW, contact, email, on_each_backend};
use toolkit_store::NewContact;

#[tokio::test]
async fn an_export_has_everything_stored_about_an_address_and_nothing_about_another() {
    on_each_backend(async |f: &Fixture| {
        let id = f.contact("my secret").await;
        let bob = NewContact::new("Bob", email("bob@example.org"), None, "not hers").unwrap();
        f.store.contacts().receive(bob, None, NOW).await.unwrap();
        f.claim(NOW).await;
        let mail = f.confirmation("ada@example.org", "weekly", NOW).await;
        f.store.subscriptions().press(mail.confirm.expose(), toolkit_store::Purpose::Confirm, NOW).await.unwrap();
        f.subscribe("ada@example.org", "daily", NOW).await;

        let data = f.store.export(&email("ada@EXAMPLE.org")).await.unwrap();
        let at = "2026-01-02T03:04:05.678Z";
        assert_eq!(
            serde_json::to_value(&data).unwrap(),
            serde_json::json!({
                "email": "ada@example.org",
                "contacts": [{
                    "id": id.to_string(), "name": "Ada", "email": "ada@example.org",
                    "subject": "Engines", "mailed_at": null, "message": "my secret", "app_id": null, "created_at": at,
                }],
                "subscriptions": [
                    {
                        "app_id": "daily", "state": "pending", "created_at": at, "requested_at": at,
                        "mailed_at": at, "confirmed_at": null, "confirmed_by": null, "unsubscribed_at": null, "undeliverable_at": null,
                    },
                    {
                        "app_id": "weekly", "state": "confirmed", "created_at": at, "requested_at": at,
                        "mailed_at": at, "confirmed_at": at, "confirmed_by": null, "unsubscribed_at": null, "undeliverable_at": null,
                    },
                ],
            })
        );
        assert_eq!(format!("{data:?}"), "PersonalData(1 contacts, 2 subscriptions)");
    })
    .await;
}

#[tokio::test]
async fn an_erasure_removes_everything_about_an_address_and_nothing_about_others() {
    on_each_backend(async |f: &Fixture| {
        f.contact("her words: xylophone").await;
        f.subscribe("ada@example.org", "weekly", NOW).await;
        f.subscribe("bob@example.org", "weekly", NOW).await;
        let mail = f.claim(NOW).await;
        assert_eq!(mail.len(), 3);

        let erased = f.store.erase(&email("ada@example.org"), NOW).await.unwrap();
        assert_eq!((erased.contacts, erased.subscriptions), (1, 1));
        let again = f.store.erase(&email("ada@example.org"), NOW).await.unwrap();
        assert_eq!((again.contacts, again.subscriptions), (0, 0));

        let data = f.store.export(&email("ada@example.org")).await.unwrap();
        assert!(data.contacts.is_empty() && data.subscriptions.is_empty());
        assert_eq!(f.count("subscriptions").await, 1);
        assert_eq!(f.count("outbox").await, 1);
        // Bob's link to confirm; the other is derived.
        assert_eq!(f.count("subscription_tokens").await, 1);
        // Her mails are deleted; a worker that still reports on them changes nothing.
        for mail in &mail {
            f.store.outbox().sent(mail, NOW).await.unwrap();
        }
        assert_eq!(f.count("outbox").await, 1);

        if let Home::Sqlite(folder) = &f.home {
            for file in std::fs::read_dir(folder.path()).unwrap() {
                let bytes = std::fs::read(file.unwrap().path()).unwrap();
                for word in ["xylophone", "ada@example.org"] {
                    assert!(
                        !bytes.windows(word.len()).any(|window| window == word.as_bytes()),
                        "{word}"
                    );
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn an_erased_address_can_subscribe_again() {
    on_each_backend(async |f: &Fixture| {
        f.confirmation("ada@example.org", "weekly", NOW).await;
        f.store.erase(&email("ada@example.org"), NOW).await.unwrap();
        f.confirmation("ada@example.org", "weekly", NOW).await;
        f.store.contacts().receive(contact("m"), None, NOW).await.unwrap();
    })
    .await;
}
