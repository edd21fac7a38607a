"""Whole games of searches, one after another: the moves and the chances drawn by machine code."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter, thread_time
from typing import Any

from attrs import evolve, frozen

from games import Game, RandomAgent, Status
from games.referee import checked
from strategies.agents import SearchAgent
from strategies.algorithms import Algorithm
from strategies.hasty import HastyAgent
from strategies.native import Engine, Stop, Stopped, engine_for
from strategies.native.table import Table
from strategies.native.turns import next_turn
from strategies.strategy import seq
from strategies.tables import search_by


@frozen
class Played:
    """What a game came to."""

    seed: int
    first: Any
    last: Any
    """The first and the last position."""
    status: Status
    moves: int
    """Moves of players; outcomes of chance are `drawn`."""
    drawn: int
    seconds: float
    busy: float
    """Seconds on the clock, and of this thread on a processor."""
    nodes: int
    leaves: int


def play_out(
    game: Game[Any, Any], agents: Sequence[Any], seed: int = 0, *, state: Any = None,
    engine: str = "auto", stop: Stop | None = None, moves: int | None = None,
) -> Played:  # fmt: skip
    """A game between agents, played to its end, or for so many moves.

    Requires: an agent for each player who moves; `state` is a position, None the start.
    Ensures: chance, and random agents, draw from `seed`: the same agents, seed and state give the
    same game, on both engines and for any number of workers.
    Raises: `Stopped` if `stop` was set; IllegalMove, naming the agent; AlgorithmError where an
    algorithm makes no sense here.
    Cost: beside the searches, some microseconds a move.

    >>> from games import Twenty48
    >>> from strategies import expectimax
    >>> played = play_out(Twenty48(32), [SearchAgent(expectimax(3))], seed=1)
    >>> played.status, played.moves < 100
    (Status.MAXIE_WINS, True)
    """
    for agent in agents:
        if isinstance(agent, SearchAgent):
            agent.algorithm.check(game)
    runner, stop = engine_for(game, engine).warm(), stop or Stop()
    movers = [mover(a, runner, stop, seed) for a in agents]
    first = state = game.start() if state is None else state
    made = drawn = nodes = leaves = 0
    start, begun = perf_counter(), thread_time()
    state, playing, player, drawn = next_turn(runner, state, -1, seed, drawn)
    while playing and made != moves:
        if stop.is_set:
            raise Stopped("the game was stopped")
        if player >= len(movers):
            raise ValueError(f"player {player} is to move, and there is no agent for it")
        index, n, m = movers[player](state)
        nodes, leaves, made = nodes + n, leaves + m, made + 1
        state, playing, player, drawn = next_turn(runner, state, index, seed, drawn)
    seconds, busy = perf_counter() - start, thread_time() - begun
    status = game.status(state)
    return Played(seed, first, state, status, made, drawn, seconds, busy, nodes, leaves)


def mover(agent: Any, engine: Engine, stop: Stop, seed: int) -> Any:
    """The number of the branch that an agent chooses, and the nodes and leaves it visited.

    A search without a time limit runs at once in this thread; others are asked for a move.
    """
    timed = isinstance(agent, SearchAgent) and agent.time is not None
    algorithm = agent.algorithm if isinstance(agent, SearchAgent) and not timed else None
    if isinstance(algorithm, Algorithm) and agent.using == seq:
        table = Table(algorithm.table) if algorithm.table else None
        return lambda state: _searched(algorithm, engine, state, table, stop)

    if isinstance(agent, RandomAgent):  # else it would play every game alike
        agent = evolve(agent, seed=agent.seed + 1_000_003 * seed)

    if isinstance(agent, HastyAgent):
        hasty = evolve(agent)  # who remembers nothing yet

        def hurry(state: Any) -> tuple[int, int, int]:
            found = hasty.look(engine.game, state)
            return list(engine.game.moves(state)).index(found.move), found.nodes, found.leaves

        return hurry

    def ask(state: Any) -> tuple[int, int, int]:
        moves = list(engine.game.moves(state))
        move = agent.next_move(engine.game, state)
        if move not in moves:
            checked(engine.game, state, move, str(getattr(agent, "name", agent)))
        return moves.index(move), 0, 0

    return ask


def _searched(
    algorithm: Algorithm, engine: Engine, state: Any, table: Table | None, stop: Stop
) -> tuple[int, int, int]:
    if algorithm.plain:
        found = engine.search(
            state, algorithm.depth, narrow=algorithm.narrows, nearer=algorithm.nearer_wins,
            stop=stop,
        )  # fmt: skip
        return found.line[0], found.nodes, found.leaves
    window = (-float("inf"), float("inf"))
    kept = search_by(algorithm, engine, state, algorithm.depth, window, stop, table)
    if not kept.finished:
        raise Stopped("the search was stopped")
    return kept.line[0], kept.nodes, kept.leaves


def names(agents: Sequence[Any]) -> str:
    """Who plays, so that it can be told from others: the text of each agent.

    >>> from games import RandomAgent
    >>> names([RandomAgent(3)])
    'random(seed=3)'
    """

    def name(agent: Any) -> str:
        if isinstance(agent, RandomAgent):
            return f"{agent.name}(seed={agent.seed})"
        return str(getattr(agent, "name", agent))

    return " / ".join(map(name, agents))


def row(game: Game[Any, Any], agents: Sequence[Any], played: Played) -> dict[str, Any]:
    """A game as one row of a table: who played what, what it came to, what it cost."""
    last = played.last
    over = played.status != Status.IN_PLAY
    return {
        "game": repr(game),
        "players": names(agents),
        "seed": played.seed,
        "result": played.status.name,
        "value": game.utility(last) if over else "",
        "moves": played.moves,
        **game.measures(played.first, last, played.drawn),
        "seconds": round(played.seconds, 3),
        "ms a move": round(1e3 * played.busy / max(1, played.moves), 4),
        "nodes": played.nodes,
        "leaves": played.leaves,
        "last": game.label(last),
    }
