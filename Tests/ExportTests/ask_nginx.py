#!/usr/bin/env python3
"""Asks a server for every name of an index, and for what must not be answered.

    ask_nginx.py CACHE PORT [--left-out N] [--every N]

Each canonical key and each alias is asked for on each of its hosts, as it is and as clients encode it; the
answer's bytes have to be the store's and its Content-Type that of the bytes. N requests may be refused.
"""

import argparse
import hashlib
import os
import re
import socket
import sys

from check_export import names

TYPES = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif",
         "avif": "image/avif", "heif": "image/heif", "tiff": "image/tiff"}


class Connection:
    """Sends what it is told, byte for byte: no client library that knows better stands between."""

    def __init__(self, port):
        self.port = port
        self.file = None

    def ask(self, host, target):
        for _ in range(2):
            if self.file is None:
                self.socket = socket.create_connection(("127.0.0.1", self.port))
                self.socket.settimeout(20)
                self.file = self.socket.makefile("rb")
            try:
                self.socket.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                first = self.file.readline()
                if first:
                    break
            except ConnectionError:
                pass
            self.file = None
        status = int(first.split()[1])
        fields = {}
        while (line := self.file.readline().strip()):
            name, _, value = line.decode("latin-1").partition(":")
            fields[name.lower()] = value.strip()
        body = self.file.read(int(fields.get("content-length", 0)))
        if fields.get("connection") == "close":
            self.file = None
        return status, fields.get("content-type"), body


def requests(key):
    sent = re.sub(r'[^!-~]|["<>\\^`{|}]',
                  lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), key)
    forms = [sent]
    if not re.search(r"[\x00-\x20\x7f]", key) and key != sent:
        forms.append(key)
    return forms


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cache")
    parser.add_argument("port", type=int)
    parser.add_argument("--left-out", type=int, default=0)
    parser.add_argument("--every", type=int, default=1, help="one of so many names is misspelt")
    asked = parser.parse_args()
    server = Connection(asked.port)
    faults, count, refused = [], 0, 0
    answered = set()
    hosts_of = {}
    listed = list(names(asked.cache))
    keys = {(origin, key) for origin, _, key, *_ in listed}
    for origin, hosts, key, file, _, format in listed:
        hosts_of[origin] = hosts
        for target in requests(key):
            if target != key and (origin, target) in keys:
                continue
            answered.add((origin, target))
            for host in hosts:
                count += 1
                status, kind, body = server.ask(host, target)
                if status != 200:
                    refused += host == hosts[0]
                    if refused > asked.left_out:
                        faults.append(f"{host}{target}: {status}")
                elif hashlib.sha256(body).hexdigest() != os.path.basename(file).split(".")[0]:
                    faults.append(f"{host}{target}: another picture than {file}")
                elif kind != TYPES.get(format, "application/octet-stream"):
                    faults.append(f"{host}{target}: {kind} for {file}")
    if refused != asked.left_out:
        faults.append(f"{refused} requests were refused, not {asked.left_out}")
    wrong = 0
    for origin, target in sorted(answered)[::asked.every]:
        hosts = hosts_of[origin]
        path = target.split("?")[0]
        for other in {target + "&", target + "?", target[:-1], target + "/", path, path + "?", "/" + target,
                      target.replace("/", "//", 1), target.swapcase(), target.replace("?", "/?", 1),
                      target.replace("?", "%3F", 1), target[:1] + " " + target[1:], target.replace("&", "/", 1),
                      path.rsplit("/", 1)[0], target.replace("?", "?/../", 1),
                      path.rsplit("/", 1)[0] + "/../" * 9 + "etc/passwd",
                      target.split("?")[0] + "?/" + "../" * 9 + "etc/passwd"}:
            # A space at the end belongs to no request: servers skip it.
            if (origin, other.rstrip(" ")) in answered or not other.startswith("/"):
                continue
            wrong += 1
            status, _, body = server.ask(hosts[0], other)
            if status not in (400, 404):
                faults.append(f"{hosts[0]}{other}: {status}, {len(body)} bytes for nobody's URL")
        if server.ask("nobody.example", target)[0] not in (400, 404):
            faults.append(f"nobody.example{target}: is answered")
    for fault in faults[:50]:
        print(fault)
    print(f"{count} requests answered, {refused} refused, {wrong} others not, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
