"""A disk that fails under a store: errors of writes, flushes and reads from a device, through a real file system.

    error_test.py --kind ext4|xfs --disk DISK --worker WORKER --program LEITONG [--runs N] [--seed S]

Writing: from some call on, or once, the disk says EIO. The writer must end with an error that names the file and the reason, must not go on, and
what it had acknowledged must be there when the disk is well again and mounted anew, also if the disk lost what it could not flush. Reading: the
disk fails reads, also below mapped files; there must be an error that names the file, no signal, no wrong answer.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys
import time

from block_log import BlockLog, Images, state_at
from devices import Disk, Mounted, make_image, must, own_place, require_devices, require_mounts, run
from works import ProgramWork, StoreWork

FULL = bool(os.environ.get("LEITONG_FULL"))
REASONS = r"Input/output error|Read-only file system|Structure needs cleaning|No such file or directory|Bad message"
SAYS = re.compile(rf"/mounted[^:\s]*: .*({REASONS})|/mounted[^:\s]*: reading the mapped file failed")


def require(good, *what):
    if not good:
        sys.exit("error_test: " + " ".join(str(word) for word in what))


def calls_of(arguments, scratch, work):
    """How many writes and flushes the work makes on a healthy disk."""
    make_image(arguments.kind, scratch / "image")
    with Disk(arguments.disk, scratch / "image", scratch / "disk") as disk:
        with Mounted(arguments.kind, disk.path, scratch / "mounted") as place:
            before = BlockLog(disk.log_path)
            status, said = work.run(place, disk)
            require(status == 0, "the work failed on a healthy disk:", status, said)
            after = BlockLog(disk.log_path)
    return {"write": len(after.writes) - len(before.writes), "flush": len(after.flushes) - len(before.flushes)}


def fail_writing(arguments, scratch, work, order, chance):
    """Whether the disk failed, and the work with it."""
    make_image(arguments.kind, scratch / "image")
    must("cp", "--sparse=always", scratch / "image", scratch / "base")
    with Disk(arguments.disk, scratch / "image", scratch / "disk") as disk:
        with Mounted(arguments.kind, disk.path, scratch / "mounted") as place:
            disk.fail(order)
            status, said = work.run(place, disk)
            notes = disk.notes.read_bytes()
            log = BlockLog(disk.log_path)
        struck = disk.failed() > 0
        disk.fail("none")
        if status == 0:
            outcome = "unnoticed" if struck else "not struck"
        else:
            outcome = "error"
            require(struck, order, "the work failed on a disk that did not:", said)
            require(status == 2, order, "exit code", status, said)
            require(SAYS.search(said), order, "no file or no reason is named:", said)
        with Mounted(arguments.kind, disk.path, scratch / "mounted") as place:
            wrong = work.verdict(place, notes, scratch)
            require(not wrong, order, outcome, "then, on a healthy disk:", wrong)
    if outcome == "error":
        images = Images(log, scratch / "base")
        for mode in ("subset", "torn"):
            images.make(state_at(log, chance, mode, len(log.events) - 1), scratch / "state")
            try:
                with Mounted(arguments.kind, scratch / "state", scratch / "mounted") as place:
                    wrong = work.verdict(place, notes, scratch)
            except OSError as error:
                # A file system that met an error notes it in its superblock, past the journal: torn, that has a wrong checksum.
                require(mode == "torn", order, outcome, error)
                outcome = "error (one state could not be mounted)"
                continue
            require(not wrong, order, outcome, "then, when what was not flushed is lost:", wrong)
        images.close()
    return outcome


def writing(arguments, scratch, chance):
    outcomes = collections.Counter()
    for number in range(arguments.runs):
        seed = arguments.seed + number // 12
        work = ProgramWork(arguments.program, seed, 12) if number % 3 == 2 else StoreWork(arguments.worker, seed, 60)
        if number % 12 in (0, 2):
            calls = {} if number % 12 == 0 else calls
            calls[type(work)] = calls_of(arguments, scratch, work)
        call = chance.choice(("write", "flush"))
        how = chance.choice(("once", "on", "on"))
        outcome = fail_writing(arguments, scratch, work, f"{call} {chance.randint(1, calls[type(work)][call])} {how}", chance)
        outcomes[f"{call} {how}: {outcome}"] += 1
    for name, number in sorted(outcomes.items()):
        print(f"{arguments.kind} {name}: {number}")
    require(sum(number for name, number in outcomes.items() if name.endswith("error")) > 0, "no error ever reached the store")


def reading(arguments, scratch, chance):
    """Mapped files on a disk from which no byte comes any more, then the program on a disk that fails at some read."""
    make_image(arguments.kind, scratch / "image")
    with Disk(arguments.disk, scratch / "image", scratch / "disk") as disk:
        mounted = Mounted(arguments.kind, disk.path, scratch / "mounted")
        with mounted as place:
            filled = run(arguments.worker, "fill", place)
            require(filled.returncode == 0, "fill:", filled.stderr)
            work = ProgramWork(arguments.program, arguments.seed, 12)
            status, said = work.run(place, disk)
            require(status == 0, "the work failed on a healthy disk:", status, said)
        with mounted as place:  # anew, so that nothing is cached
            mounted.read_ahead_nothing()
            done = run(arguments.worker, "read", place, disk.faults)
            require(done.returncode == 0, "mapped files:", "exit code", done.returncode, done.stdout, done.stderr)
            disk.fail("none")
        with mounted as place:
            wanted = run(arguments.program, "collection", "export", place / "c").stdout
        errors = 0
        for number in range(arguments.runs):
            with mounted as place:
                mounted.read_ahead_nothing()
                before = disk.failed()
                disk.fail(f"read {1 + number if number < 30 else chance.randint(1, 200)} {'on' if number % 2 else 'once'}")
                action = chance.choice(("export", "check"))
                done = run(arguments.program, "collection", action, place / "c")
                struck = disk.failed() > before
                disk.fail("none")
                if done.returncode == 0:
                    require(action == "check" or done.stdout == wanted, "export gave a wrong answer")
                else:
                    require(struck and done.returncode == 2 and SAYS.search(done.stderr), action, "exit code", done.returncode, done.stderr)
                    errors += 1
        require(errors > 0, "no error of reading ever reached the program")
        print(f"{arguments.kind} reads: {arguments.runs} runs of the program, {errors} ended with an error that says so; "
              "mapped files: an error, no signal")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", choices=("ext4", "xfs"), required=True)
    parser.add_argument("--disk", required=True)
    parser.add_argument("--worker", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--runs", type=int, default=300 if FULL else 6)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    require_devices(arguments.disk, arguments.kind)
    scratch = own_place()
    require_mounts(arguments.disk, arguments.kind, scratch)
    chance = random.Random(arguments.seed)
    begin = time.monotonic()
    try:
        writing(arguments, scratch, chance)
        reading(arguments, scratch, chance)
    except subprocess.TimeoutExpired as error:
        sys.exit(f"error_test: it hangs: {error}")
    print(f"{arguments.kind}: {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
