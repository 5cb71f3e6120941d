#!/usr/bin/env python3
"""Writes manifests and says what Python's own modules read in them: manifests.py FORMAT SEED COUNT.

A line of JSON each: `text` (base 64), and `items`: [line, url, hash, hits] for an entry, [line] for a bad
line; for gzip `plain` (base 64), or null where the data are cut or damaged.
"""

import base64
import csv
import gzip
import io
import json
import random
import re
import sys

BLANKS = " \t\r\n"
HASH = re.compile(r"(?i)(md5:[0-9a-f]{32}|sha1:[0-9a-f]{40}|sha256:[0-9a-f]{64})\Z")
PIECES = ["a", "http://h/", ".jpg", ",", '"', "\n", "\r\n", "\r", " ", "\t", "é", "😀", "#", "%20", ";", "'", "\\"]


def item(line, url, digest, hits):
    url, digest, hits = url.strip(BLANKS), digest.strip(BLANKS), hits.strip(BLANKS)
    if not url or "\n" in url or "\r" in url:
        return [line]
    if digest and not HASH.match(digest):
        return [line]
    if hits and not re.match(r"[0-9]{1,18}\Z", hits):
        return [line]
    return [line, url, digest.lower() or None, int(hits or 1)]


def words(rng, most):
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(most)))


def digest(rng):
    name, count = rng.choice([("md5", 32), ("sha1", 40), ("SHA256", 64), ("md5", 31), ("crc", 8)])
    return name + ":" + "".join(rng.choice("0123456789abcdefABCDEF") for _ in range(count))


def table(rng, separator):
    columns = ["url"] + rng.sample(["hash", "hits", "id", 'a"b'], rng.randrange(5))
    rng.shuffle(columns)
    text = io.StringIO(newline="")
    writer = csv.writer(
        text,
        delimiter=separator,
        lineterminator=rng.choice(["\n", "\r\n", "\r"]),
        quoting=rng.choice([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    )
    writer.writerow(columns)
    for _ in range(rng.randrange(12)):
        row = {name: words(rng, 6) for name in columns}
        if rng.random() < 0.8:
            row["url"] = rng.choice(["", " "]) + "http://h/" + words(rng, 4).replace("\n", "").replace("\r", "")
        row["hash"] = rng.choice(["", "", digest(rng)])
        row["hits"] = rng.choice(["", "1", "07", " 12 ", "-1", "9" * 18, "9" * 19])
        values = [row[name] for name in columns]
        if rng.random() < 0.1:
            values.append("more")
        writer.writerow(values)
    text = text.getvalue()
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    header = next(reader)
    items = []
    begin = reader.line_num + 1
    for row in reader:
        # Python gives an empty row for an empty line; [''] is the quoted empty field.
        if len(row) not in (0, len(header)):
            items.append([begin])
        elif row:
            named = dict(zip(header, row))
            items.append(item(begin, named["url"], named.get("hash", ""), named.get("hits", "")))
        begin = reader.line_num + 1
    return text.encode(), items


class Number:
    def __init__(self, text):
        self.text = text


def value(rng, depth=0):
    kind = rng.randrange(9 if depth < 4 else 6)
    if kind < 2:
        return words(rng, 5)
    if kind == 2:
        return rng.choice([True, False, None])
    if kind == 3:
        return rng.randrange(-10, 10**6)
    if kind == 4:
        return rng.choice([0.5, -1e300, 1e-7])
    if kind < 7:
        return "x"
    if kind == 7:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {words(rng, 3): value(rng, depth + 1) for _ in range(rng.randrange(4))}


def has_half(text):
    return isinstance(text, str) and any(0xD800 <= ord(c) < 0xE000 for c in text)


def json_item(number, line):
    def pairs(members):
        for name, content in members:
            for text in [name] + (content if isinstance(content, list) else [content]):
                if has_half(text):
                    raise ValueError("half of a character")
        return dict(members)

    def refuse(word):
        raise ValueError(word)

    try:
        read = json.loads(
            line.decode(), object_pairs_hook=pairs, parse_int=Number, parse_float=float, parse_constant=refuse
        )
    except ValueError:
        return [number]
    if not isinstance(read, dict):
        return [number]
    url, hashed, hits = (read.get(name) for name in ("url", "hash", "hits"))
    if not isinstance(url, str) or not (hashed is None or isinstance(hashed, str)):
        return [number]
    if hits is not None and not isinstance(hits, Number):
        return [number]
    return item(number, url, hashed or "", hits.text if hits else "")


def json_lines(rng):
    lines = []
    for _ in range(rng.randrange(10)):
        members = {words(rng, 3): value(rng) for _ in range(rng.randrange(4))}
        members["url"] = rng.choice(["http://h/" + words(rng, 4), words(rng, 3), value(rng)])
        if rng.random() < 0.5:
            members["hash"] = rng.choice([digest(rng), None, value(rng)])
        if rng.random() < 0.5:
            members["hits"] = rng.choice([rng.randrange(10**6), None, value(rng)])
        members = list(members.items())
        rng.shuffle(members)
        line = json.dumps(
            dict(members),
            ensure_ascii=rng.random() < 0.5,
            separators=rng.choice([(",", ":"), (", ", ": "), (" ,\t", "  : ")]),
        ).encode()
        if rng.random() < 0.3:
            line = bytearray(line)
            for _ in range(rng.randrange(1, 3)):
                place = rng.randrange(len(line))
                line[place : place + rng.randrange(2)] = bytes([rng.choice(b'"\\{}[],:0-.eE+ntu/ \xc3\x01')])
            line = bytes(line)
        lines.append(line)
    end = rng.choice([b"\n", b"\r\n"])
    text = end.join(lines) + (end if rng.random() < 0.5 else b"")
    found = [json_item(n, line) for n, line in enumerate(lines, 1) if line.strip(BLANKS.encode())]
    return text, found


def zipped(rng):
    members = [
        "".join(rng.choice(["http://h/%d\n" % rng.randrange(99), "\n", "é\n"]) for _ in range(rng.randrange(800))).encode()
        for _ in range(rng.randrange(1, 4))
    ]
    data = b"".join(gzip.compress(m, rng.randrange(10)) for m in members)
    data += b"\0" * rng.choice([0, 0, 0, 5, 600])
    kind = rng.randrange(4)
    if kind == 0:
        data = data[: rng.randrange(4, len(data))]
    elif kind == 1:
        place = rng.randrange(4, len(data))
        data = data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
    elif kind == 2 and rng.random() < 0.5:
        data += rng.choice([b"x", b"http://h/1\n", b"\0x"])
    try:
        plain = gzip.decompress(data)
    except (OSError, EOFError, gzip.zlib.error):
        plain = None
    return data, plain


def main():
    form, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    for _ in range(count):
        if form == "gzip":
            text, plain = zipped(rng)
            more = {"plain": None if plain is None else base64.b64encode(plain).decode()}
        else:
            text, items = json_lines(rng) if form == "jsonl" else table(rng, "," if form == "csv" else "\t")
            more = {"items": items}
        print(json.dumps({"text": base64.b64encode(text).decode(), **more}))


main()
