"""Play whole games between searches; machine code draws chance moves and makes all moves."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from time import perf_counter, thread_time
from typing import Any, NamedTuple

from attrs import evolve, field, frozen

from games import CHANCE, Game, IllegalMove, RandomAgent, Status
from games.endings import RULES, Ending, ply_limit_of, status_of, utility_of
from games.failed import RuleFailed, moves_there, texts_of
from games.referee import check_move, name_of, place_of, player_of
from graphs.errors import JamboreeError
from strategies.algebra.strategy import seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.fold import OPEN
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.algorithms.positions import check_unchanged
from strategies.native.engine import Engine
from strategies.native.failures import check_numbers, failure_at, failure_below, raise_failure
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.control import TRACED
from strategies.native.kernels.steps import turn
from strategies.native.memory.cells import Stop, Stopped
from strategies.native.memory.transposition_table import Table
from strategies.players.search_agent import HastyAgent, SearchAgent
from strategies.running.execution.dispatch import search_position, warm
from strategies.running.records.sparks import Sparks
from strategies.running.runtime.aside import interruptible
from strategies.searches.monte_carlo.job import Job
from strategies.searches.monte_carlo.tree import prepare


@frozen
class Played:
    """The result of a game."""

    seed: int
    first: Any
    last: Any
    """The first and the last position."""
    status: Status
    moves: int
    """The moves of players; `drawn` counts outcomes of chance."""
    drawn: int
    seconds: float
    busy: float
    """The wall time, and the processor time of this thread, in seconds."""
    nodes: int
    leaves: int
    sparks: Sparks = field(factory=Sparks)
    """The sum over all searches."""
    ended: str = RULES
    """What ended the game, as in `games.Record`; "" if it was to be played no further."""


class Chosen(NamedTuple):
    """The branch that an agent chose, and the cost of its search."""

    branch: int
    nodes: int = 0
    leaves: int = 0
    sparks: Sparks = Sparks()


def play_out(
    game: Game[Any, Any], agents: Sequence[Any], seed: int = 0, *, state: Any = None,
    engine: str = "auto", stop: Stop | None = None, moves: int | None = None,
    ply_limit: int | None = None,
) -> Played:  # fmt: skip
    """Play a game between agents to its end, or for `moves` moves.

    As in `games.play`, repetition and a limit of plies end it, too.

    Requires: an agent for each player who moves; `state` is a position, or None for the start.
    Ensures: chance and random agents draw from `seed`; the same agents, seed and state play the
    same game, on both engines and with any number of workers.
    Raises: `Stopped` if `stop` was set; IllegalMove, naming the agent; AlgorithmError if an
    algorithm does not fit the game.
    Cost: besides the searches, some microseconds per move; 0.1 ms in the main thread, which listens
    to Ctrl-C.

    >>> from games import Twenty48
    >>> from strategies import expectimax
    >>> played = play_out(Twenty48(), [SearchAgent(expectimax(3))], seed=1, moves=50)
    >>> played.status, played.moves
    (Status.IN_PLAY, 50)
    """
    state = game.start() if state is None else state
    runner, stop = prepared(game, agents, state, engine), stop or Stop()
    movers = [mover(a, runner, stop, seed) for a in agents]
    first, choices, passed = state, list[Chosen](), 0
    most, ending, ended = ply_limit_of(game, ply_limit), Ending(game, ply_limit), ""
    start, begun = perf_counter(), thread_time()
    state, playing, player, drawn = next_turn(runner, state, -1, seed, 0, most)
    while playing and len(choices) != moves:
        if stop.is_set:
            raise Stopped("the game was stopped")
        plies = len(choices) + drawn
        if ended := ending.reached(state, plies, by_chance=drawn > passed):
            break
        passed = drawn
        if player >= len(movers):
            raise ValueError(f"player {player} is to move but has no agent; pass one agent each")
        try:
            chosen = movers[player](state)
            left = most - len(choices) - 1
            state, playing, player, drawn = next_turn(
                runner, state, chosen.branch, seed, drawn, left
            )
        except Exception as error:
            way = partial(turns_of, runner, first, [c.branch for c in choices], seed, drawn)
            raise_failure(failure_after(game, state, way, error), error)
        choices.append(chosen)
    seconds, busy = perf_counter() - start, thread_time() - begun
    ended = ended if playing else RULES
    status = status_of(game, state, ended)
    nodes, leaves = sum(c.nodes for c in choices), sum(c.leaves for c in choices)
    sparks = summed(c.sparks for c in choices)
    return Played(
        seed, first, state, status, len(choices), drawn, seconds, busy, nodes, leaves, sparks,
        ended,
    )  # fmt: skip


def failure_after(
    game: Game[Any, Any], state: Any, turns: Callable[[], Iterable[str | int]], error: Exception
) -> Exception:
    """Return the failure of a rule at a position, with the turns that led there; any other error
    unchanged."""
    if not isinstance(error, JamboreeError | Stopped):
        error = failure_at(game, state, error, estimates=False)
    return error.named(texts_of(turns())) if isinstance(error, RuleFailed) else error


def next_turn(
    engine: Engine, state: Any, index: int, seed: int, drawn: int, most: int = sys.maxsize
) -> tuple[Any, bool, int, int]:
    """Play a turn on an engine, by the kernel `turn`, until `most` outcomes are drawn in all.

    Raises: RuleFailed if a rule fails.

    >>> from games import Twenty48
    >>> from strategies.native.kept_engines import engine_for
    >>> engine = engine_for(Twenty48(), "interpreted")
    >>> state, playing, player, drawn = next_turn(engine, engine.game.start(), -1, 7, 0)
    >>> playing, player, drawn
    (True, 0, 2)
    """
    try:
        state, playing, player, count = engine.call(turn, state, index, seed, drawn, most)
    except JamboreeError:
        raise
    except Exception as error:
        raise_failure(failure_below(engine.game, state, error, estimates=False), error)
    return state, bool(playing), int(player), int(count)


def turns_of(
    engine: Engine, state: Any, branches: Iterable[int], seed: int, drawn: int
) -> list[str | int]:
    """Return the turns of a game, as `games.Record` has them.

    Requires: the branches that the players chose, and the number of outcomes drawn.
    """
    game, turns, count = engine.game, list[str | int](), 0
    for branch in (None, *branches):
        if branch is not None:
            move = list(game.moves(state))[branch]
            turns.append(game.move_text(state, move))
            state = game.make_move(state, move)
        while count < drawn and game.player(state) == CHANCE:
            children = [child for _, child in game.outcomes(state)]
            state, _, _, count = next_turn(engine, state, -1, seed, count, count + 1)
            turns.append(children.index(state))
    return turns


def prepared(game: Game[Any, Any], agents: Sequence[Any], state: Any, engine: str) -> Engine:
    """Return the engine of a game, with the code compiled that games of these agents call.

    Raises: AlgorithmError if an algorithm does not fit the game.
    """
    for agent in agents:
        if isinstance(agent, SearchAgent):
            agent.algorithm.check(game)
    check_unchanged(game, state)
    runner = engine_for(game, engine)
    runner.prepare(state, turn)
    for agent in agents:
        prepare_agent(agent, runner, state)
    return runner


def prepare_agent(agent: Any, runner: Engine, state: Any) -> None:
    """Compile or load the code for an agent's moves; do nothing for agents that do not search."""
    algorithm = at_once(agent, runner.game)
    if algorithm is not None:
        warm(algorithm, runner, state)
    elif isinstance(agent, SearchAgent) and isinstance(agent.algorithm, MonteCarlo):
        prepare(runner, Job(runner.game, state, agent.algorithm))


