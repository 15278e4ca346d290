"""Packages that are not required: imported where they are needed, with a message that says what for."""

from __future__ import annotations

import importlib
from typing import Any


def need(package: str, what_for: str) -> Any:
    """The package, or an ImportError that says how to get it and what does without."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f"{what_for} needs the package {package}: pip install {package}") from error
