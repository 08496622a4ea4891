//! Data retention: what is deleted, when, and what is kept.

use time::Duration;
use toolkit_store::{Pressed, PurgeWait, Purged};

use crate::helpers::{Fixture, Home, NOW, app_id, contact, on_each_backend, on_sqlite};

const MILLISECOND: Duration = Duration::MILLISECOND;

#[tokio::test]
async fn an_expired_message_is_deleted_with_its_mail() {
    on_each_backend(async |f: &Fixture| {
        f.contact("m").await;
        f.deliver(NOW).await;
        let a_year = NOW + Duration::days(365);
        assert_eq!(
            f.store.purge(NOW + Duration::days(6), 365, &[]).await.unwrap(),
            Purged::default()
        );
        assert_eq!(f.store.purge(a_year - MILLISECOND, 365, &[]).await.unwrap().contacts, 0);
        assert_eq!(f.store.purge(a_year, 365, &[]).await.unwrap().contacts, 1);
        assert_eq!(f.count("contacts").await + f.count("outbox").await, 0);
    })
    .await;
}

#[tokio::test]
async fn a_message_whose_mail_is_not_sent_yet_is_kept() {
    on_each_backend(async |f: &Fixture| {
        f.contact("m").await;
        let days = |days| NOW + Duration::days(days);
        assert_eq!(f.store.purge(days(2), 1, &[]).await.unwrap().contacts, 0);
        f.deliver(days(2)).await;
        assert_eq!(f.store.purge(days(2), 1, &[]).await.unwrap().contacts, 1);
    })
    .await;
}

#[tokio::test]
async fn an_unconfirmed_subscription_is_deleted_after_seven_days() {
    on_each_backend(async |f: &Fixture| {
        let confirmed = f.confirmation("kept@example.org", "weekly", NOW).await;
        f.store
            .subscriptions()
            .press(confirmed.confirm.expose(), toolkit_store::Purpose::Confirm, NOW)
            .await
            .unwrap();
        f.confirmation("pending@example.org", "weekly", NOW).await;
        let refused = f.confirmation("refused@example.org", "weekly", NOW).await;
        f.store
            .subscriptions()
            .press(refused.unsubscribe.expose(), toolkit_store::Purpose::Unsubscribe, NOW)
            .await
            .unwrap();

        let days_7 = NOW + Duration::days(7);
        assert_eq!(f.store.purge(days_7 - MILLISECOND, 365, &[]).await.unwrap().subscriptions, 0);
        assert_eq!(f.store.purge(days_7, 365, &[]).await.unwrap().subscriptions, 1);
        assert_eq!(f.count("subscriptions WHERE email = 'kept@example.org'").await, 1);
        assert_eq!(f.count("subscription_tokens").await, 0);
        // One that was ended stays, and its link too.
        let answer = f
            .store
            .subscriptions()
            .press(refused.unsubscribe.expose(), toolkit_store::Purpose::Unsubscribe, days_7)
            .await;
        assert!(matches!(answer.unwrap(), Pressed::Done(_)));
        assert_eq!(f.count("subscriptions WHERE state = 'unsubscribed'").await, 1);
    })
    .await;
}

#[tokio::test]
async fn one_that_has_left_is_kept_whoever_subscribes_it_again() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation("ada@example.org", "weekly", NOW).await;
        f.store
            .subscriptions()
            .press(mail.confirm.expose(), toolkit_store::Purpose::Confirm, NOW)
            .await
            .unwrap();
        f.store
            .subscriptions()
            .press(mail.unsubscribe.expose(), toolkit_store::Purpose::Unsubscribe, NOW)
            .await
            .unwrap();
        let back = NOW + Duration::days(100);
        assert_eq!(f.store.purge(back, 365, &[]).await.unwrap().subscriptions, 0);
        f.confirmation("ada@example.org", "weekly", back).await;
        assert_eq!(
            f.store.purge(back + Duration::days(7), 365, &[]).await.unwrap().subscriptions,
            0
        );
    })
    .await;
}

#[tokio::test]
async fn an_app_has_its_own_time_for_unconfirmed_subscriptions() {
    on_each_backend(async |f: &Fixture| {
        for app in ["a_b", "axb", "other"] {
            f.confirmation("ada@example.org", app, NOW).await;
        }
        let days = [(app_id("a_b"), 30), (app_id("unused"), 1)];
        let purge = async |after: i64| {
            let now = NOW + Duration::days(after);
            f.store.purge(now, 365, &days).await.unwrap().subscriptions
        };
        assert_eq!([purge(7).await, purge(29).await, purge(30).await], [2, 0, 1]);
    })
    .await;
}

#[tokio::test]
async fn expired_links_and_delivery_records_of_sent_mail_are_deleted() {
    on_each_backend(async |f: &Fixture| {
        f.confirmation("ada@example.org", "weekly", NOW).await;
        let hours_48 = NOW + Duration::hours(48);
        assert_eq!(f.store.purge(hours_48 - MILLISECOND, 365, &[]).await.unwrap().tokens, 0);
        assert_eq!(f.store.purge(hours_48, 365, &[]).await.unwrap().tokens, 1);
        assert_eq!(f.count("subscription_tokens").await, 0);
        let days_7 = NOW + Duration::days(7);
        f.subscribe("ada@example.org", "weekly", days_7).await;
        assert_eq!(f.store.purge(days_7 - MILLISECOND, 365, &[]).await.unwrap().mails, 0);
        assert_eq!(f.store.purge(days_7, 365, &[]).await.unwrap().mails, 1);
    })
    .await;
}

