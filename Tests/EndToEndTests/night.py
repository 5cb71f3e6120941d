#!/usr/bin/python3
"""Looks at a cache directory as its readers do, while a night writes it.

    night.py dump CACHE     what the index says and the stores hold, without what differs from run to run
    night.py rows CACHE     the index's rows alone, without their files
    night.py watch CACHE    opens the index again and again until standard input ends; every row's file
                            must be there whole. Prints how often it looked and what was wrong
"""
import os
import select
import sqlite3
import sys
import urllib.parse

TABLES = ["meta", "origin", "host", "source", "variant", "alias"]
# An index that was published twice has a higher number; the rest is the same.
VARYING = ("generation", "built_at")


def opened(cache):
    place = urllib.parse.quote(os.path.abspath(os.path.join(cache, "index.sqlite")))
    return sqlite3.connect(f"file:{place}?mode=ro&immutable=1", uri=True)


def files(cache, folder):
    for place, _, names in os.walk(os.path.join(cache, folder)):
        for name in names:
            path = os.path.join(place, name)
            yield f"{os.path.relpath(path, cache)} {os.path.getsize(path)}"


def rows(cache):
    """What a variant's file holds depends a little on what was rendered with it."""
    index = opened(cache)
    index.row_factory = sqlite3.Row
    for table in TABLES:
        for row in sorted(map(dict, index.execute(f"SELECT * FROM {table}")), key=repr):
            if table != "meta" or row["name"] not in VARYING:
                print(table, {name: row[name] for name in row if name not in ("bytes", "file")})


def dump(cache):
    index = opened(cache)
    rows(cache)
    for row in sorted(index.execute("SELECT key, bytes, file FROM variant")):
        print(row)
    for folder in ("store", "originals", "tmp"):
        print("\n".join(sorted(files(cache, folder))))
    for name in sorted(os.listdir(cache)):
        # What SQLite keeps beside the state comes and goes, and so does a damaged one.
        if not name.startswith(("state.sqlite-", "state.sqlite.damaged")):
            print(name)


def look(cache):
    """What is wrong with the index now, if there is one."""
    try:
        index = opened(cache)
        generation = index.execute("SELECT value FROM meta WHERE name = 'generation'").fetchone()[0]
        rows = index.execute("SELECT key, bytes, file FROM variant").fetchall()
    except sqlite3.OperationalError as error:
        if not os.path.exists(os.path.join(cache, "index.sqlite")):
            return None, []
        return None, [f"the index cannot be opened: {error}"]
    except sqlite3.DatabaseError as error:
        return None, [f"the index is damaged: {error}"]
    wrong = []
    for key, size, file in rows:
        try:
            found = os.path.getsize(os.path.join(cache, file))
        except OSError:
            found = None
        if found != size:
            wrong.append(f"{key}: {file} has {found} bytes, not {size}")
    return int(generation), wrong


def watch(cache):
    looks, last = 0, 0
    while True:
        generation, wrong = look(cache)
        looks += 1
        if generation is not None and generation < last:
            wrong.append(f"generation {generation} after {last}")
        last = generation or last
        for line in wrong[:10]:
            print(line)
        if wrong:
            return
        if select.select([sys.stdin], [], [], 0.001)[0]:
            print(f"whole {looks} times")
            return


{"dump": dump, "rows": rows, "watch": watch}[sys.argv[1]](sys.argv[2])
