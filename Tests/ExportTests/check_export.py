#!/usr/bin/env python3
"""What an export has to be, said once more: names, journals, dates and modes of each library.

    check_export.py CACHE OUT LAYOUT [--key url|key] [--scheme S] [--host H]...
                    [--origin O]... [--left-out N]

Reads the published index of CACHE and compares OUT with what follows from it, file by file. Prints
every difference; ends with 1 where there is one.
"""

import argparse
import base64
import hashlib
import json
import os
import re
import sqlite3
import sys
import time
import urllib.parse


def names(cache):
    """(origin, hosts, key, file, bytes) of every variant and of every alias that is no variant's key."""
    index = sqlite3.connect(f"file:{cache}/index.sqlite?mode=ro", uri=True)
    origins = dict(index.execute("SELECT id, name FROM origin"))
    hosts = {identifier: [] for identifier in origins}
    for name, origin in index.execute("SELECT name, origin_id FROM host"):
        hosts[origin].append(name)
    variants = {}
    keys = {}
    for row in index.execute("SELECT id, origin_id, key, file, bytes, format FROM variant"):
        variants[row[0]] = row
        keys[row[1], row[2]] = row
    for origin, key, variant in index.execute("SELECT origin_id, key, variant_id FROM alias"):
        keys.setdefault((origin, key), variants[variant])
    for (origin, key), row in keys.items():
        yield origins[origin], hosts[origin], key, row[3], row[4], row[5]


def md5(key):
    return hashlib.md5(key.encode()).hexdigest()


def sha1(key):
    return hashlib.sha1(key.encode()).hexdigest()


def sha256(key):
    return hashlib.sha256(key.encode()).hexdigest()


def sdwebimage(key):
    if re.search(r'[^!-~]|["<>\\^`{|}\[\]]', key):
        ends = {os.path.splitext(urllib.parse.urlsplit(key).path)[1],
                os.path.splitext(key.rsplit("/", 1)[-1])[1]}
        if len(ends) > 1:
            return None
    end = os.path.splitext(urllib.parse.urlsplit(key).path.rstrip("/"))[1].replace(":", "")
    if "%" in end or re.search(r"[^!-~]", end):
        return None
    return "com.hackemist.SDImageCache/default/" + md5(key) + (end if 1 < len(end) <= 223 else "")


def java_hash(text):
    value = 0
    for character in text:
        value = (value * 31 + ord(character)) & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def fresco(key, shape):
    name = base64.urlsafe_b64encode(hashlib.sha1(key.encode()).digest()).decode().rstrip("=")
    # Java's remainder has the sign of the dividend.
    value = java_hash(name)
    shard = abs(value) % 100
    return f"image_cache/v2.ols100.1/{shape(shard)}/{name}.cnt"


def pin(key):
    folder = "com.pinterest.PINDiskCache.PINRemoteImageManagerCache/"
    if len(key.encode("utf-16-le")) // 2 > 200:
        return folder + md5(key)
    name = "".join(c if ord(c) < 128 and c not in ".:/%" else
                   "".join(f"%{b:02X}" for b in c.encode()) for c in key)
    return folder + name if len(name.encode()) <= 255 else None


