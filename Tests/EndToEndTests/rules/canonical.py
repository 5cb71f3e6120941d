"""Section 2: a URL's canonical form for NOS, byte by byte."""
import re
from typing import NamedTuple, Optional

UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
IN_PATH = UNRESERVED | frozenset(b"!$&'()*+,;=:@/")
IN_QUERY = IN_PATH | frozenset(b"?")
HEX = frozenset(b"0123456789abcdefABCDEF")

FORMATS = {"jpg": "jpg", "jpeg": "jpg", "png": "png", "webp": "webp", "gif": "gif", "avif": "avif"}
FLAGS = ("enlarge", "interlace", "tostatic", "stripmeta")
NEVER_REWRITTEN = ("center", "crop", "rotate", "blur", "pixel", "watermark")
SIGNATURE_NAMES = set(
    "signature sign sig token expires auth_key nosaccesskeyid ossaccesskeyid accesskeyid "
    "security-token x-obs-security-token x-cos-security-token q-ak q-key-time q-header-list "
    "q-url-param-list".split())
TENTHS = "(?:10|[0-9])"


class LineError(Exception):
    """The line has no key."""


class Opaque(Exception):
    """The URL must not be rewritten."""


class Directives(NamedTuple):
    """What a URL asks for, after gears. `mode` is empty where no size is asked for."""
    mode: str = ""
    box: tuple = (0, 0)
    quality: int = 0
    type: Optional[str] = None
    enlarge: bool = False
    axis: tuple = (5, 5)
    interlace: bool = False
    animated: bool = False

    def normal(self):
        """Without what has no effect: equal values mean equal pictures."""
        mode = self.mode if self.box != (0, 0) else ""
        return self._replace(
            mode=mode,
            box=self.box if mode else (0, 0),
            enlarge=self.enlarge and bool(mode),
            axis=self.axis if mode == "y" else (5, 5),
            animated=self.animated and mode != "y")

    def items(self):
        """The query items, unsorted."""
        found = [("imageView", "1"), ("quality", str(self.quality))]
        if self.mode:
            found.append(("thumbnail", f"{self.box[0]}{self.mode}{self.box[1]}"))
        if self.type:
            found.append(("type", self.type))
        if self.enlarge:
            found.append(("enlarge", "1"))
        if self.axis != (5, 5):
            found.append(("axis", f"{self.axis[0]}_{self.axis[1]}"))
        if self.interlace:
            found.append(("interlace", "1"))
        if self.animated:
            found.append(("tostatic", "0"))
        return found

    @property
    def extra(self):
        found = [f"axis={self.axis[0]}_{self.axis[1]}"] if self.axis != (5, 5) else []
        return "&".join(found + (["tostatic=0"] if self.animated else []))


class Request(NamedTuple):
    kind: str
    origin: str
    host: str
    path: str
    key: str
    raw_key: str
    canonical: str
    source: Optional[str]
    unknown: tuple
    directives: Optional[Directives]


# --- bytes ----------------------------------------------------------------------------------------


def encoded(data, allowed, decode):
    """Percent-normalised text; `decode`: whether escapes of unreserved bytes are undone."""
    out, at = [], 0
    while at < len(data):
        byte = data[at]
        if byte == 0x25:
            pair = data[at + 1:at + 3]
            if len(pair) == 2 and all(digit in HEX for digit in pair):
                value = int(pair, 16)
                out.append(chr(value) if decode and value in UNRESERVED else f"%{value:02X}")
                at += 3
                continue
            out.append("%25")
        elif byte in allowed:
            out.append(chr(byte))
        else:
            out.append(f"%{byte:02X}")
        at += 1
    return "".join(out)


def without_dot_segments(path):
    """RFC 3986 section 5.2.4, for a path that begins with a slash."""
    kept = []
    segments = path.split("/")[1:]
    for index, segment in enumerate(segments):
        last = index == len(segments) - 1
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
            continue
        if last:
            kept.append("")
    return "/" + "/".join(kept)


