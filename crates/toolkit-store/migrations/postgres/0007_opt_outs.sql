ALTER TABLE contacts ADD COLUMN app_id TEXT;

-- Who vouches for an imported confirmation.
ALTER TABLE subscriptions ADD COLUMN confirmed_by TEXT;
-- When a mail server refused the address for good. Such a subscription is still pending.
ALTER TABLE subscriptions ADD COLUMN undeliverable_at BIGINT;
CREATE INDEX subscriptions_undeliverable ON subscriptions (undeliverable_at) WHERE undeliverable_at IS NOT NULL;
UPDATE subscriptions SET undeliverable_at = (
    SELECT MAX(settled_at) FROM outbox WHERE subscription_id = subscriptions.id AND state = 'dead' AND failure LIKE 'smtp 5%'
) WHERE state = 'pending';
DELETE FROM outbox WHERE state = 'dead' AND subscription_id IS NOT NULL AND failure LIKE 'smtp 5%';

-- Keys from which links and challenges are derived. The newest of a purpose makes new ones, all of them check.
CREATE TABLE secrets (
    id TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    value BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);

-- Digests of the unsubscribe tokens, from before they were derived, of subscriptions that are gone.
CREATE TABLE ended_links (digest BYTEA PRIMARY KEY);

CREATE FUNCTION subscriptions_gone() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO ended_links (digest)
        SELECT digest FROM subscription_tokens WHERE subscription_id = OLD.id AND purpose = 'unsubscribe'
        ON CONFLICT DO NOTHING;
    RETURN OLD;
END $$;
CREATE TRIGGER subscriptions_gone BEFORE DELETE ON subscriptions
    FOR EACH ROW EXECUTE FUNCTION subscriptions_gone();

-- Rows of a version from before `email_key`, written while both run.
CREATE FUNCTION make_email_key() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.email_key := LOWER(NEW.email);
    RETURN NEW;
END $$;
CREATE TRIGGER contacts_email_key BEFORE INSERT ON contacts
    FOR EACH ROW WHEN (NEW.email_key = '') EXECUTE FUNCTION make_email_key();
CREATE TRIGGER subscriptions_email_key BEFORE INSERT ON subscriptions
    FOR EACH ROW WHEN (NEW.email_key = '') EXECUTE FUNCTION make_email_key();

UPDATE contacts SET email_key = LOWER(email) WHERE email_key = '';
UPDATE subscriptions SET email_key = LOWER(email) WHERE email_key = '';
