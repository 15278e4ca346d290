#!/usr/bin/env python3
"""leitong serve under load: questions, additions, idle connections; and the same questions with the fingerprints in Redis.

    run.py --program build/bench/leitong [--documents 1000000] [--seconds 20] [--rounds 3] [--work DIRECTORY]

The server has one core and one worker, wrk (Debian: wrk) another core. Writes bench/results/server-<date>.{json,md}, or with --try only
standard output. Needs a program with the server, and redis-server.
"""

import argparse
import datetime
import http.client
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "tests/server")]
import machine  # noqa: E402
from running import Server as PlainServer  # noqa: E402
from tables import table  # noqa: E402

RESULTS = HERE.parent / "results"
QUESTIONS, SHARE = 20_000, 0.1  # in the file of wrk; of them with a match
WORDS = 100                     # of a text: about 600 bytes
CONNECTIONS = 32
LINES = "application/x-ndjson"


class Texts:
    """Texts of words that are as unequally frequent as those of a language; the same for the same number."""

    def __init__(self):
        draw = random.Random(1)
        self.words = ["".join(draw.choices("etaoinshrdlucmfwyp", k=draw.randint(2, 9))) for _ in range(50_000)]
        total, self.weights = 0.0, []
        for rank in range(len(self.words)):
            total += 1 / (rank + 10)
            self.weights.append(total)

    def words_of(self, number):
        return random.Random(number).choices(self.words, cum_weights=self.weights, k=WORDS)

    def of(self, number):
        return " ".join(self.words_of(number))

    def near(self, number):
        """The same text, two words of it replaced."""
        draw, words = random.Random(-number), self.words_of(number)
        for place in draw.sample(range(WORDS), 2):
            words[place] = draw.choice(self.words)
        return " ".join(words)


class Server(PlainServer):
    """On the first core, with one worker; `where` may be anything that can be served."""

    def __init__(self, program, directory, *where):
        self.where = where
        super().__init__(program, directory, "--quiet", "--max-connections", "5000")

    def start(self):
        command = ["taskset", "-c", "0", self.program, "serve", *map(str, self.where), "--listen", "127.0.0.1:0", "--threads", "1", *self.flags]
        self.run(command)

    def memory(self):
        """Bytes that are its own."""
        lines = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))

    def job(self, path):
        job = self.json("POST", path, want=202)
        while job["state"] in ("queued", "running"):
            time.sleep(0.2)
            job = self.json("GET", "/v1/jobs/" + job["id"])
        assert job["state"] == "done", job


def write_questions(path, texts, documents):
    draw = random.Random(3)
    with path.open("w") as out:
        for i in range(QUESTIONS):
            has_match = draw.random() < SHARE
            text = texts.near(draw.randrange(documents)) if has_match else texts.of(10_000_000_000 + i)
            out.write(json.dumps({"text": text}) + "\n")


def matched(server, path, questions, sample=1000):
    """The share of questions that have a match, asked one by one."""
    found = 0
    with questions.open() as lines:
        for _, line in zip(range(sample), lines):
            found += server.json("POST", path, json.loads(line)).get("result", "new") != "new"
    return found / sample


