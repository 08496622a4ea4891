//! Newsletter subscriptions, with double opt-in.
//!
//! A subscription belongs to one address and one app. It is pending until its owner presses the
//! button on the confirmation page. An unsubscribe link works indefinitely. Subscribing again
//! neither un-confirms anyone nor undoes an unsubscription, which stays until the owner confirms.
//! Callers of [`subscribe`](Subscriptions::subscribe) can neither see nor measure an address's
//! state: the result is empty, the same statements run for all, and there is a minimum duration.

mod derived;
mod links;
mod list;
mod request;

use futures::future::join;
use serde::Serialize;
use strum::{EnumString, IntoStaticStr};
use time::OffsetDateTime;
use tokio::time::sleep;

pub use self::derived::UnsubscribeLinks;
pub(crate) use self::derived::links as unsubscribe_links;
pub(crate) use self::links::issue;
pub use self::list::{Ended, Imported};
use crate::challenges::{self, Digest, Receipt};
use crate::database::Row;
use crate::error::StoreError;
use crate::idempotency::{self, Claim};
use crate::limits::SUBSCRIBE_TIME_MIN;
use crate::webhooks::Event;
use crate::{AppId, Email, Store};

/// State of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, EnumString, IntoStaticStr)]
#[serde(into = "&'static str")]
#[strum(serialize_all = "snake_case")]
pub enum SubscriptionState {
    /// Requested, not confirmed.
    Pending,
    /// Confirmed by the owner of the address.
    Confirmed,
    /// Ended, and not confirmed since.
    Unsubscribed,
    /// Requested, but a mail server refused the address permanently.
    Undeliverable,
}

impl SubscriptionState {
    /// The name stored and exported.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the state from a row of `subscriptions`.
    pub(crate) fn of(row: &Row) -> Result<Self, StoreError> {
        let unknown = |_| StoreError::internal("a stored state is unknown");
        row.get::<&str>("state")?.parse().map_err(unknown)
    }
}

/// Purpose of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To confirm a subscription.
    Confirm,
    /// To end it.
    Unsubscribe,
}

/// Data of a link, for its page.
///
/// Debug output ends up in logs, so it shows no address.
#[derive(Clone, PartialEq, Eq, derive_more::Debug)]
#[debug("Link({app_id}, {}, …)", state.as_str())]
pub struct Link {
    /// The address that the mail went to. Empty if erased.
    pub email: String,
    /// The app. Empty if the address was erased.
    pub app_id: String,
    /// State of the subscription.
    pub state: SubscriptionState,
    /// Whether the link has expired. A used link does not expire.
    pub is_expired: bool,
}

/// Outcome of pressing the button of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pressed {
    /// The subscription is confirmed or has ended, now or before, or all data of the address was
    /// deleted.
    Done(Link),
    /// The link has expired, and no other link confirmed the subscription.
    Expired,
    /// The link was never issued, or was sent before the address unsubscribed.
    Unknown,
}

/// The subscriptions in a [`Store`].
#[derive(Clone, Copy)]
pub struct Subscriptions<'s> {
    store: &'s Store,
    claim: Option<Claim>,
    challenge: Option<Digest>,
}

impl Store {
    /// The newsletter subscriptions.
    pub fn subscriptions(&self) -> Subscriptions<'_> {
        Subscriptions { store: self, claim: None, challenge: None }
    }
}

impl Subscriptions<'_> {
    /// Answers a claimed request with an empty text.
    #[must_use]
    pub fn claimed(self, claim: Option<Claim>) -> Self {
        Self { claim, ..self }
    }

    /// Spends a solved challenge. Of several requests with the same one, one takes effect.
    #[must_use]
    pub fn spending(self, challenge: Option<&str>) -> Self {
        let challenge = challenge.map(challenges::digest);
        Self { challenge, ..self }
    }

    /// Requests a subscription and queues a confirmation mail if one is due.
    ///
    /// A mail is due for a new subscription, for a pending one whose last mail is ten minutes old,
    /// for an ended one, and a day after a mail server refused the address. A confirmed
    /// subscription gets none. Concurrent requests make one row and one mail.
    ///
    /// # Errors
    ///
    /// Database errors. Nothing has changed then.
    pub async fn subscribe(
        self,
        email: &Email,
        app_id: &AppId,
        now: OffsetDateTime,
    ) -> Result<Receipt<()>, StoreError> {
        let (email, app_id) = (email.clone(), app_id.clone());
        let Self { store, claim, challenge } = self;
        let request = store.database().write(move |c| {
            Box::pin(async move {
                if !challenges::spend(c, challenge, now).await? {
                    return Ok(Receipt::ChallengeReplayed);
                }
                idempotency::settle(c, claim, "").await?;
                request::subscribe(c, email, app_id, now).await?;
                Ok(Receipt::Stored(()))
            })
        });
        let (result, ()) = join(request, sleep(SUBSCRIBE_TIME_MIN)).await;
        let receipt = result?;
        store.wake_worker();
        Ok(receipt)
    }

    /// Returns a link's data without changing anything, since scanners open links.
    ///
    /// `None` if the link is unknown.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn peek(
        self,
        token: &str,
        purpose: Purpose,
        now: OffsetDateTime,
    ) -> Result<Option<Link>, StoreError> {
        let token = token.to_owned();
        self.store
            .database()
            .read(move |c| {
                Box::pin(async move {
                    let found = links::find(c, &token, purpose, now).await?;
                    Ok(found.map(|(link, _)| link))
                })
            })
            .await
    }

    /// Confirms or ends a subscription. Repeating it is harmless. When a subscription ends, its
    /// confirmation links stop working, so that an old one cannot restart it.
    ///
    /// # Errors
    ///
    /// Database errors. Nothing has changed then.
    pub async fn press(
        self,
        token: &str,
        purpose: Purpose,
        now: OffsetDateTime,
    ) -> Result<Pressed, StoreError> {
        let token = token.to_owned();
        let told = self.store.receivers_of(match purpose {
            Purpose::Confirm => Event::SubscriberConfirmed,
            Purpose::Unsubscribe => Event::SubscriberEnded,
        });
        let write = self.store.database().write(move |c| match purpose {
            Purpose::Confirm => Box::pin(links::confirm(c, token, told, now)),
            Purpose::Unsubscribe => Box::pin(links::unsubscribe(c, token, told, now)),
        });
        write.await.inspect(|_| self.store.wake_worker())
    }
}
