"""Kills `leitong collection add` again and again while it adds, and looks at what is there afterwards.

    kill_test.py --program LEITONG [--kills N]

What the program answered ("new") must be there with its text, and nothing that was never given to it. N is LEITONG_KILLS, 100 without it. SIGKILL
finds no missing sync, since what was written survives it in the system's memory; it finds what goes wrong between processes: locks left behind, half
records taken for whole ones, files that nobody removes.
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

RECORDS = 1500


def text(number):
    digits = hashlib.sha512(str(number).encode()).hexdigest()
    return " ".join(digits[at : at + 6] for at in range(0, 126, 6))


def run(program, *arguments, **options):
    return subprocess.run([program, "collection", *arguments], check=True, capture_output=True, text=True, **options).stdout


def kill_once(program, directory, first, delay):
    """Gives RECORDS records from number `first` on and kills after `delay` seconds; the numbers that were answered for."""
    feed = "".join(f'{{"id":"r{n}","text":"{text(n)}"}}\n' for n in range(first, first + RECORDS))
    with tempfile.TemporaryFile("w+") as source, tempfile.TemporaryFile("w+") as answers:
        source.write(feed)
        source.seek(0)
        process = subprocess.Popen([program, "collection", "add", directory, "-", "--unique", "--quiet"], stdin=source, stdout=answers,
                                   stderr=subprocess.PIPE)
        time.sleep(delay)
        process.kill()
        _, errors = process.communicate()
        if process.returncode not in (-9, 0):
            sys.exit(f"the program failed by itself: {errors.decode()}")
        answers.seek(0)
        lines = answers.read().split("\n")[:-1]  # the last may be cut off
    done = set()
    for line in lines:
        answer = json.loads(line)
        if answer["result"] != "new":
            sys.exit(f"a record that resembles no other was refused: {line}")
        done.add(int(answer["id"][1:]))
    return done, process.returncode == -9


def check(program, directory, answered, given):
    found = {}
    for line in run(program, "export", directory).splitlines():
        entry = json.loads(line)
        number = int(entry["id"][1:])
        if number in found or number >= given or entry["text"] != text(number):
            sys.exit(f"it holds what it was never given, or twice: {line[:200]}")
        found[number] = True
    lost = answered - found.keys()
    if lost:
        sys.exit(f"{len(lost)} acknowledged records are lost, the first is r{min(lost)}")
    return len(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--kills", type=int, default=int(os.environ.get("LEITONG_KILLS", "100")))
    arguments = parser.parse_args()
    chance = random.Random(7)
    killed = answered_in_all = 0
    with tempfile.TemporaryDirectory() as scratch:
        directory, answered, given, generation = None, set(), 0, 0
        while killed < arguments.kills:
            if directory is None or given >= 12 * RECORDS:  # so that what is checked each time stays small
                if directory is not None:
                    run(arguments.program, "check", directory)
                generation += 1
                directory, answered, given = str(pathlib.Path(scratch) / f"c{generation}"), set(), 0
                run(arguments.program, "create", directory, "--texts")
            # An answer comes after some 20 to 100 ms; the end after twice that.
            done, was_killed = kill_once(arguments.program, directory, given, chance.random() ** 2 * 0.3)
            given += RECORDS
            answered |= done
            answered_in_all += len(done)
            killed += was_killed
            check(arguments.program, directory, answered, given)
        run(arguments.program, "check", directory)
    if answered_in_all == 0:
        sys.exit("no record was ever answered for: the kills come too early to show anything")
    print(f"{killed} kills, {answered_in_all} acknowledged records, none lost")


if __name__ == "__main__":
    main()
