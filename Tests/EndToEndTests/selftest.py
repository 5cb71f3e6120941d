"""Shows that check.py accepts a right cache directory and catches each kind of wrong one.

A small cache is drawn with PIL from fixtures/origin, then damaged in one way at a time.
"""
import hashlib
import io
import os
import shutil
import sqlite3
import tempfile

from PIL import Image, ImageSequence

import check
from rules import canonical, json5, originals, pixels
from rules.expectation import expectation
from rules.geometry import placement

HERE = os.path.dirname(os.path.abspath(__file__))
ORIGIN = os.path.join(HERE, "../../fixtures/origin")
PIPELINE = """{ // the demo's origin
  origins: [{ name: 'music', hosts: ["p1.music.126.net", "P2.music.126.net",],
              parameters: { drop: ["utm_*"] } }],
  gears: { sizes: [30, 60, 90] },
}"""
MANIFEST = "\ufeff" + """# comment
http://p1.music.126.net/covers/2023/album-08.jpg?imageView&thumbnail=50x50&type=webp
http://p2.music.126.net/covers/2023/album-08.jpg?imageView=1&quality=39&thumbnail=90y30&axis=0_5\r
http://p2.music.126.net/alpha/disc.png?param=60y60&utm_source=mail
http://p2.music.126.net/alpha/disc.png?imageView=1&type=jpg&thumbnail=0x30
http://p1.music.126.net/colour/grey.jpg?imageView=1&quality=89&thumbnail=60x60
http://p1.music.126.net/animated/three-delays.gif?imageView=1&thumbnail=30x30&type=webp&tostatic=0
http://p1.music.126.net/avatars/tiny-24.jpg
http://p1.music.126.net/avatars/tiny-24.jpg?imageView=1&thumbnail=60x30&enlarge=1
http://p1.music.126.net/orientation/jpeg-6.jpg?imageView=1&thumbnail=60x60
http://p1.music.126.net/avatars/user-03.webp?imageView=1|crop=0_0_5_5
http://p1.music.126.net/broken/empty.jpg?imageView=1&thumbnail=60x60
ftp://p1.music.126.net/alpha/disc.png
"""
SCHEMA = """
PRAGMA application_id = 1195721042;
PRAGMA user_version = 1;
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE origin(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE host(name TEXT PRIMARY KEY, origin_id INTEGER REFERENCES origin);
CREATE TABLE source(id INTEGER PRIMARY KEY, origin_id INTEGER REFERENCES origin, path TEXT, version TEXT,
    width INTEGER, height INTEGER, animated INTEGER, alpha INTEGER, format TEXT, bytes INTEGER, stale INTEGER);
CREATE TABLE variant(id INTEGER PRIMARY KEY, origin_id INTEGER REFERENCES origin,
    source_id INTEGER REFERENCES source, key TEXT, mode TEXT, box_width INTEGER, box_height INTEGER,
    quality INTEGER, format TEXT, enlarge INTEGER, extra TEXT, width INTEGER, height INTEGER,
    animated INTEGER, full_size INTEGER, bytes INTEGER, file TEXT);
CREATE TABLE alias(origin_id INTEGER REFERENCES origin, key TEXT, variant_id INTEGER);
INSERT INTO meta VALUES ('generation', '1'), ('built_at', '0'), ('version', '0');
INSERT INTO origin VALUES (1, 'music');
"""
WRITERS = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP", "gif": "GIF"}


def drawn(variant):
    """The bytes that PIL makes of a variant."""
    if variant.kind != "render":
        with open(variant.original.file, "rb") as file:
            return file.read()
    scaled, (x, y), (w, h) = variant.placement

    def rendered(image):
        image = image.resize(scaled, Image.Resampling.LANCZOS).crop((x, y, x + w, y + h))
        if variant.format == "jpg" and image.mode in ("RGBA", "LA"):
            ground = Image.new("RGB", image.size, (255, 255, 255))
            ground.paste(image.convert("RGB"), mask=image.getchannel("A"))
            return ground
        return image

    out = io.BytesIO()
    if variant.animated:
        with Image.open(variant.original.file) as image:
            frames = [(rendered(frame.convert("RGBA" if variant.original.alpha else "RGB")),
                       frame.info.get("duration", 0)) for frame in ImageSequence.Iterator(image)]
        frames[0][0].save(out, WRITERS[variant.format], save_all=True, quality=85,
                          append_images=[frame for frame, _ in frames[1:]],
                          duration=[delay for _, delay in frames])
    else:
        rendered(pixels.reference(variant.original.file)[0]).save(out, WRITERS[variant.format], quality=85)
    return out.getvalue()


