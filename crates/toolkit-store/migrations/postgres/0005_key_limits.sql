ALTER TABLE api_keys ADD COLUMN expires_at BIGINT;
-- Requests per minute.
ALTER TABLE api_keys ADD COLUMN per_minute BIGINT;
ALTER TABLE api_keys ADD COLUMN requests BIGINT NOT NULL DEFAULT 0;
ALTER TABLE api_keys ADD COLUMN last_used_at BIGINT;
