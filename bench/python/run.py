#!/usr/bin/env python3
"""The Python package beside the command line, itself on two threads, and other packages, on one Parquet file with planted copies.

    run.py WORK WHEEL [--corpora DIR] [--texts 100000] [--rounds 5] [--peers NAME,...|none] [--semhash-model DIR]
           [--results DIR] [--date D]

Run it by the Python that WHEEL is for. WORK (3 GB) gets an environment with WHEEL and the peers from PyPI, and the collection; what is
there is used again. Peers that cannot be installed or run are named with the reason. Nothing else may run meanwhile. Writes
RESULTS/python-DATE.json and .md, in WORK if not given.

The collection: texts of about 600 bytes of sentences of en_civproc in random order, so that texts share sentences, and for a tenth of
them a copy with .2 to 10 % of the tokens edited. Every peer is a process of its own that reads the Parquet file and says which rows stay.
Recall: of the planted pairs, the share of which not both stay. Precision: of the rows that go, the share that have a planted partner.
Thresholds are those that each tool's own guide begins with. Seconds count the imports. Memory is the most that the process and its
children held at once.
"""

import argparse
import datetime
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SEED = 20261123
BYTES, COPIES, RATES = 600, 0.1, (0.002, 0.10)
GOALS = {"texts_per_second": 300_000, "dedup_ratio": 1.15, "threads_ratio": 1.8}


# --- the environment

PACKAGES = {"rensa": ["rensa"], "datasketch": ["datasketch"], "text-dedup": ["text-dedup"], "semhash": ["semhash"]}


def environment(work, wheel, peers):
    """The interpreter with the wheel, and what could not be installed."""
    python = work / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "numpy", "pyarrow"], check=True)
    subprocess.run([*pip, "--force-reinstall", "--no-deps", wheel], check=True)
    missing = {}
    for peer in peers:
        done = subprocess.run([*pip, *PACKAGES[peer]], capture_output=True, text=True)
        if done.returncode:
            missing[peer] = "pip: " + (done.stderr.strip().splitlines() or ["failed"])[-1]
    return python, missing


# --- the collection


def originals(corpora, count, rng, plant):
    """Texts of sentences drawn from a collection of laws; no two are the same."""
    sections = [doc["text"] for doc in plant.read(corpora / "en_civproc.docs.jsonl.gz")]
    sentences = sorted({s for text in sections for s in re.split(r"(?<=[.;:])\s+", text) if 40 <= len(s.encode()) <= 400})
    seen = set()
    while len(seen) < count:
        parts, size = [], 0
        while size < BYTES - 100:
            parts.append(rng.choice(sentences))
            size += len(parts[-1].encode()) + 1
        text = " ".join(parts)
        if text not in seen:
            seen.add(text)
            yield text


def make_collection(work, corpora, count):
    import math
    import random

    import pyarrow as pa
    import pyarrow.parquet as pq

    sys.path.insert(0, str(HERE.parent / "accuracy"))
    import features
    import plant

    rng = random.Random(SEED)
    texts = list(originals(corpora, round(count / (1 + COPIES)), rng, plant))
    pool = [token for text in rng.sample(texts, 300) for token in features.TOKEN.findall(text)]
    rows = [(text, at) for at, text in enumerate(texts)]
    for at in rng.sample(range(len(texts)), count - len(texts)):
        rate = math.exp(rng.uniform(*map(math.log, RATES)))
        rows.append((plant.substitute(texts[at], rate, pool, rng), at))
    rng.shuffle(rows)
    first, pairs = {}, []
    for row, (_, family) in enumerate(rows):
        if family in first:
            pairs.append((first[family], row))
        first.setdefault(family, row)
    table = pa.table({"id": [str(row) for row in range(len(rows))], "text": [text for text, _ in rows]})
    pq.write_table(table, work / "texts.parquet", compression="zstd")
    with open(work / "texts.jsonl", "w", encoding="utf-8") as out:
        out.writelines(json.dumps({"id": str(row), "text": text}, ensure_ascii=False) + "\n" for row, (text, _) in enumerate(rows))
    (work / "pairs.json").write_text(json.dumps({"texts": len(rows), "bytes": sum(len(t.encode()) for t, _ in rows), "pairs": pairs}))


# --- one tool, in a process of its own: a function of the path that gives which rows stay


def read_texts(path):
    import pyarrow.parquet as pq

    return pq.read_table(path, columns=["text"])["text"].to_pylist()


