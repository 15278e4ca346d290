#!/usr/bin/env python3
"""A command -> its wall time, processor time and peak memory: whole_process.py RESULT.json LOG CPU|any COMMAND...

A process's ru_maxrss starts at the size of the process that started it, so a measuring program with much in memory would lend its own size to a small tool.
This one is about 10 MB; it is started first and starts the command. The standard input is passed on; output and errors go to LOG.
"""

import json
import os
import sys
import time


def main():
    result, log, cpu, command = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        if cpu != "any":
            os.sched_setaffinity(0, {int(cpu)})
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(out, 1)
        os.dup2(out, 2)
        os.execvp(command[0], command)
    _, status, usage = os.wait4(child, 0)
    with open(result, "w", encoding="utf-8") as out:
        json.dump({"seconds": time.monotonic() - began, "cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_bytes": usage.ru_maxrss * 1024,
                   "exit": os.waitstatus_to_exitcode(status)}, out)


if __name__ == "__main__":
    main()
