"""The front door: `search` returns a lazy search."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, overload

from games import Game
from games.game import WIN_PLIES
from graphs.limits import MOST_TASKS
from strategies.algebra.drivers import Auto, Driver
from strategies.algebra.strategy import Strategy, StrategyError, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.limits import Limits
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.algorithms.positions import start_of
from strategies.insight.selection.auto import choose
from strategies.running.plans.opening import plan
from strategies.searches.collection import Search

if TYPE_CHECKING:
    from strategies.searches.endgame import EndgameTable
    from strategies.searches.monte_carlo.search import MonteCarloSearch

S = TypeVar("S")
M = TypeVar("M")

_TREES = "mcts takes a strategy, as par_list, or mcts(threads=2)"


@overload
def search(
    game: Game[S, M], algorithm: Algorithm, *, state: S | None = None,
    using: Strategy | Driver | Auto = seq, engine: str = "auto", most_tasks: int = MOST_TASKS,
    time: float | None = None, nodes: int | None = None, endgame: EndgameTable | None = None,
) -> Search[M]: ...  # fmt: skip


@overload
def search(
    game: Game[S, M], algorithm: MonteCarlo, *, state: S | None = None,
    using: Strategy | Driver | Auto = seq, engine: str = "auto", most_tasks: int = MOST_TASKS,
    time: float | None = None, nodes: int | None = None, endgame: EndgameTable | None = None,
) -> MonteCarloSearch[M]: ...  # fmt: skip


def search(
    game: Game[S, M], algorithm: Algorithm | MonteCarlo, *, state: S | None = None,
    using: Strategy | Driver | Auto = seq,
    engine: str = "auto", most_tasks: int = MOST_TASKS,
    time: float | None = None, nodes: int | None = None, endgame: EndgameTable | None = None,
) -> Search[M] | MonteCarloSearch[M]:  # fmt: skip
    """Return a lazy search of a position by `algorithm`, parallelized by the strategy `using`.

    With `time` in seconds, or a number of `nodes`, the search deepens ply by ply up to the
    algorithm's depth, and returns the result of the last depth finished within the limit, or before
    Ctrl-C.  A limit of nodes is for `alphabeta`, `pvs` and `mtdf` under `seq`.
    `using` also takes a driver, `abdada` or `lazy_smp`; or `auto()`, which probes immediately, and
    is replaced by the strategy that it selects.
    With `mcts`, `time` limits the simulations, and the strategy says which trees grow at once.
    Positions of an `endgame` table are leaves with their exact values (`with_endgame`).

    Requires: `state` is a position of `game`; None means its start.  `engine` is "native",
    "interpreted", or "auto": native if the rules can be compiled.
    Ensures: a lazy Dask collection; its value and move do not depend on the strategy, the scheduler
    or the number of workers.
    Raises: AlgorithmError, StrategyError, PlanError, each one line that says what to change.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta, jamboree
    >>> answer = search(HANDOUT_SMALL, alphabeta(depth=2), using=jamboree(0.5).everywhere)
    >>> result = answer.compute(num_workers=2)
    >>> result.move, result.value, result.leaves
    (1, 4, 9)
    """
    if endgame is not None:
        from strategies.searches.endgame import with_endgame

        state = start_of(game) if state is None else state
        alike = isinstance(algorithm, Algorithm) and not algorithm.nearer_wins
        game = with_endgame(game, endgame, state, depth=WIN_PLIES if alike else algorithm.depth)
    if isinstance(algorithm, MonteCarlo):
        if isinstance(using, Auto):
            raise StrategyError(f"{using} is for searches to a depth; {_TREES}")
        from strategies.searches.monte_carlo.search import sampling

        return sampling(game, algorithm, state, using, engine, time, nodes)
    limits = None if time is None and nodes is None else Limits(time, nodes)
    if isinstance(using, Auto):
        plan(
            game, algorithm, seq, state, engine=engine, limits=limits
        )  # report errors before probing
        using = seq if limits else choose(using, game, algorithm, state, engine).best
    return Search(
        plan(game, algorithm, using, state, engine=engine, most_tasks=most_tasks, limits=limits)
    )
