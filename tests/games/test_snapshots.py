"""What was begun with a game goes on with its rules as they were, whatever is done to the game."""

from __future__ import annotations

import dataclasses
import gc
import re
import threading
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar

import attrs
import numpy as np
import pytest

from games import Game, RandomAgent, TicTacToe, play, with_repetition
from games.snapshots import is_same, snapshot
from graphs.errors import ArgumentError
from strategies import (
    EndgameTable,
    Result,
    SearchAgent,
    alphabeta,
    endgame_table,
    mcts,
    par_list,
    search,
    solve,
    tournament,
)
from strategies.native import kept_snapshots
from tests.games.test_fields import Changing, Defined, Listed, Plain, Slotted, Takeaway

CHANGEABLE: list[type[Takeaway]] = [Changing, Defined, Plain, Listed, Slotted]


LAZY: Any = partial(search, algorithm=alphabeta(9), using=par_list, engine="interpreted")
SAMPLED: Any = partial(search, algorithm=mcts(40), engine="interpreted")
BEGUN: dict[str, Callable[[Any], Any]] = {
    "search": LAZY,
    "result": lambda game: LAZY(game).compute(num_workers=1),
    "mcts": SAMPLED,
    "sampled": lambda game: SAMPLED(game).compute(),
    "solution": lambda game: solve(game, engine="interpreted", line=9),
    "record": lambda game: play(game, RandomAgent(1), RandomAgent(2)),
    "table": lambda game: endgame_table(game, engine="interpreted"),
}


def told(begun: Any) -> str:
    """Return what a result says of its game: texts and pictures, without times and addresses."""
    found = begun.compute(num_workers=1) if hasattr(begun, "compute") else begun
    texts = [repr(getattr(found, name, "")) for name in ("game", "line", "move", "value")]
    if isinstance(found, EndgameTable):
        texts = [repr(found.game), *map(repr, found.moves(found.game.start()))]
    elif isinstance(found, Result):
        texts += [repr(found.values()), str(found.draw("tree").svg)]
    return re.sub(r"[0-9.]+ (µs|ms|s|ns)\b", "", " ".join(texts))


def change(game: Any) -> None:
    game.tokens = 8
    if isinstance(game.most, list):
        game.most[1:] = []
    else:
        game.most = (2, 3)


@pytest.mark.parametrize("what", BEGUN)
@pytest.mark.parametrize("kind", CHANGEABLE)
def test_what_was_begun_keeps_the_game(kind: type[Takeaway], what: str) -> None:
    game, same = kind(), kind()
    begun, wanted = BEGUN[what](game), BEGUN[what](same)
    change(game)
    assert told(begun) == told(wanted)


def test_a_transform_keeps_the_game_inside() -> None:
    inner = Plain()
    outer = with_repetition(inner)
    kept = snapshot(outer)
    assert kept == outer
    assert kept is not outer
    change(inner)
    assert kept.game == Plain()
    frozen = with_repetition(TicTacToe())
    assert snapshot(frozen) is frozen


def test_the_table_of_a_game_that_has_changed_is_refused(tmp_path: Path) -> None:
    game = Listed()
    table = endgame_table(game, engine="interpreted")
    change(game)
    with pytest.raises(ArgumentError, match="the endgame table is of Listed"):
        search(game, alphabeta(3), endgame=table)
    table.save(tmp_path / "table.npz")
    assert EndgameTable.load(tmp_path / "table.npz", Listed()).value((9, 0)) == table.value((9, 0))
    with pytest.raises(ArgumentError, match="of another game"):
        EndgameTable.load(tmp_path / "table.npz", game)


def test_an_agent_grows_a_new_tree_for_a_game_that_has_changed() -> None:
    game, agent = Listed(), SearchAgent(mcts(50, reuse=True), engine="interpreted")
    agent.next_move(game, game.start())
    change(game)
    assert agent.next_move(game, game.start()) in game.most


def test_a_tournament_keeps_the_game() -> None:
    game = Plain()
    played = tournament(game, ["random", alphabeta(1)], rounds=1)
    change(game)
    assert played.games == (Plain(),)


class Counted(Plain):
    """A game that counts how often it has computed what it computes once."""

    times: ClassVar[list[int]] = []

    @cached_property
    def modulo(self) -> int:
        self.times.append(0)
        return 3

    def estimate(self, state: tuple[int, int]) -> int:
        return state[0] % self.modulo


def test_searches_of_a_game_compute_once() -> None:
    game = Counted()
    for _ in range(3):
        search(game, alphabeta(3), engine="interpreted").compute()
    before = len(Counted.times)
    assert before > 0
    for _ in range(3):
        search(game, alphabeta(3), engine="interpreted").compute()
    assert len(Counted.times) == before


class Held:
    """An object that a game may hold, and that can change."""

    def __init__(self, n: int) -> None:
        self.n = n


class Row(list[int]):
    """A list with an attribute."""

    n = 0


def as_row(n: int) -> Row:
    made = Row()
    made.n = n
    return made


