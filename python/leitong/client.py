"""A client of `leitong serve`, on the standard library alone."""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, overload
from urllib.parse import quote, urlencode, urlsplit

from ._errors import Error, FormatError, LimitError, StoreIOError, UnsupportedError, UsageError
from .collection import Entry, Match, Outcome, StoredCluster

_BATCH = 1 << 20  # bytes of one request: all of it is sent before the answer is read
_LINES = "application/x-ndjson"
_KINDS: dict[int, type[Error]] = {
    413: LimitError,
    422: FormatError,
    429: StoreIOError,
    431: LimitError,
    500: StoreIOError,
    501: UnsupportedError,
    503: StoreIOError,
    507: StoreIOError,
}


def _match(found: Mapping[str, Any]) -> Match:
    return Match(found["id"], found["distance"], found["similarity"], not found.get("unverified", False), None)


def _outcome(answer: Mapping[str, Any], own: str | None) -> Outcome:
    result = answer["result"]
    if result in ("new", "added"):
        return Outcome(result, answer.get("replaced", False), None)
    of = answer.get("of") or own or ""
    verified = answer.get("verified", not answer.get("unverified", False))
    return Outcome(result, False, Match(of, answer.get("distance"), answer.get("similarity"), verified, None))


def _entry(found: Mapping[str, Any]) -> Entry:
    return Entry(found["id"], found["sequence"], found["fingerprint"], found["text"], found["metadata"])


def _path(collection: str, *parts: str) -> str:
    return "/v1/collections/" + "/".join(quote(part, safe="") for part in (collection, *parts))


def _query(**values: Any) -> str:
    shown = {name: str(value).lower() if isinstance(value, bool) else value for name, value in values.items() if value is not None}
    return "?" + urlencode(shown) if shown else ""


