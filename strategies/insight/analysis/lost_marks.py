"""The workers that a run lost, and the cost, for pictures and pages."""

from __future__ import annotations

from attrs import frozen

from strategies.notation.wording import plural
from strategies.running.records.run import Run


@frozen
class LostMark:
    """A worker that was lost or left during a run."""

    time: float
    """Seconds from the start of the run's first task."""
    name: str
    """A short label of what was lost."""
    says: str
    """A sentence about the tasks that were lost and run again."""


def lost_marks(result: Run) -> tuple[LostMark, ...]:
    """Return the workers that a run lost, in order of time, with the recorded tasks that they had.

    Cost: linear in the tasks.
    """
    if not result.losses:
        return ()
    roles = {(r.graph, r.key): r.role for r in result.records}
    begin = min(r.start for r in result.records)
    marks = []
    for loss in result.losses:
        had = [roles[key] for key in loss.tasks if key in roles]
        sparks, others = had.count("spark"), len(had) - had.count("spark")
        what = plural(sparks, "spark") if sparks else plural(others, "task")
        name = f"{what} lost"
        if sparks and others:
            what += f" and {plural(others, 'other task')}"
        says = f"The worker {loss.worker} was lost or left. It had {what}, which were run again."
        marks.append(LostMark(max(0.0, loss.time - begin), name, says))
    return tuple(marks)
