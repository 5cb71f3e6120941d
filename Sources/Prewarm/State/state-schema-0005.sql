-- From version 4 to version 5: the tables that a long manifest fills say nothing twice, and are filled
-- in the order of their rows. A text is found by a hash of it, and compared where it is found.

-- Directives, once for all variants that have them, and what the keys of such variants hold behind
-- what they share with their source: nothing (lead 0), the stem, which is its path up to the first
-- `?` (1), or the whole path (2).
CREATE TABLE form (
    id INTEGER PRIMARY KEY,
    name_hash INTEGER NOT NULL,
    lead INTEGER NOT NULL,
    ending TEXT NOT NULL,
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
    extra TEXT NOT NULL
);

CREATE INDEX form_by_name ON form (name_hash);

-- The same of raw keys.
CREATE TABLE alias_form (
    id INTEGER PRIMARY KEY,
    name_hash INTEGER NOT NULL,
    lead INTEGER NOT NULL,
    ending TEXT NOT NULL
);

CREATE INDEX alias_form_by_name ON alias_form (name_hash);

-- What each line of the current listing asks for; the plan gives it a variant.
CREATE TABLE request (
    entry_id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL,
    form_id INTEGER NOT NULL,
    alias_form_id INTEGER,
    hits INTEGER NOT NULL
);

-- The old tables beside the new ones, with what their keys share with their sources.

CREATE TEMP VIEW old_variant AS
SELECT v.*, coalesce(o.id, s.id) AS owner_id,
    key_lead(v.key, coalesce(o.path, s.path)) AS lead,
    key_ending(v.key, coalesce(o.path, s.path)) AS ending,
    coalesce(o.path, s.path) AS path
FROM main.variant AS v JOIN main.source AS s ON s.id = v.source_id
LEFT JOIN main.source AS o ON o.id = s.variant_of;

INSERT INTO form (name_hash, lead, ending, original, mode, box_width, box_height, quality,
    asked_format, enlarge, axis_x, axis_y, interlace, keeps_animation, extra)
SELECT DISTINCT form_hash(lead, ending), lead, ending,
    original, mode, box_width, box_height, quality, asked_format, enlarge, axis_x, axis_y,
    interlace, keeps_animation, extra
FROM old_variant;

CREATE TABLE new_variant (
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL,
    form_id INTEGER NOT NULL,
    -- the listing in which a URL asked for it, and in which the plan wanted it made
    requested INTEGER NOT NULL DEFAULT 0,
    wanted INTEGER NOT NULL DEFAULT 0,
    -- how many lines of the last listing that it was planned for ask for it, and the first of them
    lines INTEGER NOT NULL DEFAULT 0,
    first_entry INTEGER NOT NULL DEFAULT 0,
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
    UNIQUE (source_id, form_id)
);

INSERT INTO new_variant (id, source_id, form_id, requested, wanted, version, work, run_id, format,
    width, height, animated, full_size, bytes, file, failure_run, failure_code, failure)
SELECT v.id, v.source_id, f.id, v.requested, v.wanted, v.version, v.work, v.run_id, v.format,
    v.width, v.height, v.animated, v.full_size, v.bytes, v.file, v.failure_run, v.failure_code,
    v.failure
FROM old_variant AS v CROSS JOIN form AS f
WHERE f.name_hash = form_hash(v.lead, v.ending) AND f.lead = v.lead
    AND f.ending = v.ending AND f.original = v.original
    AND f.mode = v.mode AND f.box_width = v.box_width AND f.box_height = v.box_height
    AND f.quality = v.quality AND f.asked_format IS v.asked_format AND f.enlarge = v.enlarge
    AND f.axis_x = v.axis_x AND f.axis_y = v.axis_y AND f.interlace = v.interlace
    AND f.keeps_animation = v.keeps_animation AND f.extra = v.extra
ORDER BY v.id;

