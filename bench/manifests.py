#!/usr/bin/env python3
"""Writes the same entries as a manifest of each format into the current folder: manifests.py LINES."""

import hashlib
import random
import sys

AGENT = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)"
rng = random.Random(1)
with open("urls.txt", "w") as text, open("urls.csv", "w") as csv, open("urls.tsv", "w") as tsv, open(
    "urls.jsonl", "w"
) as jsonl, open("urls.log", "w") as log:
    csv.write("id,url,hash,hits\n")
    tsv.write("url\thash\thits\n")
    for number in range(int(sys.argv[1])):
        album = rng.randrange(100_000)
        box = f"{rng.choice([100, 200, 300])}x{rng.choice([100, 200])}"
        path = f"/covers/2024/album-{album}.jpg?imageView=1&thumbnail={box}&type=webp&quality=80"
        url = "https://p1.music.126.net" + path
        digest = "md5:" + hashlib.md5(b"%d" % album).hexdigest()
        hits = rng.randrange(1_000)
        text.write(f"{url}\n")
        csv.write(f'{number},"{url}",{digest},{hits}\n')
        tsv.write(f"{url}\t{digest}\t{hits}\n")
        jsonl.write(f'{{"url": "{url}", "hash": "{digest}", "hits": {hits}, "app": "ios"}}\n')
        log.write(f'192.0.2.7 - - [30/Nov/2026:03:55:36 +0000] "GET {path} HTTP/1.1" 200 2326 "-" "{AGENT}"\n')
