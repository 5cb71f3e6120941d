-- The published relation index, user_version 1. Clients in any language rely on these names.
-- No STRICT tables: old Androids carry an old SQLite.

CREATE TABLE meta (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- dialect is NULL for an origin that no pipeline names: a host on its own, read as meta says.
CREATE TABLE origin (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dialect TEXT,
    drop_parameters TEXT NOT NULL DEFAULT '',
    keep_parameters TEXT NOT NULL DEFAULT '',
    unknown_parameters TEXT NOT NULL DEFAULT 'keep'
);

CREATE TABLE host (
    name TEXT PRIMARY KEY NOT NULL,
    origin_id INTEGER NOT NULL REFERENCES origin (id)
) WITHOUT ROWID;

-- width and height are after orientation; version is the SHA-256 of the original's bytes.
CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    origin_id INTEGER NOT NULL REFERENCES origin (id),
    path TEXT NOT NULL,
    version TEXT,
    width INTEGER,
    height INTEGER,
    animated INTEGER NOT NULL DEFAULT 0,
    alpha INTEGER NOT NULL DEFAULT 0,
    format TEXT,
    bytes INTEGER,
    stale INTEGER NOT NULL DEFAULT 0,
    UNIQUE (origin_id, path)
);

-- source_id is NULL for opaque URLs, which are never related; file is relative to the cache directory.
CREATE TABLE variant (
    id INTEGER PRIMARY KEY,
    origin_id INTEGER NOT NULL REFERENCES origin (id),
    source_id INTEGER REFERENCES source (id),
    key TEXT NOT NULL,
    mode TEXT NOT NULL DEFAULT '',
    box_width INTEGER NOT NULL DEFAULT 0,
    box_height INTEGER NOT NULL DEFAULT 0,
    quality INTEGER NOT NULL DEFAULT 100,
    format TEXT NOT NULL,
    enlarge INTEGER NOT NULL DEFAULT 0,
    extra TEXT NOT NULL DEFAULT '',
    width INTEGER,
    height INTEGER,
    animated INTEGER NOT NULL DEFAULT 0,
    full_size INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL,
    file TEXT NOT NULL,
    UNIQUE (origin_id, key)
);

CREATE INDEX variant_of_source ON variant (source_id);

CREATE TABLE alias (
    origin_id INTEGER NOT NULL REFERENCES origin (id),
    key TEXT NOT NULL,
    variant_id INTEGER NOT NULL REFERENCES variant (id),
    PRIMARY KEY (origin_id, key)
) WITHOUT ROWID;
