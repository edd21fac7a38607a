"""How do costs grow: with the size of a state, with depth, with tasks and sparks, and with workers?

    python -m benchmarks.scale ROUNDS [PART …]

prints whole tables, and lines fitted through their points.  The parts are speed and memory of each
kernel by the size of the state, the costs of tasks and sparks, the growth with depth and workers,
and the first answer from nothing and from kept code: kernels, memory, sparks, growth, first.
Where one thread works alone, seconds are those of the processor, as most machines are shared.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

from attrs import frozen

from benchmarks.finding import Finding, a_node, seconds
from benchmarks.fits import Fit, fitted
from benchmarks.measure import (
    Work,
    at_once,
    commit,
    grown,
    interleaved,
    kernel,
    machine,
    scaling,
    timed,
)
from benchmarks.padded import Alone, Keyed, Padded, Rolled
from benchmarks.startup import JAMBOREE
from benchmarks.tasks import Uniform
from benchmarks.usage import own_arguments

SIZES: Final = (8, 16, 32, 64, 128, 256, 512, 1024)
"""The bytes of a state."""
DEEP: Final = 300
"""The plies of the tree without branches in which memory is measured."""
Counted = Callable[[], int]
"""Work that returns how many nodes, positions or simulations it took."""


@frozen
class Scale:
    """How much is measured: rounds, and how machine code and sizes are chosen."""

    rounds: int
    engine: str = "native"
    plies: int = 0
    """So many plies fewer than usual."""
    sizes: tuple[int, ...] = SIZES

    @property
    def least(self) -> float:
        """Return the seconds that each measurement takes at least."""
        return 0 if self.plies else 0.05


QUICK: Final = Scale(1, "interpreted", 7, (8, 64))


# Kernels by the size of the state


def by_search(make: Callable[..., Any], depth: int, **options: Any) -> Callable[..., Counted]:
    """Return how a search of a game to a depth is made, which returns its nodes."""

    def made(game: Any, scale: Scale, plies: int = 0) -> Counted:
        from strategies import search

        asked = make(plies or depth - scale.plies, **options)
        answer = search(game, asked, engine=scale.engine)
        return lambda: int(answer.compute(scheduler="synchronous").nodes)

    return made


def by_simulation(game: Any, scale: Scale, plies: int = 0) -> Counted:
    """Return a Monte Carlo search, which returns its simulations."""
    from strategies import mcts, search

    count = 1_000 * plies or (20 if scale.plies else 20_000)
    answer = search(game, mcts(count, rollout="estimate"), engine=scale.engine)
    return lambda: int(answer.compute(scheduler="synchronous").simulations)


def by_playout(game: Any, scale: Scale, plies: int = 0) -> Counted:
    """Return random plays, which return their plies."""
    from strategies import engine_for

    engine, start = engine_for(game, scale.engine), game.start()
    plays = 1 if plies or scale.plies else 100
    return lambda: sum(engine.playout(start, seed, plies or DEEP)[1] for seed in range(plays))


def by_count(game: Any, scale: Scale, plies: int = 0) -> Counted:
    """Return a count of positions."""
    from strategies import engine_for

    engine, start = engine_for(game, scale.engine), game.start()
    return lambda: engine.perft(start, plies or 10 - scale.plies)


def kernels() -> dict[str, tuple[type[Padded], Callable[..., Counted]]]:
    """Return the kernels by name, each with its game and how its work is made."""
    from strategies import alphabeta, enumeration, expectimax, pvs

    return {
        "fixed depth": (Keyed, by_search(alphabeta, 13)),
        "table": (Keyed, by_search(alphabeta, 10, table="16MB")),
        "table, the whole state hashed": (Padded, by_search(alphabeta, 10, table="16MB")),
        "deepening": (Keyed, by_search(pvs, 10)),
        "expectimax": (Rolled, by_search(expectimax, 10)),
        "mcts": (Keyed, by_simulation),
        "playouts": (Keyed, by_playout),
        "enumeration": (Alone, by_search(enumeration, 10)),
        "perft": (Keyed, by_count),
    }


def speeds(scale: Scale) -> dict[str, list[float]]:
    """Return the best seconds a node of each kernel, for each size of the state."""
    found = {}
    for name, (game, make) in kernels().items():
        works = [make(game(cells=size // 8, last=DEEP), scale) for size in scale.sizes]
        nodes = [work() for work in works]
        if len(set(nodes)) > 1 and name != "table, the whole state hashed":
            raise AssertionError(f"{name}: other nodes for states of another size: {nodes}")
        rows = interleaved(*works, rounds=scale.rounds, least=scale.least, clock=process_time)
        found[name] = [min(row) / n for row, n in zip(rows, nodes, strict=True)]
    return found


def memories(scale: Scale) -> dict[str, list[float]]:
    """Return the bytes that each kernel takes for a ply, or for a simulation, by the size of the
    state.  Each is measured in a process of its own, because memory that is used again is not
    seen."""
    found = {}
    for name in ["perft"] if scale.plies else kernels():
        row = []
        for size in scale.sizes:
            command = [sys.executable, "-m", "benchmarks.scale", "--one", name, str(size)]
            told = subprocess.check_output([*command, scale.engine, str(scale.plies)], text=True)
            row.append(float(told))
        found[name] = row
    return found


def memory(name: str, size: int, scale: Scale) -> float:
    """Return the bytes of a kernel for a ply, or for a simulation: what this process grows by in a
    deep tree without branches, after a shallow one."""
    game, make = kernels()[name]
    sampled = name == "mcts"
    tree = game(width=4 if sampled else 1, cells=size // 8)
    few, many = (2, 4) if scale.plies else (10, DEEP)
    shallow, deep = (make(tree, scale, plies) for plies in (few, many))
    shallow()  # compiles
    at_once(shallow)  # as `grown` does
    return grown(deep) / ((many - few) * (1_000 if sampled else 1))


def by_size(
    scale: Scale, found: dict[str, list[float]], unit: Callable[[float], str], relative: bool = True
) -> str:
    """Return a table by the size of the state, with what a further byte costs."""
    lines = [
        "| kernel | " + " | ".join(f"{size:,} B" for size in scale.sizes) + " | fitted |",
        "|---" * (len(scale.sizes) + 2) + "|",
    ]
    for name, row in found.items():
        fit = fitted({"": [1.0] * len(row), "bytes": scale.sizes}, row, relative)
        lines.append(f"| {name} | " + " | ".join(map(unit, row)) + f" | {fit.text(unit)} |")
    return "\n".join(lines)


# Tasks and sparks


def shapes(quick: bool) -> list[tuple[str, Any, Any, Any]]:
    """Return searches of nearly empty tasks: most of their sparks are of one kind."""
    from strategies import alphabeta, minimax, par_list

    found: list[tuple[str, Any, Any, Any]] = []
    for width in (3, 4) if quick else (6, 8, 10, 12):
        plies, ended = par_list.to_ply(3), Padded(width=width, last=3)
        found += [
            ("converted", Uniform(width), minimax(3), plies),
            ("fizzled", Uniform(width), alphabeta(4), par_list.live().to_ply(3)),
            ("dud", ended, minimax(4), plies),
            ("converted", Uniform(width), minimax(2), par_list.to_ply(2)),
        ]
    return found


KINDS: Final = "converted", "fizzled", "dud"
"""What became of a spark.  A task that folds values together belongs to the spark above it, so that
its cost is not told apart."""


def planned(answer: Callable[[], Any]) -> None:
    """Build and lower a plan."""
    answer().tasks()


def ran(answer: Callable[[], Any]) -> None:
    """Build, lower and run a plan, on one worker."""
    answer().compute(num_workers=1)


@frozen
class Sparked:
    """The counts of a run by what became of its sparks, and its seconds: to plan, and in all."""

    counts: Counter[str]
    planned: float
    ran: float


def sparked(scale: Scale) -> list[Sparked]:
    """Run the shapes, on one worker."""
    from strategies import search
    from strategies.native.kept_engines import engine_for

    works: list[Work] = []
    counts = []
    for _, game, algorithm, using in shapes(bool(scale.plies)):
        if scale.engine == "native":
            engine_for(game, scale.engine).warm()
        answer = partial(search, game, algorithm, using=using, engine=scale.engine)
        run = answer().compute(num_workers=1)
        kinds = (r.outcome if r.role == "spark" else r.role for r in run.records)
        counts.append(Counter(kind if kind in KINDS else "folds" for kind in kinds))
        works += [partial(planned, answer), partial(ran, answer)]
    rows = [
        min(row) for row in interleaved(*works, rounds=scale.rounds, least=0, clock=process_time)
    ]
    return [Sparked(*each) for each in zip(counts, rows[::2], rows[1::2], strict=True)]


def plan_fit(points: list[Sparked]) -> Fit:
    """Fit the seconds to build and lower a plan by its tasks."""
    tasks = [float(p.counts.total()) for p in points]
    return fitted({"": [1.0] * len(points), "tasks": tasks}, [p.planned for p in points])


def spark_fit(points: list[Sparked]) -> Fit:
    """Fit the seconds of a whole run by what became of its sparks."""
    by_kind = {kind: [float(p.counts[kind]) for p in points] for kind in KINDS}
    return fitted({"": [1.0] * len(points), **by_kind}, [p.ran for p in points])


# Growth with depth, tasks and workers


@frozen
class Point:
    """The seconds of a search to a depth, in so many tasks, on so many workers."""

    plies: int
    tasks: int
    nodes: int
    workers: int
    took: float


def depths(scale: Scale) -> list[Point]:
    """Measure a search in one task, ply by ply."""
    from strategies import minimax, search

    deepest = 4 if scale.plies else 10
    answers = [search(Keyed(), minimax(d), engine=scale.engine) for d in range(2, deepest + 1)]
    nodes = [answer.compute(num_workers=1).nodes for answer in answers]
    works = [partial(answer.compute, num_workers=1) for answer in answers]
    rows = interleaved(*works, rounds=scale.rounds, least=scale.least, clock=process_time)
    return [
        Point(plies, 1, n, 1, min(row))
        for plies, (n, row) in enumerate(zip(nodes, rows, strict=True), 2)
    ]


def depth_fit(points: list[Point]) -> Fit:
    """Fit the seconds of a search by its nodes."""
    nodes = [float(p.nodes) for p in points]
    return fitted({"": [1.0] * len(points), "nodes": nodes}, [p.took for p in points])


def shared(scale: Scale) -> list[Point]:
    """Measure searches in more and more tasks, on one worker and on two."""
    from strategies import minimax, par_list, search

    works: list[Work] = []
    points: list[tuple[int, int, int, int]] = []
    all_cases = [(1, 10), (2, 10), (3, 10), (4, 10), (3, 9), (4, 9)]
    for plies, depth in [(1, 4), (2, 4)] if scale.plies else all_cases:
        for workers in (1, 2):
            answer = search(
                Keyed(), minimax(depth), using=par_list.to_ply(plies), engine=scale.engine
            )
            run = answer.compute(num_workers=workers)
            points.append((depth, len(run.records), run.nodes, workers))
            works.append(partial(answer.compute, num_workers=workers))
    rows = interleaved(*works, rounds=scale.rounds, least=0)
    return [Point(*point, min(row)) for point, row in zip(points, rows, strict=True)]


def shared_fit(points: list[Point]) -> Fit:
    """Fit the seconds by tasks, which one worker makes at a time, and by nodes a worker."""
    tasks = [float(p.tasks) for p in points]
    nodes = [p.nodes / p.workers for p in points]
    counts = {"": [1.0] * len(points), "tasks": tasks, "nodes / workers": nodes}
    return fitted(counts, [p.took for p in points])


def points_table(points: Iterable[Point]) -> str:
    """Return the points as a table."""
    lines = ["| plies | tasks | workers | nodes | took |", "|---|---|---|---|---|"]
    for p in points:
        cells = (f"{p.plies}", f"{p.tasks:,}", f"{p.workers}", f"{p.nodes:,}", seconds(p.took))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


# First answers


FIRST: Final = {
    "tictactoe": "alphabeta(depth=4)",
    "connect_four": "alphabeta(depth=4)",
    "othello": "alphabeta(depth=4)",
    "nim": "alphabeta(depth=4)",
    "pursuit": "alphabeta(depth=4)",
    "riskless:duel": "alphabeta(depth=4)",
    "pacman:small": "alphabeta(depth=4)",
    "pig": "expectimax(depth=4)",
    "twenty48": "expectimax(depth=4)",
}
"""Games by name, with a search that takes no time to speak of."""


def first_answers(scale: Scale) -> dict[str, tuple[float, float]]:
    """Return the seconds from the start of a process to its end, by game: with no code kept, and
    with the code that the first one kept."""
    found = {}
    for name, algorithm in [*FIRST.items()][: 1 if scale.plies else None]:
        command = ("search", name, "--algorithm", algorithm, "--engine", scale.engine)
        rows = []
        for _ in range(scale.rounds):
            with TemporaryDirectory() as folder:
                env = {**os.environ, "NUMBA_CACHE_DIR": folder}

                def process(env: dict[str, str] = env, command: Any = command) -> None:
                    to = subprocess.DEVNULL
                    subprocess.run((*JAMBOREE, *command), env=env, check=True, stdout=to, stderr=to)

                rows.append((timed(process), timed(process)))
        found[name] = (min(row[0] for row in rows), min(row[1] for row in rows))
    return found


def first_table(found: dict[str, tuple[float, float]]) -> str:
    """Return the first answers as a table."""
    lines = ["| game | from nothing | from kept code |", "|---|---|---|"]
    lines += [f"| {name} | {seconds(a)} | {seconds(b)} |" for name, (a, b) in found.items()]
    return "\n".join(lines)


# Findings


GROWTH: Final = 12.0
"""How many times as long a node may take whose state is 1,024 bytes, not 8."""


def run(quick: bool) -> list[Finding]:
    """Compare large states with small ones, sparks with tasks, and kept code with none."""
    scale = QUICK if quick else Scale(3)
    found, least, most = [], scale.sizes[0], scale.sizes[-1]
    for name, row in speeds(scale).items():
        found.append(
            Finding(
                f"{name}, a state of {most:,} bytes", row[-1] / row[0], GROWTH,
                f"a state of {least} bytes", "the same nodes", a_node(row[-1], 1),
                a_node(row[0], 1), at_most=True,
            )
        )  # fmt: skip
    points = sparked(scale)
    plan, sparks = plan_fit(points), spark_fit(points)
    none = "none", f"{sparks.points} plans", sparks.text(seconds), ""
    for kind, bar in {"converted": 180e-6, "fizzled": 170e-6, "dud": 150e-6}.items():
        cost = sparks.coefficients[kind]
        found.append(Finding(f"a {kind} spark", 1e6 * cost, 1e6 * bar, *none, True, " µs"))
    to_plan = "none", f"{plan.points} plans", plan.text(seconds), ""
    per = 1e6 * plan.coefficients["tasks"]
    found.append(Finding("a task of a plan: build and lower", per, 30, *to_plan, True, " µs"))
    for name, (nothing, kept) in first_answers(scale).items():
        found.append(
            Finding(
                f"first answer, {name}", nothing / kept, 8, "from kept code",
                "process start to end", seconds(nothing), seconds(kept), at_most=True,
            )
        )  # fmt: skip
    return found


def _sparks(scale: Scale) -> str:
    points = sparked(scale)
    told = [
        f"{seconds(p.planned)} to plan, {seconds(p.ran)} in all: "
        + ", ".join(f"{n:,} {kind}" for kind, n in p.counts.items())
        for p in points
    ]
    fits = f"A plan: {plan_fit(points).text(seconds)}.\nA run: {spark_fit(points).text(seconds)}."
    return "\n".join([*told, "", fits])


def _growth(scale: Scale) -> str:
    alone, together = depths(scale), shared(scale)
    first = f"{points_table(alone)}\n\n{depth_fit(alone).text(seconds)}"
    return f"{first}\n\n{points_table(together)}\n\n{shared_fit(together).text(seconds)}"


def in_bytes(x: float) -> str:
    """Return a number of bytes with two digits."""
    return f"{x:,.0f}" if x >= 10 else f"{x:.2g}"


PARTS: Final[dict[str, Callable[[Scale], str]]] = {
    "kernels": lambda scale: by_size(scale, speeds(scale), seconds),
    "memory": lambda scale: by_size(scale, memories(scale), in_bytes, False),
    "sparks": _sparks,
    "growth": _growth,
    "first": lambda scale: first_table(first_answers(scale)),
}
"""The parts by name, each with how its tables are made."""


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        name, size, engine, plies = sys.argv[2:]
        print(memory(name, int(size), Scale(1, engine, int(plies))))
        return
    rounds, *names = own_arguments(__doc__, numbers=1)
    work = kernel(False)
    work()  # compiles
    for name in names or PARTS:
        before = scaling(work)
        print(f"{name}\n\n{PARTS[name](Scale(int(rounds)))}\n", flush=True)
        print(
            f"Two independent kernels scaled {before:.2f} before and {scaling(work):.2f} after.\n"
        )
    print(f"Commit {commit()}; {machine()}.")


if __name__ == "__main__":
    main()
