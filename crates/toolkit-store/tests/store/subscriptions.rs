//! Subscriptions: double opt-in, links, and what is never revealed.

use futures::future::join_all;
use time::{Duration, OffsetDateTime};
use toolkit_store::{
    Disposition, Ended, Failure, Imported, Pressed, Purpose, Receipt, SubscriberFilter,
    SubscriptionState, Token,
};

use crate::helpers::{Fixture, NOW, app_id, confirmation_of, contact, email, on_each_backend};

const ADA: &str = "ada@example.org";
const MINUTES_10: Duration = Duration::minutes(10);
const MILLISECOND: Duration = Duration::MILLISECOND;

async fn state(f: &Fixture, token: &Token, now: OffsetDateTime) -> SubscriptionState {
    let link = f.store.subscriptions().peek(token.expose(), Purpose::Unsubscribe, now).await;
    link.unwrap().unwrap().state
}

async fn confirm(f: &Fixture, token: &Token, now: OffsetDateTime) -> Pressed {
    f.store.subscriptions().press(token.expose(), Purpose::Confirm, now).await.unwrap()
}

async fn unsubscribe(f: &Fixture, token: &Token, now: OffsetDateTime) -> Pressed {
    f.store.subscriptions().press(token.expose(), Purpose::Unsubscribe, now).await.unwrap()
}

#[tokio::test]
async fn subscribing_confirming_unsubscribing_and_subscribing_again() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation("Ada@EXAMPLE.org", "weekly", NOW).await;
        assert_eq!((mail.email.as_str(), mail.app_id.as_str()), ("Ada@example.org", "weekly"));
        assert_eq!(state(f, &mail.unsubscribe, NOW).await, SubscriptionState::Pending);

        let Pressed::Done(link) = confirm(f, &mail.confirm, NOW).await else { panic!() };
        assert_eq!((link.email.as_str(), link.app_id.as_str()), ("Ada@example.org", "weekly"));
        assert_eq!(link.state, SubscriptionState::Confirmed);
        assert_eq!(state(f, &mail.unsubscribe, NOW).await, SubscriptionState::Confirmed);

        let Pressed::Done(link) = unsubscribe(f, &mail.unsubscribe, NOW).await else { panic!() };
        assert_eq!(link.state, SubscriptionState::Unsubscribed);

        let again = NOW + MINUTES_10;
        let mail = f.confirmation("Ada@example.org", "weekly", again).await;
        assert!(matches!(confirm(f, &mail.confirm, again).await, Pressed::Done(_)));
        assert_eq!(f.count("subscriptions").await, 1);
    })
    .await;
}

