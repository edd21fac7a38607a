"""Conduct a study: measure what is missing, position by position, and make the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from statistics import geometric_mean, median, median_low

from attrs import evolve, frozen

from strategies.algebra.strategy import seq
from strategies.insight.analysis.diagnosis.facts import SHORTEST
from strategies.insight.analysis.scaling import Scaling
from strategies.studies.at_position import AtPosition
from strategies.studies.measure import Case, Measurement, Solved, solution_time, steps_in
from strategies.studies.places import Part
from strategies.studies.rows import Row, median_interval
from strategies.studies.study import Study

Progress = Callable[[Study], None] | None
EACH = "for each position, the same move and value"
"""What all searches of a set found."""


@frozen
class Conducted:
    """A study under way: the positions, of which a set has a title."""

    at: tuple[AtPosition, ...]
    swept: tuple[Case, ...]
    title: str = ""
    """The description of the set; empty for one position that is not of a set."""

    def run(self, progress: Progress) -> Study:
        """Measure what is missing, in turns."""
        for here in self.at:
            here.recall(self.swept)
        lacking = [i for i, here in enumerate(self.at) if not here.complete]
        if not lacking:
            return self.found()
        if progress:
            progress(self.found())

        def calibrated(part: Part, one: Scaling) -> None:
            self.at[part.position].calibrated(part.number, one)

        def measured(part: Part, case: Case, run: Measurement) -> None:
            self.at[part.position].measured(part.number, case, run)
            if progress:
                progress(self.found())

        parts = (part for i in lacking for part in self.at[i].missing(i))
        self.at[0].place.repeat(parts, calibrated, measured)
        return self.found()

    def found(self) -> Study:
        """Return the study so far.

        Ensures: in a set, the rows are sums over the positions that are finished, so that all rows
        have the same positions.
        """
        if not self.title:
            return self._of(self.at)
        each = tuple(
            evolve(self._of((here,)), name=here.asked.name) for here in self.at if here.done
        )
        ended = tuple(here for here in self.at if here.complete)
        whole = self._of(ended or self.at[:1])
        done, total = sum(here.done for here in self.at), self._total(self.at)
        return evolve(
            whole, state=self.title, found=EACH, positions=each, complete=done == total,
            steps=(done, total),
        )  # fmt: skip

    def _total(self, at: Sequence[AtPosition]) -> int:
        return at[0].repeat * len(self.swept) * len(at)

    def _of(self, at: Sequence[AtPosition]) -> Study:
        """Return the study of some positions so far."""
        first = at[0]
        s, done, total = first.setting, sum(here.done for here in at), self._total(at)
        algorithms = dict.fromkeys(c.algorithm for c in self.swept)
        made = {c: first.made(c) for c in self.swept}
        told = {c.algorithm: known[0].found for c, known in made.items() if known}
        several = len(algorithms) > 1
        return Study(
            game=repr(s.game),
            algorithm=", ".join(map(repr, algorithms)),
            state=first.label,
            engine="native" if first.engine.native else f"interpreted ({first.engine.reason})",
            cores=first.place.cores,
            repeat=first.repeat,
            games=s.games,
            moves=s.moves,
            against=s.against,
            seed=s.seed,
            found="; ".join(f"depth {a.depth}: {t}" if several else t for a, t in told.items()),
            rows=self._rows(at),
            complete=done == total,
            steps=(done, total),
            refused=self._refused(at),
        )

    def _rows(self, at: Sequence[AtPosition]) -> tuple[Row, ...]:
        """Return the row of each case that has a run at each of some positions."""
        best = {c.algorithm: c for c in self.swept if c.strategy == seq}
        solved = [here.solved for here in at]
        rows = []
        for case in self.swept:
            runs = [here.made(case) for here in at]
            alone = [here.made(best[case.algorithm]) for here in at]
            if all(runs):
                kernels = None if case.simulated else _kernels(at, case.workers)
                base = alone if all(alone) else [[] for _ in at]
                rows.append(row_of_set(case, runs, base, kernels, solved))
        return tuple(rows)

    def _refused(self, at: Sequence[AtPosition]) -> tuple[str, ...]:
        return tuple(
            f"{c.strategy!r} on {c.workers} at depth {c.algorithm.depth}"
            + (f", position {here.asked.name}: {why}" if len(at) > 1 else f": {why}")
            for c in self.swept for here in at if (why := here.refused(c))
        )  # fmt: skip


def _kernels(at: Sequence[AtPosition], workers: int) -> float | None:
    """Return how many times as fast independent searches were, in the median of all minutes."""
    ratios = [s.ratio for here in at for s in here.scalings.get(workers, {}).values()]
    return median(ratios) if ratios else None


SUMMED = (
    "seconds", "moves", "leaves", "nodes", "tasks", "created", "converted", "fizzled", "pruned",
    "work", "span", "cpu",
)  # fmt: skip


def row_of(
    case: Case, runs: Sequence[Measurement], best: Sequence[Measurement], kernels: float | None,
    solved: Solved | None = None,
) -> Row:  # fmt: skip
    """Return the row of a case at one position; `best` are the runs of `seq`.

    A simulated time is that of processors: it is compared with the processor time of `seq`.
    """
    row = _timed(case, runs, best, kernels)
    base = _middle(best, case.simulated)
    clear = bool(best) and base >= SHORTEST
    row = evolve(row, mean=row.speedup if clear else None, clear=int(clear))
    solution = None if solved is None else _to_solution(runs, solved, False)
    if solution is None or solved is None:
        return row
    row = evolve(row, solved=1, solution=solution)
    alone = _to_solution(best, solved, case.simulated)
    if alone is None:
        return row
    gain, hard = _ratio(alone, solution), alone >= SHORTEST
    return evolve(
        row, solution_speedup=gain, solution_mean=gain if hard else None, solution_clear=int(hard)
    )


def row_of_set(
    case: Case, runs: Sequence[Sequence[Measurement]], best: Sequence[Sequence[Measurement]],
    kernels: float | None, solved: Sequence[Solved | None],
) -> Row:  # fmt: skip
    """Return the row of a case over a set: its runs at each position, and those of `seq`.

    Ensures: times and counts are sums over the positions, so that the speed-up is that of the total
    time; the means are geometric means of the positions' speed-ups, without the positions at which
    `seq` took less than 20 ms.  The row of one position is that of `row_of`.
    """
    every = list(zip(runs, best, solved, strict=True))
    each = [row_of(case, run, base, None, known) for run, base, known in every]
    made = [r for r in each if r.solution is not None]
    row = _timed(case, _sums(runs), _sums(best), kernels)
    row = evolve(
        row, mean=_geometric([r.mean for r in each]), clear=sum(r.clear for r in each),
        solved=len(made), stated=sum(known is not None for known in solved),
    )  # fmt: skip
    if not made:
        return row
    solution = sum(r.solution or 0.0 for r in made)
    alone = [(r.solution or 0.0) * r.solution_speedup for r in made if r.solution_speedup]
    return evolve(
        row, solution=solution,
        solution_speedup=_ratio(sum(alone), solution) if len(alone) == len(made) else None,
        solution_mean=_geometric([r.solution_mean for r in made]),
        solution_clear=sum(r.solution_clear for r in made),
    )  # fmt: skip


def _sums(runs: Sequence[Sequence[Measurement]]) -> list[Measurement]:
    """Return the first runs of all positions as one run, the second ones as another, …"""
    return [reduce(_sum, row) for row in zip(*runs, strict=False)]


def _sum(one: Measurement, other: Measurement) -> Measurement:
    known = [m.gcd for m in (one, other) if m.gcd is not None]
    sums = {name: getattr(one, name) + getattr(other, name) for name in SUMMED}
    return evolve(one, **sums, gcd=sum(known) if known else None)


def _timed(
    case: Case, runs: Sequence[Measurement], best: Sequence[Measurement], kernels: float | None
) -> Row:
    """Return the row of a case with times, counts and the speed-up."""
    seconds = median(r.seconds for r in runs)
    base = _base(best, case.simulated)
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


def _base(best: Sequence[Measurement], simulated: bool) -> list[float]:
    return [r.cpu if simulated and r.cpu else r.seconds for r in best]


def _middle(best: Sequence[Measurement], simulated: bool) -> float:
    return median(_base(best, simulated)) if best else 0.0


def _to_solution(runs: Sequence[Measurement], solved: Solved, on_processor: bool) -> float | None:
    """Return the median seconds until the solution; None unless every run ends with it.

    With `on_processor`, each is scaled as the processor time of the whole search to its time.
    """
    times = [solution_time(steps_in(r.steps), solved) for r in runs]
    shares = [r.cpu / r.seconds if on_processor and r.cpu and r.seconds else 1.0 for r in runs]
    if not times or None in times:
        return None
    return median((t or 0.0) * share for t, share in zip(times, shares, strict=True))


def _geometric(ratios: Sequence[float | None]) -> float | None:
    """Return the geometric mean of the known ratios.

    >>> _geometric([2.0, None, 8.0]), _geometric([3.3]), _geometric([None])
    (4.0, 3.3, None)
    """
    known = [ratio for ratio in ratios if ratio is not None]
    if len(known) < 2:  # of one ratio, the ratio itself, not rounded
        return next(iter(known), None)
    return geometric_mean(known)


def _ratio(base: float, seconds: float) -> float:
    return base / seconds if seconds else 1.0
