"""The moments of a replay as rows of data for the scripts of its page, each with what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from games import WIN
from strategies.algebra.wording import plural
from strategies.insight.analysis.replays.drawn_tree import Spot
from strategies.insight.analysis.replays.moments import Inside, Replay, Task, Turned, What
from strategies.insight.analysis.trace_steps import (
    Candidate,
    Cut,
    Entered,
    Estimated,
    Inlined,
    Led,
    Path,
    Place,
    Returned,
)
from strategies.insight.pictures.fates import FATES
from strategies.insight.pictures.tree_states import TreeStates
from strategies.running.records.wording import bound

ADDED: Final = (
    "leaves", "nodes", "work", "span", "attempts", "created", "converted", "fizzled", "aborted",
    "dud", "opened", "inlined", "pruned",
)  # fmt: skip
"""The counts of a page, in the order of its data."""
BEFORE: Final = ("created", "dud", "opened", "started")
"""What happens to a task before it ends."""
Row = dict[str, Any]


def side(replay: Replay, root: Spot, numbers: Mapping[Path, int], words: Words) -> Row:
    """Return one replay as data; `numbers` are those of the positions that are drawn.

    Ensures: one row for each moment at a drawn position; the rows add up to the counts of all.
    """
    rows: list[Row] = []
    states = TreeStates(root)
    left: dict[str, float] = {}
    lanes = {task.number: lane for lane, task in enumerate(replay.tasks)}
    for moment in replay.moments:
        moment.add_to(left)
        what = moment.what
        states.add(what)
        if not isinstance(what, (Turned, Inside)) and what.place.path not in numbers:
            continue
        row = _row(what, numbers, words)
        row |= {"t": moment.time, "s": words.says(what), "a": _adds(left)}
        if isinstance(what, Turned) and what.fate not in BEFORE:
            row["e"] = lanes[moment.task]
        if isinstance(what, Returned):
            row["v"] = states.at(what.place.path).claim
        left = {}
        rows.append(row)
    closing = words.renamed("\n".join(replay.closing), root.place)
    last: Row = {"k": "end", "n": 0, "t": replay.end, "s": closing}
    rows.append(last | {"a": _adds(left)})
    return {
        "name": replay.title, "ticks": replay.ticks, "workers": replay.workers, "rows": rows,
        "tasks": [_task(task, numbers, words) for task in replay.tasks], "end": replay.end,
    }  # fmt: skip


def leaf_values(replay: Replay) -> list[str]:
    """Return the values of all leaves that a replay reads, as texts; one if there are none."""
    steps = (moment.what for moment in replay.moments)
    return [bound(step.value) for step in steps if isinstance(step, Estimated)] or [""]


def _adds(left: Mapping[str, float]) -> list[list[float]]:
    return [[ADDED.index(name), n] for name, n in left.items()]


def _row(what: What, numbers: Mapping[Path, int], words: Words) -> Row:
    """Return what the scripts need to know of a step."""
    path = what.place.path
    row: Row = {"k": what.kind, "n": _near(path, numbers)}
    if isinstance(what, Inside):
        ways = [(*path, i) for i in what.branches] or [path]
        row["b"] = sorted({_near(way, numbers) for way in ways})
    elif isinstance(what, (Led, Cut, Inlined, Turned)):
        ways = [(*path, i) for i in what.branches]
        row["b"] = [numbers[way] for way in ways if way in numbers]
        row["p"] = int(isinstance(what, Turned) and what.spark)
    else:
        row["l"] = 1
    if isinstance(what, Entered) and what.ab is not None:
        row["w"] = [_bound(end, words) for end in what.ab]
    elif isinstance(what, Estimated):
        row["v"] = bound(what.value)
    elif isinstance(what, Led):
        row |= {"w": _bound(what.best, words), "r": what.between}
    return row


def _bound(found: Candidate, words: Words) -> list[Any]:
    """Return a bound as a number (None if there is none), as text, and whose it is."""
    value = found.value
    plain = not isinstance(value, tuple) and abs(value) < WIN
    where = "" if found.at is None else f"{words.name(found.at)}, {words.move(found)}"
    return [value if plain else None, found.shown or bound(value), where]


def _near(path: Path, numbers: Mapping[Path, int]) -> int:
    """Return the number of a position, or of the folded one that it is in."""
    while path not in numbers:
        path = path[:-1]
    return numbers[path]


def _task(task: Task, numbers: Mapping[Path, int], words: Words) -> list[Any]:
    nodes = sorted({_near(path, numbers) for path in task.branches})
    fate = task.became if task.role == "spark" else "dud" if task.role == "dud" else "step"
    names = " and ".join(dict.fromkeys(words.name(path) for path in task.branches[:3]))
    return [task.worker, task.start, task.end, fate, nodes, names, task.nodes, task.before]


@frozen
class Words:
    """Names of positions, and sentences about moments."""

    names: Mapping[Path, str]
    moves: Mapping[Path, str]
    """The move that leads to each position, as the game writes it."""
    boards: bool = False
    """Whether positions are shown beside the lines, so that lines only name them."""

    def name(self, path: Path) -> str:
        """Return the name of a position, or where it is folded."""
        if path in self.names:
            return self.names[path]
        while path not in self.names:
            path = path[:-1]
        return f"a position below {self.names[path]}"

    def move(self, found: Candidate) -> str:
        """Return the branch of a bound: its move; its number where the move is not drawn."""
        if found.at is None or found.move is None:
            return f"branch {found.move}"
        path = (*found.at, found.move)
        return f"move {self.moves[path]}" if path in self.moves else f"branch {found.move}"

    def listed(self, path: Path, branches: tuple[int, ...]) -> str:
        """Return the names of branches of a node; of the node itself if there are none."""
        if not branches:
            return self.name(path)
        paths = [(*path, i) for i in branches]
        names = [self.names[p] for p in paths if p in self.names]
        hidden = [p for p in paths if p not in self.names]
        if hidden:
            one = self.name(hidden[0])
            many = f"{plural(len(hidden), 'position')} {one.partition(' position ')[2]}"
            names.append(many if len(hidden) > 1 else one)
        if len(names) > 3:
            return f"{names[0]} and {plural(len(branches) - 1, 'other')}"
        return " and ".join(names)

    def says(self, what: What) -> str:
        """Return the line or the sentence about a moment."""
        if isinstance(what, Led):
            name, mean = self.name(what.place.path), what.place.letter == "H"
            so_far = bound(what.best.value)
            rest = "" if what.best.move is None else f", by {self.move(what.best)}"
            if what.between is not None:
                rest = "; in the end from {} to {}".format(*map(bound, what.between))
            return f"{'Mean' if mean else 'Best'} of {name} so far: {so_far}{rest}"
        if isinstance(what, Cut):
            return f"Cut: {self.listed(what.place.path, what.branches)}. {self.why(what)}"
        if isinstance(what, Inlined):
            where = self.name(what.place.path)
            return f"{plural(what.count, 'spark')} at {where} inlined: searched in this task"
        if isinstance(what, Turned):
            return self.turned(what)
        if isinstance(what, Inside):
            names = self.listed(what.place.path, what.branches)
            return f"{names}: {plural(what.nodes, 'position')} in one step, leaves: {what.leaves:,}"
        if isinstance(what, Estimated) and self.boards:
            return f"Estimating state {self.name(what.place.path)}"
        return self.renamed(what.line, what.place)

    def renamed(self, text: str, place: Place) -> str:
        """Return lines of a trace with the name that the page gives a position."""
        return text.replace(str(place), self.name(place.path))

    def why(self, cut: Cut) -> str:
        """Return why branches are left out: whose bounds meet."""
        name = self.name(cut.place.path)
        if cut.bounded and cut.best is not None:
            return f"By its bounds it is no better than {bound(cut.best.value)}, which is known"
        if cut.best is None:
            mean = f"Whatever they are worth, the mean of {name} stays outside its window"
            return mean if cut.place.letter == "H" else f"The window of {name} is closed"
        if isinstance(cut.best.value, tuple):
            return (
                f"Whoever moves at {name} has enough by {self.move(cut.best)}: nobody can have "
                "more, or the player before avoids this position"
            )
        side = "at most" if cut.place.letter == "G" else "at least"
        found = f"{name} is worth {side} {bound(cut.best.value)}"
        return f"{found}, but {self.source(cut.by)}"

    def source(self, by: Candidate | None) -> str:
        """Return whose bound a candidate is."""
        if by is None:
            return "its window ends there"
        if by.at is None:
            return f"its window ends at {bound(by.value)}"
        return f"{self.name(by.at)} has {bound(by.value)} already, by {self.move(by)}"

    def turned(self, what: Turned) -> str:
        """Return what became of a task."""
        names = self.listed(what.place.path, what.branches)
        worker = (what.worker or 0) + 1
        if what.fate == "started":
            return f"Worker {worker} starts {'the spark ' if what.spark else ''}{names}"
        if what.fate == "done":
            return f"Worker {worker} is done with {names}"
        why = "" if what.why is None else f". {self.why(what.why)}"
        return f"Spark {names} {FATES[what.fate]}{why}"
