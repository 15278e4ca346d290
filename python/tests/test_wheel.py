"""What is inside a wheel that is given away, and what it needs of the machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import leitong

WHEEL = os.environ.get("LEITONG_STATIC_WHEEL")
pytestmark = pytest.mark.skipif(WHEEL is None, reason="LEITONG_STATIC_WHEEL names no wheel: this package was built for a test")
FOLDER = Path(leitong.__file__).parent
BINARIES = [*FOLDER.glob("_core*.so"), FOLDER / "bin" / "leitong"]


@pytest.mark.parametrize("binary", BINARIES, ids=lambda path: path.name)
def test_needs_nothing_but_libc(binary):
    out = subprocess.run(["readelf", "-d", binary], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", out))
    assert needed <= {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    symbols = subprocess.run(["objdump", "-T", binary], capture_output=True, text=True, check=True).stdout
    versions = {tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([0-9.]+)", symbols)}
    assert max(versions) <= (2, 34)
    assert "GLIBCXX" not in symbols


def test_module_gives_away_no_names():
    out = subprocess.run(["nm", "-D", "--defined-only", BINARIES[0]], capture_output=True, text=True, check=True).stdout
    names = [line.split()[-1] for line in out.splitlines()]
    assert "PyInit__core" in names
    assert not [name for name in names if re.search("leitong|simdjson|toml|fmt|ZSTD|XXH|inflate|std", name)]


def test_what_is_inside():
    names = zipfile.ZipFile(WHEEL).namelist()
    assert not [name for name in names if ".libs/" in name or name.endswith((".a", ".h"))]
    for wanted in ("leitong/py.typed", "leitong/_core.pyi", "leitong/bin/leitong", "leitong/share/leitong/jieba.data"):
        assert wanted in names
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    licences = (FOLDER / "THIRD-PARTY-LICENSES.txt").read_text(encoding="utf-8")
    for library in ("fmt", "tomlplusplus", "zlib", "zstd", "xxhash", "simdjson", "nanobind", "libstdc++", "jieba"):
        assert library in licences


def put(path: Path, root: Path) -> None:
    """A file, at its place below another root."""
    place = root / str(path).lstrip("/")
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, place)


def test_in_a_bare_root(tmp_path):
    """It runs where there is a C library and a Python, and nothing else."""
    if os.geteuid() != 0:
        pytest.skip("chroot needs root")
    chroot = shutil.which("chroot", path="/usr/sbin:/sbin:/usr/bin:/bin")
    root = tmp_path / "root"
    python = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}").resolve()
    library = Path(os.__file__).parent
    left_out = shutil.ignore_patterns("test", "tests", "__pycache__", "site-packages", "dist-packages", "idlelib", "tkinter", "config-*")
    shutil.copytree(library, root / str(library).lstrip("/"), ignore=left_out)
    shutil.copytree(FOLDER, root / "site" / "leitong", ignore=left_out)
    put(python, root)
    for binary in [python, *BINARIES]:
        listed = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
        for needed in re.findall(r"(/[^ ]+\.so[^ ]*)", listed):
            put(Path(needed), root)
    (root / "tmp").mkdir()
    code = (
        "import sys; sys.path.insert(0, '/site'); import leitong\n"
        "assert leitong.Dedup()(['one two three', 'One Two Three']).selected == ['one two three']\n"
        "print([word.text for word in leitong.segment(['我来到北京清华大学'])[0]], leitong.__file__)\n"
    )
    said = subprocess.run([chroot, root, python, "-S", "-c", code], capture_output=True, text=True, env={"PYTHONUTF8": "1"})
    assert said.returncode == 0 and "清华大学" in said.stdout and "/site/" in said.stdout, said.stderr
    said = subprocess.run([chroot, root, "/site/leitong/bin/leitong", "--version"], capture_output=True, text=True)
    assert said.returncode == 0 and leitong.__version__ in said.stdout, said.stderr
