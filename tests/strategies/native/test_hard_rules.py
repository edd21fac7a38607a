"""Hard rules: a rule has the values of Python in machine code, or is refused in plain words."""

import ctypes
import functools
import random
import warnings
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import pytest
from attrs import field, frozen

from games import TicTacToe
from games.failed import RuleFailed
from games.game import CHANCE, MAXIE, Game, Status
from games.u64 import U64
from strategies import compile_function, solve
from strategies.native.engine import Engine
from strategies.native.errors import RuleError
from strategies.native.kept_engines import engine_for
from tests.strategies.native.counting import At, Counting, mixed
from tests.strategies.rules.compared import check

MACHINERY = (
    *("int64", "float64", "i64", "Tuple(", "iv=", "reflected", "undefined", "Type of", "Literal"),
    *("TypingError", "LLVM", "nopython", "Val(", "Either"),
)
"""Words of the compiler that mean nothing to somebody who writes rules."""


def is_plain(told: str) -> bool:
    return not [word for word in MACHINERY if word in told]


# Games --------------------------------------------------------------------------------------------


@frozen
class Word:
    a: U64


@frozen
class UnknownField(Counting):
    def make_move(self, state: At, move: int) -> At:
        return At(state.b + move)  # type: ignore[attr-defined]


@frozen
class NoneOnOnePath(Counting):
    def make_move(self, state: At, move: int) -> At:
        if move > 1:
            return None  # type: ignore[return-value]
        return At(move)


@frozen
class NoneAtTheEnd(Counting):
    def estimate(self, state: At) -> float:  # type: ignore[return]  # noqa: RET503
        if state.a > 1:
            return 3


@frozen
class TextForStatus(Counting):
    def status(self, state: At) -> Status:
        return "draw"  # type: ignore[return-value]


@frozen
class FloatIntoInt(Counting):
    def make_move(self, state: At, move: int) -> At:
        return At(state.a / 2)  # type: ignore[arg-type]


@frozen
class IntIntoWord(Counting):
    def start(self) -> Word:
        return Word(U64(0))

    def make_move(self, state: Word, move: int) -> Word:
        return Word(move)  # type: ignore[arg-type]


@frozen
class Library(Counting):
    def estimate(self, state: At) -> float:
        return random.choice([1, 1])


@frozen
class Undefined(Counting):
    def estimate(self, state: At) -> float:
        return worth(state)  # type: ignore[name-defined, no-any-return]  # noqa: F821


@frozen
class KeepsFunctions(Counting):
    def estimate(self, state: At) -> float:
        kept = []
        for k in range(3):
            kept.append(lambda x: x * k)  # noqa: B023
        return kept[0](state.a)  # type: ignore[no-any-return]


@frozen
class ByNameOnly(Counting):
    def estimate(self, state: At) -> float:
        def scaled(x: int, least: int = 1, *, by: int, most: int = 9) -> int:
            return x * by

        return scaled(state.a, by=3)


@frozen
class DeletesName(Counting):
    def estimate(self, state: At) -> float:
        a = state.a
        del a
        return 1


@frozen
class AsksNumber(Counting):
    def estimate(self, state: At) -> float:
        return (state.a / 2).is_integer()


@frozen
class SetOfStates(Counting):
    def estimate(self, state: At) -> float:
        seen = {self.start()}
        return state in seen


@frozen
class MixedParts(Counting):
    def estimate(self, state: At) -> float:
        total = 0.0
        for part in (state.a, 2.5):
            total += part
        return total


@frozen
class ReadsText(Counting):
    def estimate(self, state: At) -> float:
        return len(self.name)


WORDS = {"one": 1}
MIXED = [1, None]


def reads_mixed(state: At) -> bool:
    return MIXED[state.a] == 1


def calls_what_reads(state: At) -> int:
    return 1 if reads_mixed(state) else 0


def changes(row: list[int]) -> None:
    row[0] = 1


@frozen
class ListBelow(Counting):
    def estimate(self, state: At) -> float:
        return calls_what_reads(state)


@frozen
class DictOfText(Counting):
    def estimate(self, state: At) -> float:
        return WORDS["one"]


@frozen
class ChangedByAnother(Counting):
    def estimate(self, state: At) -> float:
        row = [0, state.a]
        row[1] += 1
        changes(row)
        return row[0]


