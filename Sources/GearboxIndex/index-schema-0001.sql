-- The published relation index, user_version 1. Clients in any language rely on the names meta,
-- origin, host, source, variant and alias; source and variant are views of tables that say nothing
-- twice. No STRICT tables: old Androids carry an old SQLite.

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

-- width and height are after orientation; version is the SHA-256 of the original's bytes, a BLOB, or
-- a text that is none. The first characters of path, as many as stem says, begin the variants' keys.
CREATE TABLE packed_source (
    id INTEGER PRIMARY KEY,
    origin_id INTEGER NOT NULL REFERENCES origin (id),
    path TEXT NOT NULL,
    stem INTEGER NOT NULL,
    version,
    width INTEGER,
    height INTEGER,
    animated INTEGER NOT NULL,
    alpha INTEGER NOT NULL,
    format TEXT,
    bytes INTEGER,
    stale INTEGER NOT NULL,
    UNIQUE (origin_id, path)
);

-- What the variants of many sources have alike. A key is the stem of its source, where has_stem says
-- so, and the ending.
CREATE TABLE packed_form (
    id INTEGER PRIMARY KEY,
    origin_id INTEGER NOT NULL REFERENCES origin (id),
    has_stem INTEGER NOT NULL,
    ending TEXT NOT NULL,
    mode TEXT NOT NULL,
    box_width INTEGER NOT NULL,
    box_height INTEGER NOT NULL,
    quality INTEGER NOT NULL,
    format TEXT NOT NULL,
    enlarge INTEGER NOT NULL,
    extra TEXT NOT NULL,
    animated INTEGER NOT NULL,
    full_size INTEGER NOT NULL,
    UNIQUE (
        ending, format, full_size, animated, origin_id, has_stem, mode, box_width, box_height, quality,
        enlarge, extra
    )
);

-- source_id is NULL for opaque URLs, which are never related. file is the SHA-256 that names it in the
-- store, a BLOB, or a text where it has another name.
CREATE TABLE packed_variant (
    id INTEGER PRIMARY KEY,
    source_id INTEGER REFERENCES packed_source (id),
    form_id INTEGER NOT NULL REFERENCES packed_form (id),
    width INTEGER,
    height INTEGER,
    bytes INTEGER NOT NULL,
    file NOT NULL
);

CREATE INDEX packed_variant_of_source ON packed_variant (source_id);

CREATE TABLE packed_key (
    origin_id INTEGER NOT NULL REFERENCES origin (id),
    key TEXT NOT NULL,
    variant_id INTEGER NOT NULL REFERENCES packed_variant (id),
    PRIMARY KEY (origin_id, key)
) WITHOUT ROWID;

CREATE TABLE alias (
    origin_id INTEGER NOT NULL REFERENCES origin (id),
    key TEXT NOT NULL,
    variant_id INTEGER NOT NULL REFERENCES packed_variant (id),
    PRIMARY KEY (origin_id, key)
) WITHOUT ROWID;

CREATE VIEW source AS
SELECT id, origin_id, path,
    CASE typeof(version) WHEN 'blob' THEN lower(hex(version)) ELSE version END AS version,
    width, height, animated, alpha, format, bytes, stale
FROM packed_source;

-- The key is joined both ways: packed_key leads from a key to its variant, and the condition on its
-- text, true of every row, leads from a variant to its key. Either way is a search, never a scan.
CREATE VIEW variant AS
SELECT v.id AS id, k.origin_id AS origin_id, v.source_id AS source_id, k.key AS key, f.mode AS mode,
    f.box_width AS box_width, f.box_height AS box_height, f.quality AS quality, f.format AS format,
    f.enlarge AS enlarge, f.extra AS extra, v.width AS width, v.height AS height,
    f.animated AS animated, f.full_size AS full_size, v.bytes AS bytes,
    CASE typeof(v.file)
        WHEN 'blob' THEN 'store/' || lower(substr(hex(v.file), 1, 2)) || '/' || lower(hex(v.file))
            || '.' || f.format
        ELSE v.file
    END AS file
FROM packed_key AS k
JOIN packed_variant AS v ON v.id = k.variant_id
JOIN packed_form AS f ON f.id = v.form_id
WHERE k.origin_id = f.origin_id
    AND k.key = coalesce(
        (SELECT substr(s.path, 1, s.stem) FROM packed_source AS s
         WHERE s.id = v.source_id AND f.has_stem),
        ''
    ) || f.ending;
