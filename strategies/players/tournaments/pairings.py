"""Pairings: the games of a round robin, their random openings, and how to play one of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from attrs import frozen

from games import CHANCE, Game, Record, Status
from games.endings import Ending, ply_limit_of, status_of, utility_of
from games.failed import moves_there
from games.referee import check_move, draw_outcome, play_turn
from graphs.errors import ArgumentError
from strategies.algorithms.positions import start_of
from strategies.native.failures import raise_failure
from strategies.native.memory.cells import Stopped
from strategies.players.game_loop import failure_after, mover
from strategies.players.tournaments.entrants import Seat
from strategies.running.runtime import cancellation


@frozen
class Pairing:
    """A game to be played; its partner has the same opening with swapped seats."""

    game: int
    round: int
    maxie: str
    minnie: str

    @property
    def pair(self) -> tuple[int, int, frozenset[str]]:
        """Return the key that a pairing shares with its partner."""
        return self.game, self.round, frozenset((self.maxie, self.minnie))


def pair_all(games: int, rounds: range, names: list[str]) -> Iterator[Pairing]:
    """Pair all players with each other: in each round and game, twice, with swapped seats."""
    for number in rounds:
        for game in range(games):
            for one, other in combinations(names, 2):
                yield Pairing(game, number, one, other)
                yield Pairing(game, number, other, one)


@frozen
class Finished:
    """A finished game of a tournament; `score` is Maxie's: 1, 0.5 or 0."""

    pairing: Pairing
    record: Record
    opening: int
    """The number of turns of the record that are the opening."""
    status: str
    score: float
    by_luck: bool | None = False
    """Whether chance or a player drew; None if a player may have drawn by itself.  If nothing was
    drawn, the same moves again are no further sample of how the players play."""

    @property
    def moves(self) -> Any:
        """Return what two games share that are the same move for move."""
        seats = self.pairing.game, self.pairing.maxie, self.pairing.minnie
        return *seats, self.record.turns, None if self.by_luck is False else self.pairing.round


def play_pairing(
    game: Game[Any, Any], maxie: Seat, minnie: Seat, opening: Opening, seed: int,
    ply_limit: int | None = None,
) -> tuple[tuple[str | int, ...], str, float, str]:  # fmt: skip
    """Play a game from an opening; return its turns, its status, Maxie's score, what ended it.

    Ensures: chance and random agents draw from `seed`; a numeric result counts by its sign.
    Raises: IllegalMove, which names the player; RuleFailed, with the moves; `Stopped`, when the
    search of this thread is stopped.
    """
    stop, generator = cancellation.current_scope(), Random(f"chance {seed}")
    movers = []
    for seat in (maxie, minnie):
        name, engine = str(seat.entrant), seat.engine
        movers.append((name, engine, mover(seat.agent, engine, stop, seed, name)))
    turns, state, ending = list[str | int](), start_of(game), Ending(game, ply_limit)
    try:
        for turn in opening:
            ending.goes_on(state)
            state = play_turn(game, state, turn)
            turns.append(turn)
        while ending.goes_on(state):
            if stop.is_set:
                raise Stopped("the game was stopped")
            if ending.player == CHANCE:
                turn = draw_outcome(game, state, generator)
                state = play_turn(game, state, turn)
            else:
                name, engine, choose = movers[ending.player]
                move = list(engine.game.moves(state))[choose(state)[0]]
                turn = check_move(game, state, move, name)
                state = game.make_move(state, move)
            turns.append(turn)
        return tuple(turns), *result_of(game, state, ending.ended), ending.ended
    except Exception as error:
        raise_failure(failure_after(game, state, lambda: turns, error), error)


def result_of(game: Game[Any, Any], last: Any, ended: str) -> tuple[str, float]:
    """Return the status of a game that ended at `last`, and Maxie's score: 1, 0.5 or 0.

    >>> from games import TicTacToe
    >>> result_of(TicTacToe(), TicTacToe().start(), "repetition")
    ('DRAW', 0.5)
    """
    value = utility_of(game, last, ended)
    return status_of(game, last, ended).name, 0.5 + (value > 0) / 2 - (value < 0) / 2


TRIES = 50
"""How often to draw again if an opening was drawn before."""

Opening = tuple[str | int, ...]
"""The turns of a `games.referee.Record`: texts of moves, numbers of outcomes."""


def openings(game: Game[Any, Any], count: int, plies: int, seed: int | str) -> tuple[Opening, ...]:
    """Draw `count` openings of `plies` random moves; outcomes of chance do not count as moves.

    Ensures: the game is in play after each.  No two lead to the same position, until `TRIES` tries
    find no new one; then earlier ones may be drawn again.  A larger `count` only adds openings.
    Raises: ValueError if the game ends before.

    >>> from games import TicTacToe
    >>> openings(TicTacToe(), 3, 2, seed=1)
    (('6', '7'), ('8', '7'), ('1', '4'))
    """
    drawn: set[str] = set()
    return tuple(_opening(game, plies, f"{seed} {number}", drawn) for number in range(count))


def _opening(game: Game[Any, Any], plies: int, seed: str, drawn: set[str]) -> Opening:
    found: Opening | None = None
    for attempt in range(TRIES):
        played = _random_turns(game, plies, Random(f"opening {seed} {attempt}"))
        if played is not None:
            found, state = played
            label = game.label(state)
            if label not in drawn:
                drawn.add(label)
                return found
    drawn.clear()  # few new openings are left, so allow earlier ones again
    if found is None:
        raise ArgumentError(f"the game is over within {plies} random plies; use fewer plies")
    return found


def _random_turns(
    game: Game[Any, Any], plies: int, generator: Random
) -> tuple[Opening, Any] | None:
    """Return random turns and the position after them; None if the game is over there."""
    state, turns, made = start_of(game), list[str | int](), 0
    most = plies + ply_limit_of(game)  # chance alone may go on for ever
    try:
        while game.status(state) == Status.IN_PLAY:
            if made == plies or len(turns) == most:
                return tuple(turns), state
            turn: str | int
            if game.player(state) == CHANCE:
                turn = draw_outcome(game, state, generator)
            else:
                moves = moves_there(game, state)
                turn = game.move_text(state, moves[generator.randrange(len(moves))])
                made += 1
            state = play_turn(game, state, turn)
            turns.append(turn)
        return None
    except Exception as error:
        raise_failure(failure_after(game, state, lambda: turns, error), error)
