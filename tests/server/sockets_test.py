"""The server on real sockets: what clients do wrong, what networks do, kills, and the end.

    sockets_test.py --program LEITONG [--kills N] [NAME...]

Each test is a function test_*; names given run these alone. Every one starts a server of its own in a directory of its own.
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import re
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time

from running import NDJSON, Server, head, read_all, status_of, text, until, wait_for

ROOT = pathlib.Path(__file__).parents[2]
JSON_TYPE, LINES_TYPE = "Content-Type: application/json", f"Content-Type: {NDJSON}"


# What the API does


def test_documents_and_questions(start):
    with start() as server:
        c = server.collection(texts=True, metadata=True)
        document = {"id": "a/1", "text": text(1), "metadata": {"x": [1]}, "others": "are left out"}
        assert server.json("POST", c + "/documents", document) == {"id": "a/1", "result": "added"}
        got = server.json("GET", c + "/documents/a%2F1")
        assert got["text"] == text(1) and got["metadata"] == {"x": [1]} and len(got["fingerprint"]) == 16
        near = text(1) + " more"
        check = server.json("POST", c + "/check", {"text": near})
        assert check["result"] == "duplicate" and check["of"] == "a/1" and check["verified"], check
        assert server.json("POST", c + "/check", {"id": "a/1", "text": near})["result"] == "present"
        assert server.json("POST", c + "/check", {"text": text(2)})["result"] == "new"
        assert server.json("POST", c + "/check?k=0", {"fingerprint": got["fingerprint"]})["of"] == "a/1"
        documents = [{"id": "b", "text": near}, {"id": "c", "text": text(3)}, {"id": "a/1", "text": near}, {"id": 7}]
        out = server.lines(c + "/documents?unique=true", documents)
        assert [o.get("result") for o in out] == ["duplicate", "new", "present", None, None], out
        assert out[0]["of"] == "a/1" and out[3]["line"] == 4 and out[3]["error"]["field"] == "id"
        assert out[4] == {"end": True, "records": 4, "bad": 1, "added": 1, "duplicates": 2}, out
        found = server.lines(c + "/query", [{"text": near}, {"id": "q", "text": text(9)}, {"fingerprint": got["fingerprint"]}])
        assert [f.get("query", "end") for f in found] == [0, 0, "q", 2, 2, "end"], found
        assert server.json("POST", c + "/query", {"text": near})["matches"][0]["id"] == "a/1"
        assert server.json("PUT", c + "/documents/d", {"text": near + " x"})["result"] == "added"
        assert server.json("GET", c + "/documents/d/near")["matches"][0]["id"] == "a/1"
        job = server.json("POST", c + "/clusters", want=202)
        assert wait_for(server, job)["result"]["clusters"] == 1
        page = server.json("GET", c + "/clusters")
        assert page["clusters"][0]["documents"] == ["a/1", "d"] and page["pages"] == 1, page
        status, headers, _ = server.ask("GET", c + "/clusters")
        assert server.ask("GET", c + "/clusters", If_None_Match=headers["ETag"])[0] == 304
        changes = [json.loads(line) for line in server.ask("GET", c + "/changes")[2].splitlines()]
        assert [x["change"] for x in changes] == ["reset", "new", "end"], changes
        assert server.ask("GET", f"{c}/changes?since={changes[-1]['state']}-{changes[-1]['key']}")[2] == b""
        listed = [json.loads(line) for line in server.ask("GET", c + "/documents")[2].splitlines()]
        assert [x.get("id") for x in listed] == ["a/1", "c", "d", None] and listed[-1]["records"] == 3
        assert server.json("POST", c + "/documents:delete", {"ids": ["c", "nobody"]}) == {"deleted": 1}
        assert server.ask("DELETE", c + "/documents/d")[0] == 204
        assert server.ask("DELETE", c + "/documents/d")[0] == 404
        assert server.json("GET", c)["documents"] == 1
        assert wait_for(server, server.json("POST", c + "/check-files", want=202))["state"] == "done"
        assert wait_for(server, server.json("POST", c + "/compact", want=202))["state"] == "done"
        assert server.ask("DELETE", c, If_Match='"other"')[0] == 412
        assert server.ask("DELETE", c)[0] == 204 and server.ask("GET", c)[0] == 404
        assert not any((server.directory / "data").iterdir())


def test_unique_fingerprints(start):
    with start() as server:
        c = server.collection()
        made = [server.json("POST", "/v1/fingerprint", {"text": text(i)})["fingerprint"] for i in range(2)]
        near = f"{int(made[0], 16) ^ 0b101:016x}"
        lines = [{"id": "a", "fingerprint": made[0]}, {"id": "b", "fingerprint": near}, {"id": "a", "fingerprint": near},
                 {"id": "c", "fingerprint": made[1]}, {"id": "d", "fingerprint": "12"}]
        out = server.lines(c + "/documents?unique=true", lines)
        assert [o.get("result") for o in out] == ["new", "duplicate", "present", "new", None, None], out
        assert out[1]["of"] == "a" and out[1]["distance"] == 2 and out[1]["similarity"] is None and out[1]["unverified"], out
        assert out[4]["error"]["field"] == "fingerprint" and out[5]["added"] == 2 and out[5]["duplicates"] == 2
        assert server.json("POST", c + "/documents?unique=true&k=1", {"id": "b", "fingerprint": near})["result"] == "new"
        # A text after a fingerprint, in one request: each by its own means.
        out = server.lines(c + "/documents?unique=true", [{"id": "x", "fingerprint": "0" * 16}, {"id": "y", "text": text(5)}, {"id": "z", "text": text(5)}])
        assert [o.get("result") for o in out[:3]] == ["new", "new", "duplicate"], out


def test_sample(start):
    with start("--sample") as server:
        assert [one["name"] for one in server.json("GET", "/v1/collections")["collections"]] == ["sample"]
        documents = server.json("GET", "/v1/collections/sample")["documents"]
        assert documents > 50
        texts = [json.loads(line).get("text") or "" for line in server.ask("GET", "/v1/collections/sample/documents")[2].splitlines()]
        for some in ("地铁九号线", "Harrow Island"):
            assert sum(some in one for one in texts) > 1, some
        groups = server.json("GET", "/v1/collections/sample/clusters")
        assert groups["of"]["clusters"] > 5 and groups["clusters"][0]["documents"][0] == "en-001", groups
        server.json("POST", "/v1/collections/sample/documents", {"id": "mine", "text": text(1)})
        server.process.send_signal(signal.SIGINT)
        server.process.wait(30)
        server.start()  # a directory that holds something stays as it is
        assert server.json("GET", "/v1/collections/sample")["documents"] == documents + 1
        assert "no sample is added" in (server.directory / "errors.txt").read_text()
    done = subprocess.run([start.program, "serve", "--sample", str(start.directory), str(start.directory / "data")], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "one directory" in done.stderr, done


def test_spooled_bodies(start):
    """What is said of Parquet files without one at hand; tests/server/page_test.py adds real ones."""
    with start("--max-spool", "1M") as server:
        c = server.collection(texts=True)
        parquet = {"Content_Type": "application/vnd.apache.parquet"}
        for body, status, kind in [(b"", 422, "parquet"), (b"PAR1" + bytes(100) + b"PAR1", 422, "parquet"), (bytes(3 << 20), 413, "limit")]:
            got, _, read = server.ask("POST", c + "/documents", body, **parquet)
            assert got == status and json.loads(read)["type"] == "/problems/" + kind, (len(body), got, read)
            assert b"/proc/" not in read, read
        got, _, read = server.ask("POST", c + "/query", b"PAR1", **parquet)
        assert got == 415, read
        # Clients that go away in the middle leave nothing behind.
        for _ in range(10):
            with server.connect() as one:
                one.sendall(head("POST", c + "/documents", "Content-Type: application/vnd.apache.parquet", "Content-Length: 1000000") + bytes(300_000))
        def spools():
            return [link for link in pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir() if "deleted" in os.readlink(link)]
        until(lambda: not spools(), "temporary files stay open")
        server.alive()


def test_texts(start):
    with start() as server:
        one = server.json("POST", "/v1/fingerprint", {"text": "谢谢同学们的支持"})
        two = server.json("POST", "/v1/compare", {"a": "谢谢同学们的支持", "b": "谢谢童学们的支持"})
        assert two["a"] == one["fingerprint"] and any(not run["same"] for run in two["diff"])
        assert "".join(run["a"] for run in two["diff"]) == "谢谢同学们的支持"
        assert len(server.json("POST", "/v1/explain", {"a": text(1), "b": text(1) + " x"})["bits"]) >= 0
        assert server.json("POST", "/v1/fingerprint", {"text": "x", "profile": "/etc/passwd"}, 422)["field"] == "profile"
        assert any(p["name"] == "leitong-1" for p in server.json("GET", "/v1/profiles")["profiles"])
        assert server.json("GET", "/openapi.json")["openapi"] == "3.1.0"


def test_pages(start):
    with start() as server:
        for path in ("/", "/docs", "/assets/page.js", "/assets/page.css", "/assets/docs.js", "/assets/icon.svg"):
            status, headers, read = server.ask("GET", path)
            assert status == 200 and read and "default-src 'self'" in headers["Content-Security-Policy"], (path, status)
            # Nothing inline, nothing from elsewhere.
            assert b"<script>" not in read and b"://" not in read.replace(b"http://www.w3.org", b""), path
            assert server.ask("GET", path, If_None_Match=headers["ETag"])[0] == 304
            assert server.ask("HEAD", path)[2] == b""
        for path in ("/assets/openapi.json", "/assets/..%2Fpage.js", "/assets/page.html%00"):
            assert server.ask("GET", path)[0] == 404, path


def test_errors_are_problems(start):
    with start("--max-body", "1M") as server:
        c = server.collection()
        for method, path, body, headers, status, kind in [
            ("GET", "/nowhere", None, {}, 404, "no-route"),
            ("GET", "/v1/collections/none", None, {}, 404, "no-collection"),
            ("PATCH", c, None, {}, 405, "method"),
            ("POST", "/v1/collections", {"name": "c"}, {}, 409, "exists"),
            ("POST", "/v1/collections", {"name": "../x"}, {}, 422, "field"),
            ("POST", c + "/check", "{", {}, 422, "json"),
            ("POST", c + "/check", "[" * 100 + "]" * 100, {}, 422, "json"),
            ("POST", c + "/check", {"text": "x", "fingerprint": "0" * 16}, {}, 422, "field"),
            ("POST", "/v1/compare", {"a": "x", "b": "y", "other": 1}, {}, 422, "field"),
            ("POST", c + "/check?k=900", {"text": "x"}, {}, 400, "parameter"),
            ("POST", c + "/check", b"{}", {"Content_Type": "text/plain"}, 415, "type"),
            ("POST", c + "/check", b"{}", {"Content_Encoding": "br"}, 415, "encoding"),
            ("POST", c + "/check", b"{}", {"Content_Encoding": "gzip"}, 422, "encoding"),
            ("POST", c + "/backup", {"name": "x"}, {}, 501, "unsupported"),
            ("GET", c + "/clusters", None, {}, 409, "no-clusters"),
            ("GET", "/v1/version", None, {"Host": "evil.example"}, 421, "host"),
            ("GET", "/v1/version", None, {"Origin": "https://evil.example"}, 403, "origin"),
        ]:
            got, answer, read = server.ask(method, path, body, **headers)
            problem = json.loads(read)
            assert got == status and problem["type"] == "/problems/" + kind, (path, got, read)
            assert answer["Content-Type"] == "application/problem+json" and problem["instance"] == answer["X-Request-Id"]
        assert "GET" in server.ask("PATCH", c)[1]["Allow"]
        assert status_of(server.raw(head("POST", c + "/check", JSON_TYPE, "Connection: close"))) == 411


def test_packed_both_ways(start):
    with start() as server:
        c = server.collection(texts=True)
        lines = "".join(json.dumps({"id": str(i), "text": text(i)}) + "\n" for i in range(500)).encode()
        packed = gzip.compress(lines[:30_000]) + gzip.compress(lines[30_000:])
        status, _, read = server.ask("POST", c + "/documents", packed, NDJSON, Content_Encoding="gzip")
        assert status == 200 and read.count(b"added") == 501, (status, read[-300:])
        status, headers, read = server.ask("GET", c + "/documents", Accept_Encoding="gzip")
        assert headers["Content-Encoding"] == "gzip" and len(gzip.decompress(read).splitlines()) == 501
        half = gzip.decompress(read).splitlines()
        place = next(json.loads(line)["place"] for line in half if b'"place"' in line)
        after = server.ask("GET", f"{c}/documents?after={place}")[2].splitlines()
        assert len(after) == 501 - 100, len(after)
        status, headers, read = server.ask("GET", "/openapi.json", Accept_Encoding="zstd;q=0, gzip")
        assert headers["Content-Encoding"] == "gzip" and json.loads(gzip.decompress(read))


# What clients do wrong


def test_slow_header_and_dripping_body(start):
    with start("--request-time", "2") as server:
        c = server.collection()
        for begin, part in [
            (b"GET /livez HTTP/1.1\r\n", b"X: y\r\n"),
            (head("POST", c + "/check", JSON_TYPE, "Content-Length: 100"), b" "),
            (head("POST", c + "/documents", LINES_TYPE, "Content-Length: 100"), b" "),
        ]:
            begun = time.monotonic()
            with server.connect() as one:
                one.settimeout(0.25)
                one.sendall(begin)
                while True:
                    try:
                        if time.monotonic() - begun > 1:  # a header may take a second, a body two
                            one.sendall(part)
                        if not one.recv(1000):
                            break
                    except socket.timeout:
                        pass
                    except OSError:
                        break
                    assert time.monotonic() - begun < 15, part
        server.alive()


def test_reset_and_half_close(start):
    with start() as server:
        c = server.collection()
        for _ in range(20):
            one = server.connect()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.sendall(head("POST", c + "/documents", LINES_TYPE, "Transfer-Encoding: chunked") + b'10\r\n{"id":"x","text"')
            one.close()
        body = b'{"id":"h","text":"half closed"}'
        answer = server.raw(head("POST", c + "/documents", JSON_TYPE, f"Content-Length: {len(body)}") + body, shut=True)
        assert status_of(answer) == 200 and b'"added"' in answer, answer
        # In the middle of a body it is no half close but a cut: what was whole is in.
        cut = b'{"id":"w","text":"whole"}\n{"id":'
        answer = server.raw(head("POST", c + "/documents", LINES_TYPE, "Content-Length: 999") + cut, shut=True)
        assert b'"end"' not in answer, answer
        assert server.json("GET", c)["documents"] == 2
        server.alive()


def test_413_arrives(start):
    with start("--max-body", "1M") as server:
        c = server.collection()
        size = 30 << 20
        for lines, body in [((f"Content-Length: {size}",), b"x" * size),
                            (("Transfer-Encoding: chunked",), (b"10000\r\n" + b"x" * 65536 + b"\r\n") * 200)]:
            with server.connect() as one:
                one.sendall(head("POST", c + "/check", JSON_TYPE, *lines))
                sender = threading.Thread(target=lambda: send_quietly(one, body))
                sender.start()
                sender.join()  # a client that reads nothing before it has sent all
                answer = read_all(one)
            assert status_of(answer) == 413 and b'"limit":1048576' in answer, answer[:300]
        assert status_of(server.raw(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n" + b"A: " + b"x" * 20_000 + b"\r\n\r\n")) == 431


def send_quietly(one, data):
    try:
        one.sendall(data)
    except OSError:
        pass


def test_smuggling(start):
    with start() as server:
        c = server.collection()
        inner = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for lines in [("Content-Length: 2", "Content-Length: 40"), ("Content-Length: 2", "Content-Length: 2"),
                      ("Content-Length: 2", "Transfer-Encoding: chunked"), ("Transfer-Encoding: chunked", "Content-Length: 2"),
                      ("Transfer-Encoding: gzip, chunked",), ("Transfer-Encoding: xchunked",), ("Content-Length: -1",),
                      ("Content-Length: 2x",), ("Content-Length : 2",), ("Host: other",)]:
            answer = server.raw(head("POST", c + "/check", JSON_TYPE, *lines) + b"{}" + inner)
            assert status_of(answer) == 400 and answer.count(b"HTTP/1.1") == 1, (lines, answer)
        assert status_of(server.raw(b"GET /livez HTTP/1.1\r\n\r\n")) == 400
        assert status_of(server.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20)) == 400
        # A body longer than it says is the next request, and none.
        answer = server.raw(head("POST", c + "/check", JSON_TYPE, "Content-Length: 12") + b'{"text":"x"}more', shut=True)
        assert answer.count(b"HTTP/1.1 200") == 1, answer
        # Two requests at once have two answers, in order.
        answer = server.raw(head("GET", "/livez") + head("GET", "/v1/version", "Connection: close"))
        assert answer.count(b"HTTP/1.1 200") == 2 and answer.index(b"ok") < answer.index(b'"version"'), answer


def test_bombs(start):
    with start("--max-body", "8M") as server:
        c = server.collection()
        bomb = gzip.compress(b" " * (200 << 20))
        status, _, read = server.ask("POST", c + "/check", bomb, Content_Encoding="gzip")
        assert status == 413 and json.loads(read)["type"] == "/problems/limit", (status, read)
        status, _, read = server.ask("POST", c + "/documents", bomb, NDJSON, Content_Encoding="gzip")
        assert status == 413 and json.loads(read)["what"] == "expansion", (status, read)
        line = b'{"id":"l","text":"' + b"x" * (17 << 20) + b'"}\n{"id":"k","text":"kept"}\n'
        out = [json.loads(one) for one in server.ask("POST", c + "/documents", line, NDJSON)[2].splitlines()]
        assert out[0]["error"]["limit"] == 16 << 20 and out[1]["id"] == "k" and out[2]["bad"] == 1, out


def test_send_all_before_reading(start):
    with start() as server:
        c = server.collection()
        lines = b"".join(b'{"id":"%d","fingerprint":"%016x"}\n' % (i, i * 0x9E3779B97F4A7C15 % 2**64) for i in range(100_000))
        with server.connect() as one:
            length = f"Content-Length: {len(lines)}"
            one.sendall(head("POST", c + "/documents?acknowledge=buffered", LINES_TYPE, length, "Connection: close"))
            one.sendall(lines)
            answer = read_all(one)
        assert answer.count(b'"added"') == 100_001, answer[-300:]
        assert server.json("GET", c)["documents"] == 100_000


def test_many_connections(start):
    with start("--max-connections", "300") as server:
        idle = [server.connect() for _ in range(299)]
        server.alive()
        more = [server.connect() for _ in range(5)]
        assert any(one.recv(100).startswith(b"HTTP/1.1 503") for one in more[1:])
        for one in idle + more:
            one.close()
        until(lambda: server.ask("GET", "/livez")[0] == 200, "connections that were closed are not forgotten")


# Who may


def new_key(program, name, *flags):
    words = subprocess.run([program, "serve", "--new-key", name, *flags], check=True, capture_output=True, text=True).stdout.split()
    return words[1], " ".join(words[3:])


def test_keys(start):
    program = start.program
    reader, line1 = new_key(program, "reader", "--collections", "c")
    writer, line2 = new_key(program, "writer", "--scopes", "write", "--collections", "c")
    admin, line3 = new_key(program, "admin", "--scopes", "admin")
    old, line4 = new_key(program, "old", "--scopes", "admin", "--expires", "2020-01-01")
    keys = start.directory / "keys"
    keys.write_text("\n".join(["# keys", line1, line2, line3, line4]) + "\n")
    assert reader not in keys.read_text()
    with start("--keys", str(keys)) as server:
        def ask(key, method, path, body=None):
            return server.ask(method, path, body, Authorization="Bearer " + key)[0]
        for name in ("c", "other"):
            assert ask(admin, "POST", "/v1/collections", {"name": name}) == 201
        assert server.ask("GET", "/v1/collections")[0] == 401
        assert server.ask("GET", "/livez")[0] == 200
        assert ask("lt_" + "0" * 64, "GET", "/v1/collections/c") == 401
        assert ask(old, "GET", "/v1/collections/c") == 401
        assert ask(reader, "GET", "/v1/collections/c") == 200
        assert ask(reader, "GET", "/v1/collections/other") == 404
        assert ask(reader, "POST", "/v1/collections/c/documents", {"id": "x", "text": "y"}) == 403
        assert ask(writer, "POST", "/v1/collections/c/documents", {"id": "x", "text": "y"}) == 200
        assert ask(writer, "GET", "/v1/collections/c") == 403
        assert ask(writer, "DELETE", "/v1/collections/c") == 403
        listed = json.loads(server.ask("GET", "/v1/collections", Authorization="Bearer " + reader)[2])
        assert [one["name"] for one in listed["collections"]] == ["c"]
        keys.write_text(line1 + "\n")
        server.process.send_signal(signal.SIGHUP)
        until(lambda: ask(admin, "GET", "/v1/collections/c") == 401, "the keys are not read again")
        assert ask(reader, "GET", "/v1/collections/c") == 200
        log = (server.directory / "log.txt").read_text()
        assert '"key":"writer"' in log and writer not in log


def test_addresses_are_safe(start):
    command = [start.program, "serve", str(start.directory / "data"), "--listen", "0.0.0.0:0"]
    out = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert out.returncode == 2 and "--insecure" in out.stderr, out


def test_tls(start):
    certificate, key = str(start.directory / "cert.pem"), str(start.directory / "key.pem")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key]
    command += ["-out", certificate, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]
    made = subprocess.run(command, capture_output=True)
    assert made.returncode == 0, made
    with start("--tls-cert", certificate, "--tls-key", key) as server:
        c = server.collection(texts=True)
        out = server.lines(c + "/documents", [{"id": str(i), "text": text(i)} for i in range(1000)])
        assert out[-1]["added"] == 1000
        with socket.create_connection(("127.0.0.1", server.port)) as plain:
            plain.sendall(head("GET", "/livez"))
            assert not read_all(plain).startswith(b"HTTP/1.1 200")
        assert server.ask("GET", "/livez")[0] == 200


# Numbers and logs


def test_metrics_and_log(start):
    with start() as server:
        c = server.collection(texts=True)
        secret = "nobody may read this in a log"
        server.json("POST", c + "/documents", {"id": "secret-id", "text": secret})
        parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        status, headers, _ = server.ask("GET", c + "/documents/secret-id", traceparent=parent)
        assert headers["traceparent"] == parent
        metrics = server.ask("GET", "/metrics")[2].decode()
        values = dict(line.rsplit(" ", 1) for line in metrics.splitlines() if not line.startswith("#"))
        assert values['leitong_documents_added_total{collection="c"}'] == "1", metrics
        assert values['leitong_documents{collection="c"}'] == "1"
        assert values['leitong_http_requests_total{method="POST",route="/v1/collections/{collection}/documents",code="200"}'] == "1"
        assert float(values["process_resident_memory_bytes"]) > 1e6
        log = (server.directory / "log.txt").read_text()
        assert secret not in log and "secret-id" not in log and parent in log
        assert all(json.loads(line)["code"] for line in log.splitlines())


def test_dashboard(start):
    """Every query of the dashboard asks for what /metrics has, by labels that it has, and all that /metrics has of its own is asked for."""
    dashboard = json.loads((ROOT / "cmake/leitong-dashboard.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += [one["query"] for one in dashboard["templating"]["list"] if one["type"] == "query"]
    with start("--max-connections", "3") as server:
        c = server.collection(texts=True)
        server.lines(c + "/documents?unique=true", [{"id": str(i), "text": text(i % 3)} for i in range(5)])
        server.json("POST", c + "/query", {"text": text(1)})
        server.ask("POST", c + "/query", b"{}", Content_Length=str(1 << 40))  # refused for a limit
        said, kinds = {}, {}
        for line in server.ask("GET", "/metrics")[2].decode().splitlines():
            if line.startswith("# TYPE"):
                kinds[line.split()[2]] = line.split()[3]
            elif not line.startswith("#"):
                name, _, labels = line.rsplit(" ", 1)[0].partition("{")
                said.setdefault(name, set()).update(re.findall(r'(\w+)="', labels))
        asked = set()
        for query in queries:
            names = re.findall(r"\b(?:leitong|process)_\w+", query)
            assert names, query
            for name in names:
                assert name in said or name in kinds, f"{name} is not in /metrics: {query}"  # nothing may have been counted yet
                asked.add(name)
            for by in re.findall(r"\bby \(([^)]*)\)", query):
                labels = set(by.replace(" ", "").split(","))
                assert any(name not in said or labels <= said[name] for name in names), query
        unasked = {name for name in kinds if name.startswith("leitong") and not any(one.startswith(name) for one in asked)}
        assert not unasked, unasked


def test_events(start):
    with start() as server:
        c = server.collection(texts=True)
        with server.connect() as one:
            one.sendall(head("GET", c + "/changes", "Accept: text/event-stream"))
            one.settimeout(60)
            for i in range(2):
                server.json("POST", c + "/documents", {"id": f"a{i}", "text": text(1) + " x" * i})
            wait_for(server, server.json("POST", c + "/clusters", want=202))
            read = b""
            while b'"end"' not in read:
                piece = one.recv(65536)
                assert piece, read
                read += piece
            assert b"event: change\ndata: {" in read and b'"added":["a0","a1"]' in read and b"\nid: 1-" in read, read
            server.process.send_signal(signal.SIGTERM)
            read_all(one)  # it ends
        assert server.process.wait(30) == 0


# Kills and the end


def load(server, c, number, acknowledged, stop, durable=True):
    """Adds batches of lines until it fails or is told to stop; notes each line that was acknowledged."""
    made = 0
    while not stop.is_set():
        ids = [f"t{number}-{made + i}" for i in range(random.randrange(1, 40))]
        made += len(ids)
        body = "".join(json.dumps({"id": one, "text": text(hash(one))}) + "\n" for one in ids).encode()
        try:
            with server.connect() as one:
                length = f"Content-Length: {len(body)}"
                one.sendall(head("POST", c + "/documents", LINES_TYPE, length, "Connection: close") + body)
                answer = read_all(one)
        except OSError:
            if stop.wait(0.01):
                return
            continue
        for line in answer.splitlines():
            if line.startswith(b'{"id"') and line.endswith(b'"added"}'):
                acknowledged.append(json.loads(line)["id"])


def stored_ids(server, c):
    lines = [json.loads(line) for line in server.ask("GET", c + "/documents")[2].splitlines()]
    assert lines[-1]["end"], lines[-1]
    return [line["id"] for line in lines[:-1]]


def under_load(server, c, act, seconds):
    acknowledged, stop = [], threading.Event()
    threads = [threading.Thread(target=load, args=(server, c, f"{number}-{time.time_ns()}", acknowledged, stop)) for number in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    act()
    stop.set()
    for thread in threads:
        thread.join()
    return acknowledged


def test_kill_under_load(start):
    with start("--quiet") as server:
        c = server.collection()
        known = set()
        for _ in range(start.kills):
            def kill():
                server.process.kill()
                server.process.wait()
            known.update(under_load(server, c, kill, random.uniform(0.05, 0.6)))
            server.start()
            ids = stored_ids(server, c)
            assert len(ids) == len(set(ids)), "a document is there twice"
            assert known <= set(ids), f"{len(known - set(ids))} acknowledged documents are gone"
        assert known


def test_end_under_load(start):
    with start("--drain", "1", "--quiet") as server:
        c = server.collection()
        seen = []

        def end():
            server.process.send_signal(signal.SIGTERM)
            until(lambda: seen.append(server.ask("GET", "/readyz")[0]) or seen[-1] == 503, "/readyz does not say that the end begins")
            assert server.ask("GET", c)[0] == 200  # what comes during the drain is answered
            assert server.process.wait(60) == 0
        known = under_load(server, c, end, 1)
        server.start()
        ids = stored_ids(server, c)
        assert known and set(known) <= set(ids) and len(ids) == len(set(ids))
        begun = time.monotonic()
        server.process.send_signal(signal.SIGINT)  # at a terminal there is no drain
        assert server.process.wait(30) == 0 and time.monotonic() - begun < 20


def test_second_signal(start):
    with start("--drain", "60") as server:
        server.process.send_signal(signal.SIGTERM)
        until(lambda: server.ask("GET", "/readyz")[0] == 503, "the end does not begin")
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) == -signal.SIGTERM


def test_full_disk(start):
    data = start.directory / "data"
    data.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "none", str(data)], capture_output=True).returncode != 0:
        print("skipped test_full_disk: no right to mount a file system")
        return
    try:
        with start() as server:
            c = server.collection(texts=True)
            server.json("POST", c + "/documents", {"id": "first", "text": text(1)})
            filler = data / "filler"
            with open(filler, "wb") as file:
                try:
                    while True:
                        file.write(b"x" * 65536)
                        file.flush()
                except OSError:
                    pass
            words = random.Random(5).randbytes(300_000).hex()
            status, _, read = server.ask("POST", c + "/documents", {"id": "second", "text": words})
            assert status == 507 and json.loads(read)["type"] == "/problems/full", (status, read)
            assert server.ask("GET", "/readyz")[0] == 503
            assert server.json("POST", c + "/check", {"text": text(1)})["of"] == "first"  # questions are answered all the same
            filler.unlink()
            until(lambda: server.ask("POST", c + "/documents", {"id": "third", "text": text(3)})[0] == 200, "it does not recover")
            assert server.ask("GET", "/readyz")[0] == 200
            ids = stored_ids(server, c)
            assert "first" in ids and "third" in ids, ids
    finally:
        subprocess.run(["umount", "-l", str(data)], check=True)


def test_backup(start):
    with start("--backup-dir", str(start.directory / "backups")) as server:
        (start.directory / "backups").mkdir()
        c = server.collection(texts=True)
        server.lines(c + "/documents", [{"id": str(i), "text": text(i)} for i in range(100)])
        assert server.ask("POST", c + "/backup", {"name": "../x"})[0] == 422
        assert wait_for(server, server.json("POST", c + "/backup", {"name": "monday"}, 202))["state"] == "done"
        assert server.ask("POST", c + "/backup", {"name": "monday"})[0] == 409
        assert (start.directory / "backups" / "monday" / "MANIFEST").exists()


class Start:
    def __init__(self, program, directory, kills):
        self.program, self.directory, self.kills = program, pathlib.Path(directory), kills

    def __call__(self, *flags):
        return Server(self.program, self.directory, *flags)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--kills", type=int, default=int(os.environ.get("LEITONG_SERVER_KILLS", 200 if os.environ.get("LEITONG_FULL") else 3)))
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    chosen = lambda name: name.startswith("test_") and (not arguments.names or name in arguments.names)
    tests = [(name, test) for name, test in globals().items() if chosen(name)]
    assert tests, "there is no such test"
    failed = 0
    for name, test in tests:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="leitong-server-") as directory:
            try:
                test(Start(arguments.program, directory, arguments.kills))
                print(f"passed {name} {time.monotonic() - begun:.1f} s", flush=True)
            except Exception as error:  # the others are run all the same
                import traceback
                traceback.print_exc()
                failed += 1
                print(f"FAILED {name}: {error}", flush=True)
                errors = pathlib.Path(directory) / "errors.txt"
                if errors.exists():
                    print(errors.read_text()[-2000:], flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
