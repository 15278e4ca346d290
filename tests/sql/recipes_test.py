#!/usr/bin/env python3
"""The recipes of docs/sql.md on DuckDB and PostgreSQL: do they give all near pairs and no other?

recipes_test.py --program LEITONG --database duckdb|postgresql --venv DIRECTORY

DuckDB comes from PyPI, into that virtual environment where it is missing; PostgreSQL is Debian's, of 14 or later,
    started on a socket in a directory of
its own. What is not to be had is skipped, aloud (77). The fingerprints: those of the shipped sample, and random ones with some bits turned.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ("pyarrow==26.0.1", "duckdb==2.0.0", "pytz")  # as tests/parquet has them


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(77)


def recipes():
    """(database, what) -> SQL, from the page."""
    page = (ROOT / "docs" / "sql.md").read_text(encoding="utf-8")
    found = {tuple(head.split()): sql for head, sql in re.findall(r"<!-- run: (.*?) -->\n```sql\n(.*?)```", page, re.S)}
    wanted = {("duckdb", "3"), ("duckdb", "6"), ("postgresql", "3"), ("postgresql", "6"), ("postgresql", "question")}
    assert set(found) == wanted, set(found) ^ wanted
    return found


def signed(number):
    return number - (1 << 64) if number >= 1 << 63 else number


def fingerprints(program):
    """id -> signed number."""
    lines = subprocess.run([program, "fingerprint", ROOT / "examples/sample.jsonl", "--format", "signed"], check=True,
        capture_output=True).stdout
    prints = {f"s{i}": int(record["fp"]) for i, record in enumerate(map(json.loads, lines.splitlines())) if record["fp"] is not None}
    assert len(prints) > 10
    chance = random.Random(24)
    for i in range(400):
        value = chance.getrandbits(64)
        for copy in range(4):
            turned = sum(1 << bit for bit in chance.sample(range(64), chance.randint(0, 8))) if copy else 0
            prints[f"r{i}-{copy}"] = signed(value ^ turned)
    return prints


def distance(a, b):
    return ((a ^ b) & (1 << 64) - 1).bit_count()


def near(prints, k):
    items = sorted(prints.items())
    pairs = ((a, b, distance(x, y)) for i, (a, x) in enumerate(items) for b, y in items[i + 1:])
    return sorted(pair for pair in pairs if pair[2] <= k)


def compare(name, found, expected):
    found = sorted((a, b, int(d)) for a, b, d in found)
    assert found == expected, f"{name}: {len(found)} pairs, expected {len(expected)}; not found: {set(expected) - set(found)}"
    print(f"{name}: {len(found)} pairs, all there")


def check_duckdb(prints):
    import duckdb

    for k in (3, 6):
        with duckdb.connect() as database, tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "prints.jsonl"
            file.write_text("".join(json.dumps({"id": i, "fp": str(fp)}) + "\n" for i, fp in prints.items()))
            columns = "{id: 'VARCHAR', fp: 'VARCHAR'}"
            database.execute(f"CREATE TABLE prints AS SELECT id, fp::BIGINT AS fp FROM read_json('{file}', columns = {columns})")
            compare(f"DuckDB, k = {k}", database.execute(recipes()["duckdb", str(k)]).fetchall(), near(prints, k))


class PostgreSql:
    """A server of its own, which no network sees."""

    def __init__(self, folder):
        self.folder = folder
        self.bin = self.find()
        self.as_user = []
        if os.geteuid() == 0:  # PostgreSQL does not run as root
            shutil.chown(folder, "postgres")
            self.as_user = ["runuser", "-u", "postgres", "--"]

    @staticmethod
    def find():
        for folder in sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True):
            if int(folder.parent.name) >= 14 and (folder / "initdb").exists():
                return folder
        if shutil.which("initdb") and shutil.which("pg_ctl"):
            return pathlib.Path(shutil.which("initdb")).parent
        skip("there is no PostgreSQL of 14 or later (Debian: postgresql)")

    def run(self, *command, **options):
        return subprocess.run([*self.as_user, *map(str, command)], check=True, cwd="/", **options)

    def __enter__(self):
        quiet = {"stdout": subprocess.DEVNULL}
        self.run(self.bin / "initdb", "-D", self.folder / "data", "--auth=trust", "--encoding=UTF8", "--locale=C", "-U", "leitong", **quiet)
        settings = f"-c listen_addresses= -c fsync=off -c unix_socket_directories={self.folder}"
        self.run(self.bin / "pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "-o", settings, "start", **quiet)
        return self

    def __exit__(self, *_):
        self.run(self.bin / "pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop", stdout=subprocess.DEVNULL)

    def rows(self, sql, **variables):
        """Of the last statement, in a database made anew."""
        set_variables = [word for name, value in variables.items() for word in ("-v", f"{name}={value}")]
        psql = [self.bin / "psql", "-h", self.folder, "-U", "leitong", "-v", "ON_ERROR_STOP=1", "-q", "-A", "-t", "-X", "-F", "\t"]
        self.run(*psql, "-d", "postgres", input="SET client_min_messages = warning;\nDROP DATABASE IF EXISTS t;\nCREATE DATABASE t;\n",
            text=True)
        done = self.run(*psql, "-d", "t", *set_variables, input=sql, text=True, stdout=subprocess.PIPE)
        return [line.split("\t") for line in done.stdout.splitlines()]


def check_postgresql(prints):
    table = "CREATE TABLE prints (id text COLLATE \"C\" PRIMARY KEY, fp bigint NOT NULL);\nCOPY prints FROM STDIN;\n"
    table += "".join(f"{i}\t{fp}\n" for i, fp in prints.items()) + "\\.\n"
    with tempfile.TemporaryDirectory(prefix="leitong-sql") as folder, PostgreSql(pathlib.Path(folder)) as server:
        os.chmod(folder, 0o755)
        for k in (3, 6):
            compare(f"PostgreSQL, k = {k}", server.rows(table + recipes()["postgresql", str(k)]), near(prints, k))
        for name in ("r7-0", "r8-1", "s0"):
            found = server.rows(table + recipes()["postgresql", "question"], question=f"({prints[name]}::bigint)")
            expected = sorted((distance(prints[name], fp), i) for i, fp in prints.items() if distance(prints[name], fp) <= 3)
            assert [(int(d), i) for i, d in found] == expected, (name, found, expected)
            print(f"PostgreSQL, one question: {len(found)} near {name}, all there")


def enter_environment(directory):
    """Goes on in the virtual environment, which is made if need be."""
    python = directory / "bin/python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", directory], check=True, stdout=sys.stderr)
        if subprocess.run([python, "-c", "import duckdb"], stderr=subprocess.DEVNULL).returncode != 0:
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES], check=True,
                stdout=sys.stderr)
    except (OSError, subprocess.CalledProcessError) as error:
        skip(f"DuckDB cannot be installed from PyPI: {error}")
    os.execv(python, [str(python), "-B", *sys.argv, "--inside"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--database", choices=("duckdb", "postgresql"), required=True)
    parser.add_argument("--venv", type=pathlib.Path, required=True)
    parser.add_argument("--inside", action="store_true")
    arguments = parser.parse_args()
    if arguments.database == "duckdb" and not arguments.inside:
        enter_environment(arguments.venv)
    prints = fingerprints(arguments.program)
    {"duckdb": check_duckdb, "postgresql": check_postgresql}[arguments.database](prints)


if __name__ == "__main__":
    main()
