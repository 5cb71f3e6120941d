-- From version 2 to version 3.

-- The bytes of a variant that its origin renders are fetched like an original's: as a source of its
-- own (opaque = 2, path is the variant's key) that names the source it is a variant of.
ALTER TABLE source ADD COLUMN variant_of INTEGER;

CREATE INDEX source_by_variant_of ON source (variant_of) WHERE variant_of IS NOT NULL;

-- The listing for which the plan wants its bytes; `listing` is that in which a URL names it.
ALTER TABLE source ADD COLUMN wanted INTEGER NOT NULL DEFAULT 0;

UPDATE source SET wanted = listing;

DROP INDEX source_by_host;

CREATE INDEX source_by_host ON source (wanted, host, id);
