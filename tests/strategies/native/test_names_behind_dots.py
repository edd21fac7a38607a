"""Rules that access a module or class by name: `kit.step(x)`, `Counting.moves(self, state)`."""

import linecache
import sys
from collections.abc import Callable, Iterator
from enum import IntEnum
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve, frozen

from strategies import alphabeta, search
from strategies.native.kept_engines import engine_for
from tests.strategies.native.counting import At, Counting, mixed
from tests.strategies.rules.compared import check


def module_of(name: str, text: str) -> ModuleType:
    """Return a module of a text, which is where the source of its functions is read."""
    made, file = ModuleType(name), f"<{name}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compile(text, file, "exec"), vars(made))
    return made


kit = module_of(
    "kit",
    """
from enum import IntEnum
from attrs import frozen

WIDTHS = [3, 1, 4]

class Colour(IntEnum):
    RED = 7

@frozen
class Pair:
    a: int
    b: int

def rows(n):
    for i in range(n):
        yield i * i

def odd(n):
    return [i for i in range(n) if i % 2]
""",
)
deep = module_of("kit.deep", "def twice(x):\n    return 2 * x\n")
kit.deep, kit.kit = deep, kit  # type: ignore[attr-defined]


class Colour(IntEnum):
    RED = 7


@frozen
class Board:
    a: int
    b: int = 2
    SIZE = 5
    TURN = Colour.RED

    def plus(self, n: int, times: int = 1) -> "Board":
        return evolve(self, a=self.a + n * times)

    @staticmethod
    def clipped(n: int, low: int = -2, high: int = 2) -> int:
        return max(low, min(high, n))


def of_a_module(n: Any) -> Any:
    return kit.deep.twice(n) + kit.WIDTHS[n % 3] + kit.Colour.RED + kit.Pair(n, 5).b


def of_its_lists_and_generators(n: Any) -> Any:
    total = 0
    for i in kit.rows(n):
        total = total * 3 + i
    return total + sum(kit.odd(n)) + kit.kit.deep.twice(1)


def imported_in_the_rule(n: Any) -> Any:
    import kit.deep as near

    return near.twice(n)


def closes_over_a_module() -> Callable[[Any], Any]:
    near = deep
    return lambda n: near.twice(n) + 1


def of_a_class(n: Any) -> Any:
    return Board.clipped(n, high=3) * 100 + Board.plus(Board(n), 4, times=2).a + Board.SIZE


def of_a_class_and_its_enum(n: Any) -> Any:
    return Board.TURN + n


@pytest.mark.parametrize(
    "rule",
    [
        of_a_module,
        of_its_lists_and_generators,
        imported_in_the_rule,
        closes_over_a_module(),
        of_a_class,
        of_a_class_and_its_enum,
    ],
)
def test_attributes_of_modules_and_classes_compile(
    rule: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "kit", kit)
    monkeypatch.setitem(sys.modules, "kit.deep", deep)
    check(rule, (0,), (1,), (5,))


@frozen
class Sparing(Counting):
    """A game whose rules call those of its base class by name."""

    def moves(self, state: At) -> Iterator[int]:
        for move in Counting.moves(self, state):
            if move != 1:
                yield move

    def make_move(self, state: At, move: int) -> At:
        reached: At = Counting.make_move(self, state, move)
        return At(reached.a + 1)

    def estimate(self, state: At) -> float:
        return Counting.estimate(self, state) + state.a % 5


def test_rules_call_those_of_their_base_class_by_name() -> None:
    game = Sparing()
    assert search(game, alphabeta(4), engine="interpreted").compute().value == 4
    engines = [engine_for(game, choice) for choice in ("native", "interpreted")]
    found = [engine.call(mixed, game.start(), 4) for engine in engines]
    assert found[0] == found[1] != 0
    assert engines[0].perft(game.start(), 4) == engines[1].perft(game.start(), 4) == 16


@frozen
class Stack:
    a: int
    more: tuple[int, int, int] = (5, 7, 11)

    def total(self, n: int) -> int:
        if n == 0:
            return self.a
        return self.more[n - 1] + self.total(n - 1)


@frozen
class Recursive(Counting):
    """A game and a state with methods that call themselves."""

    def start(self) -> Stack:
        return Stack(0)

    def make_move(self, state: Stack, move: int) -> Stack:
        return evolve(state, a=state.a + move + 1)

    def filled(self, at: int, seen: set[int]) -> int:
        if at < 0 or at > 9 or at in seen:
            return 0
        seen.add(at)
        return 1 + self.filled(at - 2, seen) + self.filled(at + 3, seen)

    def estimate(self, state: Stack) -> float:
        seen = {-1}
        return 10 * state.total(state.a % 4) + self.filled(state.a % 10, seen)


@frozen
class Overriding(Recursive):
    def filled(self, at: int, seen: set[int]) -> int:
        return 2 * Recursive.filled(self, at, seen)


@pytest.mark.parametrize("game", [Recursive(), Overriding()])
def test_methods_may_call_themselves_or_those_that_override_them(game: Counting) -> None:
    engines = [engine_for(game, choice) for choice in ("native", "interpreted")]
    found = [engine.call(mixed, game.start(), 4) for engine in engines]
    assert found[0] == found[1] != 0
