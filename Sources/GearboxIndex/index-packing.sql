-- What makes source and variant writable by their names: for the connection that fills an index, and
-- no part of the file.

CREATE TEMP TRIGGER pack_source INSTEAD OF INSERT ON main.source BEGIN
    INSERT INTO packed_source (id, origin_id, path, stem, version, width, height, animated, alpha,
        format, bytes, stale)
    VALUES (new.id, new.origin_id, new.path, instr(new.path || '?', '?') - 1,
        packed_digest(new.version), new.width, new.height, coalesce(new.animated, 0),
        coalesce(new.alpha, 0), new.format, new.bytes, coalesce(new.stale, 0));
END;

CREATE TEMP TRIGGER pack_variant INSTEAD OF INSERT ON main.variant BEGIN
    INSERT OR IGNORE INTO packed_form (origin_id, has_stem, ending, mode, box_width, box_height,
        quality, format, enlarge, extra, animated, full_size)
    SELECT new.origin_id, s.stem > 0, substr(new.key, s.stem + 1), coalesce(new.mode, ''),
        coalesce(new.box_width, 0), coalesce(new.box_height, 0), coalesce(new.quality, 100),
        new.format, coalesce(new.enlarge, 0), coalesce(new.extra, ''), coalesce(new.animated, 0),
        coalesce(new.full_size, 0)
    FROM (
        SELECT coalesce(max(stem), 0) AS stem FROM packed_source
        WHERE id = new.source_id AND substr(path, 1, stem) = substr(new.key, 1, stem)
    ) AS s;

    INSERT INTO packed_variant (id, source_id, form_id, width, height, bytes, file)
    SELECT new.id, new.source_id, f.id, new.width, new.height, new.bytes,
        packed_file(new.file, new.format)
    FROM (
        SELECT coalesce(max(stem), 0) AS stem FROM packed_source
        WHERE id = new.source_id AND substr(path, 1, stem) = substr(new.key, 1, stem)
    ) AS s
    JOIN packed_form AS f ON f.ending = substr(new.key, s.stem + 1) AND f.has_stem = (s.stem > 0)
    WHERE f.format = new.format AND f.full_size = coalesce(new.full_size, 0)
        AND f.animated = coalesce(new.animated, 0) AND f.origin_id = new.origin_id
        AND f.mode = coalesce(new.mode, '') AND f.box_width = coalesce(new.box_width, 0)
        AND f.box_height = coalesce(new.box_height, 0) AND f.quality = coalesce(new.quality, 100)
        AND f.enlarge = coalesce(new.enlarge, 0) AND f.extra = coalesce(new.extra, '');

    INSERT INTO packed_key (origin_id, key, variant_id)
    VALUES (new.origin_id, new.key, coalesce(new.id, last_insert_rowid()));
END;
