-- Times are milliseconds since 1970-01-01T00:00:00Z, identifiers are ULIDs in text. Digests are SHA-256:
-- no key, token or challenge is ever stored as it is.

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    digest BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE TABLE contacts (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    subject TEXT,
    message TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX contacts_email ON contacts (email);
CREATE INDEX contacts_created_at ON contacts (created_at);

CREATE TABLE spent_challenges (
    digest BLOB PRIMARY KEY,
    spent_at INTEGER NOT NULL
) STRICT;

CREATE INDEX spent_challenges_spent_at ON spent_challenges (spent_at);

CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    app_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'unsubscribed')),
    created_at INTEGER NOT NULL,
    requested_at INTEGER NOT NULL,
    -- When the latest confirmation mail was queued or, later, sent.
    mailed_at INTEGER,
    confirmed_at INTEGER,
    unsubscribed_at INTEGER,
    UNIQUE (email, app_id)
) STRICT;

-- What was never confirmed goes after a while; the rest stays.
CREATE INDEX subscriptions_unconfirmed ON subscriptions (requested_at) WHERE confirmed_at IS NULL;

CREATE TABLE subscription_tokens (
    digest BLOB PRIMARY KEY,
    subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
    purpose TEXT NOT NULL CHECK (purpose IN ('confirm', 'unsubscribe')),
    -- An unsubscribe token has none: it works for good.
    expires_at INTEGER
) STRICT;

CREATE INDEX subscription_tokens_subscription ON subscription_tokens (subscription_id);
CREATE INDEX subscription_tokens_expires_at ON subscription_tokens (expires_at) WHERE expires_at IS NOT NULL;

-- A row only refers to what a mail is about. The mail is written when it is sent, so no token and no
-- personal data is kept here.
CREATE TABLE outbox (
    id TEXT PRIMARY KEY,
    contact_id TEXT REFERENCES contacts (id) ON DELETE CASCADE,
    subscription_id TEXT REFERENCES subscriptions (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'dead')),
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    -- When the next attempt may start. A worker that takes the row moves it on by its lease.
    due_at INTEGER NOT NULL,
    settled_at INTEGER,
    failure TEXT,
    CHECK ((contact_id IS NULL) <> (subscription_id IS NULL))
) STRICT;

CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'pending';
CREATE INDEX outbox_sent ON outbox (settled_at) WHERE state = 'sent';
CREATE INDEX outbox_dead ON outbox (settled_at) WHERE state = 'dead';
CREATE INDEX outbox_contact ON outbox (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX outbox_subscription ON outbox (subscription_id) WHERE subscription_id IS NOT NULL;

-- One row, written to learn whether the database takes writes.
CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    beats INTEGER NOT NULL
) STRICT;

INSERT INTO heartbeat (id, beats) VALUES (1, 0);