def wrk(server, path, questions, seconds, connections=CONNECTIONS, pause=0):
    command = ["taskset", "-c", "1", "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", str(HERE / "questions.lua"),
               f"http://127.0.0.1:{server.port}", "--", str(questions), path, str(pause)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    out = json.loads(said.splitlines()[-1])
    assert out["bad"] == 0, said
    out["rate"] = out["requests"] / out["seconds"]
    return out


def asked(server, path, questions, arguments):
    """As fast as it goes, then at half of that: each connection pauses, so that all together ask half as often."""
    wrk(server, path, questions, min(arguments.seconds, 5))  # pages come in
    full = [wrk(server, path, questions, arguments.seconds) for _ in range(arguments.rounds)]
    rate = statistics.median(one["rate"] for one in full)
    connections = 64
    pause = max(1, round(1000 * connections / (rate / 2)))
    half = [wrk(server, path, questions, arguments.seconds, connections, pause) for _ in range(arguments.rounds)]
    middle = lambda runs, name: statistics.median(one[name] for one in runs)
    return {"rate": rate, "p99_ms": middle(full, "p99_ms"), "half_rate": middle(half, "rate"), "half_p50_ms": middle(half, "p50_ms"),
            "half_p99_ms": middle(half, "p99_ms"), "runs": full + half, "matched": matched(server, path, questions)}


def stream(server, path, blocks):
    """Sends lines in one request and reads the answers meanwhile; lines a second."""
    import threading
    one = socket.create_connection(("127.0.0.1", server.port), timeout=600)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {LINES}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    received = []

    def read():
        while piece := one.recv(1 << 20):
            received.append(piece)
    reader = threading.Thread(target=read)
    begun = time.perf_counter()
    reader.start()
    one.sendall(head.encode())
    for block in blocks:
        one.sendall(b"%x\r\n" % len(block) + block + b"\r\n")
    one.sendall(b"0\r\n\r\n")
    reader.join()
    seconds = time.perf_counter() - begun
    tail = b"".join(received[-2:])
    last = json.loads(next(line for line in reversed(tail.split(b"\r\n")) if line.startswith(b'{') and b'"end"' in line).splitlines()[-1])
    assert last["end"] and last["bad"] == 0, last
    return last["records"] / seconds


def blocks_of(lines, most=1 << 16):
    block = []
    size = 0
    for line in lines:
        block.append(line)
        size += len(line)
        if size >= most:
            yield b"".join(block)
            block, size = [], 0
    if block:
        yield b"".join(block)


def added(program, directory, texts, arguments):
    """Streamed additions, beside the command line's own in the same run."""
    out = {}
    few = max(arguments.documents // 10, 1000)
    draw = random.Random(4)
    fingerprints = [json.dumps({"id": str(i), "fingerprint": f"{draw.getrandbits(64):016x}"}).encode() + b"\n" for i in range(arguments.documents)]
    documents = [json.dumps({"id": str(i), "text": texts.of(20_000_000_000 + i)}).encode() + b"\n" for i in range(few)]
    with Server(program, directory, directory / "added") as server:
        server.collection("prints", fingerprints_only=True)
        server.collection("texts", texts=True)
        out["fingerprints"] = stream(server, "/v1/collections/prints/documents?acknowledge=buffered", list(blocks_of(fingerprints)))
        out["unique"] = stream(server, "/v1/collections/texts/documents?acknowledge=buffered&unique=true", list(blocks_of(documents)))
    file = directory / "documents.jsonl"
    file.write_bytes(b"".join(documents))
    local = directory / "local"
    subprocess.run([program, "collection", "create", local, "--texts"], check=True, stdout=subprocess.DEVNULL)
    command = ["taskset", "-c", "0", program, "collection", "add", local, file, "--unique", "--buffered", "--threads", "1", "--quiet"]
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    out["unique_in_process"] = few / (time.perf_counter() - begun)
    return out


def idle(server, connections=1000):
    """Bytes of the server for each connection that has been answered once and waits."""
    before = server.memory()
    held = []
    for _ in range(connections):
        one = http.client.HTTPConnection("127.0.0.1", server.port)
        one.request("GET", "/livez")
        one.getresponse().read()
        held.append(one)
    time.sleep(1)
    bytes_each = (server.memory() - before) / connections
    for one in held:
        one.close()
    return bytes_each


class Redis:
    def __init__(self):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        # With the server: both have one core together, as a program and its Redis on one core have.
        command = ["taskset", "-c", "0", "redis-server", "--port", str(self.port), "--save", "", "--maxmemory", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def __enter__(self):
        while subprocess.run(["redis-cli", "-p", str(self.port), "ping"], capture_output=True, text=True).stdout.strip() != "PONG":
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def url(self, layout):
        return f"redis://127.0.0.1:{self.port}/0?prefix={layout}:&timeout=600"


def in_redis(program, directory, texts_file, questions, arguments):
    out = {}
    for layout in ("article-plain", "compact"):
        with Redis() as redis:
            subprocess.run([program, "collection", "create", redis.url(layout), "--layout", layout], check=True, stdout=subprocess.DEVNULL)
            subprocess.run([program, "collection", "add", redis.url(layout), texts_file, "--quiet"], check=True, stdout=subprocess.DEVNULL)
            with Server(program, directory, f"c={redis.url(layout)}") as server:
                out[layout] = asked(server, "/v1/collections/c/check", questions, arguments)
    return out


def measure(arguments, directory):
    program, texts = str(Path(arguments.program).resolve()), Texts()
    texts_file, questions = directory / "texts.jsonl", directory / "questions.jsonl"
    with texts_file.open("w") as out:
        for i in range(arguments.documents):
            out.write(json.dumps({"id": str(i), "text": texts.of(i)}) + "\n")
    write_questions(questions, texts, arguments.documents)
    out = {"documents": arguments.documents, "bytes": statistics.mean(len(texts.of(i)) for i in range(100))}
    subprocess.run([program, "collection", "create", directory / "data" / "c", "--texts"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "collection", "add", directory / "data" / "c", texts_file, "--buffered", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    with Server(program, directory, directory / "data") as server:
        server.job("/v1/collections/c/compact")
        out["verified"] = asked(server, "/v1/collections/c/check", questions, arguments)
        out["k3"] = asked(server, "/v1/collections/c/check?k=3", questions, arguments)
        out["nothing"] = asked(server, "/v1/fingerprint", questions, arguments) if arguments.floor else None
        out["idle_bytes"] = idle(server)
    out["added"] = added(program, directory, texts, arguments)
    out["redis"] = in_redis(program, directory, texts_file, questions, arguments) if shutil.which("redis-server") else None
    return out


def page_of(found):
    def row(name, one):
        cells = [f"{one['rate']:,.0f}", f"{one['half_rate']:,.0f}", f"{one['half_p50_ms']:.2f}", f"{one['half_p99_ms']:.2f}", f"{one['matched']:.1%}"]
        return [name, *cells]
    rows = [row("`check`, the profile's own method, matches verified by their texts", found["verified"]), row("`check?k=3`, verified", found["k3"])]
    for layout, one in (found["redis"] or {}).items():
        rows.append(row(f"`check` in Redis, layout `{layout}`, within 3 bits, not verified", one))
    add = found["added"]
    lines = [
        f"# leitong serve under load, {found['date']}", "",
        f"{found['machine']}, commit {found['commit']}. One core for the server and its one worker, another for wrk. {found['documents']:,} documents of "
        f"{found['bytes']:.0f} bytes, compacted; {SHARE:.0%} of the questions are near one of them. Median of {found['rounds']} runs of {found['seconds']} s.", "",
        *table(["", "a second, 32 connections", "at half load", "p50, ms", "p99, ms", "with a match"], rows), "",
        "Half load: 64 connections, each of which pauses before each question. Redis has the same core as the server that asks it.", "",
        *table(["", ""], [
            ["streamed additions of fingerprints, buffered, a second", f"{add['fingerprints']:,.0f}"],
            ["streamed additions of texts, unique, buffered, a second", f"{add['unique']:,.0f}"],
            ["the same by `leitong collection add --unique`, in process", f"{add['unique_in_process']:,.0f}"],
            ["of that rate, over HTTP", f"{add['unique'] / add['unique_in_process']:.2f}"],
            ["bytes of an idle connection that was answered once", f"{found['idle_bytes']:,.0f}"],
        ]), "",
    ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--floor", action="store_true", help="also /v1/fingerprint, which asks no collection")
    parser.add_argument("--try", dest="trial", action="store_true", help="write no result")
    arguments = parser.parse_args()
    if os.cpu_count() < 2 or not shutil.which("wrk"):
        sys.exit("run.py needs two cores, and wrk (Debian: wrk)")
    with tempfile.TemporaryDirectory(prefix="leitong-bench-", dir=arguments.work) as name:
        found = measure(arguments, Path(name))
    date = datetime.date.today().isoformat()
    found |= {"date": date, "machine": machine.cpu_name(), "commit": machine.commit_of(HERE), "rounds": arguments.rounds, "seconds": arguments.seconds}
    page = page_of(found)
    print(page)
    if not arguments.trial:
        (RESULTS / f"server-{date}.json").write_text(json.dumps(found, indent=1) + "\n")
        (RESULTS / f"server-{date}.md").write_text(page)


if __name__ == "__main__":
    main()
