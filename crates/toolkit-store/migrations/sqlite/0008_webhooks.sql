-- A row with `webhook`, a URL of the settings, tells that receiver of an event. It waits as `queued`: a version that does
-- not know webhooks would send what is `pending` as a mail.
CREATE TABLE outbox_with_webhooks (
    id TEXT PRIMARY KEY,
    contact_id TEXT REFERENCES contacts (id) ON DELETE CASCADE,
    subscription_id TEXT REFERENCES subscriptions (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('pending', 'queued', 'sent', 'dead')),
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    settled_at INTEGER,
    failure TEXT,
    webhook TEXT,
    event TEXT,
    CHECK ((contact_id IS NULL) <> (subscription_id IS NULL))
) STRICT;
INSERT INTO outbox_with_webhooks
    SELECT id, contact_id, subscription_id, state, attempts, created_at, due_at, settled_at, failure, NULL, NULL FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_with_webhooks RENAME TO outbox;

CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'pending';
CREATE INDEX outbox_sent ON outbox (settled_at) WHERE state = 'sent';
CREATE INDEX outbox_dead ON outbox (settled_at) WHERE state = 'dead';
CREATE INDEX outbox_contact ON outbox (contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX outbox_subscription ON outbox (subscription_id) WHERE subscription_id IS NOT NULL;
-- One lane each.
CREATE INDEX outbox_contacts_due ON outbox (due_at) WHERE state = 'pending' AND contact_id IS NOT NULL;
CREATE INDEX outbox_subscriptions_due ON outbox (due_at) WHERE state = 'pending' AND subscription_id IS NOT NULL;
CREATE INDEX outbox_webhooks_due ON outbox (due_at) WHERE state = 'queued';

-- Receivers that have answered that they are gone (410).
CREATE TABLE webhooks_off (
    url TEXT PRIMARY KEY,
    off_at INTEGER NOT NULL
) STRICT;

-- Who did what. No personal data but the name of the actor.
CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    about TEXT NOT NULL,
    -- 1: it is in the log of a server.
    logged INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX audit_unlogged ON audit (id) WHERE logged = 0;
