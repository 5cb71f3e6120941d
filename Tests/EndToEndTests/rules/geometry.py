"""Section 3: the exact size of a variant, in integers and fractions."""
from fractions import Fraction
from math import floor, inf
from typing import NamedTuple

ENLARGE_LIMIT = 4096
SIDE_LIMIT = 16383


class Placement(NamedTuple):
    """The whole picture is scaled to `scaled`; from that, `size` is cut at `offset`."""
    scaled: tuple
    offset: tuple
    size: tuple


def rounded(value):
    return floor(value + Fraction(1, 2))


def side(length, scale):
    return max(1, rounded(length * scale))


def placement(source, mode, box, enlarge=False, axis=(5, 5), capped=True):
    """Where the pixels of a variant of `source` (width, height after orientation) come from."""
    w, h = source
    cap = Fraction(SIDE_LIMIT, max(w, h)) if capped else inf
    if not mode or box == (0, 0):
        scale = min(Fraction(1), cap)
        size = (side(w, scale), side(h, scale))
        return Placement(size, (0, 0), size)
    if mode == "y":
        return filling(source, box, enlarge, axis)
    ratios = [Fraction(wanted, had) for wanted, had in zip(box, source) if wanted]
    scale = min(ratios) if mode == "x" else max(ratios)
    scale = min(scale, max(Fraction(1), Fraction(ENLARGE_LIMIT, max(w, h))) if enlarge else 1, cap)
    size = (side(w, scale), side(h, scale))
    return Placement(size, (0, 0), size)


def filling(source, box, enlarge, axis):
    w, h = source
    covered = w >= box[0] and h >= box[1]
    if not covered and not enlarge:
        shrink = min(Fraction(w, box[0]), Fraction(h, box[1]))
        box = (side(box[0], shrink), side(box[1], shrink))
    scale = max(Fraction(box[0], w), Fraction(box[1], h))
    scaled = (side(w, scale), side(h, scale))
    offset = tuple(rounded(Fraction((whole - part) * tenths, 10))
                   for whole, part, tenths in zip(scaled, box, axis))
    return Placement(scaled, offset, box)
