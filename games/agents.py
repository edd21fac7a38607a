"""Agents: the protocol, an agent that moves at random, and a person at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from attrs import field, frozen

from games.failed import moves_there
from games.game import Game
from graphs.arguments import check_integers, check_kind, checked_by


class Agent(Protocol):
    """The protocol of an agent, which chooses moves; records use its attribute `name`, if any."""

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        """Choose a legal move of `state`, which is in play."""


def name_of(agent: object) -> str:
    """Return the name of an agent, the same on each run: its attribute `name`, or its text if its
    class defines one, or the name of its class.

    >>> name_of(RandomAgent(3))
    'random'
    """
    named = getattr(agent, "name", None)
    if named is not None:
        return str(named)
    kind = type(agent)
    told = kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__
    return str(agent) if told else kind.__name__


class Leave(Exception):
    """Raised by an agent that leaves the game; the referee then ends it."""


def typed(prompt: str) -> str:
    """Read a line like `input`; a closed input counts as its end."""
    if sys.stdin is None:
        raise EOFError
    return input(prompt)


NAMED = checked_by(check_kind, str, "a text, such as 'ann'")


@frozen
class RandomAgent:
    """An agent that draws a legal move at random, always the same one in the same position.

    >>> from games import TicTacToe
    >>> game, agent = TicTacToe(), RandomAgent(seed=7)
    >>> agent.next_move(game, game.start()) == agent.next_move(game, game.start())
    True
    """

    seed: int = field(default=0, validator=checked_by(check_integers))
    name: str = field(default="random", validator=NAMED)

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        return Random(f"{self.seed} {game.label(state)}").choice(moves_there(game, state))


@frozen
class HumanAgent:
    """The agent of a person at the terminal, who sees the position and types a legal move.

    Raises: `Leave` at the end of the input (Ctrl-D) and at Ctrl-C.
    """

    name: str = field(default="human", validator=NAMED)
    read: Callable[[str], str] = field(default=typed, repr=False)
    write: Callable[[str], Any] = field(default=print, repr=False)

    def next_move(self, game: Game[Any, Any], state: Any) -> Any:
        texts = (game.move_text(state, move) for move in game.moves(state))
        self.write(game.show(state))
        self.write(f"legal moves: {' '.join(texts)}")
        while True:
            try:
                return game.parse_move(state, self.read(f"{self.name}> "))
            except (EOFError, KeyboardInterrupt):
                self.write("")
                raise Leave(f"{self.name} left the game") from None
            except ValueError as error:
                self.write(str(error))
