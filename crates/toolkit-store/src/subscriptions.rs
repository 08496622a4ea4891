//! Subscriptions to newsletters, with double opt-in.
//!
//! A subscription belongs to one address and one app. It is pending until its owner presses the
//! button on the page of the confirmation link; unsubscribing works by a link too, indefinitely.
//! Subscribing again never un-confirms anyone, and nothing that a caller of
//! [`subscribe`](Subscriptions::subscribe) can see or measure reveals the state of an address: the
//! result is empty, the same statements run for all, and it has a minimum duration.

mod links;
mod request;

use std::fmt;

use futures::future::join;
use serde::Serialize;
use time::OffsetDateTime;
use tokio::time::sleep;

pub(crate) use self::links::issue;
use crate::error::StoreError;
use crate::idempotency::{self, Claim};
use crate::limits::SUBSCRIBE_TIME_MIN;
use crate::token::digest_of;
use crate::{AppId, Email, Store};

/// State of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionState {
    /// Requested, not confirmed.
    Pending,
    /// Confirmed by the owner of the address.
    Confirmed,
    /// Ended by the owner of the address.
    Unsubscribed,
}

impl SubscriptionState {
    /// The stored and exported name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Confirmed => "confirmed",
            Self::Unsubscribed => "unsubscribed",
        }
    }

    /// All states.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Confirmed, Self::Unsubscribed];

    pub(crate) fn parse(text: &str) -> Result<Self, StoreError> {
        let mut all = Self::ALL.into_iter();
        all.find(|state| state.as_str() == text)
            .ok_or_else(|| StoreError::internal("a stored state is unknown"))
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
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    /// The address that the mail went to.
    pub email: String,
    /// The app.
    pub app_id: String,
    /// State of the subscription.
    pub state: SubscriptionState,
    /// Whether the link has expired. A used one never expires.
    pub is_expired: bool,
}

/// Shows no address: debug output ends up in logs.
impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Link({}, {}, …)", self.app_id, self.state.as_str())
    }
}

/// Outcome of a confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirmation {
    /// The subscription is confirmed, now or before.
    Confirmed(Link),
    /// The link has expired, and the subscription was not confirmed by another.
    Expired,
    /// The link was never sent, or was sent before the address unsubscribed.
    Unknown,
}

/// Outcome of an unsubscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsubscription {
    /// The subscription has ended, now or before.
    Unsubscribed(Link),
    /// The link was never sent, or all data of the address was deleted.
    Unknown,
}

/// The subscriptions in a [`Store`].
#[derive(Clone, Copy)]
pub struct Subscriptions<'s>(&'s Store, Option<Claim>);

impl Store {
    /// The subscriptions to newsletters.
    pub fn subscriptions(&self) -> Subscriptions<'_> {
        Subscriptions(self, None)
    }
}

impl Subscriptions<'_> {
    /// Answers a claimed request, with an empty text.
    #[must_use]
    pub fn claimed(self, claim: Option<Claim>) -> Self {
        Self(self.0, claim)
    }

    /// Requests a subscription and queues a confirmation mail if one is due.
    ///
    /// A mail is due for a new subscription, for a pending one whose last mail is ten minutes old,
    /// and for one that had ended; a confirmed one gets none. Concurrent requests make one row and
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
    ) -> Result<(), StoreError> {
        let (email, app_id) = (email.clone(), app_id.clone());
        let (database, claim) = (self.0.database(), self.1);
        let request = database.write(move |c| {
            Box::pin(async move {
                idempotency::settle(c, claim, "").await?;
                request::subscribe(c, email, app_id, now).await
            })
        });
        let (result, ()) = join(request, sleep(SUBSCRIBE_TIME_MIN)).await;
        result?;
        self.0.mail_queued().notify_one();
        Ok(())
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
        let Some(digest) = digest_of(token) else {
            return Ok(None);
        };
        self.0
            .database()
            .read(move |c| {
                Box::pin(async move {
                    let found = links::find(c, digest, purpose, now).await?;
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
        let Some(digest) = digest_of(token) else {
            return Ok(Confirmation::Unknown);
        };
        self.0
            .database()
            .write(move |c| Box::pin(links::confirm(c, digest, now)))
            .await
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
        let Some(digest) = digest_of(token) else {
            return Ok(Unsubscription::Unknown);
        };
        self.0
            .database()
            .write(move |c| Box::pin(links::unsubscribe(c, digest, now)))
            .await
    }
}
