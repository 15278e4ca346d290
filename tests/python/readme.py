"""readme.py FILE...: runs the Python code of Markdown files, each file in a folder of its own, one block after the other."""

import os
import re
import sys
import tempfile
from pathlib import Path

files = [Path(name).resolve() for name in sys.argv[1:]]
for file in files:
    blocks = re.findall(r"^```python\n(.*?)^```", file.read_text(encoding="utf-8"), re.M | re.S)
    if not blocks:
        sys.exit(f"{file}: no code")
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(__file__).resolve().parents[2] / "examples" / "sample.jsonl"
        Path(folder, "news.jsonl").write_bytes(sample.read_bytes())
        os.chdir(folder)
        names: dict = {"__name__": "__main__"}
        for number, block in enumerate(blocks, 1):
            exec(compile(block, f"{file.name}, block {number}", "exec"), names)
        os.chdir("/")
    print(f"{file.name}: {len(blocks)} blocks run")
