//! Subscriptions to newsletters, with double opt-in.
//!
//! A subscription belongs to one address and one app. It is pending until its owner presses the
//! button on the page of the confirmation link; unsubscribing works by a link too, indefinitely.
//! Subscribing again never un-confirms anyone, nor does it undo that somebody unsubscribed: that stays
//! until they confirm anew. And nothing that a caller of
//! [`subscribe`](Subscriptions::subscribe) can see or measure reveals the state of an address: the
//! result is empty, the same statements run for all, and it has a minimum duration.

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
    /// Ended, and not confirmed anew.
    Unsubscribed,
    /// Requested; a mail server refused the address for good.
    Undeliverable,
}

impl SubscriptionState {
    /// The stored and exported name.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the state of a row of `subscriptions`. What is undeliverable is stored as pending, as
    /// versions that do not know the word expect.
    pub(crate) fn of(row: &Row) -> Result<Self, StoreError> {
        let is_refused = row.optional_time("undeliverable_at")?.is_some();
        match row.get("state")? {
            "pending" if is_refused => Ok(Self::Undeliverable),
            "pending" => Ok(Self::Pending),
            "confirmed" => Ok(Self::Confirmed),
            "unsubscribed" => Ok(Self::Unsubscribed),
            _ => Err(StoreError::internal("a stored state is unknown")),
        }
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

impl Purpose {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Unsubscribe => "unsubscribe",
        }
    }
}

/// Data of a link, for its page.
///
/// Debug output, which ends up in logs, shows no address.
#[derive(Clone, PartialEq, Eq, derive_more::Debug)]
#[debug("Link({app_id}, {}, …)", state.as_str())]
pub struct Link {
    /// The address that the mail went to; empty when it was erased.
    pub email: String,
    /// The app; empty when the address was erased.
    pub app_id: String,
    /// State of the subscription.
    pub state: SubscriptionState,
    /// Whether the link has expired. A used one never expires.
    pub is_expired: bool,
}

/// Outcome of a confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirmation {
    /// The subscription is confirmed, now or before.
    Confirmed(Link),
    /// The link has expired, and the subscription was not confirmed by another.
    Expired,
    /// The link was never made, or was sent before the address unsubscribed.
    Unknown,
}

/// Outcome of an unsubscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsubscription {
    /// The subscription has ended, now or before, or all data of the address was deleted.
    Unsubscribed(Link),
    /// The link was never made.
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
    /// The subscriptions to newsletters.
    pub fn subscriptions(&self) -> Subscriptions<'_> {
        Subscriptions { store: self, claim: None, challenge: None }
    }
}

impl Subscriptions<'_> {
    /// Answers a claimed request, with an empty text.
    #[must_use]
    pub fn claimed(self, claim: Option<Claim>) -> Self {
        Self { claim, ..self }
    }

    /// Spends a solved challenge: of several requests with the same one, one is carried out.
    #[must_use]
    pub fn spending(self, challenge: Option<&str>) -> Self {
        let challenge = challenge.map(challenges::digest);
        Self { challenge, ..self }
    }

    /// Requests a subscription and queues a confirmation mail if one is due.
    ///
    /// A mail is due for a new subscription, for a pending one whose last mail is ten minutes old,
    /// for one that has ended, and a day after a mail server refused the address; a confirmed one gets none. Concurrent requests make one row and
    /// one mail.
    ///
    /// # Errors
    ///
    /// Database errors; nothing has changed then.
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
        store.wake_workers();
        Ok(receipt)
    }

    /// Returns the data of a link, and changes nothing: a scanner may open links.
    ///
    /// `None` when it is unknown.
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

    /// Confirms a subscription; repeating it is harmless.
    ///
    /// # Errors
    ///
    /// Database errors; nothing has changed then.
    pub async fn confirm(
        self,
        token: &str,
        now: OffsetDateTime,
    ) -> Result<Confirmation, StoreError> {
        let token = token.to_owned();
        let told = self.store.told_of(Event::SubscriberConfirmed);
        self.store
            .database()
            .write(move |c| Box::pin(links::confirm(c, token, told, now)))
            .await
            .inspect(|_| self.store.wake_workers())
    }

    /// Ends a subscription; repeating it is harmless. Its confirmation links stop working, so that
    /// an old one cannot restart it.
    ///
    /// # Errors
    ///
    /// Database errors; nothing has changed then.
    pub async fn unsubscribe(
        self,
        token: &str,
        now: OffsetDateTime,
    ) -> Result<Unsubscription, StoreError> {
        let token = token.to_owned();
        let told = self.store.told_of(Event::SubscriberEnded);
        self.store
            .database()
            .write(move |c| Box::pin(links::unsubscribe(c, token, told, now)))
            .await
            .inspect(|_| self.store.wake_workers())
    }
}
