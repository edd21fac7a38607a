"""64-bit words, tuples and tables in machine code against the same operations in Python.

Words are compiled twice: in rules, and by Numba in the kernels, which hash with them.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from games.failed import RuleFailed
from games.game import Game, Status
from games.tuples import put
from games.u64 import U64
from strategies import compile_function
from strategies.native.compiler import build
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.control import kernel
from strategies.native.verification.parity import parity
from tests.properties import examples
from tests.strategies.rules.compared import same

assert build  # registers the native forms

WORDS = st.one_of(
    st.sampled_from([0, 1, 2**63 - 1, 2**63, 2**64 - 1]), st.integers(0, 2**64 - 1)
).map(U64)
INTS = st.integers(-(2**63), 2**63 - 1)


def arithmetic(a: Any, b: Any) -> Any:
    return a + b, a - b, a * b, a & b, a | b, a ^ b


def comparisons(a: Any, b: Any) -> Any:
    return a == b, a != b, a < b, a <= b, a > b, a >= b


@cache
def in_a_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    return njit(function)  # type: ignore[no-any-return]


@cache
def in_rules(function: Callable[..., Any]) -> Callable[..., Any]:
    return compile_function(function)


def agree(function: Callable[..., Any], *args: Any) -> None:
    wanted = function(*args)
    for compiled in in_a_kernel, in_rules:
        assert same(compiled(function)(*args), wanted)


@pytest.mark.parametrize("operations", [arithmetic, comparisons])
@examples(60)
@given(a=WORDS, b=WORDS, n=INTS)
def test_binary_operations(operations: Callable[..., Any], a: U64, b: U64, n: int) -> None:
    agree(operations, a, b)
    agree(operations, a, n)
    agree(operations, n, a)


@given(WORDS, WORDS.filter(bool), st.integers(1, 2**63 - 1), st.integers(0, 200))
def test_division_and_shifts(a: U64, b: U64, n: int, shift: int) -> None:
    for divisor in (b, n):
        agree(divided, a, divisor)
    agree(shifted, a, shift)


def divided(a: U64, b: int) -> tuple[U64, U64]:
    return a // b, a % b


def shifted(a: U64, b: int) -> tuple[U64, U64]:
    return a << b, a >> b


def unary(a: U64) -> tuple[U64, U64, int, int, int, bool]:
    return ~a, -a, a.bit_count(), a.lowest(), a.bit_length(), not a


def conversions(a: U64) -> tuple[float, bool, U64]:
    return float(a), bool(a), U64(a)


def in_place(a: U64, b: U64) -> U64:
    a += b
    a ^= b >> 3
    a |= 1
    a <<= 2
    a -= b
    a &= ~b
    a >>= 1
    a *= 3
    return a


def loop(a: U64) -> int:
    total = 0
    while a:
        total += a.lowest()
        a &= a - 1
    return total


def counted(n: int) -> tuple[int, int]:
    return n.bit_count(), n.bit_length()


@given(WORDS, WORDS, INTS.filter(lambda n: n != -(2**63)))
def test_remainders_of_words(a: U64, b: U64, n: int) -> None:
    agree(unary, a)
    agree(conversions, a)
    agree(in_place, a, b)
    agree(loop, a)
    agree(counted, n)


@given(st.integers(0, 2**63 - 1))
def test_int_of_a_word_is_signed(n: int) -> None:
    agree(int_of, U64(n))


def int_of(a: U64) -> int:
    return int(a) - 1


def test_division_by_zero_raises_on_both_engines() -> None:
    for function in (divided, in_a_kernel(divided), in_rules(divided)):
        with pytest.raises(ZeroDivisionError):
            function(U64(3), U64(0))


def replaced(row: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return put(row, index, value)


def element(row: tuple[int, ...], index: int) -> int:
    return row[index]


@given(st.tuples(*[st.integers(-9, 9)] * 4), st.integers(0, 3), st.integers(-9, 9))
def test_tuples(row: tuple[int, ...], index: int, value: int) -> None:
    agree(replaced, row, index, value)
    agree(element, row, index)
    agree(element, row, index - 4)
    words = tuple(map(U64, row))
    agree(replaced, words, index, U64(value))
    assert in_rules(element)(words, U64(index)) == words[index]


@pytest.mark.parametrize("index", [-5, 4, 2**40])
def test_an_index_outside_of_a_tuple_raises(index: int) -> None:
    """Of Numba's own functions, too, though kernels do not check the indices of players."""
    for compiled in in_a_kernel, in_rules:
        with pytest.raises(IndexError):
            compiled(element)((1, 2, 3, 4), index)
        with pytest.raises(IndexError):
            compiled(replaced)((1, 2, 3, 4), index, 5)


