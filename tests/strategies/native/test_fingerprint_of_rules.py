"""The digest changes exactly when the behaviour of rules may change."""

import dis
import functools
import inspect
import os
import subprocess
import sys
from collections import defaultdict, namedtuple
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from unittest import TestCase

import numpy as np
import pytest
from attrs import define, evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

import games
import strategies.native
from strategies.native import versions
from strategies.native.fingerprint import fingerprint, reach
from strategies.native.references import ABOVE, globals_in, references
from strategies.native.table_contents import contents, holds_numbers, same
from strategies.native.verification.parity import CheckedInt, checked
from strategies.rules.machine import memory
from tests.strategies.native.counting import Counting

SOURCE = """
from enum import IntEnum
from attrs import frozen
import math

LIMIT = 3
ROW = (1, 2)

class Kind(IntEnum):
    ONE = 1

def helper(x):
    return x + LIMIT

@frozen
class Base:
    def inherited(self, x):
        return x

@frozen
class Rules(Base):
    size: int = 3
    SCALE = 2

    def rule(self, x):
        return helper(x) * self.SCALE + ROW[0] + Kind.ONE

    @property
    def half(self):
        return self.size // 2
"""


def digest_of(source: str) -> str:
    scope: dict[str, Any] = {"__name__": "rules"}
    exec(compile(source, "rules.py", "exec"), scope)
    return fingerprint(scope["Rules"])


def test_comments_and_empty_lines_do_not_count() -> None:
    assert digest_of(SOURCE) == digest_of("\n\n# a comment\n" + SOURCE)


def test_everything_a_rule_reaches_counts() -> None:
    edits = [
        ("LIMIT = 3", "LIMIT = 4"),
        ("ROW = (1, 2)", "ROW = (2, 2)"),
        ("ONE = 1", "ONE = 2"),
        ("return x + LIMIT", "return x - LIMIT"),
        ("        return x\n", "        return -x\n"),
        ("size: int", "size: float"),
        ("= 3\n    SCALE", "= 4\n    SCALE"),
        ("SCALE = 2", "SCALE = 3"),
        ("self.size // 2", "self.size // 3"),
    ]
    seen = {digest_of(SOURCE)}
    for old, new in edits:
        assert old in SOURCE
        seen.add(digest_of(SOURCE.replace(old, new, 1)))
    assert len(seen) == len(edits) + 1


def test_a_global_with_the_name_of_an_attribute_does_not_count() -> None:
    assert digest_of(SOURCE) == digest_of(SOURCE + "size = 5\n") == digest_of(SOURCE + "SCALE = 7")


def test_the_globals_of_a_function_come_from_its_bytecode() -> None:
    found = [f for f in vars(dis).values() if isinstance(f, FunctionType)]
    found += [f for f in vars(inspect).values() if isinstance(f, FunctionType)]
    assert len(found) > 100
    for function in found:
        code, read = function.__code__, ("LOAD_GLOBAL", "LOAD_NAME")
        names = {i.argval for i in dis.get_instructions(code) if i.opname in read}
        assert names == set(globals_in(code.replace(co_consts=())))


def test_a_module_that_is_not_installed_is_left_out() -> None:
    def shown(state: int) -> str:
        try:
            import a_board_that_is_not_installed as board
            from a_board_that_is_not_installed import colours
        except ImportError:
            from math import floor

            return str(floor(state))
        return str(board.draw(state, colours))

    assert [found.name for found in references(shown)] == ["floor"]
    assert fingerprint(shown)


def test_closures_count() -> None:
    def rule(n: int) -> FunctionType:
        return lambda x: x + n  # type: ignore[return-value]

    assert fingerprint(rule(1)) != fingerprint(rule(2))
    assert fingerprint(rule(1)) == fingerprint(rule(1))


def test_checked_ints_convert_ints_in_records_only() -> None:
    @frozen
    class Inner:
        n: int

    @frozen
    class Outer:
        inner: Inner
        row: tuple[int, ...]
        text: str = "a"

    value = Outer(Inner(1), (2, 3))
    twin = checked(value)
    assert twin == value
    assert isinstance(twin.inner.n, CheckedInt)
    assert isinstance(twin.row[1], CheckedInt)
    assert not isinstance(value.inner.n, CheckedInt)


