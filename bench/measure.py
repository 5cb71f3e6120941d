#!/usr/bin/env python3
"""Runs a command and says what it took: measure.py OUTPUT COMMAND...

The command's standard output goes to the file OUTPUT. Prints `seconds cpu kilobytes`: wall clock, user
and system time, and the peak of the memory in use. Ends with the command's status.
"""

import os
import sys
import time

output, command = sys.argv[1], sys.argv[2:]
with open(output, "wb") as file:
    start = time.monotonic()
    child = os.posix_spawnp(
        command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, file.fileno(), 1)]
    )
    _, status, usage = os.wait4(child, 0)
    seconds = time.monotonic() - start
print(f"{seconds:.3f} {usage.ru_utime + usage.ru_stime:.3f} {usage.ru_maxrss}")
sys.exit(os.waitstatus_to_exitcode(status))
