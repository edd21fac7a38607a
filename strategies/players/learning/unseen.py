"""Plays test games with learned weights, which were never learned from."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any, Final

import numpy as np

from games import CHANCE, MAXIE, Game, Status
from games.endings import PLIES, RULES, Ending, utility_of
from games.failed import moves_there
from games.networks.trainee import Rows, trainee
from strategies.native.calls.learning import Check, best_child, play_greedily
from strategies.native.engine import Engine
from strategies.native.memory.cells import Stop, Stopped
from strategies.players.learning.result import Learned
from strategies.players.tournaments.elo import Interval, mean_of, score_interval
from strategies.running.runtime.aside import interruptible

UNSEEN: Final = 1 << 40
"""The number of the first test game, above the numbers of all games of learning."""
OPENING: Final = 6
"""The most random moves at the start of a test game between two players."""


def play_unseen(
    found: Learned, games: int, seed: int = 0, engine: str = "auto"
) -> list[dict[str, float]]:
    """Play games that were never learned from, each move to the best value after it; measure them.

    Returns: for each game that differs, its utility and its `Game.metrics`; without chance, all
    games are the same.
    Raises: KeyboardInterrupt.

    >>> from games import TicTacToe
    >>> from strategies import learn
    >>> learned = learn(TicTacToe(), games=50, engine="interpreted")
    >>> play_unseen(learned, 1, engine="interpreted")
    [{'utility': ...}]
    """
    values = np.array(found.weights.values)
    rows = Rows(values, *np.zeros((2, 0), np.float32))
    player = Engine(trainee(found.game, found.network, rows, playing=True), engine)
    start, out, stop = player.game.start(), list[dict[str, float]](), Stop()

    def work() -> None:
        for number in range(UNSEEN, UNSEEN + games):
            last, _, drawn = play_greedily(player, number, seed, stop)
            measured = {"utility": value_of(player.game, last)}
            out.append(measured | player.game.metrics(start, last, drawn))
            if not drawn:
                break

    interruptible(work, stop)
    return out


def value_of(game: Any, last: Any) -> float:
    """Return the value of the last position of a game, which a limit may have ended."""
    ended = PLIES if game.status(last) == Status.IN_PLAY else RULES
    return float(utility_of(game, last, ended))


class Trials:
    """Test games on the way, which measure the strength of a learning curve.

    With one player, each move goes to the best value after it, and the strength is the mean result.
    With two players, it is the score against the game's own estimate, which also looks one move
    ahead: games come in pairs, of one opening from both seats; a win counts 1, a draw 0.5.
    `stop` ends a test after the current game or pair, and `leave` at once.
    Ensures: no weight changes; a test that was ended continues with the results in `tried`.
    """

    def __init__(
        self, game: Game[Any, Any], player: Engine, games: int, seed: int, stop: Stop, leave: Stop,
        tried: list[float], check: Check,
    ) -> None:  # fmt: skip
        self.games, self.seed, self.player = games, seed, player
        self.stop, self.leave, self.tried, self.check = stop, leave, tried, check
        self.rival = Engine(game, player.choice) if games and game.players == 2 else None

    def warm(self) -> None:
        """Compile what test games need, before the time of learning begins."""
        if not self.games:
            return
        with suppress(Stopped):
            self._result(0)

    def played(self) -> Interval:
        """Play the test games, the same each time; return the strength with its 95% interval.

        Raises: `Stopped`.
        """
        count = self.games if self.rival is None else (self.games + 1) // 2
        while len(self.tried) < count:
            if self.stop.is_set:
                raise Stopped("the test games were stopped")
            self.tried.append(self._result(len(self.tried)))
        results = self.tried[:count]
        self.tried.clear()
        return mean_of(results) if self.rival is None else score_interval(results)

    def _result(self, number: int) -> float:
        """Return the result of a test game, or the mean score of a pair of them."""
        if self.rival is not None:
            return self._pair(Random(f"{self.seed} {number}"))
        last, _, _ = play_greedily(self.player, UNSEEN + number, self.seed, self.leave, self.check)
        return value_of(self.player.game, last)

    def _pair(self, random: Random) -> float:
        """Return the mean score of two games from one opening."""
        rules: Any = self.player.game
        while True:
            start = rules.start()
            for _ in range(random.randint(0, OPENING)):
                if rules.status(start) == Status.IN_PLAY:
                    start = _drawn(rules, start, random)
            if rules.status(start) == Status.IN_PLAY:
                break
        luck = random.random()
        return (self._score(start, MAXIE, luck) + self._score(start, 1 - MAXIE, luck)) / 2

    def _score(self, state: Any, side: int, luck: float) -> float:
        rules: Any = self.player.game
        assert self.rival is not None
        random, ending = Random(luck), Ending(rules)
        while ending.goes_on(state):
            if self.leave.is_set:
                raise Stopped("the test games were stopped")
            if ending.player == CHANCE:
                state = _drawn(rules, state, random)
            else:
                player = self.player if ending.player == side else self.rival
                state = best_child(player, state, self.check)
        value = utility_of(rules, state, ending.ended)
        won = int(value > 0) - int(value < 0)
        return (1 + (won if side == MAXIE else -won)) / 2


def _drawn(rules: Any, state: Any, random: Random) -> Any:
    """Return the position after a random move, or a random outcome of chance."""
    if rules.player(state) == CHANCE:
        rows = list(rules.outcomes(state))
        return random.choices([child for _, child in rows], [float(p) for p, _ in rows])[0]
    return rules.make_move(state, random.choice(moves_there(rules, state)))