#[tokio::test]
async fn two_concurrent_submissions_create_one_row_and_one_mail() {
    on_each_backend(async |f: &Fixture| {
        let replica = f.replica().await;
        let stores = [&f.store, &replica];
        join_all((0..20).map(async |i: usize| {
            let subscriptions = stores[i % 2].subscriptions();
            subscriptions.subscribe(&email(ADA), &app_id("weekly"), NOW).await.unwrap();
        }))
        .await;
        assert_eq!(f.count("subscriptions").await, 1);
        assert_eq!(f.claim(NOW).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_pending_address_gets_one_mail_in_ten_minutes() {
    on_each_backend(async |f: &Fixture| {
        let first = f.confirmation(ADA, "weekly", NOW).await;
        f.subscribe(ADA, "weekly", NOW).await;
        f.subscribe(ADA, "weekly", NOW + MINUTES_10 - MILLISECOND).await;
        assert!(f.claim(NOW + MINUTES_10 - MILLISECOND).await.is_empty());
        let second = f.confirmation(ADA, "weekly", NOW + MINUTES_10).await;
        assert_ne!(first.confirm.expose(), second.confirm.expose());
        // The earlier link works as well.
        let later = NOW + MINUTES_10;
        assert!(matches!(confirm(f, &first.confirm, later).await, Pressed::Done(_)));
    })
    .await;
}

#[tokio::test]
async fn the_ten_minutes_start_when_the_mail_is_sent() {
    on_each_backend(async |f: &Fixture| {
        f.subscribe(ADA, "weekly", NOW).await;
        // The mail server is down for an hour; asking again meanwhile adds no second mail.
        let claimed = f.claim(NOW).await.remove(0);
        f.store.outbox().failed(&claimed, Failure::Transient("connect".into()), NOW).await.unwrap();
        let sent_at = NOW + Duration::hours(1);
        f.subscribe(ADA, "weekly", sent_at).await;
        f.deliver(sent_at).await;
        f.subscribe(ADA, "weekly", sent_at + MINUTES_10 - MILLISECOND).await;
        assert!(f.claim(sent_at + MINUTES_10 - MILLISECOND).await.is_empty());
        f.subscribe(ADA, "weekly", sent_at + MINUTES_10).await;
        f.deliver(sent_at + MINUTES_10).await;
    })
    .await;
}

#[tokio::test]
async fn a_confirmed_subscriber_gets_no_mail_and_stays_confirmed() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation(ADA, "weekly", NOW).await;
        confirm(f, &mail.confirm, NOW).await;
        for days in [0, 1, 400] {
            f.subscribe(ADA, "weekly", NOW + Duration::days(days)).await;
        }
        assert!(f.claim(NOW + Duration::days(500)).await.is_empty());
        assert_eq!(state(f, &mail.unsubscribe, NOW).await, SubscriptionState::Confirmed);
    })
    .await;
}

#[tokio::test]
async fn a_queued_mail_is_withdrawn_when_another_one_has_confirmed() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation(ADA, "weekly", NOW).await;
        let later = NOW + MINUTES_10;
        f.subscribe(ADA, "weekly", later).await;
        confirm(f, &mail.confirm, later).await;
        assert!(f.claim(later).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn after_unsubscribing_a_new_mail_is_sent_as_soon_as_the_ten_minutes_allow() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation(ADA, "weekly", NOW).await;
        confirm(f, &mail.confirm, NOW).await;
        unsubscribe(f, &mail.unsubscribe, NOW).await;
        f.subscribe(ADA, "weekly", NOW + Duration::MINUTE).await;
        assert!(f.claim(NOW + MINUTES_10 - MILLISECOND).await.is_empty());
        let second = confirmation_of(f.deliver(NOW + MINUTES_10).await);
        assert!(matches!(confirm(f, &second.confirm, NOW + MINUTES_10).await, Pressed::Done(_)));
    })
    .await;
}

#[tokio::test]
async fn one_address_gets_twenty_mails_a_day_over_all_apps() {
    on_each_backend(async |f: &Fixture| {
        for app in 0..25 {
            f.subscribe(ADA, &format!("app-{app}"), NOW).await;
        }
        f.subscribe("bob@example.org", "weekly", NOW).await;
        assert_eq!(f.claim(NOW).await.len(), 20 + 1);
        let next_day = NOW + Duration::DAY;
        f.subscribe(ADA, "app-24", next_day - MILLISECOND).await;
        assert_eq!(f.count("outbox").await, 21);
        f.subscribe(ADA, "app-24", next_day).await;
        assert_eq!(f.count("outbox").await, 22);
    })
    .await;
}

#[tokio::test]
async fn a_confirmation_link_works_for_48_hours() {
    on_each_backend(async |f: &Fixture| {
        let hours_48 = Duration::hours(48);
        for (address, age, works) in [
            ("a@example.org", hours_48 - MILLISECOND, true),
            ("b@example.org", hours_48, false),
            ("c@example.org", Duration::days(6), false),
        ] {
            let mail = f.confirmation(address, "weekly", NOW).await;
            let now = NOW + age;
            let link =
                f.store.subscriptions().peek(mail.confirm.expose(), Purpose::Confirm, now).await;
            assert_eq!(link.unwrap().unwrap().is_expired, !works);
            let answer = confirm(f, &mail.confirm, now).await;
            assert_eq!(matches!(answer, Pressed::Done(_)), works, "{address} {answer:?}");
            assert_eq!(answer == Pressed::Expired, !works);
        }
        // A new request brings a new link.
        let mail = f.confirmation("c@example.org", "weekly", NOW + Duration::days(6)).await;
        let now = NOW + Duration::days(6);
        assert!(matches!(confirm(f, &mail.confirm, now).await, Pressed::Done(_)));
    })
    .await;
}

