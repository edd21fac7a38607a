"""The law "native is Python" over generated and known programs, and tests of the law itself."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.programs.broken import BROKEN
from tests.programs.choices import Drawn, Seeded
from tests.programs.coverage import Table, cells
from tests.programs.engines import python
from tests.programs.judging import Verdict, judged
from tests.programs.known import known
from tests.programs.meant import meant, missing
from tests.programs.outcome import canonical
from tests.programs.program import TEMPLATES, TURNS, Program, numbered, program
from tests.programs.reducing import reduced
from tests.programs.worker import Worker
from tests.properties import examples

FAULTS = ("differs", "crashes", "hangs")


def faults(one: Program, verdicts: list[Verdict]) -> list[str]:
    """Return what differs from Python, as verdicts say."""
    return [
        f"{one}\nentry({call})\npython: {verdict.python}\nengine: {verdict.engine}"
        for call, verdict in zip(one.calls, verdicts, strict=True)
        if verdict.ended in FAULTS
    ]


@pytest.fixture(scope="module")
def process() -> Iterator[Worker]:
    """Return a process, since a faulty engine may end it, or need endless time or memory."""
    with Worker("native", seconds=60.0) as one:
        yield one


@pytest.fixture
def worker(process: Worker) -> Worker:
    """Return the process, ready to run machine code."""
    process.engine = "native"
    return process


def test_native_is_python(worker: Worker) -> None:
    # These are spread over one turn of the templates, and among those that run with -m long.
    for number in range(0, len(TEMPLATES), 164):
        one = numbered(1, number)
        found = faults(one, worker.judge(one))
        assert not found, found[0]


@pytest.mark.long
@settings(max_examples=2_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_drawn_programs_are_python(worker: Worker, data: st.DataObject) -> None:
    focus = data.draw(st.sampled_from(TEMPLATES))
    one = program(Drawn(data.draw), focus)
    found = faults(one, worker.judge(one))
    assert not found, found[0]


@pytest.mark.parametrize("part", range(4))
def test_known_programs_are_python(worker: Worker, part: int) -> None:
    for one in known()[part::4]:
        verdicts = worker.judge(one)
        assert all(verdict.ended != "left out" for verdict in verdicts), one
        found = faults(one, verdicts)
        assert not found, found[0]


@pytest.mark.long
def test_many_programs_are_python() -> None:
    table, bad = Table(), []
    with Worker("native") as worker:
        for number in range(20_000):
            if number == 15_000:  # the last quarter as LLVM optimizes it
                worker.engine = "optimized"
            one = numbered(1, number)
            verdicts = worker.judge(one)
            table.add(one.source, [verdict.ended for verdict in verdicts])
            bad += [f"{number}: {v.engine}" for v in verdicts if v.ended in FAULTS]
    print(table)
    assert not bad, bad[:20]


FOCUS = {
    "an argument is ignored": "reverse=",
    "a conditional expression becomes a float": "{int} if {bool} else {float}",
    "generators are not lazy": "any({bool",
    "the else of a loop always runs": "else:",
    "closures are bound early": "{f}() for",
    "a target is read after the value": "+=",
}
"""The templates to try for a fault that few constructs show."""


@pytest.mark.parametrize("name", BROKEN)
def test_the_law_finds_a_broken_engine(worker: Worker, name: str) -> None:
    only = tuple(one for one in TEMPLATES if FOCUS.get(name, "") in one.text)
    worker.engine = name
    assert any(
        verdict.ended in FAULTS
        for number in range(150)
        for verdict in worker.judge(numbered(0, number, only))
    )


@pytest.mark.long
@pytest.mark.parametrize("name", BROKEN)
def test_known_programs_find_a_broken_engine(worker: Worker, name: str) -> None:
    worker.engine = name
    assert any(v.ended in FAULTS for one in known() for v in worker.judge(one))


def test_the_same_seed_gives_the_same_programs() -> None:
    assert [numbered(2, n) for n in range(9)] == [numbered(2, n) for n in range(9)]
    assert numbered(2, 0) != numbered(4, 0)
    assert program(Seeded(1)) == program(Seeded(1))


@given(st.data())
@examples(25)
def test_drawn_programs_compile(data: st.DataObject) -> None:
    ast.parse(program(Drawn(data.draw)).source)


def test_python_is_python_and_one_turn_ends_in_many_ways_and_reaches_all_positions() -> None:
    usual = [numbered(2, number) for number in range(200)]
    ends = Counter[str]()
    for one in usual[:100]:
        for verdict in judged(one, python):
            assert verdict.ended not in FAULTS, one
            name = verdict.python.partition(":")[0]
            ends[name if name.isidentifier() and verdict.python != name else "value"] += 1
    assert ends["value"] > 0.4 * ends.total()
    assert ends["TypeError"] + ends["NameError"] + ends["AttributeError"] < 0.05 * ends.total()
    assert {"IndexError", "ValueError", "ZeroDivisionError", "KeyError"} <= ends.keys()
    reached = {cell for one in usual for cell in cells(one.source)}
    assert {where for _, where in meant()} <= {where for _, where in reached}
    names = {name for name, _ in meant()}
    assert len(names - {name for name, _ in reached}) < 0.1 * len(names)


@pytest.mark.long
def test_every_construct_is_reached_in_every_position() -> None:
    reached = set[tuple[str, str]]()
    for number in range(TURNS * len(TEMPLATES)):
        reached |= cells(numbered(2, number).source)
    left = missing(reached)
    assert len(left) < 0.02 * len(meant()), left
    assert {name for name, _ in meant()} <= {name for name, _ in reached}
    assert {where for _, where in meant()} <= {where for _, where in reached}
    assert max(Counter(name for name, _ in left).values(), default=0) < 6, left


@pytest.mark.parametrize(
    ("left", "right"),
    [(1, True), (1, 1.0), (0.0, -0.0), ((1, 2), [1, 2]), ({1: 2, 3: 4}, {3: 4, 1: 2}),
     ({1}, {True}), ([[1]], [[1.0]]), (None, 0)],
)  # fmt: skip
def test_different_values_differ(left: object, right: object) -> None:
    assert canonical(left) != canonical(right)
    assert canonical([left]) != canonical([right])


def test_nan_is_nan() -> None:
    assert canonical([float("nan")]) == canonical([float("nan")])


def test_overflow_is_allowed_only_beyond_64_bits() -> None:
    def overflowing(function: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any) -> Any:
            raise OverflowError

        return run

    source = "def entry(a):\n    return a + a - a\n"
    one = Program(source, ("2**62,", "5,"))
    assert [verdict.ended for verdict in judged(one, overflowing)] == ["overflow", "differs"]
    total = "def entry(t):\n    return sum(t)\n"
    one = Program(total, ("(2**62, 2**62, -2**62),", "(1, 2),"))
    assert [verdict.ended for verdict in judged(one, overflowing)] == ["overflow", "differs"]


CRASH = """
import os
from strategies.support import files as _files

def entry(a):
    if os.environ.get("unset") is None and a == 1:
        os.abort()
    while a == 2:
        pass
    return a
"""


def test_a_crash_and_a_hang_end_only_their_program() -> None:
    with Worker("python", seconds=3.0) as worker:
        ends = [worker.judge(Program(CRASH.replace("os.environ.get", "{}.get"), (call,)))[0].ended
                for call in ("0,", "1,", "0,", "2,", "0,")]  # fmt: skip
    assert ends[:3] == ["same", "crashes", "same"]
    assert ends[3] in ("hangs", "left out")
    assert ends[4] == "same"


def test_a_failure_is_made_small(worker: Worker) -> None:
    def failing(one: Program) -> bool:
        return any(verdict.ended in FAULTS for verdict in worker.judge(one))

    worker.engine = "floats are truncated"
    one = next(filter(failing, (program(Seeded(n), few=True, limit=10) for n in range(300))))
    small = reduced(worker, one, worker.judge(one), seconds=20.0)
    assert failing(small)
    assert len(small.source) < max(150, len(one.source) // 2)
