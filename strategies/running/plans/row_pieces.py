"""The pieces of work that workers of a cluster do for a row of graphs."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from time import thread_time
from typing import Any

from attrs import evolve, frozen
from dask.task_spec import Task

from games.failed import RuleFailed
from strategies.native.kept_engines import engine_for
from strategies.native.memory.cells import Stopped
from strategies.running.execution.branches import BranchJob
from strategies.running.execution.helping import SearchPart, callable_by, sharing
from strategies.running.execution.iteration import Iteration
from strategies.running.plans.bundling import Bundle
from strategies.running.plans.on_cluster import job_of
from strategies.running.plans.tasks import resolve
from strategies.running.records.record import Record
from strategies.running.runtime.cancellation import current_scope
from strategies.running.runtime.machine_memory import Offer, offer, room_for, take


@frozen(eq=False)
class Learning:
    """A bundle whose tasks learn about the branches of an iteration."""

    bundle: Bundle
    iteration: Iteration | None
    number: int = 0
    """The number of its search, if helpers may join it."""

    def __call__(self, *inputs: Any) -> tuple[tuple[Any, ...], Any, str]:
        """Run the bundle; return its values, what it learned, and the address of this worker."""
        from distributed import get_worker

        with nullcontext() if self.number == 0 else sharing(self.part(helps=False)):
            values = self.bundle.run(*(given[0] for given in inputs))
        learned = None if self.iteration is None else self.iteration.learned()
        return values, learned, get_worker().address

    def part(self, *, helps: bool) -> SearchPart:
        """Return this worker's part in the search of the bundle, which several make together."""
        assert self.iteration is not None
        self.iteration.part = SearchPart(self.number, helps=helps)
        return self.iteration.part


@frozen(eq=False)
class Early:
    """The first iterations of a row, which one task makes as long as they are short."""

    iterations: tuple[Learning, ...]
    enough: float
    """The processor time in seconds after which no further iteration begins."""

    def __call__(self) -> list[Any]:
        """Return the results of the iterations that this task made, one or more."""
        start, first = thread_time(), self.iterations[0]
        found = [first()]
        for learning in self.iterations[1:]:
            if thread_time() - start > self.enough:
                break
            try:
                found.append(learning())
            except RuleFailed:  # the row runs it again, and reports the error if it matters
                break
        return found


@frozen(eq=False)
class Helping:
    """The work of a worker that joins the search of a bundle which another worker has."""

    learning: Learning
    run: str

    def __call__(self, *inputs: Any) -> Record:
        """Search with the other worker until one of them is done; return the record."""
        from distributed import get_worker

        bundle, part = self.learning.bundle, self.learning.part(helps=True)
        (job,) = (job for task in bundle.tasks if (job := searched(task)))
        (_, number), scope = get_worker().get_current_task(), current_scope()
        with callable_by(self.run, number, part), suppress(Stopped), sharing(part):
            bundle.run(*(given[0] for given in inputs))
        if scope.is_set:
            raise Stopped("the row is over")
        return part.join((*job.path, job.branches[0].index))


def kind_of_entries(game: Any, choice: str) -> str:
    """Return the kind of the entries in a table, which depends on the engine."""
    return "native" if engine_for(game, choice).native else "interpreted"


def offered(run: str, parcel: str, size: int, dask_worker: Any) -> Offer | None:
    """Offer `size` bytes of memory for the table of a row to other processes of this machine."""
    from strategies.running.runtime.worker_side import content_of, scope_of

    game, _, choice = content_of(dask_worker, parcel).values[:3]
    return offer(scope_of(run), room_for(size), kind_of_entries(game, choice))


def taken(
    run: str, parcel: str, size: int, memories: dict[str, Offer], dask_worker: Any
) -> bool:  # fmt: skip
    """Place the table of a row in the memory chosen for this worker; return whether it is there."""
    from strategies.running.runtime.worker_side import content_of, scope_of

    given = memories.get(dask_worker.address)
    algorithm = evolve(content_of(dask_worker, parcel).values[1], table=size)
    return given is not None and take(scope_of(run), given, room_for(size), algorithm.meaning)


def searched(task: Task) -> BranchJob | None:
    """Return the branches that a task will search; to resolve a failed test takes no search."""
    return None if task.func is resolve else job_of(task)
