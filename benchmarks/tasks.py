"""What does a task cost?  A plan whose tasks do nothing, against Dask on a graph of that shape."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from benchmarks.finding import Finding, seconds
from benchmarks.measure import interleaved, ratio
from games import Game, Status
from games.u64 import U64


@frozen
class Node:
    """A place in a uniform tree."""

    plies: int
    word: U64


@frozen
class Uniform(Game[Node, int]):
    """A tree of uniform width and no end whose rules cost nothing: what is left is the task."""

    width: int

    def start(self) -> Node:
        return Node(0, U64(0))

    def status(self, state: Node) -> Status:
        return Status.IN_PLAY

    def player(self, state: Node) -> int:
        return state.plies & 1

    def moves(self, state: Node) -> Iterator[int]:
        for move in range(self.width):  # noqa: UP028 - `yield from` does not compile
            yield move

    def make_move(self, state: Node, move: int) -> Node:
        return Node(state.plies + 1, state.word)

    def estimate(self, state: Node) -> int:
        return 0


def run(quick: bool) -> list[Finding]:
    return [cost(*(4, 2, 3) if quick else (10, 3, 7)), *large(*(4, 3) if quick else (37, 3))]


def cost(width: int, plies: int, rounds: int) -> Finding:
    """Build, lower and run a plan of empty tasks, against Dask's own runner on such a graph."""
    from dask.task_spec import Task, TaskRef
    from dask.threaded import get

    from strategies import minimax, par_list, search
    from strategies.native.kept_engines import engine_for

    game = Uniform(width)
    engine_for(game).warm()
    using = par_list.to_ply(plies)
    shape = {
        k: t.dependencies for k, t in search(game, minimax(plies), using=using).tasks().items()
    }
    last = next(reversed(shape))

    def ours() -> Any:
        return search(game, minimax(plies), using=using).compute(num_workers=2)

    def theirs() -> Any:
        graph = {k: Task(k, nothing, *map(TaskRef, before)) for k, before in shape.items()}
        return get(graph, [last], num_workers=2)

    assert len(ours().records) == len(shape)
    a, b = interleaved(ours, theirs, rounds=rounds)
    return Finding(
        "a task that does nothing: plan, lower and run", 1 / ratio(a, b), 1.2,
        "`dask.threaded.get`, graph built and run", f"{len(shape):,} tasks, 2 workers",
        f"{seconds(min(a) / len(shape))} a task", f"{seconds(min(b) / len(shape))} a task",
        at_most=True,
    )  # fmt: skip


def nothing(*_: Any) -> None:
    return None


LARGE = """
import sys
from time import perf_counter
from benchmarks.measure import peak_memory
from benchmarks.tasks import Uniform
from strategies import minimax, par_list, search
width, plies = map(int, sys.argv[1:])
start = perf_counter()
answer = search(Uniform(width), minimax(plies), using=par_list.to_ply(plies))
tasks = len(answer.tasks())
seconds = perf_counter() - start
print(tasks, seconds, peak_memory() / 1e6)
"""


def large(width: int, plies: int) -> list[Finding]:
    """Time and memory of a large plan and its graph, in a process of its own."""
    command = [sys.executable, "-c", LARGE, str(width), str(plies)]
    runs = [subprocess.check_output(command, text=True).split() for _ in range(3)]
    tasks, took, peak = runs[0][0], min(float(r[1]) for r in runs), max(float(r[2]) for r in runs)
    work = f"{int(tasks):,} tasks"
    name = "a large plan: build and lower"
    none = "none", work, seconds(took), ""
    return [
        Finding(name, took, 1.5, *none, at_most=True, unit=" s"),
        Finding(f"{name}, peak memory", peak, 400, *none, at_most=True, unit=" MB"),
    ]
