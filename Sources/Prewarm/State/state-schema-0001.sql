-- The working state of one cache directory: what was asked for, what is held, what was made.
-- `listing` numbers an ingest of the manifests: rows that carry the current one are wanted tonight.

CREATE TABLE setting (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Times are seconds since 1970, UTC.
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    pipeline TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    exit_status INTEGER,
    message TEXT
);

CREATE TABLE stage (
    run_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID;

CREATE TABLE tally (
    run_id INTEGER NOT NULL,
    stage TEXT NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run_id, stage, name)
) WITHOUT ROWID;

CREATE TABLE origin (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE manifest (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL
);

-- The lines of the current listing. A line without a URL has a problem and no variant.
CREATE TABLE entry (
    id INTEGER PRIMARY KEY,
    manifest_id INTEGER NOT NULL,
    line INTEGER NOT NULL,
    url TEXT NOT NULL,
    hash TEXT,
    hits INTEGER NOT NULL,
    variant_id INTEGER,
    problem_code TEXT,
    problem TEXT
);

CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    origin_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    opaque INTEGER NOT NULL,
    url TEXT NOT NULL,
    hash TEXT,
    listing INTEGER NOT NULL,
    -- the original that is held
    version TEXT,
    file TEXT,
    bytes INTEGER,
    format TEXT,
    etag TEXT,
    last_modified TEXT,
    cache_control TEXT,
    stamp TEXT,
    checked_at INTEGER,
    -- what the last rendering found; its version is the published one
    rendered_version TEXT,
    rendered_format TEXT,
    rendered_bytes INTEGER,
    width INTEGER,
    height INTEGER,
    animated INTEGER NOT NULL DEFAULT 0,
    alpha INTEGER NOT NULL DEFAULT 0,
    stale INTEGER NOT NULL DEFAULT 0,
    -- why the last attempt failed, and in which run; failure_work names the rendering that would only
    -- fail again
    failure_run INTEGER,
    failure_stage TEXT,
    failure_code TEXT,
    failure TEXT,
    failure_attempts INTEGER,
    failure_work TEXT,
    UNIQUE (origin_id, path, opaque)
);

CREATE INDEX source_by_listing ON source (listing, id);

-- A variant that was asked for or made. It is due where it is wanted and its version is not its
-- source's, or its work is not what the pipeline asks for now.
CREATE TABLE variant (
    id INTEGER PRIMARY KEY,
    origin_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    -- the directives; original: the source's own bytes
    original INTEGER NOT NULL,
    mode TEXT NOT NULL,
    box_width INTEGER NOT NULL,
    box_height INTEGER NOT NULL,
    quality INTEGER NOT NULL,
    asked_format TEXT,
    enlarge INTEGER NOT NULL,
    axis_x INTEGER NOT NULL,
    axis_y INTEGER NOT NULL,
    interlace INTEGER NOT NULL,
    keeps_animation INTEGER NOT NULL,
    extra TEXT NOT NULL,
    -- the listing in which a URL asked for it, and in which the plan wanted it made
    requested INTEGER NOT NULL DEFAULT 0,
    wanted INTEGER NOT NULL DEFAULT 0,
    -- what was made
    version TEXT,
    work TEXT,
    run_id INTEGER,
    format TEXT,
    width INTEGER,
    height INTEGER,
    animated INTEGER NOT NULL DEFAULT 0,
    full_size INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER,
    file TEXT,
    failure_run INTEGER,
    failure_code TEXT,
    failure TEXT,
    UNIQUE (origin_id, key)
);

CREATE INDEX variant_of_source ON variant (source_id);

CREATE TABLE alias (
    origin_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    variant_id INTEGER NOT NULL,
    PRIMARY KEY (origin_id, key)
) WITHOUT ROWID;
