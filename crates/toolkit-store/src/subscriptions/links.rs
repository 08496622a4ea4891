//! Confirmation and unsubscribe links: their tokens, and their buttons' actions.

use time::OffsetDateTime;
use ulid::Ulid;

use super::{Link, Pressed, Purpose, SubscriptionState, derived};
use crate::database::{Connection, Row};
use crate::error::StoreError;
use crate::outbox::About;
use crate::token::{Token, digest_of};
use crate::webhooks::{Event, announce};

/// Generates the token of a confirmation link and stores its digest.
pub(crate) async fn issue(
    c: &mut Connection,
    subscription: Ulid,
    expires_at: OffsetDateTime,
) -> Result<Token, StoreError> {
    let token = Token::generate();
    c.execute(
        "INSERT INTO subscription_tokens (digest, subscription_id, expires_at) VALUES ($1, $2, $3)",
        [token.digest().into(), subscription.into(), expires_at.into()],
    )
    .await?;
    Ok(token)
}

/// Looks up a link, with its subscription's ID if that still exists.
pub(super) async fn find(
    c: &mut Connection,
    token: &str,
    purpose: Purpose,
    now: OffsetDateTime,
) -> Result<Option<(Link, Option<Ulid>)>, StoreError> {
    if purpose == Purpose::Unsubscribe {
        let Some(id) = derived::subscription(c, token).await? else {
            return Ok(None);
        };
        let sql = "SELECT *, CAST(NULL AS BIGINT) AS expires_at FROM subscriptions WHERE id = $1";
        let row = c.row(sql, [id.into()]).await?;
        return Ok(Some(row.map_or_else(|| Ok(gone()), |row| link(&row, now))?));
    }
    let Some(digest) = digest_of(token) else {
        return Ok(None);
    };
    let row = c
        .row(
            "SELECT s.*, t.expires_at FROM subscription_tokens t \
             JOIN subscriptions s ON s.id = t.subscription_id WHERE t.digest = $1",
            [digest.into()],
        )
        .await?;
    row.map(|row| link(&row, now)).transpose()
}

fn link(row: &Row, now: OffsetDateTime) -> Result<(Link, Option<Ulid>), StoreError> {
    let state = SubscriptionState::of(row)?;
    let is_past = row.optional_time("expires_at")?.is_some_and(|expires_at| expires_at <= now);
    let link = Link {
        email: row.get("email")?,
        app_id: row.get("app_id")?,
        state,
        is_expired: is_past && state != SubscriptionState::Confirmed,
    };
    Ok((link, Some(row.id("id")?)))
}

/// The link of an erased subscription.
fn gone() -> (Link, Option<Ulid>) {
    let link = Link {
        email: String::new(),
        app_id: String::new(),
        state: SubscriptionState::Unsubscribed,
        is_expired: false,
    };
    (link, None)
}

pub(super) async fn confirm(
    c: &mut Connection,
    token: String,
    told: Vec<String>,
    now: OffsetDateTime,
) -> Result<Pressed, StoreError> {
    let Some((_, Some(subscription))) = find(c, &token, Purpose::Confirm, now).await? else {
        return Ok(Pressed::Unknown);
    };
    // A concurrent unsubscription takes the row before it deletes the link, so only the holder of
    // the row knows.
    let hold = "UPDATE subscriptions SET requested_at = requested_at WHERE id = $1";
    c.execute(hold, [subscription.into()]).await?;
    let Some((mut link, _)) = find(c, &token, Purpose::Confirm, now).await? else {
        return Ok(Pressed::Unknown);
    };
    if link.is_expired {
        return Ok(Pressed::Expired);
    }
    let changed = c
        .execute(
            "UPDATE subscriptions SET state = 'confirmed', confirmed_at = $2, confirmed_by = NULL \
             WHERE id = $1 AND state <> 'confirmed'",
            [subscription.into(), now.into()],
        )
        .await?;
    if changed > 0 {
        let about = About::Subscription(subscription);
        announce(c, &told, Event::SubscriberConfirmed, about, now).await?;
    }
    drop_unsent_mails(c, subscription).await?;
    link.state = SubscriptionState::Confirmed;
    Ok(Pressed::Done(link))
}

pub(super) async fn unsubscribe(
    c: &mut Connection,
    token: String,
    told: Vec<String>,
    now: OffsetDateTime,
) -> Result<Pressed, StoreError> {
    let Some((mut link, subscription)) = find(c, &token, Purpose::Unsubscribe, now).await? else {
        return Ok(Pressed::Unknown);
    };
    if let Some(subscription) = subscription {
        end(c, subscription, &told, now).await?;
    }
    link.state = SubscriptionState::Unsubscribed;
    Ok(Pressed::Done(link))
}

/// Ends a subscription and withdraws what could restart it. Returns whether it ended now.
pub(super) async fn end(
    c: &mut Connection,
    subscription: Ulid,
    told: &[String],
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    // Of two concurrent calls, the second sees the first one's result.
    let hold = "UPDATE subscriptions SET requested_at = requested_at WHERE id = $1 RETURNING state";
    let row = c.row(hold, [subscription.into()]).await?;
    let state: Option<String> = row.map(|row| row.get("state")).transpose()?;
    let is_new = state.is_some_and(|state| state != "unsubscribed");
    if is_new {
        let sql =
            "UPDATE subscriptions SET state = 'unsubscribed', unsubscribed_at = $2 WHERE id = $1";
        c.execute(sql, [subscription.into(), now.into()]).await?;
    }
    let sql = "DELETE FROM subscription_tokens WHERE subscription_id = $1";
    c.execute(sql, [subscription.into()]).await?;
    drop_unsent_mails(c, subscription).await?;
    if is_new {
        let about = About::Subscription(subscription);
        announce(c, told, Event::SubscriberEnded, about, now).await?;
    }
    Ok(is_new)
}

/// Withdraws mails about a decision already made, including given-up ones.
async fn drop_unsent_mails(c: &mut Connection, subscription: Ulid) -> Result<(), StoreError> {
    c.execute(
        "DELETE FROM outbox WHERE subscription_id = $1 AND state <> 'sent' AND webhook IS NULL",
        [subscription.into()],
    )
    .await
    .map(drop)
}
