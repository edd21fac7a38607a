"""Games that are dataclasses are read as those of attrs."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Iterator

import attrs

from games import MAXIE, Game, Status, with_repetition
from games.laws import check_laws
from strategies import alphabeta, search
from strategies.native.kept_engines import engine_for


class Takeaway(Game[tuple[int, int], int]):
    """Take one of some numbers of tokens; who takes the last wins."""

    tokens: int
    most: tuple[int, ...]

    def start(self) -> tuple[int, int]:
        return self.tokens, 0

    def status(self, state: tuple[int, int]) -> Status:
        if any(n <= state[0] for n in self.most):
            return Status.IN_PLAY
        return Status.MAXIE_WINS if state[1] else Status.MINNIE_WINS

    def player(self, state: tuple[int, int]) -> int:
        return MAXIE + state[1]

    def moves(self, state: tuple[int, int]) -> Iterator[int]:
        return (n for n in self.most if n <= state[0])

    def make_move(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return state[0] - move, 1 - state[1]

    def estimate(self, state: tuple[int, int]) -> int:
        return state[0] % 5


@dataclasses.dataclass(frozen=True)
class Tokens(Takeaway):
    tokens: int = 9
    most: tuple[int, ...] = dataclasses.field(default_factory=lambda: (1, 2, 3))


@attrs.frozen
class OfAttrs(Takeaway):
    tokens: int = 9
    most: tuple[int, ...] = (1, 2, 3)


@dataclasses.dataclass
class Changing(Takeaway):
    tokens: int = 9
    most: tuple[int, ...] = (1, 2, 3)


def test_a_dataclass_is_searched_as_machine_code_like_a_class_of_attrs() -> None:
    found = [
        search(game, alphabeta(6), engine=engine).compute()
        for game in (Tokens(), OfAttrs(), with_repetition(Tokens()))
        for engine in ("native", "interpreted")
    ]
    assert len({(r.value, r.line, r.nodes, r.leaves) for r in found}) == 1
    assert engine_for(Tokens()).native


def test_a_dataclass_keeps_its_own_ways() -> None:
    game = Tokens(tokens=7)
    assert attrs.evolve(game, tokens=9) == Tokens() == dataclasses.replace(game, tokens=9)
    assert pickle.loads(pickle.dumps(game)) == game != Tokens()
    assert repr(game) == "Tokens(tokens=7, most=(1, 2, 3))"
    assert attrs.asdict(game) == dataclasses.asdict(game)


def test_a_dataclass_keeps_the_laws() -> None:
    assert check_laws(Tokens(tokens=5), profile="ci").ok


def test_a_dataclass_that_can_change_is_interpreted() -> None:
    assert engine_for(Changing()).reason == (
        "Changing is no frozen class: decorate it with @dataclass(frozen=True)"
    )
