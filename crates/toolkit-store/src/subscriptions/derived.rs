//! Unsubscribe tokens: derived from a subscription's ID, so that each mail can have the same one.
//!
//! A token is the ID (16 bytes) with its HMAC-SHA256 (RFC 2104, 32 bytes) under a secret kept in
//! the database, in URL-safe Base64. It works after the subscription has ended, and even after it
//! was erased.

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use time::OffsetDateTime;
use ulid::Ulid;

use crate::database::Connection;
use crate::error::StoreError;
use crate::secret::{self, Secret, Use};
use crate::{Store, Token};

/// Makes the tokens of unsubscribe links.
#[derive(Clone, Copy, derive_more::Debug)]
#[debug("UnsubscribeLinks(…)")]
pub struct UnsubscribeLinks(Secret);

impl UnsubscribeLinks {
    /// The token of a subscription.
    pub fn token(&self, subscription: Ulid) -> Token {
        let id = subscription.to_bytes();
        let mac = mac(&self.0, id).finalize().into_bytes();
        Token::of(BASE64URL_NOPAD.encode(&[&id[..], &mac[..]].concat()))
    }
}

impl Store {
    /// Returns the current maker of unsubscribe links.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn unsubscribe_links(
        &self,
        now: OffsetDateTime,
    ) -> Result<UnsubscribeLinks, StoreError> {
        // If a secret exists, nothing has to be written.
        let known = self.database().read(|c| Box::pin(secret::all(c, Use::Links))).await?;
        match known.first() {
            Some(secret) => Ok(UnsubscribeLinks(*secret)),
            None => self.database().write(move |c| Box::pin(links(c, now))).await,
        }
    }

    /// Adds a secret for new unsubscribe links. Existing links keep working.
    ///
    /// # Errors
    ///
    /// Database errors.
    pub async fn rotate_links(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        self.database()
            .write(move |c| {
                Box::pin(async move { secret::add(c, Use::Links, now).await.map(drop) })
            })
            .await
    }
}

pub(crate) async fn links(
    c: &mut Connection,
    now: OffsetDateTime,
) -> Result<UnsubscribeLinks, StoreError> {
    secret::newest(c, Use::Links, now).await.map(UnsubscribeLinks)
}

/// The subscription of a token issued here.
pub(super) async fn subscription(
    c: &mut Connection,
    token: &str,
) -> Result<Option<Ulid>, StoreError> {
    let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).unwrap_or_default();
    let Some((id, digest)) = bytes.split_first_chunk::<16>() else {
        return Ok(None);
    };
    let is_ours = |secret| mac(secret, *id).verify_slice(digest).is_ok();
    let secrets = secret::all(c, Use::Links).await?;
    Ok(secrets.iter().any(is_ours).then(|| Ulid::from_bytes(*id)))
}

fn mac(secret: &Secret, id: [u8; 16]) -> Hmac<Sha256> {
    // HMAC pads shorter keys with zeros (RFC 2104, section 2).
    let mut key = [0; 64];
    key.iter_mut().zip(secret).for_each(|(byte, own)| *byte = *own);
    Hmac::<Sha256>::new(&key.into()).chain_update("unsubscribe\0").chain_update(id)
}
