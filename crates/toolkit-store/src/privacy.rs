//! Personal data requests: export and erasure by e-mail address.

use std::fmt;

use serde::Serialize;
use time::OffsetDateTime;
use time::serde::rfc3339;

use crate::contacts::{Contact, contact};
use crate::database::{Connection, Row};
use crate::error::StoreError;
use crate::subscriptions::SubscriptionState;
use crate::{Email, Store};

/// All data stored about an address.
#[derive(Serialize)]
pub struct PersonalData {
    /// The requested address.
    pub email: String,
    /// Its messages, the oldest first.
    pub contacts: Vec<Contact>,
    /// Its subscriptions, in the order of their apps.
    pub subscriptions: Vec<SubscriptionData>,
}

/// Stored data of a subscription. Its links are stored only as digests, which cannot be exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SubscriptionData {
    /// The app.
    pub app_id: String,
    /// State of the subscription.
    pub state: SubscriptionState,
    /// Time of the first request.
    #[serde(with = "rfc3339")]
    pub created_at: OffsetDateTime,
    /// Time of the last request.
    #[serde(with = "rfc3339")]
    pub requested_at: OffsetDateTime,
    /// Time when a confirmation mail was last queued or sent.
    #[serde(with = "rfc3339::option")]
    pub mailed_at: Option<OffsetDateTime>,
    /// Time of confirmation.
    #[serde(with = "rfc3339::option")]
    pub confirmed_at: Option<OffsetDateTime>,
    /// Time when it ended.
    #[serde(with = "rfc3339::option")]
    pub unsubscribed_at: Option<OffsetDateTime>,
}

/// Shows only counts: debug output ends up in logs.
impl fmt::Debug for PersonalData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (contacts, subscriptions) = (self.contacts.len(), self.subscriptions.len());
        write!(
            f,
            "PersonalData({contacts} contacts, {subscriptions} subscriptions)"
        )
    }
}

/// Number of records deleted for an address, with all their mails and links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    /// Messages.
    pub contacts: u64,
    /// Subscriptions.
    pub subscriptions: u64,
}

impl Store {
    /// Returns all data stored about an address.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn export(&self, email: &Email) -> Result<PersonalData, StoreError> {
        let email = email.to_string();
        self.database()
            .read(move |c| {
                Box::pin(async move {
                    Ok(PersonalData {
                        contacts: contacts(c, &email).await?,
                        subscriptions: subscriptions(c, &email).await?,
                        email,
                    })
                })
            })
            .await
    }

    /// Deletes all data stored about an address, including unsent mails. Its subscriptions are
    /// deleted too: a new request starts from the beginning.
    ///
    /// # Errors
    ///
    /// Database errors. After [`StoreError::Unavailable`] call it again: the rows may already be
    /// deleted but still be readable in the file.
    pub async fn erase(&self, email: &Email) -> Result<Erased, StoreError> {
        let email = email.to_string();
        let erased = self
            .database()
            .write(move |c| {
                Box::pin(async move {
                    let email = || email.as_str().into();
                    let contacts = "DELETE FROM contacts WHERE email = $1";
                    let subscriptions = "DELETE FROM subscriptions WHERE email = $1";
                    Ok(Erased {
                        contacts: c.execute(contacts, [email()]).await?,
                        subscriptions: c.execute(subscriptions, [email()]).await?,
                    })
                })
            })
            .await?;
        self.database().shrink().await?;
        Ok(erased)
    }
}

async fn contacts(c: &mut Connection, email: &str) -> Result<Vec<Contact>, StoreError> {
    let sql = "SELECT id, name, email, subject, message, created_at FROM contacts \
               WHERE email = $1 ORDER BY created_at, id";
    c.rows(sql, [email.into()])
        .await?
        .iter()
        .map(contact)
        .collect()
}

async fn subscriptions(
    c: &mut Connection,
    email: &str,
) -> Result<Vec<SubscriptionData>, StoreError> {
    let sql = "SELECT app_id, state, created_at, requested_at, mailed_at, confirmed_at, unsubscribed_at \
               FROM subscriptions WHERE email = $1 ORDER BY app_id";
    c.rows(sql, [email.into()])
        .await?
        .iter()
        .map(subscription)
        .collect()
}

fn subscription(row: &Row) -> Result<SubscriptionData, StoreError> {
    Ok(SubscriptionData {
        app_id: row.get("app_id")?,
        state: SubscriptionState::parse(row.get("state")?)?,
        created_at: row.time("created_at")?,
        requested_at: row.time("requested_at")?,
        mailed_at: row.optional_time("mailed_at")?,
        confirmed_at: row.optional_time("confirmed_at")?,
        unsubscribed_at: row.optional_time("unsubscribed_at")?,
    })
}
