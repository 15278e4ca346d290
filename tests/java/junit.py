#!/usr/bin/env python3
"""junit.py FOLDER: how many tests JUnit ran, by the reports in a folder, and the names of skipped ones. That none ran is a failure."""

import pathlib
import sys
import xml.etree.ElementTree as xml


def main():
    cases = [case for file in sorted(pathlib.Path(sys.argv[1]).glob("TEST-*.xml")) for case in xml.parse(file).getroot().iter("testcase")]
    reports = sorted(pathlib.Path(sys.argv[1]).glob("TEST-org.*.xml"))
    empty = [file.stem for file in reports if next(xml.parse(file).getroot().iter("testcase"), None) is None]
    for name in empty:
        print(f"not run: all of {name}")
    bad = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    skipped = [case for case in cases if case.find("skipped") is not None]
    for case in skipped:
        print(f"not run: {case.get('classname')}.{case.get('name')}: {case.find('skipped').get('message')}")
    print(f"{len(cases) - len(bad) - len(skipped)} tests of Java passed, {len(bad)} failed, {len(skipped)} skipped")
    return 1 if bad or len(cases) == len(skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
