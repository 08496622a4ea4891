-- Times are milliseconds since 1970-01-01T00:00:00Z, identifiers are ULIDs in text. Digests are SHA-256: no key,
-- token or challenge is ever stored as it is. An `email_key` is what all spellings of an address share: it is in
-- lower case, with its domain in ASCII.

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    digest BYTEA NOT NULL UNIQUE,
    created_at BIGINT NOT NULL, expires_at BIGINT, revoked_at BIGINT,
    -- Scopes are separated by commas (NULL: chat, contact and subscribe), the origins of web sites by spaces.
    scopes TEXT, sites TEXT,
    -- 1: its requests name the client on whose behalf they are made.
    forwards_clients BIGINT NOT NULL,
    per_minute BIGINT, tokens_per_day BIGINT,
    -- Tokens of language models used on a day (UTC), which is in days since 1970.
    tokens_day BIGINT NOT NULL DEFAULT 0, tokens_used BIGINT NOT NULL DEFAULT 0,
    requests BIGINT NOT NULL DEFAULT 0, last_used_at BIGINT
);

CREATE TABLE contacts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL, email_key TEXT NOT NULL,
    subject TEXT, message TEXT NOT NULL,
    app_id TEXT,
    created_at BIGINT NOT NULL, mailed_at BIGINT
);
CREATE INDEX contacts_email_key ON contacts (email_key);
CREATE INDEX contacts_created_at ON contacts (created_at);

CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL, email_key TEXT NOT NULL,
    app_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'undeliverable', 'confirmed', 'unsubscribed')),
    created_at BIGINT NOT NULL, requested_at BIGINT NOT NULL,
    -- When the latest confirmation mail was queued or, later, sent; and refused for good.
    mailed_at BIGINT, undeliverable_at BIGINT,
    -- `confirmed_by` vouches for an imported confirmation.
    confirmed_at BIGINT, confirmed_by TEXT,
    unsubscribed_at BIGINT,
    UNIQUE (email, app_id)
);
CREATE INDEX subscriptions_email_key ON subscriptions (email_key);
CREATE INDEX subscriptions_unconfirmed ON subscriptions (requested_at) WHERE confirmed_at IS NULL;
CREATE INDEX subscriptions_undeliverable ON subscriptions (id) WHERE state = 'undeliverable';

-- Of links to confirm; those to unsubscribe are derived.
CREATE TABLE subscription_tokens (
    digest BYTEA PRIMARY KEY,
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
CREATE INDEX subscription_tokens_subscription ON subscription_tokens (subscription_id);
CREATE INDEX subscription_tokens_expires_at ON subscription_tokens (expires_at);

-- A row only refers to what a mail or an event is about: its text is written when it is sent, so no token and no
-- personal data is kept here. A row with `webhook` tells that receiver (its host and a digest of its URL) of `event`; the others are mails.
CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    contact_id TEXT REFERENCES contacts (id) ON DELETE CASCADE,
    subscription_id TEXT REFERENCES subscriptions (id) ON DELETE CASCADE,
    -- Of an erased subscription.
    erased_id TEXT, erased_app TEXT,
    webhook TEXT, event TEXT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'dead')),
    attempts BIGINT NOT NULL, failure TEXT,
    -- `due_at` is when the next attempt may start. A worker that takes the row moves it on by its lease,
    -- and empties `settled_at`, when the last attempt ended.
    created_at BIGINT NOT NULL, due_at BIGINT NOT NULL, settled_at BIGINT,
    CHECK ((contact_id IS NULL) <> (subscription_id IS NULL) OR erased_id IS NOT NULL)
);
CREATE INDEX outbox_contact ON outbox (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX outbox_subscription ON outbox (subscription_id) WHERE subscription_id IS NOT NULL;
CREATE INDEX outbox_mails ON outbox (created_at) WHERE state = 'pending' AND webhook IS NULL;
CREATE INDEX outbox_sent ON outbox (settled_at) WHERE state = 'sent';
CREATE INDEX outbox_dead ON outbox (settled_at) WHERE state = 'dead';
CREATE INDEX outbox_contacts_due ON outbox (due_at) WHERE state = 'pending' AND webhook IS NULL AND contact_id IS NOT NULL;
CREATE INDEX outbox_subscriptions_due ON outbox (due_at) WHERE state = 'pending' AND webhook IS NULL AND contact_id IS NULL;
CREATE INDEX outbox_webhooks_due ON outbox (webhook, due_at) WHERE state = 'pending' AND webhook IS NOT NULL;
-- Receivers that have answered that they are gone (410).
CREATE TABLE webhooks_off (receiver TEXT PRIMARY KEY, off_at BIGINT NOT NULL);

CREATE TABLE spent_challenges (digest BYTEA PRIMARY KEY, spent_at BIGINT NOT NULL);
CREATE INDEX spent_challenges_spent_at ON spent_challenges (spent_at);
-- `digest` is of the API key's id with the idempotency key. Without an answer, the request is being carried out.
CREATE TABLE idempotency_keys (
    digest BYTEA PRIMARY KEY,
    endpoint TEXT NOT NULL, request BYTEA NOT NULL, answer TEXT,
    claimed_at BIGINT NOT NULL
);
CREATE INDEX idempotency_keys_claimed_at ON idempotency_keys (claimed_at);
-- Keys from which links and challenges are derived. The newest of a purpose makes new ones, all of them check.
CREATE TABLE secrets (id TEXT PRIMARY KEY, purpose TEXT NOT NULL, value BYTEA NOT NULL, created_at BIGINT NOT NULL);

-- Who did what, with no personal data but the name of the actor. `logged` is 1 once a server has put it into its log.
CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, about TEXT NOT NULL,
    logged BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX audit_unlogged ON audit (id) WHERE logged = 0;

-- One row: the time of the last purge, and since when the clock has been too far ahead of the one before to be trusted.
CREATE TABLE clock (id BIGINT PRIMARY KEY CHECK (id = 1), seen_at BIGINT, doubted_since BIGINT);
INSERT INTO clock (id) VALUES (1);
-- One row, written to learn whether the database takes writes.
CREATE TABLE heartbeat (id BIGINT PRIMARY KEY CHECK (id = 1), beats BIGINT NOT NULL);
INSERT INTO heartbeat (id, beats) VALUES (1, 0);
