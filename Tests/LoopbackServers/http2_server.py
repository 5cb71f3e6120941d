"""An HTTP/2 server over TLS that ends its streams in the ways that have hurt others.

Arguments: certificate, key, mode. Prints its port, ends when standard input does. The mode says
what every request gets, whatever its path: `whole`, all of the body and the stream's end;
`no-error`, a part of it and a reset with NO_ERROR; `refused`, a reset with REFUSED_STREAM;
`goaway`, a part of it, GOAWAY and the end of the connection. With `-once` behind it, only the first
request gets that. No answer has a length. The body is a GIF of 8000 bytes.

`cap-N` closes each connection when its Nth request comes, with what is under way; `last-N` says
GOAWAY then, answers what it has let in, and closes. Both answer a little later than they are asked.
"""

import select
import socket
import ssl
import struct
import sys
import threading
import time

BODY = b"GIF89a" + bytes(7993) + b"\x3b"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
seen = {}
lock = threading.Lock()


def frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(
        ">I", stream
    ) + payload


def exactly(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise OSError("closed")
        data += part
    return data


def serve(connection):
    exactly(connection, 24)
    connection.sendall(frame(SETTINGS, 0, 0, b""))
    kind, _, cap = sys.argv[3].partition("-")
    if kind in ("cap", "last"):
        return serve_some(connection, kind, int(cap))
    for stream in requests(connection):
        answer(connection, stream)


def requests(connection, with_pauses=False):
    """The streams of the requests, as they come, and None when nothing comes for a while."""
    while True:
        if with_pauses and not more_comes(connection):
            yield None
        header = exactly(connection, 9)
        length = struct.unpack(">I", b"\0" + header[:3])[0]
        kind, flags = header[3], header[4]
        stream = struct.unpack(">I", header[5:])[0] & 0x7FFFFFFF
        payload = exactly(connection, length)
        if kind == SETTINGS and not flags & 1:
            connection.sendall(frame(SETTINGS, 1, 0, b""))
        elif kind == PING and not flags & 1:
            connection.sendall(frame(PING, 1, 0, payload))
        elif kind == HEADERS:
            yield stream


def serve_some(connection, kind, cap):
    count = 0
    waiting = []
    for stream in requests(connection, with_pauses=True):
        if stream is not None:
            count += 1
            waiting.append(stream)
            if count == cap and kind == "cap":
                raise OSError("enough")
            if count == cap:
                connection.sendall(frame(GOAWAY, 0, 0, struct.pack(">II", stream, 0)))
        if stream is None or count == cap:
            for stream in waiting:
                connection.sendall(frame(HEADERS, 4, stream, b"\x88"))
                connection.sendall(frame(DATA, 1, stream, BODY))
            waiting = []
        if count == cap:
            time.sleep(0.1)
            raise OSError("going away")


def more_comes(connection):
    return connection.pending() > 0 or bool(select.select([connection], [], [], 0.02)[0])


def answer(connection, stream):
    with lock:
        seen["count"] = seen.get("count", 0) + 1
        mode = sys.argv[3]
        if "-once" in mode and seen["count"] > 1:
            mode = "whole"
    if mode.startswith("refused"):
        connection.sendall(frame(RST_STREAM, 0, stream, struct.pack(">I", 7)))
        return
    # 0x88 is ":status: 200" in HPACK's static table.
    connection.sendall(frame(HEADERS, 4, stream, b"\x88"))
    if mode == "whole":
        connection.sendall(frame(DATA, 1, stream, BODY))
        return
    connection.sendall(frame(DATA, 0, stream, BODY[:3000]))
    if mode.startswith("no-error"):
        connection.sendall(frame(RST_STREAM, 0, stream, struct.pack(">I", 0)))
    elif mode.startswith("goaway"):
        connection.sendall(frame(GOAWAY, 0, 0, struct.pack(">II", 0, 0)))
        raise OSError("going away")


def handle(context, raw):
    try:
        with context.wrap_socket(raw, server_side=True) as connection:
            serve(connection)
    except OSError:
        pass


def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)

    def accept():
        while True:
            raw, _ = listener.accept()
            threading.Thread(target=handle, args=(context, raw), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()


main()
