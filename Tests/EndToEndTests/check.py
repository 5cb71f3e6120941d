#!/usr/bin/python3
"""Judges a finished cache directory by the rules of design.md, written again in Python.

    check.py --cache DIR --manifest FILE --pipeline-facts PIPELINE [--facts FACTS.jsonl]
             [--files ORIGIN=DIR]... [--no-pixels] [--orphans]
    check.py --self-test

PIPELINE is the pipeline's own file (JSON5). A mirror named there is where originals are read;
--files names the directory for an origin that is fetched over HTTP. Every fault is one line; the
last line counts; the exit status is 1 where there is any. Needs Python 3.11 and PIL.
"""
import argparse
import os
import re
import sqlite3
import sys
import urllib.parse

from PIL import ImageColor

# A folder of a Swift package holds no bytecode.
sys.dont_write_bytecode = True

from pictures import check_picture
from rules import json5, originals
from rules.canonical import Rules
from rules.expectation import expectation
from rules.geometry import placement

APPLICATION_ID = 0x47454152
USER_VERSION = 1
COLUMNS = {
    "meta": "name value",
    "origin": "id name",
    "host": "name origin_id",
    "source": "id origin_id path version width height animated alpha format bytes stale",
    "variant": "id origin_id source_id key mode box_width box_height quality format enlarge extra "
               "width height animated full_size bytes file",
    "alias": "origin_id key variant_id",
}
STORED = re.compile(r"store/([0-9a-f]{2})/(\1[0-9a-f]{62})\.([a-z0-9]+)")
TEMPORARY = re.compile(r"(^|\.)tmp|\.part(ial)?$|~$")
NOT_OURS_TO_CHECK = re.compile(
    r"(index|state)\.sqlite|state\.sqlite-(wal|shm)|previous/[0-9]+\.sqlite|lock|originals/.*"
)


def opened(cache):
    """index.sqlite as a client opens it: read-only and immutable."""
    place = urllib.parse.quote(os.path.abspath(os.path.join(cache, "index.sqlite")))
    return sqlite3.connect(f"file:{place}?mode=ro&immutable=1", uri=True)


class Index:
    """The rows of a cache directory's index.sqlite."""

    def __init__(self, cache):
        self.cache = cache
        self.database = opened(cache)
        self.database.row_factory = sqlite3.Row
        self.origins = {row["id"]: row["name"] for row in self.rows("origin")}
        self.hosts = {row["name"]: self.origins.get(row["origin_id"]) for row in self.rows("host")}
        self.sources = {row["id"]: row for row in self.rows("source")}
        self.variants = {row["id"]: row for row in self.rows("variant")}
        self.aliases = self.rows("alias")

    def rows(self, table):
        return self.database.execute(f"SELECT * FROM {table}").fetchall()

    def file(self, variant):
        return os.path.join(self.cache, variant["file"])


def check_database(cache):
    """The file itself: identity, journal, integrity."""
    path = os.path.join(cache, "index.sqlite")
    with open(path, "rb") as file:
        head = file.read(100)
    if head[:16] != b"SQLite format 3\0":
        raise sqlite3.DatabaseError("not an SQLite database")
    if head[18:20] != b"\x01\x01":
        yield "index.sqlite: in WAL mode"
    for suffix in ("-wal", "-shm", "-journal"):
        if os.path.exists(path + suffix):
            yield f"index.sqlite{suffix}: left beside the published file"
    database = opened(cache)
    for name, wanted in (("application_id", APPLICATION_ID), ("user_version", USER_VERSION)):
        found = database.execute(f"PRAGMA {name}").fetchone()[0]
        if found != wanted:
            yield f"index.sqlite: {name} is {found}, not {wanted}"
    for name, sql in database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"):
        if re.search(r"\)\s*[^)]*\bSTRICT\b[^)]*$", sql or "", re.IGNORECASE):
            yield f"index.sqlite: table {name} is STRICT"
    for row in database.execute("PRAGMA integrity_check"):
        if row[0] != "ok":
            yield f"index.sqlite: {row[0]}"
    for row in database.execute("PRAGMA foreign_key_check"):
        yield f"index.sqlite: {row[0]} row {row[1]} refers to no row of {row[2]}"
    database.close()


def check_columns(cache):
    """Every name of section 8 that clients rely on."""
    database = opened(cache)
    for table, names in COLUMNS.items():
        found = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
        for name in sorted(set(names.split()) - found):
            yield f"index.sqlite: {table}.{name} is missing"
    database.close()


