"""Run a study: measure, run by run, what earlier runs have not measured already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median, median_low
from typing import Any

from attrs import field, frozen

from games import Game
from games.arguments import check_game
from graphs.arguments import (
    MOST_WORKERS,
    check_flags,
    check_integers,
    check_progress,
    row_of,
    shown,
)
from graphs.errors import ArgumentError
from strategies.algebra.combinators import jamboree, par_list, young_brothers_wait
from strategies.algebra.drivers import Driver
from strategies.algebra.strategy import Strategy, StrategyError, seq
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.positions import is_terminal
from strategies.algorithms.several_players import paranoid
from strategies.insight.analysis.scaling import Scaling
from strategies.insight.selection.usual import usual_kind
from strategies.native.engine import Engine
from strategies.native.kept_engines import engine_for
from strategies.running.plans.opening import searched_game
from strategies.running.runtime.batch import batch_client
from strategies.studies.measure import Case, Disagreement, Measurement, Setting
from strategies.studies.places import OnThisMachine, depth_for, place_of
from strategies.studies.rows import Row
from strategies.studies.spread import median_interval
from strategies.studies.store import Key, Store
from strategies.studies.study import Study
from strategies.studies.sweep import Asked, cases

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
CALIBRATION = 0.3
"""The limit for the searches of the calibration."""
AGAINST = "search", "random"
MOST = 2**63 - 1
"""The largest integer that a results file can store."""


def study(
    game: Game[Any, Any], algorithm: Algorithm | None = None,
    strategies: Sequence[Asked] | Asked | None = None, *, depths: Sequence[int] = (),
    plies: Sequence[int] = (), p: Sequence[float] = (), workers: Sequence[int] | None = None,
    simulate: bool = False, state: Any = None, games: int = 0, moves: int = 0,
    against: str = "search", seed: int = 0, repeat: int = 3, engine: str = "auto",
    scheduler: Any = None, results: str | Path | None = None,
    progress: Callable[[Study], None] | None = None,
) -> Study:  # fmt: skip
    """Measure `seq` and `strategies` on each number of `workers` (by default 1 and all cores).

    A strategy may be text in which `p`, `plies` and `workers` stand for the given numbers, as in
    ``"jamboree(p).to_ply(plies)"`` or ``"budget(threads=workers)"``.  `depths` repeats everything
    at each depth; without an `algorithm`, it is alpha-beta, expectimax where chance moves, or
    paranoid for three players or more, with a depth that takes about a second.  With
    `simulate`, numbers of workers beyond the cores are simulated (see
    `strategies.insight.analysis.simulate`), and marked so in the rows.

    With `games`, that many whole games are played, with chance from `seed`, or the first `moves`
    searches of each; Minnie searches too, or moves at random if `against` is "random".  Without,
    one position is searched.

    On a cluster, of the current client or the one given as `scheduler`, each repetition is a task:
    its runs take turns in one process, which runs nothing else meanwhile.  ``scheduler="threads"``
    measures on this machine.

    `results` is a SQLite file that stores each measurement at once: the same call again measures
    only what is missing, however the first one ended.

    Requires: `repeat` is 1 or more, `games` and `moves` 0 or more.
    Ensures: rules are compiled before the clock starts; the cases take turns, so that a slow phase
    of the machine affects all of them; a time is the median of its runs, and the counts are those
    of the median run.  `progress` is called with the study so far, before the first run and after
    every run.
    Raises: Disagreement if two runs find different moves or values; AlgorithmError, StrategyError,
    PlanError if a search makes no sense; NotResults for another kind of file; ClusterError if the
    workers run on several kinds of machines, or have too few threads.

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
    check_game(game)
    check_integers(1, MOST, repeat=repeat)
    check_integers(0, MOST, games=games, moves=moves)
    check_integers(-MOST, MOST, seed=seed)
    check_flags(simulate=simulate)
    check_progress(progress)
    depths = row_of("depths", depths, "depths, as [4, 6]")
    plies, p = row_of("plies", plies, "plies, as [1, 2]"), row_of("p", p, "shares, as [0.25, 0.5]")
    if workers is not None:
        workers = row_of("workers", workers, "numbers of workers, as [1, 2]")
        for number in workers:
            check_integers(1, MOST_WORKERS, workers=number)
        if not workers:
            raise ArgumentError("workers is empty: list numbers, such as [1, 2], or leave it out")
    if against not in AGAINST:
        raise ArgumentError(f"against must be {' or '.join(AGAINST)}, not {shown(against)}")
    if isinstance(strategies, Asked):
        strategies = (strategies,)
    if strategies is not None:
        strategies = row_of("strategies", strategies, "strategies, as [par_list.to_ply(1)]")
    start = game.start() if state is None else state
    rule = _usual(game, start) if algorithm is None else algorithm
    if not isinstance(rule, Algorithm):
        raise AlgorithmError(
            f"a study takes an algorithm that searches to a depth, not {shown(rule)}"
        )
    if rule.tuples and rule.many:
        raise AlgorithmError("a study needs one value per search, but maxn finds one per player")
    rule.check(game)
    state = start
    is_terminal(game, state)
    place = place_of(batch_client(scheduler, ["threads"]), (game, rule))
    used = engine_for(searched_game(game, rule, state), engine).warm()
    setting = Setting(game, state, games, moves, against, seed, engine)
    store = Store(results)
    try:
        conducted = _Study.of(setting, used, store, rule, repeat, place)
        if depths:
            algorithms = [rule.at_depth(d) for d in dict.fromkeys(depths)]
        else:
            limit = SECONDS_A_MOVE if games else SECONDS
            algorithms = [rule if algorithm else conducted.deepened(limit)]
        counts = sorted(set(workers or (1, place.cores)))
        swept = cases(
            algorithms, _asked(strategies, p, plies), workers=counts,
            p=p or ((0.5,) if strategies is None and plies else ()),
            plies=plies or ((2,) if strategies is None and p else ()),
            simulate_above=place.cores if simulate else None,
        )  # fmt: skip
        _check(swept)
        place.check(max((c.workers for c in swept if not c.simulated), default=1))
        return conducted.run(swept, progress)
    finally:
        store.close()


