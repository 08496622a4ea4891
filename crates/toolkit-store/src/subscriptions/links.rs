//! Confirmation and unsubscribe links: their tokens, and the actions of their buttons.

use time::OffsetDateTime;
use ulid::Ulid;

use super::{Confirmation, Link, Purpose, SubscriptionState, Unsubscription};
use crate::database::Connection;
use crate::error::StoreError;
use crate::token::Token;

/// Generates a token for a subscription and stores its digest.
pub(crate) async fn issue(
    c: &mut Connection,
    subscription: Ulid,
    purpose: Purpose,
    expires_at: Option<OffsetDateTime>,
) -> Result<Token, StoreError> {
    let token = Token::generate();
    c.execute(
        "INSERT INTO subscription_tokens (digest, subscription_id, purpose, expires_at) \
         VALUES ($1, $2, $3, $4)",
        [
            token.digest().into(),
            subscription.into(),
            purpose.as_str().into(),
            expires_at.into(),
        ],
    )
    .await?;
    Ok(token)
}

/// Looks a link up, and the id of its subscription.
pub(super) async fn find(
    c: &mut Connection,
    digest: [u8; 32],
    purpose: Purpose,
    now: OffsetDateTime,
) -> Result<Option<(Link, Ulid)>, StoreError> {
    let row = c
        .row(
            "SELECT s.id, s.email, s.app_id, s.state, t.expires_at FROM subscription_tokens t \
             JOIN subscriptions s ON s.id = t.subscription_id WHERE t.digest = $1 AND t.purpose = $2",
            [digest.into(), purpose.as_str().into()],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let state = SubscriptionState::parse(row.get("state")?)?;
    let is_past = row
        .optional_time("expires_at")?
        .is_some_and(|expires_at| expires_at <= now);
    let link = Link {
        email: row.get("email")?,
        app_id: row.get("app_id")?,
        state,
        is_expired: is_past && state != SubscriptionState::Confirmed,
    };
    Ok(Some((link, row.id("id")?)))
}

pub(super) async fn confirm(
    c: &mut Connection,
    digest: [u8; 32],
    now: OffsetDateTime,
) -> Result<Confirmation, StoreError> {
    let Some((mut link, subscription)) = find(c, digest, Purpose::Confirm, now).await? else {
        return Ok(Confirmation::Unknown);
    };
    if link.is_expired {
        return Ok(Confirmation::Expired);
    }
    let changed = c
        .execute(
            "UPDATE subscriptions SET state = 'confirmed', confirmed_at = $2 \
             WHERE id = $1 AND state = 'pending'",
            [subscription.into(), now.into()],
        )
        .await?;
    if changed == 0 && !is_confirmed(c, subscription).await? {
        return Ok(Confirmation::Unknown);
    }
    drop_unsent_mails(c, subscription).await?;
    link.state = SubscriptionState::Confirmed;
    Ok(Confirmation::Confirmed(link))
}

/// Queries the state again: on PostgreSQL the button may have been pressed twice at once, or the
/// other button first.
async fn is_confirmed(c: &mut Connection, subscription: Ulid) -> Result<bool, StoreError> {
    let sql = "SELECT id FROM subscriptions WHERE id = $1 AND state = 'confirmed'";
    Ok(c.row(sql, [subscription.into()]).await?.is_some())
}

pub(super) async fn unsubscribe(
    c: &mut Connection,
    digest: [u8; 32],
    now: OffsetDateTime,
) -> Result<Unsubscription, StoreError> {
    let Some((mut link, subscription)) = find(c, digest, Purpose::Unsubscribe, now).await? else {
        return Ok(Unsubscription::Unknown);
    };
    c.execute(
        "UPDATE subscriptions SET state = 'unsubscribed', unsubscribed_at = $2 \
         WHERE id = $1 AND state <> 'unsubscribed'",
        [subscription.into(), now.into()],
    )
    .await?;
    c.execute(
        "DELETE FROM subscription_tokens WHERE subscription_id = $1 AND purpose = 'confirm'",
        [subscription.into()],
    )
    .await?;
    drop_unsent_mails(c, subscription).await?;
    link.state = SubscriptionState::Unsubscribed;
    Ok(Unsubscription::Unsubscribed(link))
}

/// Withdraws mails about a decision already made, including given-up ones.
async fn drop_unsent_mails(c: &mut Connection, subscription: Ulid) -> Result<(), StoreError> {
    c.execute(
        "DELETE FROM outbox WHERE subscription_id = $1 AND state <> 'sent'",
        [subscription.into()],
    )
    .await
    .map(drop)
}