@frozen
class LengthUnknown(Counting):
    def estimate(self, state: At) -> float:
        return len(tuple(x for x in (1, 2) if x > state.a))


@frozen
class Row:
    a: tuple[int, ...] = (0, 0)


@frozen
class ListInStart(Counting):
    def start(self) -> Row:
        return Row([0, 0])  # type: ignore[arg-type]


@frozen
class ListInState(Counting):
    def start(self) -> Row:
        return Row()

    def player(self, state: Row) -> int:
        return MAXIE

    def make_move(self, state: Row, move: int) -> Row:
        row = list(state.a)
        row[0] += move
        return Row(row)  # type: ignore[arg-type]


class Pair(NamedTuple):
    a: int


@frozen
class NamedPair(Counting):
    def start(self) -> Pair:
        return Pair(0)


@frozen
class OtherState(Counting):
    def make_move(self, state: At, move: int) -> Any:
        return Word(U64(move))


@frozen
class Late:
    a: int

    def __attrs_post_init__(self) -> None:
        pass


@frozen
class Converted:
    a: int = field(converter=int)


@frozen
class PostInit(Counting):
    def start(self) -> Late:
        return Late(0)

    def make_move(self, state: Late, move: int) -> Late:
        return Late(move)


@frozen
class Converter(Counting):
    def start(self) -> Converted:
        return Converted(0)

    def make_move(self, state: Converted, move: int) -> Converted:
        return Converted(move)


@frozen
class Named:
    a: str


@frozen
class TextInState(Counting):
    def start(self) -> Named:
        return Named("a")


@frozen
class NoRules(Game[At, int]):
    def start(self) -> At:
        return At(0)


@frozen
class Misnamed(Counting):
    def estimate(self, state: At) -> float:
        return At.nothing(state)  # type: ignore[attr-defined, no-any-return]


@frozen
class MixedPromise(TicTacToe):
    def promise(self, child: Any) -> float:
        return 0.5 - child.maxies.lowest()  # type: ignore[no-any-return]


@frozen
class MixedOdds(Counting):
    """A probability is an int where there is one outcome."""

    def player(self, state: At) -> int:
        return CHANCE if state.a % 3 == 0 else MAXIE

    def outcomes(self, state: At) -> Iterator[tuple[float, At]]:
        if state.a > 0:
            yield 1, At(state.a + 1)
        else:
            yield 0.25, At(1)
            yield 0.75, At(2)

    def estimate(self, state: At) -> float:
        return state.a


@frozen
class OddOdds(MixedOdds):
    def outcomes(self, state: At) -> Any:
        yield "always", At(1)


@frozen
class NoOutcomes(MixedOdds):
    def outcomes(self, state: At) -> Any:
        yield At(1)


@frozen
class NoMoves(Counting):
    def moves(self, state: At) -> Any:
        return []


WORTH = np.array([3, -2, 5, 1])


@frozen
class CallsItsBase(Counting):
    """Its rules call those of `Counting` and of `Game` by super(), and value by numpy's numbers."""

    def make_move(self, state: At, move: int) -> At:
        return At(super().make_move(state, move).a + 1)

    def utility(self, state: At) -> float:
        return super().utility(state) + WORTH[state.a % 4]  # type: ignore[no-any-return]

    def estimate(self, state: At) -> float:
        return super().estimate(state) * WORTH[state.a % 4] / 2  # type: ignore[no-any-return]


