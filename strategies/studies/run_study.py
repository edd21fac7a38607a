"""Run a study, perhaps a published one: measure, run by run, what earlier runs have not yet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from games import Game, find_game
from games.game import check_game
from graphs.arguments import (
    MOST_WORKERS,
    check_flags,
    check_integers,
    check_progress,
    row_of,
    shown,
)
from graphs.errors import ArgumentError
from graphs.limits import LARGEST_STORED
from strategies.algebra.combinators import jamboree, par_list, young_brothers_wait
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, StrategyError, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.names import algorithm_of
from strategies.algorithms.positions import is_terminal, start_of
from strategies.algorithms.several_players import paranoid
from strategies.algorithms.with_chance import expectimax
from strategies.insight.selection.usual import usual_kind
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_engines import engine_for
from strategies.native.kept_snapshots import kept_snapshot
from strategies.running.plans.opening import searched_game
from strategies.running.runtime.batch import batch_client
from strategies.studies.at_position import AtPosition
from strategies.studies.conduct import Conducted
from strategies.studies.measure import Case, Setting
from strategies.studies.places import place_of
from strategies.studies.positions import SetPosition, given_positions
from strategies.studies.store import Store
from strategies.studies.study import Study
from strategies.values.notation import parse_using

STRATEGIES: tuple[Strategy, ...] = (
    par_list.to_ply(1),
    jamboree(0.5).to_ply(2),
    young_brothers_wait.to_ply(2),
)
"""The default strategies, compared with `seq`."""
SWEPT = "par_list.to_ply(plies)", "jamboree(p).to_ply(plies)", "young_brothers_wait.to_ply(plies)"
"""The default strategies if `p` or `plies` are swept."""
SECONDS = 1.5
"""The approximate time limit of `seq`, from which the default depth is chosen."""
SECONDS_A_MOVE = 0.02
"""The limit per move of whole games."""
AGAINST = "search", "random"


def study(
    game: Game[Any, Any], algorithm: Algorithm | str | None = None,
    strategies: Sequence[Asked] | Asked | None = None, *, depths: Sequence[int] = (),
    plies: Sequence[int] = (), p: Sequence[float] = (), workers: Sequence[int] | None = None,
    simulate: bool = False, state: Any = None, positions: Any = None, games: int = 0,
    moves: int = 0, against: str = "search", seed: int = 0, repeat: int = 3, engine: str = "auto",
    scheduler: Any = None, results: str | Path | None = None,
    progress: Callable[[Study], None] | None = None,
) -> Study:  # fmt: skip
    """Measure `seq` and `strategies` on each number of `workers` (by default 1 and all cores).

    The algorithm may be text, as ``"alphabeta(8)"``.  A strategy may be text in which `p`, `plies`
    and `workers` stand for the given numbers, as in ``"jamboree(p).to_ply(plies)"`` or
    ``"budget(threads=workers)"``.  `depths` repeats everything at each depth; without an
    `algorithm`, it is alpha-beta, expectimax where chance moves, or paranoid for three players or
    more, with a depth that takes about a second.  With `simulate`, numbers of workers beyond the
    cores are simulated (see `strategies.insight.analysis.simulate`), and marked so in the rows.

    With `games`, that many whole games are played, with chance from `seed`, or the first `moves`
    searches of each; Minnie searches too, or moves at random if `against` is "random".  Without,
    one position is searched.

    With `positions`, each position of a set is searched: of a file (see
    `strategies.studies.positions.read_positions`), or of a list of states or `SetPosition`s.  The
    rows are then those of the whole set: times and counts are sums; `speedup` is that of the total
    time to the depth, `mean` the geometric mean of the positions' speed-ups.  Where a solution is
    stated, `solution` is the time until a search has it and keeps it, as the depths of a deepening
    search tell.  The studies of the single positions are in `Study.positions`.

    On a cluster, of the current client or the one given as `scheduler`, each repetition is a task:
    its runs take turns in one process, which runs nothing else meanwhile.  ``scheduler="threads"``
    measures on this machine.

    `results` is a SQLite file that stores each measurement at once: the same call again measures
    only what is missing, however the first one ended.

    Requires: `repeat` is 1 or more, `games` and `moves` 0 or more; no `state` and no `games` with
    `positions`.
    Ensures: rules are compiled before the clock starts; the cases take turns, so that a slow phase
    of the machine affects all of them; a time is the median of its runs, and the counts are those
    of the median run.  `progress` is called with the study so far, before the first run and after
    every run.
    Raises: Disagreement if two runs find different moves or values; AlgorithmError, StrategyError,
    PlanError if a search makes no sense; NotResults, NotPositions for another kind of file;
    ClusterError if the workers run on several kinds of machines, or have too few threads.

    >>> from games import HANDOUT_SMALL
    >>> from strategies import alphabeta
    >>> s = study(HANDOUT_SMALL, alphabeta(2), [jamboree(0.5)], workers=[1], repeat=1)
    >>> [(r.strategy, r.workers, r.leaves, r.created) for r in s.rows]
    [('seq', 1, 7, 0), ('jamboree(0.5)', 1, 9, 2)]
    >>> s = study(HANDOUT_SMALL, alphabeta(2), ["budget(threads=workers)"], workers=[1, 1000],
    ...           simulate=True, repeat=1)
    >>> [(r.strategy, r.workers, r.how) for r in s.rows[1:]]
    [('budget(threads=1)', 1, 'measured'), ('budget(threads=1000)', 1000, 'simulated')]
    """
    game = kept_snapshot(check_game(game))
    check_integers(1, LARGEST_STORED, repeat=repeat)
    check_integers(0, LARGEST_STORED, games=games, moves=moves)
    check_integers(-LARGEST_STORED, LARGEST_STORED, seed=seed)
    check_flags(simulate=simulate)
    check_progress(progress)
    depths = row_of("depths", depths, "depths, as [4, 6]")
    plies, p = row_of("plies", plies, "plies, as [1, 2]"), row_of("p", p, "shares, as [0.25, 0.5]")
    workers = None if workers is None else _workers(workers)
    if against not in AGAINST:
        raise ArgumentError(f"against must be {' or '.join(AGAINST)}, not {shown(against)}")
    if strategies is not None:
        strategies = (strategies,) if isinstance(strategies, Asked) else strategies
        strategies = row_of("strategies", strategies, "strategies, as [par_list.to_ply(1)]")
    asked, title = _posed(game, state, positions, games)
    given: Algorithm | None = algorithm_of(algorithm)
    rule = _usual(game, asked[0].state) if given is None else given
    _check_rule(game, rule, asked)
    swept = _swept(strategies, p, plies)
    using = dict.fromkeys(case.strategy for case in swept([rule], workers=workers or (1,)))
    place = place_of(batch_client(scheduler, ["threads"]), (game, rule, *using))
    rules, store = fingerprint(game), Store(results)
    try:
        at = tuple(
            AtPosition(
                Setting(game, one.state, games, moves, against, seed, engine), rules, one,
                engine_for(searched_game(game, rule, one.state), engine).warm(), store, rule,
                repeat, place,
            )
            for one in asked
        )  # fmt: skip
        found = swept(
            _algorithms(at, given, depths),
            workers=sorted(set(workers or (1, place.cores))),
            simulate_above=place.cores if simulate else None,
        )
        _check(found)
        place.check(max((c.workers for c in found if not c.simulated), default=1))
        return Conducted(at, found, title).run(progress)
    finally:
        store.close()


def _workers(workers: Sequence[int]) -> Sequence[int]:
    """Check the numbers of workers, and return them.

    Raises: ArgumentError.
    """
    workers = row_of("workers", workers, "numbers of workers, as [1, 2]")
    for number in workers:
        check_integers(1, MOST_WORKERS, workers=number)
    if not workers:
        raise ArgumentError("workers is empty: list numbers, such as [1, 2], or leave it out")
    return workers


def _posed(
    game: Game[Any, Any], state: Any, positions: Any, games: int
) -> tuple[tuple[SetPosition, ...], str]:
    """Return the positions to search, and the title of their set; empty for one position."""
    if positions is None:
        return (SetPosition(start_of(game) if state is None else state),), ""
    for name, given in (("state", state is not None), ("games", games > 0)):
        if given:
            raise ArgumentError(f"positions and {name} exclude each other: leave one of them out")
    return given_positions(game, positions)


def _check_rule(game: Game[Any, Any], rule: object, asked: Sequence[SetPosition]) -> None:
    if not isinstance(rule, Algorithm):
        raise AlgorithmError(
            f"a study takes an algorithm that searches to a depth, not {shown(rule)}"
        )
    if rule.tuples and rule.many:
        raise AlgorithmError("a study needs one value per search, but maxn finds one per player")
    rule.check(game)
    for one in asked:
        is_terminal(game, one.state)


def _algorithms(
    at: Sequence[AtPosition], algorithm: Algorithm | None, depths: Sequence[int]
) -> list[Algorithm]:
    """Return the algorithms to measure.  A depth that is not given is about a second deep, at the
    position of a set that takes longest."""
    if depths:
        return [at[0].rule.at_depth(d) for d in dict.fromkeys(depths)]
    if algorithm is not None:
        return [algorithm]
    limit = SECONDS_A_MOVE if at[0].setting.games else SECONDS
    return [min((here.deepened(limit) for here in at), key=lambda found: found.depth)]


def _usual(game: Game[Any, Any], state: Any) -> Algorithm:
    """Return the algorithm for a study that names none: one with one value per search."""
    kind, _ = usual_kind(game, state)
    return paranoid(1) if kind.tuples else kind


def _swept(
    strategies: Sequence[Asked] | None, p: Sequence[float], plies: Sequence[int]
) -> Callable[..., tuple[Case, ...]]:
    """Return `cases` of the strategies, by default some that use the numbers given."""
    if strategies is not None:
        return partial(cases, strategies=strategies, p=p, plies=plies)
    if not p and not plies:
        return partial(cases, strategies=STRATEGIES)
    return partial(cases, strategies=SWEPT, p=p or (0.5,), plies=plies or (2,))


def _check(swept: Sequence[Case]) -> None:
    for case in swept:
        if case.simulated and isinstance(case.strategy, Driver):
            raise StrategyError(
                f"{case.strategy}: a driver's threads cannot be simulated; leave the driver out, "
                "or give no more workers than this machine has cores"
            )


Asked = Strategy | Driver | str
"""A strategy, or text in which `p`, `plies` and `workers` stand for the numbers of a sweep."""

_NAME = {name: re.compile(rf"(?<![\w.]){name}\b(?!\s*=)") for name in ("p", "plies", "workers")}


def cases(
    algorithms: Sequence[Algorithm], strategies: Sequence[Asked], *, workers: Sequence[int],
    p: Sequence[float] = (), plies: Sequence[int] = (), simulate_above: int | None = None,
) -> tuple[Case, ...]:  # fmt: skip
    """Return the distinct cases of a sweep: for each algorithm, `seq` on one worker first.

    Cases on more than `simulate_above` workers are simulated.

    Raises: StrategyError, one line, if a strategy makes no sense, a name in it has no numbers, or
    no strategy uses the numbers of a name.

    >>> from strategies import alphabeta
    >>> found = cases([alphabeta(4)], ["jamboree(p).to_ply(plies)"], workers=[2], p=[0.5, 1],
    ...               plies=[1])
    >>> [(c.strategy, c.workers) for c in found]
    [(seq, 1), (jamboree(0.5).to_ply(1), 2), (jamboree(1).to_ply(1), 2)]
    """
    texts = [s if isinstance(s, str) else repr(s) for s in strategies]
    for name, numbers, example in (
        ("p", p, "p=[0.25, 0.5] (--p 0.25,0.5)"), ("plies", plies, "plies=[1, 2] (--plies 1,2)"),
    ):  # fmt: skip
        used = [t for t in texts if _NAME[name].search(t)]
        if used and not numbers:
            raise StrategyError(f"{used[0]} has no numbers for {name}: give some, as {example}")
        if numbers and not used:
            raise StrategyError(
                f"no strategy uses {name}: write it in place of the number, as in "
                "jamboree(p).to_ply(plies)"
            )
    found: dict[Case, None] = {}
    for algorithm in algorithms:
        found[Case(algorithm, seq, 1, template="seq")] = None
        for s in strategies:
            for case in _of(algorithm, s, p, plies, workers, simulate_above):
                if case.strategy != seq:
                    found.setdefault(case)
    return tuple(found)


def _of(
    algorithm: Algorithm, asked: Asked, p: Sequence[float], plies: Sequence[int],
    workers: Sequence[int], simulate_above: int | None,
) -> Iterator[Case]:  # fmt: skip
    """Yield the cases of one strategy."""
    text = asked if isinstance(asked, str) else repr(asked)
    of_p = p if _NAME["p"].search(text) else (None,)
    of_plies = plies if _NAME["plies"].search(text) else (None,)
    for one, n in product(of_p, of_plies):
        template = text
        if one is not None:
            template = _NAME["p"].sub(repr(float(one)), template)
        if n is not None:
            template = _NAME["plies"].sub(str(n), template)
        for count in workers:
            strategy = _strategy(asked, template, count)
            simulated = simulate_above is not None and count > simulate_above
            yield Case(algorithm, strategy, count, simulated, template, one, n)


def _strategy(asked: Asked, template: str, workers: int) -> Strategy | Driver:
    if not isinstance(asked, str):
        return asked
    found = parse_using(_NAME["workers"].sub(str(workers), template))
    if not isinstance(found, Strategy | Driver):
        raise StrategyError(f"{found} chooses a strategy: study the strategies to choose from")
    return found


BOARD = "2 4 . .  8 4 . .  16 . 4 2  64 32 8 ."
"""A position from the middle of a game."""


def _sparks() -> dict[str, Any]:
    """Five moves of 2048 by pessimistic expectimax: sparks at the minimiser, at the moves, down to
    more plies (Clinger and Ottomano, Parallel Expectimax: A 2048 Solver)."""
    game = find_game("twenty48_pessimistic")
    return {
        "game": game,
        "state": game.parse_state(BOARD),
        "algorithm": expectimax(6, rounded=True),
        "strategies": ("by_kind(min=par_list).to_ply(6)", "par_list", "par_list.to_ply(plies)"),
        "plies": (2, 3, 4),
        "depths": (6, 9),
        "workers": (1, 2, 4),
        "simulate": True,
        "games": 1,
        "moves": 5,
        "against": "random",
    }  # fmt: skip


def _cores() -> dict[str, Any]:
    """A whole game of the same, sparks at the moves, on 1 to 4 cores."""
    return {
        "game": find_game("twenty48_pessimistic"),
        "algorithm": expectimax(6, rounded=True),
        "strategies": ("par_list",),
        "depths": (6, 9),
        "workers": (1, 2, 3, 4),
        "simulate": True,
        "games": 1,
        "against": "random",
        "repeat": 1,
    }


def _threads() -> dict[str, Any]:
    """Pursuit against a random antagonist: threads times depth, dealt in two ways (Willeford, CSCI
    176)."""
    return {
        "game": find_game(
            "pursuit(goal_x=30, goal_y=30, antagonist_x=30, antagonist_y=-30, chance=minnie)"
        ),
        "algorithm": expectimax(13),
        "strategies": ("budget(threads=workers)", "budget(threads=workers, deal='rest')"),
        "depths": (9, 11, 13),
        "workers": (1, 2, 4, 8, 16),
        "simulate": True,
    }


PRESETS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "2048-sparks": _sparks, "2048-cores": _cores, "pursuit-threads": _threads,
}  # fmt: skip
"""The function that makes each preset."""


def preset(name: str) -> dict[str, Any]:
    """Return the arguments of `study` for a preset.

    Raises: ValueError with a list of the presets.

    >>> sorted(preset("pursuit-threads"))
    ['algorithm', 'depths', 'game', 'simulate', 'strategies', 'workers']
    """
    if name not in PRESETS:
        raise ArgumentError(f"no preset is called {shown(name)}; there are {', '.join(PRESETS)}")
    return PRESETS[name]()
