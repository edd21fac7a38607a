"""Games over a graph with cycles, in which nobody ever wins, and players that follow it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen
from hypothesis import strategies as st

from games import CHANCE, Game, Status


@frozen
class Token:
    """A place, and the player to move."""

    place: int = 0
    turn: int = 0


@frozen
class Cycle(Game[Token, int]):
    """A token moves along arrows, by one player after the other; at some places chance moves it."""

    ways: tuple[tuple[int, ...], ...]
    luck: tuple[int, ...] = ()
    players: int = 2  # type: ignore[misc]
    value_range = (-9, 9)

    def start(self) -> Token:
        return Token()

    def status(self, state: Token) -> Status:
        return Status.IN_PLAY

    def player(self, state: Token) -> int:
        return CHANCE if state.place in self.luck else state.turn

    def moves(self, state: Token) -> Iterator[int]:
        if state.place not in self.luck:
            yield from range(len(self.ways[state.place]))

    def make_move(self, state: Token, move: int) -> Token:
        return Token(self.ways[state.place][move], (state.turn + 1) % self.players)

    def outcomes(self, state: Token) -> Iterator[tuple[float, Token]]:
        ways = self.ways[state.place]
        for place in ways:
            yield 1 / len(ways), Token(place, state.turn)

    def estimate(self, state: Token) -> Any:
        return 1 if self.players <= 2 else (1,) * self.players


class Mover:
    """An agent that plays the move of one number in every position."""

    name = "mover"

    def __init__(self, number: int) -> None:
        self.number = number

    def next_move(self, game: Any, state: Token) -> int:
        return self.number % len(list(game.moves(state)))


@st.composite
def cycles(draw: st.DrawFn, luck: bool = True, players: int = 3) -> Cycle:
    """Draw a game over up to six places."""
    size = draw(st.integers(1, 6))
    places = st.integers(0, size - 1)
    ways = draw(st.lists(st.lists(places, min_size=1, max_size=3), min_size=size, max_size=size))
    lucky = draw(st.sets(places, max_size=2)) if luck else ()
    return Cycle(tuple(map(tuple, ways)), tuple(lucky), draw(st.integers(1, players)))
