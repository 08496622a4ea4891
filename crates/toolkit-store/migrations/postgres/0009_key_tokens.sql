-- The day (UTC) whose tokens are counted, in days since 1970.
ALTER TABLE api_keys ADD COLUMN tokens_day BIGINT NOT NULL DEFAULT 0;
-- Tokens of language models on that day.
ALTER TABLE api_keys ADD COLUMN tokens_used BIGINT NOT NULL DEFAULT 0;
