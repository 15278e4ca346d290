"""Tests with packages from PyPI: they go on in a virtual environment, which is made if need be."""

import os
import pathlib
import subprocess
import sys


def enter(directory, packages, probe):
    """Runs this program again in the environment `directory`, in which `probe`, a list of modules, can be imported. Exits with 77 (skipped)
    where `packages` cannot be installed."""
    directory = pathlib.Path(directory).absolute()
    python = directory / "bin/python"
    if pathlib.Path(sys.prefix) == directory:
        return
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", directory], check=True, stdout=sys.stderr)
        if subprocess.run([python, "-c", "import " + ", ".join(probe)], stderr=subprocess.DEVNULL).returncode != 0:
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], check=True, stdout=sys.stderr)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"skipped: {', '.join(packages)} cannot be installed from PyPI: {error}")
        sys.exit(77)
    os.execv(python, [str(python), "-B", *sys.argv])