def at_once(agent: Any, game: Game[Any, Any]) -> Algorithm | None:
    """Return the algorithm of an agent that searches in the playing thread; None for others, and
    where a move takes more than its search."""
    if not isinstance(agent, SearchAgent) or agent.time is not None or agent.using != seq:
        return None
    if agent.endgame is not None or agent.ties is not None:
        return None
    algorithm = agent.algorithm
    if not isinstance(algorithm, Algorithm) or (algorithm.coalition and game.players > 2):
        return None
    return algorithm


def mover(agent: Any, engine: Engine, stop: Stop, seed: int, name: str = "") -> Any:
    """Return the function by which an agent chooses in a position; it returns a `Chosen`.

    A search without a time limit runs directly in this thread; other agents use their `next_move`,
    and so does `paranoid` among more than two players, because it searches a game of two.
    An illegal move is told by `name`, or that of the agent.
    """
    called = name or name_of(agent)
    agent = player_of(agent, engine.game)
    algorithm = at_once(agent, engine.game)
    if algorithm is not None:

        def choose_at_once(state: Any) -> Chosen:
            table = agent.transpositions()
            if algorithm.depth < TRACED or not engine.native:  # it is short, or notices Ctrl-C
                return _searched(algorithm, engine, state, table, stop)
            own = Stop(stop)
            return interruptible(lambda: _searched(algorithm, engine, state, table, own), own)

        return choose_at_once

    if isinstance(agent, RandomAgent):  # without a new seed, it would play the same in every game
        agent = evolve(agent, seed=agent.seed + 1_000_003 * seed)

    if isinstance(agent, (SearchAgent, HastyAgent)):

        def choose_by_search(state: Any) -> Chosen:
            result = agent.look(engine.game, state)
            move = result.move
            if isinstance(agent, SearchAgent):
                move = agent.choice(engine.game, state, result)
            branch = list(engine.game.moves(state)).index(move)
            leaves, sparks = getattr(result, "leaves", 0), getattr(result, "sparks", Sparks())
            return Chosen(branch, result.nodes, leaves, sparks)

        return choose_by_search

    def choose_by_agent(state: Any) -> Chosen:
        moves = moves_there(engine.game, state)
        try:
            move = agent.next_move(engine.game, state)
        except IllegalMove as error:
            raise IllegalMove(f"{called}: {error}") from None
        except Exception as error:
            if not isinstance(error, JamboreeError | Stopped):
                error.add_note(f"{called} was to move in {engine.game.label(state)}")
            raise
        at = place_of(move, moves)
        if at is None:
            check_move(engine.game, state, move, called)  # it raises IllegalMove
        assert at is not None
        return Chosen(at)

    return choose_by_agent


