"""The command line: `leitong`, or `python -m leitong`, is the program that stands in the package."""

import os
import sys
from pathlib import Path

PROGRAM = Path(__file__).parent / "bin" / "leitong"


def main() -> None:
    """Become the program."""
    os.execv(PROGRAM, ["leitong", *sys.argv[1:]])


if __name__ == "__main__":
    main()
