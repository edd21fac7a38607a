"""Caches of functions that call each other: Python's values, and each call is made once."""

from __future__ import annotations

import functools
import itertools
import random
from typing import Any

import pytest
from attrs import frozen

from games import Game, Status
from strategies import engine_for
from tests.strategies.rules.compared import check, function_of

DECORATORS = ("cache", "lru_cache", "lru_cache(8)", "lru_cache(maxsize=None)")
# A call of the next function, by its name: without memory, some would take for ever.
CALLS = (
    "{g}(n - 1) + {g}(n - 2)",
    "{g}(n=n - 1) + {g}(n - 2, k=2)",
    "sum({g}(i) for i in range(n - 2, n))",
    "sum([{g}(i, k=k % 2) for i in (n - 1, n - 2)])",
    "max(map({g}, range(n - 2, n))) + {g}(n - 2)",
    "(lambda i: {g}(i) + {g}(i - 1, 2))(n - 1)",
    "reduce(lambda a, i: a + {g}(i), (n - 1, n - 2), 0)",
)


def _program(chance: random.Random, count: int) -> str:
    """Return cached functions in a chain, or in a circle, and what calls the first one."""
    lines = []
    last = chance.choice(("f0", f"f{count - 1}"))
    for i in range(count):
        g = f"f{i + 1}" if i + 1 < count else last
        call = chance.choice(CALLS).format(g=g)
        own = f" + f{i}(n - 1)" if chance.random() < 0.4 else ""
        lines += [
            f"@{chance.choice(DECORATORS)}",
            f"def f{i}(n, k=1):",
            f"    if n < 2:\n        return n + k + {i}",
            f"    return ({call}{own} + k) % 1000007",
        ]
    return "\n".join([*lines, "def f(n):", "    return f0(n), f0(n, k=2), f0(n % 9)", ""])


@pytest.mark.parametrize(("seed", "count"), list(enumerate([2, 3, 4, 2, 3, 4])))
def test_functions_that_call_each_other_remember_as_python_does(seed: int, count: int) -> None:
    text = _program(random.Random(seed), count)
    f = function_of(text, **vars(functools))
    for made in (v for k, v in f.__globals__.items() if k[:1] == "f" and k[1:].isdigit()):
        made.cache_clear()
    check(f, (70,), (1,), (9,), (33,))


@functools.cache
def is_even(n: int) -> bool:
    return n == 0 or is_odd(n - 1)


@functools.cache
def is_odd(n: int) -> bool:
    return n > 0 and is_even(n - 1)


@functools.lru_cache(8)
def parity(*rows: tuple[int, ...]) -> tuple[str, ...]:
    return tuple("even" if is_even(sum(row)) else "odd" for row in rows)


def parities(n: int) -> Any:
    return [parity((i,), (i, n)) for i in range(n)], parity(), parity((n,) * n)


def test_what_is_remembered_of_each_has_kinds_of_its_own() -> None:
    check(parities, (0,), (5,), (21,))


@frozen
class Cram(Game):
    """Dominoes on a small board: masks and rows of masks are cached, and these ask for those."""

    rows: int = 3
    cols: int = 4

    def start(self) -> tuple[int, int]:
        return 0, 0

    @functools.cache  # noqa: B019 - the method is the matter
    def bit(self, r: int, c: int) -> int:
        return 1 << (r * self.cols + c)

    @functools.cache  # noqa: B019 - the method is the matter
    def pair(self, r: int, c: int, *, down: bool = False) -> int:
        return self.bit(r, c) | (self.bit(r + 1, c) if down else self.bit(c=c + 1, r=r))

    @functools.lru_cache(8)  # noqa: B019 - the method is the matter
    def dominoes(self, down: bool) -> tuple[int, ...]:
        places = ((r, c) for r in range(self.rows - down) for c in range(self.cols - (not down)))
        return tuple(self.pair(r, c, down=down) for r, c in places)

    def status(self, state: tuple[int, int]) -> Status:
        if any(not state[0] & mask for mask in self.dominoes(state[1] == 1)):
            return Status.IN_PLAY
        return Status.MAXIE_WINS if state[1] else Status.MINNIE_WINS

    def player(self, state: tuple[int, int]) -> int:
        return state[1]

    def moves(self, state: tuple[int, int]) -> list[int]:
        return [mask for mask in self.dominoes(state[1] == 1) if not state[0] & mask]

    def make_move(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] | move, 1 - state[1]

    def estimate(self, state: tuple[int, int]) -> int:
        return 0


@pytest.mark.parametrize("shape", [(3, 4), pytest.param((2, 3), marks=pytest.mark.long)])
def test_cached_methods_of_a_game_may_call_each_other(shape: tuple[int, int]) -> None:
    game = Cram(*shape)
    engine = engine_for(game)
    assert engine.native, engine.reason
    counts = [engine.perft(game.start(), depth) for depth in range(4)]
    assert counts == [_count(game, game.start(), depth) for depth in range(4)]


def _count(game: Cram, state: tuple[int, int], depth: int) -> int:
    if depth == 0 or game.status(state) != Status.IN_PLAY:
        return depth == 0
    return sum(_count(game, game.make_move(state, m), depth - 1) for m in game.moves(state))


VALUES = """
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple
import attrs
{head}
    left: int = 0
    turn: int = 0
    @{one}
    def ways(self, n, *, most=2):
        if n < 2:
            return (self.left + n) % 1000007
        return sum(self.ways(n - i, most=most) for i in range(1, most + 1)) % 1000007
    @property
    @{other}
    def row(self):
        return tuple(self.ways(k) for k in range(self.left))
    @classmethod
    @{one}
    def made(cls, n):
        return cls(n, 1) if n < 2 else cls(cls.made(n - 1).left + cls.made(n - 2).left, n)
class Below(Pos):
    @{other}
    def ways(self, n, *, most=2):
        return super().ways(n, most=most) + self.turn
START = Pos(3, 1)
def f(n):
    found = [Pos(k % 3, k % 2).ways(n) for k in range(n % 7)]
    found += [p.ways(n, most=3) for p in (START, Pos(3, 1), Below(3, 1))]
    return found, START.ways(n), Pos(n % 5).row, Below.made(n % 40).left, Pos.ways(START, n)
"""
HEADS = (
    "@attrs.frozen\nclass Pos:",
    "@dataclass(frozen=True)\nclass Pos:",
    "class Pos(NamedTuple):",
)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(
    ("one", "other"),
    [("cache", "lru_cache(8)"), pytest.param("lru_cache", "cache", marks=pytest.mark.long)],
)
def test_cached_methods_of_values_remember_by_value(head: str, one: str, other: str) -> None:
    f = function_of(VALUES.format(head=head, one=one, other=other), __name__=__name__)
    check(f, (3,), (60,), (34,))


NAMED = """
def last(n, a=0, b=0, c=0):
    return n, a, b, c
def named(n, **names):
    if n <= 0:
        return last(n, **names)
    return named(n - 1, {one}) if n % 2 else named(n - 2, {other})
def f(n):
    return named(n), named(n, b=1)
"""
WAYS = ("a=n", "a=2.5", "b=n", "a=n, b=2.5", "b=n, a=1", "**names")


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(WAYS, 2)))
def test_a_function_may_call_itself_with_other_names_of_arguments(one: str, other: str) -> None:
    check(function_of(NAMED.format(one=one, other=other)), (0,), (1,), (6,), (7,))
