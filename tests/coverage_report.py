"""Turns llvm-cov's summary into a table of branches, lines and functions taken, room by room: coverage_report.py SUMMARY.json ROOT LEAST."""

import json
import pathlib
import subprocess
import sys


def share(counts):
    return f"{counts['covered']} / {counts['count']} ({100 * counts['covered'] / max(counts['count'], 1):.1f} %)"


def main(summary, root, least):
    files = json.loads(pathlib.Path(summary).read_text())["data"][0]["files"]
    commit = subprocess.run(["git", "-C", root, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    print(f"# Coverage of the durable store by its own unit tests, at {commit}\n")
    print("clang 19, source-based; made by `tests/coverage.sh`. A branch is one outcome of one condition.\n")
    taken = {}
    for room in ("storage", "store"):
        here = sorted((f for f in files if f"/src/{room}/" in f["filename"]), key=lambda f: f["filename"])
        print(f"## src/{room}\n\n| file | branches | lines | functions |\n| --- | --- | --- | --- |")
        total = {what: {"covered": 0, "count": 0} for what in ("branches", "lines", "functions")}
        for file in here:
            name = pathlib.Path(file["filename"]).name
            print(f"| {name} | " + " | ".join(share(file["summary"][what]) for what in total) + " |")
            for what, counts in total.items():
                counts["covered"] += file["summary"][what]["covered"]
                counts["count"] += file["summary"][what]["count"]
        print("| **all** | " + " | ".join(share(counts) for counts in total.values()) + " |\n")
        taken[room] = 100 * total["branches"]["covered"] / max(total["branches"]["count"], 1)
    if taken["storage"] < float(least):
        sys.exit(f"src/storage: {taken['storage']:.1f} % of the branches are taken, where {least} % are wanted")


if __name__ == "__main__":
    main(*sys.argv[1:])