INSERT INTO request (entry_id, source_id, form_id, hits)
SELECT e.id, o.owner_id, v.form_id, e.hits
FROM entry AS e CROSS JOIN new_variant AS v CROSS JOIN old_variant AS o
WHERE v.id = e.variant_id AND o.id = v.id
ORDER BY e.id;

UPDATE new_variant SET lines = e.lines, first_entry = e.first_entry
FROM (SELECT variant_id, count(*) AS lines, min(id) AS first_entry FROM entry
    WHERE variant_id IS NOT NULL GROUP BY variant_id) AS e
WHERE e.variant_id = new_variant.id;

CREATE TEMP VIEW old_alias AS
SELECT a.variant_id, v.owner_id, key_lead(a.key, v.path) AS lead, key_ending(a.key, v.path) AS ending
FROM main.alias AS a JOIN old_variant AS v ON v.id = a.variant_id;

INSERT INTO alias_form (name_hash, lead, ending)
SELECT DISTINCT form_hash(lead, ending), lead, ending
FROM old_alias;

-- since: the listing from which on the rules are in force by which the raw key is that of the variant.
CREATE TABLE new_alias (
    source_id INTEGER NOT NULL,
    alias_form_id INTEGER NOT NULL,
    variant_id INTEGER NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (source_id, alias_form_id)
) WITHOUT ROWID;

INSERT INTO new_alias (source_id, alias_form_id, variant_id, since)
SELECT a.owner_id, f.id, a.variant_id, 0
FROM old_alias AS a CROSS JOIN alias_form AS f
WHERE f.name_hash = form_hash(a.lead, a.ending) AND f.lead = a.lead
    AND f.ending = a.ending;

DROP VIEW old_alias;
DROP VIEW old_variant;
DROP TABLE alias;
ALTER TABLE new_alias RENAME TO alias;
DROP TABLE variant;
ALTER TABLE new_variant RENAME TO variant;

ALTER TABLE entry DROP COLUMN variant_id;

CREATE INDEX entry_with_problem ON entry (id) WHERE problem_code IS NOT NULL;

CREATE TABLE new_source (
    id INTEGER PRIMARY KEY,
    name_hash INTEGER NOT NULL,
    origin_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    -- 1: its URL may not be rewritten; 2: the bytes of a variant that its origin renders, path is
    -- the variant's key
    opaque INTEGER NOT NULL,
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    hash TEXT,
    -- the source that it is a variant of
    variant_of INTEGER,
    -- the listing in which a URL names it, and that for which its bytes are wanted
    listing INTEGER NOT NULL,
    wanted INTEGER NOT NULL DEFAULT 0,
    -- the last night whose manifests named it; nights counts those, hits are of the last one,
    -- earlier_hits of all before, halved each time
    seen_at INTEGER NOT NULL DEFAULT 0,
    first_night INTEGER NOT NULL DEFAULT 0,
    night INTEGER NOT NULL DEFAULT 0,
    nights INTEGER NOT NULL DEFAULT 1,
    hits INTEGER NOT NULL DEFAULT 0,
    earlier_hits INTEGER NOT NULL DEFAULT 0,
    -- the listing at whose end it was evicted; 0: it was not
    evicted INTEGER NOT NULL DEFAULT 0,
    -- the original that is held
    version TEXT,
    file TEXT,
    bytes INTEGER,
    format TEXT,
    etag TEXT,
    last_modified TEXT,
    cache_control TEXT,
    stamp TEXT,
    promise TEXT,
    checked_at INTEGER,
    -- what the last rendering found; its version is the published one
    rendered_version TEXT,
    rendered_format TEXT,
    rendered_bytes INTEGER,
    rendered_set TEXT,
    width INTEGER,
    height INTEGER,
    animated INTEGER NOT NULL DEFAULT 0,
    alpha INTEGER NOT NULL DEFAULT 0,
    stale INTEGER NOT NULL DEFAULT 0,
    -- why the last attempt failed, and in which run; failure_work names the rendering that would only
    -- fail again, or the question that was answered at failure_at
    failure_run INTEGER,
    failure_stage TEXT,
    failure_code TEXT,
    failure TEXT,
    failure_attempts INTEGER,
    failure_work TEXT,
    failure_at INTEGER
);

