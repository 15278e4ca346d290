#!/usr/bin/env python3
"""How fast is leitong-java beside the articles' programs A and B and beside the native call? One process, Java's clock, the ways in turn.

run.py --jar leitong-java-VERSION.jar --program LEITONG --shared DIRECTORY [--megabytes 2] [--rounds 5] [--output FILE.md]

The texts are Chinese documents of the shared collections, cut to lines of about 2,000 characters; program B has the idf table and stop
words of the golden vectors. HanLP's jar is found as tests/java/programs.py finds it.
"""

import argparse
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tests/java"), str(HERE.parent)]

import machine  # noqa: E402
import programs  # noqa: E402


def write_texts(shared, file, most):
    size = 0
    with open(file, "w", encoding="utf-8") as out:
        for name in ("zh_lctt_closed", "zh_laws"):
            with gzip.open(shared / "corpora" / f"{name}.docs.jsonl.gz", "rt", encoding="utf-8") as lines:
                for line in lines:
                    text = " ".join(json.loads(line)["text"].split())
                    for begin in range(0, len(text), 2000):
                        size += out.write(text[begin:begin + 2000] + "\n") * 3
                        if size >= most:
                            return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", type=pathlib.Path, required=True)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--shared", type=pathlib.Path, required=True)
    parser.add_argument("--megabytes", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        hanlp = programs.hanlp_jar()
        path = os.pathsep.join(map(str, [folder / "classes", args.jar.resolve(), hanlp]))
        sources = [HERE / "Bench.java", *sorted((HERE.parents[1] / "tests/java/src").rglob("*.java"))]
        subprocess.run(["javac", "-encoding", "UTF-8", "-proc:none", "-cp", path, "-d", folder / "classes", *sources], check=True)
        subprocess.run([args.program.resolve(), "data", "add", "hanlp", hanlp, "--output", folder / "hanlp.data"], check=True,
            stdout=subprocess.DEVNULL)
        (folder / "idf.txt").write_bytes(gzip.decompress((args.shared / "golden/idfold.utf8.gz").read_bytes()))
        write_texts(args.shared, folder / "texts.txt", args.megabytes * 1e6)
        files = [folder / "texts.txt", folder / "hanlp.data", folder / "idf.txt", args.shared.resolve() / "golden/stopword.dic"]
        load = os.getloadavg()[0]
        done = subprocess.run(["java", "-Xmx2g", "-cp", path, "Bench", *files, str(args.rounds)], cwd=folder, check=True,
            stdout=subprocess.PIPE, text=True)
    report = f"# leitong-java beside the articles' programs\n\nCommit {machine.commit_of(HERE)}, {machine.cpu_name()}. "
    report += f"Load of the machine at the beginning: {load:.1f}; 0 is quiet.\n\n```\n{done.stdout}```\n"
    print(report)
    if args.output:
        args.output.write_text(report, encoding="utf-8")


if __name__ == "__main__":
    main()
