-- Requests with an idempotency key. Both columns are digests: of the API key's id with the idempotency key, and
-- of the request. While there is no answer, the request is being carried out.
CREATE TABLE idempotency_keys (
    digest BLOB PRIMARY KEY,
    endpoint TEXT NOT NULL,
    request BLOB NOT NULL,
    claimed_at INTEGER NOT NULL,
    answer TEXT
) STRICT;

CREATE INDEX idempotency_keys_claimed_at ON idempotency_keys (claimed_at);