HOLDERS: dict[str, tuple[Callable[[int], Any], Callable[[Any], int], Callable[[Any, int], None]]]
HOLDERS = {
    "object": (Held, lambda h: int(h.n), lambda h, n: setattr(h, "n", n)),
    "namespace": (
        lambda n: SimpleNamespace(n=n), lambda h: int(h.n), lambda h, n: setattr(h, "n", n),
    ),
    "object in a dict": (
        lambda n: {"a": Held(n)}, lambda h: int(h["a"].n), lambda h, n: setattr(h["a"], "n", n),
    ),
    "list in a list": (
        lambda n: [[n]], lambda h: int(h[0][0]), lambda h, n: h[0].__setitem__(0, n),
    ),
    "array": (np.array, int, lambda h, n: h.fill(n)),
    "array of objects": (
        lambda n: np.array([Held(n), None]), lambda h: int(h[0].n),
        lambda h, n: setattr(h[0], "n", n),
    ),
    "list with an attribute": (as_row, lambda h: int(h.n), lambda h, n: setattr(h, "n", n)),
    "random generator": (
        Random, lambda h: Random(h.getstate()[1][0]).randrange(2, 4), lambda h, n: h.seed(n),
    ),
}  # fmt: skip


class InAClass(Takeaway):
    def __init__(self, held: Any, read: Any) -> None:
        self.tokens, self.most, self.held, self.read = 9, (1, 2, 3), held, read

    def moves(self, state: tuple[int, int]) -> Iterator[int]:
        return (n for n in range(1, self.read(self.held) + 1) if n <= state[0])


@attrs.define(eq=False)
class InAttrs(Takeaway):
    held: Any
    read: Any
    tokens: int = 9
    most: tuple[int, ...] = (1, 2, 3)
    moves = InAClass.moves  # type: ignore[assignment]


@dataclasses.dataclass
class InADataclass(Takeaway):
    held: Any
    read: Any
    tokens: int = 9
    most: tuple[int, ...] = (1, 2, 3)
    moves = InAClass.moves  # type: ignore[assignment]


@pytest.mark.parametrize("what", HOLDERS)
@pytest.mark.parametrize("kind", [InAClass, InAttrs, InADataclass])
def test_a_change_of_anything_in_a_game_is_seen(kind: Any, what: str) -> None:
    make, read, write = HOLDERS[what]

    def found(game: Any) -> Any:
        result = search(game, alphabeta(6), engine="interpreted").compute()
        return result.value, result.nodes

    wanted = {n: found(kind(make(n), read)) for n in (2, 3)}
    game = kind(make(3), read)
    lazy = search(game, alphabeta(6), engine="interpreted")
    assert found(game) == wanted[3]
    write(game.held, 2)
    assert found(game) == wanted[2]
    result = lazy.compute()
    assert (result.value, result.nodes) == wanted[3]


@pytest.mark.parametrize("what", [w for w in HOLDERS if w != "list with an attribute"])
@pytest.mark.parametrize("kind", [InAClass, InAttrs, InADataclass])
def test_a_game_is_the_one_of_its_table_until_it_changes(kind: Any, what: str) -> None:
    make, read, write = HOLDERS[what]
    game = kind(make(3), read)
    table = endgame_table(game, engine="interpreted")
    assert is_same(game, snapshot(game))
    search(game, alphabeta(2), endgame=table, engine="interpreted").compute()
    write(game.held, 2)
    with pytest.raises(ArgumentError, match="the endgame table is of"):
        search(game, alphabeta(2), endgame=table)


class Wanting(Plain):
    """A game whose class needs an argument, so that `copy.copy` cannot make one."""

    def __new__(cls, tokens: int) -> Any:
        return super().__new__(cls)


def test_a_game_that_cannot_be_copied_is_searched_itself() -> None:
    game = Wanting(9)
    assert snapshot(game) is game
    assert solve(game, engine="interpreted").value == solve(Plain(), engine="interpreted").value


def test_a_copy_is_kept_as_long_as_its_game() -> None:
    game, known = Plain(), set(kept_snapshots._known)
    kept = kept_snapshots.kept_snapshot(game)
    assert kept_snapshots.kept_snapshot(game) is kept
    assert set(kept_snapshots._known) - known == {id(game)}
    del game
    gc.collect()
    assert set(kept_snapshots._known) <= known


class Odd(Plain):
    """A game with what cannot be copied, and that holds itself."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()
        self.whole = [self]


def test_what_cannot_be_copied_is_shared() -> None:
    game = Odd()
    kept: Any = snapshot(game)
    assert kept is not game
    assert kept.lock is game.lock
    assert kept.whole == [kept]


def test_a_frozen_game_is_its_own_snapshot() -> None:
    @attrs.frozen
    class Inside(TicTacToe):
        more: Any = None

    for game in TicTacToe(), Inside(), Inside(TicTacToe()):
        assert snapshot(game) is game
    assert isinstance(snapshot(Inside(Plain())), Game)
