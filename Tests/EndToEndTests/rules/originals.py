"""What an original is, as PIL reads it: the facts that an index's `source` row must agree with."""
import functools
import hashlib
import json
import os
import urllib.parse
import warnings
from typing import NamedTuple, Optional

from PIL import Image, ImageOps

FORMATS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp", "GIF": "gif", "TIFF": "tiff", "MPO": "jpg"}
ALLOWED = ("jpg", "png", "webp", "gif", "tiff", "heif", "avif")
warnings.simplefilter("ignore", Image.DecompressionBombWarning)


class Original(NamedTuple):
    file: str
    format: str
    width: int
    height: int
    alpha: bool
    animated: bool

    @property
    def size(self):
        return (self.width, self.height)


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sniffed(path):
    """The word of a format by the file's first bytes; PIL 9 knows no AVIF."""
    with open(path, "rb") as file:
        head = file.read(64)
    if head[4:8] == b"ftyp":
        return "avif" if b"avif" in head or b"avis" in head else "heif"
    try:
        with Image.open(path) as image:
            return FORMATS.get(image.format, image.format.lower())
    except Exception:  # PIL raises anything from SyntaxError to OSError
        return None


def measured(path):
    """The Original at a path; raises where PIL does not decode it whole."""
    with Image.open(path) as image:
        frames = getattr(image, "n_frames", 1)
        image.load()
        name = FORMATS.get(image.format, image.format.lower())
        alpha = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
        width, height = ImageOps.exif_transpose(image).size
        animated = frames > 1 and name in ("gif", "webp")
    return Original(path, name, width, height, alpha, animated)


def decoded(path):
    """A key's path as bytes of a file's path, without its leading slash."""
    return urllib.parse.unquote_to_bytes(path.split("?", 1)[0]).lstrip(b"/")


class Origin:
    """A directory of originals, with what is known of each: facts where given, else PIL's."""

    def __init__(self, root, facts=None):
        self.root = root
        self.facts = {}
        if facts:
            with open(facts, encoding="utf-8") as file:
                self.facts = {row["path"]: row for row in map(json.loads, file)}

    def file(self, path):
        """The file that a key's path means, or None where there is none inside the directory."""
        root = os.path.realpath(os.fsencode(self.root))
        found = os.path.realpath(os.path.join(root, decoded(path)))
        inside = found.startswith(root + b"/")
        return os.fsdecode(found) if inside and os.path.isfile(found) else None

    @functools.lru_cache(maxsize=None)
    def original(self, path) -> Optional[Original]:
        """The Original of a key's path; None where it must not render."""
        file = self.file(path)
        if file is None:
            return None
        row = self.facts.get(decoded(path).decode("utf-8", "surrogateescape"))
        if row is not None:
            if not row["ok"]:
                return None
            return Original(file, FORMATS.get(row["format"], row["format"]), row["width"], row["height"],
                            row["alpha"], row["animated"])
        try:
            found = measured(file)
        except Exception:  # PIL raises anything from SyntaxError to OSError
            return None
        return found if found.format in ALLOWED else None
