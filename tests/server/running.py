"""A server that runs, for tests."""

import http.client
import json
import pathlib
import random
import socket
import ssl
import subprocess
import time

NDJSON = "application/x-ndjson"


class Server:
    """One that runs, and is ended with the block."""

    def __init__(self, program, directory, *flags):
        self.program, self.directory, self.flags = program, pathlib.Path(directory), list(flags)
        self.start()

    def start(self):
        self.run([self.program, "serve", str(self.directory / "data"), "--listen", "127.0.0.1:0", "--threads", "2", *self.flags])

    def run(self, command):
        self.errors = open(self.directory / "errors.txt", "ab")
        self.log = open(self.directory / "log.txt", "ab")
        begun = self.errors.tell()
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.errors)
        self.port = None
        until(lambda: self.find_port(begun), "it does not listen")
        until(lambda: self.ask("GET", "/readyz")[0] == 200, "it does not become ready")

    def find_port(self, begun):
        if self.process.poll() is not None:
            raise AssertionError("it ended: " + (self.directory / "errors.txt").read_text())
        for line in (self.directory / "errors.txt").read_bytes()[begun:].decode().splitlines():
            if "listening on" in line:
                self.port = int(line.rsplit(":", 1)[1])
        return self.port

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        if "--tls-cert" not in self.flags:
            return plain
        context = ssl.create_default_context(cafile=self.flags[self.flags.index("--tls-cert") + 1])
        return context.wrap_socket(plain, server_hostname="localhost")

    def ask(self, method, path, body=None, kind="application/json", **headers):
        """Status, headers, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.sock = self.connect()
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            body = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
            headers.setdefault("Content-Type", kind)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        read = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), read

    def json(self, method, path, body=None, want=200, **headers):
        status, _, read = self.ask(method, path, body, **headers)
        assert status == want, (method, path, status, read)
        return json.loads(read) if read else None

    def lines(self, path, lines, want=200, **headers):
        status, _, read = self.ask("POST", path, "".join(json.dumps(line) + "\n" for line in lines), NDJSON, **headers)
        assert status == want, (status, read)
        return [json.loads(line) for line in read.splitlines()]

    def collection(self, name="c", **options):
        self.json("POST", "/v1/collections", {"name": name, **options}, 201)
        return f"/v1/collections/{name}"

    def raw(self, data, shut=False):
        """All that comes back until the server closes."""
        with self.connect() as one:
            one.sendall(data)
            if shut:
                one.shutdown(socket.SHUT_WR)
            return read_all(one)

    def alive(self):
        assert self.ask("GET", "/livez")[0] == 200


def until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if condition():
                return
        except OSError:
            pass
        time.sleep(0.02)
    raise AssertionError(what)


def read_all(one):
    data = b""
    try:
        while piece := one.recv(65536):
            data += piece
    except ConnectionResetError:
        data += b"RESET"
    return data


def status_of(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else 0


def head(method, path, *lines):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode()


def text(number, words=60):
    chosen = random.Random(number)
    return " ".join(f"w{chosen.randrange(50_000)}" for _ in range(words))


def wait_for(server, job, **headers):
    until(lambda: server.json("GET", "/v1/jobs/" + job["id"], **headers)["state"] not in ("queued", "running"), "the job does not end")
    return server.json("GET", "/v1/jobs/" + job["id"], **headers)
