-- A row with `webhook`, a URL of the settings, tells that receiver of an event. It waits as `queued`: a version that does
-- not know webhooks would send what is `pending` as a mail.
ALTER TABLE outbox ADD COLUMN webhook TEXT;
ALTER TABLE outbox ADD COLUMN event TEXT;
ALTER TABLE outbox DROP CONSTRAINT outbox_state_check;
ALTER TABLE outbox ADD CONSTRAINT outbox_state_check CHECK (state IN ('pending', 'queued', 'sent', 'dead'));
-- One lane each.
CREATE INDEX outbox_contacts_due ON outbox (due_at) WHERE state = 'pending' AND contact_id IS NOT NULL;
CREATE INDEX outbox_subscriptions_due ON outbox (due_at) WHERE state = 'pending' AND subscription_id IS NOT NULL;
CREATE INDEX outbox_webhooks_due ON outbox (due_at) WHERE state = 'queued';

-- Receivers that have answered that they are gone (410).
CREATE TABLE webhooks_off (
    url TEXT PRIMARY KEY,
    off_at BIGINT NOT NULL
);

-- Who did what. No personal data but the name of the actor.
CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    about TEXT NOT NULL,
    -- 1: it is in the log of a server.
    logged BIGINT NOT NULL DEFAULT 0
);

CREATE INDEX audit_unlogged ON audit (id) WHERE logged = 0;