def _searched(
    algorithm: Algorithm, engine: Engine, state: Any, table: Table | None, stop: Stop
) -> Chosen:
    result = search_position(algorithm, engine, state, algorithm.depth, OPEN, stop, table)
    if not result.finished:
        raise Stopped("the search was stopped")
    if not result.line:
        check_numbers(engine.game, state, algorithm.depth)
        raise AlgorithmError(
            f"{algorithm} finds no move in {engine.game.label(state)}, because estimate or utility "
            f"returned {result.value}"
        )
    return Chosen(result.line[0], result.nodes, result.leaves)


def summed(ledgers: Iterable[Sparks]) -> Sparks:
    """Return the sum of the ledgers of several searches.

    >>> summed([Sparks(attempts=3, created=2, converted=2, dud=1), Sparks()]).converted
    2
    """
    rows = list(ledgers)
    names = (
        "attempts", "created", "converted", "fizzled", "dud", "inlined", "pruned", "aborted",
        "opened",
    )  # fmt: skip
    reasons: Counter[str] = Counter()
    for row in rows:
        reasons.update(dict(row.reasons))
    cancelled = [row.gcd for row in rows if row.gcd is not None]
    return Sparks(
        gcd=sum(cancelled) if cancelled else None,
        reasons=tuple(sorted(reasons.items())),
        **{name: sum(getattr(row, name) for row in rows) for name in names},
    )


def names(agents: Sequence[Any]) -> str:
    """Return the names of the players of a game: the text of each agent.

    >>> from games import RandomAgent
    >>> names([RandomAgent(3)])
    'random(seed=3)'
    """

    def name(agent: Any) -> str:
        if isinstance(agent, RandomAgent):
            return f"{agent.name}(seed={agent.seed})"
        return name_of(agent)

    return " / ".join(map(name, agents))


def row(game: Game[Any, Any], agents: Sequence[Any], played: Played) -> dict[str, Any]:
    """Return a game as one row of a table: the players, the result, the cost.

    The milliseconds per move are processor time of this thread; if searches run in tasks or have a
    time limit, they are wall time, and the row counts their sparks.
    """
    last, sparks = played.last, played.sparks
    apart = any(isinstance(a, SearchAgent) and (a.using != seq or a.time) for a in agents)
    counts = {
        "created": sparks.created,
        "converted": sparks.converted,
        "GC'd": "-" if sparks.gcd is None else sparks.gcd,
        "fizzled": sparks.fizzled,
    }
    over = played.status != Status.IN_PLAY
    return {
        "game": repr(game),
        "players": names(agents),
        "seed": played.seed,
        "result": played.status.name,
        "value": utility_of(game, last, played.ended) if over else "",
        "ended": played.ended,
        "moves": played.moves,
        **game.metrics(played.first, last, played.drawn),
        "seconds": round(played.seconds, 3),
        "ms a move": round(
            1e3 * (played.seconds if apart else played.busy) / max(1, played.moves), 4
        ),
        **(counts if apart else {}),
        "nodes": played.nodes,
        "leaves": played.leaves,
        "last": game.label(last),
    }