LIBRARIES = {
    "sdwebimage": sdwebimage,
    "kingfisher": lambda key: "com.onevcat.Kingfisher.ImageCache.default/" + sha256(key),
    "nuke": lambda key: "com.github.kean.Nuke.DataCache/" + sha1(key),
    "glide": lambda key: "image_manager_disk_cache/" + sha256(key) + ".0",
    "coil": lambda key: "coil3_disk_cache/" + sha256(key) + ".1",
    "fresco-3.6": lambda key: fresco(key, lambda shard: str(shard)),
    "fresco-3.7": lambda key: fresco(key, lambda shard: str(float(shard))),
    "pinremoteimage": pin,
}
JOURNALS = {
    "glide": ("image_manager_disk_cache", ["1", "1", "1"], ".0", "CLEAN {} {}"),
    "coil": ("coil3_disk_cache", ["1", "3", "2"], ".1", "CLEAN {} 0 {}"),
}


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def check_dates(layout, path, status, faults):
    # Reading a file to check it moves its access date: another of its names may have been read just now.
    now = time.time() + 1
    if layout == "kingfisher":
        if not now + 365 * 86400 < status.st_mtime < 2**31 - 1:
            faults.append(f"{path}: expires at {status.st_mtime}")
    elif layout in ("sdwebimage", "pinremoteimage") or layout.startswith("fresco"):
        if not now - 3600 < status.st_mtime <= now or not now - 3600 < status.st_atime <= now:
            faults.append(f"{path}: dates {status.st_atime}, {status.st_mtime}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cache")
    parser.add_argument("out")
    parser.add_argument("layout", choices=sorted(LIBRARIES))
    parser.add_argument("--key", default="url")
    parser.add_argument("--scheme", default="https")
    parser.add_argument("--host", action="append")
    parser.add_argument("--origin", action="append")
    parser.add_argument("--left-out", type=int, default=0)
    asked = parser.parse_args()
    faults = []
    expected = {}
    left_out = 0
    for origin, hosts, key, file, size, _ in names(asked.cache):
        if asked.origin and origin not in asked.origin:
            continue
        sites = [""] if asked.key == "key" else [
            f"{asked.scheme}://{host}" for host in hosts if not asked.host or host in asked.host]
        for site in sites:
            path = LIBRARIES[asked.layout](site + key)
            if path is None:
                left_out += 1
                continue
            if path in expected:
                faults.append(f"{path}: two keys have this name")
            expected[path] = (file, size)
    if left_out != asked.left_out:
        faults.append(f"{left_out} names cannot be held, not {asked.left_out}")

    found = set()
    for folder, folders, files in os.walk(asked.out):
        for name in folders:
            if os.stat(f"{folder}/{name}").st_mode & 0o7777 != 0o755:
                faults.append(f"{folder}/{name}: is not 0755")
        for name in files:
            if os.stat(f"{folder}/{name}").st_mode & 0o7777 != 0o644:
                faults.append(f"{folder}/{name}: is not 0644")
            found.add(os.path.relpath(f"{folder}/{name}", asked.out))
    extra = {"export.json"}
    if asked.layout in JOURNALS:
        folder, versions, end, line = JOURNALS[asked.layout]
        extra.add(f"{folder}/journal")
        with open(f"{asked.out}/{folder}/journal", "rb") as file:
            journal = file.read().decode("ascii")
        head = "\n".join(["libcore.io.DiskLruCache", *versions, "", ""])
        if not journal.startswith(head) or not journal.endswith("\n"):
            faults.append("the journal's head or end is wrong")
        lines = journal[len(head):].splitlines()
        wanted = sorted(line.format(os.path.basename(path)[:-len(end)], size)
                        for path, (_, size) in expected.items())
        if sorted(lines) != wanted:
            faults.append(f"the journal has {len(lines)} lines, not the {len(wanted)} of the files")
    if asked.layout == "coil":
        for path in expected:
            extra.add(path[:-2] + ".0")
            if os.path.getsize(f"{asked.out}/{path[:-2]}.0") != 0:
                faults.append(f"{path}: has metadata")
    for path in sorted(found - extra - set(expected)):
        faults.append(f"{path}: does not belong there")
    for path in sorted((extra | set(expected)) - found):
        faults.append(f"{path}: is missing")
    for path in sorted(found & set(expected)):
        file, size = expected[path]
        wanted = os.path.basename(file).split(".")[0]
        status = os.stat(f"{asked.out}/{path}")
        if status.st_size != size or digest(f"{asked.out}/{path}") != wanted:
            faults.append(f"{path}: is not {file}")
        check_dates(asked.layout, path, status, faults)
    with open(f"{asked.out}/export.json") as file:
        record = json.load(file)
    if (record["layout"], record["names"]) != (asked.layout, len(expected)):
        faults.append(f"the record says {record}")
    for fault in faults[:50]:
        print(fault)
    print(f"{len(expected)} names, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
