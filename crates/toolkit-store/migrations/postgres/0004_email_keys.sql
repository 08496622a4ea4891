-- The form that all spellings of an address share: in lower case, with the domain in ASCII. In rows from before it
-- the domain is as it was given.
ALTER TABLE contacts ADD COLUMN email_key TEXT NOT NULL DEFAULT '';
UPDATE contacts SET email_key = LOWER(email);
DROP INDEX contacts_email;
CREATE INDEX contacts_email_key ON contacts (email_key);

ALTER TABLE subscriptions ADD COLUMN email_key TEXT NOT NULL DEFAULT '';
UPDATE subscriptions SET email_key = LOWER(email);
CREATE INDEX subscriptions_email_key ON subscriptions (email_key);