COMPILED: list[type[Any]] = [
    UnknownField, NoneOnOnePath, FloatIntoInt, IntIntoWord, Undefined, KeepsFunctions, ByNameOnly,
    AsksNumber, SetOfStates, MixedParts, ReadsText, ListBelow, DictOfText, ChangedByAnother,
    LengthUnknown, NamedPair, OtherState, PostInit, Converter, Misnamed,
]  # fmt: skip
REFUSED: dict[type[Any], tuple[str, str, str]] = {
    NoneAtTheEnd: ("NoneAtTheEnd.estimate returns None or int, not a number", "", ""),
    TextForStatus: ("TextForStatus.status returns str, not a Status", "", ""),
    Library: (
        "Library.estimate, line ",
        "return random.choice([1, 1])",
        "choice is not compiled: a rule must give the same each time it is called",
    ),
    DeletesName: ("DeletesName.estimate, line ", "del a", "this `del` is not compiled"),
    ListInStart: ("a state of ListInStart is a Row, which rules", "", "let it hold tuples"),
    ListInState: ("a state of ListInState is a Row, which rules", "", "let it hold tuples"),
    TextInState: ("Counting.player, line ", "return MAXIE", "building a text is not compiled"),
    OddOdds: ("OddOdds.outcomes yields (str, At), not a probability and a state", "", ""),
    NoOutcomes: ("NoOutcomes.outcomes yields At, not a tuple of two", "", ""),
    NoMoves: ("NoMoves.moves yields nothing", "", ""),
    NoRules: ("NoRules does not define status, which every game needs", "", ""),
}
"""What is told of a game: the rule, its line and the reason."""


def outcome(engine: Engine, depth: int) -> Any:
    """Return the value of a search and the type of the value, or the failure."""
    try:
        found = engine.call(mixed, engine.game.start(), depth)
    except Exception as error:
        return type(error)
    return found, type(found)


def agree(game: Any) -> bool:
    engines = [engine_for(game, choice) for choice in ("auto", "interpreted")]
    return all(len({outcome(e, depth) for e in engines}) == 1 for depth in range(4))


@pytest.mark.parametrize("game", COMPILED)
def test_a_game_has_the_values_of_python_in_machine_code(game: Any) -> None:
    assert agree(game())
    assert engine_for(game()).reason == ""


@pytest.mark.parametrize("game", REFUSED)
def test_a_game_that_is_refused_is_interpreted_and_says_why(game: Any) -> None:
    rule, line, reason = REFUSED[game]
    with pytest.raises(RuleError) as refused:
        engine_for(game(), "native").warm()
    told = str(refused.value)
    assert told.startswith(rule)
    assert line in told
    assert reason in told
    assert is_plain(told)
    assert engine_for(game()).reason == told
    assert agree(game())


def test_values_of_numpy_are_numbers_of_python_on_both_engines() -> None:
    fast, slow = (engine_for(CallsItsBase(), choice) for choice in ("native", "interpreted"))
    for depth in range(4):
        found, wanted = (engine.search(At(0), depth) for engine in (fast, slow))
        assert found == wanted
        assert type(wanted.value) is type(found.value)


def test_probabilities_may_be_ints_and_floats() -> None:
    fast, slow = (engine_for(MixedOdds(), choice) for choice in ("native", "interpreted"))
    for depth in range(5):
        assert fast.search(At(0), depth) == slow.search(At(0), depth)


def test_the_innermost_function_is_named_where_a_rule_fails() -> None:
    told = []
    for choice in "native", "interpreted":
        with pytest.raises(RuleFailed, match=r"estimate failed .* IndexError") as failed:
            engine_for(ListBelow(), choice).search(At(0), 3)
        told.append(failed.value.moves)
        assert isinstance(failed.value.__cause__, IndexError)
    assert told[0] == told[1]


def test_a_hook_of_mixed_numbers_is_compiled() -> None:
    fast, slow = (
        solve(MixedPromise(), engine=how, memory="64kB") for how in ("native", "interpreted")
    )
    assert (fast.value, fast.nodes) == (slow.value, slow.nodes)


def hooked(hook: str, gives: Any) -> Any:
    """Return a game in which a hook gives something."""

    def rule(self: Any, state: Any) -> Any:
        return gives

    return frozen(type("Hooked", (TicTacToe,), {hook: rule}))()


@pytest.mark.parametrize(
    ("hook", "gives", "told"),
    [
        ("key", "abc", "returns str, not a 64-bit integer"),
        ("key", 0.5, "returns float, not a 64-bit integer"),
        ("promise", None, "returns None, not a number"),
        ("bounds", 5, "returns int, not a tuple of two numbers"),
        ("bounds", (1, 2, 3), "not a tuple of two numbers"),
        ("bounds", (1, None), "not a tuple of two numbers"),
    ],
)
def test_a_hook_that_gives_something_wrong_is_named(hook: str, gives: Any, told: str) -> None:
    with pytest.raises(RuleError) as refused:
        solve(hooked(hook, gives), engine="native", memory="4kB")
    assert str(refused.value).startswith(f"Hooked.{hook} returns ")
    assert told in str(refused.value)
    assert is_plain(str(refused.value))
    with pytest.raises(RuleFailed, match=f"^{hook} failed "):
        solve(hooked(hook, gives), memory="4kB")


