"""Runs nginx on a free port until standard input ends, so that no server outlives the tests.

Argument: a folder with `nginx.conf`, in which PORT stands for the port. Prints the port when nginx
answers.
"""

import socket
import subprocess
import sys
import time

home = sys.argv[1]
with socket.create_server(("127.0.0.1", 0)) as probe:
    port = probe.getsockname()[1]
with open(home + "/nginx.conf") as file:
    text = file.read().replace("PORT", str(port))
with open(home + "/nginx.conf", "w") as file:
    file.write(text)
child = subprocess.Popen(
    ["/usr/sbin/nginx", "-p", home, "-c", home + "/nginx.conf"], stdin=subprocess.DEVNULL
)
for _ in range(500):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        break
    except OSError:
        time.sleep(0.01)
print(port, flush=True)
sys.stdin.read()
child.terminate()
try:
    child.wait(5)
except subprocess.TimeoutExpired:
    child.kill()