def leitong_dedup(path, _):
    import leitong
    import pyarrow.parquet as pq

    return leitong.Dedup()(pq.read_table(path)).keep_list


def rensa_rminhash(path, _):
    from rensa import RMinHashDeduplicator

    dedup = RMinHashDeduplicator(threshold=0.8, num_perm=128, use_lsh=True)
    return list(dedup.add_pairs((str(row), text.split()) for row, text in enumerate(read_texts(path))))


def rensa_rho(path, _):
    """It flags both rows of a pair and chooses none."""
    from rensa import RMinHash, RMinHashLSH

    matrix = RMinHash.digest_matrix_from_token_sets_rho([text.split() for text in read_texts(path)], num_perm=128, seed=42)
    flags = RMinHashLSH(threshold=0.8, num_perm=128, num_bands=8).query_duplicate_flags_matrix_one_shot(matrix)
    return [not flag for flag in flags]


def datasketch_lsh(path, _):
    from datasketch import MinHash, MinHashLSH

    lsh, kept = MinHashLSH(threshold=0.8, num_perm=128), []
    hashes = MinHash.generator(([word.encode() for word in text.split()] for text in read_texts(path)), num_perm=128)
    for row, minhash in enumerate(hashes):
        kept.append(not lsh.query(minhash))
        if kept[-1]:
            lsh.insert(row, minhash)
    return kept


