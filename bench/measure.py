#!/usr/bin/env python3
"""Runs a command and says what it took: measure.py [--with-children] OUTPUT COMMAND...

The command's standard output goes to the file OUTPUT. Prints `seconds cpu kilobytes`: wall clock, user
and system time, and the peak of the memory in use; with --with-children, that of the process and its
children together at one moment, looked at every 20 ms. Ends with the command's status.
"""

import os
import sys
import time


def resident(process):
    """Kilobytes; 0 where it is gone."""
    try:
        with open(f"/proc/{process}/status") as status:
            return next((int(line.split()[1]) for line in status if line.startswith("VmRSS:")), 0)
    except OSError:
        return 0


def children(process):
    """What the process has started from any of its threads."""
    found = []
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children") as names:
                found += names.read().split()
    except OSError:
        pass
    return found


def waited(child):
    """What waiting for the child gives, and the peak of it and its children in kilobytes."""
    peak = 0
    while True:
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if ended:
            return status, usage, peak
        peak = max(peak, sum(map(resident, [child] + children(child))))
        time.sleep(0.02)


arguments = sys.argv[1:]
counts_children = arguments[0] == "--with-children"
output, *command = arguments[counts_children:]
with open(output, "wb") as file:
    start = time.monotonic()
    child = os.posix_spawnp(
        command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, file.fileno(), 1)]
    )
    if counts_children:
        status, usage, kilobytes = waited(child)
    else:
        _, status, usage = os.wait4(child, 0)
        kilobytes = usage.ru_maxrss
    seconds = time.monotonic() - start
print(f"{seconds:.3f} {usage.ru_utime + usage.ru_stime:.3f} {kilobytes}")
sys.exit(os.waitstatus_to_exitcode(status))
