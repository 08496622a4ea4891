ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
-- Requests per minute.
ALTER TABLE api_keys ADD COLUMN per_minute INTEGER;
ALTER TABLE api_keys ADD COLUMN requests INTEGER NOT NULL DEFAULT 0;
ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER;