def check_references(index):
    """Rows refer to rows, and names are unique where section 8 says so."""
    meta = {row["name"] for row in index.rows("meta")}
    for name in ("generation", "built_at", "version"):
        if name not in meta:
            yield f"meta: no {name}"
    for host, origin in index.hosts.items():
        if origin is None:
            yield f"host {host}: its origin is not there"
    keys = set()
    for row in index.variants.values():
        name = (row["origin_id"], row["key"])
        if name in keys:
            yield f"variant {row['key']}: twice in its origin"
        keys.add(name)
        source = index.sources.get(row["source_id"])
        if row["origin_id"] not in index.origins:
            yield f"variant {row['key']}: its origin is not there"
        if row["source_id"] is not None and source is None:
            yield f"variant {row['key']}: its source is not there"
        elif source is not None and source["origin_id"] != row["origin_id"]:
            yield f"variant {row['key']}: its source is of another origin"
    used = {row["source_id"] for row in index.variants.values()}
    paths = set()
    for row in index.sources.values():
        if row["id"] not in used:
            yield f"source {row['path']}: has no variant"
        if (row["origin_id"], row["path"]) in paths:
            yield f"source {row['path']}: twice in its origin"
        paths.add((row["origin_id"], row["path"]))
    aliases = set()
    for row in index.aliases:
        variant = index.variants.get(row["variant_id"])
        if variant is None:
            yield f"alias {row['key']}: points at no variant"
        elif variant["origin_id"] != row["origin_id"]:
            yield f"alias {row['key']}: points into another origin"
        if (row["origin_id"], row["key"]) in keys:
            yield f"alias {row['key']}: is also a variant's key"
        if (row["origin_id"], row["key"]) in aliases:
            yield f"alias {row['key']}: twice in its origin"
        aliases.add((row["origin_id"], row["key"]))


def check_store(index, orphans=False):
    """Files: whole, named after their bytes, with their true extension; nothing else lies about."""
    seen = {}
    for row in index.variants.values():
        path = row["file"]
        match = STORED.fullmatch(path or "")
        if not match:
            yield f"variant {row['key']}: file {path!r} is not a name of the store"
            continue
        if path not in seen:
            seen[path] = None
            full = index.file(row)
            if not os.path.isfile(full):
                yield f"variant {row['key']}: file {path} is not there"
                continue
            seen[path] = os.path.getsize(full)
            if originals.sha256(full) != match.group(2):
                yield f"{path}: the bytes are not those of its name"
            true = originals.sniffed(full)
            if true != match.group(3):
                yield f"{path}: its bytes are {true}"
        if seen[path] is not None and seen[path] != row["bytes"]:
            yield f"variant {row['key']}: bytes is {row['bytes']}, the file has {seen[path]}"
    for folder, _, names in os.walk(index.cache):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), index.cache)
            if path in seen:
                continue
            if STORED.fullmatch(path):
                if not orphans:
                    yield f"{path}: no row refers to it"
            elif not NOT_OURS_TO_CHECK.fullmatch(path) or TEMPORARY.search(name):
                yield f"{path}: left over"


def check_source(row, original, version):
    """A source's row against its original."""
    name = f"source {row['path']}"
    if row["version"] != version:
        yield f"{name}: version is not the SHA-256 of its bytes"
    facts = {"width": original.width, "height": original.height, "bytes": os.path.getsize(original.file),
             "animated": int(original.animated), "alpha": int(original.alpha), "stale": 0}
    for column, wanted in facts.items():
        if row[column] != wanted:
            yield f"{name}: {column} is {row[column]}, not {wanted}"
    if originals.FORMATS.get(row["format"].upper(), row["format"]) != original.format:
        yield f"{name}: format is {row['format']}, not {original.format}"


def check_row(row, source, wanted):
    """A variant's columns against what its key means."""
    name = f"variant {row['key']}"
    if wanted.kind == "opaque":
        if row["source_id"] is not None or row["mode"]:
            yield f"{name}: opaque, but related to a source"
        return
    directives = wanted.directives
    facts = {"mode": "", "box_width": 0, "box_height": 0, "quality": 100, "enlarge": 0, "extra": ""}
    if wanted.kind == "render":
        facts = {"mode": directives.mode, "box_width": directives.box[0],
                 "box_height": directives.box[1], "quality": directives.quality,
                 "enlarge": int(directives.enlarge), "extra": directives.extra}
    facts |= {"format": wanted.format, "animated": int(wanted.animated)}
    if not wanted.animated:
        facts["full_size"] = int(wanted.full_size)
    for column, value in facts.items():
        found = row[column]
        if column in ("box_width", "box_height"):
            found = found or 0
        if found != value:
            yield f"{name}: {column} is {row[column]!r}, not {value!r}"
    if source is None:
        yield f"{name}: source_id is NULL"
    elif source["path"] != wanted.source:
        yield f"{name}: its source is {source['path']}, not {wanted.source}"
    elif wanted.kind == "render":
        size = placement((source["width"], source["height"]), directives.mode, directives.box,
                         directives.enlarge, directives.axis).size
        if (row["width"], row["height"]) != size:
            yield f"{name}: {row['width']}x{row['height']}, not {size[0]}x{size[1]}"