def test_the_key_of_code_on_disk_includes_the_engine_and_its_arithmetic(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cached code must not survive a change of the Python functions that its arithmetic mirrors, or
    of the layout of memory."""
    read = set[Path]()

    def read_bytes(path: Path) -> bytes:
        read.add(path)
        return b""

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    versions.own_sources.__wrapped__()
    native, rules = (Path(package.__path__[0]) for package in (strategies.native, games))
    others = rules / "u64.py", rules / "tuples.py", Path(memory.__file__)
    assert read == {*native.rglob("*.py"), *others}


def test_no_game_of_the_catalogue_depends_on_the_process() -> None:
    """Addresses and hashes differ between processes; keys on disk must not."""
    source = """
import games
from attrs import has
from strategies.native import versions
from strategies.native.fingerprint import fingerprint
for name in sorted(games.__all__):
    value = getattr(games, name)
    if isinstance(value, type) and has(value):
        print(name, fingerprint(value))
print(fingerprint(type(games.with_chance(games.TicTacToe(), 1))))

from strategies import SearchAgent, alphabeta, jamboree, mcts
print(fingerprint(SearchAgent(alphabeta(2), jamboree(0.5))), fingerprint(SearchAgent(mcts(9))))

import enum, re
import numpy
class Place: pass
class Sets(enum.Enum): A = frozenset({"x", "y", "z"})
class Places(enum.Enum): A = Place()
MOVE, NOISE = re.compile("take ([0-9])"), numpy.random.default_rng(5)
def rule(): return Sets.A, Places.A, MOVE, NOISE
print(fingerprint((rule, Sets.A, Places.A, MOVE, NOISE)))
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", source],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in "12"
    }  # fmt: skip
    assert len(found) == 1
    assert found.pop().count("\n") > 20


def test_the_packages_above_the_kernels_exist() -> None:
    assert all(find_spec(name.removesuffix(".")) for name in ABOVE)


def test_attributes_of_members_are_noticed() -> None:
    class Piece(Enum):
        PAWN = 1

        def __init__(self, number: int) -> None:
            self.worth = number

    before = fingerprint(Piece.PAWN)
    assert fingerprint(Piece.PAWN) == before
    Piece.PAWN.worth = 3
    assert fingerprint(Piece.PAWN) != before


def test_code_of_another_version_of_numba_is_not_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = versions.own_sources()
    monkeypatch.setattr(versions, "version", lambda package: "0.0.1")
    kept = versions.own_sources, versions.releases
    for known in kept:
        known.cache_clear()
    try:
        assert versions.own_sources() != before
    finally:
        for known in kept:
            known.cache_clear()


def read_by(body: str, **modules: ModuleType) -> Any:
    """Return a class whose rule has this body, with `modules` as globals."""
    scope: dict[str, Any] = {"__name__": "rules", "frozen": frozen, **modules}
    exec(f"@frozen\nclass Rules:\n    def rule(self, x):\n        {body}\n", scope)
    return scope["Rules"]


@pytest.mark.parametrize(
    "body",
    [
        "return kit.top",
        "return kit.deep.size",
        "import kit; return kit.deep.size",
        "import kit.deep; return kit.deep.size",
        "import kit.deep as near; return near.size",
        "from kit import deep; return deep.size",
        "from kit import top; return top",
    ],
)
def test_a_constant_of_a_module_counts_however_it_is_accessed(
    body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit, deep = ModuleType("kit"), ModuleType("kit.deep")
    kit.deep, kit.top, deep.size, deep.deep = deep, 3, 3, 4  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "kit", kit)
    monkeypatch.setitem(sys.modules, "kit.deep", deep)
    rules = read_by(body, kit=kit)
    before = fingerprint(rules)
    assert fingerprint(rules) == before
    kit.top = deep.size = 5  # type: ignore[attr-defined]
    assert fingerprint(rules) != before


def test_a_constant_of_a_module_that_a_function_closes_over_counts() -> None:
    kit = ModuleType("kit")
    kit.size = 3  # type: ignore[attr-defined]

    def rule(x: int) -> int:
        return int(kit.size)

    before = fingerprint(rule)
    kit.size = 5  # type: ignore[attr-defined]
    assert fingerprint(rule) != before


