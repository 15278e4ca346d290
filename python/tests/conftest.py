"""The package that is installed is tested, not the folder beside this one."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

import leitong

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "examples" / "sample.jsonl"


def pytest_report_header() -> str:
    return f"leitong {leitong.__version__} of {Path(leitong.__file__).parent}"


@pytest.fixture(scope="session")
def sample() -> list[dict]:
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def texts(sample) -> list[str]:
    return [record["text"] for record in sample]


def collections() -> list[Path]:
    """Collections of texts to compare with the command line on: the sample, and shared ones if they are there."""
    shared = Path(os.environ.get("LEITONG_SHARED", ROOT.parent / "shared"))
    return [SAMPLE, *sorted(shared.glob("corpora/*.docs.jsonl.gz"))]


def records_of(path: Path) -> list[dict]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        return [json.loads(line) for line in lines]
