#!/usr/bin/python3
"""Judges answers of a relation index by design.md's rule, written again in Python, and runs the
documented query on the same index.

    reuse.py INDEX CASES [INDEX CASES]...

CASES is JSON, a line each: first the pipeline whose rules the index has, then `url`, `accept` (a list
or null) and `answer`: the columns of the query, as the program gave them. Prints how often each clause
of the rule decided an answer; the exit status is 1 where answers differ, or where a clause decided none.
"""
import collections
import json
import sqlite3
import sys
import urllib.parse

# A folder of a Swift package holds no bytecode.
sys.dont_write_bytecode = True

from rules.canonical import Directives, Rules, canonicalise
from rules.reuse import CLAUSES, Lookup


class Index:
    """The rows of an index, read as a client reads them."""

    def __init__(self, path):
        self.database = sqlite3.connect(f"file:{urllib.parse.quote(path)}?mode=ro&immutable=1", uri=True)
        self.origins = dict(self.database.execute("SELECT id, name FROM origin"))
        self.sources = {row["id"]: row for row in self.rows("source")}
        self.variants = {row["id"]: row for row in self.rows("variant")}
        self.aliases = self.rows("alias")
        self.meta = dict(self.database.execute("SELECT name, value FROM meta"))

    def rows(self, table):
        cursor = self.database.execute(f"SELECT * FROM {table}")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row)) for row in cursor]

    def queried(self, request, accept):
        """What the query that the index brings answers."""
        asked = request.directives or Directives(quality=100)
        return self.database.execute(self.meta["resolve_sql"], {
            "origin": request.origin, "key": request.key, "raw_key": request.raw_key,
            "source": request.source, "mode": asked.mode, "box_width": asked.box[0],
            "box_height": asked.box[1], "quality": asked.quality, "format": asked.type,
            "enlarge": asked.enlarge, "axis_x": asked.axis[0], "axis_y": asked.axis[1],
            "animated": asked.animated, "accept": ",".join(accept) if accept is not None else None,
        }).fetchall()


def columns(answer):
    """An answer as the query's columns."""
    row = answer.variant or {}
    return [answer.result, row.get("file"), row.get("mode"), *answer.size, row.get("quality"),
            row.get("format"), *(answer.scale or (None, None)), *(answer.crop or (None,) * 4)]


def main(paths):
    decided, results, faults, cases = collections.Counter(), collections.Counter(), 0, 0
    for path, case_path in zip(paths[::2], paths[1::2]):
        index = Index(path)
        lookup = Lookup(index, index.meta["steps"])
        with open(case_path, encoding="utf-8") as file:
            rules = Rules(json.loads(next(file)))
            for line in file:
                case = json.loads(line)
                request = canonicalise(case["url"].encode(), rules)
                ruled = columns(lookup.answer(request, case["accept"]))
                queried = [list(row) for row in index.queried(request, case["accept"])]
                cases += 1
                results[ruled[0]] += 1
                if case["answer"] != ruled or queried != [ruled]:
                    faults += 1
                    if faults <= 3:
                        print(f"{path}: {case['url']} accept={case['accept']}\n  rule    {ruled}\n"
                              f"  program {case['answer']}\n  query   {queried}", file=sys.stderr)
                for clause in CLAUSES:
                    without = columns(lookup.answer(request, case["accept"], {clause}))
                    decided[clause] += without != ruled
                source = lookup.sources.get((request.origin, request.source))
                decided["(answers of a stale source)"] += bool(source and source["stale"] and ruled[1])
    print(f"{cases} cases, {faults} answered differently:",
          ", ".join(f"{count} {name}" for name, count in sorted(results.items())))
    for clause in (*CLAUSES, "(answers of a stale source)"):
        print(f"{decided[clause]:8} {clause}")
        if not decided[clause]:
            print(f"no case was decided by: {clause}", file=sys.stderr)
    return 1 if faults or not all(decided[clause] for clause in CLAUSES) or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
