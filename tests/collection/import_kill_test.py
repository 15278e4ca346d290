"""Kills `leitong collection import` again and again: a collection holds all of an import or nothing of it.

    import_kill_test.py --program LEITONG [--kills N] [--rows N]

N kills is LEITONG_KILLS / 10, 10 without it. Every fourth run ends by SIGTERM instead, and must leave no file behind; every fifth is let live.
With --rows 50000000 it is the rehearsal of a large import (some minutes a run).
"""

import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time


def run(program, *arguments):
    return subprocess.run([program, "collection", *arguments], check=True, capture_output=True, text=True).stdout


def documents(program, directory):
    return int(run(program, "stats", directory).split()[1].replace(",", ""))


def import_once(program, directory, values, delay, stop):
    """Returns whether the import ended well before it was stopped after `delay` seconds (None: not at all)."""
    process = subprocess.Popen([program, "collection", "import", directory, values, "--fingerprints", "--format", "csv", "--id-field", "id", "--fp-field",
                                "value", "--quiet"], stderr=subprocess.PIPE, text=True)
    try:
        process.wait(delay)
    except subprocess.TimeoutExpired:
        process.send_signal(stop)
    errors = process.communicate()[1]
    if process.returncode not in (0, -9, 130):
        sys.exit(f"the program failed by itself: {errors}")
    if process.returncode == 130 and "nothing was imported" not in errors:
        sys.exit(f"it was stopped and said: {errors}")
    return process.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--kills", type=int, default=int(os.environ.get("LEITONG_KILLS", "100")) // 10)
    parser.add_argument("--rows", type=int, default=200_000)
    arguments = parser.parse_args()
    chance = random.Random(11)
    with tempfile.TemporaryDirectory() as scratch:
        values = str(pathlib.Path(scratch) / "values.csv")
        with open(values, "w") as out:
            out.write("id,value\n")
            for row in range(arguments.rows):
                out.write(f"{row},{chance.getrandbits(64):016x}\n")
        directory = pathlib.Path(scratch) / "c"
        run(arguments.program, "create", str(directory), "--ids", "number", "--fingerprints-only")
        names = sorted(p.name for p in directory.iterdir())
        began = time.monotonic()
        probe = str(pathlib.Path(scratch) / "probe")
        run(arguments.program, "create", probe, "--ids", "number", "--fingerprints-only")
        if not import_once(arguments.program, probe, values, None, signal.SIGKILL):
            sys.exit("an import that nobody stopped failed")
        whole = time.monotonic() - began
        stopped, there = 0, 0
        for attempt in range(10 * arguments.kills):
            if stopped >= arguments.kills:
                break
            stop = signal.SIGTERM if attempt % 4 == 3 else signal.SIGKILL
            done = import_once(arguments.program, str(directory), values, None if attempt % 5 == 4 else chance.random() * whole, stop)
            stopped += not done
            found = documents(arguments.program, str(directory))
            if found not in (0, arguments.rows) or (done and found == 0) or found < there:
                sys.exit(f"{found} documents are there, of {arguments.rows}")
            there = found
            if not done and stop == signal.SIGTERM and found == 0 and sorted(p.name for p in directory.iterdir()) != names:
                sys.exit("an import that was stopped left files behind: " + " ".join(p.name for p in directory.iterdir()))
            if found == arguments.rows:  # from nothing again
                run(arguments.program, "check", str(directory))
                for path in directory.iterdir():
                    path.unlink()
                directory.rmdir()
                run(arguments.program, "create", str(directory), "--ids", "number", "--fingerprints-only")
                there = 0
    if stopped < arguments.kills:
        sys.exit(f"only {stopped} imports could be stopped")
    print(f"{stopped} imports of {arguments.rows} rows stopped, a whole one takes {whole:.1f} s; each was all or nothing")


if __name__ == "__main__":
    main()
