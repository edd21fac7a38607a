"""Pickle the definitions of a program by value, with the names of their files.

From 3.1.3 on, cloudpickle leaves these names out; but rules are compiled from the source there.
"""

from __future__ import annotations

import dataclasses
import io
from types import CodeType
from typing import Any, Final

import cloudpickle

NOWHERE: Final = "<dynamic-code>"


class Pickler(cloudpickle.Pickler):  # type: ignore[misc]  # it has no types
    """A pickler of values, and of the classes and functions that no other process can import."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, CodeType) and obj.co_filename != NOWHERE:
            return _in_file, (obj.replace(co_filename=NOWHERE), obj.co_filename)
        if obj is dataclasses.MISSING:  # fields compare it by identity, which cloudpickle loses
            return getattr, (dataclasses, "MISSING")
        return super().reducer_override(obj)


def _in_file(code: CodeType, name: str) -> CodeType:
    return code.replace(co_filename=name)


def dumps(value: Any) -> bytes:
    """Pickle a value, which `pickle.loads` reads."""
    file = io.BytesIO()
    Pickler(file).dump(value)
    return file.getvalue()
