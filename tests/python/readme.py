"""readme.py FILE...: runs the Python code of Markdown files, each file in a folder of its own, one block after the other.

What a block prints is compared with the block ```text that follows it, if one does; readme.py --write FILE... puts it there instead.
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<said>.*?)^```\n)?", re.M | re.S)


def run(block, name, names):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block["code"], name, "exec"), names)
    return printed.getvalue()


def replaced(text, block, said):
    return text if block["said"] is None else text[: block.start("said")] + said + text[block.end("said") :]


def check(file, write):
    """How many blocks there are, and what is printed otherwise than the file says."""
    text = file.read_text(encoding="utf-8")
    names, problems = {"__name__": "__main__"}, []
    blocks = list(BLOCK.finditer(text))
    said = [run(block, f"{file.name}, block {number}", names) for number, block in enumerate(blocks, 1)]
    for number, (block, printed) in enumerate(zip(blocks, said), 1):
        if block["said"] is not None and block["said"] != printed:
            problems.append(f"{file}, block {number}: it prints\n{printed}and not\n{block['said']}")
    if write:
        for block, printed in reversed(list(zip(blocks, said))):
            text = replaced(text, block, printed)
        file.write_text(text, encoding="utf-8")
    return len(blocks), [] if write else problems


def main(words):
    write = words[:1] == ["--write"]
    for file in [Path(name).resolve() for name in words[write:]]:
        with tempfile.TemporaryDirectory() as folder:
            sample = Path(__file__).resolve().parents[2] / "examples" / "sample.jsonl"
            Path(folder, "news.jsonl").write_bytes(sample.read_bytes())
            os.chdir(folder)
            count, problems = check(file, write)
            os.chdir("/")
        if not count:
            problems.append(f"{file}: no code")
        if problems:
            sys.exit("\n".join(problems))
        print(f"{file.name}: {count} blocks run")


main(sys.argv[1:])
