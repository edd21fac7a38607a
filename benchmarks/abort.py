"""How soon is a search that is no longer needed abandoned, and what does polling for it cost?

A kernel reads its flag at every node with three plies or more left.  The first figure is the time
from the result that closes a window to the end of the task whose kernel searched in it; the others
compare kernels that poll with the same kernels compiled without polls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from ctypes import addressof
from math import inf
from statistics import median, quantiles
from time import perf_counter
from typing import Any

from attrs import frozen

from benchmarks.finding import Finding, a_node, seconds
from benchmarks.measure import interleaved, ratio
from games import MAXIE, MINNIE, Game, Status
from strategies.native.kernels.control import NARROW, NODES

NEVER = 1 << 40
"""More plies than any search has left."""


@frozen
class Place:
    path: int
    ply: int


@frozen
class Trap(Game[Place, int]):
    """Maxie has 5 by her first move.  After her second, Minnie's first reply leads into a tree of
    2^60 positions that cannot be cut, her second, after some milliseconds of search, to 3: then the
    tree need not be known."""

    value_range = (0, 9)

    late: int = 18
    """How many plies Minnie's second reply takes to search."""

    def start(self) -> Place:
        return Place(1, 0)

    def status(self, state: Place) -> Status:
        return Status.IN_PLAY

    def player(self, state: Place) -> int:
        return MAXIE if state.ply != 1 else MINNIE

    def moves(self, state: Place) -> Iterator[int]:
        yield 0
        if state.ply < 2 or state.path == 6 or (state.path == 7 and state.ply < self.late):
            yield 1

    def make_move(self, state: Place, move: int) -> Place:
        path = state.path * 2 + move if state.ply < 2 else state.path
        return Place(path, state.ply + 1)

    def estimate(self, state: Place) -> int:
        return 3 if state.path == 7 else 5 if state.path < 6 else state.ply % 2


def run(quick: bool) -> list[Finding]:
    return [given_up(3 if quick else 200), *polling(quick)]


def given_up(rounds: int) -> Finding:
    """Measure the time from the result that closes a window to the end of its task."""
    from strategies import alphabeta, eval_list, par_list, search, split_at
    from strategies.running.execution.live_windows import LiveWindows

    using = split_at(1, eval_list, par_list(par_list).live())
    answer = search(Trap(), alphabeta(60), using=using)
    answer.compute(num_workers=2)
    closed: list[float] = []
    post = LiveWindows.post

    def noted(*args: Any) -> None:
        closed.append(perf_counter())
        post(*args)

    LiveWindows.post = noted  # type: ignore[assignment, method-assign]
    took: list[float] = []
    try:
        while len(took) < rounds:
            closed.clear()
            found = answer.compute(num_workers=2)
            ended = [r.end for r in found.records if r.aborted]
            if ended:  # else the result was there before the trap was entered
                took.append(ended[0] - max(t for t in closed if t < ended[0]))
    finally:
        LiveWindows.post = post  # type: ignore[method-assign]
    most = quantiles(took, n=10)[-1]
    spread = f"median {seconds(median(took))}, nine of ten within {seconds(most)}"
    return Finding(
        "a search that no longer matters: closed window to end, at most", 1e3 * max(took), 10,
        "none", f"{rounds} times; {spread}", seconds(max(took)), "", at_most=True, unit=" ms",
    )  # fmt: skip


def polling(quick: bool) -> list[Finding]:
    """Measure each kernel against itself without polls."""
    from games import ConnectFour, Riskless
    from strategies.native.kernels.alphabeta import alphabeta
    from strategies.native.kernels.fixed_depth import search

    games: tuple[tuple[str, Any, Any, int], ...] = (
        ("Connect Four", ConnectFour(), search, 6 if quick else 13),
        ("Connect Four, table and order", ConnectFour(), alphabeta, 6 if quick else 13),
        ("Riskless, 12 territories", Riskless.on("continents"), search, 3 if quick else 9),
    )
    return [cost(name, game, kernel, depth, quick) for name, game, kernel, depth in games]


def cost(name: str, game: Any, kernel: Any, depth: int, quick: bool) -> Finding:
    """Return the speed of a kernel that polls, as a share of its speed without."""
    polled, silent = (searcher(game, kernel, depth, **c) for c in ({}, {"POLLED": NEVER}))
    nodes = polled()
    assert silent() == nodes
    ours, anchor = interleaved(polled, silent, rounds=3 if quick else 15)
    return Finding(
        f"{name}: nodes a second with polls", ratio(ours, anchor), 0.95,
        "the same kernel, compiled with no polls", f"{nodes:,} nodes",
        a_node(min(ours), nodes), a_node(min(anchor), nodes),
    )  # fmt: skip


def searcher(game: Any, kernel: Any, depth: int, **constants: int) -> Callable[[], int]:
    """Search to `depth` by a kernel compiled with these constants, and return the nodes."""
    from strategies.native.compiler.build import build
    from strategies.native.compiler.rules_in_numba import bind
    from strategies.native.engine import control_for
    from strategies.native.kernels import alphabeta
    from strategies.native.kernels import fixed_depth as kernels
    from strategies.native.memory.transposition_table import Table

    state = game.start()
    block = bind(game, state)
    entry, *_ = build(kernel, block, state, lambda: None, **constants)

    def plain() -> int:
        control = control_for(depth)
        control[NARROW] = 1
        entry(block.address, state, depth, -inf, inf, addressof(control))
        return int(control[NODES])

    def with_table() -> int:
        control, table = control_for(depth, alphabeta.LINES), Table("1MB")
        control[alphabeta.DEPTH], control[alphabeta.BUDGET] = depth, 1 << 62
        control[alphabeta.SCOUTS] = control[alphabeta.ORDERS] = 1
        table.enter(control, game)
        cells_at = addressof(control), addressof(table.cells)
        return int(entry(block.address, state, depth, -inf, inf, *cells_at)[1])

    return plain if kernel is kernels.search else with_table
