#!/usr/bin/env python3
"""Runs a command and says what it and its workers took together: peak.py COMMAND...

The command's standard output goes nowhere. Prints `seconds cpu kilobytes`: wall clock, user and system
time, and the peak of the memory in use by the process and its children at one moment, looked at every
20 ms. Ends with the command's status.
"""

import os
import sys
import time


def resident(process):
    """Kilobytes; 0 where it is gone."""
    try:
        with open(f"/proc/{process}/status") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1])
    except OSError:
        pass
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


command = sys.argv[1:]
start = time.monotonic()
child = os.posix_spawnp(
    command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
)
peak = 0
while True:
    ended, status, usage = os.wait4(child, os.WNOHANG)
    if ended:
        break
    peak = max(peak, sum(map(resident, [child] + children(child))))
    time.sleep(0.02)
seconds = time.monotonic() - start
print(f"{seconds:.3f} {usage.ru_utime + usage.ru_stime:.3f} {peak}")
sys.exit(os.waitstatus_to_exitcode(status))