# Functions ----------------------------------------------------------------------------------------


def grown_part(t: Any, m: int) -> Any:
    return t[:m] + (t[m],) + t[m + 2 :]  # noqa: RUF005 - as written


def broken_part(t: Any, m: int) -> Any:
    return (*t[:m], t[m] / 2, *t[m + 1 :])


def short_and_long(t: Any, m: int) -> Any:
    row = [m, 2]
    if m > 3:
        row = [m, 2, 3]
    return row[-1]


def ints_and_pairs(t: Any, m: int) -> Any:
    row = [m, 2] if m > 3 else [(m, 1), (2, 3)]
    return row[-1]


def int_then_float(t: Any, m: int) -> Any:
    row = [m, 2]
    if m > 3:
        row = [0.5, 2]  # type: ignore[list-item]
    return row[-1]


def short_and_long_tuples(t: Any, m: int) -> Any:
    return ((1, 0.5), (2, 0.5)) if m == 1 else ((0, 0.25), (2, 0.25), (3, 0.5))


def one_or_two(t: Any, m: int) -> Any:
    return m if m > 3 else (m, 2)


def asks_itself(t: Any, m: int) -> Any:
    def factorial(k: int) -> int:
        return 1 if k < 2 else k * factorial(k - 1)

    return factorial(m)


def asks_each_other(t: Any, m: int) -> Any:
    even = lambda k: k == 0 or odd(k - 1)  # type: ignore[has-type]  # noqa: E731
    odd = lambda k: k != 0 and even(k - 1)  # type: ignore[no-untyped-call]  # noqa: E731
    return even(m)  # type: ignore[no-untyped-call]


def empty_set(t: Any, m: int) -> Any:
    seen: set[int] = set()
    return m in seen


def late(x: int, *, y: int = 3, z: int) -> int:
    return x - y * z


def asks_late(t: Any, m: int) -> Any:
    return late(m, z=2)


def beyond(t: Any, m: int) -> Any:
    return t[7]


def pairs_of(row: Any, more: int = 3) -> Iterator[int]:
    yield from [x for x in row if x > more]


def by_name(t: Any, m: int) -> Any:
    return sum(pairs_of(t, more=m))


def counts_halves(t: Any, m: int) -> Any:
    counts: dict[int, float] = {}
    for x in t:
        counts[x] = counts.get(x, 0) + x / 2
    return max(counts.values())


def reads_an_empty_dict(t: Any, m: int) -> Any:
    counts: dict[int, int] = {}
    for x in t:
        counts[x] = counts.get(x, len(counts)) + 1
    return max(counts.values())


MANY = 2**70


def spelled(t: Any, m: int) -> Any:
    return len(f"{m:3}")


def large_literal(t: Any, m: int) -> Any:
    return m < 1180591620717411303424


def large_power(t: Any, m: int) -> Any:
    return min(m, 10**40)


def large_global(t: Any, m: int) -> Any:
    return m < MANY


