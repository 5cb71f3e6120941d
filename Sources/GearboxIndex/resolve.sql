-- Answers a request: exact, else reuse, else alias, else miss. Always one row. For SQLite 3.8.3 and
-- later; the parameters are first named in this order. A text may be empty or NULL for none.
WITH given AS (
    SELECT :origin AS origin, :key AS "key", :raw_key AS raw_key, :source AS source,
        coalesce(:mode, '') AS mode, CAST(:box_width AS INTEGER) AS box_w,
        CAST(:box_height AS INTEGER) AS box_h, CAST(:quality AS INTEGER) AS quality,
        coalesce(:format, '') AS format, CAST(:enlarge AS INTEGER) AS enlarge,
        CAST(:axis_x AS INTEGER) AS axis_x, CAST(:axis_y AS INTEGER) AS axis_y,
        CAST(:animated AS INTEGER) AS animated, ',' || :accept || ',' AS accept
),
asked AS (
    SELECT o.id AS origin_id, given.*, coalesce(accept, ',,') = ',,' AS takes_all
    FROM given JOIN origin AS o ON o.name = given.origin
),
-- The source, w x h. k: how far the box of mode y shrinks. p: what fits the box into the source, or
-- covers it. cap: 1, or how far may be enlarged. All are fractions: ..n over ..d.
wanted AS (
    SELECT asked.*, s.id AS source_id, s.width AS w, s.height AS h, s.alpha AS alpha,
        CASE WHEN asked.format <> '' THEN asked.format WHEN s.format IN ('jpg', 'png') THEN s.format
            WHEN s.format = 'gif' AND NOT s.animated THEN 'png' ELSE 'webp' END AS target_format,
        s.width * box_h <= s.height * box_w AS is_wide_box,
        max(s.width, s.height) AS cap_d,
        CASE WHEN enlarge THEN max(4096, s.width, s.height) ELSE max(s.width, s.height) END AS cap_n,
        mode = 'y' AND NOT enlarge AND (s.width < box_w OR s.height < box_h) AS shrinks
    FROM asked JOIN source AS s ON s.origin_id = asked.origin_id AND s.path = asked.source
    WHERE s.width > 0 AND s.height > 0 AND NOT (asked.animated AND s.animated)
),
boxed AS (
    SELECT wanted.*,
        CASE WHEN NOT shrinks THEN box_w WHEN is_wide_box THEN w
            ELSE max(1, (2 * box_w * h + box_h) / (2 * box_h)) END AS bw,
        CASE WHEN NOT shrinks THEN box_h WHEN NOT is_wide_box THEN h
            ELSE max(1, (2 * box_h * w + box_w) / (2 * box_w)) END AS bh
    FROM wanted
),
-- f: the scale that fits the box (x); c: the scale that covers it (y: the shrunk box); z: as c, for
-- the box as it was asked for.
scales AS (
    SELECT boxed.*,
        box_h = 0 OR (box_w > 0 AND box_w * h <= box_h * w) AS fits_by_width,
        bw * h >= bh * w AS covers_by_width,
        box_w * h >= box_h * w AS z_by_width
    FROM boxed
),
fractions AS (
    SELECT scales.*,
        CASE mode WHEN '' THEN 1
            WHEN 'x' THEN CASE WHEN fits_by_width THEN box_w ELSE box_h END
            ELSE CASE WHEN covers_by_width THEN bw ELSE bh END END AS n,
        CASE mode WHEN '' THEN 1
            WHEN 'x' THEN CASE WHEN fits_by_width THEN w ELSE h END
            ELSE CASE WHEN covers_by_width THEN w ELSE h END END AS d,
        CASE WHEN z_by_width THEN box_w ELSE box_h END AS zn,
        CASE WHEN z_by_width THEN w ELSE h END AS zd
    FROM scales
),
capped AS (
    SELECT fractions.*,
        CASE WHEN mode IN ('x', 'z') AND n * cap_d > cap_n * d THEN cap_n ELSE n END AS sn,
        CASE WHEN mode IN ('x', 'z') AND n * cap_d > cap_n * d THEN cap_d ELSE d END AS sd,
        CASE WHEN zn * cap_d > cap_n * zd THEN cap_n ELSE zn END AS czn,
        CASE WHEN zn * cap_d > cap_n * zd THEN cap_d ELSE zd END AS czd
    FROM fractions
),
-- s: what the whole source is scaled to; z: what mode z would scale it to.
scaled AS (
    SELECT capped.*,
        max(1, (2 * w * sn + sd) / (2 * sd)) AS sw, max(1, (2 * h * sn + sd) / (2 * sd)) AS sh,
        max(1, (2 * w * czn + czd) / (2 * czd)) AS zw, max(1, (2 * h * czn + czd) / (2 * czd)) AS zh
    FROM capped
),
-- t: the exact size of the request.
sized AS (
    SELECT scaled.*, CASE mode WHEN 'y' THEN bw ELSE sw END AS tw,
        CASE mode WHEN 'y' THEN bh ELSE sh END AS th,
        CASE WHEN axis_x = 5 AND axis_y = 5 THEN ''
            ELSE 'axis=' || axis_x || '_' || axis_y END AS extra,
        (SELECT value FROM meta WHERE name = 'steps') <> '' AS has_steps
    FROM scaled
),
reused AS (
    SELECT v.*, q.tw, q.th, q.axis_x, q.axis_y,
        CASE WHEN q.mode = 'y' AND v.mode = 'y' THEN q.tw ELSE q.sw END AS rw,
        CASE WHEN q.mode = 'y' AND v.mode = 'y' THEN q.th ELSE q.sh END AS rh
    FROM sized AS q JOIN variant AS v ON v.source_id = q.source_id
    WHERE v.width > 0 AND v.height > 0 AND NOT v.animated
        AND (v.quality >= q.quality OR v.format = 'png')
        AND (q.takes_all OR instr(q.accept, ',' || v.format || ',') > 0)
        AND NOT (q.alpha AND v.format = 'jpg' AND q.target_format <> 'jpg')
        AND NOT (q.has_steps AND v."key" = q.source)
        AND (
            (v.full_size AND NOT q.enlarge)
            OR (q.mode IN ('x', 'z') AND v.mode IN ('x', 'z')
                AND v.width >= q.tw - 1 AND v.height >= q.th - 1)
            OR (q.mode = 'y' AND v.mode IN ('x', 'z')
                AND v.width >= q.zw - 1 AND v.height >= q.zh - 1)
            OR (q.mode = 'y' AND v.mode = 'y' AND v.extra = q.extra
                AND v.width >= q.tw - 1 AND v.height >= q.th - 1
                AND abs(q.th * v.width - q.tw * v.height) <= max(v.width, v.height))
        )
    ORDER BY v.width * v.height, CASE v.format WHEN 'png' THEN 100 ELSE v.quality END DESC, v."key"
    LIMIT 1
),
answers AS (
    SELECT 1 AS rank, 'exact' AS result, v.file, v.mode, v.width, v.height, v.quality, v.format,
        NULL AS scale_width, NULL AS scale_height, NULL AS crop_x, NULL AS crop_y,
        NULL AS crop_width, NULL AS crop_height
    FROM asked AS a JOIN variant AS v ON v.origin_id = a.origin_id AND v."key" = a."key"
    WHERE a.takes_all OR instr(a.accept, ',' || v.format || ',') > 0
    UNION ALL
    SELECT 2, 'reuse', file, mode, tw, th, quality, format,
        CASE WHEN width <> rw OR height <> rh THEN rw END,
        CASE WHEN width <> rw OR height <> rh THEN rh END,
        CASE WHEN rw <> tw OR rh <> th THEN ((rw - tw) * axis_x + 5) / 10 END,
        CASE WHEN rw <> tw OR rh <> th THEN ((rh - th) * axis_y + 5) / 10 END,
        CASE WHEN rw <> tw OR rh <> th THEN tw END, CASE WHEN rw <> tw OR rh <> th THEN th END
    FROM reused
    UNION ALL
    SELECT 3, 'alias', v.file, v.mode, v.width, v.height, v.quality, v.format,
        NULL, NULL, NULL, NULL, NULL, NULL
    FROM asked AS a JOIN alias AS b ON b.origin_id = a.origin_id AND b."key" = a.raw_key
    JOIN variant AS v ON v.id = b.variant_id
    WHERE a.takes_all OR instr(a.accept, ',' || v.format || ',') > 0
    UNION ALL
    SELECT 4, 'miss', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
)
SELECT result, file, mode, width, height, quality, format, scale_width, scale_height,
    crop_x, crop_y, crop_width, crop_height
FROM answers ORDER BY rank LIMIT 1
