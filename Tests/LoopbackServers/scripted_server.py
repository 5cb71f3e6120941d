"""An HTTP/1.1 server that does what a script says, also what no honest server does.

The script is one line of JSON on standard input: a list of steps for each path. A request takes
the next step of its target, or else of its path without the query; the last step repeats. The port is printed, and
for each further line of standard input what was asked so far. The server ends when its input does.
"""

import base64
import gzip
import json
import os
import socket
import sys
import threading
import time


class Server:
    def __init__(self, script):
        self.script = script
        self.lock = threading.Lock()
        self.taken = {}
        self.requests = []
        self.connections = 0
        self.in_flight = 0
        self.peak = 0

    def step(self, target):
        path = target if target in self.script else target.split("?")[0]
        steps = self.script.get(path)
        if steps is None:
            return {"status": 404, "body": base64.b64encode(b"no such path").decode()}
        index = self.taken.get(path, 0)
        self.taken[path] = index + 1
        return steps[min(index, len(steps) - 1)]

    def log(self):
        with self.lock:
            return json.dumps(
                {"requests": self.requests, "connections": self.connections, "peak": self.peak}
            )

    def serve(self, connection):
        with self.lock:
            self.connections += 1
            number = self.connections
        stream = connection.makefile("rb")
        try:
            while self.answer(connection, stream, number):
                pass
        except OSError:
            pass
        finally:
            stream.close()
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()

    def answer(self, connection, stream, number):
        line = stream.readline().decode("latin-1")
        if not line.strip():
            return False
        _, target, _ = line.split(" ", 2)
        headers = {}
        while True:
            field = stream.readline().decode("latin-1").strip()
            if not field:
                break
            name, _, value = field.partition(":")
            headers[name.lower()] = value.strip()
        with self.lock:
            step = self.step(target)
            self.requests.append(
                {"target": target, "headers": headers, "connection": number, "time": time.time()}
            )
            self.in_flight += 1
            self.peak = max(self.peak, self.in_flight)
        time.sleep(step.get("delay", 0))
        # Before the answer: whoever has it may ask again at once.
        with self.lock:
            self.in_flight -= 1
        return send(connection, step, headers)


def send(connection, step, asked):
    if "raw" in step:
        connection.sendall(base64.b64decode(step["raw"]))
        return False
    if step.get("reset"):
        # Closing with a zero linger time sends RST in place of FIN.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()
        raise OSError("reset")
    status = step.get("status", 200)
    body = base64.b64decode(step.get("body", "")) * step.get("times", 1)
    fields = [tuple(field) for field in step.get("headers", [])]
    for name, condition in (("etag", "if-none-match"), ("last-modified", "if-modified-since")):
        for field, value in fields:
            if field.lower() == name and asked.get(condition) == value and status == 200:
                status, body = 304, b""
    if step.get("gzip"):
        body = gzip.compress(body)
        fields.append(("Content-Encoding", "gzip"))
    chunked = step.get("chunked", False) and status != 304
    if chunked:
        fields.append(("Transfer-Encoding", "chunked"))
    elif status != 304 and not step.get("noLength"):
        fields.append(("Content-Length", str(step.get("length", len(body)))))
    if step.get("close") or step.get("noLength"):
        fields.append(("Connection", "close"))
    head = f"HTTP/1.1 {status} Scripted\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in fields)
    connection.sendall(head.encode("utf-8") + b"\r\n")
    if "cutAfter" in step:
        connection.sendall(chunk(body[: step["cutAfter"]]) if chunked else body[: step["cutAfter"]])
        return False
    piece = step.get("piece", 65536)
    for start in range(0, len(body), piece):
        part = body[start : start + piece]
        connection.sendall(chunk(part) if chunked else part)
        time.sleep(step.get("pause", 0))
    if chunked:
        connection.sendall(b"0\r\n\r\n")
    return not (step.get("close") or step.get("noLength") or "length" in step)


def chunk(part):
    return b"%x\r\n%s\r\n" % (len(part), part)


def main():
    server = Server(json.loads(sys.stdin.readline()))
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    print(listener.getsockname()[1], flush=True)

    def accept():
        while True:
            connection, _ = listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=server.serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    for _ in sys.stdin:
        print(server.log(), flush=True)
    os._exit(0)


main()
