#!/usr/bin/env python3
"""A manifest as a picture app's log gives one: scale.py LINES SOURCES FILE.

Each line asks for one of nine boxes of a random source; the same every time.
"""

import base64
import hashlib
import random
import sys

lines, sources, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
random.seed(1)
BOXES = ["200y200", "140x140", "300y300", "60y60", "512x0", "720z720", "90y90", "180y180", "1024x1024"]
QUALITIES = [75, 89, 60]
with open(path, "w", encoding="ascii") as manifest:
    for line in range(lines):
        source = random.randrange(sources)
        folder = base64.urlsafe_b64encode(hashlib.md5(b"%d" % source).digest()).decode()
        manifest.write(
            f"https://p{1 + source % 4}.example.com/{folder}/{109951160000000000 + source}.jpg"
            f"?imageView=1&thumbnail={BOXES[line % 9]}&quality={QUALITIES[line % 3]}\n"
        )
