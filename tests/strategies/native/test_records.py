"""States in machine code: private fields, copies with other fields, and what `==` compares."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import pytest
from attrs import evolve, field, frozen

from games import MAXIE, Game, Status
from strategies import alphabeta, engine_for, search
from tests.strategies.native.compiled import compiled
from tests.strategies.rules.compared import check, refused


@frozen
class Private:
    x: int
    _y: int = 3


KNOWN = Private(7, 8)


def made(a: int, b: int) -> Any:
    return Private(a, b)._y, Private(a)._y, Private(a).x, KNOWN._y


def copied(a: int, b: int) -> Any:
    first = evolve(Private(a, b), y=a + 5)
    second = evolve(Private(a, b), x=b + 5)
    return first.x, first._y, second.x, second._y


def compared(a: int, b: int) -> Any:
    return Private(1, a) == Private(1, b), Private(1, a) != Private(1, b), Private(a, b) == KNOWN


@pytest.mark.parametrize("rule", [made, copied, compared])
def test_private_fields_are_kept(rule: Any) -> None:
    native = compiled(rule)
    for a, b in [(4, 6), (5, 5), (7, 8), (0, 3)]:
        assert native(a, b) == rule(a, b)


@frozen
class Pile:
    left: int
    _turn: int


@frozen
class Take(Game[Pile, int]):
    """The player who takes the last of nine wins; a private field has the player to move."""

    def start(self) -> Pile:
        return Pile(9, 0)

    def status(self, state: Pile) -> Status:
        if state.left > 0:
            return Status.IN_PLAY
        return Status.MAXIE_WINS if state._turn == 1 else Status.MINNIE_WINS

    def player(self, state: Pile) -> int:
        return state._turn

    def moves(self, state: Pile) -> Any:
        yield from range(1, min(3, state.left) + 1)

    def make_move(self, state: Pile, move: int) -> Pile:
        return Pile(state.left - move, 1 - state._turn)

    def estimate(self, state: Pile) -> int:
        return 0


def test_both_engines_agree_on_a_state_with_a_private_field() -> None:
    found = [
        search(Take(), alphabeta(5), engine=engine).compute(num_workers=1)
        for engine in ("native", "interpreted")
    ]  # type: ignore[arg-type]
    native, interpreted = ((r.value, r.move, r.nodes, r.line) for r in found)
    assert native == interpreted
    assert found[0].value > 0


@frozen
class Pair:
    older: int
    younger: Pile


@frozen
class Piles:
    rows: tuple[tuple[Pair, int], int]
    turn: int


@frozen
class Nested(Game[Piles, int]):
    """Records in tuples in records."""

    def start(self) -> Piles:
        return Piles(((Pair(1, Pile(2, 3)), 4), 5), 0)

    def status(self, state: Piles) -> Status:
        return Status.IN_PLAY if state.turn < 3 else Status.DRAW

    def player(self, state: Piles) -> int:
        return state.turn % 2

    def moves(self, state: Piles) -> Any:
        yield from range(2)

    def make_move(self, state: Piles, move: int) -> Piles:
        pair = state.rows[0][0]
        return Piles(((Pair(move, Pile(pair.older, move)), 6), 7), state.turn + 1)

    def estimate(self, state: Piles) -> int:
        return state.rows[0][0].younger.left


def test_a_state_with_records_in_tuples_is_returned_unchanged() -> None:
    game = Nested()
    state = engine_for(game, "native").branch(game.start(), 1)
    assert state == game.make_move(game.start(), 1)
    assert isinstance(state.rows[0][0].younger, Pile)


class Phase(IntEnum):
    OPEN = 0
    OVER = 1


@frozen
class Heap:
    left: int = 2
    turn: int = MAXIE
    phase: Phase = field(default=Phase.OPEN, kw_only=True)
    _seen: tuple[Phase, ...] = (Phase.OVER, Phase.OPEN)


@frozen
class Phases(Game[Heap, int]):
    """States with a keyword-only field and with members of an enumeration."""

    def start(self) -> Heap:
        return Heap()

    def status(self, state: Heap) -> Status:
        return Status.DRAW if state.phase is Phase.OVER else Status.IN_PLAY

    def player(self, state: Heap) -> int:
        return 0

    def moves(self, state: Heap) -> Any:
        yield 1

    def make_move(self, state: Heap, move: int) -> Heap:
        left = state.left - move
        turn = 1 - state.turn  # an int, though the first one is a member of an enumeration
        return evolve(state, left=left, turn=turn, phase=Phase.OPEN if left else Phase.OVER)

    def estimate(self, state: Heap) -> int:
        return 0


def test_members_of_an_enumeration_come_back_as_such() -> None:
    game = Phases()
    for choice in ("native", "interpreted"):
        last, plies = engine_for(game, choice).playout(game.start(), seed=1)
        assert repr(last) == repr(Heap(0, 0, phase=Phase.OVER))
        assert (plies, game.status(last)) == (2, Status.DRAW)


@frozen
class ByParity:
    x: int = field(eq=lambda value: value % 2)


@frozen(eq=False)
class ByThree:
    x: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ByThree) and self.x % 3 == other.x % 3

    __hash__ = None  # type: ignore[assignment]


@frozen(eq=False)
class ByIdentity:
    x: int


def same_by_parity(a: int, b: int) -> Any:
    return ByParity(a) == ByParity(b), (ByParity(a), 1) != (ByParity(b), 1)


def same_by_three(a: int, b: int) -> Any:
    return ByThree(a) == ByThree(b), ByThree(a) != ByThree(b)


def in_a_row(a: int, b: int) -> bool:
    return (ByThree(a), 1) == (ByThree(b), 1)


def by_identity(a: int, b: int) -> bool:
    return ByIdentity(a) == ByIdentity(b)


@pytest.mark.parametrize("rule", [same_by_parity, same_by_three])
def test_a_class_compares_as_it_says(rule: Any) -> None:
    check(rule, *((a, b) for a in range(4) for b in range(4)))


def test_the_equality_of_a_class_is_refused_where_it_has_none_or_is_out_of_sight() -> None:
    assert refused(by_identity, 1, 1) == (
        "ByIdentity has no == of its fields, and records have no identity"
    )
    assert refused(in_a_row, 1, 1) == (
        "an own == of ByThree is compiled only where it stands itself, not in containers: "
        "write a key in its place, such as x.x"
    )


@frozen
class Checked:
    x: int = field(converter=int)


def test_a_copy_is_made_as_in_python() -> None:
    def other(a: int) -> int:
        return evolve(Private(a, a), z=1).x  # type: ignore[call-arg]

    def converted(a: float) -> int:
        return evolve(CHECKED, x=a).x

    check(other, (1,))
    check(converted, (1,), (2.5,), (True,))


CHECKED = Checked(1)


@frozen
class Sized:
    """A default comes before a field that is computed."""

    size: int = 4
    area: int = field(init=False)

    @area.default
    def _area(self) -> int:
        return self.size * self.size

    def half(self, by: int) -> int:
        return self.area // by


@frozen
class ByName:
    x: int = 1
    y: int = field(kw_only=True)


SIZED = Sized(6)


def test_a_rule_calls_a_function_of_a_class_by_its_name() -> None:
    def asked(by: int) -> int:
        return Sized.half(SIZED, by) + SIZED.half(by)

    assert compiled(asked)(2) == asked(2) == 36


def test_a_default_is_computed_of_the_fields_before_it() -> None:
    def computed(a: int) -> Any:
        return Sized(a).area, Sized().area, Sized(a)

    check(computed, (1,), (-3,))


def test_arguments_that_need_a_name_bind_as_in_python() -> None:
    def named(a: int) -> tuple[int, ...]:
        first, second = ByName(a, y=2), ByName(y=a)
        return first.x, first.y, second.x, second.y

    def unnamed(a: int) -> int:
        return ByName(a, 2).y  # type: ignore[misc]

    def left_out(a: int) -> int:
        return ByName(a).y  # type: ignore[call-arg]

    for rule in named, unnamed, left_out:
        check(rule, (1,), (5,))
