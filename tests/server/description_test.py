"""openapi.json against the server that gives it out: schemathesis asks what the document says, and what it says not, and compares.

    description_test.py --program LEITONG --venv DIRECTORY [--examples N]

All of its checks but two, with a key of each scope. Without PyPI: skipped, aloud (77).
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
parser.add_argument("--scopes", default="read,write,admin,metrics")
arguments = parser.parse_args()
environment.enter(arguments.venv, ("schemathesis==4.32.5",), ("schemathesis",))

from running import Server, text, wait_for  # noqa: E402

# What no document can say: a name of a collection and an id that are there. What removes them has others, so that they stay.
CONFIGURATION = """
seed = 20
[parameters]
"path.collection" = "c"
"path.id" = "d1"
[[operations]]
include-operation-id = "deleteCollection"
parameters = {"path.collection" = "bare"}
[[operations]]
include-operation-id = "deleteDocument"
parameters = {"path.id" = "d2"}
[checks.use_after_free]  # DELETE asks a job to stop; what became of it is still told
enabled = false
[checks.positive_data_acceptance]  # members of a document that are left out may be numbers beyond 64 bits, which are no JSON for the server
enabled = false
[[operations]]
include-operation-id = "getAsset"
parameters = {"path.asset" = "page.js"}
"""


def new_key(directory, name, scopes):
    said = subprocess.run([arguments.program, "serve", "--new-key", name, "--scopes", scopes], capture_output=True, text=True, check=True).stdout
    with (directory / "keys.txt").open("a") as file:
        file.write(said.splitlines()[1].removeprefix("line").strip() + "\n")
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
    flags = ["--quiet", "--backup-dir", str(directory / "backups"), "--keys", str(directory / "keys.txt")]
    (directory / "backups").mkdir()
    admin, own = new_key(directory, "owner", "admin"), new_key(directory, "asker", scope)
    headers = {"Authorization": f"Bearer {admin}"}
    with Server(arguments.program, directory, *flags) as server:
        fill(server, headers)
        command = [str(pathlib.Path(sys.prefix) / "bin/schemathesis"), "--config-file", str(configuration), "run",
                   f"http://127.0.0.1:{server.port}/openapi.json", "--checks", "all", "--max-examples", str(arguments.examples),
                   "--request-timeout", "60", "--exclude-path", "/v1/collections/{collection}/changes", "--suppress-health-check", "all",
                   "--header", f"Authorization: Bearer {own}"]
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