def check_expected(index, wanted, background=(255, 255, 255), with_pixels=True):
    """The rows are those that the manifest makes: none is missing, none is extra, each is right."""
    by_name = {(index.origins.get(row["origin_id"]), row["key"]): row for row in index.variants.values()}
    for host, origin in wanted.hosts.items():
        if index.hosts.get(host) != origin:
            yield f"host {host}: belongs to {index.hosts.get(host)}, not {origin}"
    for name in sorted(set(by_name) - set(wanted.variants)):
        yield f"variant {name[1]} of {name[0]}: nobody asked for it"
    checked = set()
    order = sorted(wanted.variants.items(), key=lambda item: (item[1].original.file, item[0]))
    for name, variant in order:
        row = by_name.get(name)
        if row is None:
            yield f"variant {name[1]} of {name[0]}: missing"
            continue
        source = index.sources.get(row["source_id"])
        yield from check_row(row, source, variant)
        if source is not None and source["id"] not in checked:
            checked.add(source["id"])
            yield from check_source(source, variant.original, originals.sha256(variant.original.file))
        if os.path.isfile(index.file(row)):
            yield from check_picture(row, index.file(row), variant, background, with_pixels)


def check_aliases(index, wanted):
    found = {(index.origins.get(row["origin_id"]), row["key"]):
             index.variants[row["variant_id"]]["key"] if row["variant_id"] in index.variants else None
             for row in index.aliases}
    for name, key in sorted(wanted.aliases.items()):
        if name not in found:
            yield f"alias {name[1]} of {name[0]}: missing"
        elif found[name] != key:
            yield f"alias {name[1]}: points at {found[name]}, not {key}"
    for name in sorted(set(found) - set(wanted.aliases) - wanted.may_alias):
        yield f"alias {name[1]} of {name[0]}: nobody asked for it"


def faults(cache, manifest, pipeline, origins, with_pixels=True, orphans=False):
    """(faults, what was looked at)."""
    try:
        found = list(check_database(cache))
        unreadable = list(check_columns(cache))
    except (OSError, sqlite3.DatabaseError) as error:
        return [f"index.sqlite: {error}"], "a database that does not open"
    if unreadable:
        return found + unreadable, "the database only"
    index = Index(cache)
    with open(manifest, "rb") as file:
        wanted = expectation(file.read(), pipeline, origins)
    background = ImageColor.getrgb(pipeline.get("variants", {}).get("background", "#ffffff"))
    found += check_references(index)
    found += check_store(index, orphans)
    found += check_expected(index, wanted, background, with_pixels)
    if pipeline.get("aliases", True):
        found += check_aliases(index, wanted)
    looked = (f"{len(index.sources)} sources, {len(index.variants)} variants, {len(index.aliases)} "
              f"aliases; {len(wanted.failed)} lines that must fail")
    return found, looked


def origins_of(pipeline, folder, facts=None, files=()):
    """Where each origin's originals lie: its mirror, or a directory given for it."""
    origins = {}
    for origin in pipeline.get("origins", []):
        for source in origin.get("sources", []):
            if isinstance(source, dict) and "mirror" in source:
                origins[origin["name"]] = os.path.join(folder, source["mirror"])
                break
    rules = Rules(pipeline)
    for pair in files:
        name, _, root = pair.partition("=")
        origins[rules.origin(name)["name"]] = root
    return {name: originals.Origin(root, facts) for name, root in origins.items()}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache")
    parser.add_argument("--manifest")
    parser.add_argument("--pipeline-facts")
    parser.add_argument("--facts")
    parser.add_argument("--files", action="append", default=[], metavar="ORIGIN=DIR")
    parser.add_argument("--no-pixels", action="store_true")
    parser.add_argument("--orphans", action="store_true", help="files without a row are no fault")
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args(arguments)
    if given.self_test:
        import selftest
        return selftest.main()
    if not (given.cache and given.manifest and given.pipeline_facts):
        parser.error("--cache, --manifest and --pipeline-facts are needed")
    with open(given.pipeline_facts, encoding="utf-8") as file:
        pipeline = json5.loads(file.read())
    origins = origins_of(pipeline, os.path.dirname(given.pipeline_facts), given.facts, given.files)
    found, looked = faults(given.cache, given.manifest, pipeline, origins, not given.no_pixels,
                           given.orphans)
    for line in found:
        print(line)
    print(f"{len(found)} faults in {looked}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