#[tokio::test]
async fn a_purge_of_more_than_one_batch_deletes_everything() {
    on_each_backend(async |f: &Fixture| {
        f.raw()
            .await
            .execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1234) \
                 INSERT INTO contacts (id, name, email, email_key, message, created_at) \
                 SELECT 'contact ' || i, 'n', 'e', 'e', 'm', 0 FROM n",
            )
            .await;
        assert_eq!(f.store.purge(NOW, 1, &[]).await.unwrap().contacts, 1_234);
    })
    .await;
}

#[tokio::test]
async fn a_clock_that_leaps_is_trusted_after_a_day_or_when_it_is_back() {
    on_each_backend(async |f: &Fixture| {
        let trusts = async |now| f.store.purge_waits(now, 365, &[]).await.unwrap().is_none();
        assert!(trusts(NOW).await, "there is nothing to compare with");
        let two_days = NOW + Duration::days(2);
        assert!(trusts(two_days).await);
        let leap = two_days + Duration::days(2) + MILLISECOND;
        let day = Duration::DAY;
        for (now, expected) in [
            (leap, false),
            (leap + Duration::HOUR, false),
            (leap + day - MILLISECOND, false),
            (leap + day, true),
            (leap + day + Duration::HOUR, true),
            // Two leaps, each within the day of the other.
            (leap + 400 * day, false),
            (leap + 800 * day, false),
            (leap + 801 * day - MILLISECOND, false),
            // Back in time, and from there on.
            (leap + 2 * day, true),
            (leap + 3 * day, true),
        ] {
            assert_eq!(trusts(now).await, expected, "{now}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_clock_far_ahead_is_doubted_before_the_first_purge_too() {
    on_each_backend(async |f: &Fixture| {
        f.contact("m").await;
        f.deliver(NOW).await;
        // The next start, with the clock ahead, and with a message from then.
        let store = f.replica().await;
        let ahead = NOW + Duration::days(400);
        store.contacts().receive(contact("m"), None, ahead).await.unwrap();
        let waits = async |now| store.purge_waits(now, 365, &[]).await.unwrap();
        assert_eq!(waits(ahead).await, Some(PurgeWait::Clock));
        // And the start after that.
        let again = f.replica().await;
        let later = ahead + Duration::MINUTE;
        assert!(again.purge_waits(later, 365, &[]).await.unwrap().is_some());
        assert_eq!(waits(ahead + Duration::DAY).await, None);
    })
    .await;
}

#[tokio::test]
async fn a_purge_of_more_than_half_of_a_table_waits_a_day() {
    on_each_backend(async |f: &Fixture| {
        let old = NOW - Duration::days(366);
        for _ in 0..2 {
            f.store.contacts().receive(contact("m"), None, old).await.unwrap();
        }
        for mail in f.claim(old).await {
            f.store.outbox().sent(&mail, old).await.unwrap();
        }
        f.contact("m").await;
        f.contact("m").await;
        let waits = async |now| f.store.purge_waits(now, 365, &[]).await.unwrap();
        assert_eq!(waits(NOW).await, None, "half of them");
        f.raw()
            .await
            .execute("DELETE FROM contacts WHERE id = (SELECT MAX(id) FROM contacts)")
            .await;
        let hour = Duration::HOUR;
        assert_eq!(waits(NOW + hour).await, Some(PurgeWait::Much));
        assert_eq!(waits(NOW + Duration::DAY).await, Some(PurgeWait::Much));
        assert_eq!(waits(NOW + Duration::DAY + hour).await, None);
        f.store.purge(NOW + Duration::DAY + hour, 365, &[]).await.unwrap();
        assert_eq!(f.count("contacts").await, 1);
    })
    .await;
}

#[tokio::test]
async fn a_retention_period_beyond_the_calendar_deletes_nothing() {
    on_each_backend(async |f: &Fixture| {
        f.contact("m").await;
        assert_eq!(f.store.purge(NOW, u32::MAX, &[]).await.unwrap().contacts, 0);
    })
    .await;
}

#[tokio::test]
async fn the_files_stay_small_over_thousands_of_subscriptions_that_expire() {
    on_sqlite(async |f: &Fixture| {
        let Home::Sqlite(folder) = &f.home else {
            return;
        };
        let size = || -> u64 {
            let files = std::fs::read_dir(folder.path()).unwrap();
            files.map(|file| file.unwrap().metadata().unwrap().len()).sum()
        };
        let mut now = NOW;
        let mut sizes = Vec::new();
        for round in 0..10 {
            futures::future::join_all((0..200).map(async |i| {
                f.subscribe(&format!("someone-{round}-{i}@example.org"), "weekly", now).await;
            }))
            .await;
            for _ in 0..4 {
                for mail in f.claim(now).await {
                    f.store.outbox().sent(&mail, now).await.unwrap();
                }
            }
            now += Duration::days(8);
            f.store.purge(now, 365, &[]).await.unwrap();
            sizes.push(size());
        }
        assert!(sizes[9] <= sizes[1] + 64 * 1024, "{sizes:?}");
        assert!(sizes[9] < 1 << 20, "{sizes:?}");
    })
    .await;
}
