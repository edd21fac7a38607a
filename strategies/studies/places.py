"""The place where a study measures: this machine, or the workers of a cluster."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from attrs import evolve, field, frozen

from strategies.algebra.combinators import par_list
from strategies.algebra.strategy import seq
from strategies.algorithms.algorithm import Algorithm
from strategies.insight.analysis.scaling import Scaling, calibrate
from strategies.native.engine import Engine
from strategies.running.runtime.batch import run_on
from strategies.running.runtime.delivery import ask_workers, parcel_for, waiting_on
from strategies.running.runtime.shipping import ClusterError
from strategies.studies.measure import Case, Measurement, Setting, measure
from strategies.support.fork_locks import fork_lock


@frozen(eq=False)
class Part:
    """What is missing of one repetition at one position of a study."""

    position: int
    number: int
    """The number of the repetition."""
    setting: Setting
    engine: Engine
    light: Algorithm
    """The search of the calibration."""
    counts: tuple[int, ...]
    """The numbers of threads to calibrate."""
    cases: tuple[Case, ...]
    """The cases to measure."""


Calibrated = Callable[[Part, Scaling], None]
Measured = Callable[[Part, Case, Measurement], None]


def machine() -> str:
    """Return a description of this machine, as far as it affects times."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count() or 1} cores"


@frozen(eq=False)
class OnThisMachine:
    """This machine."""

    machine: str = field(factory=machine)
    cores: int = field(factory=lambda: os.cpu_count() or 1)

    def check(self, workers: int) -> None:
        """Check that a number of workers can be measured; on this machine, any number can.

        Raises: ClusterError, on a cluster.
        """

    def do(self, work: Callable[..., Any], *given: Any) -> Any:
        """Run a function at this place, and return its result."""
        return work(*given)

    def repeat(self, parts: Iterable[Part], calibrated: Calibrated, measured: Measured) -> None:
        """Measure each part in turn, and report each run at once."""
        warmed = set[Any]()
        for part in parts:
            new = [case for case in part.cases if (case.strategy, case.how) not in warmed]
            if new:
                warm(part, new)
                warmed.update((case.strategy, case.how) for case in new)
            for n in part.counts:
                calibrated(part, calibrate(part.engine, part.light, part.setting.state, n))
            for case in part.cases:
                measured(part, case, measure(part.setting, case))


@frozen(eq=False)
class OnCluster(OnThisMachine):
    """The workers of a cluster of equal machines; each repetition is one task."""

    client: Any = field(default=None, kw_only=True)
    shared: tuple[Any, ...] = field(default=(), kw_only=True)

    def check(self, workers: int) -> None:
        if workers > self.cores:
            raise ClusterError(
                f"a study of {workers} workers needs that many threads in one process, but those "
                f"of the cluster have {self.cores}: start one process per machine, with "
                '--nthreads, or measure on this machine: scheduler="threads"'
            )

    def do(self, work: Callable[..., Any], *given: Any) -> Any:
        made: list[Any] = []
        run_on(
            self.client, work, [(0, given)], lambda _, found: made.append(found),
            shared=self.shared, checked=1,
        )  # fmt: skip
        return made[0]

    def repeat(self, parts: Iterable[Part], calibrated: Calibrated, measured: Measured) -> None:
        todo = [part for part in parts if part.counts or part.cases]

        def done(number: Any, made: tuple[list[Scaling], list[Measurement]]) -> None:
            part = todo[number]
            for one in made[0]:
                calibrated(part, one)
            for case, run in zip(part.cases, made[1], strict=True):
                measured(part, case, run)

        asked = [(number, (part,)) for number, part in enumerate(todo)]
        run_on(self.client, repetition, asked, done, shared=self.shared, checked=1)


IN_CLUSTER = ", in a cluster"
"""The mark of measurements on a cluster, as opposed to those on a single machine."""


def place_of(client: Any, shared: tuple[Any, ...]) -> OnThisMachine:
    """Return the place of a study: the cluster of `client`, or this machine if that is None.

    `shared` are the objects that its runs share, the game first.
    Raises: ClusterError.
    """
    if client is None:
        return OnThisMachine()
    with waiting_on(client):
        parcel_for(client, shared, 1)
        machines = sorted(set(ask_workers(client, partial(client.run, machine)).values()))
    if len(machines) != 1:
        kinds = "; ".join(machines) or "none"
        raise ClusterError(
            f"a study compares times, so it needs workers on machines of one kind, not {kinds}: "
            'connect only to such machines, or measure on this one: scheduler="threads"'
        )
    threads = min(client.nthreads().values(), default=1)
    return OnCluster(f"{machines[0]}{IN_CLUSTER}", threads, client=client, shared=shared)


def warm(part: Part, cases: Sequence[Case]) -> None:
    """Do once, before the measurements, what happens only once: compiling and loading."""
    once, light = evolve(part.setting, games=0), part.light
    shallow = light.at_depth(min(light.depth, *(c.algorithm.depth for c in cases)))
    for strategy in dict.fromkeys((seq, par_list, *(c.strategy for c in cases))):
        measure(once, Case(shallow, strategy, 2))
    if any(c.simulated for c in cases):
        from strategies.insight.analysis.calibration import measured_burden

        measured_burden(part.setting.game, engine=part.setting.engine)


_alone = fork_lock()
"""A lock for measurements: two runs in one process would slow each other down."""


def repetition(part: Part) -> tuple[list[Scaling], list[Measurement]]:
    """Measure a part, on a worker."""
    with _alone:
        if part.cases:
            warm(part, part.cases)
        state = part.setting.state
        kernels = [calibrate(part.engine, part.light, state, n) for n in part.counts]
        return kernels, [measure(part.setting, case) for case in part.cases]
