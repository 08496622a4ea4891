//! Webhooks: events, each queued for its receivers in the transaction that causes it.
//!
//! A row states what an event is about; its content is read when it is sent, so what is erased
//! meanwhile is not told to anybody.

use std::collections::HashMap;
use std::sync::PoisonError;

use strum::{EnumString, IntoStaticStr, VariantArray};
use time::OffsetDateTime;

use crate::Store;
use crate::database::{Connection, new_id};
use crate::error::StoreError;
use crate::outbox::About;

/// Something that a receiver can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumString, IntoStaticStr, VariantArray)]
pub enum Event {
    /// A message was stored.
    #[strum(serialize = "contact.received")]
    ContactReceived,
    /// A subscription was confirmed by its owner.
    #[strum(serialize = "subscriber.confirmed")]
    SubscriberConfirmed,
    /// A subscription has ended.
    #[strum(serialize = "subscriber.ended")]
    SubscriberEnded,
    /// A mail was given up.
    #[strum(serialize = "mail.given_up")]
    MailGivenUp,
}

impl Event {
    /// All events.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    pub(crate) fn parse(text: &str) -> Result<Self, StoreError> {
        text.parse().map_err(|_| StoreError::internal("a stored event is unknown"))
    }
}

/// The receivers of each event.
pub type Receivers = HashMap<Event, Vec<String>>;

impl Store {
    /// Sets who is told of what.
    pub fn tell(&self, receivers: Receivers) {
        *self.receivers().write().unwrap_or_else(PoisonError::into_inner) = receivers;
    }

    /// The receivers of an event.
    pub(crate) fn told_of(&self, event: Event) -> Vec<String> {
        let all = self.receivers().read().unwrap_or_else(PoisonError::into_inner);
        all.get(&event).cloned().unwrap_or_default()
    }

    /// Stops telling a receiver; what is queued for it waits.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn turn_off(&self, url: &str, now: OffsetDateTime) -> Result<(), StoreError> {
        let sql = "INSERT INTO webhooks_off (url, off_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        let values = [url.into(), now.into()];
        self.database().execute(sql, values).await.map(drop)
    }

    /// Tells a receiver again; returns whether it was off.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn turn_on(&self, url: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM webhooks_off WHERE url = $1";
        let changed = self.database().execute(sql, [url.into()]).await?;
        self.wake_workers();
        Ok(changed > 0)
    }
}

/// Queues an event for its receivers, inside the caller's transaction.
pub(crate) async fn announce(
    c: &mut Connection,
    receivers: &[String],
    event: Event,
    about: About,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    for url in receivers {
        let [contact, subscription] = about.ids();
        c.execute(
            "INSERT INTO outbox (id, contact_id, subscription_id, state, attempts, created_at, due_at, \
                 webhook, event) VALUES ($1, $2, $3, 'queued', 0, $4, $4, $5, $6)",
            [
                new_id(now).into(),
                contact,
                subscription,
                now.into(),
                url.as_str().into(),
                event.as_str().into(),
            ],
        )
        .await?;
    }
    Ok(())
}
