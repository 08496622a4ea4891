#![doc = include_str!("../README.md")]

mod app_id;
mod audit;
mod backup;
mod challenges;
mod contacts;
mod copy;
mod database;
mod email;
mod error;
mod idempotency;
mod keys;
pub mod limits;
mod mailbox;
mod outbox;
mod privacy;
mod records;
mod retention;
mod secret;
mod store;
mod subscriptions;
mod token;
mod webhooks;

pub use ulid::Ulid;

pub use self::app_id::{AppId, AppIdError};
pub use self::audit::AuditEntry;
pub use self::backup::BackupError;
pub use self::challenges::Receipt;
pub use self::contacts::{Contact, ContactError, Contacts, NewContact};
pub use self::copy::CopyError;
pub use self::database::{Access, Backend, Connections, Usage};
pub use self::email::{Email, EmailError};
pub use self::error::{Cause, Mismatch, Reason, StoreError};
pub use self::idempotency::{Attempt, Claim, Claimed};
pub use self::keys::{
    ApiKey, DayTokens, KeyCache, KeyLabel, KeyLabelError, KeyRecord, KeyTerms, Keys,
    KeysUnavailable, MalformedKey, Revocation, Scope,
};
pub use self::mailbox::{ClaimedMail, ConfirmationMail, Mail, Notice, Queue, Subject};
pub use self::outbox::{Disposition, Entry, Failure, Outbox, OutboxStats};
pub use self::privacy::{Erased, PersonalData, SubscriptionData};
pub use self::records::{Subscriber, SubscriberFilter};
pub use self::retention::{PurgeWait, Purged};
pub use self::store::Store;
pub use self::subscriptions::{
    Ended, Imported, Link, Pressed, Purpose, SubscriptionState, Subscriptions, UnsubscribeLinks,
};
pub use self::token::Token;
pub use self::webhooks::{Event, Receivers};
