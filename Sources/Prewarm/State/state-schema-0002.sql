-- From version 1 to version 2.

-- The host of the URL: the sources of each host are taken up in turn.
ALTER TABLE source ADD COLUMN host TEXT NOT NULL DEFAULT '';

CREATE INDEX source_by_host ON source (listing, host, id);

-- The digest of a manifest that the held original is known to have.
ALTER TABLE source ADD COLUMN promise TEXT;

-- When the answer was given that failure_work says to be permanent; seconds since 1970.
ALTER TABLE source ADD COLUMN failure_at INTEGER;

-- Names the whole of what was rendered at once of rendered_version, where it was all that is wanted;
-- sources in which both are equal have equal files.
ALTER TABLE source ADD COLUMN rendered_set TEXT;

CREATE INDEX source_by_rendering ON source (rendered_version, rendered_set)
WHERE rendered_set IS NOT NULL;
