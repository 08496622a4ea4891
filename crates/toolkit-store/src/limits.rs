//! Limits of the store, each with its reason.

use std::time::Duration;

use time::Duration as Span;

/// Maximum duration of an operation, including the wait for a connection. The caller learns that
/// the database is unavailable while still listening.
pub const OPERATION_TIMEOUT: Duration = Duration::from_secs(3);

/// Maximum wait for a free or new connection. Below [`OPERATION_TIMEOUT`], so that it strikes
/// first.
pub const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum wait for a PostgreSQL host. The rest of [`OPERATION_TIMEOUT`] is enough for the
/// operation.
pub const CONNECT_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Pause between searches for a PostgreSQL host that accepts writes.
pub const SEEK_PAUSE: Duration = Duration::from_millis(250);

/// Pause between attempts to open an unreachable database.
pub const REOPEN_PAUSE: Duration = Duration::from_secs(1);

/// Maximum wait for another process that writes to the same SQLite file.
pub const BUSY_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Maximum duration of a PostgreSQL statement, enforced by the server.
pub const STATEMENT_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum idle time inside a PostgreSQL transaction. Releases the locks of a vanished client.
pub const IDLE_TRANSACTION_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum wait of a [`ping`](crate::Store::ping). Together with [`PING_MEMORY`] it stays below the
/// second within which the health check must respond.
pub const PING_TIMEOUT: Duration = Duration::from_millis(700);

/// How long a ping result is cached, so that the database gets at most five pings a second.
pub const PING_MEMORY: Duration = Duration::from_millis(200);

/// Maximum time to open, while another process may be migrating.
pub const OPEN_TIMEOUT: Duration = Duration::from_secs(8);

/// Operations queued for the SQLite writer. Beyond it, the answer is immediately "busy".
pub const WRITE_QUEUE_MAX: usize = 1_024;

/// Operations that share one SQLite commit. Enough to spread the cost of a disk flush, few enough
/// that the first does not wait long for the last.
pub const BATCH_MAX: usize = 64;

/// Records read at a time, so that any number takes constant memory.
pub const PAGE_ROWS: i64 = 1_000;

/// Rows per statement of a copy. With ten columns, a third of the values that SQLite allows.
pub const COPY_ROWS: usize = 1_000;

/// Rows deleted per transaction of a purge, so that other operations run in between.
pub const PURGE_BATCH_ROWS: i64 = 500;

/// Distance from the last purge or newest record at which the clock is doubted.
pub const CLOCK_LEAP: Span = Span::days(2);

/// How long a doubted clock must run on, or a large purge must wait, before records are deleted.
pub const CLOCK_DOUBT: Span = Span::days(1);

/// Size to which SQLite's write-ahead log is truncated after a checkpoint.
pub const WAL_BYTES_MAX: u32 = 16 << 20;

/// Characters of a key's label.
pub const LABEL_CHARACTERS_MAX: usize = 200;

/// Octets of an e-mail address (RFC 5321 section 4.5.3.1.3, less the angle brackets).
pub const EMAIL_OCTETS_MAX: usize = 254;

/// Octets of the part before the `@` (RFC 5321 section 4.5.3.1.1).
pub const EMAIL_LOCAL_OCTETS_MAX: usize = 64;

/// Octets of a domain label (RFC 1035 section 2.3.4).
pub const DOMAIN_LABEL_OCTETS_MAX: usize = 63;

/// Characters of an app ID.
pub const APP_ID_CHARACTERS_MAX: usize = 64;

/// Characters of a contact's name.
pub const NAME_CHARACTERS_MAX: usize = 200;

/// Characters of a contact's subject.
pub const SUBJECT_CHARACTERS_MAX: usize = 200;

/// Characters of a contact's message.
pub const MESSAGE_CHARACTERS_MAX: usize = 10_000;

/// Lifetime of a confirmation link.
pub const CONFIRM_TOKEN_LIFETIME: Span = Span::hours(48);

/// An address gets at most one confirmation mail per app in this interval.
pub const CONFIRMATION_INTERVAL: Span = Span::minutes(10);

/// How long an address refused by a mail server gets no further confirmation mails.
pub const UNDELIVERABLE_PAUSE: Span = Span::days(1);

/// Attempts to clear erased text from SQLite's log, 1.5 seconds each.
pub const ERASE_ATTEMPTS: u32 = 4;

/// Maximum number of similar addresses listed.
pub const SIMILAR_MAX: i64 = 20;

/// Confirmation mails per address and day, across all its spellings and all apps. App IDs can be
/// invented, so the interval alone would let someone flood a stranger.
pub const CONFIRMATIONS_PER_ADDRESS_AND_DAY: i64 = 20;

/// Minimum duration of a subscribe request. Longer than the work in any state, so that timing does
/// not reveal the address's state.
pub const SUBSCRIBE_TIME_MIN: Duration = Duration::from_millis(10);

/// Age at which an unconfirmed subscription is deleted, unless its app sets another.
pub const UNCONFIRMED_LIFETIME: Span = Span::days(7);

/// How long a spent challenge is remembered. Its issuer expires it after five minutes.
pub const SPENT_CHALLENGE_LIFETIME: Span = Span::days(1);

/// How long the answer to a request with an idempotency key is kept.
pub const IDEMPOTENCY_LIFETIME: Span = Span::days(1);

/// Time after which a claimed but unanswered request may be repeated. Longer than its work and a
/// challenge take.
pub const IDEMPOTENCY_LEASE: Span = Span::seconds(15);

/// How long the delivery record of a sent mail is kept.
pub const SENT_MAIL_LIFETIME: Span = Span::days(7);

/// How long audit entries are kept.
pub const AUDIT_LIFETIME: Span = Span::days(730);

/// Age at which an undeliverable mail is given up.
pub const MAIL_LIFETIME: Span = Span::hours(72);

/// Minimum attempts for every mail and event, however old. One that waited a long time for its
/// receiver or a server is not given up at its first failure.
pub const ATTEMPTS_MIN: u32 = 10;

/// Wait after the first failed attempt. It doubles with each further one.
pub const RETRY_FIRST: Span = Span::seconds(15);

/// Maximum wait between attempts, before jitter.
pub const RETRY_MAX: Span = Span::hours(1);

/// Mails due later than this count as due now. Longer than any wait.
pub const DUE_AHEAD_MAX: Span = Span::hours(2);

/// Mails that a worker leases together. Each costs three statements, all in one operation.
pub const CLAIM_MAX: u32 = 50;

/// Interval between key refreshes. A revoked key stops working well within five seconds.
pub const KEY_REFRESH_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum time of a refresh for a key outside the cache.
pub const KEY_LOOKUP_TIMEOUT: Duration = Duration::from_secs(2);

/// Pause before such a refresh, so that at most fifty run per second and many unknown keys share one.
pub const KEY_REFRESH_PAUSE: Duration = Duration::from_millis(20);

/// How long known keys keep working without a refresh. A key revoked meanwhile must not work
/// indefinitely.
pub const KEY_LIFETIME_UNREFRESHED: Duration = Duration::from_mins(15);
