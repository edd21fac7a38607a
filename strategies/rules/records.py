"""Records: attrs classes, dataclasses, NamedTuples."""

from __future__ import annotations

from typing import Any

from strategies.rules.code import Code, Val
from strategies.rules.messages import Refusal
from strategies.rules.walk import Walk


def refused(*_: Any) -> Any:
    raise Refusal("records are not compiled yet")


def as_tuple(w: Code, a: Val) -> Val | None:
    return None


equal_records = compared = ordered = attribute = construct = super_of = refused  # type: Any
__all__ = ["Walk"]
