-- One row: the time of the last purge, and since when the clock has been too far ahead of the one before to be trusted.
CREATE TABLE clock (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    seen_at BIGINT,
    doubted_since BIGINT
);

INSERT INTO clock (id, seen_at) SELECT 1, MAX(created_at) FROM contacts;
