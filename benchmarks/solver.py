"""Exact Connect Four by the general search with the game's hooks, against a specialized solver.

Positions are random, in the classes of P. Pons's test sets: by stones played (begin up to 14,
middle up to 28, end) and by plies to the end of the game (easy below 14, medium up to 28, hard).

    python -m benchmarks.solver 120

gives each class 120 seconds instead of 12, for more positions of the hard ones.

Then positions of the hardest class are solved by two threads.  Each round solves one with one
thread, with two independent threads on separate tables, and with two threads together; the share
of the ceiling is the speed-up divided by that of the two independent threads.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import partial
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import Any

from benchmarks import cpp
from benchmarks.finding import HEADER, Finding, a_node, seconds
from benchmarks.measure import at_once, timed
from benchmarks.usage import own_arguments

BITS = 24
"""Both tables have so many index bits: 16,777,216 entries of one word."""
HARD = "53241234", "53241232", "44444222"
"""Positions of the class begin-hard, after 8 moves."""
LIMIT = 12.0
"""Seconds for a class: one that is not through by then has fewer positions, and says so."""
CLASSES = {
    "end-easy": (29, 40),
    "middle-easy": (15, 28),
    "middle-medium": (15, 28),
    "begin-easy": (8, 14),
    "begin-medium": (8, 14),
    "begin-hard": (8, 14),
}
"""Stones played.  With fewer than 8 a position takes seconds to minutes: left out."""


def run(quick: bool) -> list[Finding]:
    return [*classes(quick, LIMIT), *(shared(quick, using) for using in SHARED)]


SHARED = (
    "abdada(workers=2)", "lazy_smp(workers=2)", "seq.joined()",
    "young_brothers_wait.everywhere",
)  # fmt: skip


def shared(quick: bool, using: str) -> Finding:
    """Return the throughput of two workers as a share of that of two independent solvers."""
    from games import ConnectFour
    from strategies import parse_using, solve
    from strategies.native.memory.transposition_table import Table

    bits, rounds = (12, 1) if quick else (BITS, 3)
    game, tables = ConnectFour(), (Table(8 << bits), Table(8 << bits))
    texts = ("4444222255",) if quick else HARD
    shares: list[float] = []
    nodes: list[float] = []
    speedups: list[float] = []
    answers: list[Any] = []

    def solved(state: Any, table: Table, **how: Any) -> None:
        ctypes.memset(table.cells, 0, 8 << bits)
        answers.append(solve(game, state, memory=table, line=0, **how))

    for text in texts:
        state, rows = game.parse_state(text), []
        for _ in range(rounds + 1):  # the first compiles, and touches the tables
            ask = partial(solved, state)
            one = timed(partial(ask, tables[0]))
            two = at_once(*(partial(ask, table) for table in tables))
            ours = timed(partial(ask, tables[0], using=parse_using(using), workers=2))
            assert answers[-1].value == answers[-2].value, f"{text}: {answers[-2:]}"
            rows.append((two / 2 / ours, one / ours, answers[-1].nodes / max(1, answers[-2].nodes)))
        for row, found in zip((shares, speedups, nodes), zip(*rows[1:], strict=True), strict=True):
            row.append(median(found))
    return Finding(
        f"Connect Four solved, begin-hard: `{using}`, speed-up as a share", median(shares), 0.9,
        "two independent solves", f"{len(texts)} positions, {median(nodes):.2f} times the nodes",
        f"speed-up {median(speedups):.2f}", f"share {min(shares):.2f} to {max(shares):.2f}",
    )  # fmt: skip


def classes(quick: bool, limit: float) -> Iterator[Finding]:
    """Return a finding for each class, of the positions that `limit` seconds suffice for."""
    from games import ConnectFour
    from strategies import solve
    from strategies.native.memory.transposition_table import Table

    bits, wanted = (12, 3) if quick else (BITS, 200)
    game, table = ConnectFour(), Table(8 << bits)
    rival = cpp.build("connect_four_solver", ctypes.c_int, BITS=bits)
    count = ctypes.c_long()

    def theirs(state: Any) -> tuple[int, int, float]:
        words = map(ctypes.c_uint64, (int(state.mover), int(state.all)))
        start = perf_counter()
        score = rival(*words, ctypes.byref(count))
        return score, count.value, perf_counter() - start

    def ours(state: Any) -> tuple[int, int, float]:
        start = perf_counter()
        found = solve(game, state, memory=table, line=0)
        taken = perf_counter() - start
        return _score(found, state), found.nodes, taken

    ctypes.memset(table.cells, 0, 8 << bits)  # so that its pages are there, as the rival's are
    late, _ = next(_positions(game, "end-easy", theirs))
    ours(late)  # compiled
    for name in list(CLASSES)[:3] if quick else CLASSES:
        a, b, decided = [], [], []
        end = perf_counter() + limit
        for state, known in _positions(game, name, theirs):
            b.append(known)
            a.append(ours(state))
            assert a[-1][0] == b[-1][0], f"{game.label(state)}: {a[-1][0]} and {b[-1][0]}"
            if a[-1][1] == 0:
                decided.append(state)
            if len(a) == wanted or perf_counter() > end:
                break
        yield _finding(name, a, b, [ours(state)[2] for state in decided])


def _finding(
    name: str,
    a: list[tuple[int, int, float]],
    b: list[tuple[int, int, float]],
    at_once: list[float],
) -> Finding:
    """One class: what a node cost, or what a position cost that was decided at once.

    These, `at_once`, are asked for again one after the other: between searches that fill the
    caches with their table, it is the refilling that would be measured.
    """

    def told(rows: list[tuple[int, int, float]]) -> str:
        times = [t for _, _, t in rows]
        return (
            f"{seconds(mean(times))}, median {seconds(median(times))}, "
            f"{a_node(sum(times), sum(n for _, n, _ in rows) or 1)}"
        )

    nodes = [
        f"{mean(r[1] for r in rows):,.0f} ({median(r[1] for r in rows):,.0f})" for rows in (a, b)
    ]
    work = f"{len(a)} positions, mean (median) nodes {nodes[0]} against {nodes[1]}"
    anchor = f"{cpp.ANCHOR}, the same questions"
    if at_once:
        what = f"Connect Four solved, {name}: decided at once, median of {len(at_once)}"
        figure, bar, unit = median(at_once) * 1e6, 5.0, " µs"
    else:
        what = f"Connect Four solved, {name}: a node"
        figure, bar, unit = sum(t for _, _, t in a) / sum(n for _, n, _ in a) * 1e9, 80.0, " ns"
    return Finding(what, figure, bar, anchor, work, told(a), told(b), at_most=True, unit=unit)


def _positions(game: Any, name: str, theirs: Any) -> Any:
    """Return random positions of a class, the same on every run, with the rival's results, which
    determine the class."""
    random = Random(name)
    least, most = CLASSES[name]
    while True:
        state, plies = game.start(), random.randint(least, most)
        for _ in range(plies):
            moves = list(game.moves(state))
            if not moves:
                break
            state = game.make_move(state, random.choice(moves))
        if state.all.bit_count() < plies or game.status(state) != 0:
            continue
        known = theirs(state)
        left = _plies_left(known[0], plies)
        kind = "easy" if left < 14 else "medium" if left <= 28 else "hard"
        if name.endswith(kind):
            yield state, known


def _plies_left(score: int, played: int) -> int:
    """Return the plies to the end, from the rival's score: the winner's stones left, plus one."""
    if score == 0:
        return 42 - played
    winner = played % 2 if score > 0 else 1 - played % 2
    return 2 * (22 - abs(score)) - (1 - winner) - played


def _score(found: Any, state: Any) -> int:
    """Return the rival's score, from our solution."""
    if found.plies is None:
        return 0
    last = state.all.bit_count() + found.plies
    score: int = 22 - (last + 1) // 2
    return score if (found.value > 0) == (state.all.bit_count() % 2 == 0) else -score


if __name__ == "__main__":
    (limit, *_) = own_arguments(__doc__, numbers=1)
    print(HEADER)
    for row in classes(quick=False, limit=float(limit)):
        print(row.row(), flush=True)
