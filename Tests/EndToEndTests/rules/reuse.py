"""Section 4: which file of an index answers a request, and what is done to it."""
from typing import NamedTuple, Optional

from .canonical import Directives
from .expectation import WITHOUT_TYPE
from .geometry import placement

# Every clause of the rule that can decide an answer. A caller may leave some out, to see whether a
# case is decided by them.
CLAUSES = (
    "exact", "reuse", "alias", "accept (exact)", "accept (reuse)", "accept (alias)",
    "source of unknown size", "candidate of unknown size", "animated candidate", "quality",
    "png counts as 100", "1: x and z from x and z", "2: y from x and z", "3: y from y",
    "4: the full size", "slack (x and z)", "slack (y from x and z)", "slack (y from y)", "extra",
    "shape", "enlarging takes no full size", "y for x or z", "jpg for alpha", "still for tostatic=0",
    "opaque rows", "steps", "fewest pixels", "highest quality", "key order", "no cap at 16383",
)


class Answer(NamedTuple):
    """What is shown: the picture of `variant` scaled to `scale`, of which `crop` is cut."""
    result: str
    variant: Optional[dict] = None
    size: tuple = (None, None)
    scale: Optional[tuple] = None
    crop: Optional[tuple] = None


class Lookup:
    """The rows of an index, by what they are looked up by."""

    def __init__(self, index, steps):
        self.steps = steps
        origins = index.origins
        self.sources = {(origins[row["origin_id"]], row["path"]): row for row in index.sources.values()}
        self.variants = {(origins[row["origin_id"]], row["key"]): row for row in index.variants.values()}
        self.aliases = {(origins[row["origin_id"]], row["key"]): index.variants[row["variant_id"]]
                        for row in index.aliases}
        self.of_source, self.opaque = {}, {}
        for row in index.variants.values():
            if row["source_id"] is not None:
                self.of_source.setdefault(row["source_id"], []).append(row)
            else:
                # A row that would be related if it were not opaque: its key is the path with a query.
                name = (origins[row["origin_id"]], row["key"].split("?")[0])
                self.opaque.setdefault(name, []).append(row)

    def answer(self, request, accept=None, without=()):
        """The answer to a canonicalised request; `accept`: the formats a client decodes, or None."""
        def taken(row, clause):
            return accept is None or clause in without or row["format"] in accept

        exact = self.variants.get((request.origin, request.key))
        if exact and "exact" not in without and taken(exact, "accept (exact)"):
            return shown("exact", exact)
        source = request.source is not None and self.sources.get((request.origin, request.source))
        if source and "reuse" not in without:
            rows = self.of_source.get(source["id"], [])
            if "opaque rows" in without:
                rows = rows + self.opaque.get((request.origin, request.source.split("?")[0]), [])
            rows = [row for row in rows if taken(row, "accept (reuse)")]
            wanted = request.directives or Directives(quality=100)
            found = Rule(wanted, source, request.source, self.steps, without).best(rows)
            if found:
                return found
        alias = self.aliases.get((request.origin, request.raw_key))
        if alias and "alias" not in without and taken(alias, "accept (alias)"):
            return shown("alias", alias)
        return Answer("miss")


def shown(result, row):
    return Answer(result, row, (row["width"], row["height"]))


class Rule:
    """Which rows of a source may serve a request."""

    def __init__(self, wanted, source, path, steps, without):
        self.wanted, self.source, self.path, self.steps = wanted, source, path, steps
        self.without = without
        size = (source["width"], source["height"])
        if None in size:
            size = (100, 100) if "source of unknown size" in without else None
        self.size = size
        if not size:
            return
        capped = "no cap at 16383" in without
        box = wanted.box
        self.target = placement(size, wanted.mode, box, wanted.enlarge, wanted.axis, capped=capped)
        self.covering = placement(size, wanted.mode and "z", box, wanted.enlarge, capped=capped).size

    def best(self, rows):
        if not self.size:
            return None
        still = self.wanted.animated and self.source["animated"]
        if still and "still for tostatic=0" not in self.without:
            return None
        served = [(self.order(row), answer) for row in rows for answer in [self.served(row)] if answer]
        return min(served, key=lambda pair: pair[0])[1] if served else None

    def order(self, row):
        """Fewest pixels, then highest quality, then key order; a clause left out is turned round."""
        pixels = (row["width"] or 0) * (row["height"] or 0)
        key = row["key"].encode()
        if "key order" in self.without:
            key = bytes(255 - byte for byte in key) + b"\xff"
        return (-pixels if "fewest pixels" in self.without else pixels,
                self.quality(row) if "highest quality" in self.without else -self.quality(row), key)

    def quality(self, row):
        lossless = row["format"] == "png" and "png counts as 100" not in self.without
        return 100 if lossless else row["quality"]

    @property
    def target_format(self):
        if self.wanted.type:
            return self.wanted.type
        kind = self.source["format"]
        return "png" if kind == "gif" and not self.source["animated"] else WITHOUT_TYPE.get(kind, "webp")

    def served(self, row):
        """The answer with this row, or None where it may not serve."""
        without = self.without
        size = (row["width"], row["height"])
        if None in size:
            if "candidate of unknown size" not in without:
                return None
            size = self.size
        if row["animated"] and "animated candidate" not in without:
            return None
        if self.quality(row) < self.wanted.quality and "quality" not in without:
            return None
        seen_through = self.source["alpha"] and row["format"] == "jpg" and self.target_format != "jpg"
        if seen_through and "jpg for alpha" not in without:
            return None
        if self.steps and row["key"] == self.path and "steps" not in without:
            return None
        return self.by_full_size(row, size) or self.by_size(row, size)

    def by_full_size(self, row, size):
        enlarges = self.wanted.enlarge and "enlarging takes no full size" not in self.without
        if row["full_size"] and not enlarges and "4: the full size" not in self.without:
            return self.recipe(row, size)
        return None

    def by_size(self, row, size):
        mode, theirs, without = self.wanted.mode, row["mode"], self.without
        if mode in ("x", "z") and (theirs in ("x", "z") or (theirs == "y" and "y for x or z" in without)):
            if "1: x and z from x and z" in without:
                return None
            return self.recipe(row, size) if self.covers(size, self.target.size, "slack (x and z)") else None
        if mode == "y" and theirs in ("x", "z"):
            if "2: y from x and z" in without:
                return None
            return self.recipe(row, size) if self.covers(size, self.covering, "slack (y from x and z)") else None
        if mode == "y" and theirs == "y" and "3: y from y" not in without:
            (tw, th), (cw, ch) = self.target.size, size
            if row["extra"] != self.wanted.extra and "extra" not in without:
                return None
            if abs(th * cw - tw * ch) > max(cw, ch) and "shape" not in without:
                return None
            if self.covers(size, (tw, th), "slack (y from y)"):
                return Answer("reuse", row, (tw, th), None if size == (tw, th) else (tw, th))
        return None

    def covers(self, size, needed, slack):
        pixel = 0 if slack in self.without else 1
        return size[0] >= needed[0] - pixel and size[1] >= needed[1] - pixel

    def recipe(self, row, size):
        scaled, offset, cut = self.target
        return Answer("reuse", row, cut, None if size == scaled else scaled,
                      None if cut == scaled else offset + cut)