def split(line, default_scheme=None):
    """(scheme, host with port, path bytes, query bytes or None, raw key bytes)."""
    line = line.split(b"#", 1)[0]
    if line.startswith(b"//"):
        if not default_scheme:
            raise LineError("no scheme")
        line = default_scheme.encode() + b":" + line
    match = re.match(rb"([A-Za-z][A-Za-z0-9+.\-]*):", line)
    if not match:
        raise LineError("no scheme")
    scheme = match.group(1).decode().lower()
    if scheme not in ("http", "https"):
        raise LineError(f"scheme {scheme}")
    rest = line[match.end():]
    if not rest.startswith(b"//"):
        raise LineError("no host")
    authority = re.match(rb"[^/?]*", rest[2:]).group()
    after = rest[2 + len(authority):]
    if b"@" in authority:
        raise LineError("user-info")
    if any(byte > 0x7F for byte in authority):
        raise LineError("host with non-ASCII bytes")
    host, colon, port = authority.partition(b":")
    if not host:
        raise LineError("no host")
    if port and not port.isdigit():
        raise LineError("bad port")
    name = host.decode().lower()
    if port and int(port) != {"http": 80, "https": 443}[scheme]:
        name += ":" + str(int(port))
    path, mark, query = after.partition(b"?")
    return scheme, name, path or b"/", query if mark else None, after


# --- values ---------------------------------------------------------------------------------------


def number(value, pattern, message):
    if value is None or not re.fullmatch(pattern, value):
        raise Opaque(message)
    return int(value)


def directive(name, value):
    """(the directive's name, its meaning); raises Opaque where the value is not well-formed."""
    if name == "imageView":
        if value not in (None, "", "1"):
            raise Opaque("imageView")
        return name, True
    if name in ("thumbnail", "param"):
        match = re.fullmatch(r"([0-9]{1,5})([xyz])([0-9]{1,5})", value or "")
        if not match:
            raise Opaque(name)
        mode, box = match.group(2), (int(match.group(1)), int(match.group(3)))
        if max(box) > 4096 or (mode != "x" and min(box) == 0 and box != (0, 0)):
            raise Opaque(name)
        return "thumbnail", (mode, box) if box != (0, 0) else ("", (0, 0))
    if name == "quality":
        quality = number(value, r"[0-9]{1,3}", name)
        if quality > 100:
            raise Opaque(name)
        return name, quality
    if name == "type":
        if (value or "").lower() not in FORMATS:
            raise Opaque(name)
        return name, FORMATS[value.lower()]
    if name in FLAGS:
        return name, bool(number(value, r"[01]", name))
    if name == "axis":
        match = re.fullmatch(f"({TENTHS})_({TENTHS})", value or "")
        if not match:
            raise Opaque(name)
        return name, (int(match.group(1)), int(match.group(2)))
    return None