def hash_of_a_row(t: Any, m: int) -> Any:
    h = 1469598103934665603
    for x in t:
        h = ((h ^ x) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return h % 1009


SHORT = np.array([200, 3, 0], dtype=np.uint8)
HALF = np.array([0.1, 3], dtype=np.float32)


def wraps_around(t: Any, m: int) -> Any:
    return SHORT[m] - 1 < 0


def rounds(t: Any, m: int) -> Any:
    return HALF[0] == 0.1


def prints(t: Any, m: int) -> Any:
    print(m)
    return m


def same_object(t: Any, m: int) -> Any:
    pair = (m, 1)
    return 1 if pair is (m, 1) else 0


def slice_and_tuple(t: Any, m: int) -> Any:
    return t[m : m + 2] == (1, 2)


def folds(t: Any, m: int) -> Any:
    return functools.reduce(lambda a, b: a * 3 + b, t, m)


def reads_around(t: Any, m: int) -> Any:
    def more(x: int) -> int:
        return x + m

    return sum(map(more, t))


class Cell(IntEnum):
    EMPTY = 0
    FULL = 1


def member_of(t: Any, m: int) -> Any:
    return Cell(m % 2)


def directions(m: int) -> list[int]:
    if abs(m) == 2:
        return [1, -1]
    return [1, 1] if m > 0 else [-1, -1]


def by_the_name_of_int(t: Any, m: int) -> Any:
    return sum(int.bit_count(x) for x in t)


def asks_for_directions(t: Any, m: int) -> Any:
    return sum(directions(m))


def asks_the_system(t: Any, m: int) -> Any:
    return SYSTEMS(m)


SYSTEMS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(abs)


def reads_first(t: Any, m: int) -> Any:
    total, seen = 0, {}  # type: ignore[var-annotated]
    for x in t:
        total += seen.get(x, 0)
        seen[x] = 1
    return total


def makes_an_array(t: Any, m: int) -> Any:
    made = np.zeros(3)
    made[m] = 1.5
    return float(made.sum())


COMPILED_FUNCTIONS = [
    grown_part, broken_part, short_and_long, ints_and_pairs, int_then_float, short_and_long_tuples,
    one_or_two, asks_itself, asks_each_other, empty_set, asks_late, beyond, by_name, counts_halves,
    reads_an_empty_dict, large_literal, large_power, large_global, slice_and_tuple, folds,
    reads_around, member_of, by_the_name_of_int, asks_for_directions, reads_first,
]  # fmt: skip
REFUSED_FUNCTIONS = {
    spelled: ("return len(f", "building a text is not compiled"),
    hash_of_a_row: ("h = ((h ^ x)", "an int of more than 64 bits meets int; write U64(…)"),
    wraps_around: (
        "return SHORT[m]",
        "this operation of a numpy.uint8 is not compiled; write int(…)",
    ),
    rounds: ("return HALF[0]", "this operation of a numpy.float32 is not compiled; write float(…)"),
    prints: ("print(m)", "print is not compiled: leave it out, or look at the rules while they"),
    same_object: ("pair is", "tuples and records have no identity; compare them with `==`"),
    asks_the_system: ("return SYSTEMS(m)", "a CFunctionType is not compiled"),
    makes_an_array: ("np.zeros(3)", "zeros is not compiled: arrays may be read, not made"),
}
"""What is told of a function: its line and the reason."""
CALLS = [(t, m) for t in ((1, 2, 3, 4, 5), (2, 4, 3, 2, 5), (0,) * 5) for m in (0, 1, 2, 4)]


@pytest.mark.parametrize("rule", COMPILED_FUNCTIONS)
def test_a_function_has_the_values_of_python_in_machine_code(rule: Callable[..., Any]) -> None:
    check(rule, *CALLS)


@frozen
class Row5:
    t: tuple[int, ...] = (1, 2, 3, 4, 5)


def asking(rule: Callable[..., Any]) -> Any:
    """Return a game whose estimate calls a function."""

    @frozen
    class Asks(Counting):
        def start(self) -> Row5:
            return Row5()

        def player(self, state: Row5) -> int:
            return MAXIE

        def make_move(self, state: Row5, move: int) -> Row5:
            return Row5(state.t)

        def estimate(self, state: Row5) -> float:
            return 1.0 if rule(state.t, state.t[0]) else 0.0

    return Asks()


@pytest.mark.parametrize("rule", REFUSED_FUNCTIONS)
def test_a_function_that_is_refused_says_why(rule: Callable[..., Any]) -> None:
    line, reason = REFUSED_FUNCTIONS[rule]
    with pytest.raises(RuleError) as refused:
        compile_function(rule)(*CALLS[0])
    told = str(refused.value)
    where, shown, caret = told.splitlines()
    assert where.startswith(f"{rule.__name__}, line ")
    assert reason in where
    assert line in shown
    assert caret.strip() == "^"
    assert is_plain(told)
    engine = engine_for(asking(rule))
    assert engine.reason == told
    assert agree(engine.game)


def test_warnings_of_the_compiler_are_suppressed() -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert engine_for(asking(reads_first), "native").warm().native
    assert not heard