@pytest.mark.parametrize("value", ["{}j", "slice(0, {})", "range({})"])
def test_constants_that_are_not_numbers_count(value: str) -> None:
    source = "LIMIT = {}\ndef rule(x):\n    return LIMIT\n"
    found = set()
    for n in (3, 5):
        scope: dict[str, Any] = {"__name__": "rules"}
        exec(source.format(value.format(n)), scope)
        found.add(fingerprint(scope["rule"]))
    assert len(found) == 2


def test_an_element_of_an_array_that_is_set_in_place_counts() -> None:
    scope: dict[str, Any] = {"__name__": "rules", "ROW": np.zeros(3)}
    exec("def rule(x):\n    return ROW[0]\n", scope)
    before = fingerprint(scope["rule"])
    scope["ROW"][0] = 5
    assert fingerprint(scope["rule"]) != before


@pytest.mark.parametrize("decorator", ["njit", "njit(inline='always')", "vectorize"])
def test_functions_compiled_by_numba_count_by_their_python_function(decorator: str) -> None:
    source = """
from numba import njit, vectorize
WEIGHT = {}
@{}
def half(x):
    return {} * WEIGHT
def rule(x):
    return half(x)
"""
    found = set()
    for weight, body in (2, "x // 2"), (2, "x // 3"), (3, "x // 3"), (3, "x // 3"):
        scope: dict[str, Any] = {"__name__": "rules"}
        exec(source.format(weight, decorator, body), scope)
        found.add(fingerprint(scope["rule"]))
    assert len(found) == 3


def test_the_field_names_of_a_named_tuple_count() -> None:
    found = set()
    for names in "size depth", "depth size":
        scope: dict[str, Any] = {"__name__": "rules", "LIMITS": namedtuple("Limits", names)(3, 4)}
        exec("def rule(x):\n    return LIMITS.size\n", scope)
        found.add(fingerprint(scope["rule"]))
    assert len(found) == 2


def test_a_function_and_a_value_that_cannot_be_compiled_differ() -> None:
    """A rule that calls a function must not share code with one whose name is no function."""
    found = set()
    for size in len, object(), TestCase():
        scope: dict[str, Any] = {"__name__": "rules", "size": size}
        exec("def rule(x):\n    return size(x)\n", scope)
        found.add(fingerprint(scope["rule"]))
    assert len(found) == 3


@define
class Limits:
    size: int = 3


LIMITS = Limits()


def within(x: int, least: int = 1) -> bool:
    return least <= x < LIMITS.size


def test_a_field_and_a_default_that_are_set_in_place_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = reach(within)
    assert before.holds()
    assert reach(within) is before
    with monkeypatch.context() as changed:
        changed.setattr(LIMITS, "size", 5)
        assert reach(within).digest != before.digest
    with monkeypatch.context() as changed:
        changed.setattr(within, "__defaults__", (2,))
        assert reach(within).digest != before.digest
    assert reach(within).digest == before.digest


def test_a_hook_that_a_game_is_given_later_counts() -> None:
    class Later(Counting):
        pass

    game = frozen(Later)
    before = reach(game)
    game.promise = lambda self, state: 0  # type: ignore[attr-defined]
    assert not before.holds()
    assert reach(game).digest != before.digest


ROWS: Any = st.recursive(
    st.one_of(st.integers(), st.floats(allow_nan=False), st.booleans()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.tuples(inner, inner),
        st.dictionaries(st.integers(), inner, max_size=3),
    ),
)  # fmt: skip


@given(ROWS)
def test_rows_of_numbers_are_tables_unless_they_hold_a_text_or_themselves(row: Any) -> None:
    assert holds_numbers(row)
    assert not holds_numbers([row, {1: [row, "text"]}])
    ring = [row]
    ring.append(ring)
    assert not holds_numbers(ring)


@pytest.mark.parametrize("of", [fingerprint])
def test_the_name_that_attrs_gives_its_evolve_does_not_count(
    monkeypatch: pytest.MonkeyPatch, of: Any
) -> None:
    def step(state: Any) -> Any:
        return evolve(state, a=state.a + 1)

    def same_step() -> Any:  # digests of functions are remembered
        return FunctionType(step.__code__, step.__globals__, "step", None, step.__closure__)

    before = of(same_step())
    monkeypatch.setattr(evolve, "__qualname__", "Other.evolve")
    monkeypatch.setattr(evolve, "__module__", "other")
    assert of(same_step()) == before


