"""datatrove: a filter that asks a collection, and a deduplication in four steps that run on as many ranks as a job has.

    LeitongSketch   every rank    documents -> a sketch file, and their texts, compressed
    LeitongJoin     one rank      sketch files -> pairs of near-duplicates
    LeitongCluster  one rank      pairs -> groups, and for each rank which documents stay
    LeitongApply    every rank    the same documents again -> those that stay

The steps share a folder on a file system that all ranks see. The result is that of `leitong dedup` over all documents, in the order of
the ranks.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from .. import _core
from .._errors import Error, StoreIOError, UsageError
from .._optional import need
from .._records import path_text
from ..__main__ import PROGRAM
from ..collection import Collection

need("datatrove", "leitong.adapters.datatrove")

from datatrove.pipeline.base import PipelineStep  # type: ignore[import-untyped, unused-ignore]  # noqa: E402
from datatrove.pipeline.filters.base_filter import BaseFilter  # type: ignore[import-untyped, unused-ignore]  # noqa: E402

_REASONS = ("bad record", "near-duplicate", None)  # by fate: rejected, removed, kept


def _only_rank(step: PipelineStep, world_size: int) -> None:
    if world_size != 1:
        raise UsageError(f"{type(step).__name__} runs on one rank (tasks=1), not on {world_size}")


class LeitongFilter(BaseFilter):  # type: ignore[misc, unused-ignore]
    """Drops each document that resembles one of a collection, or an earlier one of this job, and adds the others to the collection.

    It runs on one rank: what stays depends on what came before. For many ranks there are the four steps. Ids must be unique. What
    the collection has already is kept, so that a job that was killed and runs again keeps what it kept the first time.

    Parameters
    ----------
    index : path
        Of a collection; it is made, with texts, if it is not there.
    exclusion_writer : DiskWriter, optional
        Receives what is dropped: `filter_reason` is "near-duplicate", and `duplicate_of` the id of what it resembles.
    batch_size : int
        Documents added at once; each batch is durable before its documents go on.
    profile : str
        Of a collection that is made.
    **query
        `k`, `verify`, `rule` of `Collection.add_unique`.
    """

    name = "Leitong filter"

    def __init__(
        self, index: str | Path, exclusion_writer: Any = None, batch_size: int = 1000, profile: str = "leitong-1", **query: Any
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self.index, self.profile, self.query = path_text(index), profile, query
        self._collection: Collection | None = None

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        _only_rank(self, world_size)
        opened = (
            Collection(self.index, "w") if os.path.exists(self.index) else Collection.create(self.index, profile=self.profile, texts=True)
        )
        with opened as self._collection:
            yield from super().run(data, rank, world_size)
        self._collection = None

    def filter(self, doc: Any) -> bool | tuple[bool, str]:
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Any]) -> list[bool | tuple[bool, str]]:
        if self._collection is None:
            raise UsageError("LeitongFilter works inside run(), which opens its collection")
        outcomes = self._collection.add_unique([{"id": doc.id, "text": doc.text} for doc in batch], **self.query)
        for doc, outcome in zip(batch, outcomes):
            if outcome.result == "duplicate" and outcome.match:
                doc.metadata["duplicate_of"] = outcome.match.id
        return [(False, "near-duplicate") if outcome.result == "duplicate" else True for outcome in outcomes]


class _Shard:
    """What a rank leaves in the folder: sketch, texts, bad records, fates, and an account of its documents."""

    def __init__(self, folder: Path, rank: int) -> None:
        self.name = f"{rank:05}"
        self.sketch = folder / "sketches" / f"{self.name}.sketch"
        self.texts = folder / "texts" / f"{self.name}.jsonl.zst"
        self.rejected = folder / "rejected" / f"{self.name}.jsonl"
        self.account = folder / "sketches" / f"{self.name}.json"
        self.fates = folder / "fates" / f"{self.name}.fates"

    def read_account(self) -> dict[str, int]:
        try:
            return json.loads(self.account.read_bytes())  # type: ignore[no-any-return]
        except FileNotFoundError:
            where = self.account.parent
            raise UsageError(f"rank {int(self.name)} has left no sketch in {where}: run LeitongSketch to its end first") from None


def _write_whole(path: Path, data: bytes) -> None:
    """A file that is there whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_bytes(data)
    os.replace(unfinished, path)