def build(cache, manifest, pipeline, origins):
    """A cache directory as a run would leave it."""
    wanted = expectation(manifest, pipeline, origins)
    os.makedirs(cache)
    database = sqlite3.connect(os.path.join(cache, "index.sqlite"))
    database.executescript(SCHEMA)
    for host in wanted.hosts:
        database.execute("INSERT INTO host VALUES (?, 1)", (host,))
    sources, variants = {}, {}
    for (_, key), variant in wanted.variants.items():
        original = variant.original
        if variant.source is not None and variant.source not in sources:
            sources[variant.source] = database.execute(
                "INSERT INTO source VALUES (NULL, 1, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
                (variant.source, originals.sha256(original.file), original.width, original.height,
                 original.animated, original.alpha, original.format,
                 os.path.getsize(original.file))).lastrowid
        data = drawn(variant)
        name = hashlib.sha256(data).hexdigest()
        file = f"store/{name[:2]}/{name}.{variant.format}"
        os.makedirs(os.path.join(cache, "store", name[:2]), exist_ok=True)
        with open(os.path.join(cache, file), "wb") as out:
            out.write(data)
        asked = variant.directives or canonical.Directives(quality=100)
        variants[key] = database.execute(
            "INSERT INTO variant VALUES (NULL, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (sources.get(variant.source), key, asked.mode, *asked.box, asked.quality, variant.format,
             asked.enlarge, asked.extra, *variant.size, variant.animated,
             variant.kind == "plain" or (variant.kind == "render" and variant.full_size), len(data),
             file)).lastrowid
    for (_, raw_key), key in wanted.aliases.items():
        database.execute("INSERT INTO alias VALUES (1, ?, ?)", (raw_key, variants[key]))
    database.commit()
    database.close()


# --- ways to be wrong -----------------------------------------------------------------------------


def sql(statement):
    def damage(cache):
        database = sqlite3.connect(os.path.join(cache, "index.sqlite"))
        changed = database.execute(statement).rowcount
        database.commit()
        database.close()
        assert changed or statement.startswith(("PRAGMA", "ALTER")), f"no row: {statement}"
    return damage


def stored(cache, extension):
    for folder, _, names in os.walk(os.path.join(cache, "store")):
        for name in sorted(names):
            if name.endswith(extension):
                return os.path.join(folder, name)
    raise AssertionError(extension)


def append_byte(cache):
    with open(stored(cache, ".jpg"), "ab") as file:
        file.write(b"\0")


def remove_file(cache):
    os.remove(stored(cache, ".png"))


def leave_temporary(cache):
    with open(os.path.join(cache, "store/.tmp-1"), "wb"):
        pass


def leave_orphan(cache):
    data = b"orphan"
    name = hashlib.sha256(data).hexdigest()
    os.makedirs(os.path.join(cache, "store", name[:2]), exist_ok=True)
    with open(os.path.join(cache, "store", name[:2], name + ".png"), "wb") as file:
        file.write(data)


def journal(cache):
    with open(os.path.join(cache, "index.sqlite"), "r+b") as file:
        file.seek(18)
        file.write(b"\x02\x02")


def truncate(cache):
    os.truncate(os.path.join(cache, "index.sqlite"), 0)


def replace_picture(change, like):
    """Another picture for the first variant whose key is LIKE a pattern, stored as it should be."""
    def damage(cache):
        database = sqlite3.connect(os.path.join(cache, "index.sqlite"))
        number, old = database.execute("SELECT id, file FROM variant WHERE key LIKE ? ORDER BY id LIMIT 1",
                                       (like,)).fetchone()
        out = io.BytesIO()
        with Image.open(os.path.join(cache, old)) as image:
            change(image).save(out, image.format)
        os.remove(os.path.join(cache, old))
        name = hashlib.sha256(out.getvalue()).hexdigest()
        file = f"store/{name[:2]}/{name}{os.path.splitext(old)[1]}"
        os.makedirs(os.path.join(cache, "store", name[:2]), exist_ok=True)
        with open(os.path.join(cache, file), "wb") as stream:
            stream.write(out.getvalue())
        database.execute("UPDATE variant SET file = ?, bytes = ? WHERE file = ?",
                         (file, len(out.getvalue()), old))
        database.commit()
        database.close()
    return damage


