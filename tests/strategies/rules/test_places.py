"""A refusal points at the line that the user wrote, and names what is wrong there."""

from __future__ import annotations

import contextlib
import functools
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from games import Game, Status, with_repetition
from strategies import alphabeta, engine_for, search
from strategies.native import RuleError
from strategies.rules.language.messages import Refusal
from strategies.rules.language.sources import is_installed
from tests.properties import examples
from tests.strategies.rules.compared import refused


@frozen
class Pile:
    n: int = 6
    more: Any = 0


@frozen
class Piles(Game):
    def start(self) -> Any:
        return Pile()

    def status(self, state: Any) -> Any:
        return Status.IN_PLAY if state.n > 0 else Status.OVER

    def player(self, state: Any) -> Any:
        return state.n % 2

    def moves(self, state: Any) -> Any:
        return [k for k in (1, 2, 3) if k <= state.n]

    def make_move(self, state: Any, move: Any) -> Any:
        return Pile(state.n - move, state.more)

    def utility(self, state: Any) -> Any:
        return 1

    def estimate(self, state: Any) -> Any:
        return state.n


class Row(Sequence[int]):
    def __init__(self, *items: int) -> None:
        self.items = items

    def __getitem__(self, i: Any) -> Any:
        return self.items[i]

    def __len__(self) -> int:
        return len(self.items)


ROW = Row(1, 2)


class CallsLibrary(Piles):
    def estimate(self, state: Any) -> Any:
        n = state.n
        return len(textwrap.wrap("a b", n))


class SetOfMoves(Piles):
    def moves(self, state: Any) -> Any:
        return {k for k in (1, 2, 3) if k <= state.n}


class ReturnsAtTimes(Piles):
    def estimate(self, state: Any) -> Any:  # noqa: RET503 - it is the matter
        if state.n > 2:
            return 3


class ReturnsNone(Piles):
    def utility(self, state: Any) -> Any:
        return None if state.n else 3


class RowInStart(Piles):
    def start(self) -> Any:
        return Pile(6, Row(1, 2))


class LoopsOverRow(Piles):
    def estimate(self, state: Any) -> Any:
        total = 0
        for k in ROW:
            total += k
        return total


class RowInClass(Piles):
    CELLS = ROW

    def estimate(self, state: Any) -> Any:
        return self.CELLS[0]


class CachedMoves(Piles):
    @functools.cache  # noqa: B019 - the method is the matter
    def moves(self, state: Any) -> Any:
        return [1]


class WideStart(Piles):
    def start(self) -> Any:
        return Pile(1 << 64, 3)


class WideTuple(Piles):
    def start(self) -> Any:
        return 3, (2, -(1 << 70))


@frozen
class Handing(Pile):
    def times(self, k: int) -> int:
        return self.n * k

    doubled = functools.partialmethod(times, 2)

    @functools.singledispatchmethod
    def of(self, x: Any) -> int:
        return 0


class HandsOn(Piles):
    def start(self) -> Any:
        return Handing(6)

    def make_move(self, state: Any, move: Any) -> Any:
        return Handing(state.n - move)

    def estimate(self, state: Any) -> Any:
        return state.doubled()


class Chooses(HandsOn):
    def estimate(self, state: Any) -> Any:
        return state.of(state.n)


class GameChooses(Piles):
    of = Handing.__dict__["of"]

    def estimate(self, state: Any) -> Any:
        return self.of(state.n)


class Suppresses(Piles):
    def estimate(self, state: Any) -> Any:
        with contextlib.suppress(KeyError):
            return {1: 2}[state.n]
        return 0


@frozen
class Narrowed(Piles):
    def start(self) -> Any:
        return Pile(6, None)

    def make_move(self, state: Any, move: Any) -> Any:
        return Pile(state.n - move, move)

    def utility(self, state: Any) -> Any:
        assert state.more is not None
        return state.more

    def estimate(self, state: Any) -> Any:
        return 0 if state.more is None else state.more


TOLD: dict[type[Any], tuple[str, str]] = {
    CallsLibrary: ('return len(textwrap.wrap("a b", n))', "the library function called here"),
    SetOfMoves: ("return {k for k in (1, 2, 3) if k <= state.n}", "the order of a set is chance"),
    ReturnsAtTimes: ("def estimate(self", "a path of it ends without `return`"),
    ReturnsNone: ("return None if state.n else 3", "or write `assert … is not None` before"),
    RowInStart: ("return Pile(6, Row(1, 2))", "in Pile.more, a value of the class Row"),
    LoopsOverRow: ("for k in ROW:", "a loop over a Row is not compiled: write a tuple"),
    RowInClass: ("return self.CELLS[0]", "items of Row are not compiled; write a tuple"),
    CachedMoves: ("return [1]", "a cached function returns what can change"),
    WideStart: ("return Pile(1 << 64, 3)", "in Pile.n, an int needs more than 64 bits: use U64"),
    WideTuple: ("return 3, (2, -(1 << 70))", "an int needs more than 64 bits: use U64, several"),
    HandsOn: ("return state.doubled()", "Handing.doubled is not compiled: write a method that"),
    Chooses: ("return state.of(state.n)", "Handing.of is not compiled: write `match`, or `if"),
    GameChooses: ("return self.of(state.n)", "GameChooses.of is not compiled: write `match`, or"),
    Suppresses: ("with contextlib.suppress(KeyError):", "write `try` with `except`"),
}


