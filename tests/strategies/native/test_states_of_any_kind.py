"""A state may be any value that does not change: engines agree, whatever it is."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from attrs import frozen

from games import Game, Status
from games.u64 import U64
from strategies import alphabeta, mcts, search
from strategies.native.hooks import hash_of, stack_array_size
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.control import kernel
from strategies.native.memory.cells import cells
from tests.strategies.native.counting import mixed

LAST = 5


@frozen
class Sums(Game[Any, Any]):
    """Two players add 1 or 2 in turn, `LAST` times; a subclass says how a state holds the sum."""

    def made(self, total: int, ply: int) -> Any:
        raise NotImplementedError

    def total(self, state: Any) -> int:
        raise NotImplementedError

    def ply(self, state: Any) -> int:
        raise NotImplementedError

    def start(self) -> Any:
        return self.made(0, 0)

    def status(self, state: Any) -> Status:
        return Status.OVER if self.ply(state) >= LAST else Status.IN_PLAY

    def player(self, state: Any) -> int:
        return self.ply(state) % 2

    def moves(self, state: Any) -> Iterator[Any]:
        yield 1
        if self.total(state) % 3:
            yield 2

    def make_move(self, state: Any, move: Any) -> Any:
        return self.made(self.total(state) + move, self.ply(state) + 1)

    def estimate(self, state: Any) -> float:
        return (7 * self.total(state)) % 11 - 5

    def utility(self, state: Any) -> float:
        return self.estimate(state)


@frozen
class Pairs(Sums):
    def made(self, total: int, ply: int) -> Any:
        return total, ply

    def total(self, state: Any) -> int:
        return state[0]  # type: ignore[no-any-return]

    def ply(self, state: Any) -> int:
        return state[1]  # type: ignore[no-any-return]


@frozen
class PairsAsMoves(Pairs):
    """Moves are tuples of the kind of its states."""

    def moves(self, state: Any) -> Iterator[Any]:
        for step in super().moves(state):
            yield step, 0

    def make_move(self, state: Any, move: Any) -> Any:
        return super().make_move(state, move[0])


@frozen
class Halves(Pairs):
    """Its sum is a float, which is an int at the start."""

    def make_move(self, state: Any, move: Any) -> Any:
        return state[0] + move / 1, state[1] + 1

    def total(self, state: Any) -> int:
        return int(state[0])


@frozen
class Paths(Sums):
    """The steps so far, in a tuple of any length inside of a tuple."""

    def made(self, total: int, ply: int) -> Any:
        return (), 0

    def make_move(self, state: Any, move: Any) -> Any:
        return (*state[0], move), state[1] + 1

    def total(self, state: Any) -> int:
        return sum(state[0])

    def ply(self, state: Any) -> int:
        return state[1]  # type: ignore[no-any-return]


@frozen
class Flat(Paths):
    """The steps so far alone."""

    def made(self, total: int, ply: int) -> Any:
        return ()

    def make_move(self, state: Any, move: Any) -> Any:
        return (*state, move)

    def total(self, state: Any) -> int:
        return sum(state)

    def ply(self, state: Any) -> int:
        return len(state)


@frozen
class Steps(Flat):
    """The steps so far, each with its number; the first is none."""

    def made(self, total: int, ply: int) -> Any:
        return ((0, 0),)

    def make_move(self, state: Any, move: Any) -> Any:
        return (*state, (move, len(state)))

    def total(self, state: Any) -> int:
        return sum(step for step, _ in state)

    def ply(self, state: Any) -> int:
        return len(state) - 1


@frozen
class Numbers(Sums):
    """One int holds all."""

    def made(self, total: int, ply: int) -> Any:
        return 10 * total + ply

    def total(self, state: Any) -> int:
        return state // 10  # type: ignore[no-any-return]

    def ply(self, state: Any) -> int:
        return state % 10  # type: ignore[no-any-return]


@frozen
class Words(Numbers):
    def made(self, total: int, ply: int) -> Any:
        return U64(10 * total + ply)

    def total(self, state: Any) -> int:
        return int(state) // 10

    def ply(self, state: Any) -> int:
        return int(state) % 10


class Held(NamedTuple):
    total: int
    ply: int


@dataclass(frozen=True)
class Data:
    total: int
    ply: int
    mark: Any = None


class Step(enum.Enum):
    ONE = 1
    TWO = 2


@frozen
class Named(Sums):
    def made(self, total: int, ply: int) -> Any:
        return Held(total, ply)

    def total(self, state: Any) -> int:
        return state.total  # type: ignore[no-any-return]

    def ply(self, state: Any) -> int:
        return state.ply  # type: ignore[no-any-return]


@frozen
class Marked(Named):
    """A record with a text or None; moves are members."""

    def made(self, total: int, ply: int) -> Any:
        return Data(total, ply, "odd" if total % 2 else None)

    def moves(self, state: Any) -> Iterator[Any]:
        yield Step.ONE
        if state.mark is None:
            yield Step.TWO

    def make_move(self, state: Any, move: Any) -> Any:
        return self.made(state.total + move.value, state.ply + 1)


class Mark(enum.StrEnum):
    ODD = "odd"
    EVEN = "even"


@frozen
class MarkedByText(Marked):
    """A record with a member that is a text, which moves are, too."""

    def made(self, total: int, ply: int) -> Any:
        return Data(total, ply, Mark.ODD if total % 2 else Mark.EVEN)

    def moves(self, state: Any) -> Iterator[Any]:
        yield Mark.ODD
        if state.mark == "even":
            yield Mark.EVEN

    def make_move(self, state: Any, move: Any) -> Any:
        return self.made(state.total + len(move) - 2, state.ply + 1)


class Bits(enum.Flag):
    A = 1
    B = 2


class Add(enum.IntFlag):
    ONE = 1
    TWO = 2


@frozen
class MarkedByFlags(Marked):
    """A record with flags; moves are flags that are ints."""

    def made(self, total: int, ply: int) -> Any:
        return Data(total, ply, Bits.A | Bits.B if total % 3 else ~Bits.A)

    def moves(self, state: Any) -> Iterator[Any]:
        yield Add.ONE
        if Bits.A in state.mark:
            yield Add.ONE | Add.TWO

    def make_move(self, state: Any, move: Any) -> Any:
        return self.made(state.total + move, state.ply + 1)


@frozen
class Sets(Sums):
    """A set of pairs, one for each ply."""

    def made(self, total: int, ply: int) -> Any:
        return frozenset({(total, ply)})

    def make_move(self, state: Any, move: Any) -> Any:
        return state | {(move, len(state))}

    def total(self, state: Any) -> int:
        return sum(step for step, _ in state)

    def ply(self, state: Any) -> int:
        return len(state) - 1


@frozen
class Spelled(Sums):
    """A text that is made holds all; so does each move."""

    def made(self, total: int, ply: int) -> Any:
        return f"{total}/{ply}"

    def total(self, state: Any) -> int:
        return int(state.split("/")[0])

    def ply(self, state: Any) -> int:
        return int(state[state.index("/") + 1 :])

    def moves(self, state: Any) -> Iterator[Any]:
        for step in super().moves(state):
            yield "+" + str(step)

    def make_move(self, state: Any, move: Any) -> Any:
        return super().make_move(state, int(move[1:]))


@frozen
class SpelledInParts(Sums):
    """A record with a text that is made, or None; one with letters of another text."""

    def made(self, total: int, ply: int) -> Any:
        return Data(total, ply, "o" * total if total else None)

    def total(self, state: Any) -> int:
        return 0 if state.mark is None else len(state.mark)

    def ply(self, state: Any) -> int:
        return state.ply  # type: ignore[no-any-return]


@frozen
class SetsOfTexts(Sums):
    """A set of texts, one for each ply, among which a constant is."""

    def made(self, total: int, ply: int) -> Any:
        return frozenset({"-"})

    def make_move(self, state: Any, move: Any) -> Any:
        return state | {f"{len(state)}{'+' * move}"}

    def total(self, state: Any) -> int:
        return sum(len(text) - 1 for text in state)

    def ply(self, state: Any) -> int:
        return len(state) - 1


@frozen
class Lines(Paths):
    """The steps so far, in a tuple of texts of which some are constants."""

    def make_move(self, state: Any, move: Any) -> Any:
        return (*state[0], "one" if move == 1 else "t" + "wo"[: len(state[0]) + 2]), state[1] + 1

    def total(self, state: Any) -> int:
        return sum(2 - (text == "one") for text in state[0])


class Other:
    """A place for a class of the same name as another's."""

    @frozen
    class Data:
        step: int