def _batches(records: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    lines: list[bytes] = []
    size = 0
    for record in records:
        line = json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
        if lines and size + len(line) > _BATCH:
            yield b"".join(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line)
    if lines:
        yield b"".join(lines)


class Client:
    """A connection to a server (`leitong serve`). One thread at a time may use it.

    What the server refuses is raised: `UsageError` for a collection that is not there or a key that may not, `FormatError` for what it was
    sent, `LimitError`, `UnsupportedError`, and `StoreIOError` for its disk, its queue and the network. Where it says when to come again it
    is asked again, for as long as `timeout`. To send documents again is safe: a document is its id.

    Parameters
    ----------
    url : str
        Such as "http://127.0.0.1:7700" or "https://dedup.example".
    key : str, optional
        As `leitong serve --new-key` prints it.
    timeout : float
        Seconds that the server may be silent.
    context : ssl.SSLContext, optional
        For https: what is trusted; None: what the system trusts.

    Examples
    --------
    With `leitong serve data` running:

    >>> import leitong
    >>> with leitong.Client("http://127.0.0.1:7700") as client:  # doctest: +SKIP
    ...     client.create("news", texts=True)
    ...     client.add("news", [{"id": "a", "text": "The ferry leaves the island at nine."}])
    ...     client.check("news", "The ferry leaves the island at nine!").match.id
    1
    'a'
    """

    def __init__(
        self, url: str, *, key: str | None = None, timeout: float = 60.0, context: ssl.SSLContext | None = None
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/"):
            raise UsageError(f"the address of a server is http://NAME:PORT or https://NAME:PORT, not {url!r}")
        self._url, self._timeout = f"{parts.scheme}://{parts.netloc}", timeout
        self._connection: http.client.HTTPConnection
        if parts.scheme == "https":
            trusted = context or ssl.create_default_context()
            self._connection = http.client.HTTPSConnection(parts.hostname, parts.port or 443, timeout=timeout, context=trusted)
        else:
            self._connection = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=timeout)
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Client {self._url!r}>"

    def close(self) -> None:
        """Close the connection; the next call opens another one."""
        self._connection.close()

    def collections(self) -> list[str]:
        """The names of the collections."""
        return [one["name"] for one in self._json("GET", "/v1/collections")["collections"]]

    def create(
        self,
        collection: str,
        *,
        profile: str = "leitong-1",
        k: int = 3,
        ids: Literal["text", "number"] = "text",
        texts: bool = False,
        metadata: bool = False,
        fingerprints_only: bool = False,
    ) -> None:
        """Make a collection; the arguments are those of `Collection.create`."""
        options = {"profile": profile, "k": k, "ids": ids, "texts": texts, "metadata": metadata}
        self._json("POST", "/v1/collections", {"name": collection, **options, "fingerprints_only": fingerprints_only})

    def about(self, collection: str) -> dict[str, Any]:
        """What it was made with, how many documents it has, how large it is."""
        return dict(self._json("GET", _path(collection)))

    def drop(self, collection: str) -> None:
        """Remove a collection and its files."""
        self._json("DELETE", _path(collection))

    def add(self, collection: str, records: Iterable[Mapping[str, Any]], *, durable: bool = True) -> int:
        """Add or replace documents.

        Parameters
        ----------
        collection : str
        records : iterable of dict
            With `id`, `text` or `fingerprint`, and perhaps `metadata`; other members are left out. Sent as they come, a mebibyte at a time.
        durable : bool
            Wait until they survive a crash of the machine.

        Returns
        -------
        int
            How many there were. Bad ones are raised as FormatError after all others were added.
        """
        query = _query(acknowledge="durable" if durable else "buffered")
        return sum(1 for _ in self._added(collection, records, query))

    def add_unique(
        self,
        collection: str,
        records: Iterable[Mapping[str, Any]],
        *,
        durable: bool = True,
        k: int | None = None,
        verify: bool = True,
    ) -> list[Outcome]:
        """Add, in order, each document that matches nothing stored, those before it included.

        Parameters
        ----------
        collection, records, durable
            As of `add`.
        k : int, optional
            All within so many bits count as alike, and nothing else.
        verify : bool
            Leave out what the texts, where they are kept, refute.

        Returns
        -------
        list of Outcome
            One a record, in their order.
        """
        query = _query(unique=True, acknowledge="durable" if durable else "buffered", k=k, verify=verify)
        return [_outcome(answer, answer["id"]) for answer in self._added(collection, records, query)]

    def check(
        self,
        collection: str,
        text: str | None = None,
        *,
        fingerprint: str | None = None,
        id: str | None = None,
        k: int | None = None,
        verify: bool = True,
    ) -> Outcome:
        """What `add_unique` would say of a text, or of a fingerprint, now; nothing is stored.

        Parameters
        ----------
        collection : str
        text, fingerprint : str
            One of the two.
        id : str, optional
            Then what is alike may be "present" under this id itself.
        k, verify
            As of `add_unique`.
        """
        asked = {"id": id, "text": text, "fingerprint": fingerprint}
        body = {name: value for name, value in asked.items() if value is not None}
        return _outcome(self._json("POST", _path(collection, "check") + _query(k=k, verify=verify), body), id)

    @overload
    def query(self, collection: str, text: str, *, most: int | None = ..., k: int | None = ..., verify: bool = ...) -> list[Match]: ...

    @overload
    def query(
        self, collection: str, text: list[str], *, most: int | None = ..., k: int | None = ..., verify: bool = ...
    ) -> list[list[Match]]: ...

    def query(
        self, collection: str, text: str | list[str], *, most: int | None = None, k: int | None = None, verify: bool = True
    ) -> list[Match] | list[list[Match]]:
        """Near documents of a text, or of each of many, the most similar first."""
        path = _path(collection, "query") + _query(most=most, k=k, verify=verify)
        if isinstance(text, str):
            return [_match(one) for one in self._json("POST", path, {"text": text})["matches"]]
        answers: list[list[Match]] = []
        for batch in _batches({"text": one} for one in text):
            matches: list[Match] = []
            for line in self._lines("POST", path, batch):
                if "error" in line:
                    raise FormatError(f"text {len(answers) + 1}: {line['error']['detail']}")
                if "id" in line:
                    matches.append(_match(line))
                elif "query" in line:
                    answers.append(matches)
                    matches = []
        return answers

    def near(self, collection: str, id: str, *, most: int | None = None, k: int | None = None) -> list[Match]:
        """What is near a document of the collection, itself left out."""
        found = self._json("GET", _path(collection, "documents", id, "near") + _query(most=most, k=k))
        return [_match(one) for one in found["matches"]]

    def get(self, collection: str, id: str) -> Entry | None:
        """A document; None: it is not there."""
        status, body = self._ask("GET", _path(collection, "documents", id), None, None)
        problem = json.loads(body) if status == 404 else {}
        if problem.get("type") == "/problems/no-document":
            return None
        return _entry(self._good(status, body))

    def delete(self, collection: str, ids: str | Iterable[str], *, durable: bool = True) -> int:
        """Take documents out, and give how many of them were there."""
        wanted = [ids] if isinstance(ids, str) else list(ids)
        if not wanted:
            return 0
        path = _path(collection, "documents:delete").replace("%3A", ":") + _query(acknowledge="durable" if durable else "buffered")
        return int(self._json("POST", path, {"ids": wanted})["deleted"])

    def entries(self, collection: str) -> Iterator[Entry]:
        """Every document, in the order in which they were added. Until the last one was taken the client does nothing else."""
        for line in self._lines("GET", _path(collection, "documents"), None):
            if "end" not in line:
                yield _entry(line)

    def clusters(self, collection: str, *, last: bool = False) -> list[StoredCluster]:
        """The near-duplicates among the documents; `last`: as they were computed last, instead of anew."""
        if not last:
            self._finish(self._json("POST", _path(collection, "clusters")))
        out: list[StoredCluster] = []
        page, pages = 0, 1
        while page < pages:
            found = self._json("GET", _path(collection, "clusters") + _query(page=page, size=1000))
            out += [StoredCluster(int(one["cluster"]), tuple(one["documents"]), one["keep"]) for one in found["clusters"]]
            page, pages = page + 1, found["pages"]
        return out

    def _finish(self, job: Mapping[str, Any]) -> None:
        pause = 0.02
        while job["state"] in ("queued", "running"):
            time.sleep(pause)
            pause = min(pause * 1.5, 1.0)
            job = self._json("GET", "/v1/jobs/" + quote(job["id"], safe=""))
        if job["state"] != "done":
            raise StoreIOError(f"the job ended as {job['state']}: {(job.get('error') or {}).get('detail', '')}")

    def _added(self, collection: str, records: Iterable[Mapping[str, Any]], query: str) -> Iterator[dict[str, Any]]:
        bad: list[tuple[int, str]] = []
        before = 0
        for batch in _batches(records):
            for line in self._lines("POST", _path(collection, "documents") + query, batch):
                if "error" in line:
                    bad.append((before + line["line"], line["error"]["detail"]))
                elif "end" not in line:
                    yield line
            before += batch.count(b"\n")
        if bad:
            more = f", and {len(bad) - 1} more are bad" if len(bad) > 1 else ""
            raise FormatError(f"record {bad[0][0]}: {bad[0][1]}{more}; all others were dealt with")

    def _json(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        sent = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "surrogatepass")
        return self._good(*self._ask(method, path, sent, "application/json"))

    def _good(self, status: int, body: bytes) -> Any:
        if status < 400:
            return json.loads(body) if body else None
        try:
            said = json.loads(body)["detail"]
        except (ValueError, KeyError, TypeError):
            said = body[:200].decode("utf-8", "replace")
        raise _KINDS.get(status, UsageError)(f"{self._url}: {said}")

    def _ask(self, method: str, path: str, body: bytes | None, kind: str | None) -> tuple[int, bytes]:
        answer = self._begin(method, path, body, kind)
        try:
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise self._broken(error) from error

    def _lines(self, method: str, path: str, body: bytes | None) -> Iterator[dict[str, Any]]:
        """The lines of an answer, the one that ends it the last."""
        answer = self._begin(method, path, body, _LINES)
        if answer.status >= 400:
            self._good(answer.status, answer.read())
        whole = False
        try:
            for read in answer:
                line = json.loads(read)
                if "error" in line and "line" not in line:
                    self._good(line["error"]["status"], json.dumps(line["error"]).encode())
                whole = whole or "end" in line
                yield line
        except (OSError, ValueError, http.client.HTTPException) as error:
            if isinstance(error, Error):
                raise
            raise self._broken(error) from error
        finally:
            if not whole:
                self._connection.close()
        if not whole:
            raise StoreIOError(f"{self._url}: the answer was cut")

    def _begin(self, method: str, path: str, body: bytes | None, kind: str | None) -> http.client.HTTPResponse:
        headers = dict(self._headers)
        if body is not None and kind is not None:
            headers["Content-Type"] = kind
        end = time.monotonic() + self._timeout
        while True:
            answer = self._send(method, path, body, headers)
            again = answer.getheader("Retry-After")
            if answer.status not in (429, 503) or again is None or not again.isdecimal() or time.monotonic() + int(again) > end:
                return answer
            answer.read()
            time.sleep(int(again))

    def _send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        is_old = self._connection.sock is not None
        try:
            self._connection.request(method, path, body, dict(headers))
            return self._connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            # A server closes connections that were idle; whatever is asked here may be asked twice.
            if is_old and not isinstance(error, TimeoutError):
                return self._send(method, path, body, headers)
            raise self._broken(error) from error

    def _broken(self, error: Exception) -> StoreIOError:
        self._connection.close()
        return StoreIOError(f"{self._url}: {error}")