#[tokio::test]
async fn pressing_a_button_twice_or_twenty_times_at_once_is_harmless() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation(ADA, "weekly", NOW).await;
        for answer in join_all((0..20).map(|_| confirm(f, &mail.confirm, NOW))).await {
            assert!(matches!(answer, Pressed::Done(_)), "{answer:?}");
        }
        // Also when the link has expired by then.
        let answer = confirm(f, &mail.confirm, NOW + Duration::days(3)).await;
        assert!(matches!(answer, Pressed::Done(_)), "{answer:?}");
        for answer in join_all((0..20).map(|_| unsubscribe(f, &mail.unsubscribe, NOW))).await {
            assert!(matches!(answer, Pressed::Done(_)), "{answer:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn an_unsubscribe_link_works_indefinitely() {
    on_each_backend(async |f: &Fixture| {
        let first = f.confirmation(ADA, "weekly", NOW).await;
        confirm(f, &first.confirm, NOW).await;
        let years = NOW + Duration::days(3_650);
        f.store.purge(years, 365, &[]).await.unwrap();
        assert!(matches!(unsubscribe(f, &first.unsubscribe, years).await, Pressed::Done(_)));
        let second = f.confirmation(ADA, "weekly", years).await;
        confirm(f, &second.confirm, years).await;
        // The old link also ends the new subscription.
        assert!(matches!(unsubscribe(f, &first.unsubscribe, years).await, Pressed::Done(_)));
        assert_eq!(state(f, &second.unsubscribe, years).await, SubscriptionState::Unsubscribed);
    })
    .await;
}

#[tokio::test]
async fn an_unsubscription_during_a_confirmation_stays() {
    on_each_backend(async |f: &Fixture| {
        for round in 0..20 {
            let address = format!("ada{round}@example.org");
            let mail = f.confirmation(&address, "weekly", NOW).await;
            // Whichever comes first.
            futures::future::join(
                confirm(f, &mail.confirm, NOW),
                unsubscribe(f, &mail.unsubscribe, NOW),
            )
            .await;
            assert_eq!(state(f, &mail.unsubscribe, NOW).await, SubscriptionState::Unsubscribed);
        }
    })
    .await;
}

#[tokio::test]
async fn a_stranger_who_subscribes_an_address_that_has_left_changes_nothing_but_a_mail() {
    on_each_backend(async |f: &Fixture| {
        let first = f.confirmation(ADA, "weekly", NOW).await;
        confirm(f, &first.confirm, NOW).await;
        unsubscribe(f, &first.unsubscribe, NOW).await;
        let later = NOW + Duration::days(1);
        let second = f.confirmation(ADA, "weekly", later).await;
        // Asking again within ten minutes brings no further mail.
        f.subscribe(ADA, "weekly", later + Duration::MINUTE).await;
        assert!(f.claim(later + Duration::hours(1)).await.is_empty());
        let years = NOW + Duration::days(3_650);
        f.store.purge(years, 365, &[]).await.unwrap();
        let data = f.store.export(&email(ADA)).await.unwrap().subscriptions;
        assert_eq!(data[0].state, SubscriptionState::Unsubscribed);
        assert_eq!((data[0].confirmed_at, data[0].unsubscribed_at), (Some(NOW), Some(NOW)));
        assert!(matches!(unsubscribe(f, &second.unsubscribe, years).await, Pressed::Done(_)));
        // Their own confirmation, and nothing else, ends that.
        let third = f.confirmation(ADA, "weekly", years).await;
        let answer = confirm(f, &third.confirm, years).await;
        assert!(matches!(answer, Pressed::Done(_)), "{answer:?}");
        assert_eq!(confirm(f, &second.confirm, years).await, Pressed::Unknown);
    })
    .await;
}

#[tokio::test]
async fn a_link_of_an_erased_subscription_says_for_ever_that_it_has_ended() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation(ADA, "weekly", NOW).await;
        f.store.rotate_links(NOW).await.unwrap();
        f.store.erase(&email(ADA), NOW).await.unwrap();
        assert_eq!(f.count("subscriptions").await, 0);
        let text = mail.unsubscribe.expose();
        let answer = f.store.subscriptions().press(text, Purpose::Unsubscribe, NOW).await.unwrap();
        let Pressed::Done(link) = answer else { panic!("{text}") };
        assert_eq!((&*link.email, &*link.app_id), ("", ""));
        let link = f.store.subscriptions().peek(text, Purpose::Unsubscribe, NOW).await;
        assert_eq!(link.unwrap().unwrap().state, SubscriptionState::Unsubscribed);
    })
    .await;
}

