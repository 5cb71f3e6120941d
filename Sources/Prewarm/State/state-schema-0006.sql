-- From version 5 to version 6.

-- The run that has asked last about a source, 0 where none has; negative where that run ended before
-- what is due of the answer was rendered. The sources of a host are taken up in this order.
ALTER TABLE source ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;

DROP INDEX source_by_host;

CREATE INDEX source_by_host ON source (wanted, host, turn, id);
