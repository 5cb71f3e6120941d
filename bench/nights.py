#!/usr/bin/env python3
"""A mirror of small pictures and a manifest that wants nine variants of each: nights.py SOURCES OUT.

Writes OUT/mirror/..., no two files with the same bytes, and OUT/urls.txt with ten distinct URLs of
each picture: three sizes in each mode, and one of them in other words. The same arguments make the
same files.
"""

import os
import random
import sys

from PIL import Image, ImageFilter

sources, out = int(sys.argv[1]), sys.argv[2]
STEP = 4
random.seed(1)
noise = Image.frombytes("RGB", (512, 512), random.randbytes(512 * 512 * 3))
sheet = noise.filter(ImageFilter.GaussianBlur(3)).resize((4096, 4096), Image.BICUBIC)
across = (4096 - 128) // STEP

# A size between two gears is rounded up to the same one.
asked = [f"{side}{mode}{side}" for mode in "xyz" for side in (30, 60, 90)] + ["29x29"]

with open(f"{out}/urls.txt", "w", encoding="ascii") as manifest:
    for number in range(sources):
        folder, name = f"{number // 1000:04d}", f"{number:07d}.jpg"
        if number % 1000 == 0:
            os.makedirs(f"{out}/mirror/{folder}", exist_ok=True)
        left, top = STEP * (number % across), STEP * (number // across)
        size = (128, 96) if number % 2 else (96, 120)
        picture = sheet.crop((left, top, left + size[0], top + size[1]))
        picture.save(f"{out}/mirror/{folder}/{name}", quality=85)
        for box in asked:
            manifest.write(f"https://img.example.com/{folder}/{name}?imageView=1&thumbnail={box}&quality=75\n")
