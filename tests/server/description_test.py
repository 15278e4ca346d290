"""openapi.json against the server that gives it out: schemathesis asks what the document says, and what it says not, and compares.

    description_test.py --program LEITONG --venv DIRECTORY [--examples N]

All of its checks, without keys and with one of each scope. Without PyPI: skipped, aloud (77).
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import environment

parser = argparse.ArgumentParser()
parser.add_argument("--program", required=True)
parser.add_argument("--venv", type=pathlib.Path, required=True)
parser.add_argument("--examples", type=int, default=int(os.environ.get("LEITONG_EXAMPLES", 100)))
parser.add_argument("--scopes", default="everything,read,write,admin,metrics")
arguments = parser.parse_args()
environment.enter(arguments.venv, ("schemathesis==4.32.5",), ("schemathesis",))

from running import Server, text, wait_for  # noqa: E402

# What no document can say: a name of a collection or a job that is there, an id that was added. Values that the server knows are among those
# that are drawn, so that more than refusals is seen.
CONFIGURATION = """
seed = 20
[phases.examples]
enabled = true
[phases.coverage]
enabled = true
[phases.fuzzing]
enabled = true
[phases.stateful]
enabled = true
[parameters]
"path.collection" = ["c", "bare", "none", "../x"]
"path.id" = ["d1", "a/b", "none"]
"""


def new_key(directory, scopes):
    said = subprocess.run([arguments.program, "serve", "--new-key", "it", "--scopes", scopes], capture_output=True, text=True, check=True).stdout
    (directory / "keys.txt").write_text(said.splitlines()[1].removeprefix("line").strip() + "\n")
    return said.split()[1]


def fill(server, headers):
    """Collections, documents, groups and a job for the requests to meet."""
    for options in ({"name": "c", "texts": True, "metadata": True}, {"name": "bare", "fingerprints_only": True}):
        server.json("POST", "/v1/collections", options, 201, **headers)
        server.lines(f"/v1/collections/{options['name']}/documents", [{"id": i, "text": text(3)} for i in ("d1", "a/b", "d2")], **headers)
    job = server.json("POST", "/v1/collections/c/clusters", want=202, **headers)
    wait_for(server, job, **headers)


def run(scope, directory):
    configuration = directory / "schemathesis.toml"
    configuration.write_text(CONFIGURATION)
    flags, headers = ["--quiet", "--backup-dir", str(directory / "backups")], {}
    (directory / "backups").mkdir()
    with_key = []
    if scope != "everything":
        admin, own = new_key(directory, "admin"), None
        lines = (directory / "keys.txt").read_text()
        own = new_key(directory, scope)
        with (directory / "keys.txt").open("a") as keys:
            keys.write(lines.replace("it ", "admin ", 1))
        flags += ["--keys", str(directory / "keys.txt")]
        headers = {"Authorization": f"Bearer {admin}"}
        with_key = ["--header", f"Authorization: Bearer {own}"]
    with Server(arguments.program, directory, *flags) as server:
        fill(server, headers)
        command = [str(pathlib.Path(sys.prefix) / "bin/schemathesis"), "--config-file", str(configuration), "run",
                   f"http://127.0.0.1:{server.port}/openapi.json", "--checks", "all", "--max-examples", str(arguments.examples),
                   "--request-timeout", "60", "--exclude-path", "/v1/collections/{collection}/changes", "--suppress-health-check", "all", *with_key]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=directory)
        server.alive()
    print(done.stdout[-20_000:] if done.returncode else "\n".join(done.stdout.splitlines()[-12:]), flush=True)
    if done.returncode:
        print(done.stderr[-3000:])
    return done.returncode == 0


def main():
    good = True
    for scope in arguments.scopes.split(","):
        with tempfile.TemporaryDirectory(prefix="leitong-description-") as directory:
            passed = run(scope, pathlib.Path(directory))
            print(f"{'passed' if passed else 'FAILED'} {scope}", flush=True)
            good = good and passed
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