@given(ROWS, st.booleans())
def test_the_contents_of_rows_that_hold_each_other_are_compared(row: Any, ring: bool) -> None:
    inner = [row, 0.5]
    table: list[Any] = [inner, {1: inner}]
    if ring:
        inner.append(table)
    before = contents(table)
    assert same(contents(table), before)
    inner[1] = 1.5
    assert not same(contents(table), before)


constants = st.integers(0, 112) | st.sampled_from(["", "1", "11", "1'", 1.5, 11.0, None, True])


@given(st.lists(st.tuples(constants, constants, constants), min_size=2, max_size=20))
def test_rules_with_other_constants_have_another_fingerprint(found: list[Any]) -> None:
    """Also where the same digits stand one after the other, as in 1, 23 and 12, 3."""

    def rule(one: tuple[Any, ...]) -> FunctionType:
        scope: dict[str, Any] = {}
        exec("def rule(x):\n    return x == {!r}, x != {!r}, x < {!r}".format(*one), scope)
        made: FunctionType = scope["rule"]
        return made

    assert len({fingerprint(rule(one)) for one in found}) == len(set(map(repr, found)))


values = st.recursive(
    constants,
    lambda parts: (
        st.lists(parts, max_size=3)
        | st.lists(parts, max_size=3).map(tuple)
        | st.dictionaries(st.sampled_from(["1", "11", "a"]), parts, max_size=2)
    ),
    max_leaves=5,
)


@given(st.lists(values, min_size=2, max_size=30))
def test_other_values_have_another_fingerprint(found: list[Any]) -> None:
    assert len({fingerprint(one) for one in found}) == len(set(map(repr, found)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("worth = {2: 3, 3: 4}.get", "worth = {2: 7, 3: 4}.get"),
        ("worth = [9, 8].index", "worth = [8, 9].index"),
        ("worth = (3).__mul__", "worth = (7).__mul__"),
        ("def worth(n): return n * worth.k\nworth.k = 3", None),
        (
            "@functools.singledispatch\ndef worth(n): return 0\n"
            "@worth.register\ndef _(n: int): return n * 3",
            None,
        ),
        ("D = defaultdict(lambda: 3)\ndef worth(n): return D.default_factory()", None),
        ("V = np.vectorize(lambda n: n * 3)\ndef worth(n): return int(V(n))", None),
        ("V = np.poly1d([3, 0])\ndef worth(n): return int(V(n))", None),
        ("V = np.frompyfunc(lambda n: 3 * n, 1, 1)\ndef worth(n): return V(n)", None),
        ("class M:\n    K = 3\nclass E(M, Enum):\n    A = 1\ndef worth(n): return E.A.K", None),
        ("class E(Enum):\n    A = 1\nE.W = 3\ndef worth(n): return n * E.W", None),
        (
            "class E(Enum):\n    A = 1\n    @property\n    def w(self): return 3\n"
            "def worth(n): return n * E.A.w",
            None,
        ),
        ("from math import sqrt as worth", "from cmath import sqrt as worth"),
        (
            "import math as m\ndef worth(n): return m.sqrt(n)",
            "import cmath as m\ndef worth(n): return m.sqrt(n)",
        ),
        ("def worth(*v): return sum(v)", "def worth(v): return sum(v)"),
        (
            "def worth(n):\n    t = 0\n    try:\n        t = A[n]\n        t += B[n]\n"
            "    except KeyError: pass\n    return t",
            "def worth(n):\n    t = 0\n    try:\n        t = A[n]\n    except KeyError: pass\n"
            "    else:\n        t += B[n]\n    return t",
        ),
    ],
)
def test_whatever_a_rule_reads_is_in_its_fingerprint(one: str, other: str | None) -> None:
    """Without an `other`, it has a 7 in the place of each 3."""

    def digest(text: str) -> str:
        scope: dict[str, Any] = {
            "functools": functools, "defaultdict": defaultdict, "np": np, "Enum": Enum,
            "__name__": "rules", "A": {}, "B": {},
        }  # fmt: skip
        exec(text, scope)

        class Rules:
            worth = staticmethod(scope["worth"])

        return fingerprint(Rules)

    assert digest(one) != digest(one.replace("3", "7") if other is None else other)
    if "frompyfunc" not in one:  # which cannot be taken apart
        assert digest(one) == digest(one)