def text_dedup_minhash(path, work):
    out = Path(work) / "text-dedup"
    shutil.rmtree(out, ignore_errors=True)
    words = ["--path", "parquet", "--data_files", path, "--split", "train", "--column", "text", "--output", out / "out"]
    words += ["--cache_dir", out / "cache", "--num_proc", os.cpu_count()]
    environ = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(out / "home")}
    command = [sys.executable, "-m", "text_dedup.minhash", *map(str, words)]
    done = subprocess.run(command, cwd=work, env=environ, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    import datasets
    import pyarrow.parquet as pq

    kept = set(datasets.load_from_disk(str(out / "out"))["id"])
    shutil.rmtree(out)
    return [id in kept for id in pq.read_table(path, columns=["id"])["id"].to_pylist()]


def semhash_self(path, _):
    model = os.environ.get("SEMHASH_MODEL")
    if not model:
        raise RuntimeError("it needs a model: --semhash-model names a folder")
    from model2vec import StaticModel
    from semhash import SemHash

    records = [{"text": text, "row": str(row)} for row, text in enumerate(read_texts(path))]
    result = SemHash.from_records(records, columns=["text"], model=StaticModel.from_pretrained(model)).self_deduplicate()
    kept = {record["row"] for record in result.selected}
    return [record["row"] in kept for record in records]


TOOLS = {  # what is said in the table: package, function, settings
    "Leitong `Dedup()`": ("leitong", leitong_dedup, "the default rule, verified"),
    "rensa RMinHash": ("rensa", rensa_rminhash, "128, threshold .8, words"),
    "rensa rho": ("rensa", rensa_rho, "128, 8 bands, threshold .8, words"),
    "datasketch MinHashLSH": ("datasketch", datasketch_lsh, "128, threshold .8, words"),
    "text-dedup MinHash": ("text-dedup", text_dedup_minhash, "250, threshold .7, 5-grams of words, all cores"),
    "semhash": ("semhash", semhash_self, "threshold .9, embeddings"),
}


def run_tool(name, work):
    """In the child: seconds from the file to the rows that stay, its own most memory, and how right they are."""
    started = time.perf_counter()
    kept = TOOLS[name][1](work / "texts.parquet", work)
    seconds = time.perf_counter() - started
    return {"seconds": seconds, "mb": own_peak(), **quality(kept, json.loads((work / "pairs.json").read_text())["pairs"])}


def field(path, name):
    """A value in kB of a file of /proc, as MB; 0: the process has ended."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith(name + ":")) / 1024


def own_peak():
    """Of getrusage it would be that of the process that started this one, if that was larger."""
    return field("/proc/self/status", "VmHWM")


def group_memory(group):
    """What the processes of a group hold now, shared pages counted once."""
    held = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(process.name)) == group:
                held += field(process / "smaps_rollup", "Pss")
        except ProcessLookupError:
            pass
    return held


def quality(kept, pairs):
    partners = {row for pair in pairs for row in pair}
    gone = [row for row, stays in enumerate(kept) if not stays]
    found = sum(not (kept[a] and kept[b]) for a, b in pairs)
    right = sum(row in partners for row in gone)
    return {"removed": len(gone), "recall": found / len(pairs), "precision": right / len(gone) if gone else None}


def in_a_process(name, work):
    """What `run_tool` gives, with the most memory of all processes of the tool."""
    most = 0
    with open(work / "tool.log", "w+", encoding="utf-8") as said:
        child = subprocess.Popen([sys.executable, __file__, "--tool", name, work], stdout=said, stderr=said, start_new_session=True)
        while child.poll() is None:
            most = max(most, group_memory(child.pid))
            time.sleep(0.1)
        said.seek(0)
        lines = said.read().strip().splitlines() or ["it ended and said nothing"]
    if child.returncode:
        return {"skipped": lines[-1]}
    found = json.loads(lines[-1])
    return {**found, "mb": max(found["mb"], most)}


def measure_tools(work, names, rounds):
    rows = {}
    for name in names:
        runs = []
        for _ in range(rounds if name.startswith("Leitong") else 1):
            runs.append(in_a_process(name, work))
            if "skipped" in runs[-1]:
                break
        seconds = [run["seconds"] for run in runs if "seconds" in run]
        rows[name] = {**runs[-1], **({"seconds": statistics.median(seconds)} if seconds else {})}
        print(name, rows[name], file=sys.stderr)
    return rows


# --- the package itself


def timed(work):
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def two_threads(work):
    threads = [threading.Thread(target=work) for _ in range(2)]

    def both():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return timed(both)


def threads_ratio(work, rounds):
    """Seconds of one thread, and how much more two do in a time; interleaved, so that a slow minute slows both."""
    one, two = [], []
    for _ in range(rounds):
        one.append(timed(work))
        two.append(two_threads(work))
    return statistics.median(one), statistics.median(2 * a / b for a, b in zip(one, two))


def measure_fingerprints(work, rounds):
    import leitong
    import pyarrow.parquet as pq

    column = pq.read_table(work / "texts.parquet", columns=["text"])["text"]

    def once():
        leitong.fingerprint(column, threads=1)

    def yardstick():
        hashlib.sha1(data).digest()  # it lets the lock go, too

    data = bytes(300_000_000)
    once()
    seconds, ratio = threads_ratio(once, rounds)
    _, possible = threads_ratio(yardstick, rounds)
    return {"seconds": seconds, "texts_per_second": len(column) / seconds, "threads_ratio": ratio, "possible_ratio": possible}


def measure_dedup(work, rounds):
    """`Dedup` on a table, beside the command line on the same records as JSON Lines, which writes its outputs; both read and verify."""
    import leitong
    import pyarrow.parquet as pq
    from leitong.__main__ import PROGRAM

    out = work / "cli"

    def program():
        shutil.rmtree(out, ignore_errors=True)
        subprocess.run([PROGRAM, "dedup", work / "texts.jsonl", "-o", out, "--quiet"], check=True, capture_output=True)

    def package():
        nonlocal result
        result = leitong.Dedup()(pq.read_table(work / "texts.parquet"))

    result = None
    package(), program()
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(timed(package))
        theirs.append(timed(program))
    kept = [json.loads(line)["id"] for line in open(out / "kept.jsonl", encoding="utf-8")]
    assert kept == result.selected["id"].to_pylist(), "the package and the program keep other records"
    shutil.rmtree(out)
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    return {"seconds": statistics.median(ours), "program_seconds": statistics.median(theirs), "dedup_ratio": ratio}


# --- the report


def meets(name, value):
    return value <= GOALS[name] if name == "dedup_ratio" else value >= GOALS[name]


def own_rows(own):
    goal = {name: "met" if meets(name, own[name]) else "**not met**" for name in GOALS}
    return [
        "| | | goal |",
        "| --- | --- | --- |",
        f"| fingerprints from Arrow, texts a second on one thread | {own['texts_per_second']:,.0f} "
        f"| ≥ {GOALS['texts_per_second']:,}: {goal['texts_per_second']} |",
        f"| two Python threads, work done to one's | {own['threads_ratio']:.2f} × "
        f"| ≥ {GOALS['threads_ratio']} ×: {goal['threads_ratio']} |",
        f"| the same of `hashlib.sha1`: what the machine gave | {own['possible_ratio']:.2f} × | |",
        f"| `Dedup` from Parquet, s | {own['dedup_seconds']:.2f} | |",
        f"| `leitong dedup` of JSON Lines with all outputs, s | {own['program_seconds']:.2f} | |",
        f"| the former to the latter | {own['dedup_ratio']:.2f} × | ≤ {GOALS['dedup_ratio']} ×: {goal['dedup_ratio']} |",
    ]


def tool_row(name, row):
    settings = TOOLS[name][2]
    if "skipped" in row:
        return f"| {name} | – | – | – | – | – | not run: {row['skipped']} |"
    precision = "–" if row["precision"] is None else f"{row['precision']:.4f}"
    return f"| {name} | {row['seconds']:.2f} | {row['mb']:.0f} | {row['removed']:,} | {row['recall']:.4f} | {precision} | {settings} |"


def markdown(found):
    about = found["collection"]
    mean = about["bytes"] / about["texts"]
    lines = [
        f"# Python, {found['date']}",
        "",
        f"Commit {found['commit']}, {found['cpu']}, {found['cores']} cores, {about['texts']:,} texts of {mean:.0f} "
        f"bytes in the mean, {about['pairs']:,} planted pairs; medians of {found['rounds']} rounds, other packages once. Made by "
        "`bench/python/run.py`, which says how.",
        "",
        *own_rows(found["own"]),
        "",
        "| from the Parquet file to the rows that stay | s | MB | removed | recall | precision | settings |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(tool_row(name, row) for name, row in found["tools"].items()),
        "",
        "rensa rho flags both rows of a pair and chooses none of them: its removed rows are twice as many by that.",
    ]
    return "\n".join(lines) + "\n"


def measure(args):
    sys.path.insert(0, str(HERE.parent))
    import machine

    manifest = args.work / "pairs.json"
    if not manifest.exists() or json.loads(manifest.read_text())["texts"] != args.texts:
        make_collection(args.work, args.corpora, args.texts)
    about = json.loads(manifest.read_text())
    own = measure_fingerprints(args.work, args.rounds)
    own = {"fingerprint_seconds": own.pop("seconds"), **own}
    dedup = measure_dedup(args.work, args.rounds)
    own |= {"dedup_seconds": dedup.pop("seconds"), **dedup}
    print(own, file=sys.stderr)
    missing = json.loads(os.environ["BENCH_MISSING"])
    asked = [name for name, (package, _, _) in TOOLS.items() if package == "leitong" or package in args.peers]
    tools = {name: {"skipped": missing[TOOLS[name][0]]} for name in asked if TOOLS[name][0] in missing}
    tools |= measure_tools(args.work, [name for name in asked if name not in tools], args.rounds)
    found = {
        "date": args.date,
        "commit": machine.commit_of(HERE),
        "cpu": machine.cpu_name(),
        "cores": os.cpu_count(),
        "rounds": args.rounds,
        "collection": {**about, "pairs": len(about["pairs"])},
        "own": own,
        "tools": {name: tools[name] for name in asked},
    }
    args.results.mkdir(parents=True, exist_ok=True)
    (args.results / f"python-{args.date}.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (args.results / f"python-{args.date}.md").write_text(markdown(found), encoding="utf-8")
    print(markdown(found))


def main():
    if sys.argv[1:2] == ["--tool"]:
        print(json.dumps(run_tool(sys.argv[2], Path(sys.argv[3]))))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=lambda name: Path(name).resolve())
    parser.add_argument("wheel", type=lambda name: Path(name).resolve())
    parser.add_argument("--corpora", type=lambda name: Path(name).resolve(), default=HERE.parents[2] / "shared" / "corpora")
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", default=",".join(PACKAGES))
    parser.add_argument("--semhash-model", default="")
    parser.add_argument("--results", type=Path)
    parser.add_argument("--date", default=datetime.date.today().isoformat())
    args = parser.parse_args()
    args.peers = [peer for peer in args.peers.split(",") if peer != "none"]
    args.results = (args.results or args.work).resolve()
    if "BENCH_MISSING" in os.environ:
        measure(args)
        return
    args.work.mkdir(parents=True, exist_ok=True)
    python, missing = environment(args.work, args.wheel, args.peers)
    environ = {**os.environ, "BENCH_MISSING": json.dumps(missing), "SEMHASH_MODEL": args.semhash_model}
    os.execve(python, [str(python), str(HERE / "run.py"), *sys.argv[1:]], environ)


if __name__ == "__main__":
    main()
