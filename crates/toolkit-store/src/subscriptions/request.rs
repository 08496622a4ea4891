//! Subscription request: stores it and decides whether a mail is due.

use time::OffsetDateTime;

use super::SubscriptionState;
use crate::database::{Connection, Row, new_id};
use crate::error::StoreError;
use crate::limits::{
    CONFIRMATION_INTERVAL, CONFIRMATIONS_PER_ADDRESS_AND_DAY, UNDELIVERABLE_PAUSE,
};
use crate::outbox::{self, About};
use crate::{AppId, Email};

/// Stores the request and decides whether to send a mail.
///
/// The first statement locks the address (on SQLite, the whole file), so the second of two
/// concurrent requests sees the first one's decision. All statements run in every state, since
/// their number and kind must not reveal it.
pub(super) async fn subscribe(
    c: &mut Connection,
    email: Email,
    app_id: AppId,
    now: OffsetDateTime,
) -> Result<(), StoreError> {
    let key = email.key();
    c.lock(&key).await?;
    let row = c
        .row(
            "INSERT INTO subscriptions (id, email, app_id, state, created_at, requested_at, email_key) \
             VALUES ($1, $2, $3, 'pending', $4, $4, $5) \
             ON CONFLICT (email, app_id) DO UPDATE SET requested_at = excluded.requested_at \
             RETURNING id, state, undeliverable_at, unsubscribed_at",
            [
                new_id(now).into(),
                email.as_str().into(),
                app_id.as_str().into(),
                now.into(),
                key.as_str().into(),
            ],
        )
        .await?
        .ok_or_else(|| StoreError::internal("a subscription was not returned"))?;
    let id = row.id("id")?;
    let mails = count_mails(c, &key, &app_id, now).await?;
    let history = MailHistory::of(&row, &mails)?;
    let due_at = history.mail_due(now);

    c.execute(
        "UPDATE subscriptions SET mailed_at = COALESCE($2, mailed_at), state = CASE \
             WHEN $3 = 1 AND state = 'undeliverable' THEN 'pending' ELSE state END WHERE id = $1",
        [id.into(), due_at.into(), i64::from(due_at.is_some()).into()],
    )
    .await?;
    outbox::enqueue(c, About::Subscription(id), due_at, now).await
}

/// Counts the mails to an address, in all its spellings, and finds the last one for an app.
async fn count_mails(
    c: &mut Connection,
    email_key: &str,
    app_id: &AppId,
    now: OffsetDateTime,
) -> Result<Row, StoreError> {
    c.row(
        "SELECT MAX(s.mailed_at) FILTER (WHERE s.app_id = $2) AS mailed_at, \
                COUNT(*) FILTER (WHERE s.app_id = $2 AND o.state = 'pending') AS waiting, \
                COUNT(*) FILTER (WHERE o.created_at > $3) AS today FROM subscriptions s \
         LEFT JOIN outbox o ON o.subscription_id = s.id AND o.webhook IS NULL \
         WHERE s.email_key = $1",
        [email_key.into(), app_id.as_str().into(), (now - time::Duration::DAY).into()],
    )
    .await?
    .ok_or_else(|| StoreError::internal("a count was not returned"))
}

/// Inputs to the decision whether a mail is due.
struct MailHistory {
    state: SubscriptionState,
    /// When it last ended, and when a mail server last refused the address.
    unsubscribed_at: Option<OffsetDateTime>,
    refused_at: Option<OffsetDateTime>,
    mailed_at: Option<OffsetDateTime>,
    has_mail_waiting: bool,
    mails_today: i64,
}

impl MailHistory {
    fn of(subscription: &Row, mails: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            state: SubscriptionState::of(subscription)?,
            unsubscribed_at: subscription.optional_time("unsubscribed_at")?,
            refused_at: subscription.optional_time("undeliverable_at")?,
            mailed_at: mails.optional_time("mailed_at")?,
            has_mail_waiting: mails.get::<i64>("waiting")? > 0,
            mails_today: mails.get("today")?,
        })
    }

    /// When to send a mail for a request made now, if at all.
    fn mail_due(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        if self.has_mail_waiting || self.mails_today >= CONFIRMATIONS_PER_ADDRESS_AND_DAY {
            return None;
        }
        // The clock may have stepped back, so a mail far in the future does not count as recent.
        let recent = self.mailed_at.filter(|&at| (now - at).abs() < CONFIRMATION_INTERVAL);
        let is_paused = self.refused_at.is_some_and(|at| (now - at).abs() < UNDELIVERABLE_PAUSE);
        match (self.state, recent) {
            // The recent mail's links no longer work, so a new one follows as soon as allowed.
            (SubscriptionState::Unsubscribed, Some(mailed_at))
                if self.unsubscribed_at.is_some_and(|ended_at| mailed_at <= ended_at) =>
            {
                Some(now.max(mailed_at + CONFIRMATION_INTERVAL))
            }
            (SubscriptionState::Confirmed, _) | (_, Some(_)) => None,
            (SubscriptionState::Undeliverable, None) => (!is_paused).then_some(now),
            (SubscriptionState::Pending | SubscriptionState::Unsubscribed, None) => Some(now),
        }
    }
}
