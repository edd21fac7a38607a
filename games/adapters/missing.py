"""Load the library that an adapter needs, or say what to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def library(name: str, extra: str) -> Any:
    """Import the module `name`, which is installed by one of Jamboree's extras.

    Raises: ValueError, one line that says what to install, if it is missing.

    >>> library("no_such_module", "openspiel")
    Traceback (most recent call last):
        ...
    ValueError: these games need no_such_module: pip install 'jamboree-search[openspiel]'
    """
    try:
        return import_module(name)
    except ImportError:
        raise ValueError(
            f"these games need {name}: pip install 'jamboree-search[{extra}]'"
        ) from None
