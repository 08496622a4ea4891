//! Webhooks: events, each queued for its receivers in the transaction that causes it.
//!
//! A row says what an event is about. The content is read when the event is sent, so that erased
//! data is not sent out, only the fact that it was erased.

use std::collections::HashMap;
use std::sync::PoisonError;

use strum::{EnumString, IntoStaticStr, VariantArray};
use time::OffsetDateTime;

use crate::Store;
use crate::database::{Connection, new_id};
use crate::error::StoreError;
use crate::outbox::About;

/// An event that receivers can subscribe to.
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

/// The receivers of each event, by their names in the outbox.
pub type Receivers = HashMap<Event, Vec<String>>;

impl Store {
    /// Sets which receivers get which events. Events for other receivers wait for a process that
    /// knows them.
    pub fn tell(&self, receivers: Receivers) {
        *self.receivers().write().unwrap_or_else(PoisonError::into_inner) = receivers;
        self.wake_worker();
    }

    /// The receivers of an event.
    pub(crate) fn receivers_of(&self, event: Event) -> Vec<String> {
        let all = self.receivers().read().unwrap_or_else(PoisonError::into_inner);
        all.get(&event).cloned().unwrap_or_default()
    }

    /// Whether this process knows a receiver.
    pub(crate) fn knows(&self, receiver: &str) -> bool {
        let all = self.receivers().read().unwrap_or_else(PoisonError::into_inner);
        all.values().flatten().any(|known| known == receiver)
    }

    /// Turns off a receiver. Its queued events wait.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn turn_off(&self, receiver: &str, now: OffsetDateTime) -> Result<(), StoreError> {
        let sql =
            "INSERT INTO webhooks_off (receiver, off_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        let values = [receiver.into(), now.into()];
        self.database().execute(sql, values).await.map(drop)
    }

    /// Turns a receiver on again. Returns whether it was off.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn turn_on(&self, receiver: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM webhooks_off WHERE receiver = $1";
        let changed = self.database().execute(sql, [receiver.into()]).await?;
        self.wake_worker();
        Ok(changed > 0)
    }
}

/// Queues an event for its receivers in the caller's transaction.
pub(crate) async fn announce(
    c: &mut Connection,
    receivers: &[String],
    event: Event,
    about: About,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    for receiver in receivers {
        let [contact, subscription, erased_id, erased_app] = about.clone().values();
        c.execute(
            "INSERT INTO outbox (id, contact_id, subscription_id, erased_id, erased_app, state, attempts, \
                 created_at, due_at, webhook, event) \
             VALUES ($1, $2, $3, $4, $5, 'pending', 0, $6, $6, $7, $8)",
            [
                new_id(now).into(),
                contact,
                subscription,
                erased_id,
                erased_app,
                now.into(),
                receiver.as_str().into(),
                event.as_str().into(),
            ],
        )
        .await?;
    }
    Ok(())
}