@pytest.mark.parametrize("cls", TOLD)
def test_the_line_of_the_user_comes_first(cls: Any) -> None:
    line, reason = TOLD[cls]
    told = engine_for(cls()).reason.splitlines()
    assert told[0].startswith(f"{cls.__name__}.")
    assert reason in told[0]
    assert told[1].strip().startswith(line)
    assert told[2].strip() == "^"


def test_a_field_that_is_not_none_is_a_number() -> None:
    assert not engine_for(Narrowed()).reason


def test_the_place_in_a_library_comes_second() -> None:
    told = engine_for(CallsLibrary()).reason.splitlines()
    assert told[2].index("^") == told[1].index("textwrap.wrap(")
    assert "in wrap, line " in told[3]
    assert " of textwrap.py: TextWrapper is not compiled" in told[3]


def test_files_of_libraries_are_known() -> None:
    assert is_installed(textwrap.__file__)
    assert is_installed(np.__file__)
    assert is_installed(str(Refusal.__init__.__code__.co_filename))
    assert not is_installed(__file__)
    assert not is_installed("")


# No line but those that the user wrote


@frozen(eq=False)
class ByRank:
    rank: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByRank) and self.rank == other.rank

    def __hash__(self) -> int:
        return hash(self.rank)


@frozen(eq=False)
class ByIdentity:
    rank: int


@frozen
class Unsigned:
    rank: int = field(eq=abs)


@dataclass(frozen=True)
class HashOfOne:
    rank: int
    more: int = 0

    def __hash__(self) -> int:
        return self.rank


NOT_BY_FIELDS = [ByRank(1), ByIdentity(2), Unsigned(-3), HashOfOne(4)]
ODD = [*NOT_BY_FIELDS, Row(1), np.arange(3), [1], {1: 2}, {3}, 1j]
HELD = st.recursive(
    st.sampled_from(ODD),
    lambda inner: st.one_of(
        st.tuples(inner), st.tuples(st.just(1), inner), st.builds(Pile, st.just(2), inner)
    ),
    max_leaves=3,
)


@frozen
class Holding(Piles):
    held: Any = None
    move: Any = None

    def start(self) -> Any:
        return Pile(6, self.held)

    def moves(self, state: Any) -> Any:
        return [self.move]

    def make_move(self, state: Any, move: Any) -> Any:
        return Pile(state.n - 1, state.more)


OWN_LINES = {line.strip() for line in Path(__file__).read_text("utf-8").splitlines()}


@given(HELD, st.booleans(), st.booleans())
@examples(30)
def test_no_refusal_shows_a_line_that_the_user_did_not_write(
    held: Any, in_move: bool, repeated: bool
) -> None:
    game: Any = Holding(0, held) if in_move else Holding(held, 1)
    shown = engine_for(with_repetition(game) if repeated else game).reason.splitlines()[1:]
    assert all(line.strip(" ^") in OWN_LINES for line in shown), shown


@pytest.mark.parametrize("one", NOT_BY_FIELDS)
def test_the_class_with_an_equality_of_its_own_is_named_with_its_field(one: Any) -> None:
    name = type(one).__name__
    leave = "with an == of its own: leave out `__eq__`, `__hash__`"
    assert (
        f"a state of Holding holds a {name} in Pile.more, {leave}"
        in engine_for(Holding(((one, 1),), 1)).reason
    )
    assert f"a move of Holding is a {name}, {leave}" in engine_for(Holding(0, one)).reason


# Numbers of numpy's in states


class NumpyStart(Piles):
    def start(self) -> Any:
        return Pile(6, (np.int64(3), 1))


TABLE = np.arange(9)


class NumpyLater(Piles):
    def make_move(self, state: Any, move: Any) -> Any:
        return Pile(state.n - move, TABLE[state.n - move])


@pytest.mark.parametrize("cls", [NumpyStart, NumpyLater])
def test_a_number_of_numpy_in_a_state_is_named(cls: Any) -> None:
    with pytest.raises(RuleError, match=r"Pile\.more holds a numpy\.int64.*write int\(…\)"):
        engine_for(cls(), "native").warm()


class DictInState(Piles):
    def make_move(self, state: Any, move: Any) -> Any:
        return Pile(state.n - move, (1, {"a": state.n}))


def test_a_container_in_a_state_is_named() -> None:
    told = engine_for(DictInState()).reason
    assert "let it hold tuples and frozensets" in told
    assert told.endswith("; Pile.more holds a dict[str, int]")


# Rules under `functools.cache`


class CachedRules(Piles):
    @functools.lru_cache(maxsize=7)  # noqa: B019 - the method is the matter
    def estimate(self, state: Any) -> Any:
        return state.n * 3 % 5

    @functools.cache  # noqa: B019 - the method is the matter
    def make_move(self, state: Any, move: Any) -> Any:
        return super().make_move(state, move)


def test_a_rule_may_be_cached() -> None:
    assert engine_for(CachedRules()).reason == ""
    for depth in range(1, 5):
        one, other = (
            search(CachedRules(), alphabeta(depth=depth), engine=how).compute()
            for how in ("native", "interpreted")
        )
        assert (one.value, one.move, one.nodes) == (other.value, other.move, other.nodes)


# What a caught exception holds


def reads_arguments(n: Any) -> Any:
    try:
        raise ValueError(n)
    except ValueError as error:
        return error.args


def test_a_use_of_what_an_exception_holds_is_shown() -> None:
    assert "put it into a variable before the `raise`" in refused(reads_arguments, 1)
