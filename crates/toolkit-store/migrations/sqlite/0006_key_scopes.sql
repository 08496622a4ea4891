-- What a key opens, separated by commas; NULL opens chat, contact and subscribe.
ALTER TABLE api_keys ADD COLUMN scopes TEXT;
-- The origins of the web sites that may use a public key, separated by spaces.
ALTER TABLE api_keys ADD COLUMN sites TEXT;
-- 1: its requests name the client on whose behalf they are made.
ALTER TABLE api_keys ADD COLUMN forwards_clients INTEGER NOT NULL DEFAULT 0;
-- Tokens of language models.
ALTER TABLE api_keys ADD COLUMN tokens_per_day INTEGER;
