#!/usr/bin/python3
"""Tries a run on a folder of real and broken images that someone else's reader has described.

    corpus.py make CORPUS OUT              writes OUT/corpus.txt and OUT/corpus.json5
    corpus.py compare CORPUS CACHE [--outcomes FILE]

CORPUS holds facts.jsonl: path, and where the reader opened it format, width, height (after EXIF
orientation), ok. `make` asks for each file at 100x100 in x, y and z as WebP, from a mirror. `compare`
reads the finished index: a variant of a wrong size, a file that is not what its row says, a row
nobody asked for are faults (exit status 1). That one reader opens what the other refuses is listed,
not judged. --outcomes: JSON lines of the run; the reason of a failure is taken from there.
"""
import argparse
import json
import os
import sys
import urllib.parse
from collections import Counter

from PIL import Image

# A folder of a Swift package holds no bytecode.
sys.dont_write_bytecode = True

import check
from rules import originals, pixels
from rules.geometry import placement

HOST = "corpus.invalid"
BOX = (100, 100)
QUALITY = 89
# What the allow-list of section 3 opens, by PIL's names.
ALLOWED = {"JPEG", "MPO", "PNG", "WEBP", "GIF", "TIFF", "AVIF", "HEIF"}

PIPELINE = """// Made by corpus.py: every file of a corpus, from a mirror.
{
  name: "corpus",
  manifests: ["corpus.txt"],
  cache: "cache",
  origins: [{ name: "corpus", hosts: [%s], sources: [{ mirror: %s }] }],
  variants: { modes: "requested" },
  network: { attempts: 1 },
}
"""


def rows(corpus):
    with open(os.path.join(corpus, "facts.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def source_path(path):
    return "/" + urllib.parse.quote(path, safe="/-._~!$&'()*+,;=:@")


def key(path, mode):
    return f"{source_path(path)}?imageView=1&quality={QUALITY}&thumbnail=120{mode}120&type=webp"


def make(corpus, out):
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "corpus.txt"), "w", encoding="utf-8") as file:
        for row in rows(corpus):
            for mode in "xyz":
                file.write(f"http://{HOST}{source_path(row['path'])}"
                           f"?imageView=1&thumbnail={BOX[0]}{mode}{BOX[1]}&type=webp\n")
    with open(os.path.join(out, "corpus.json5"), "w", encoding="utf-8") as file:
        file.write(PIPELINE % (json.dumps(HOST), json.dumps(os.path.abspath(corpus))))
    return 0


def reasons(outcomes):
    """path -> reason, of JSON lines that name a URL of ours and a reason anywhere inside."""
    def values(node, name=None):
        if isinstance(node, dict):
            for inner, value in node.items():
                yield from values(value, inner)
        elif isinstance(node, list):
            for value in node:
                yield from values(value, name)
        elif isinstance(node, str):
            yield name, node

    found = {}
    with open(outcomes, encoding="utf-8") as file:
        for line in file:
            pairs = list(values(json.loads(line)))
            reason = next((value for name, value in pairs if name == "reason"), None)
            for _, value in pairs:
                path = value.partition(HOST)[2] or value
                if reason and path.startswith("/"):
                    found.setdefault(originals.decoded(path).decode("utf-8", "replace"), reason)
    return found


def picture_fault(row, variant, index, mode):
    """Why a variant's file is not what the facts and its row say, or None."""
    path = index.file(variant)
    if not os.path.isfile(path):
        return f"{mode}: its file is not there"
    wanted = placement((row["width"], row["height"]), mode, (120, 120))
    if (variant["width"], variant["height"]) != wanted.size:
        return (f"{mode}: {variant['width']}x{variant['height']}, not {wanted.size[0]}x{wanted.size[1]} "
                f"(of {row['width']}x{row['height']})")
    try:
        with Image.open(path) as image:
            image.load()
            if image.size != wanted.size:
                return f"{mode}: its file is {image.width}x{image.height}"
            return f"{mode}: is animated" if getattr(image, "n_frames", 1) > 1 else None
    except OSError as error:
        return f"{mode}: its file does not decode: {error}"


def looks_different(corpus, row, variant, index, mode):
    """Why the picture differs from PIL's, or None: a hint, since readers differ in colour."""
    if row["format"] in ("AVIF", "HEIF"):
        return None
    wanted = placement((row["width"], row["height"]), mode, (120, 120))
    try:
        with Image.open(index.file(variant)) as image:
            why = pixels.fault(os.path.join(corpus, row["path"]), wanted, image, (255, 255, 255))
    except Exception as error:  # PIL raises anything from SyntaxError to OSError
        why = f"PIL: {error}"
    return why and f"{mode} {why}"


def compare(corpus, cache, outcomes=None):
    faults = list(check.check_database(cache)) + list(check.check_columns(cache))
    index = check.Index(cache)
    faults += list(check.check_references(index)) + list(check.check_store(index))
    by_key = {row["key"]: row for row in index.variants.values()}
    why_failed = reasons(outcomes) if outcomes else {}
    counts, differ, asked = Counter(), [], set()
    for row in rows(corpus):
        path = row["path"]
        asked |= {key(path, mode) for mode in "xyz"}
        found = {mode: by_key[key(path, mode)] for mode in "xyz" if key(path, mode) in by_key}
        reason = why_failed.get(path, "no reason given")
        refused = row.get("format") not in ALLOWED
        if not found:
            if row["ok"] and not refused:
                counts["failed here, opened by the reader"] += 1
                differ.append(f"{path}: failed here ({reason}), the reader opens it: {row['format']} "
                              f"{row['width']}x{row['height']}")
            else:
                kind = "refused by the allow-list" if row["ok"] else "failed in both"
                counts[kind] += 1
                reader = row.get("error") or row.get("format")
                differ.append(f"{path}: {kind} ({reason}; the reader: {reader})")
            continue
        if len(found) < 3:
            faults.append(f"{path}: only {'and '.join(found)} of x, y and z")
        if not row["ok"]:
            counts["rendered here, refused by the reader"] += 1
            differ.append(f"{path}: rendered here, the reader says {row.get('error')}")
            continue
        counts["rendered"] += 1
        if refused:
            faults.append(f"{path}: {row['format']} is not on the allow-list")
            continue
        for mode, variant in found.items():
            fault = picture_fault(row, variant, index, mode)
            if fault:
                faults.append(f"{path}: {fault}")
            elif why := looks_different(corpus, row, variant, index, mode):
                counts["looks different"] += 1
                differ.append(f"{path}: {why}")
    faults += [f"{name}: nobody asked for it" for name in sorted(set(by_key) - asked)]
    for line in differ:
        print(f"note: {line}")
    for line in faults:
        print(f"fault: {line}")
    print(f"{len(faults)} faults; " + ", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if faults else 0


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("corpus")
    making.add_argument("out")
    comparing = commands.add_parser("compare")
    comparing.add_argument("corpus")
    comparing.add_argument("cache")
    comparing.add_argument("--outcomes")
    given = parser.parse_args(arguments)
    if given.command == "make":
        return make(given.corpus, given.out)
    return compare(given.corpus, given.cache, given.outcomes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
