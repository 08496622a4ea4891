ALTER TABLE contacts ADD COLUMN app_id TEXT;

-- Who vouches for an imported confirmation.
ALTER TABLE subscriptions ADD COLUMN confirmed_by TEXT;
-- When a mail server refused the address for good. Such a subscription is still pending.
ALTER TABLE subscriptions ADD COLUMN undeliverable_at INTEGER;
CREATE INDEX subscriptions_undeliverable ON subscriptions (undeliverable_at) WHERE undeliverable_at IS NOT NULL;
UPDATE subscriptions SET undeliverable_at = (
    SELECT MAX(settled_at) FROM outbox WHERE subscription_id = subscriptions.id AND state = 'dead' AND failure LIKE 'smtp 5%'
) WHERE state = 'pending';
DELETE FROM outbox WHERE state = 'dead' AND subscription_id IS NOT NULL AND failure LIKE 'smtp 5%';

-- Keys from which links and challenges are derived. The newest of a purpose makes new ones, all of them check.
CREATE TABLE secrets (
    id TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    value BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- Digests of the unsubscribe tokens, from before they were derived, of subscriptions that are gone.
CREATE TABLE ended_links (digest BLOB PRIMARY KEY) STRICT;

CREATE TRIGGER subscriptions_gone BEFORE DELETE ON subscriptions
BEGIN
    INSERT OR IGNORE INTO ended_links (digest)
        SELECT digest FROM subscription_tokens WHERE subscription_id = OLD.id AND purpose = 'unsubscribe';
END;

-- Rows of a version from before `email_key`, written while both run.
CREATE TRIGGER contacts_email_key AFTER INSERT ON contacts WHEN NEW.email_key = ''
BEGIN
    UPDATE contacts SET email_key = LOWER(NEW.email) WHERE id = NEW.id;
END;

CREATE TRIGGER subscriptions_email_key AFTER INSERT ON subscriptions WHEN NEW.email_key = ''
BEGIN
    UPDATE subscriptions SET email_key = LOWER(NEW.email) WHERE id = NEW.id;
END;

UPDATE contacts SET email_key = LOWER(email) WHERE email_key = '';
UPDATE subscriptions SET email_key = LOWER(email) WHERE email_key = '';
