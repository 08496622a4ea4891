//! Personal data requests: export and erasure by e-mail address.

use serde::Serialize;
use time::OffsetDateTime;
use time::serde::rfc3339;

use crate::contacts::{Contact, contact};
use crate::database::{Connection, Row};
use crate::error::StoreError;
use crate::limits::{ERASE_ATTEMPTS, SIMILAR_MAX};
use crate::outbox::About;
use crate::subscriptions::SubscriptionState;
use crate::webhooks::{Event, announce};
use crate::{Email, Store};

/// All data stored about an address.
#[derive(Serialize, derive_more::Debug)]
#[debug("PersonalData({} contacts, {} subscriptions)", contacts.len(), subscriptions.len())]
pub struct PersonalData {
    /// The requested address.
    pub email: String,
    /// Its messages, oldest first.
    pub contacts: Vec<Contact>,
    /// Its subscriptions, ordered by app.
    pub subscriptions: Vec<SubscriptionData>,
}

/// Stored data of a subscription, without its links, which are only stored as digests.
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
    /// Who vouches for the confirmation, if imported.
    pub confirmed_by: Option<String>,
    /// Time when it last ended.
    #[serde(with = "rfc3339::option")]
    pub unsubscribed_at: Option<OffsetDateTime>,
    /// Time when a mail server refused the address permanently.
    #[serde(with = "rfc3339::option")]
    pub undeliverable_at: Option<OffsetDateTime>,
}

/// Records deleted for an address, with all their mails and links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erased {
    /// Messages.
    pub contacts: u64,
    /// Subscriptions.
    pub subscriptions: u64,
    /// Webhook receivers that are told of the subscriptions.
    pub receivers: usize,
    /// Whether their text is gone from the files too. A program that reads an SQLite database keeps
    /// it in the log.
    pub is_overwritten: bool,
}

/// Addresses that match without their dots: exactly, or with a `+` suffix.
const SIMILAR: &str = "SELECT email FROM (SELECT email, email_key FROM contacts \
    UNION SELECT email, email_key FROM subscriptions) AS known \
    WHERE email_key <> $1 AND (REPLACE(email_key, '.', '') = $2 \
    OR REPLACE(email_key, '.', '') LIKE $3 ESCAPE '\\') ORDER BY email LIMIT $4";

impl Store {
    /// Returns all data stored about an address, regardless of its case and its domain's form.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn export(&self, email: &Email) -> Result<PersonalData, StoreError> {
        let email = email.clone();
        self.database()
            .read(move |c| {
                Box::pin(async move {
                    Ok(PersonalData {
                        contacts: contacts(c, &email).await?,
                        subscriptions: subscriptions(c, &email).await?,
                        email: email.to_string(),
                    })
                })
            })
            .await
    }

    /// Lists addresses that may be meant: they differ in dots and in what follows a `+` before the
    /// `@`, which many mail servers ignore.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn similar(&self, email: &Email) -> Result<Vec<String>, StoreError> {
        let key = email.key();
        let (local, domain) = key.split_once('@').unwrap_or((&key, ""));
        let local = local.split('+').next().unwrap_or_default().replace('.', "");
        let domain = domain.replace('.', "");
        let pattern = local.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
        let values = [
            key.as_str().into(),
            format!("{local}@{domain}").into(),
            format!("{pattern}+%@{domain}").into(),
            SIMILAR_MAX.into(),
        ];
        let rows = self.database().rows(SIMILAR, values).await?;
        rows.iter().map(|row| row.get("email")).collect()
    }

    /// Deletes all data stored about an address, including unsent mails and subscriptions, so a new
    /// request starts over. Unsubscribe links keep working. Webhook receivers get the IDs, but not
    /// the address (GDPR, article 19).
    ///
    /// # Errors
    ///
    /// Database errors. After one that [may pass](StoreError::is_unavailable), call it again: the
    /// rows may be deleted but still readable in the file.
    pub async fn erase(&self, email: &Email, now: OffsetDateTime) -> Result<Erased, StoreError> {
        let email = email.clone();
        let receivers = self.receivers_of(Event::SubscriberEnded);
        let mut erased = self
            .database()
            .write(move |c| {
                Box::pin(async move {
                    let contacts = "DELETE FROM contacts WHERE email_key = $1";
                    let contacts = c.execute(contacts, [email.key().into()]).await?;
                    let sql = "DELETE FROM subscriptions WHERE email_key = $1 RETURNING id, app_id";
                    let mut subscriptions = 0;
                    for row in &c.rows(sql, [email.key().into()]).await? {
                        let about = About::Erased { id: row.id("id")?, app_id: row.get("app_id")? };
                        announce(c, &receivers, Event::SubscriberEnded, about, now).await?;
                        subscriptions += 1;
                    }
                    let receivers = receivers.len();
                    Ok(Erased { contacts, subscriptions, receivers, is_overwritten: false })
                })
            })
            .await?;
        for _ in 0..ERASE_ATTEMPTS {
            erased.is_overwritten = self.database().shrink().await?;
            if erased.is_overwritten {
                break;
            }
        }
        Ok(erased)
    }
}

async fn contacts(c: &mut Connection, email: &Email) -> Result<Vec<Contact>, StoreError> {
    let sql = "SELECT * FROM contacts WHERE email_key = $1 ORDER BY created_at, id";
    c.rows(sql, [email.key().into()]).await?.iter().map(contact).collect()
}

async fn subscriptions(
    c: &mut Connection,
    email: &Email,
) -> Result<Vec<SubscriptionData>, StoreError> {
    let sql = "SELECT * FROM subscriptions WHERE email_key = $1 ORDER BY app_id, created_at";
    c.rows(sql, [email.key().into()]).await?.iter().map(subscription).collect()
}

/// Reads a row of `subscriptions`.
pub(crate) fn subscription(row: &Row) -> Result<SubscriptionData, StoreError> {
    Ok(SubscriptionData {
        app_id: row.get("app_id")?,
        state: SubscriptionState::of(row)?,
        created_at: row.time("created_at")?,
        requested_at: row.time("requested_at")?,
        mailed_at: row.optional_time("mailed_at")?,
        confirmed_at: row.optional_time("confirmed_at")?,
        confirmed_by: row.get("confirmed_by")?,
        unsubscribed_at: row.optional_time("unsubscribed_at")?,
        undeliverable_at: row.optional_time("undeliverable_at")?,
    })
}
