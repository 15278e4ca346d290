"""Clients that are generated of openapi.json, for Python and for Java: they compile, and do with a server what the document says.

    clients_test.py --program LEITONG --venv DIRECTORY --work DIRECTORY

openapi-python-client comes from PyPI, openapi-generator and what its clients need from Maven Central. Without one: skipped, aloud (77).
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import environment

GENERATOR = "org.openapitools:openapi-generator-cli:7.14.0"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:"

parser = argparse.ArgumentParser()
parser.add_argument("--program", required=True)
parser.add_argument("--venv", type=pathlib.Path, required=True)
parser.add_argument("--work", type=pathlib.Path, required=True)
arguments = parser.parse_args()
environment.enter(arguments.venv, ("openapi-python-client==0.29.1", "ruff"), ("openapi_python_client", "httpx"))

from running import Server  # noqa: E402

WORK = arguments.work.absolute()
HERE = pathlib.Path(__file__).parent
TEXT = "The ferry leaves the island at nine, 渡船九点离开小岛, and comes back before the lamps are lit."


def run(*command, cwd=None, why="failed"):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, f"{why}: {command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout + done.stderr


def fresh(name):
    shutil.rmtree(WORK / name, ignore_errors=True)
    return WORK / name


def python_client(description):
    out = fresh("python")
    said = run(pathlib.Path(sys.prefix) / "bin/openapi-python-client", "generate", "--path", description, "--output-path", out)
    # A request of lines, and a file, are not what it can send; everything else is understood.
    wrong = [line for line in said.splitlines() if line.startswith(("ERROR", "WARNING parsing"))]
    assert all("/documents " in line or "/query " in line or "/changes " in line for line in wrong), said
    run(sys.executable, "-m", "compileall", "-q", out)
    sys.path.insert(0, str(out))


def use_python_client(url, key):
    from leitong_client import AuthenticatedClient
    from leitong_client.api.default import add_documents, check_document, compare_texts, create_collection, get_collection, get_document, list_collections
    from leitong_client.models import Document, NewCollection, Problem, Question, TwoTexts

    client = AuthenticatedClient(base_url=url, token=key)
    create_collection.sync(client=client, body=NewCollection(name="python", texts=True))
    added = add_documents.sync("python", client=client, body=Document(id="a/1", text=TEXT), unique=True)
    assert added.result == "new", added
    verdict = check_document.sync("python", client=client, body=Question(text=TEXT + " More."))
    assert verdict.result == "duplicate" and verdict.of == "a/1" and verdict.verified, verdict
    assert get_document.sync("python", "a/1", client=client).text == TEXT
    assert compare_texts.sync(client=client, body=TwoTexts(a=TEXT, b=TEXT + " More.")).diff
    assert [one.name for one in list_collections.sync(client=client).collections] == ["python"]
    refused = get_collection.sync_detailed("none", client=client)
    assert refused.status_code == 404 and isinstance(refused.parsed, Problem) and refused.parsed.type_ == "/problems/no-collection", refused
    print("python: good", flush=True)


def java_client(description):
    """The class path of the compiled client, or None without Maven Central."""
    jars = WORK / "jars"
    maven = ["mvn", "-q", "-B"]
    try:
        if not list(jars.glob("openapi-generator-cli-*.jar")):
            run(*maven, COPY + "copy", f"-Dartifact={GENERATOR}", f"-DoutputDirectory={jars}")
        out = fresh("java")
        generator = next(jars.glob("openapi-generator-cli-*.jar"))
        run("java", "-jar", generator, "generate", "-i", description, "-g", "java", "--library", "native", "-o", out)
        (out / "src/main/java/GeneratedClient.java").write_text((HERE / "GeneratedClient.java").read_text(encoding="utf-8"), encoding="utf-8")
        run(*maven, COPY + "copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={out}/libraries", cwd=out)
    except (OSError, AssertionError, StopIteration) as error:
        print(f"skipped Java: {error}")
        return None
    run(*maven, "-DskipTests", "compile", cwd=out, why="the generated client does not compile")
    return f"{out}/target/classes:{out}/libraries/*"


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="leitong-clients-") as name:
        directory = pathlib.Path(name)
        said = subprocess.run([arguments.program, "serve", "--new-key", "it", "--scopes", "admin"], capture_output=True, text=True, check=True).stdout
        key = said.split()[1]
        (directory / "keys.txt").write_text(said.splitlines()[1].removeprefix("line").strip() + "\n")
        with Server(arguments.program, directory, "--keys", str(directory / "keys.txt")) as server:
            url = f"http://127.0.0.1:{server.port}"
            description = directory / "openapi.json"
            description.write_bytes(server.ask("GET", "/openapi.json")[2])
            python_client(description)
            use_python_client(url, key)
            server.ask("DELETE", "/v1/collections/python", Authorization=f"Bearer {key}")
            classes = java_client(description)
            if classes is None:
                return 77
            print(run("java", "-cp", classes, "GeneratedClient", url, key, why="the generated client does not do it").strip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