#[tokio::test]
async fn a_link_can_be_made_again_and_outlives_the_rotation_of_its_key() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation(ADA, "weekly", NOW).await;
        let id = f.store.subscribers(&SubscriberFilter::default(), None).await.unwrap()[0].id;
        let again = f.store.unsubscribe_links(NOW).await.unwrap().token(id);
        assert_eq!(again.expose(), mail.unsubscribe.expose());
        f.store.rotate_links(NOW + Duration::DAY).await.unwrap();
        let rotated = f.store.unsubscribe_links(NOW).await.unwrap().token(id);
        assert_ne!(again.expose(), rotated.expose());
        for token in [&again, &rotated] {
            assert_eq!(state(f, token, NOW).await, SubscriptionState::Pending);
        }
        // Another id, with the digest of this one.
        let forged = format!("AAAA{}", &again.expose()[4..]);
        let answer =
            f.store.subscriptions().press(&forged, Purpose::Unsubscribe, NOW).await.unwrap();
        assert_eq!(answer, Pressed::Unknown);
    })
    .await;
}

#[tokio::test]
async fn a_refused_address_is_undeliverable_and_is_tried_again_after_a_day() {
    on_each_backend(async |f: &Fixture| {
        f.subscribe(ADA, "weekly", NOW).await;
        let mail = f.claim(NOW).await.remove(0);
        let failure = Failure::Permanent("smtp 550".into());
        let disposition = f.store.outbox().failed(&mail, failure, NOW).await.unwrap();
        assert_eq!(disposition, Disposition::Undeliverable);
        let stats = f.store.outbox().stats(NOW).await.unwrap();
        assert_eq!((stats.pending, stats.dead, stats.undeliverable), (0, 0, 1));
        let filter = SubscriberFilter {
            status: Some(SubscriptionState::Undeliverable),
            ..SubscriberFilter::default()
        };
        assert_eq!(f.store.subscribers(&filter, None).await.unwrap().len(), 1);
        f.subscribe(ADA, "weekly", NOW + Duration::DAY - MILLISECOND).await;
        assert!(f.claim(NOW + Duration::DAY - MILLISECOND).await.is_empty());
        let mail = f.confirmation(ADA, "weekly", NOW + Duration::DAY).await;
        let now = NOW + Duration::DAY;
        assert!(matches!(confirm(f, &mail.confirm, now).await, Pressed::Done(_)));
        assert_eq!(f.store.outbox().stats(now).await.unwrap().undeliverable, 0);
    })
    .await;
}

#[tokio::test]
async fn an_import_confirms_what_is_new_and_revives_nothing() {
    on_each_backend(async |f: &Fixture| {
        let left = f.confirmation("Left@example.org", "weekly", NOW).await;
        unsubscribe(f, &left.unsubscribe, NOW).await;
        let known = f.confirmation("known@example.org", "weekly", NOW).await;
        confirm(f, &known.confirm, NOW).await;
        f.confirmation("pending@example.org", "weekly", NOW).await;
        let list =
            ["left@example.org", "known@example.org", "pending@example.org", "new@example.org"];
        let list: Vec<_> = list.map(|address| (email(address), app_id("weekly"))).into();
        for dry_run in [true, false] {
            let outcome = f.store.subscriptions();
            let outcome = outcome.import(list.clone(), "the old list".into(), dry_run, NOW).await;
            assert_eq!(
                outcome.unwrap(),
                [
                    Imported::Unsubscribed,
                    Imported::AlreadyConfirmed,
                    Imported::Confirmed,
                    Imported::Confirmed,
                ]
            );
            let confirmed = if dry_run { 1 } else { 3 };
            assert_eq!(f.count("subscriptions WHERE state = 'confirmed'").await, confirmed);
        }
        assert_eq!(f.count("subscriptions WHERE confirmed_by = 'the old list'").await, 2);
        assert_eq!(f.count("outbox WHERE state = 'pending'").await, 0);
        assert_eq!(state(f, &left.unsubscribe, NOW).await, SubscriptionState::Unsubscribed);
        let subscriptions = f.store.subscriptions();
        let weekly = app_id("weekly");
        for (address, app, expected) in [
            ("NEW@example.org", Some(&weekly), Ended::Now(1)),
            ("new@example.org", None, Ended::Now(0)),
            ("nobody@example.org", None, Ended::Unknown),
        ] {
            assert_eq!(subscriptions.end(&email(address), app, NOW).await.unwrap(), expected);
        }
    })
    .await;
}

#[tokio::test]
async fn an_old_confirmation_link_does_not_undo_an_unsubscription() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation(ADA, "weekly", NOW).await;
        unsubscribe(f, &mail.unsubscribe, NOW).await;
        assert_eq!(confirm(f, &mail.confirm, NOW).await, Pressed::Unknown);
        assert_eq!(state(f, &mail.unsubscribe, NOW).await, SubscriptionState::Unsubscribed);
    })
    .await;
}

