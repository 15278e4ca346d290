"""Crashes of a store on a real file system on a disk that logs: every crash state that is drawn is mounted, opened and looked through.

    replay_test.py --kind ext4|xfs --disk DISK --worker WORKER --program LEITONG [--states N] [--seed S] [--keep DIRECTORY]
    replay_test.py --kind ext4|xfs --disk DISK --worker WORKER --planted NO_SYNC [--states N] [--seed S]

The first form must find nothing. A finding is kept in DIRECTORY (device-findings): the image before it was mounted and the notes; what threads do in
which order differs each time, so the seed alone does not bring it back. The second preloads NO_SYNC, which swallows syncs, and must find that.
With LEITONG_FULL in the environment there are thousands of states.
"""

import argparse
import collections
import os
import pathlib
import random
import subprocess
import sys
import time

from block_log import BlockLog, Images, draw
from devices import Disk, Mounted, make_image, must, own_place, require_devices, require_mounts
from works import ProgramWork, StoreWork

FULL = bool(os.environ.get("LEITONG_FULL"))
STATES = {"ext4": (60, 6000), "xfs": (20, 2000)}  # in the short and in the long form
STATES_OF_A_LOG = 200
PLANTS = {"log-": "the log's", "run-": "the runs'", "MANIFEST": "the manifest's", "directories": "directories'", "all": "all"}
SURE = ("log-", "run-")  # a journal keeps names in their order, so that the others need not show on every file system


def record(arguments, scratch, work, environment=None):
    """Does the work on a new file system. The log of it, and the image before it."""
    image, base = scratch / "image", scratch / "base"
    make_image(arguments.kind, image)
    must("cp", "--sparse=always", image, base)
    with Disk(arguments.disk, image, scratch / "disk") as disk:
        with Mounted(arguments.kind, disk.path, scratch / "mounted") as place:
            first = disk.log_path.stat().st_size
            status, said = work.run(place, disk, environment)
            if status != 0:
                sys.exit(f"the work failed on a healthy disk: exit code {status}: {said}")
            size = disk.log_path.stat().st_size  # what comes later is unmounting
    log = BlockLog(disk.log_path, size)
    mounted = len(BlockLog(disk.log_path, first).events)
    if not log.flushes and environment is None:
        sys.exit("no flush reached the disk: nothing can be shown")
    return log, mounted, base


def try_state(arguments, scratch, work, image, notes):
    try:
        mounted = Mounted(arguments.kind, image, scratch / "mounted")
        with mounted as place:
            try:
                return work.verdict(place, notes, scratch)
            except subprocess.TimeoutExpired as error:
                return f"it hangs: {error}"
    except OSError as error:
        return str(error)


def replay(arguments, scratch, work, chance, count, environment=None):
    """Tries `count` states. Yields each with its verdict, while its image can be made again."""
    log, mounted, base = record(arguments, scratch, work, environment)
    images = Images(log, base)
    try:
        for state in draw(log, chance, mounted, count):
            images.make(state, scratch / "state")
            notes = log.notes(state.position)
            wrong = try_state(arguments, scratch, work, scratch / "state", notes)
            if wrong and environment is None:
                keep(arguments, images, state, notes, wrong)
            yield state, wrong
    finally:
        images.close()


def keep(arguments, images, state, notes, wrong):
    arguments.keep.mkdir(parents=True, exist_ok=True)
    name = f"{arguments.kind}-{len(list(arguments.keep.glob('*.notes')))}"
    images.make(state, arguments.keep / f"{name}.image")
    (arguments.keep / f"{name}.notes").write_bytes(notes)
    (arguments.keep / f"{name}.txt").write_text(f"{state}\n{wrong}\n")
    print(f"FOUND, kept as {arguments.keep / name}.*: {state}: {wrong}", flush=True)


def honest(arguments, scratch):
    """Returns whether nothing was found."""
    chance = random.Random(arguments.seed)
    begin, tried, found, seed = time.monotonic(), collections.Counter(), 0, arguments.seed
    while tried.total() < arguments.states:
        # Two thirds of the states are of the store with small limits, the others of the program.
        count = min(STATES_OF_A_LOG, arguments.states)
        for work, share in ((StoreWork(arguments.worker, seed, 150), count - count // 3), (ProgramWork(arguments.program, seed, 25), count // 3)):
            for state, wrong in replay(arguments, scratch, work, chance, share):
                tried[f"{type(work).__name__} {state.mode}"] += 1
                found += bool(wrong)
        seed += 1
        if FULL:
            print(f"# {time.monotonic() - begin:.0f} s: {tried.total()} states, {found} findings", flush=True)
    seconds = time.monotonic() - begin
    for name, number in sorted(tried.items()):
        print(f"{arguments.kind} {name}: {number}")
    print(f"{arguments.kind}: {tried.total()} states in {seconds:.0f} s, {found} findings")
    return found == 0


def planted(arguments, scratch):
    """Returns whether the replay sees what it must see."""
    chance = random.Random(arguments.seed)
    good = True
    for plant, whose in PLANTS.items():
        if plant not in SURE and not FULL:
            continue
        environment = {**os.environ, "LD_PRELOAD": arguments.planted, "LEITONG_UNSYNCED": plant}
        work = StoreWork(arguments.worker, arguments.seed, 150)
        verdicts = [wrong for _, wrong in replay(arguments, scratch, work, chance, arguments.states, environment)]
        found = [wrong for wrong in verdicts if wrong]
        print(f"{arguments.kind}, {whose} syncs swallowed: found in {len(found)} of {len(verdicts)} states" + (f", as: {found[0]}" if found else ""))
        good &= bool(found) or plant not in SURE
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", choices=STATES, required=True)
    parser.add_argument("--disk", required=True)
    parser.add_argument("--worker", required=True)
    parser.add_argument("--program")
    parser.add_argument("--planted", metavar="NO_SYNC")
    parser.add_argument("--states", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("device-findings"))
    arguments = parser.parse_args()
    if arguments.states is None:
        arguments.states = (150 if FULL else 8) if arguments.planted else STATES[arguments.kind][FULL]
    require_devices(arguments.disk, arguments.kind)
    scratch = own_place()
    require_mounts(arguments.disk, arguments.kind, scratch)
    if not (planted if arguments.planted else honest)(arguments, scratch):
        sys.exit("the planted bug was not found" if arguments.planted else 1)


if __name__ == "__main__":
    main()