def _usual(game: Game[Any, Any], state: Any) -> Algorithm:
    """Return the algorithm for a study that names none: one with one value per search."""
    kind, _ = usual_kind(game, state)
    return paranoid(1) if kind.tuples else kind


def _asked(
    strategies: Sequence[Asked] | None, p: Sequence[float], plies: Sequence[int]
) -> Sequence[Asked]:
    if strategies is not None:
        return strategies
    return SWEPT if p or plies else STRATEGIES


def _check(swept: Sequence[Case]) -> None:
    for case in swept:
        if case.simulated and isinstance(case.strategy, Driver):
            raise StrategyError(
                f"{case.strategy}: a driver's threads cannot be simulated; leave the driver out, "
                "or give no more workers than this machine has cores"
            )


def _version() -> str:
    try:
        return version("jamboree-search")
    except PackageNotFoundError:  # run from a source tree that was not installed
        return "0"


@frozen
class _Study:
    """One study: its parameters, and the store of its measurements."""

    setting: Setting
    engine: Engine
    store: Store
    rule: Algorithm
    repeat: int
    place: OnThisMachine
    common: Mapping[str, Any] = field(factory=dict)

    @classmethod
    def of(
        cls, setting: Setting, engine: Engine, store: Store, rule: Algorithm, repeat: int,
        place: OnThisMachine,
    ) -> _Study:  # fmt: skip
        s = setting
        common = {
            "game": repr(s.game), "state": repr(s.state), "games": s.games, "most_moves": s.moves,
            "against": s.against if s.games else "search", "seed": s.seed if s.games else 0,
            "engine": "native" if engine.native else "interpreted",
            "machine": place.machine, "version": _version(),
        }  # fmt: skip
        return cls(setting, engine, store, rule, repeat, place, common)

    def key(self, case: Case) -> Key:
        """Return the key of a case's measurements in the store."""
        return Key(
            algorithm=repr(case.algorithm), strategy=repr(case.strategy), workers=case.workers,
            how=case.how, **self.common,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """Return the key of depths and calibrations in the store."""
        names = ("game", "state", "engine", "machine", "version")
        return "\n".join([*(self.common[n] for n in names), repr(self.rule.at_depth(1))])

    def deepened(self, limit: float) -> Algorithm:
        """Return the rule at the depth that takes about `limit` seconds; once chosen, it stays."""
        depth = self.store.depth(self.name, limit)
        if depth is None:
            depth = self.place.do(depth_for, self.engine, self.rule, self.setting.state, limit)
            self.store.keep_depth(self.name, limit, depth)
        return self.rule.at_depth(depth)

    def run(self, swept: Sequence[Case], progress: Callable[[Study], None] | None) -> Study:
        """Measure what is missing, in turns."""
        runs = {case: self.known(case) for case in swept}
        scalings = self.scalings(swept)
        found = self.found(swept, runs, scalings)
        missing = any(len(known) < self.repeat for known in runs.values())
        if progress and missing:
            progress(found)
        if missing:
            light = self.deepened(CALIBRATION)
            lacking = {
                number: (
                    tuple(n for n in scalings if number not in scalings[n]),
                    tuple(case for case in swept if number not in runs[case]),
                )
                for number in range(self.repeat)
            }

            def calibrated(number: int, one: Scaling) -> None:
                scalings[one.threads][number] = one
                self.store.keep_kernels(self.name, one.threads, number, one.alone, one.together)

            def measured(number: int, case: Case, run: Measurement) -> None:
                self.compare(case, run, runs)
                runs[case][number] = run
                self.store.keep(self.key(case), number, run)
                if progress:
                    progress(self.found(swept, runs, scalings))

            self.place.repeat(
                self.setting, self.engine, light, swept, lacking, calibrated, measured
            )
        return self.found(swept, runs, scalings)

    def known(self, case: Case) -> dict[int, Measurement]:
        """Return the stored runs of a case."""
        kept = self.store.runs(self.key(case))
        return {number: run for number, run in kept.items() if number < self.repeat}

    def scalings(self, swept: Sequence[Case]) -> dict[int, dict[int, Scaling]]:
        """Return the stored calibrations, for each number of workers that is measured."""
        kept = self.store.kernels(self.name)
        counts = sorted({c.workers for c in swept if c.workers > 1 and not c.simulated})
        return {
            n: {
                number: Scaling(n, *times)
                for (workers, number), times in kept.items()
                if workers == n and number < self.repeat
            }
            for n in counts
        }

    def compare(
        self, case: Case, run: Measurement, runs: Mapping[Case, Mapping[int, Measurement]]
    ) -> None:
        """Raise Disagreement if a run's answer differs from another run of its algorithm."""
        for other, known in runs.items():
            first = next((r for r in known.values() if not r.refused), None)
            same = other.algorithm == case.algorithm and not run.refused
            if same and first and first.answer != run.answer:
                raise Disagreement(
                    f"{case.strategy} on {case.workers} workers found {run.found}; "
                    f"{other.strategy} found {first.found}"
                )

    def found(
        self, swept: Sequence[Case], runs: Mapping[Case, Mapping[int, Measurement]],
        scalings: Mapping[int, Mapping[int, Scaling]],
    ) -> Study:  # fmt: skip
        """Return the study so far."""
        kernels = {n: median(s.ratio for s in known.values())
                   for n, known in scalings.items() if known}  # fmt: skip
        made = {c: [r for r in known.values() if not r.refused] for c, known in runs.items()}
        best = {c.algorithm: known for c, known in made.items() if c.strategy == seq and known}
        rows = tuple(
            _row(c, known, best.get(c.algorithm, ()),
                 None if c.simulated else kernels.get(c.workers))
            for c, known in made.items() if known
        )  # fmt: skip
        refused = tuple(
            f"{c.strategy!r} on {c.workers} at depth {c.algorithm.depth}: {why}"
            for c, known in runs.items()
            if (why := next((r.refused for r in known.values() if r.refused), ""))
        )
        done = sum(len(known) for known in runs.values())
        total = self.repeat * len(swept)
        algorithms = dict.fromkeys(c.algorithm for c in swept)
        told = {c.algorithm: known[0].found for c, known in made.items() if known}
        several = len(algorithms) > 1
        s = self.setting
        return Study(
            game=repr(s.game),
            algorithm=", ".join(map(repr, algorithms)),
            state="start" if s.state == s.game.start() else s.game.label(s.state),
            engine="native" if self.engine.native else f"interpreted ({self.engine.reason})",
            cores=self.place.cores,
            repeat=self.repeat,
            games=s.games,
            moves=s.moves,
            against=s.against,
            seed=s.seed,
            found="; ".join(f"depth {a.depth}: {t}" if several else t for a, t in told.items()),
            rows=rows,
            complete=done == total,
            steps=(done, total),
            refused=refused,
        )


def _row(
    case: Case, runs: Sequence[Measurement], best: Sequence[Measurement], kernels: float | None
) -> Row:
    """Return the row of a case; `best` are the runs of `seq`.

    A simulated time is that of processors: it is compared with the processor time of `seq`.
    """
    seconds = median(r.seconds for r in runs)
    base = [r.cpu if case.simulated and r.cpu else r.seconds for r in best]
    low, high = median_interval([r.seconds for r in runs])
    least, most = median_interval(base) if base else (0.0, 0.0)
    middle = median_low(r.seconds for r in runs)
    run = next(r for r in runs if r.seconds == middle)
    return Row(
        algorithm=repr(case.algorithm), depth=case.algorithm.depth,
        strategy=repr(case.strategy), template=case.template, p=case.p, plies=case.plies,
        workers=case.workers, how=case.how, seconds=seconds, runs=tuple(r.seconds for r in runs),
        moves=run.moves, leaves=run.leaves, nodes=run.nodes, tasks=run.tasks,
        created=run.created, converted=run.converted, fizzled=run.fizzled, gcd=run.gcd,
        pruned=run.pruned, work=run.work, span=run.span,
        speedup=_ratio(median(base), seconds) if base else None,
        speedup_low=_ratio(least, high) if base else None,
        speedup_high=_ratio(most, low) if base else None,
        cpu=run.cpu, kernels=kernels,
    )  # fmt: skip


def _ratio(base: float, seconds: float) -> float:
    return base / seconds if seconds else 1.0
