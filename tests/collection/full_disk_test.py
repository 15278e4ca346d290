"""Fills a small file system with `leitong collection add` and looks at what is there afterwards, at twenty sizes of it.

    full_disk_test.py --program LEITONG

The program must say that there is no space and what to do; on the full disk everything it answered for must be found; and with more room it goes on.
Mounts are made in a mount namespace of its own, so nothing is left. Where mounting is not allowed the test is skipped (exit code 77).
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SIZES = 20
RECORDS = 600
PAGE = 4096


def text(number):
    digits = hashlib.sha512(str(number).encode()).hexdigest()
    return " ".join(digits[at : at + 6] for at in range(0, 126, 6))


def run(program, *arguments, **options):
    return subprocess.run([program, "collection", *arguments], capture_output=True, text=True, timeout=120, **options)


def require(good, *what):
    if not good:
        sys.exit("full_disk_test: " + " ".join(str(w) for w in what))


def require_no_space(done, *what):
    """It ended as an error of the disk, in words that help."""
    require(done.returncode not in (0, -6, -11), *what, "did not fail:", done.stdout[:200])
    require("No space left" in done.stderr and "free some space" in done.stderr, *what, "says:", done.stderr)


def mount(place, size, remount=False):
    options = f"size={size}" + (",remount" if remount else "")
    return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], capture_output=True, text=True)


def documents(program, directory):
    done = run(program, "export", directory)
    require(done.returncode == 0, "export on a full disk:", done.stderr)
    found = {}
    for line in done.stdout.splitlines():
        entry = json.loads(line)
        require(entry["text"] == text(int(entry["id"][1:])), "a text that was never given:", line[:200])
        require(entry["id"] not in found, "an id that is there twice:", line[:200])
        found[entry["id"]] = True
    return found.keys()


def feed(first):
    return "".join(f'{{"id":"r{n}","text":"{text(n)}"}}\n' for n in range(first, first + RECORDS))


def try_size(program, place, size):
    """Whether anything could be added before the disk was full."""
    directory = str(pathlib.Path(place) / "c")
    made = run(program, "create", directory, "--texts")
    if made.returncode != 0:
        require_no_space(made, "create at", size)
        require(mount(place, 64 << 20, remount=True).returncode == 0, "remount failed")
        made = run(program, "create", directory, "--texts")
        require(made.returncode == 0, "create after space was freed:", made.stderr)
        return False
    answered, first, full = set(), 0, False
    while not full:
        added = run(program, "add", directory, "-", "--unique", input=feed(first))
        first += RECORDS
        for line in added.stdout.split("\n")[:-1]:
            answer = json.loads(line)
            require(answer["result"] == "new", "refused without reason:", line)
            answered.add(answer["id"])
        full = added.returncode != 0
        if full:
            require_no_space(added, "add at", size)
        elif first % (3 * RECORDS) == 0:
            compacted = run(program, "compact", directory)
            full = compacted.returncode != 0
            if full:
                require_no_space(compacted, "compact at", size)
    # The disk is as full as it was.
    found = documents(program, directory)
    require(not answered - found, "acknowledged records are lost on the full disk:", len(answered - found))
    require(run(program, "check", directory).returncode == 0, "check finds damage on the full disk")
    if answered:
        asked = run(program, "get", directory, min(answered))
        require(asked.returncode == 0, "get on the full disk:", asked.stderr)
    again = run(program, "add", directory, "-", "--unique", input=feed(first))
    if again.returncode != 0:
        require_no_space(again, "add again at", size)
    answered |= {json.loads(line)["id"] for line in again.stdout.split("\n")[:-1]}
    # There is room again.
    require(mount(place, 64 << 20, remount=True).returncode == 0, "remount failed")
    first += RECORDS
    more = run(program, "add", directory, "-", "--unique", input=feed(first))
    require(more.returncode == 0, "add after space was freed:", more.stderr)
    answered |= {json.loads(line)["id"] for line in more.stdout.split("\n")[:-1]}
    checked = run(program, "check", directory)
    require(checked.returncode == 0, "check after space was freed:", checked.stderr)
    lost = answered - documents(program, directory)
    require(not lost, "acknowledged records are lost:", len(lost))
    return len(answered) > RECORDS


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    arguments = parser.parse_args()
    if os.environ.get("LEITONG_OWN_MOUNTS") != "1":
        # In a mount namespace of our own; who is not root becomes it in a user namespace, where that is allowed.
        own = ["unshare", "--mount", "--propagation", "private"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])
        if subprocess.run([*own, "true"], capture_output=True).returncode == 0:
            os.environ["LEITONG_OWN_MOUNTS"] = "1"
            os.execvp(own[0], [*own, sys.executable, "-B", *sys.argv])
        print("SKIPPED: a mount namespace is not allowed here, so no small file system can be filled")
        sys.exit(77)
    useful = 0
    with tempfile.TemporaryDirectory() as place:
        for step in range(SIZES):
            size = PAGE * (1 + step * step)  # 4 kB to 1.5 MB
            mounted = mount(place, size)
            if mounted.returncode != 0:
                print(f"SKIPPED: mounting a tmpfs is not allowed here: {mounted.stderr.strip()}")
                sys.exit(77)
            try:
                useful += try_size(arguments.program, place, size)
            finally:
                subprocess.run(["umount", place], check=True)
    require(useful >= SIZES // 3, "the disk was full too early to show anything")
    print(f"{SIZES} sizes, {useful} of them with records before the disk was full, none lost")


if __name__ == "__main__":
    main()
