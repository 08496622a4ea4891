-- One row: the time of the last purge, and since when the clock has been too far ahead of the one before to be trusted.
CREATE TABLE clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    seen_at INTEGER,
    doubted_since INTEGER
) STRICT;

INSERT INTO clock (id, seen_at) SELECT 1, MAX(created_at) FROM contacts;