@frozen
class Cell:
    at: int


@frozen(eq=False)
class Tables(Game[Cell, int]):
    """A game with tables of every kind as fields."""

    rows: tuple[tuple[float, ...], ...]
    flat: tuple[int, ...]
    words: tuple[U64, ...]
    flags: tuple[bool, ...]
    bytes_: np.ndarray
    cube: np.ndarray

    def start(self) -> Cell:
        return Cell(0)

    def status(self, state: Cell) -> Status:
        return Status.IN_PLAY

    def player(self, state: Cell) -> int:
        return 0

    def moves(self, state: Cell) -> Iterator[int]:
        for k in self.flat:  # noqa: UP028
            yield k

    def make_move(self, state: Cell, move: int) -> Cell:
        return Cell(move)

    def estimate(self, state: Cell) -> float:
        total = 0.0
        for row in self.rows:
            for value in row:
                total = 3 * total + value
        for k in range(len(self.flags)):
            if self.flags[k]:
                total += 100 * k
        if state.at in self.flat and 77 not in self.flat:
            total += 0.5
        total += float(self.words[-1] >> 60) + int(self.bytes_[state.at % 3]) + self.flat[-2]
        return total + float(self.cube[1, state.at % 2, 2]) + float(self.cube[0][1][1])


CUBE = np.arange(12, dtype=np.float32).reshape(2, 2, 3)


def tables(**changes: Any) -> Tables:
    fields: dict[str, Any] = {
        "rows": ((1.5,), (), (2.0, 3.0)),
        "flat": (0, 1, 2),
        "words": (U64(1), U64(2**64 - 1)),
        "flags": (True, False, True),
        "bytes_": np.array([1, 255, 7], dtype=np.uint8),
        "cube": CUBE,
    }
    return Tables(**(fields | changes))


def test_tables_of_every_kind() -> None:
    assert parity(tables(), playouts=2, max_plies=5) == 10
    longer = tables(flat=(0, 1, 2, 1), rows=((4.0,), (5.0, 6.0)))
    found = [engine_for(longer, c).call(answer, Cell(1), 1.0) for c in ("native", "interpreted")]
    assert found[0] == found[1]


@frozen
class Reaching(Tables):
    def estimate(self, state: Cell) -> float:
        return self.flat[state.at - 3] + (5, 6, 7)[state.at - 3]


@pytest.mark.parametrize("choice", ["native", "interpreted"])
def test_an_index_out_of_range_raises_on_both_engines(choice: str) -> None:
    game = Reaching(*(getattr(tables(), name) for name in FIELDS))
    engine = engine_for(game, choice)
    assert [engine.search(Cell(k), 0).value for k in (0, 5)] == [5, 9]
    for index in (-1, 6):
        with pytest.raises(RuleFailed, match="IndexError") as failed:
            engine.search(Cell(index), 0)
        assert isinstance(failed.value.__cause__, IndexError)


FIELDS = ("rows", "flat", "words", "flags", "bytes_", "cube")


@kernel
def answer(game: Game[Any, Any], state: Any, factor: float) -> float:
    return game.estimate(state) * factor


def test_a_user_defined_kernel() -> None:
    game = tables()
    found = [engine_for(game, c).call(answer, Cell(1), 2.0) for c in ("native", "interpreted")]
    assert found[0] == found[1] == 2 * game.estimate(Cell(1))
