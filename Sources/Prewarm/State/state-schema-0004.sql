-- From version 3 to version 4.

-- A night is what a run has brought to its end: `nights` counts
-- those whose manifests named it, `hits` are of the last of them, `earlier_hits` of all before,
-- halved each time.
ALTER TABLE source ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE source ADD COLUMN first_night INTEGER NOT NULL DEFAULT 0;
ALTER TABLE source ADD COLUMN night INTEGER NOT NULL DEFAULT 0;
ALTER TABLE source ADD COLUMN nights INTEGER NOT NULL DEFAULT 1;
ALTER TABLE source ADD COLUMN hits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE source ADD COLUMN earlier_hits INTEGER NOT NULL DEFAULT 0;

-- The listing at whose end it was evicted; 0: it was not.
ALTER TABLE source ADD COLUMN evicted INTEGER NOT NULL DEFAULT 0;

-- What an earlier version has not written down is as old as this change.
UPDATE source SET seen_at = CAST(strftime('%s', 'now') AS INTEGER);

-- Files that a row has stopped naming: removed when no row and no index names them. Those that must
-- go at once do not wait for the index before the published one.
CREATE TABLE retired (
    file TEXT PRIMARY KEY NOT NULL,
    at_once INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

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
