#!/usr/bin/env python3
"""Writes files that begin and end as GIFs do, no two of them equal: objects.py FOLDER COUNT BYTES."""

import os
import random
import sys

folder, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
os.makedirs(folder, exist_ok=True)
source = random.Random(1)
for number in range(count):
    with open(f"{folder}/{number}.gif", "wb") as file:
        file.write(b"GIF89a" + source.randbytes(size - 7) + b";")
