//! Operator records: subscribers and messages, in pages, so that any number can be read.

use serde::Serialize;
use time::OffsetDateTime;
use ulid::Ulid;

use crate::contacts::{Contact, contact};
use crate::database::{Row, serialize_id};
use crate::error::StoreError;
use crate::limits::PAGE_ROWS;
use crate::privacy::{SubscriptionData, subscription};
use crate::subscriptions::SubscriptionState;
use crate::{AppId, Store};

/// A subscriber of an app.
///
/// Debug output ends up in logs, so it shows only the ID.
#[derive(Clone, PartialEq, Eq, Serialize, derive_more::Debug)]
#[debug("Subscriber({id}, …)")]
pub struct Subscriber {
    /// Id of the subscription.
    #[serde(serialize_with = "serialize_id")]
    pub id: Ulid,
    /// The address.
    pub email: String,
    /// The subscription.
    #[serde(flatten)]
    pub subscription: SubscriptionData,
}

/// Selects subscribers. Absent members select all.
#[derive(Debug, Clone, Default)]
pub struct SubscriberFilter {
    /// Of this app.
    pub app_id: Option<AppId>,
    /// In this state.
    pub status: Option<SubscriptionState>,
    /// Requested, confirmed or ended since then.
    pub since: Option<OffsetDateTime>,
}

const SUBSCRIBERS: &str = "SELECT * FROM subscriptions \
    WHERE id > $1 AND ($2 = '' OR app_id = $2) AND ($3 = '' OR state = $3) \
    AND COALESCE(unsubscribed_at, confirmed_at, requested_at) >= $4 ORDER BY id LIMIT $5";
const MESSAGES: &str = "SELECT * FROM contacts WHERE id > $1 AND created_at >= $2 AND ($3 = '' OR app_id = $3) ORDER BY id LIMIT $4";

impl Store {
    /// Returns a page of subscribers after this ID, oldest first. Pass the last ID to get the next
    /// page. An empty page is the end.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn subscribers(
        &self,
        filter: &SubscriberFilter,
        after: Option<Ulid>,
    ) -> Result<Vec<Subscriber>, StoreError> {
        let app_id = filter.app_id.as_ref().map_or("", AppId::as_str);
        let values = [
            after.map_or(String::new(), |id| id.to_string()).into(),
            app_id.into(),
            filter.status.map_or("", SubscriptionState::as_str).into(),
            filter.since.unwrap_or(OffsetDateTime::UNIX_EPOCH).into(),
            PAGE_ROWS.into(),
        ];
        let rows = self.database().rows(SUBSCRIBERS, values).await?;
        rows.iter().map(subscriber).collect()
    }

    /// Returns the messages of one app or all apps after this ID, like
    /// [`subscribers`](Self::subscribers).
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn messages(
        &self,
        app_id: Option<&AppId>,
        since: Option<OffsetDateTime>,
        after: Option<Ulid>,
    ) -> Result<Vec<Contact>, StoreError> {
        let values = [
            after.map_or(String::new(), |id| id.to_string()).into(),
            since.unwrap_or(OffsetDateTime::UNIX_EPOCH).into(),
            app_id.map_or("", AppId::as_str).into(),
            PAGE_ROWS.into(),
        ];
        let rows = self.database().rows(MESSAGES, values).await?;
        rows.iter().map(contact).collect()
    }

    /// Returns a message.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn message(&self, id: Ulid) -> Result<Option<Contact>, StoreError> {
        let sql = "SELECT * FROM contacts WHERE id = $1";
        let rows = self.database().rows(sql, [id.into()]).await?;
        rows.first().map(contact).transpose()
    }
}

pub(crate) fn subscriber(row: &Row) -> Result<Subscriber, StoreError> {
    Ok(Subscriber { id: row.id("id")?, email: row.get("email")?, subscription: subscription(row)? })
}
