"""leitong.Client against a server that runs. Its program is $LEITONG_SERVING; without one these are skipped."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time

import pytest

import leitong

PROGRAM = os.environ.get("LEITONG_SERVING") or shutil.which("leitong") or ""


def serves(program: str) -> bool:
    if not program:
        return False
    done = subprocess.run([program, "serve", "--new-key", "probe"], capture_output=True, check=False)
    return done.returncode == 0


pytestmark = pytest.mark.skipif(not serves(PROGRAM), reason="$LEITONG_SERVING names no program that was built with the server")


class Server:
    def __init__(self, directory, *flags):
        self.errors = directory / "errors.txt"
        with self.errors.open("wb") as errors:
            command = [PROGRAM, "serve", str(directory / "data"), "--listen", "127.0.0.1:0", "--quiet", *flags]
            self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        end = time.monotonic() + 60
        while "listening on" not in self.errors.read_text():
            assert self.process.poll() is None and time.monotonic() < end, self.errors.read_text()
            time.sleep(0.02)
        said = next(line for line in self.errors.read_text().splitlines() if "listening on" in line)
        self.url = said[said.index("http") :]

    def stop(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def server(tmp_path):
    running = Server(tmp_path)
    yield running
    running.stop()


@pytest.fixture
def client(server):
    with leitong.Client(server.url) as one:
        yield one


def text(number: int) -> str:
    return " ".join(f"word{number * 31 + i * i % 97}" for i in range(40))


def test_what_a_collection_does_a_server_does(client, tmp_path, sample):
    records = [{"id": f"{i}", "text": one["text"], "metadata": {"source": one.get("source")}} for i, one in enumerate(sample)]
    client.create("remote", texts=True, metadata=True)
    with leitong.Collection.create(tmp_path / "local", texts=True, metadata=True) as local:
        there, here = client.add_unique("remote", records), local.add_unique(records)
        assert [one.result for one in there] == [one.result for one in here]
        assert {"new", "duplicate"} <= {one.result for one in there}
        for a, b in zip(there, here):
            assert (a.match is None) == (b.match is None)
            if a.match and b.match:
                assert (a.match.id, a.match.distance, a.match.verified) == (b.match.id, b.match.distance, b.match.verified)
                assert a.match.similarity == pytest.approx(b.match.similarity, abs=1e-4)
        asked = [one["text"] for one in records if one["text"]]
        ids = [[match.id for match in matches] for matches in local.query(asked)]
        assert [[match.id for match in matches] for matches in client.query("remote", asked)] == ids
        assert [match.id for match in client.query("remote", asked[0])] == ids[0] and ids[0]
        assert client.clusters("remote") == local.clusters()
        assert client.add("remote", records) == local.add(records) == len(records)
        assert client.clusters("remote") == local.clusters() == client.clusters("remote", last=True)
        assert [match.id for match in client.near("remote", "0")] == [match.id for match in local.near("0")]
        assert list(client.entries("remote")) == list(local)
        assert client.get("remote", "1") == local.get("1") and client.get("remote", "none") is None
        assert client.about("remote")["documents"] == len(local)
        assert client.delete("remote", ["1", "2", "none"]) == local.delete(["1", "2", "none"]) == 2
        assert client.delete("remote", []) == 0
    assert client.collections() == ["remote"]
    client.drop("remote")
    assert client.collections() == []


def test_check_stores_nothing(client):
    client.create("news", texts=True)
    client.add("news", [{"id": "a/ü?#", "text": text(1)}])
    found = client.check("news", text(1) + " more")
    assert found.result == "duplicate" and found.match is not None and found.match.id == "a/ü?#" and found.match.verified
    assert client.check("news", text(1), id="a/ü?#").result == "present"
    assert client.check("news", text(2)) == leitong.Outcome("new", False, None)
    fingerprint = client.get("news", "a/ü?#").fingerprint
    assert client.check("news", fingerprint=fingerprint, k=0).match.id == "a/ü?#"
    assert client.about("news")["documents"] == 1


def test_many_records_go_in_batches(client):
    client.create("many")
    made = ({"id": str(i), "text": text(i)} for i in range(20_000))
    assert client.add("many", made, durable=False) == 20_000
    assert client.about("many")["documents"] == 20_000
    assert len(client.query("many", [text(i) for i in range(5000)], k=0)) == 5000


def test_bad_records_harm_no_others(client):
    client.create("news")
    with pytest.raises(leitong.FormatError, match="record 2: .*and 1 more"):
        client.add("news", [{"id": "a", "text": "x"}, {"text": "no id"}, {"id": "b", "text": "y"}, {"id": "c"}])
    assert client.about("news")["documents"] == 2


def test_what_is_refused_is_raised(server, client):
    with pytest.raises(leitong.UsageError, match="no collection"):
        client.query("none", "text")
    client.create("news")
    with pytest.raises(leitong.UsageError, match="already"):
        client.create("news")
    with pytest.raises(leitong.FormatError):
        client.create("../news")
    with pytest.raises(leitong.FormatError):
        client.check("news", fingerprint="12")
    with pytest.raises(leitong.UsageError):
        leitong.Client("ftp://somewhere")
    server.stop()
    with pytest.raises(leitong.StoreIOError):
        client.collections()
    assert issubclass(leitong.StoreIOError, OSError)


def test_an_idle_connection_that_was_closed_is_opened_again(tmp_path):
    running = Server(tmp_path, "--idle-time", "1")
    try:
        with leitong.Client(running.url) as client:
            client.create("news")
            time.sleep(2.5)
            assert client.collections() == ["news"]
    finally:
        running.stop()


def test_keys(tmp_path):
    made = {}
    for scopes in ("read", "admin"):
        said = subprocess.run([PROGRAM, "serve", "--new-key", scopes, "--scopes", scopes], capture_output=True, text=True, check=True).stdout
        made[scopes] = said.split()[1]
        with (tmp_path / "keys").open("a") as out:
            out.write(said.splitlines()[1].removeprefix("line").strip() + "\n")
    running = Server(tmp_path, "--keys", str(tmp_path / "keys"))
    try:
        with leitong.Client(running.url, key=made["admin"]) as client:
            client.create("news")
        with leitong.Client(running.url, key=made["read"]) as client:
            assert client.collections() == ["news"]
            with pytest.raises(leitong.UsageError, match="scope"):
                client.add("news", [{"id": "a", "text": "b"}])
        with leitong.Client(running.url) as client, pytest.raises(leitong.UsageError, match="key"):
            client.collections()
        assert made["admin"] not in json.dumps(repr(client))
    finally:
        running.stop()