def _command(words: Iterable[object], lines: Iterable[bytes] = ()) -> None:
    """Run the program that the package carries, with these lines as its input."""
    arguments = [str(word) for word in words]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([PROGRAM, *arguments, "--quiet"], stdin=subprocess.PIPE, stdout=said, stderr=subprocess.STDOUT)
        try:
            whole = _feed(process.stdin, lines)
        except BaseException:  # of the documents: what was read of them is no shard
            process.kill()
            raise
        finally:
            with suppress(BrokenPipeError):
                process.stdin.close()  # type: ignore[union-attr]
            code = process.wait()
        said.seek(0)
        message = said.read().decode("utf-8", "replace").strip()
    if code != 0 or not whole:
        raise Error(f"leitong {arguments[0]} ended with {code}: {message}")


def _feed(pipe: Any, lines: Iterable[bytes]) -> bool:
    """Whether all lines could be written; if not, the program has ended, and says why."""
    for line in lines:
        try:
            pipe.write(line)
        except BrokenPipeError:
            return False
    return True


class _Step(PipelineStep):  # type: ignore[misc, unused-ignore]
    """A step that works in the folder that all ranks share."""

    type = "🫂 - DEDUP"

    def __init__(self, folder: str | Path, threads: int, memory: str | None) -> None:
        super().__init__()
        self.folder, self.threads, self.memory = Path(_local(folder)), threads, memory

    def _limits(self) -> list[object]:
        return [*(["--threads", self.threads] if self.threads else []), *(["--memory", self.memory] if self.memory else [])]


def _local(folder: str | Path) -> str:
    path = path_text(folder)
    if "://" in path:
        raise UsageError(f"the folder of the steps is a path on a file system that all ranks see, not {path}")
    return os.path.abspath(path)


class LeitongSketch(_Step):
    """Step one, on every rank: the documents of the rank are sketched, and their texts kept for the comparison.

    Parameters
    ----------
    folder : path
        Of the deduplication, the same for all four steps.
    profile : str
        A name, or a TOML file.
    fields : sequence of str
        Names of metadata that rules of `LeitongCluster(keep=...)` go by: "source", "date".
    threads : int
        Of each rank; 0: all cores.
    memory : str, optional
        Of each rank: "4G".
    """

    name = "Leitong sketch"

    def __init__(
        self, folder: str | Path, profile: str = "leitong-1", fields: Iterable[str] = (), threads: int = 1, memory: str | None = None
    ) -> None:
        super().__init__(folder, threads, memory)
        self.profile, self.fields = profile, tuple(fields)

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> None:
        shard = _Shard(self.folder, rank)
        for path in (shard.sketch, shard.texts, shard.rejected):
            path.parent.mkdir(parents=True, exist_ok=True)
        shard.account.unlink(missing_ok=True)
        account = {"documents": 0, "ids": 0, "world_size": world_size}
        words: list[object] = [
            "sketch",
            "-",
            "--format",
            "jsonl",
            "--output",
            shard.sketch,
            "--spool",
            shard.texts,
            "--rejected",
            shard.rejected,
        ]
        words += ["--profile", self.profile, *self._limits(), *(["--fields", ",".join(self.fields)] if self.fields else [])]
        with self.track_time():
            _command(words, self._lines(data or (), account))
        _write_whole(shard.account, json.dumps(account).encode())

    def _lines(self, data: Iterable[Any], account: dict[str, int]) -> Iterator[bytes]:
        for doc in data:
            self.stat_update("total")
            account["documents"] += 1
            account["ids"] = _after(account["ids"], doc)
            chosen = {name: doc.metadata.get(name) for name in self.fields}
            yield json.dumps({**chosen, "id": doc.id, "text": doc.text}, default=str).encode() + b"\n"


def _after(ids: int, doc: Any) -> int:
    """A number that tells one sequence of ids from another."""
    return zlib.crc32(doc.id.encode("utf-8", "surrogatepass") + b"\0", ids)


def _shards(folder: Path) -> list[tuple[_Shard, dict[str, int]]]:
    """Those of all ranks, in their order."""
    ranks = _Shard(folder, 0).read_account()["world_size"]
    shards = [_Shard(folder, rank) for rank in range(ranks)]
    accounts = [shard.read_account() for shard in shards]
    for shard, account in zip(shards, accounts):
        if account["world_size"] != ranks:
            theirs = account["world_size"]
            raise UsageError(f"rank {int(shard.name)} was one of {theirs} ranks, rank 0 one of {ranks}: sketch all of them alike")
    return list(zip(shards, accounts))


