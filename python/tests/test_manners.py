"""The lock is released, Ctrl-C is obeyed, progress is told, and what is wrong is raised."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest

import leitong
from conftest import SAMPLE


@pytest.fixture(scope="session")
def many():
    """Texts for some seconds of work."""
    draw = random.Random(7)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 9))) for _ in range(20_000)]
    return [" ".join(draw.choices(words, k=120)) for _ in range(60_000)]


def interrupted(work, seconds=0.3):
    """The seconds from a Ctrl-C until the work ended with Interrupted."""
    sent = []

    def send():
        time.sleep(seconds)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        with pytest.raises(leitong.Interrupted) as raised:
            work()
        took = time.perf_counter() - sent[0]
    finally:
        thread.join()
    assert isinstance(raised.value, KeyboardInterrupt)
    return took


BUSY = float(os.environ.get("LEITONG_BUSY", "1"))  # on a busy machine nothing happens in a tenth of a second


def test_ctrl_c(many, tmp_path):
    assert interrupted(lambda: [leitong.fingerprint(many) for _ in range(50)]) < 0.1 + BUSY
    assert interrupted(lambda: [leitong.Dedup()(many) for _ in range(50)]) < 0.1 + BUSY
    source = tmp_path / "in.jsonl"
    source.write_text("".join(json.dumps({"text": text}) + "\n" for text in many))
    out = tmp_path / "out"
    assert interrupted(lambda: [leitong.Dedup().files(source, out, overwrite=True) for _ in range(50)]) < 0.1 + BUSY
    result = leitong.Dedup().files(source, out, resume=True, overwrite=True)
    assert result.counts["records"] == len(many)
    assert [signal.getsignal(signal.SIGINT)] == [signal.default_int_handler]


def test_lock_is_released(many):
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.perf_counter()
    leitong.fingerprint(many[:20_000], threads=1)
    took = time.perf_counter() - begun
    done.set()
    thread.join()
    assert len([t for t in ticks if t > begun]) > took / 0.5


def test_progress(many):
    seen = []
    leitong.Dedup()(many[:20_000], progress=seen.append)
    assert seen and all(isinstance(p, leitong.Progress) for p in seen)
    assert {p.stage for p in seen} <= {"sketch", "join", "verify", "cluster", "apply"} and seen[0].records >= 0

    def fail(progress):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        leitong.Dedup()(many, progress=fail)


def test_progress_bar_wants_a_terminal(capfd):
    leitong.Dedup()(["a b c"], progress=True)
    assert capfd.readouterr().err == ""


def test_progress_bar_on_a_terminal(many, monkeypatch):
    import leitong._progress as progress

    class Terminal:
        def __init__(self):
            self.written = ""

        def write(self, text):
            self.written += text

        def flush(self):
            pass

        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert progress._bar() is not None
    leitong.Dedup()(many[:20_000], progress=True)
    assert "sketch" in terminal.written or "join" in terminal.written


def test_notes_are_warnings(tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text('{"text":"one two"}\nbroken\n')
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        leitong.Dedup().files(source, tmp_path / "out")
    assert any(issubclass(w.category, leitong.LeitongWarning) for w in caught)
    with pytest.raises(leitong.FormatError):
        leitong.Dedup().files(source, tmp_path / "strict", strict=True)


def test_exceptions():
    kinds = {"UsageError": ValueError, "FormatError": ValueError, "StoreIOError": OSError, "Interrupted": KeyboardInterrupt}
    for name, kind in kinds.items():
        assert issubclass(getattr(leitong, name), (leitong.Error,)) and issubclass(getattr(leitong, name), kind)
    assert issubclass(leitong.LimitError, leitong.Error)


def test_command_line(tmp_path):
    run = lambda *words: subprocess.run(words, capture_output=True, text=True)
    for words in ([sys.executable, "-P", "-m", "leitong"], [os.path.join(os.path.dirname(sys.executable), "leitong")]):
        said = run(*words, "--version")
        assert said.returncode == 0 and leitong.__version__ in said.stdout
        assert run(*words, "dedup").returncode == 2
        assert run(*words, "dedup", SAMPLE, "-o", tmp_path / f"out{len(words)}").returncode == 0
        cut = subprocess.run([*words, "segment", "-", "--input-format", "lines", "--profile", "jieba"], input="我来到北京清华大学\n", capture_output=True, text=True)
        assert "清华大学" in cut.stdout
