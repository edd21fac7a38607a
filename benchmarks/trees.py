"""Trees that are no games: what does one interface cost, and do two workers reach the ceiling?

The anchor is the same search of the same tree in C++, written for one problem.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchmarks import cpp
from benchmarks.finding import Finding, a_node, seconds
from benchmarks.measure import interleaved, kernel, ratio, scaling

HERE = Path(__file__).parent
BROCK = HERE / "brock200_1.txt"
"""A graph of DIMACS, by Brockington and Culberson: for each vertex, the earlier ones joined to it,
as bits of a number in hexadecimal."""
Theirs = Callable[[], int]
PIECES = 40
"""A fold gets tasks of at most this part of its nodes; there are many more, most of them small."""
LARGER = {"queens": 1, "genus": 5}
"""What two workers get more, so that one thread takes seconds; the anchor is not asked."""


def run(quick: bool) -> list[Finding]:
    from strategies import enumeration, optimisation

    sys.path.append(str(HERE.parent / "docs"))
    files = ("cliques", "salesman", "queens", "semigroups")
    Cliques, Salesman, Queens, Semigroups = (
        getattr(import_module(name), name.capitalize()) for name in files
    )
    count = ctypes.c_long()
    at = ctypes.byref(count)
    size, genus = (8, 10) if quick else (14, 24)
    vertices = 40 if quick else 200
    graph = Cliques.of_edges(vertices, brock(vertices))
    words = len(graph.neighbours[0])
    rows = (ctypes.c_uint64 * (vertices * words))(*(int(w) for r in graph.neighbours for w in r))
    map_ = Salesman()
    ways = (ctypes.c_int * len(map_.distances) ** 2)(*(d for row in map_.distances for d in row))
    cliques = cpp.build("cliques", ctypes.c_long, WORDS=words)
    salesman = cpp.build("salesman", ctypes.c_long, SIZE=len(map_.distances))
    queens = cpp.build("queens", ctypes.c_long, SIZE=size)
    checked = cpp.build("queens", ctypes.c_long, SIZE=size, CHECKED=1)
    semigroups = cpp.build("semigroups", ctypes.c_long)
    works: list[tuple[str, Any, Any, Theirs]] = [
        ("largest clique of brock200_1" if vertices == 200 else "largest clique", graph,
         optimisation(), lambda: cliques(rows, vertices, at)),
        ("shortest tour, burma14", map_, optimisation(), lambda: salesman(ways, at)),
        (f"boards with {size} queens", Queens(size), enumeration(), lambda: queens(at)),
        (f"boards with {size} queens, beside C++ that checks its ints", Queens(size),
         enumeration(), lambda: checked(at)),
        (f"semigroups up to genus {genus}", Semigroups(), enumeration(genus),
         lambda: semigroups(genus, at)),
    ]  # fmt: skip
    found = [_one_thread(*work, count, quick) for work in works]
    if not quick:
        size, genus = size + LARGER["queens"], genus + LARGER["genus"]
    folds = [
        (f"boards with {size} queens", Queens(size), enumeration()),
        (f"semigroups up to genus {genus}", Semigroups(), enumeration(genus)),
    ]
    shared = [*(work[:3] for work in works[:2]), *folds]
    return found + [_two_workers(*work, quick) for work in shared]


def _one_thread(
    name: str, tree: Any, algorithm: Any, theirs: Theirs, count: ctypes.c_long, quick: bool
) -> Finding:
    """Compare one thread with C++ on the same tree."""
    from strategies import search

    answer = search(tree, algorithm)
    found = answer.compute()
    assert (theirs(), count.value) == (found.value, found.nodes), name
    # Time of the processor: other programs on the machine count less.
    ours, anchor = interleaved(answer.compute, theirs, rounds=2 if quick else 7, clock=process_time)
    return Finding(
        f"{name}, one thread", ratio(ours, anchor), 0.9, cpp.ANCHOR,
        f"{found.nodes:,} nodes, value {found.value:,}",
        a_node(min(ours), found.nodes), a_node(min(anchor), found.nodes),
    )  # fmt: skip


def _two_workers(name: str, tree: Any, algorithm: Any, quick: bool) -> Finding:
    """Compare two workers with one thread, as a share of what two independent kernels gain."""
    from strategies import par_list, search

    alone = search(tree, algorithm)
    plies = par_list.live().to_ply(1)
    size = alone.compute().nodes // PIECES
    using = plies if algorithm.narrows else par_list.to_size(size)
    together = search(tree, algorithm, using=using)
    independent = kernel(quick)
    found = together.compute(num_workers=2)
    assert found.value == alone.compute().value
    ceiling = median(scaling(independent) for _ in range(1 if quick else 3))
    ours, theirs = interleaved(
        lambda: together.compute(num_workers=2), alone.compute, rounds=2 if quick else 7
    )
    return Finding(
        f"{name}, two workers: share of the ceiling", ratio(ours, theirs) / ceiling, 0.9,
        f"one thread; two kernels gain {ceiling:.2f}", f"{using}: {found.nodes:,} nodes",
        seconds(min(ours)), seconds(min(theirs)),
    )  # fmt: skip


def brock(vertices: int) -> list[tuple[int, int]]:
    """Return the edges of the graph among its first vertices, those of the highest degree first."""
    rows = [int(line, 16) for line in BROCK.read_text(encoding="utf-8").split()]
    edges = [(a, b) for a, row in enumerate(rows, 1) for b in range(a) if row >> b & 1]
    edges = [edge for edge in edges if max(edge) < vertices]
    degree = [sum(v in edge for edge in edges) for v in range(vertices)]
    place = {v: n for n, v in enumerate(sorted(range(vertices), key=lambda v: -degree[v]))}
    return [(place[a], place[b]) for a, b in edges]
