"""Turns the results of ./test (ctest's JUnit files and others.tsv) into a list of what failed and what was skipped, and one line of counts."""

import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree


def skip_reason(case):
    """What the test said when it skipped itself: the line after GoogleTest's "Skipped", or the last line."""
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines() if line.strip()]
    for before, line in zip(lines, lines[1:]):
        if re.search(r": Skipped$", before):
            return line
    said = [line for line in lines if not line.startswith("[")]
    return said[-1] if said else "no reason given"


def read_junit(path):
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name = f"{path.stem}: {case.get('name')}"
        if case.find("failure") is not None or case.get("status") == "fail":
            failure = case.find("failure")
            yield name, "failed", (failure.get("message") if failure is not None else "") or ""
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            yield name, "skipped", skip_reason(case)
        else:
            yield name, "passed", ""


def read_others(path):
    for line in path.read_text().splitlines():
        name, status, reason = (line.split("\t") + ["", ""])[:3]
        yield name, status, reason


def main(directory):
    results = []
    for path in sorted(directory.glob("*.xml")):
        results += read_junit(path)
    if (directory / "others.tsv").exists():
        results += read_others(directory / "others.tsv")
    counts = {status: [r for r in results if r[1] == status] for status in ("passed", "failed", "skipped")}
    for status in ("skipped", "failed"):
        for name, _, reason in counts[status]:
            print(f"{status.upper()}  {name}" + (f"  ({reason})" if reason else ""))
    print(f"{len(counts['passed'])} passed, {len(counts['failed'])} failed, {len(counts['skipped'])} skipped")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
