"""Plans what photos.sh cuts: prints the regions; writes the manifest, the facts and the pipeline."""
import json
import os
import random
import sys

LONG, SHORT = 4400, 2900
# How often, the saver's options, and the greatest side: PNG and WebP are slow to write.
KINDS = [(60, "jpg", "[Q=82,strip]", 4000), (20, "jpg", "[Q=92,strip]", 4000),
         (10, "jpg", "[Q=80,interlace,strip]", 3000), (6, "webp", "[Q=80,effort=0,strip]", 2400),
         (4, "png", "[compression=2,strip]", 1500)]
SHAPES = [(4, 3), (3, 2), (1, 1), (16, 9), (2, 3), (3, 4)]
SIZES = [48, 60, 90, 100, 120, 140, 180, 200, 256, 300, 315, 400, 512, 640, 720, 1024]
QUALITIES = ["", "&quality=75", "&quality=80", "&quality=60", "&quality=90"]

PIPELINE = """// Made by bench/photos.sh: the photographs over HTTP, each in the modes and sizes asked for.
{
  name: "photos",
  manifests: ["photos.txt"],
  cache: "cache",
  origins: [{ name: "photos", hosts: ["%s"] }],
  variants: { modes: ["x", "y", "z"] },
  network: { allowPrivateAddresses: true },
}
"""


def region(chance, number, bases, least):
    """(base, width, height, kind) of one file: a long side between `least` and 4000 pixels."""
    _, extension, options, greatest = chance.choices(KINDS, [kind[0] for kind in KINDS])[0]
    base = number % bases
    room = (SHORT, LONG) if base % 2 else (LONG, SHORT)
    across, down = chance.choice(SHAPES)
    longer = chance.randint(min(least, greatest), greatest)
    width, height = longer * across // max(across, down), longer * down // max(across, down)
    scale = min(1, room[0] / width, room[1] / height)
    return base, int(width * scale), int(height * scale), room, extension, options


def requests(chance, url):
    """Three sizes of one file: one in each mode, mostly squares and WebP."""
    for mode, size in zip(chance.sample("xyz", 3), chance.sample(SIZES, 3)):
        other = size if chance.random() < 0.7 else size * 2 // 3
        type = "&type=webp" if chance.random() < 0.7 else ""
        yield f"{url}?imageView=1&thumbnail={size}{mode}{other}{chance.choice(QUALITIES)}{type}"


def main(out, count, host, least, bases):
    chance = random.Random(20240229)
    lines = []
    with open(os.path.join(out, "photos-facts.jsonl"), "w", encoding="utf-8") as facts:
        for number in range(int(count)):
            base, width, height, room, extension, options = region(chance, number, int(bases), int(least))
            name = f"{number:05}.{extension}"
            left, top = chance.randint(0, room[0] - width), chance.randint(0, room[1] - height)
            print(os.path.join(os.environ["work"], f"base-{base}.v"), name + options, left, top, width,
                  height)
            facts.write(json.dumps({"path": f"photos/{name}", "ok": True, "format": extension,
                                    "width": width, "height": height, "alpha": False,
                                    "animated": False}) + "\n")
            lines += requests(chance, f"http://{host}/photos/{name}")
    chance.shuffle(lines)
    with open(os.path.join(out, "photos.txt"), "w", encoding="utf-8") as manifest:
        manifest.write("\n".join(lines) + "\n")
    with open(os.path.join(out, "photos.json5"), "w", encoding="utf-8") as pipeline:
        pipeline.write(PIPELINE % host)


if __name__ == "__main__":
    main(*sys.argv[1:])
