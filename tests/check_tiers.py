"""Every test is run by some tier of ./test.

    check_tiers.py BUILD-DIRECTORY TEST-SCRIPT   prints each test whose label no `-L` of the script selects, in --full or without
    check_tiers.py --self-test                   plants such a test and checks that it is found

A test has one label, of tiers joined by "+" (cmake/LeitongTests.cmake). Those of programs that are not built are not known to ctest.
"""

import json
import re
import subprocess
import sys

TIERS = {"plain", "sanitized", "server", "threads"}


def selections(script):
    """The regular expressions of labels that ./test gives to ctest: of --full, and without."""
    full, fast = re.search(r"^if \(\(full\)\); then\n((?:  tier .*\n)+)else\n((?:  tier .*\n)+)fi", script, re.M).groups()
    return {name: re.findall(r"-L '([^']*)'", lines) for name, lines in (("--full", full), ("the fast tier", fast))}


def problems(tests, script):
    """`tests`: names and labels."""
    chosen = selections(script)
    for name, labels in tests:
        if name.endswith("_NOT_BUILT"):
            continue
        if len(labels) != 1 or not set(labels[0].split("+")) <= TIERS:
            yield f"{name}: its label says {labels}, and not its tier"
            continue
        for tiers, patterns in chosen.items():
            if tiers == "the fast tier" and labels[0] == "server":
                continue
            if not any(re.search(pattern, labels[0]) for pattern in patterns):
                yield f"{name}: no tier of {tiers} runs {labels[0]}"


def tests_of(build):
    shown = json.loads(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout)
    for test in shown["tests"]:
        properties = {one["name"]: one["value"] for one in test.get("properties", [])}
        yield test["name"], properties.get("LABELS", [])


def self_test():
    script = "if ((full)); then\n  tier a -- -L 'plain|sanitized|server'\n  tier b -- -L 'threads'\nelse\n  tier a t -- -L 'plain'\n  tier b -- -L 'sanitized'\nfi\n"
    good = [("a", ["plain"]), ("b", ["plain+sanitized"]), ("c", ["server"]), ("d_NOT_BUILT", [])]
    assert list(problems(good, script)) == []
    assert len(list(problems([("a", [])], script))) == 1
    assert len(list(problems([("a", ["plian"])], script))) == 1
    assert list(problems([("a", ["threads"])], script)) == ["a: no tier of the fast tier runs threads"]
    print("a test that no tier runs is found")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    with open(sys.argv[2], encoding="utf-8") as file:
        script = file.read()
    tests = list(tests_of(sys.argv[1]))
    found = list(problems(tests, script))
    print("\n".join(found) if found else f"each of {len(tests)} tests is run by a tier")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