class Rules:
    """What of a pipeline decides canonical forms."""

    def __init__(self, pipeline):
        gears = pipeline.get("gears", {})
        self.sizes = sorted(gears.get("sizes", [30, 60, 90, 120, 180, 256, 315, 512, 720, 1024]))
        self.overflow = gears.get("overflow", "step")
        self.qualities = sorted(gears.get("qualities", [39, 69, 89, 100]))
        self.default_quality = gears.get("defaultQuality", 75)
        self.default_dialect = pipeline.get("defaultDialect", "nos")
        self.default_scheme = pipeline.get("defaultScheme")
        self.origins = pipeline.get("origins", [])

    def origin(self, host):
        for origin in self.origins:
            if host in [name.lower() for name in origin["hosts"]]:
                return origin
        return {"name": host, "dialect": self.default_dialect}

    def size_gear(self, longer):
        for gear in self.sizes:
            if gear >= longer:
                return gear
        if self.overflow == "passthrough":
            return longer
        if self.overflow == "clamp":
            return self.sizes[-1]
        return max(longer, min(4096, -(-longer // 256) * 256))

    def box(self, box):
        w, h = box
        longer, shorter = max(box), min(box)
        if longer == 0:
            return box
        gear = self.size_gear(longer)
        other = 0 if shorter == 0 else max(1, shorter * gear // longer)
        return (gear, other) if w >= h else (other, gear)

    def quality_gear(self, quality):
        quality = quality or self.default_quality
        return next((gear for gear in self.qualities if gear >= quality), self.qualities[-1])


# --- the whole ------------------------------------------------------------------------------------


def query(items):
    text = "&".join(name if value is None else f"{name}={value}" for name, value in items)
    return "?" + text if text else ""


def in_order(items):
    return sorted(items, key=lambda item: (item[0].lower(), item[0]))


def is_signature(name):
    name = name.lower()
    if name in SIGNATURE_NAMES or name.startswith(("x-amz-", "q-sign-")):
        return True
    return name.startswith("x-oss-") and name != "x-oss-process"


def parsed(items):
    """(directives before gears as a dictionary, unknown items) of normalised items."""
    found, unknown = {}, []
    for name, value in items:
        if name in NEVER_REWRITTEN:
            raise Opaque(name)
        if value is None and re.fullmatch(f"axis_{TENTHS}_{TENTHS}", name):
            continue
        known = directive(name, value)
        if known is None:
            if (name, value) not in unknown:
                unknown.append((name, value))
        elif found.setdefault(known[0], known[1]) != known[1]:
            raise Opaque(f"{name} twice")
    return found, unknown


def canonicalise(line, rules):
    """The Request of one line (bytes); raises LineError."""
    scheme, host, path, raw_query, raw_key = split(line, rules.default_scheme)
    origin = rules.origin(host)
    path = without_dot_segments(encoded(path, IN_PATH, decode=True))
    raw_items = [item for item in (raw_query or b"").split(b"&") if item]
    items = []
    for item in raw_items:
        name, mark, value = encoded(item, IN_QUERY, decode=True).partition("=")
        items.append((name, value if mark else None))

    def request(kind, key, canonical, source, unknown=(), directives=None):
        return Request(kind, origin["name"], host, path, key, raw_key.decode("utf-8", "replace"),
                       canonical, source, tuple(unknown), directives)

    if any(is_signature(name) for name, _ in items):
        return signed(request, line, path, raw_items, items)
    if origin.get("dialect", "nos") == "none":
        unknown = in_order(kept(items, origin))
        key = path + query(unknown)
        return request("simple", key, f"{scheme}://{host}{key}", key, unknown)
    try:
        if is_pipeline(raw_query):
            raise Opaque("pipeline or second ?")
        found, unknown = parsed(items)
    except Opaque:
        key = path + "?" + encoded(raw_query, IN_QUERY, decode=False)
        return request("opaque", key, f"{scheme}://{host}{key}", None)
    unknown = in_order(kept(unknown, origin))
    source = path + query(unknown)
    directives = geared(found, rules)
    key = source if directives is None else path + query(in_order(unknown + directives.items()))
    return request("simple", key, f"{scheme}://{host}{key}", source, unknown, directives)


def is_pipeline(raw_query):
    text = (raw_query or b"").upper()
    return b"|" in text or b"%7C" in text or b"?" in text


def matches(name, patterns):
    """Whether a pattern fits, in which `*` is any run of bytes and nothing else is special."""
    parts = ("[^\\0]*".join(map(re.escape, pattern.split("*"))) for pattern in patterns)
    return any(re.fullmatch(part, name) for part in parts)


def kept(items, origin):
    rules = origin.get("parameters", {})
    dropped, listed = rules.get("drop", []), rules.get("keep", [])
    distinct = list(dict.fromkeys(items))
    if rules.get("unknown", "keep") == "drop":
        distinct = [item for item in distinct if matches(item[0], listed)]
    return [item for item in distinct if not matches(item[0], dropped)]


def geared(found, rules):
    """The directives after gears, or None where none stays."""
    mode, box = found.get("thumbnail", ("", (0, 0)))
    directives = Directives(
        mode=mode, box=rules.box(box), quality=rules.quality_gear(found.get("quality")),
        type=found.get("type"), enlarge=found.get("enlarge", False), axis=found.get("axis", (5, 5)),
        interlace=found.get("interlace", False), animated=not found.get("tostatic", True)).normal()
    nothing = Directives(quality=directives.quality)
    return None if directives == nothing and "quality" not in found else directives


def signed(request, line, path, raw_items, items):
    rest = [raw for raw, (name, _) in zip(raw_items, items) if not is_signature(name)]
    text = "&".join(encoded(item, IN_QUERY, decode=False) for item in rest)
    key = path + ("?" + text if text else "")
    canonical = line.split(b"#", 1)[0].decode("utf-8", "replace")
    asks = is_pipeline(b"&".join(rest))
    for name, value in items:
        try:
            asks = asks or name in NEVER_REWRITTEN or directive(name, value) is not None
        except Opaque:
            asks = True
    return request("signed", key, canonical, None if asks else key)
