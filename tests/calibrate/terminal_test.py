"""`leitong calibrate --label` at a terminal: single keys without the return key, nothing echoed, the terminal left as it was.

    terminal_test.py --program LEITONG
"""

import argparse
import json
import os
import pathlib
import pty
import select
import subprocess
import tempfile
import termios
import time

PATIENCE = 60


def read_until(descriptor, text, seen):
    until = time.monotonic() + PATIENCE
    while text not in seen[seen.rfind(b"\0") + 1:]:
        ready, _, _ = select.select([descriptor], [], [], max(until - time.monotonic(), 0))
        assert ready, f"waited for {text!r}, saw {seen[-500:]!r}"
        seen += os.read(descriptor, 1 << 16)
    seen += b"\0"  # what comes before is read


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    program = parser.parse_args().program.resolve()
    with tempfile.TemporaryDirectory(prefix="leitong-terminal-") as name:
        work = pathlib.Path(name)
        words = [f"word{i}" for i in range(60)]
        with (work / "records.jsonl").open("w") as out:
            for i in range(8):
                out.write(json.dumps({"text": " ".join(words[: 60 - i] + [f"\u001b[2Jother{i}"])}) + "\n")
        subprocess.run([program, "calibrate", work / "records.jsonl", "-o", work / "cal", "--quiet"], check=True)
        controller, terminal = pty.openpty()
        before = termios.tcgetattr(terminal)
        environment = {**os.environ, "TERM": "xterm"}
        environment.pop("NO_COLOR", None)
        process = subprocess.Popen([program, "calibrate", "--label", work / "cal"], stdin=terminal, stdout=terminal, stderr=terminal, env=environment)
        seen = bytearray()
        for key in b"ynq":
            read_until(controller, b"[q]uit: ", seen)
            os.write(controller, bytes([key]))
        read_until(controller, b"2 of ", seen)
        assert process.wait(PATIENCE) == 0
        assert b"\x1b[1mPair 1 of " in seen, seen[:300]
        assert b"\x1b[2J" not in seen, "a text steers the terminal"
        assert termios.tcgetattr(terminal) == before, "the terminal is left changed"
        labels = json.loads((work / "cal" / "labels.json").read_text())["labels"]
        assert [label["label"] for label in labels] == ["yes", "no"], labels
    print("keys work")


if __name__ == "__main__":
    main()
