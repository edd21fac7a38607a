"""Load the library that an adapter needs, or say what to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def library(name: str, package: str) -> Any:
    """Import the module `name`, which the distribution `package` installs.

    Raises: ValueError, one line that says what to install, if it is missing.

    >>> library("no_such_module", "open_spiel")
    Traceback (most recent call last):
        ...
    ValueError: these games need no_such_module: pip install open_spiel
    """
    try:
        return import_module(name)
    except ImportError:
        raise ValueError(f"these games need {name}: pip install {package}") from None
