//! Limits of the store, each with its reason.

use std::time::Duration;

use time::Duration as Span;

/// Longest duration of an operation, including the wait for a connection: its caller learns that
/// the database is unavailable while still listening.
pub const OPERATION_TIMEOUT: Duration = Duration::from_secs(3);

/// Longest wait for a free or new connection; below [`OPERATION_TIMEOUT`], so that it is reached
/// first.
pub const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

/// Longest wait for a host of PostgreSQL: what is left of [`OPERATION_TIMEOUT`] is enough for the operation.
pub const CONNECT_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Pause between two searches for a host of PostgreSQL that takes writes.
pub const SEEK_PAUSE: Duration = Duration::from_millis(250);

/// Pause between two attempts to open a database that is waited for.
pub const REOPEN_PAUSE: Duration = Duration::from_secs(1);

/// Longest wait for another process that writes to the same SQLite file.
pub const BUSY_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Longest run of one statement on PostgreSQL, enforced by the server.
pub const STATEMENT_TIMEOUT: Duration = Duration::from_secs(2);

/// Longest idle time inside a transaction on PostgreSQL: releases the locks of a vanished client.
pub const IDLE_TRANSACTION_TIMEOUT: Duration = Duration::from_secs(5);

/// Longest wait of a [`ping`](crate::Store::ping): with [`PING_MEMORY`] it stays below the second
/// within which a health report must answer.
pub const PING_TIMEOUT: Duration = Duration::from_millis(700);

/// Time for which the result of a ping is cached: the database is pinged five times a second at
/// most, however often health is requested.
pub const PING_MEMORY: Duration = Duration::from_millis(200);

/// Longest time for opening, with another process migrating meanwhile.
pub const OPEN_TIMEOUT: Duration = Duration::from_secs(8);

/// Operations queued for the SQLite writer; beyond it the answer is immediately that it is busy.
pub const WRITE_QUEUE_MAX: usize = 1_024;

/// Operations that share one commit on SQLite: enough to spread the cost of a disk flush, few
/// enough that the first does not wait long for the last.
pub const BATCH_MAX: usize = 64;

/// Records read at a time: any number is read in constant memory.
pub const PAGE_ROWS: i64 = 1_000;

/// Rows that one statement of a copy inserts: with ten columns, a third of the values that SQLite takes.
pub const COPY_ROWS: usize = 1_000;

/// Rows deleted by one transaction of a purge: other operations run between two of them.
pub const PURGE_BATCH_ROWS: i64 = 500;

/// Distance to the last purge, or the newest record, at which the clock is doubted.
pub const CLOCK_LEAP: Span = Span::days(2);

/// Time for which a doubted clock must go on before it is trusted, and a purge of much waits.
pub const CLOCK_DOUBT: Span = Span::days(1);

/// Bytes to which the write-ahead log of SQLite is truncated after a checkpoint.
pub const WAL_BYTES_MAX: u32 = 16 << 20;

/// Characters of the label of a key.
pub const LABEL_CHARACTERS_MAX: usize = 200;

/// Octets of an e-mail address (RFC 5321 section 4.5.3.1.3, less the angle brackets).
pub const EMAIL_OCTETS_MAX: usize = 254;

/// Octets of the part before the `@` (RFC 5321 section 4.5.3.1.1).
pub const EMAIL_LOCAL_OCTETS_MAX: usize = 64;

/// Octets of one label of a domain (RFC 1035 section 2.3.4).
pub const DOMAIN_LABEL_OCTETS_MAX: usize = 63;

/// Characters of an app id.
pub const APP_ID_CHARACTERS_MAX: usize = 64;

/// Characters of a contact's name.
pub const NAME_CHARACTERS_MAX: usize = 200;

/// Characters of a contact's subject.
pub const SUBJECT_CHARACTERS_MAX: usize = 200;

/// Characters of a contact's message.
pub const MESSAGE_CHARACTERS_MAX: usize = 10_000;

/// Lifetime of a confirmation link.
pub const CONFIRM_TOKEN_LIFETIME: Span = Span::hours(48);

/// Interval in which an address gets at most one confirmation mail for an app.
pub const CONFIRMATION_INTERVAL: Span = Span::minutes(10);

/// Time for which an address that a mail server has refused gets no further confirmation mail.
pub const UNDELIVERABLE_PAUSE: Span = Span::days(1);

/// Attempts of an erasure to clear the deleted text from the log of SQLite, 1.5 seconds each.
pub const ERASE_ATTEMPTS: u32 = 4;

/// Similar addresses that are listed.
pub const SIMILAR_MAX: i64 = 20;

/// Confirmation mails per address and day, in all its spellings and over all apps: app ids can be invented, so the interval
/// alone would let someone flood a stranger.
pub const CONFIRMATIONS_PER_ADDRESS_AND_DAY: i64 = 20;

/// Minimum duration of a request to subscribe: longer than its work in any state, so that timing
/// does not reveal the state of the address.
pub const SUBSCRIBE_TIME_MIN: Duration = Duration::from_millis(10);

/// Time after which an unconfirmed subscription is deleted, unless its app has another.
pub const UNCONFIRMED_LIFETIME: Span = Span::days(7);

/// Time for which a spent challenge is remembered; its issuer expires it after five minutes.
pub const SPENT_CHALLENGE_LIFETIME: Span = Span::days(1);

/// Time for which the answer to a request with an idempotency key is remembered.
pub const IDEMPOTENCY_LIFETIME: Span = Span::days(1);

/// Time after which a request that a process has claimed and not answered may be repeated: longer
/// than its work and a challenge take.
pub const IDEMPOTENCY_LEASE: Span = Span::seconds(15);

/// Retention of a sent mail's delivery record.
pub const SENT_MAIL_LIFETIME: Span = Span::days(7);

/// Retention of the audit.
pub const AUDIT_LIFETIME: Span = Span::days(730);

/// Age at which an undeliverable mail is given up.
pub const MAIL_LIFETIME: Span = Span::hours(72);

/// Wait after the first failure to send a mail; it doubles with each further one.
pub const RETRY_FIRST: Span = Span::seconds(15);

/// Longest wait between two attempts to send a mail, before jitter.
pub const RETRY_MAX: Span = Span::hours(1);

/// Time ahead at which a mail counts as due: longer than any wait.
pub const DUE_AHEAD_MAX: Span = Span::hours(2);

/// Mails that a worker leases at once: each costs three statements, and all of them one operation.
pub const CLAIM_MAX: u32 = 50;

/// Interval between refreshes of the active keys: a revoked key stops working well within five
/// seconds.
pub const KEY_REFRESH_INTERVAL: Duration = Duration::from_secs(1);

/// Longest wait for the lookup of a key that is not in the cache.
pub const KEY_LOOKUP_TIMEOUT: Duration = Duration::from_secs(2);

/// Lookups of unknown keys between two refreshes: a new key works within its first second.
pub const KEY_LOOKUPS_MAX: u32 = 50;

/// Time for which known keys keep working while they cannot be refreshed: one that was revoked in
/// the meantime must not work for good.
pub const KEY_LIFETIME_UNREFRESHED: Duration = Duration::from_mins(15);
