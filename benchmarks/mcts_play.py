"""Monte Carlo tree search: which search wins more games at equal time?

Each match is played against a search of equal time: OpenSpiel's, or ours without the option.  A
pair of games begins with the same random moves, and the players change sides in between.  A win
counts 1, a draw 1/2; the figure is the mean, with its 95% interval.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

from attrs import define, field

from benchmarks.finding import Finding
from benchmarks.openspiel import openspiel

OPENING = 4
"""The random plies with which each pair of games begins."""
Chooses = Callable[[list[int], Any], int]


@define
class Timed:
    """A player, and the time of its moves."""

    chooses: Chooses
    spent: list[float] = field(factory=list)

    def move(self, moves: list[int], state: Any) -> int:
        """Choose a move in a position that these moves led to."""
        begun = perf_counter()
        move = self.chooses(moves, state)
        self.spent.append(perf_counter() - begun)
        return move


def run(quick: bool) -> list[Finding]:
    """OpenSpiel's search gets a number of simulations, and ours the time of its last move."""
    from games import ConnectFour, Othello

    pairs = 1 if quick else 40
    cases = (
        ("Connect Four", ConnectFour(), "connect_four", 5 if quick else 5_000),
        ("Othello", Othello(), "othello", 2 if quick else 200),
    )
    found = []
    for name, game, theirs, simulations in cases:
        found.append(_against_openspiel(name, game, theirs, simulations, pairs))
        seconds = 0.002 if quick else 0.01
        found += [_option(name, game, option, seconds, pairs) for option in OPTIONS]
    return found


OPTIONS: tuple[dict[str, Any], ...] = (
    {"allocate": "puct"},
    {"rave": 300},
    {"fpu": 1},
    {"reuse": True},
)
"""The options that are compared with none."""


def _against_openspiel(name: str, game: Any, theirs: str, simulations: int, pairs: int) -> Finding:
    spiel, _ = openspiel()
    rival = spiel.load_game(theirs)

    def players(seed: int) -> tuple[Timed, Timed]:
        rollouts = spiel.RandomRolloutEvaluator(1, seed)
        uct = spiel.ChildSelectionPolicy.UCT
        bot = spiel.MCTSBot(rival, rollouts, 1.4, simulations, 1000, True, seed, False, uct)

        def their_move(moves: list[int], _: Any) -> int:
            position = rival.new_initial_state()
            for move in moves:
                position.apply_action(move)
            return int(bot.step(position))

        other = Timed(their_move)

        def our_move(moves: list[int], state: Any) -> int:
            if not other.spent:  # ours is the first move: it gets the time of theirs there
                other.move(moves, state)
            # What a move takes beyond its limit is taken from the next ones.
            limit = min(other.spent[-1], sum(other.spent) - sum(ours.spent))
            return _ours(game, limit, {"seed": seed})(moves, state)

        ours = Timed(our_move)
        return ours, other

    how = f"{simulations:,} simulations of theirs a move"
    anchor = "OpenSpiel, `MCTSBot` in C++"
    return _played(f"{name}: games won", game, players, pairs, anchor, how)


def _option(name: str, game: Any, option: dict[str, Any], seconds: float, pairs: int) -> Finding:
    def players(seed: int) -> tuple[Timed, Timed]:
        one, other = ({"seed": seed, **more} for more in (option, {}))
        return Timed(_ours(game, seconds, one)), Timed(_ours(game, seconds, other))

    written = ", ".join(f"{name}={value!r}" for name, value in option.items())
    how = f"{1000 * seconds:g} ms a move"
    return _played(f"{name}: games won, `{written}`", game, players, pairs, "`mcts()`", how)


def _ours(game: Any, seconds: float, options: dict[str, Any]) -> Chooses:
    """Return our player, with some options of `mcts`."""
    from strategies import SearchAgent, mcts

    agent = SearchAgent(mcts(10**9, **options), workers=1, time=max(0.001, seconds))
    return lambda _, state: int(agent.look(game, state).move)


def _played(
    name: str, game: Any, players: Callable[[int], tuple[Timed, Timed]], pairs: int, anchor: str,
    how: str,
) -> Finding:  # fmt: skip
    """Play pairs of games, and return the mean score of the first player with its interval."""
    from strategies.players.tournaments import score_interval

    scores, ours, theirs = list[float](), list[float](), list[float]()
    for number in range(pairs):
        opening = _opening(game, number)
        points = 0.0
        for side in range(2):
            one, other = players(2 * number + side + 1)
            points += _score(game, opening, one, other, side)
            ours += one.spent
            theirs += other.spent
        scores.append(points / 2)
    interval = score_interval(scores)
    each = [f"{1000 * sum(spent) / len(spent):.1f} ms a move" for spent in (ours, theirs)]
    told = f"{interval} of {2 * pairs} games"
    return Finding(name, interval.value, 0.5, anchor, how, f"{told}, {each[0]}", each[1])


def _opening(game: Any, number: int) -> list[int]:
    """Return the moves with which a pair of games begins."""
    from games import Status

    random = Random(number)
    while True:
        state, moves = game.start(), list[int]()
        for _ in range(OPENING):
            moves.append(random.choice(list(game.moves(state))))
            state = game.make_move(state, moves[-1])
        if game.status(state) == Status.IN_PLAY:
            return moves


def _score(game: Any, opening: list[int], one: Timed, other: Timed, side: int) -> float:
    """Play a game in which the first player moves as player `side`; return its points."""
    from games import Status

    state, moves = game.start(), list(opening)
    for move in opening:
        state = game.make_move(state, move)
    while game.status(state) == Status.IN_PLAY:
        player = one if game.player(state) == side else other
        moves.append(player.move(moves, state))
        state = game.make_move(state, moves[-1])
    value = game.utility(state) * (1 if side == 0 else -1)
    return 0.5 if value == 0 else float(value > 0)
