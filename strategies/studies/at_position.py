"""What a study measures at one position: the keys and the stored runs of its searches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from attrs import define, field

from strategies.algebra.wording import plural
from strategies.algorithms.algorithm import Algorithm
from strategies.insight.analysis.scaling import Scaling, deepen
from strategies.native.engine import Engine
from strategies.native.fingerprint import own_fingerprints
from strategies.studies.measure import Case, Disagreement, Measurement, Setting, Solved, Step
from strategies.studies.places import OnThisMachine, Part
from strategies.studies.positions import SetPosition
from strategies.studies.store import Key, Store
from strategies.support.cached import cached_property

CALIBRATION = 0.3
"""The approximate time limit of the searches of the calibration, in seconds."""


def _version() -> str:
    try:
        return version("jamboree-search")
    except PackageNotFoundError:  # run from a source tree that was not installed
        return "0"


@define(eq=False, slots=False)
class AtPosition:
    """The searches of a study at one position, and the runs so far."""

    setting: Setting
    rules: str
    """A digest of the rules of the game, since two games may have the same name."""
    asked: SetPosition
    engine: Engine
    store: Store
    rule: Algorithm
    repeat: int
    place: OnThisMachine
    runs: dict[Case, dict[int, Measurement]] = field(factory=dict)
    scalings: dict[int, dict[int, Scaling]] = field(factory=dict)

    @cached_property
    def common(self) -> Mapping[str, Any]:
        """Return the part of the key that all cases have."""
        s = self.setting
        return {
            "game": repr(s.game), "rules": self.rules, "state": repr(s.state), "games": s.games,
            "most_moves": s.moves, "seed": s.seed if s.games else 0,
            "against": s.against if s.games else "search",
            "engine": "native" if self.engine.native else "interpreted",
            "machine": self.place.machine, "version": _version(),
        }  # fmt: skip

    def key(self, case: Case) -> Key:
        """Return the key of a case's measurements in the store."""
        case_of = {"algorithm": repr(case.algorithm), "strategy": repr(case.strategy)}
        case_of["rules"] = "".join([self.rules, *own_fingerprints(case.algorithm, case.strategy)])
        return {**self.common, **case_of, "workers": case.workers, "how": case.how}

    @property
    def name(self) -> str:
        """Return the key of depths and calibrations in the store."""
        names = ("game", "rules", "state", "engine", "machine", "version")
        return "\n".join([*(self.common[n] for n in names), repr(self.rule.at_depth(1))])

    @property
    def label(self) -> str:
        """Return the position in a word: "start", or as the game labels it."""
        s = self.setting
        return "start" if s.state == s.game.start() else s.game.label(s.state)

    def deepened(self, limit: float) -> Algorithm:
        """Return the rule at the depth that takes about `limit` seconds; once chosen, it stays."""
        depth = self.store.depth(self.name, limit)
        if depth is None:
            found = self.place.do(deepen, self.engine, self.rule, self.setting.state, limit)
            depth = found.depth
            self.store.keep_depth(self.name, limit, depth)
        return self.rule.at_depth(depth)

    def recall(self, swept: Sequence[Case]) -> None:
        """Read what the store has of these cases, and of the calibrations beside them."""
        for case in swept:
            kept = self.store.runs(self.key(case))
            self.runs[case] = {n: run for n, run in kept.items() if n < self.repeat}
        timed = self.store.kernels(self.name)
        for workers in sorted({c.workers for c in swept if c.workers > 1 and not c.simulated}):
            self.scalings[workers] = {
                number: Scaling(workers, *times)
                for (count, number), times in timed.items()
                if count == workers and number < self.repeat
            }

    @property
    def done(self) -> int:
        """Return the number of runs so far."""
        return sum(len(known) for known in self.runs.values())

    @property
    def complete(self) -> bool:
        """Return whether nothing is missing."""
        return all(len(known) == self.repeat for known in self.runs.values())

    def missing(self, position: int) -> list[Part]:
        """Return what is missing of each repetition; `position` is the number of this one."""
        light = self.deepened(CALIBRATION)
        return [
            Part(
                position, number, self.setting, self.engine, light,
                tuple(n for n, known in self.scalings.items() if number not in known),
                tuple(case for case, known in self.runs.items() if number not in known),
            )
            for number in range(self.repeat)
        ]  # fmt: skip

    def calibrated(self, number: int, one: Scaling) -> None:
        """Keep a calibration."""
        self.scalings[one.threads][number] = one
        self.store.keep_kernels(self.name, one.threads, number, one.alone, one.together)

    def measured(self, number: int, case: Case, run: Measurement) -> None:
        """Keep a run.

        Raises: Disagreement if its answer differs from that of another run of its algorithm.
        """
        self._compare(case, run)
        self.runs[case][number] = run
        self.store.keep(self.key(case), number, run)

    def _compare(self, case: Case, run: Measurement) -> None:
        at = f"position {self.asked.name}: " if self.asked.name else ""
        for other, known in self.runs.items():
            first = next((r for r in known.values() if not r.refused), None)
            same = other.algorithm == case.algorithm and not run.refused
            if same and first and first.answer != run.answer:
                raise Disagreement(
                    f"{at}{case.strategy} on {plural(case.workers, 'worker')} found {run.found}; "
                    f"{other.strategy} found {first.found}"
                )

    def made(self, case: Case) -> list[Measurement]:
        """Return the runs of a case that were not refused."""
        return [run for run in self.runs[case].values() if not run.refused]

    def refused(self, case: Case) -> str:
        """Return why a case was refused; empty if it was not."""
        return next((run.refused for run in self.runs[case].values() if run.refused), "")

    @cached_property
    def solved(self) -> Solved | None:
        """Return the test for the solution of the position; None if none is stated."""
        if not self.asked.stated:
            return None
        game, state = self.setting.game, self.setting.state
        moves = {game.move_text(state, move): move for move in game.moves(state)}

        def found(step: Step) -> bool:
            return self.asked.solved_by(moves.get(step.move), step.value)

        return found