@frozen
class Letters(Sums):
    """A text that grows by moves, which are constants."""

    def made(self, total: int, ply: int) -> Any:
        return ""

    def moves(self, state: Any) -> Iterator[Any]:
        for step in super().moves(state):
            yield "a" if step == 1 else "bb"

    def make_move(self, state: Any, move: Any) -> Any:
        return state + move + "."

    def total(self, state: Any) -> int:
        return len(state) - state.count(".")

    def ply(self, state: Any) -> int:
        return state.count(".")  # type: ignore[no-any-return]


@frozen
class SameNames(Sums):
    """A state and a move whose classes are called the same."""

    def made(self, total: int, ply: int) -> Any:
        return Data(total, ply, None)

    def moves(self, state: Any) -> Iterator[Any]:
        for step in super().moves(state):
            yield Other.Data(step)

    def make_move(self, state: Any, move: Any) -> Any:
        return super().make_move(state, move.step)

    def total(self, state: Any) -> int:
        return state.total  # type: ignore[no-any-return]

    def ply(self, state: Any) -> int:
        return state.ply  # type: ignore[no-any-return]


class Nine(NamedTuple):
    a: int
    b: int
    c: int = 0
    d: int = 0
    e: int = 0
    f: int = 0
    g: int = 0
    h: int = 0
    i: int = 0


