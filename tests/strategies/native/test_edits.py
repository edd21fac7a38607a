"""Rules that were edited give the values that Python gives: no edit leaves old code in use."""

from __future__ import annotations

import importlib
import linecache
import os
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from itertools import count
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from attrs import frozen

from games import Game, Status
from strategies import minimax, par_list, search
from strategies.native.compiler.rules_in_numba import Bound, compiled
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_engines import engine_for
from strategies.rules.code.program import Program
from strategies.rules.language.reads import Reads
from tests.strategies.native.counting import Counting, mixed
from tests.strategies.native.edited import ASSIGNED, BEFORE, EDITS, RULES, edited

META = BEFORE["call of a metaclass"]
SOME = "converter", "own init", "call of a metaclass", "by name", "view"
LIVE = "array in a field"
"""The kind after which the code is still right: machine code reads the array where it is."""
SOME_ASSIGNED = "default by name in place", "view", "list in a field", "own init", LIVE
"""The kinds that are compiled in every run of the tests; the others in long ones."""
SAME = "no order", "key of order", "metaclass"
"""The kinds that change no value."""
numbers = count()


def value(game: Any, engine: str) -> Any:
    """Return a number that depends on all rules, or the name of the error."""
    try:
        return engine_for(game, engine).call(mixed, game.start(), 3)
    except Exception as error:
        return type(error).__name__


