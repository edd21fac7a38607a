"""Polling: loops and calls ask from time to time whether to stop."""

from __future__ import annotations

from typing import Any

from strategies.rules.code.emission import Code
from strategies.rules.code.val import ONE, c1, c32, c64
from strategies.rules.kinds.kind import I1, I32, I64, VOID
from strategies.rules.machine.memory import CONTEXT, COUNTDOWN, MAIN, POLL_EVERY, RAISED, STOPS

LOCAL = 128
"""The steps of a loop after which it counts them with those of others."""


def poll(c: Code, steps: int = 1) -> None:
    """Count steps, and stop if it is time to ask and the answer is yes."""
    left = c.b.sub(c.get(c.context, CONTEXT, COUNTDOWN), c64(steps))
    c.put(c.context, CONTEXT, COUNTDOWN, left)
    with c.when(c.b.icmp_signed("<", left, c64(0)), rare=True):
        c.check(_signalled(c), KeyboardInterrupt, "stopped")


def poll_again(c: Code, place: Any) -> None:
    """Count a step of a loop at a place of its own, which is cheap."""
    left = c.b.sub(c.load(place, I64), ONE)
    c.store(left, place)
    with c.when(c.b.icmp_signed("<", left, c64(0)), rare=True):
        c.store(c64(LOCAL), place)
        poll(c, LOCAL)


def _signalled(c: Code) -> Any:
    """Begin the count anew, and return whether to stop: a search was stopped, or a handler of
    Python's signals raised, which the caller finds."""

    def build(r: Code, _: Any) -> Any:
        r.put(r.context, CONTEXT, COUNTDOWN, c64(POLL_EVERY))
        out = r.temp(I1)
        stops = r.get(r.context, CONTEXT, STOPS)
        r.store(c1(False), out)
        with r.when(r.b.icmp_unsigned("!=", r.b.ptrtoint(stops, I64), c64(0))):
            r.store(r.b.icmp_signed("!=", r.load(stops, I64), c64(0)), out)
        with r.when(r.b.icmp_signed("!=", r.get(r.context, CONTEXT, MAIN), c64(0))):
            r.store(r.b.or_(r.load(out, I1), handled(r)), out)
        return r.load(out, I1)

    def handled(r: Code) -> Any:
        held = r.intrinsic("jam.python.PyGILState_Ensure", I32, [])
        found = r.intrinsic("jam.python.PyErr_CheckSignals", I32, [])
        raised = r.b.icmp_signed("!=", found, c32(0))
        with r.when(raised, rare=True):
            places = [r.field(r.context, CONTEXT, i) for i in RAISED]
            r.intrinsic("jam.python.PyErr_Fetch", VOID, places)
        r.intrinsic("jam.python.PyGILState_Release", VOID, [held])
        return raised

    return c.helper("jam.signalled", I1, [], build)
