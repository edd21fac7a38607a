"""Studies: one search under several strategies and numbers of workers, as a table.

The table is that of the first programs of this kind (time, moves, time a move, sparks created,
converted, fizzled), with what they left out: the speed-up against the best sequential search, and
beside it what the machine gave two searches that share nothing, in the same minutes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from statistics import median, median_low
from typing import Any

from attrs import evolve

from games import Estimate, Game
from strategies.algorithms import Algorithm, alphabeta
from strategies.combinators import jamboree, par_list, young_brothers_wait
from strategies.native import engine_for
from strategies.strategy import Strategy, seq
from strategies.studies.calibrate import Scaling, calibrate, deepen
from strategies.studies.measure import Case, Disagreement, Run, Setting, measure
from strategies.studies.table import Row, Study

__all__ = [
    "Disagreement",
    "Row",
    "Scaling",
    "Study",
    "calibrate",
    "study",
]

STRATEGIES: tuple[Strategy, ...] = (
    par_list.to_ply(1),
    jamboree(0.5).to_ply(2),
    young_brothers_wait.to_ply(2),
)
"""What is compared with `seq` unless something else is asked for."""
SECONDS = 1.5
"""Unless a depth is asked for, `seq` takes at most about so long."""
SECONDS_A_MOVE = 0.02
"""The same for each move of whole games."""
CALIBRATION = 0.3
"""The same for the searches of the calibration."""


def study(
    game: Game[Any, Any], algorithm: Algorithm | None = None,
    strategies: Sequence[Strategy] = STRATEGIES, *, state: Any = None,
    workers: Sequence[int] | None = None, repeat: int = 3, games: int = 0, seed: int = 0,
    engine: str = "auto", progress: Callable[[Study], None] | None = None,
) -> Study:  # fmt: skip
    """Measures `strategies`, and `seq` first, on each number of `workers` (1 and all cores).

    Requires: `repeat` is 1 or more.  `games` above 0 plays so many whole games, all moves by the
    same search, chance from `seed`; otherwise one position is searched.  Without an `algorithm`,
    alpha-beta is used, as deep as takes about a second.
    Ensures: rules are compiled before the clock starts; the cases take turns, so that a slow minute
    of the machine meets them all; a time is the median of its runs, and the counts are of that run.
    `progress` is called after every run with the study so far.
    Raises: Disagreement if two runs find different moves or values; AlgorithmError, StrategyError,
    PlanError where a search makes no sense.

    >>> from games import HANDOUT_SMALL
    >>> s = study(HANDOUT_SMALL, alphabeta(2), [jamboree(0.5)], workers=[1], repeat=1)
    >>> [(r.strategy, r.workers, r.leaves, r.created) for r in s.rows]
    [('seq', 1, 7, 0), ('jamboree(0.5)', 1, 9, 2)]
    """
    if repeat < 1 or games < 0:
        raise ValueError("repeat is 1 or more, games 0 or more")
    cores = os.cpu_count() or 1
    state = game.start() if state is None else state
    used = engine_for(game, engine).warm()
    rule = algorithm or alphabeta(1)
    rule.check(game)
    limit = SECONDS_A_MOVE if games else SECONDS
    setting = Setting(
        game, algorithm or deepen(used, rule, state, limit), state, games, seed, engine
    )
    others = [s for s in dict.fromkeys(strategies) if s != seq]
    counts = sorted(set(workers or (1, cores)))
    cases = [Case(seq, 1), *(Case(s, n) for s in others for n in counts)]
    light = deepen(used, rule, state, CALIBRATION)
    for s in (seq, par_list, *others):  # what happens once, happens here: compiling, loading
        measure(evolve(setting, algorithm=light, games=0), Case(s, 2))

    runs: dict[Case, list[Run]] = {case: [] for case in cases}
    scalings: dict[int, list[Scaling]] = {n: [] for n in counts if n > 1}
    total = repeat * len(cases)
    so_far = _study(setting, used, cores, repeat, runs, scalings, (0, total))
    for _ in range(repeat):
        for n in scalings:
            scalings[n].append(calibrate(used, light, state, n))
        for case in cases:
            run = measure(setting, case)
            first = runs[cases[0]][:1]
            if first and first[0].found != run.found:
                raise Disagreement(
                    f"{case.strategy} on {case.workers} workers found {_found(setting, run)}; "
                    f"seq found {_found(setting, first[0])}"
                )
            runs[case].append(run)
            done = so_far.steps[0] + 1
            so_far = _study(setting, used, cores, repeat, runs, scalings, (done, total))
            if progress:
                progress(so_far)
    return so_far


def _study(
    setting: Setting, engine: Any, cores: int, repeat: int, runs: dict[Case, list[Run]],
    scalings: dict[int, list[Scaling]], steps: tuple[int, int],
) -> Study:  # fmt: skip
    best = median(r.seconds for r in runs[Case(seq, 1)]) if runs[Case(seq, 1)] else 0.0
    kernels = {n: median(s.ratio for s in found) for n, found in scalings.items() if found}
    rows = tuple(_row(c, done, best, kernels.get(c.workers)) for c, done in runs.items() if done)
    first = runs[Case(seq, 1)][:1]
    return Study(
        game=repr(setting.game),
        algorithm=repr(setting.algorithm),
        state=setting.game.label(setting.state),
        engine="native" if engine.native else f"interpreted ({engine.reason})",
        cores=cores,
        repeat=repeat,
        games=setting.games,
        seed=setting.seed,
        found=_found(setting, first[0]) if first else "",
        rows=rows,
        complete=steps[0] == steps[1],
        steps=steps,
    )


def _row(case: Case, runs: list[Run], best: float, kernels: float | None) -> Row:
    seconds = median(r.seconds for r in runs)
    middle = median_low(r.seconds for r in runs)
    run = next(r for r in runs if r.seconds == middle)
    return Row(
        strategy=repr(case.strategy), workers=case.workers, seconds=seconds,
        runs=tuple(r.seconds for r in runs), moves=run.moves, leaves=run.leaves, nodes=run.nodes,
        created=run.created, converted=run.converted, fizzled=run.fizzled, gcd=run.gcd,
        speedup=best / seconds if seconds else 1.0, kernels=kernels,
    )  # fmt: skip


def _found(setting: Setting, run: Run) -> str:
    if setting.games:
        return f"the same {run.moves} moves"
    ((move, value),) = run.found
    text = "no move" if move is None else setting.game.move_text(setting.state, move)
    return f"{text}, {Estimate(value)}"
