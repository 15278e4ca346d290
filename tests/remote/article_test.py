"""A Java program that keeps fingerprints as the articles say, and Leitong, on the same server: what the one writes the other finds.

    article_test.py --program LEITONG redis|search plain|positioned

LEITONG_ARTICLE_STORE and LEITONG_OPENSEARCH name the folders of the jars (tests/remote/article/pom.xml, tests/remote/opensearch/pom.xml).
Exit code 77: something is missing, and said.
"""

import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROWS, QUERIES, K = 300, 60, 3


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def skip(reason):
    print("SKIPPED: " + reason)
    sys.exit(77)


class Redis:
    def __init__(self, folder):
        if not shutil.which("redis-server"):
            skip("needs the Debian package redis-server")
        self.port = free_port()
        self.process = subprocess.Popen(["redis-server", "--port", str(self.port), "--save", "", "--dir", folder], stdout=subprocess.DEVNULL)

    def wait(self):
        while subprocess.run(["redis-cli", "-p", str(self.port), "ping"], capture_output=True).stdout != b"PONG\n":
            time.sleep(0.02)

    def url(self, name):
        return f"redis://127.0.0.1:{self.port}/0?prefix={name}:"

    @staticmethod
    def place(name):
        return name + ":"

    def end(self):
        self.process.kill()
        self.process.wait()


class Search:
    def __init__(self, folder):
        jars = os.environ.get("LEITONG_OPENSEARCH")
        if not jars:
            skip("needs OpenSearch: LEITONG_OPENSEARCH must name the folder of its jars")
        self.log = open(Path(folder) / "log", "w")
        self.process = subprocess.Popen(
            ["java", "-Xms512m", "-Xmx1g", "-cp", jars + "/*", "OpenSearchNodes", "1", str(Path(folder) / "data"), str(free_port())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)

    def wait(self):
        line = self.process.stdout.readline()
        self.port = int(line.split()[-1].rsplit(":", 1)[-1])

    def url(self, name):
        return f"es+http://127.0.0.1:{self.port}/{name}"

    @staticmethod
    def place(name):
        return name

    def end(self):
        self.process.stdin.close()
        self.process.wait(60)


def families(generator):
    centres = [generator.getrandbits(64) for _ in range(12)]

    def value():
        out = generator.choice(centres)
        for _ in range(generator.randrange(6)):
            out ^= 1 << generator.randrange(64)
        return out

    return value


def bits(value):
    return format(value, "064b")


def expected(rows, query):
    return sorted((i, bin(v ^ query).count("1")) for i, v in rows.items() if bin(v ^ query).count("1") <= K)


class Java:
    def __init__(self, server, place, layout):
        jars = os.environ.get("LEITONG_ARTICLE_STORE")
        if not jars:
            skip("needs Jedis and a REST client: LEITONG_ARTICLE_STORE must name the folder of the jars")
        kind = "redis" if isinstance(server, Redis) else "search"
        self.command = ["java", "-cp", jars + "/*", "ArticleStore", kind, "127.0.0.1", str(server.port), place, layout]

    def run(self, commands):
        done = subprocess.run(self.command, input="\n".join(commands) + "\n", capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    def put(self, rows):
        self.run([f"put {i} {bits(v)}" for i, v in rows.items()])

    def find(self, queries):
        answers = self.run([f"find {bits(q)}" for q in queries])
        return [sorted((w.rsplit("/", 1)[0], int(w.rsplit("/", 1)[1])) for w in line.split()) for line in answers]


class Leitong:
    def __init__(self, program, url):
        self.program, self.url = program, url

    def run(self, *words, stdin=None):
        done = subprocess.run([self.program, "collection", *words], input=stdin, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"leitong collection {' '.join(words)}: {done.returncode}: {done.stderr}{done.stdout}")
        return done.stdout

    def put(self, rows):
        lines = "".join(json.dumps({"id": i, "fp": format(v, "016x")}) + "\n" for i, v in rows.items())
        self.run("import", self.url, "-", "--fingerprints", "--quiet", stdin=lines)

    def find(self, queries):
        words = [w for q in queries for w in ("--fingerprint", format(q, "016x"))]
        found = [[] for _ in queries]
        for line in self.run("query", self.url, *words).splitlines():
            match = json.loads(line)
            found[match["query"]].append((match["id"], match["distance"]))
        return [sorted(one) for one in found]


def check(what, found, rows, queries):
    wrong = [(q, f, expected(rows, q)) for q, f in zip(queries, found, strict=True) if f != expected(rows, q)]
    if wrong:
        sys.exit(f"{what}: {len(wrong)} of {len(queries)} queries differ: {wrong[0]}")
    print(f"{what}: {len(queries)} queries, {sum(map(len, found))} matches, all as they must be")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("server", choices=["redis", "search"])
    parser.add_argument("layout", choices=["plain", "positioned"])
    args = parser.parse_args()
    generator = random.Random(7)
    value = families(generator)
    with tempfile.TemporaryDirectory() as folder:
        server = (Redis if args.server == "redis" else Search)(folder)
        try:
            server.wait()
            # Java has a store; Leitong looks at it, takes it over, finds in it and adds to it.
            rows = {f"article-{i}": value() for i in range(ROWS)}
            queries = [value() for _ in range(QUERIES)]
            java = Java(server, server.place("theirs"), args.layout)
            java.put(rows)
            leitong = Leitong(args.program, server.url("theirs"))
            inspection = json.loads(leitong.run("inspect", leitong.url, "--json"))
            print("inspect:", json.dumps(inspection["layout"]), *inspection["evidence"], sep="\n  ")
            leitong.run("adopt", leitong.url, "--profile", "leitong-1")
            check("Java wrote, Leitong finds", leitong.find(queries), rows, queries)
            more = {f"later-{i}": value() for i in range(ROWS // 3)}
            leitong.put(more)
            rows |= more
            check("Leitong added, Java finds", java.find(queries), rows, queries)
            check("Leitong added, Leitong finds", leitong.find(queries), rows, queries)
            # Leitong has a store; Java finds in it and adds to it.
            leitong = Leitong(args.program, server.url("ours"))
            leitong.run("create", leitong.url, "--layout", "article-" + args.layout)
            leitong.put(rows)
            java = Java(server, server.place("ours"), args.layout)
            check("Leitong wrote, Java finds", java.find(queries), rows, queries)
            more = {f"last-{i}": value() for i in range(ROWS // 3)}
            java.put(more)
            rows |= more
            check("Java added, Leitong finds", leitong.find(queries), rows, queries)
        finally:
            server.end()


main()