def grey_half(image):
    image = image.copy()
    image.paste(128, (0, image.height // 2, image.width, image.height))
    return image


SMALL = "/covers/2023/album-08.jpg%60x60%"
# What is done to the cache, and words that one of the faults must hold.
DAMAGES = [
    (sql("PRAGMA application_id = 1"), "application_id"),
    (sql("PRAGMA user_version = 2"), "user_version"),
    (journal, "WAL"),
    (truncate, "index.sqlite: "),
    (sql("ALTER TABLE variant RENAME COLUMN full_size TO whole"), "variant.full_size is missing"),
    (sql("DELETE FROM meta WHERE name = 'generation'"), "no generation"),
    (sql(f"UPDATE variant SET width = width + 1 WHERE key LIKE '{SMALL}'"), ", not 60x40"),
    (sql("UPDATE variant SET height = height - 1 WHERE mode = 'y'"), ", not 90x30"),
    (sql(f"UPDATE variant SET quality = 69 WHERE key LIKE '{SMALL}'"), "quality is 69, not 89"),
    (sql("UPDATE variant SET extra = '' WHERE extra <> ''"), "extra is '', not"),
    (sql("UPDATE variant SET mode = 'z' WHERE mode = 'x'"), "mode is 'z', not 'x'"),
    (sql("UPDATE variant SET box_height = 1 WHERE box_height = 60"), "box_height is 1, not 60"),
    (sql("UPDATE variant SET enlarge = 0"), "enlarge is 0, not 1"),
    (sql("UPDATE variant SET full_size = 1"), "full_size is 1, not 0"),
    (sql("UPDATE variant SET full_size = 0"), "full_size is 0, not 1"),
    (sql("UPDATE variant SET animated = 0"), "animated is 0, not 1"),
    (sql("UPDATE variant SET format = 'png'"), "format is 'png', not"),
    (sql("UPDATE variant SET key = key || '&v=1' WHERE mode = 'z'"), "nobody asked for it"),
    (sql("DELETE FROM variant WHERE mode = 'y'"), "missing"),
    (sql("INSERT INTO variant SELECT NULL, origin_id, source_id, key, mode, box_width, box_height, quality,"
         " format, enlarge, extra, width, height, animated, full_size, bytes, file FROM variant LIMIT 1"),
     "twice in its origin"),
    (sql("UPDATE variant SET source_id = 99 WHERE mode = 'y'"), "refers to no row of source"),
    (sql("UPDATE variant SET source_id = 1 WHERE source_id IS NULL"), "opaque, but related"),
    (sql("UPDATE variant SET source_id = NULL WHERE mode = 'x'"), "source_id is NULL"),
    (sql("UPDATE variant SET bytes = bytes + 1"), "bytes is"),
    (sql("UPDATE variant SET file = '../' || file"), "is not a name of the store"),
    (sql("UPDATE source SET width = width + 1"), "width is"),
    (sql("UPDATE source SET width = height, height = width WHERE path LIKE '/orientation/%'"), "width is 160"),
    (sql("UPDATE source SET version = 'x'"), "version is not"),
    (sql("UPDATE source SET alpha = 0"), "alpha is 0, not 1"),
    (sql("UPDATE source SET stale = 1"), "stale is 1"),
    (sql("UPDATE source SET format = 'bmp'"), "format is bmp"),
    (sql("INSERT INTO source VALUES (NULL, 1, '/x', 'x', 1, 1, 0, 0, 'jpg', 1, 0)"), "has no variant"),
    (sql("DELETE FROM alias"), "alias"),
    (sql("UPDATE alias SET variant_id = 99"), "points at no variant"),
    (sql("UPDATE alias SET variant_id = 1"), "points at /"),
    (sql("INSERT INTO alias VALUES (1, '/never', 1)"), "nobody asked for it"),
    (sql("UPDATE host SET origin_id = NULL"), "its origin is not there"),
    (append_byte, "are not those of its name"),
    (remove_file, "is not there"),
    (leave_temporary, "left over"),
    (leave_orphan, "no row refers to it"),
    (replace_picture(lambda image: image.crop((0, 0, image.width - 1, image.height)), SMALL),
     "the file is 59x40"),
    (replace_picture(lambda image: image.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
                     "/orientation/jpeg-6.jpg%60x60%"), "does not show its original"),
    (replace_picture(grey_half, SMALL), "does not show its original"),
    (replace_picture(lambda image: image.convert("RGB"), "/colour/grey.jpg%"), "pixels are RGB"),
    (replace_picture(lambda image: image.convert("RGB"), "/alpha/disc.png%60x60%"), "pixels are RGB"),
    (replace_picture(lambda image: image.copy(), "/animated/%30x30%"), "has 1 frame"),
]

# Worked out by hand from the page, so that the rules are not only compared with themselves.
SIZES = [
    ((500, 333), "x", (60, 60), False, (60, 40)),
    ((500, 333), "z", (60, 60), False, (90, 60)),
    ((1000, 667), "x", (512, 512), False, (512, 342)),      # 341.504: half up
    ((3000, 2), "x", (120, 120), False, (120, 1)),          # never 0
    ((100, 50), "x", (0, 200), False, (100, 50)),           # not enlarged
    ((100, 50), "x", (0, 200), True, (400, 200)),
    ((4000, 10), "x", (0, 4096), True, (4096, 10)),         # enlarged to 4096 at most: 10.24
    ((5000, 10), "z", (10, 4096), True, (5000, 10)),        # never below its own size for that
    ((20000, 12), "z", (20, 4096), False, (16383, 10)),     # 9.83
    ((20000, 12), "", (0, 0), False, (16383, 10)),
    ((1000, 667), "y", (800, 600), False, (800, 600)),
    ((1000, 667), "y", (800, 2000), False, (267, 667)),     # the box shrinks: k = 667/2000
    ((300, 3), "y", (30, 30), False, (3, 3)),
    ((24, 24), "y", (60, 60), True, (60, 60)),
]
KEYS = [
    ("HTTP://P1.music.126.net:80/a/../%7e?type=JPEG&thumbnail=40x80#f",
     "/~?imageView=1&quality=89&thumbnail=45x90&type=jpg"),
    ("http://h/a?thumbnail=1025x1025&z=1&Z=2", "/a?imageView=1&quality=89&thumbnail=1280x1280&Z=2&z=1"),
    ("http://h/a?b=%zz&quality=0&B", "/a?B&b=%25zz&imageView=1&quality=89"),
    ("http://h/a?axis=0_10&thumbnail=9y9&tostatic=0", "/a?axis=0_10&imageView=1&quality=89&thumbnail=30y30"),
    ("http://h/a?axis=0_10&thumbnail=9x9&tostatic=0",
     "/a?imageView=1&quality=89&thumbnail=30x30&tostatic=0"),
    ("http://h/a b?enlarge=1&imageView", "/a%20b"),
    ("http://h/a?imageView=2&%7e", "/a?imageView=2&%7E"),
    ("http://h/a?thumbnail=9x9&thumbnail=9x9&param=09x9", "/a?imageView=1&quality=89&thumbnail=30x30"),
    ("http://h/a?thumbnail=9x9&param=9y9", "/a?thumbnail=9x9&param=9y9"),
    ("http://h?Expires=1&v=2&Signature=a%2fb", "/?v=2"),
]


def known_answers():
    for source, mode, box, enlarge, wanted in SIZES:
        found = placement(source, mode, box, enlarge).size
        if found != wanted:
            yield f"size of {source} {mode}{box}: {found}, not {wanted}"
    rules = canonical.Rules({"gears": {"sizes": [30, 60, 90]}})
    rules_above = canonical.Rules({})
    for url, wanted in KEYS:
        found = canonical.canonicalise(url.encode(), rules_above if "1025" in url else rules).key
        if found != wanted:
            yield f"key of {url}: {found}, not {wanted}"
    for url in ("//h/a", "ftp://h/a", "http://u@h/a", "http:///a", "http://:8/a", "http://é/a", "a.jpg"):
        try:
            canonical.canonicalise(url.encode(), rules)
            yield f"{url}: no error"
        except canonical.LineError:
            pass


def main():
    wrong = list(known_answers())
    pipeline = json5.loads(PIPELINE)
    origins = {"music": originals.Origin(ORIGIN)}
    with tempfile.TemporaryDirectory() as folder:
        right, manifest = os.path.join(folder, "right"), os.path.join(folder, "manifest.txt")
        with open(manifest, "w", encoding="utf-8", newline="") as file:
            file.write(MANIFEST)
        with open(manifest, "rb") as file:
            build(right, file.read(), pipeline, origins)
        found, _ = check.faults(right, manifest, pipeline, origins)
        wrong += [f"a right cache: {line}" for line in found]
        for number, (damage, words) in enumerate(DAMAGES):
            cache = os.path.join(folder, str(number))
            shutil.copytree(right, cache)
            damage(cache)
            found, _ = check.faults(cache, manifest, pipeline, origins)
            if not any(words in line for line in found):
                wrong.append(f"damage {number} ({words}): not caught; {found[:3]}")
            shutil.rmtree(cache)
    for line in wrong:
        print(line)
    print(f"self-test: {len(DAMAGES)} damages, {len(SIZES)} sizes, {len(KEYS)} keys; {len(wrong)} wrong")
    return 1 if wrong else 0
