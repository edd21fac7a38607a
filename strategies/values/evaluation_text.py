"""Explain in words which tasks an evaluation of values has, and which are sparks."""

from __future__ import annotations

from itertools import groupby

from graphs.limits import TASK_LINES
from strategies.algebra.groups import Window
from strategies.algebra.strategy import unfolded
from strategies.algebra.wording import layer_lines, numbered, plural
from strategies.values.basic import ValueStrategy, r0
from strategies.values.evaluated import EvaluatedGraph
from strategies.values.lowering import PlannedTask


def explained(answer: EvaluatedGraph) -> str:
    """Explain the groups of a strategy on the given values, and the tasks that it made.

    Ensures: plain text; the tasks are those of the Dask graph, the sparks those of the ledger.
    """
    plan, strategy, length = answer._planned, answer._strategy, answer._length
    on = "a value" if length is None else f"a row of {plural(length, 'value')}"
    lines = [f"{'evaluation' if strategy is None else repr(strategy)}, on {on}:"]
    if strategy is not None and length is not None and not isinstance(strategy, ValueStrategy):
        lines += layer_lines(unfolded(strategy, "list", length), _how, "element", r0)
    lines.append("  its tasks:")
    rows = [(key, list(row)) for key, row in groupby(enumerate(plan.tasks), _alike)]
    lines += [_told(row) for _, row in rows[:TASK_LINES]]
    if len(rows) > TASK_LINES:
        lines.append(f"    and {sum(len(row) for _, row in rows[TASK_LINES:])} more;")
    lines.append(
        f"    {plural(plan.many('spark'), 'spark')}, {plural(plan.many('step'), 'step')}, "
        f"{plural(plan.many('fold'), 'fold')}, {plan.many('call')} left to Dask."
    )
    lines.append(
        f"  {plural(plan.asked, 'spark')} asked for: {plan.created} created, {plan.dud} dud, "
        f"{plan.opened} opened" + (f"; {plan.garbage} garbage" if plan.garbage else "") + "."
    )
    return "\n".join(lines)


def _alike(numbered_task: tuple[int, PlannedTask]) -> tuple[object, ...]:
    _, task = numbered_task
    return task.kind, task.calls, task.after


def _told(row: list[tuple[int, PlannedTask]]) -> str:
    numbers, task = [i for i, _ in row], row[0][1]
    are, each = ("are", " each") if len(row) > 1 else ("is", "")
    what = f"{are}{each} a {task.kind} that "
    does = "puts values together" if task.kind == "fold" else f"calls {calls(task)}"
    if task.kind == "call":
        what, does = f"{are} left to Dask,{each} ", f"calling {calls(task)}"
    if task.kind == "known":
        what, does = f"{are} known", ""
    waits = f", once {numbered(task.after, 'task')} {_are(task.after)} known" if task.after else ""
    return f"    {numbered(numbers, 'task')} {what}{does}{waits};"


def calls(task: PlannedTask) -> str:
    """Describe the calls of a task.

    >>> calls(PlannedTask("step", "step", ("f", "f", "g"), ()))
    'f twice, then g'
    """
    rows = [(name, len(list(same))) for name, same in groupby(task.calls)]
    return ", then ".join(f"{name}{TIMES.get(n, f' {n} times')}" for name, n in rows)


TIMES = {1: "", 2: " twice"}


def _are(which: tuple[int, ...]) -> str:
    return "is" if len(which) == 1 else "are"


def _how(window: Window, sparked: bool, together: int, size: int, before: str) -> str:
    if not sparked:
        return "run in order, in one task" if size > 1 else "runs by itself"
    known = "is known" if before.startswith("element ") else "are known"
    wait = f" once {before} {known}" if before else ""
    if together > 1:
        return f"are sparks{', each' if wait else ''}{wait}"
    one = "is a spark" if size == 1 else "are one spark, in order inside it"
    return f"{one},{wait}" if wait else one