NINE = Nine(0, 0)


@dataclass(frozen=True)
class Rows:
    total: int
    ply: int
    row: tuple[int, int, int, int] = (0, 0, 0, 0)
    nine: Nine = NINE


@frozen
class Wide(Named):
    """A record of many numbers."""

    def made(self, total: int, ply: int) -> Any:
        return Rows(total, ply)


GAMES = [
    Pairs(), PairsAsMoves(), Halves(), Paths(), Flat(), Steps(), Numbers(), Words(), Named(),
    Marked(), MarkedByText(), MarkedByFlags(), Sets(), Spelled(), SpelledInParts(), SetsOfTexts(),
    Lines(), Letters(), SameNames(),
]  # fmt: skip


@kernel
def walked(game: Sums, state: Any, control: Any) -> Any:
    """Return the last move, where it leads, a number of all below, and one of the hashes there.

    It compiles in a fraction of the time of a search.
    """
    words, left = U64(0), 0
    for move in game.moves(state):
        words = words * 3 + hash_of(game, game.make_move(state, move))
        left += 1
    number = mixed(game, state, 4)
    for move in game.moves(state):
        left -= 1
        if left == 0:
            return move, game.make_move(state, move), number, int(words >> 1)
    raise IndexError("no moves")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_engines_agree_whatever_a_state_is(game: Any) -> None:
    """Also on a state's hash, which is all that a table needs to know of it."""
    fast, slow = (engine_for(game, choice) for choice in ("native", "interpreted"))
    for plies in range(2):
        state = slow.playout(game.start(), 1, plies)[0]
        found, wanted = (engine.call(walked, state, cells(1)) for engine in (fast, slow))
        assert found == wanted
        assert [*map(type, found)] == [*map(type, wanted)]


@kernel
def room(game: Wide, state: Rows, control: Any) -> int:
    return stack_array_size(state)


def test_a_node_of_wide_states_keeps_as_many_branches_on_both_engines() -> None:
    found = [
        engine_for(Wide(), choice).call(room, Rows(0, 0), cells(1))
        for choice in ("native", "interpreted")
    ]
    assert found == [512 // 15, 512 // 15]


@pytest.mark.long  # texts and sets run under most kernels in test_first_written and test_made_texts
@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_engines_agree_under_every_kernel(game: Any) -> None:
    fast, slow = (engine_for(game, choice) for choice in ("native", "interpreted"))
    start = game.start()
    assert fast.perft(start, LAST) == slow.perft(start, LAST)
    assert [fast.search(start, d) for d in range(4)] == [slow.search(start, d) for d in range(4)]
    assert [fast.playout(start, seed) for seed in range(5)] == [
        slow.playout(start, seed) for seed in range(5)
    ]
    for algorithm in mcts(50), alphabeta(4, table="64kB"):
        one, other = (search(game, algorithm, engine=e.choice).compute() for e in (fast, slow))
        assert (one.value, one.move, one.nodes) == (other.value, other.move, other.nodes)