class LeitongJoin(_Step):
    """Step two, on one rank: pairs that may be near-duplicates are found and confirmed.

    Parameters
    ----------
    folder, memory
        As of `LeitongSketch`.
    rule : str or path
        Which texts are near-duplicates: a name, or a TOML file such as `leitong.calibrate` makes.
    threshold : float, optional
        This similarity in the place of the rule's.
    verify : {"text", "sketch", "none"}
        What confirms a candidate.
    k : int, optional
        Candidates are fingerprints within so many bits.
    threads : int
        0: all cores.
    """

    name = "Leitong join"

    def __init__(
        self,
        folder: str | Path,
        rule: str | Path = "near-2",
        threshold: float | None = None,
        verify: str = "text",
        k: int | None = None,
        threads: int = 0,
        memory: str | None = None,
    ) -> None:
        super().__init__(folder, threads, memory)
        self.verify, self.k = verify, k
        self._matching: list[object] = ["--rule", rule, *(["--threshold", threshold] if threshold is not None else [])]

    def run(self, data: Any = None, rank: int = 0, world_size: int = 1) -> None:
        _only_rank(self, world_size)
        sketches = [shard.sketch for shard, _ in _shards(self.folder)]
        (self.folder / "stages").mkdir(exist_ok=True)
        pairs, edges = (self.folder / "stages" / f"{name}.ltt" for name in ("pairs", "edges"))
        close = ["-k", self.k] if self.k is not None else []
        with self.track_time():
            _command(["join", *sketches, "--output", pairs, *close, *self._matching, *self._limits()])
            _command(["verify", pairs, "--output", edges, "--verify", self.verify, *self._matching, *self._limits()])


class LeitongCluster(_Step):
    """Step three, on one rank: groups, and which document of each stays.

    Parameters
    ----------
    folder, threads, memory
        As of `LeitongJoin`.
    keep : str
        As of `leitong.Dedup`; fields that it goes by are `fields` of `LeitongSketch`.
    """

    name = "Leitong cluster"

    def __init__(self, folder: str | Path, keep: str = "central,length:max,first", threads: int = 0, memory: str | None = None) -> None:
        super().__init__(folder, threads, memory)
        self.keep = keep

    def run(self, data: Any = None, rank: int = 0, world_size: int = 1) -> None:
        _only_rank(self, world_size)
        edges, clusters = (self.folder / "stages" / f"{name}.ltt" for name in ("edges", "clusters"))
        with self.track_time():
            _command(["cluster", edges, "--output", clusters, "--keep", self.keep, *self._limits()])
            found = _core.run_results(str(self.folder))
            self._write_fates(found["fates"])
        for name in ("kept", "removed", "clusters"):
            self.stat_update(name, value=found["counts"][name])

    def _write_fates(self, fates: bytes) -> None:
        first = 0
        shards = _shards(self.folder)
        total = sum(account["documents"] for _, account in shards)
        if total != len(fates):
            raise UsageError(f"the sketches have {total} documents, the pairs were found among {len(fates)}: run LeitongJoin again")
        for shard, account in shards:
            _write_whole(shard.fates, fates[first : first + account["documents"]])
            first += account["documents"]


class LeitongApply(BaseFilter):  # type: ignore[misc, unused-ignore]
    """Step four, on every rank, after the same reader: the documents that stay.

    Documents must come as they came to `LeitongSketch`, on as many ranks; if they do not, the job ends with an error.

    Parameters
    ----------
    folder : path
        As of `LeitongSketch`.
    exclusion_writer : DiskWriter, optional
        Receives what is dropped; `filter_reason` is "near-duplicate", or "bad record" (see `rejected/` in the folder).
    """

    name = "Leitong apply"

    def __init__(self, folder: str | Path, exclusion_writer: Any = None) -> None:
        super().__init__(exclusion_writer)
        self.folder = Path(_local(folder))
        self._fates: Iterator[int] = iter(())
        self._ids = 0

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        shard = _Shard(self.folder, rank)
        account = shard.read_account()
        if account["world_size"] != world_size:
            raise UsageError(f"these are {world_size} ranks, but {account['world_size']} were sketched: tasks must be the same")
        try:
            self._fates, self._ids = iter(shard.fates.read_bytes()), 0
        except FileNotFoundError:
            raise UsageError(f"there is no {shard.fates}: run LeitongJoin and LeitongCluster first") from None
        yield from super().run(data or (), rank, world_size)
        if next(self._fates, None) is not None or self._ids != account["ids"]:
            raise StoreIOError(f"the documents of rank {rank} are not those that were sketched: what it has written is not to be used")

    def filter(self, doc: Any) -> bool | tuple[bool, str]:
        self._ids = _after(self._ids, doc)
        fate = next(self._fates, None)
        if fate is None:
            raise StoreIOError(f"the document {doc.id!r} is one more than were sketched: what was written of this rank is not to be used")
        reason = _REASONS[fate]
        return True if reason is None else (False, reason)