INSERT INTO new_source (id, name_hash, origin_id, path, opaque, url, host, hash, variant_of, listing,
    wanted, version, file, bytes, format, etag, last_modified, cache_control, stamp, promise,
    checked_at, rendered_version, rendered_format, rendered_bytes, rendered_set, width, height,
    animated, alpha, stale, failure_run, failure_stage, failure_code, failure, failure_attempts,
    failure_work, failure_at, seen_at, first_night, night, nights, hits, earlier_hits, evicted)
SELECT id, source_hash(origin_id, opaque, path), origin_id, path, opaque, url, host, hash,
    variant_of, listing, wanted, version, file, bytes, format, etag, last_modified, cache_control,
    stamp, promise, checked_at, rendered_version, rendered_format, rendered_bytes, rendered_set,
    width, height, animated, alpha, stale, failure_run, failure_stage, failure_code, failure,
    failure_attempts, failure_work, failure_at, seen_at, first_night, night, nights, hits,
    earlier_hits, evicted
FROM source ORDER BY id;

DROP TABLE source;
ALTER TABLE new_source RENAME TO source;

CREATE INDEX source_by_name ON source (name_hash);
CREATE INDEX source_by_host ON source (wanted, host, id);
CREATE INDEX source_by_variant_of ON source (variant_of) WHERE variant_of IS NOT NULL;
CREATE INDEX source_by_rendering ON source (rendered_version, rendered_set)
WHERE rendered_set IS NOT NULL;

-- As they were of the old tables.

CREATE TRIGGER variant_file_retired AFTER UPDATE OF file ON variant
WHEN OLD.file IS NOT NULL AND OLD.file IS NOT NEW.file BEGIN
    INSERT OR IGNORE INTO retired (file) VALUES (OLD.file);
END;

CREATE TRIGGER variant_retired AFTER DELETE ON variant WHEN OLD.file IS NOT NULL BEGIN
    INSERT OR IGNORE INTO retired (file) VALUES (OLD.file);
END;

CREATE TRIGGER original_file_retired AFTER UPDATE OF file ON source
WHEN OLD.file IS NOT NULL AND OLD.file IS NOT NEW.file BEGIN
    INSERT OR IGNORE INTO retired (file) VALUES (OLD.file);
END;

CREATE TRIGGER original_retired AFTER DELETE ON source WHEN OLD.file IS NOT NULL BEGIN
    INSERT OR IGNORE INTO retired (file) VALUES (OLD.file);
END;

-- A variant with its key and directives.
CREATE VIEW keyed_variant AS
SELECT v.id, s.origin_id, v.source_id, v.form_id,
    CASE f.lead
        WHEN 2 THEN s.path
        WHEN 1 THEN substr(s.path, 1, instr(s.path || '?', '?') - 1) || f.ending
        ELSE f.ending
    END AS key,
    f.original, f.mode, f.box_width, f.box_height, f.quality, f.asked_format, f.enlarge, f.axis_x,
    f.axis_y, f.interlace, f.keeps_animation, f.extra, v.requested, v.wanted, v.lines,
    v.first_entry, v.version, v.work, v.run_id, v.format, v.width, v.height, v.animated,
    v.full_size, v.bytes, v.file, v.failure_run, v.failure_code, v.failure
FROM variant AS v JOIN form AS f ON f.id = v.form_id JOIN source AS s ON s.id = v.source_id;

-- The variant that a line asks for: of its source, or of what is fetched for that.
CREATE VIEW asked_variant AS
SELECT r.entry_id, coalesce(
    (SELECT v.id FROM variant AS v WHERE v.source_id = r.source_id AND v.form_id = r.form_id),
    (SELECT v.id FROM source AS s JOIN variant AS v ON v.source_id = s.id AND v.form_id = r.form_id
     WHERE s.variant_of = r.source_id)
) AS variant_id
FROM request AS r;
