#!/usr/bin/env python3
"""Deduplicates a JSON Lines file with text-dedup's own program: `dedup.py minhash|simhash IN.jsonl OUT_DIR` (defaults; one process).

Runs `python -m text_dedup.<method>` and writes clusters.tsv (record number, root of its group) from the union-find that it dumps.
"""

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path


def main():
    method, source, out = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    env = dict(os.environ, HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", TQDM_DISABLE="1")
    command = [sys.executable, "-m", f"text_dedup.{method}", "--path", "json", "--data_files", str(source), "--split", "train", "--column", "text",
               "--cache_dir", str(out / "cache"), "--output", str(out / "kept"), "--num_proc", "1", "--debug"]
    subprocess.run(command, env=env, check=True, cwd=out)
    with open(out / "kept" / "uf.pkl", "rb") as dump, open(out / "clusters.tsv", "w", encoding="utf-8") as rows:
        groups = pickle.load(dump)
        rows.writelines(f"{record}\t{groups.find(record)}\n" for record in sorted(groups.parent))
    shutil.rmtree(out / "cache", ignore_errors=True)


if __name__ == "__main__":
    main()
