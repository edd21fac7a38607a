"""Conduct a study: measure what is missing, position by position, and make the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from attrs import evolve, frozen

from strategies.algebra.strategy import seq
from strategies.insight.analysis.scaling import Scaling
from strategies.studies.at_position import AtPosition
from strategies.studies.measure import Case, Measurement
from strategies.studies.places import Part
from strategies.studies.row_of import row_of_set
from strategies.studies.rows import Row
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
