"""Golden command-line tests.

A case is NAME.sh, run by bash in an empty directory, and NAME.expected, what it must print: standard output and standard error together, then
the script's exit code. The script finds `leitong` on its PATH and the shipped examples in $EXAMPLES. What differs from machine to machine does not belong in it.

    run_golden.py --program LEITONG CASE.sh...            checks
    run_golden.py --program LEITONG --update CASE.sh...   writes the expected files anew: read the difference before you commit it
"""

import argparse
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KEPT = ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LEITONG_SHARED", "LEITONG_ISA", "TMPDIR")


def run(script, program):
    with tempfile.TemporaryDirectory(prefix="leitong-golden-") as name:
        work = pathlib.Path(name)
        tools = work / "bin"
        tools.mkdir()
        (tools / "leitong").symlink_to(program)
        (work / "here").mkdir()
        environment = {k: v for k, v in os.environ.items() if k in KEPT}
        environment.update(PATH=f"{tools}:{environment['PATH']}", HOME=name, LC_ALL="C.UTF-8", EXAMPLES=str(HERE.parent.parent / "examples"))
        done = subprocess.run(["bash", str(script)], cwd=work / "here", env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=280, check=False)
        text = done.stdout.decode("utf-8", errors="backslashreplace").replace(environment["EXAMPLES"], "$EXAMPLES")
        return f"{text}exit {done.returncode}\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("cases", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    failed = 0
    for case in arguments.cases:
        got = run(case.resolve(), arguments.program.resolve())
        expected_path = case.with_suffix(".expected")
        if arguments.update:
            expected_path.write_text(got, encoding="utf-8")
            continue
        expected = expected_path.read_text(encoding="utf-8") if expected_path.exists() else ""
        if got != expected:
            failed += 1
            sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), got.splitlines(True), str(expected_path), "what it printed"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