def check(game: Any) -> Any:
    """Check that the engines agree, and return the value."""
    python = value(game, "interpreted")
    assert value(game, "auto") == python
    return python


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A function that writes a module, and loads it, again if it is loaded."""
    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"edited_rules_{next(numbers)}"
    file = tmp_path / f"{name}.py"

    def load(text: str) -> ModuleType:
        file.write_text(text)
        linecache.cache.pop(str(file), None)
        importlib.invalidate_caches()
        for kept in tmp_path.rglob("*.pyc"):
            kept.unlink()
        if name in sys.modules:
            return importlib.reload(sys.modules[name])
        return importlib.import_module(name)

    yield load
    sys.modules.pop(name, None)


def digest_of(text: str) -> str:
    scope: dict[str, Any] = {"__name__": "rules"}
    exec(compile(text, "rules.py", "exec"), scope)
    return "".join(fingerprint(scope[name]) for name in ("Rules", "At"))


def test_every_edit_changes_the_digest() -> None:
    found = [tuple(map(digest_of, edited(kind))) for kind in EDITS]
    assert all(before != after for before, after in found)
    assert len({after for _, after in found}) == len(EDITS)
    assert digest_of(RULES) == digest_of(RULES)


@pytest.mark.parametrize("kind", [kind for kind in ASSIGNED if kind != LIVE])
def test_no_assignment_leaves_the_engine_in_use(kind: str, module: Any) -> None:
    scope = vars(module(META))
    game = scope["game"] = scope["Rules"]()
    before = engine_for(game)
    before._reads = Bound(game, [game.start()]).reads  # as if a kernel had been compiled
    assert engine_for(game) is before
    exec(ASSIGNED[kind], scope)
    after = engine_for(game)
    assert after is not before
    assert engine_for(game) is after


def test_rules_that_are_loaded_again_while_they_are_compiled(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cls = module(META).Rules
    right = Bound(cls(), [cls().start()]).digest
    emit, times = Program.emit, iter([True])

    def disturbed(program: Program) -> None:
        if next(times, False):  # as another thread does that reads the class from a pickle
            for name, part in [*vars(cls).items()]:
                if isinstance(part, FunctionType):
                    scope, rest = dict(part.__globals__), (name, part.__defaults__)
                    copy = FunctionType(part.__code__, scope, *rest, part.__closure__)
                    setattr(cls, name, copy)
        emit(program)

    monkeypatch.setattr(Program, "emit", disturbed)
    assert compiled(cls(), [cls().start()], 1).digest == right


@pytest.mark.parametrize("kinds", [SOME, pytest.param((*EDITS,), marks=pytest.mark.long)], ids=len)
def test_a_module_that_is_edited_again_and_again(kinds: tuple[str, ...], module: Any) -> None:
    values = dict[str, Any]()
    for kind in kinds:
        before, after = edited(kind)
        for text in (before, after):
            if text not in values:
                values[text] = check(module(text).Rules())
        assert (values[before] == values[after]) == (kind in SAME), kind


@pytest.mark.parametrize(
    "kinds",
    [SOME_ASSIGNED, *(pytest.param((kind,), marks=pytest.mark.long) for kind in ASSIGNED)],
    ids=" ".join,
)
def test_a_module_that_is_changed_in_place(kinds: tuple[str, ...], module: Any) -> None:
    scope = vars(module(META))
    game = scope["game"] = scope["Rules"]()
    before = check(game)
    for kind in kinds:
        exec(ASSIGNED[kind], scope)
        after = check(game)
        assert after != before, kind
        assert check(scope["Rules"](costs=game.costs, weights=game.weights)) == after, kind
        before = after


ASK = """
import sys
sys.path.insert(0, {folder!r})
import edited_rules
from tests.strategies.native.test_edits import check
print(check(edited_rules.Rules()))
"""


@pytest.mark.long
@pytest.mark.parametrize("kind", EDITS)
def test_a_new_process_after_an_edit(kind: str, tmp_path: Path) -> None:
    env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kept"), "PYTHONDONTWRITEBYTECODE": "1"}
    for text in edited(kind):
        (tmp_path / "edited_rules.py").write_text(text)
        program = ASK.format(folder=str(tmp_path))
        subprocess.run([sys.executable, "-c", program], env=env, check=True, timeout=120)


def test_tables_are_read_once_a_search(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = module(RULES).Rules()
    read: list[bool] = []
    hold = Reads.hold

    def noted(reads: Reads, tables: bool = True) -> bool:
        read.append(tables)
        return hold(reads, tables)

    engine_for(game, "native").warm()
    monkeypatch.setattr(Reads, "hold", noted)
    for scheduler in None, "sync":
        counts = []
        for plies in (4, 1, 4):
            read.clear()
            using = par_list.to_ply(plies)
            search(game, minimax(4), using=using, engine="native").compute(scheduler=scheduler)
            counts.append(sum(read))
        assert counts[1] == counts[2] > 0


def test_what_an_enumeration_has_beside_its_members_is_noticed() -> None:
    """A property, a constant of a base and an attribute of a member are assigned anew."""

    class Mixin:
        K = 3

    class Piece(Mixin, Enum):
        PAWN = 1

        def __init__(self, _: int) -> None:
            self.weight = 3

        @property
        def worth(self) -> int:
            return 3

    @frozen
    class Pieces(Game[int, int]):
        def start(self) -> int:
            return 0

        def status(self, state: int) -> Status:
            return Status.IN_PLAY if state < 1 else Status.OVER

        def player(self, state: int) -> int:
            return 0

        def moves(self, state: int) -> tuple[int, ...]:
            return (1,) if state < 1 else ()

        def make_move(self, state: int, move: int) -> int:
            return state + move

        def estimate(self, state: int) -> int:
            return 0

        def utility(self, state: int) -> int:
            return Piece.PAWN.worth * 100 + Piece.PAWN.K * 10 + Piece.PAWN.weight

    def values() -> list[Any]:
        engines: tuple[Any, ...] = "native", "interpreted"
        return [search(Pieces(), minimax(1), engine=one).compute().value for one in engines]

    assert values() == [333, 333]
    setattr(Piece, "worth", property(lambda _: 7))  # noqa: B010
    assert values() == [733, 733]
    Mixin.K = 7
    assert values() == [773, 773]
    Piece.PAWN.weight = 7
    assert values() == [777, 777]


def test_a_kernel_is_compiled_again_when_what_it_reads_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its constants, helpers and kernels may be defined anew, as in a notebook."""
    (tmp_path / "own_kernels.py").write_text(OWN_KERNELS)
    monkeypatch.syspath_prepend(tmp_path)
    own = importlib.import_module("own_kernels")

    def found() -> list[Any]:
        engines = "native", "interpreted"
        return [engine_for(Counting(), one).call(own.first, 0, 3) for one in engines]

    assert found() == [11, 11]
    own.BONUS = 20
    assert found() == [21, 21]
    exec("def helper(n: int) -> int:\n    return n + 5", vars(own))
    assert found() == [26, 26]
    exec(OWN_KERNELS[: OWN_KERNELS.index("BONUS")].replace("- 2", "+ 100"), vars(own))
    assert found() == [128, 128]


OWN_KERNELS = """
from typing import Any
from strategies.algorithms.kernels import kernel

@kernel
def inner(game: Any, state: Any, depth: int) -> int:
    return depth - 2

BONUS = 10

def helper(n: int) -> int:
    return n

@kernel
def first(game: Any, state: Any, depth: int) -> int:
    return helper(inner(game, state, depth)) + BONUS
"""