#[tokio::test]
async fn a_link_is_for_one_address_one_app_and_one_purpose() {
    on_each_backend(async |f: &Fixture| {
        let weekly = f.confirmation(ADA, "weekly", NOW).await;
        let daily = f.confirmation(ADA, "daily", NOW).await;
        let bob = f.confirmation("bob@example.org", "weekly", NOW).await;
        confirm(f, &weekly.confirm, NOW).await;
        assert_eq!(state(f, &daily.unsubscribe, NOW).await, SubscriptionState::Pending);
        assert_eq!(state(f, &bob.unsubscribe, NOW).await, SubscriptionState::Pending);
        assert_eq!(confirm(f, &daily.unsubscribe, NOW).await, Pressed::Unknown);
        assert_eq!(unsubscribe(f, &weekly.confirm, NOW).await, Pressed::Unknown);
        assert_eq!(state(f, &weekly.unsubscribe, NOW).await, SubscriptionState::Confirmed);
    })
    .await;
}

#[tokio::test]
async fn opening_a_link_changes_nothing_however_often() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation(ADA, "weekly", NOW).await;
        for _ in 0..10 {
            for (token, purpose) in
                [(&mail.confirm, Purpose::Confirm), (&mail.unsubscribe, Purpose::Unsubscribe)]
            {
                let link = f
                    .store
                    .subscriptions()
                    .peek(token.expose(), purpose, NOW)
                    .await
                    .unwrap()
                    .unwrap();
                assert_eq!(link.state, SubscriptionState::Pending);
                assert_eq!(
                    (link.email.as_str(), link.app_id.as_str(), link.is_expired),
                    (ADA, "weekly", false)
                );
            }
        }
    })
    .await;
}

#[tokio::test]
async fn an_invalid_token_is_unknown() {
    on_each_backend(async |f: &Fixture| {
        let mail = f.confirmation(ADA, "weekly", NOW).await;
        let never_sent = "A".repeat(43);
        let cut = &mail.confirm.expose()[..42];
        for text in ["", "x", "' OR 1=1 --", "\0", cut, &never_sent, &"A".repeat(1 << 16)] {
            let subscriptions = f.store.subscriptions();
            assert_eq!(
                subscriptions.press(text, Purpose::Confirm, NOW).await.unwrap(),
                Pressed::Unknown
            );
            assert_eq!(
                subscriptions.press(text, Purpose::Unsubscribe, NOW).await.unwrap(),
                Pressed::Unknown
            );
            assert_eq!(subscriptions.peek(text, Purpose::Confirm, NOW).await.unwrap(), None);
        }
    })
    .await;
}

#[tokio::test]
async fn a_clock_set_back_by_a_year_does_not_block_mails_to_an_address() {
    on_each_backend(async |f: &Fixture| {
        f.confirmation(ADA, "weekly", NOW).await;
        f.confirmation(ADA, "weekly", NOW - Duration::days(365)).await;
    })
    .await;
}

#[tokio::test]
async fn contact_and_subscription_mails_share_the_outbox_in_order() {
    on_each_backend(async |f: &Fixture| {
        f.subscribe(ADA, "weekly", NOW).await;
        let later = NOW + Duration::SECOND;
        let receipt = f.store.contacts().receive(contact("m"), None, later).await.unwrap();
        assert!(matches!(receipt, Receipt::Stored(_)));
        let queued: Vec<_> = f.claim(later).await.iter().map(|mail| mail.queued_at).collect();
        assert_eq!(queued, [NOW, later]);
    })
    .await;
}

#[tokio::test]
async fn all_spellings_of_an_address_share_its_mails() {
    on_each_backend(async |f: &Fixture| {
        let spelling = |number: usize| {
            let letter = |(place, letter): (usize, char)| {
                if (number >> place) & 1 == 1 { letter.to_ascii_uppercase() } else { letter }
            };
            let local: String = "abcdef".chars().enumerate().map(letter).collect();
            format!("{local}@example.org")
        };
        let weekly = (0..60).map(spelling);
        futures::future::join_all(weekly.map(async |address| {
            f.subscribe(&address, "weekly", NOW).await;
        }))
        .await;
        assert_eq!(f.claim(NOW).await.len(), 1);
        for number in 0..60 {
            f.subscribe(&spelling(number), &format!("app-{number}"), NOW).await;
        }
        assert_eq!(f.count("outbox").await, 20);
    })
    .await;
}
