"""Frames of generators: where their parts lie, and whether an error ends them."""

from __future__ import annotations

from typing import Any

from strategies.rules.code.val import c32, c64
from strategies.rules.code.variables import Variables
from strategies.rules.kinds.forms import form, layout
from strategies.rules.kinds.kind import Instance

ENDED, RUNS = -1, -2  # states of a generator


def is_library(instance: Instance) -> bool:
    """Whether a generator stands for an iterator that Python writes in C.

    It lets StopIteration of what it calls end it, and goes on after an error where it stood.
    """
    return bool(instance.source.is_builtin)


def dies(instance: Instance) -> bool:
    """Whether an error ends it."""
    return not is_library(instance) or instance.source.name in instance.source.globals.get(
        "DIE", ()
    )


def frame_places(instance: Instance) -> list[int]:
    """Return the offsets in a generator's frame of captures, arguments and the result."""
    at, places = 8, []
    captured = list(instance.closure.kinds) if instance.closure else []
    for k in [*captured, *instance.kinds, instance.returned]:
        width, align = layout(form(k))
        at = -(-at // align) * align
        places.append(at)
        at += width
    return places


def failed(w: Variables, status: Any, error: type[BaseException] | None) -> Any:
    """Note an error in a generator's state; return the status that it is for who resumes it."""
    if dies(w.instance):
        w.store(c64(ENDED), w.function.args[1])
    ends = c32(-1)
    if not is_library(w.instance):
        message = "generator raised StopIteration"
        ends = c32(w.program.error(RuntimeError, message, w.where()))
    if error is not None:
        return ends if issubclass(error, StopIteration) else status
    return w.b.select(w.b.call(w.program.matcher((StopIteration,)), [status]), ends, status)
