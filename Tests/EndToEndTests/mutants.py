#!/usr/bin/python3
"""Cuts files short and flips bits in them, and judges what a run has made of them.

    mutants.py make OUT --cuts N --flips N --seed S FOLDER...
    mutants.py compare OUT CACHE

`make` takes every file below the folders, writes it whole, cut at N places and with bits flipped in N
ways into OUT/origin, and OUT/mutants.txt and OUT/mutants.json5 that ask for a few variants of each.
`compare` reads the finished index. Exit status 1 and a line for each fault: a variant of a wrong size,
a file that is not what its row says, and a cut file that was accepted although its picture is not the
whole one's.
"""
import argparse
import json
import os
import random
import sys
from collections import Counter

from PIL import Image, ImageChops

# A folder of a Swift package holds no bytecode.
sys.dont_write_bytecode = True

import check
from rules.geometry import placement

Image.MAX_IMAGE_PIXELS = None
HOST = "mutants.invalid"
# The gears of the sizes asked for are themselves.
WANTED = {
    "thumbnail=60x60&type=png": ("x", (60, 60)),
    "thumbnail=30y30&type=webp": ("y", (30, 30)),
    "thumbnail=90z90&type=jpg": ("z", (90, 90)),
    "thumbnail=60x0&tostatic=0&type=webp": ("x", (60, 0)),
}
PIPELINE = """// Made by mutants.py: damaged files, from a mirror.
{
  name: "mutants",
  manifests: ["mutants.txt"],
  cache: "cache",
  origins: [{ name: "mutants", hosts: [%s], sources: [{ mirror: "origin" }] }],
  variants: { modes: "requested" },
  limits: { pixels: 20000000, seconds: 20 },
  network: { attempts: 1 },
}
"""


def files(folders):
    for folder in folders:
        for place, inner, names in os.walk(folder):
            inner.sort()
            for name in sorted(names):
                path = os.path.join(place, name)
                if os.path.getsize(path):
                    yield os.path.relpath(path, folder), path


def cut(data, place, places):
    """The last place is one byte before the end."""
    return data[:-1] if place == places - 1 else data[:len(data) * (place + 1) // (places + 1)]


def flipped(data, name, number, seed):
    """One to eight bits, half of the time in the first part, where formats say what follows."""
    dice = random.Random(f"{seed} {name} {number}")
    data = bytearray(data)
    end = min(len(data), 600) if dice.random() < 0.5 else len(data)
    for _ in range(1 << dice.randrange(4)):
        data[dice.randrange(end)] ^= 1 << dice.randrange(8)
    return bytes(data)


def make(out, folders, cuts, flips, seed):
    lines, names = [], []
    for name, path in files(folders):
        with open(path, "rb") as file:
            data = file.read()
        folder = os.path.join(out, "origin", str(len(names)))
        os.makedirs(folder)
        mutants = {"whole": data}
        mutants |= {f"cut-{number}-of-{cuts}": cut(data, number, cuts) for number in range(cuts)}
        mutants |= {f"flip-{number}": flipped(data, name, number, seed) for number in range(flips)}
        for mutant, content in mutants.items():
            with open(os.path.join(folder, mutant), "wb") as file:
                file.write(content)
            lines += [f"http://{HOST}/{len(names)}/{mutant}?imageView=1&{asked}" for asked in WANTED]
        names.append(name)
    with open(os.path.join(out, "names.json"), "w", encoding="utf-8") as file:
        json.dump({"names": names, "seed": seed}, file)
    with open(os.path.join(out, "mutants.txt"), "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
    with open(os.path.join(out, "mutants.json5"), "w", encoding="utf-8") as file:
        file.write(PIPELINE % json.dumps(HOST))
    return 0


def readers_size(path):
    """The upright size that PIL reads, or None where it reads none or is known to differ."""
    try:
        with Image.open(path) as image:
            if image.format not in ("JPEG", "MPO", "PNG", "WEBP"):
                return None
            turned = image.getexif().get(0x112) in (5, 6, 7, 8)
            return image.size[::-1] if turned else image.size
    except Exception:  # PIL raises anything from SyntaxError to OSError
        return None


def same_picture(a, b):
    """Whether two files show the same, the lowest rows too."""
    if a == b:
        return True
    with Image.open(a) as first, Image.open(b) as second:
        if first.size != second.size:
            return False
        pictures = [image.convert("RGBA") for image in (first, second)]
    return max(high for _, high in ImageChops.difference(*pictures).getextrema()) <= 2


def size_fault(row, asked, source, path):
    mode, box = WANTED[asked]
    size = placement((source["width"], source["height"]), mode, box).size
    if (row["width"], row["height"]) != size:
        return f"is {row['width']}x{row['height']}, not {size[0]}x{size[1]}"
    try:
        with Image.open(path) as image:
            image.load()
            return None if image.size == size else f"its file is {image.width}x{image.height}"
    except Exception as error:  # PIL raises anything from SyntaxError to OSError
        return f"its file does not decode: {error}"


def compare(out, cache):
    with open(os.path.join(out, "names.json"), encoding="utf-8") as file:
        made = json.load(file)
    index = check.Index(cache)
    variants = {}
    for row in index.variants.values():
        path, _, query = row["key"].partition("?")
        asked = "&".join(part for part in query.split("&")
                         if part.split("=")[0] not in ("imageView", "quality"))
        variants.setdefault(path, {})[asked] = row
    faults, counts, judged = [], Counter(), {}
    for path, rows in sorted(variants.items()):
        number, mutant = path.strip("/").split("/")
        name = f"{made['names'][int(number)]}, {mutant}, seed {made['seed']}"
        kind = mutant.partition("-")[0]
        counts[kind] += 1
        whole = variants.get(f"/{number}/whole", {})
        source = index.sources[next(iter(rows.values()))["source_id"]]
        original = os.path.join(out, "origin", number, mutant)
        size = readers_size(original)
        if size and size != (source["width"], source["height"]):
            faults.append(f"{name}: read as {source['width']}x{source['height']}, PIL reads "
                          f"{size[0]}x{size[1]}")
        for asked in WANTED:
            row = rows.get(asked)
            if row is None:
                if kind == "whole":
                    faults.append(f"{name}: {asked} is missing")
                continue
            file = index.file(row)
            why = judged.get((file, asked, source["width"], source["height"]), 0)
            if why == 0:
                why = judged[file, asked, source["width"], source["height"]] = size_fault(
                    row, asked, source, file)
            if why:
                faults.append(f"{name}: {asked} {why}")
            elif kind == "cut" and (asked not in whole
                                    or not same_picture(file, index.file(whole[asked]))):
                faults.append(f"{name}: {asked} was accepted and is not the whole picture")
    for line in faults:
        print(line)
    print(f"{len(faults)} faults; accepted: "
          + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 1 if faults else 0


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("out")
    making.add_argument("folders", nargs="+")
    for name in ("--cuts", "--flips", "--seed"):
        making.add_argument(name, type=int, required=True)
    comparing = commands.add_parser("compare")
    comparing.add_argument("out")
    comparing.add_argument("cache")
    given = parser.parse_args(arguments)
    if given.command == "make":
        return make(given.out, given.folders, given.cuts, given.flips, given.seed)
    return compare(given.out, given.cache)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
