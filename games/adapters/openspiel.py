"""Games of OpenSpiel with perfect information, in which one player moves at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from attrs import field, frozen

from games.adapters.missing import library
from games.game import MAXIE, WIN, Game, Status
from graphs.arguments import check_kind, shown
from graphs.errors import MalformedError


@cache
def loaded(name: str) -> Any:
    """Load the game of OpenSpiel with a name such as ``hex(board_size=3)``.

    Raises: ValueError, one line, if it does not exist or cannot be searched.
    """
    check_kind(str, "the name of a game of OpenSpiel", name=name)
    pyspiel = library("pyspiel", "open_spiel")
    try:
        with _unheard():
            game = pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        said = str(error).split(". Available games")[0].splitlines()[0]
        raise MalformedError(f"OpenSpiel has no game {shown(name)}: {said}") from None
    why = refusal(pyspiel, game)
    if why:
        raise MalformedError(f"{name}: {why}")
    return game


@contextmanager
def _unheard() -> Iterator[None]:
    """Suppress what OpenSpiel writes to the standard error besides raising an exception."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def refusal(pyspiel: Any, game: Any) -> str:
    """Return why a game of OpenSpiel cannot be searched here; empty if it can."""
    kind = game.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return "players move at the same time; only games with one mover at a time can be searched"
    if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        return "players do not see everything; only games of perfect information can be searched"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "chance draws with unknown probabilities, which a search needs"
    sums = pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM
    if game.num_players() == 2 and kind.utility not in sums:
        return "the interests of its two players are not opposed, as a search assumes"
    return ""


def replayed(name: str, history: tuple[int, ...]) -> Position:
    """Replay actions from the start, outcomes of chance among them, to the position after them."""
    live = loaded(name).new_initial_state()
    for action in history:
        live.apply_action(action)
    return Position(history, name, live)


@frozen
class Position:
    """A position as its history, which is what is pickled; OpenSpiel's state is never changed."""

    history: tuple[int, ...]
    name: str = field(eq=False, repr=False)
    live: Any = field(eq=False, repr=False)
    """OpenSpiel's state, which must not be changed."""

    def __reduce__(self) -> tuple[Any, ...]:
        return replayed, (self.name, self.history)


@frozen
class OpenSpiel(Game[Position, int]):
    """A game of OpenSpiel, by its name there; a move is OpenSpiel's number of the action.

    Player 0 is Maxie, 1 Minnie.  In a game without chance and with returns from -1 to 1, a return
    of 1 is Maxie's win, -1 Minnie's; otherwise the return is the utility, a tuple of returns with
    more than two players.  The estimate is the return so far if the game has intermediate rewards,
    else 0; derive a class with another, which may read ``state.live``.

    Requires: perfect information, one mover at a time, known probabilities, and opposed interests
    of two players; or ValueError, also if OpenSpiel is not installed.
    The rules run interpreted and hold Python's lock; for parallel searches, use processes.
    Source: Lanctot and others, OpenSpiel (2019).
    """

    native = False

    name: str = "tic_tac_toe"

    def __attrs_post_init__(self) -> None:
        loaded(self.name)

    @classmethod
    def of(cls, name: str = "tic_tac_toe", **parameters: Any) -> OpenSpiel:
        """Return the game of a name with parameters, as ``OpenSpiel.of("hex", board_size=3)``."""
        given = ",".join(f"{key}={value}" for key, value in parameters.items())
        return cls(f"{name}({given})" if given else name)

    @property
    def players(self) -> int:  # type: ignore[override]  # OpenSpiel knows it, the class does not
        return int(loaded(self.name).num_players())

    @property
    def decisive(self) -> bool:
        """Return whether the game is about winning, not about a number."""
        game = loaded(self.name)
        bounds = game.min_utility(), game.max_utility()
        return self.players == 2 and bounds == (-1, 1) and not self.has_chance

    @property
    def has_chance(self) -> bool:
        """Return whether chance moves in the game."""
        kind = loaded(self.name).get_type()
        return bool(kind.chance_mode == type(kind.chance_mode).EXPLICIT_STOCHASTIC)

    @property
    def value_range(self) -> tuple[float, float]:  # type: ignore[override]
        if self.decisive:
            return -WIN, WIN
        game = loaded(self.name)
        return float(game.min_utility()), float(game.max_utility())

    @property
    def max_plies(self) -> int:
        """Return a bound of the plies of a play, moves and outcomes."""
        game = loaded(self.name)
        return int(game.max_game_length()) + int(game.max_chance_nodes_in_history())

    def start(self) -> Position:
        return replayed(self.name, ())

    def status(self, state: Position) -> Status:
        if not state.live.is_terminal():
            return Status.IN_PLAY
        if not self.decisive:
            return Status.OVER
        gain = state.live.returns()[0]
        named = {1: Status.MAXIE_WINS, 0: Status.DRAW, -1: Status.MINNIE_WINS}
        return named.get(gain, Status.OVER)

    def player(self, state: Position) -> int:
        return MAXIE if state.live.is_terminal() else int(state.live.current_player())

    def moves(self, state: Position) -> Iterator[int]:
        if not state.live.is_terminal() and not state.live.is_chance_node():
            yield from state.live.legal_actions()

    def make_move(self, state: Position, move: int) -> Position:
        live = state.live.clone()
        live.apply_action(move)
        return Position((*state.history, move), self.name, live)

    def outcomes(self, state: Position) -> Iterator[tuple[float, Position]]:
        for action, probability in state.live.chance_outcomes():
            if probability > 0:
                yield probability, self.make_move(state, action)

    def estimate(self, state: Position) -> Any:
        kind = loaded(self.name).get_type()
        paid = kind.reward_model == type(kind.reward_model).REWARDS
        return self.payoff(state) if paid else (0,) * self.players if self.players > 2 else 0

    def utility(self, state: Position) -> Any:
        if self.status(state) != Status.OVER:
            return super().utility(state)
        return self.payoff(state)

    def payoff(self, state: Position) -> Any:
        """Return the payoff so far: Maxie's, or that of each of three players or more."""
        paid = tuple(map(float, state.live.returns()))
        return paid if self.players > 2 else paid[0]

    # For people ---------------------------------------------------------------------------------

    def show(self, state: Position) -> str:
        return str(state.live).rstrip("\n")

    def label(self, state: Position) -> str:
        return "-".join(map(str, state.history)) or "start"

    def move_text(self, state: Position, move: int) -> str:
        return "".join(str(state.live.action_to_string(move)).split())

    def parse_outcome(self, state: Position, text: str) -> Position:
        """Read an outcome by its name in OpenSpiel, or by its number or label."""
        word = "".join(text.split())
        for action, probability in state.live.chance_outcomes():
            if probability > 0 and self.move_text(state, action) == word:
                return self.make_move(state, action)
        return super().parse_outcome(state, text)
