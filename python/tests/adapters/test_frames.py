"""The accessors of pandas and polars; and that nothing of either is imported unasked."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import leitong

TEXTS = ["The ferry leaves the island at nine.", "Bread and butter, and a little salt.", "The ferry leaves the island at nine!", "!"]
OLD = ["bread and butter and a little salt"]


def frame_of(library: str):
    package = pytest.importorskip(library, reason=f"SKIPPED: {library} is not installed")
    importlib.import_module(f"leitong.adapters.{library}")
    return package.DataFrame({"body": TEXTS, "n": [10, 20, 30, 40]})


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_accessor(library):
    frame = frame_of(library)
    kept = frame.leitong.dedup("body")
    assert type(kept) is type(frame) and kept["n"].to_list() == [10, 20, 40]
    assert frame.leitong.dedup("body", against=OLD)["n"].to_list() == [10, 40]
    assert frame.leitong.dedup("body", keep="n:max")["n"].to_list() == [20, 30, 40]
    assert frame.leitong.result("body").filtered[0].kept_row == 0
    column = frame.leitong.fingerprint("body", profile="leitong-1-128")
    wanted = leitong.fingerprint(TEXTS, profile="leitong-1-128").hex()
    assert wanted[3] is None
    assert (column.to_list() if library == "polars" else column.astype(object).where(column.notna(), None).to_list()) == wanted
    with pytest.raises(leitong.UsageError, match="no column 'text', only body, n"):
        frame.leitong.dedup("text")


def test_index_of_pandas_stays():
    frame = frame_of("pandas").set_index("n")
    assert list(frame.leitong.dedup("body").index) == [10, 20, 40]
    assert frame.leitong.fingerprint("body").index.equals(frame.index)


def test_nothing_is_imported_unasked():
    code = (
        "import sys, leitong; leitong.adapters.fingerprints('text')\n"
        "print({'datasets', 'datatrove', 'pandas', 'polars', 'pyarrow', 'numpy'} & set(sys.modules))"
    )
    said = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "set()\n"


@pytest.mark.parametrize("package, module", [("pandas", "pandas"), ("polars", "polars"), ("datatrove", "datatrove")])
def test_missing_package_is_named(package, module):
    code = f"import sys; sys.modules[{package!r}] = None\nimport leitong.adapters.{module}"
    said = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert said.returncode == 1 and f"needs the package {package}: pip install {package}" in said.stderr


def test_unknown_name():
    with pytest.raises(AttributeError, match="LeitongNothing"):
        leitong.adapters.LeitongNothing  # noqa: B018
