"""Sections 5 and 7: which variants a manifest makes of the sources that render."""
import re
from typing import NamedTuple, Optional

from . import canonical
from .canonical import Directives, in_order, query
from .geometry import placement
from .originals import Original

# What `formats: "requested"` makes where the URL names no type.
WITHOUT_TYPE = {"jpg": "jpg", "png": "png", "webp": "webp"}
ANIMATED_FORMATS = ("webp", "gif")


class Variant(NamedTuple):
    """One row that the index must have. `kind`: render, plain (the original's bytes) or opaque."""
    kind: str
    origin: str
    key: str
    source: Optional[str]
    original: Original
    directives: Optional[Directives]
    format: str

    @property
    def animated(self):
        """Whether every frame is kept; None where that is not for the rules to say."""
        if self.kind != "render":
            return self.original.animated
        keeps = self.directives.animated and self.format in ANIMATED_FORMATS
        return self.original.animated and keeps

    @property
    def placement(self):
        if self.kind != "render":
            return None
        wanted = self.directives
        return placement(self.original.size, wanted.mode, wanted.box, wanted.enlarge, wanted.axis)

    @property
    def size(self):
        return self.original.size if self.kind != "render" else self.placement.size

    @property
    def full_size(self):
        if self.kind == "plain":
            return True
        return self.directives.mode != "y" and self.size == self.original.size


class Expectation(NamedTuple):
    variants: dict      # (origin, key) -> Variant
    aliases: dict       # (origin, raw key) -> key
    may_alias: set      # the same of signed and opaque URLs, where an alias is not owed
    failed: list        # lines that must fail, with why
    hosts: dict         # host -> origin


def lines(data):
    """The entries of a text manifest, as bytes."""
    for line in re.split(rb"\r\n|\r|\n", data.removeprefix(b"\xef\xbb\xbf")):
        line = line.strip(b" \t")
        if line and not line.startswith(b"#"):
            yield line


def format_of(directives, original):
    if directives.type:
        return directives.type
    if original.format == "gif" and not original.animated:
        return "png"
    return WITHOUT_TYPE.get(original.format, "webp")


def either(value, listed):
    """A list of the pipeline, or where it says "requested", the URL's own value."""
    return listed if isinstance(listed, list) else [value]


def expanded(directives, rules, variants):
    """Every Directives that the pipeline makes of one request (None: a plain URL)."""
    wanted = directives or Directives(quality=rules.quality_gear(None))
    sizes = variants.get("sizes", "requested")
    squares = [(gear, gear) for gear in (rules.sizes if sizes == "ladder" else sizes)] \
        if sizes != "requested" else []
    if directives is None:
        squares = squares or [(gear, gear) for gear in rules.sizes]
    boxes = squares or [wanted.box]
    modes = variants.get("modes", ["x", "y", "z"])
    for box in boxes:
        if box == (0, 0):
            box_modes = [""]
        elif modes == "requested":
            box_modes = [wanted.mode or "x"]
        else:
            box_modes = [mode for mode in modes if mode == "x" or min(box) > 0]
        for mode in box_modes:
            for quality in either(wanted.quality, variants.get("qualities", "requested")):
                for format in either(wanted.type, variants.get("formats", "requested")):
                    yield wanted._replace(box=box, mode=mode, quality=quality, type=format).normal()


def only_mirrored(name, pipeline):
    """Whether an origin's originals come from directories alone, which process nothing."""
    for origin in pipeline.get("origins", []):
        if origin["name"] == name:
            return all(isinstance(source, dict) for source in origin.get("sources", ["http"]))
    return False


def expectation(data, pipeline, origins):
    """What one run over a manifest's bytes must leave behind.

    `origins` maps an origin's name to an originals.Origin; a source of another origin must fail.
    """
    rules = canonical.Rules(pipeline)
    variants = pipeline.get("variants", {})
    result = Expectation({}, {}, set(), [], {})
    for line in lines(data):
        try:
            request = canonical.canonicalise(line, rules)
        except canonical.LineError as error:
            result.failed.append((line, str(error)))
            continue
        origin = origins.get(request.origin)
        original = origin and origin.original(request.path)
        if not original:
            result.failed.append((line, "no original that renders"))
            continue
        if request.source is None and only_mirrored(request.origin, pipeline):
            result.failed.append((line, "a mirror holds nothing processed"))
            continue
        result.hosts[request.host] = request.origin
        if request.source is None:
            made = [Variant("opaque", request.origin, request.key, None, original, None,
                            original.format)]
        else:
            made = [Variant("render", request.origin,
                            request.path + query(in_order(list(request.unknown) + wanted.items())),
                            request.source, original, wanted, format_of(wanted, original))
                    for wanted in expanded(request.directives, rules, variants)]
            if request.directives is None:
                made.append(Variant("plain", request.origin, request.key, request.source, original,
                                    None, original.format))
        for variant in made:
            result.variants.setdefault((variant.origin, variant.key), variant)
        if request.raw_key == request.key or (request.origin, request.key) not in result.variants:
            continue
        if request.kind == "simple":
            result.aliases[request.origin, request.raw_key] = request.key
        else:
            result.may_alias.add((request.origin, request.raw_key))
    for name in [name for name in result.aliases if name in result.variants]:
        del result.aliases[name]
    return result
