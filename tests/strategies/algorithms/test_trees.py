"""Enumeration, decision and optimisation of trees that are no games keep their laws."""

from __future__ import annotations

import json
import pickle
import sys
from contextlib import nullcontext
from functools import reduce
from itertools import combinations
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import cloudpickle
import pytest
from attrs import evolve, frozen
from dask.local import get_sync
from hypothesis import assume, example, given
from hypothesis import strategies as st

from games import ConnectFour, Estimate, Pig, RuleFailed, SearchTree, Status
from graphs.errors import ArgumentError
from strategies import (
    AlgorithmError,
    RuleError,
    StrategyError,
    abdada,
    decision,
    enumeration,
    eval_list,
    jamboree,
    optimisation,
    par_list,
    par_list_chunk,
    parse_algorithm,
    scout,
    search,
    seq,
    simulate,
    study,
    young_brothers_wait,
)
from strategies.algebra.strategy import Strategy
from strategies.algorithms.algorithm import Algorithm
from strategies.native.memory.shared_cells import raise_incumbent
from strategies.running.records.moves import Moves
from strategies.running.records.record import branch_numbers
from strategies.running.runtime.schedulers import serving
from strategies.running.runtime.shared_incumbent import EXCHANGED, SharedIncumbent
from tests.properties import DEEP, examples
from tests.strategies.clusters import LIMIT, cluster, two_processes, until
from tests.strategies.given import RUNS, searches

sys.path.append(str(Path(__file__).parents[3] / "docs"))
from cliques import Cliques
from knapsack import Knapsack
from queens import Queens
from salesman import Salesman
from semigroups import Semigroups
from subgraphs import PETERSEN, Subgraphs

DOCS = sys.path.pop()
drawn = pytest.mark.usefixtures("any_length")
"""Not for the trees of the documentation, whose code is that of its pages and other processes."""


@frozen
class Numbered(SearchTree[int, int]):
    """A tree as rows of numbers: the branches of node n are `width[n]` nodes from `first[n]` on."""

    first: tuple[int, ...]
    width: tuple[int, ...]
    values: tuple[float, ...]
    most: tuple[float, ...]
    """An upper bound of the leaves below each node."""
    bad: tuple[int] = (-1,)
    """The node whose rules fail; as a row, it is no constant of the code."""

    def start(self) -> int:
        return 0

    def moves(self, state: int) -> Any:
        yield from range(self.width[state])

    def make_move(self, state: int, move: int) -> int:
        return self.first[state] + move

    def utility(self, state: int) -> float:
        return self.values[state + 0 // (state - self.bad[0])]

    def bounds(self, state: int) -> tuple[float, float]:
        return -100, self.most[state]

    def measure(self, state: int) -> tuple[int, int]:
        """Return two numbers for an operation that does not commute."""
        return state + 2 // (state - self.bad[0]), state % 5

    def combine(self, first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
        """Compose two linear functions modulo a prime: associative, and not commutative."""
        return first[0] * second[0] % 9973, (first[0] * second[1] + first[1]) % 9973


@frozen
class Told(Numbered):
    """The same tree with a status that does not look at the branches."""

    def status(self, state: int) -> Status:
        return Status.IN_PLAY if self.width[state] else Status.OVER


@st.composite
def numbered(draw: st.DrawFn, floats: bool = False) -> Numbered:
    """Draw a tree of up to sixty nodes, with ties and bounds that are more or less exact."""
    wanted, widest = draw(st.integers(1, 60)), draw(st.sampled_from([4, 12]))
    choose = Random(draw(st.integers(0, 10**6)))
    first, width, count = [], [], 1
    while len(first) < count:
        more = choose.randint(1, widest) if count < wanted and choose.random() < 0.7 else 0
        more = max(more, int(count < wanted and len(first) == count - 1))
        first.append(count if more else 0)
        width.append(more)
        count += more
    unit = 10 if floats else 1
    values = [choose.randint(-6, 6) / unit if floats else choose.randint(-6, 6) for _ in first]
    most = list(values)
    for node in reversed(range(count)):
        if width[node]:
            below = most[first[node] : first[node] + width[node]]
            most[node] = max(below) + choose.choice([0, 0, 1, 3])
    # Each class is compiled for each kind of values: usually one for one.
    kind = draw(st.sampled_from([Numbered, Told])) if DEEP else (Numbered, Told)[floats]
    return kind(tuple(first), tuple(width), tuple(values), tuple(most))


def nodes_of(tree: Numbered, depth: int = 99) -> list[int]:
    """Return the nodes down to a depth, each before those below it, from left to right."""
    found: list[int] = []

    def walk(node: int, left: int) -> None:
        found.append(node)
        for branch in range(tree.width[node] if left else 0):
            walk(tree.first[node] + branch, left - 1)

    walk(0, depth)
    return found


def leaves_of(tree: Numbered) -> list[int]:
    return [node for node in nodes_of(tree) if not tree.width[node]]


def end_of(tree: Any, line: tuple[Any, ...]) -> Any:
    return reduce(tree.make_move, line, tree.start())


TREES = st.one_of(numbered(), numbered(floats=True))


@st.composite
def usings(draw: st.DrawFn, scouts: bool = False) -> Strategy:
    """Draw a strategy, also one that divides tasks by the nodes that they have visited."""
    found = draw(searches(scouts=scouts))
    if draw(st.booleans()):
        found = found.to_size(draw(st.integers(1, 20)))
        above = draw(st.sampled_from([None, par_list, jamboree(0.5).to_ply(2)]))
        return found if above is None else above(found)
    return found


@drawn
@given(TREES, usings(), st.sampled_from(RUNS), st.integers(0, 6))
@examples(80)
def test_an_enumeration_folds_all_nodes_in_order(
    tree: Numbered, using: Strategy, run: dict[str, Any], depth: int
) -> None:
    found = search(tree, enumeration(depth), using=using).compute(**run)
    wanted = reduce(tree.combine, map(tree.measure, nodes_of(tree, depth)))
    assert found.value == wanted
    assert found.nodes == len(nodes_of(tree, depth))
    assert found.move is None
    assert found.sparks.balanced()


ABANDONED = Numbered(
    (1, 2, 0, 6, 0, 10, 0, 11, 12, 0, 0, 0, 0, 0, 0),
    (1, 4, 0, 4, 0, 1, 0, 1, 3, 0, 0, 0, 0, 0, 0),
    (5, 6, -3, 3, -5, -1, -6, -6, -6, 4, 2, -6, 0, 4, -3),
    (13, 13, -3, 10, -5, 2, -6, -6, 7, 4, 2, -6, 0, 4, -3),
)
"""Under `scout` with live windows, an eldest branch is abandoned, so that none leads."""


@drawn
@example(ABANDONED, scout(par_list).live().to_ply(3), {"num_workers": 1})
@given(TREES, usings(scouts=True), st.sampled_from(RUNS))
@examples(60)
def test_an_optimisation_finds_the_leftmost_best_leaf(
    tree: Numbered, using: Strategy, run: dict[str, Any]
) -> None:
    found = search(tree, optimisation(), using=using).compute(**run)
    best = max(leaves_of(tree), key=lambda leaf: tree.values[leaf])
    assert found.value == tree.values[best]
    assert end_of(tree, found.line) == best
    assert found.sparks.balanced()


@drawn
@given(TREES, usings(), st.sampled_from(RUNS), st.integers(-8, 8))
@examples(80)
def test_a_decision_finds_a_leaf_that_is_good_enough(
    tree: Numbered, using: Strategy, run: dict[str, Any], target: int
) -> None:
    found = search(tree, decision(target), using=using).compute(**run)
    best = max(tree.values[leaf] for leaf in leaves_of(tree))
    if best >= target:
        assert target <= found.value == tree.values[end_of(tree, found.line)]
    else:
        assert best <= found.value < target
        assert found.line == () or not tree.width[0]


@drawn
@given(TREES, searches(scouts=False), st.integers(-8, 8))
@examples(60)
def test_the_trace_of_a_decision_is_that_of_its_run(
    tree: Numbered, using: Strategy, target: int
) -> None:
    assume(tree.width[0])
    asked = search(tree, decision(target), using=using.fixed())
    found, lines = asked.compute(num_workers=1), asked.trace()
    assert f"Terminals visited: {found.leaves}" in lines
    if found.line:
        assert lines[-1].startswith(f"Overall choice: move {found.line[0]}")
        assert float(lines[-3].split("Guess: ")[1].split(",")[0]) == found.value
    else:
        assert found.value < target
        assert lines[-2].endswith(f" is less than {Estimate(target)}.")


@frozen
class Together(Numbered):
    """The same tree, whose nodes below one node are made together."""

    def make_move(self, state: int, move: int) -> int:
        raise AssertionError("a node is made alone")

    def children(self, state: int) -> Any:
        return enumerate(range(self.first[state], self.first[state] + self.width[state]))


@given(numbered(), usings())
@examples(20)
def test_nodes_that_are_made_together_are_never_made_alone(tree: Numbered, using: Strategy) -> None:
    rows = tree.first, tree.width, tree.values, tree.most
    asked = (
        search(kind(*rows), optimisation(), using=using, engine="interpreted")
        for kind in (Numbered, Together)
    )
    one, other = (each.compute(num_workers=1) for each in asked)
    assert (one.value, one.line_branches) == (other.value, other.line_branches)
    assert one.nodes == other.nodes


@given(numbered(), st.integers(-8, 8))
@examples(10)
def test_a_study_compares_whether_a_leaf_is_good_enough(tree: Numbered, target: int) -> None:
    """Which leaf it is, and the bound if there is none, depend on the strategy."""
    ways = [par_list.to_ply(2), jamboree(0.5).to_ply(3)]
    asked = {"workers": [1], "repeat": 1, "engine": "interpreted"}
    assert len(study(tree, decision(target), ways, **asked).rows) == 3


@drawn
@given(TREES, st.sampled_from([seq, eval_list, par_list, par_list_chunk(2), jamboree(0.5)]))
@examples(40)
def test_a_trace_shows_what_a_search_visits(tree: Numbered, using: Strategy) -> None:
    answer = search(tree, optimisation(9), using=using)
    found = answer.compute(num_workers=1)
    lines = answer.trace()
    assert f"Terminals visited: {found.leaves}" in lines
    assert sum(line.startswith("F: ") for line in lines) == found.nodes


@drawn
def test_a_replay_says_why_a_branch_is_cut_off(tmp_path: Path) -> None:
    tree = Numbered((1, 0, 0, 0), (3, 0, 0, 0), (0, 4, 2, 4), (4, 4, 2, 4))
    answer = search(tree, optimisation(3), using=par_list)
    page = answer.replay(tmp_path / "tree.html").read_text()
    assert "Terminals" in page or "leaves" in page
    one = search(tree, optimisation(3)).replay(tmp_path / "one.html").read_text()
    assert "By its bounds it is no better than 4, which is known" in one


@drawn
@given(numbered())
@examples(30)
def test_fixed_windows_visit_the_same_nodes_on_every_run(tree: Numbered) -> None:
    for using in par_list.to_ply(3), par_list.to_size(7), jamboree(0.5).to_size(3):
        answer = search(tree, optimisation(), using=using)
        assert len({answer.compute(num_workers=workers).nodes for workers in (1, 2, 4)}) == 1


@pytest.mark.parametrize(
    "tree", [Salesman(), Queens(6), Semigroups()], ids=lambda tree: type(tree).__name__
)
def test_both_engines_search_alike(tree: SearchTree[Any, Any]) -> None:
    depth = 5 if DEEP else 3
    algorithms = [enumeration(depth)] + [optimisation(depth)] * isinstance(tree, Salesman)
    for algorithm in algorithms:
        for using in seq, par_list.to_ply(2), jamboree(0.5).to_ply(2):
            one, other = (
                search(tree, algorithm, using=using, engine=engine).compute(num_workers=1)
                for engine in ("native", "interpreted")
            )
            assert one.value == other.value
            assert (one.nodes, one.leaves) == (other.nodes, other.leaves)
            assert one.line == other.line


LIVE = par_list.live().to_ply(1)


@pytest.mark.parametrize("using", [seq, LIVE, young_brothers_wait.to_ply(2)], ids=str)
def test_published_answers(using: Strategy) -> None:
    def value(tree: Any, algorithm: Any) -> Any:
        return search(tree, algorithm, using=using).compute(num_workers=2).value

    assert value(Salesman(), optimisation()) == -3323  # burma14 of TSPLIB
    assert value(Queens(8), enumeration()) == 92
    assert value(hamming(6, 2), optimisation()) == 32  # DIMACS
    assert value(knapsack_15(), optimisation()) == 1458  # Kreher and Stinson
    assert value(Subgraphs(PETERSEN), enumeration()) == 120  # its automorphisms
    counts = [value(Semigroups(), enumeration(genus)) for genus in range(10)]
    assert counts == [1, 2, 4, 8, 15, 27, 50, 89, 156, 274]  # sums of OEIS A007323


def knapsack_15() -> Knapsack:
    """Return the example of 15 items of Kreher and Stinson, Combinatorial Algorithms (1999)."""
    weights = (70, 73, 77, 80, 82, 87, 90, 94, 98, 106, 110, 113, 115, 118, 120)
    values = (135, 139, 149, 150, 156, 163, 173, 184, 192, 201, 210, 214, 221, 229, 240)
    best = sorted(zip(weights, values, strict=True), key=lambda item: -item[1] / item[0])
    return Knapsack(*zip(*best, strict=True), capacity=750)


def hamming(bits: int, distance: int) -> Cliques:
    """Return the graph of words that differ in at least so many bits, which DIMACS has."""
    words = range(1 << bits)
    edges = [(a, b) for a, b in combinations(words, 2) if (a ^ b).bit_count() >= distance]
    return Cliques.of_edges(len(words), edges)


@frozen
class Sorted(Numbered):
    """A tree in which upper bounds never rise from one branch of a node to the next."""

    sorted_bounds = True

    @classmethod
    def of(cls, tree: Numbered) -> Sorted:
        """Sort the branches of a tree, after the bounds of its leaves are made less exact."""
        most = [m + n * 7 % 13 * (not tree.width[n]) for n, m in enumerate(tree.most)]
        for node in reversed(range(len(most))):
            below = most[tree.first[node] : tree.first[node] + tree.width[node]]
            most[node] = max(most[node], *below) if below else most[node]
        order = list(range(len(most)))
        for first, width in zip(tree.first, tree.width, strict=True):
            order[first : first + width] = sorted(
                range(first, first + width), key=lambda node: -most[node]
            )
        rows = tree.first, tree.width, tree.values, most
        return cls(*(tuple(row[node] for node in order) for row in rows))


@given(numbered(), usings())
@examples(60)
def test_sorted_bounds_hide_no_leaf(tree: Numbered, using: Strategy) -> None:
    hidden = Sorted.of(tree)
    found = search(hidden, optimisation(), using=using, engine="interpreted").compute(num_workers=1)
    best = max(leaves_of(hidden), key=lambda leaf: hidden.values[leaf])
    assert (found.value, end_of(hidden, found.line)) == (hidden.values[best], best)


def test_sorted_bounds_change_no_answer_and_visit_no_more() -> None:
    choose = Random(5)
    edges = [(a, b) for a, b in combinations(range(40), 2) if choose.random() < 0.6]

    @frozen
    class Unsorted(Cliques):
        sorted_bounds = False

    found = search(Cliques.of_edges(40, edges), optimisation()).compute()
    other = search(Unsorted.of_edges(40, edges), optimisation()).compute()
    assert (found.value, found.line, found.nodes) == (other.value, other.line, other.nodes)


def test_live_tasks_share_the_incumbent_while_they_run() -> None:
    # Two tasks: one finds the best leaf at once; the other would search long without it.
    fixed, live = (
        search(Salesman(), optimisation(), using=using).compute(num_workers=2).nodes
        for using in (par_list.to_ply(1), par_list.live().to_ply(1))
    )
    assert live < fixed / 2


def test_a_path_that_is_cut_off_ends() -> None:
    # A divided search is to go on below a node whose bound is not good enough any more.
    tree = Numbered(
        (1, 2, 3, 4, 0, 6, 8, 11, 14, 18, 19, 21) + (0,) * 12,
        (1, 1, 1, 2, 0, 2, 3, 3, 4, 1, 2, 3) + (0,) * 12,
        (-5, 3, 2, 6, -2, -2, -1, 4, 3, -2, 4, -2, 1, 3, 4, -1, -2, 1, -3, 6, -5, 5, -1, 3),
        (13, 13, 12, 9, -2, 9, 9, 6, 4, 0, 9, 6, 1, 3, 4, -1, -2, 1, -3, 6, -5, 5, -1, 3),
    )
    for nodes in range(1, 12):
        using = par_list(par_list.to_size(nodes))
        found = search(tree, optimisation(), using=using, engine="interpreted").compute()
        assert (found.value, found.line) == (6, (0, 0, 0, 1, 0, 2, 0))


def test_a_divided_search_visits_no_node_twice() -> None:
    alone = search(Semigroups(), enumeration(11)).compute()
    for using in par_list.to_size(100), jamboree(0.5).to_size(40), par_list.to_size(1):
        found = search(Semigroups(), enumeration(11), using=using).compute(num_workers=2)
        assert (found.value, found.nodes, found.leaves) == (alone.value, alone.nodes, alone.leaves)
        assert max(r.nodes for r in found.records) <= 110


def test_a_divided_search_of_a_skewed_tree_is_no_chain_of_tasks() -> None:
    """Nearly all semigroups lie below one branch of each node: one node's branches are too few."""
    found = search(Semigroups(), enumeration(12), using=par_list.to_size(50)).compute(num_workers=2)
    worked = [(r.key[1], r.nodes) for r in found.records]
    chains = (sum(n for at, n in worked if place[: len(at)] == at) for place, _ in worked)
    assert max(chains) < found.nodes / 5


@pytest.mark.parametrize("using", [par_list, jamboree(0.5), par_list_chunk(3)], ids=repr)
def test_small_branches_are_given_away_together(using: Strategy) -> None:
    """Each of many leaves as a task of its own would take longer than the search."""
    leaves = 4_000
    wide = Numbered(
        (1, *(0,) * leaves), (leaves, *(0,) * leaves), (0, *range(leaves)),
        (leaves, *range(leaves)),
    )  # fmt: skip
    for algorithm in enumeration(), optimisation():
        found = search(wide, algorithm, using=using.to_size(200)).compute(num_workers=2)
        assert found.value == search(wide, algorithm).compute().value
        assert 20 < len(found.records) < 400
        assert max(r.nodes for r in found.records) <= 200


def test_a_decision_ends_all_tasks_once_a_leaf_is_found() -> None:
    found = search(Salesman(), decision(-5000), using=par_list.live().to_ply(2))
    assert found.compute(num_workers=2).nodes < 5_000


@frozen
class Corridor(SearchTree[int, int]):
    """A way of single steps, at each of which it may end."""

    length: int

    def start(self) -> int:
        return 0

    def moves(self, node: int) -> Any:
        if 0 <= node < self.length:
            yield from (0, 1)

    def make_move(self, node: int, move: int) -> int:
        return node + 1 if move else -node - 1

    def utility(self, node: int) -> int:
        return node


FIXED = 561_242
"""The nodes of the salesman under fixed windows, with a task for each first step."""


@pytest.mark.parametrize(
    "scheduler", ["sync", "threads", pytest.param("processes", marks=pytest.mark.long)]
)
def test_every_scheduler_of_dask(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS)  # which processes get
    with two_processes() if scheduler == "processes" else nullcontext() as pool:
        shared = {"num_workers": 2} if pool is None else {"pool": pool}
        options: Any = {"scheduler": scheduler, **shared}
        assert search(Salesman(), enumeration(4), using=LIVE).compute(**options).value == 19046
        found = search(Salesman(), optimisation(), using=LIVE).compute(**options)
        assert found.value == -3323
        assert found.nodes < FIXED / 2  # the tasks share the incumbent


@pytest.mark.parametrize("using", [par_list.to_size(300), jamboree(0.5)(eval_list.to_size(200))])
@pytest.mark.parametrize("algorithm", [enumeration(12), optimisation(12)], ids=repr)
def test_dask_s_schedulers_divide_tasks_in_waves(using: Strategy, algorithm: Algorithm) -> None:
    def pickling(graph: Any, keys: Any, **options: Any) -> Any:  # as processes do
        sent = cloudpickle.loads(cloudpickle.dumps(dict(graph)))
        return cloudpickle.loads(cloudpickle.dumps(get_sync(sent, keys, **options)))

    def tasks(scheduler: Any) -> Any:
        found = search(Semigroups(), algorithm, using=using).compute(scheduler=scheduler)
        assert found.sparks.balanced()
        return found.value, sorted((str(r.key), r.nodes) for r in found.records)

    assert len(tasks(None)[1]) > 3
    assert tasks(None) == tasks("threads") == tasks(pickling)


@pytest.mark.slow
def test_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.syspath_prepend(DOCS)
    with cluster(2, processes=True) as client:
        for using in LIVE, par_list.live().to_size(10_000):
            assert search(Salesman(), enumeration(4), using=using).compute().value == 19046
            found = search(Salesman(), optimisation(), using=using).compute()
            assert len(found.records) > 10
            assert found.value == -3323
            assert found.nodes < FIXED / 2
            found = search(Salesman(), decision(-5000), using=using).compute()
            assert found.value >= -5000
            assert found.nodes < 5_000
        # Two machines, which share no memory: what one finds reaches the other.
        one, two = client.nthreads()
        other = client.submit(reached, 7.0, workers=[one], pure=False)
        assert client.submit(find, 7.0, workers=[two], pure=False).result(LIMIT)
        assert other.result(LIMIT)


def find(value: float) -> bool:
    """Raise the incumbent of a search, and keep it until another worker can have it."""
    with serving():
        incumbent = SharedIncumbent("found")
        raise_incumbent(incumbent.cell, value)
        sleep(3 * EXCHANGED)
        return incumbent.answers((0, value))


def reached(value: float) -> bool:
    """Wait until another worker has raised the incumbent of the search."""
    with serving():
        incumbent = SharedIncumbent("found")
        until(lambda: incumbent.answers((0, value)))
        return not incumbent.answers((0, value + 1))


@frozen
class Lettered(Numbered):
    """The same tree, whose moves are not written as their numbers."""

    def move_text(self, state: int, move: int) -> str:
        return f"b{move}"


@given(numbered(), usings())
@examples(30)
def test_rows_and_names_count_the_plies_of_moves_alone(tree: Numbered, using: Strategy) -> None:
    """Not the marks of parts of nodes."""
    tree = Lettered(tree.first, tree.width, tree.values, tree.most)
    asked = search(tree, enumeration(), using=using, engine="interpreted")
    found = asked.compute(num_workers=1)
    for row, r in zip(found.rows(), sorted(found.records, key=lambda r: r.start), strict=True):
        if row.role != "fold" and tree.width[0]:
            assert row.ply == len(row.line.split())
            place = branch_numbers(r.key[1])
            assert Moves(tree, 0).move(r.key[1][:-1], place[-1]) == row.move


def test_what_a_divided_run_cannot_show_is_refused_in_words(tmp_path: Path) -> None:
    answer = search(Semigroups(), enumeration(12), using=par_list.to_size(50))
    found = answer.compute(num_workers=2)
    assert found.draw("graph").svg
    assert found.rows()
    with pytest.raises(ValueError, match="divided while they ran"):
        found.draw("bounds")
    with pytest.raises(ValueError, match="divided while they run"):
        simulate(answer, 2)
    tour = search(Salesman(), optimisation(), using=par_list.to_size(5000)).compute(num_workers=2)
    with pytest.raises(ValueError, match="divided while they ran"):
        tour.replay(tmp_path / "tour.html")


@pytest.mark.parametrize(
    "text", ["enumeration(depth=12)", "optimisation(depth=400)", "decision(depth=9, target=2.5)"]
)
def test_algorithms_are_texts_and_pickle(text: str) -> None:
    made = parse_algorithm(text)
    assert repr(made) == text
    assert pickle.loads(pickle.dumps(made)) == made
    assert parse_algorithm("optimisation()") == optimisation()


def test_answers_are_told_in_words() -> None:
    tree = Salesman()
    assert str(search(tree, optimisation()).compute()).startswith("move 1, -3323, line 1 13 2")
    assert str(search(tree, enumeration(3)).compute()).startswith("1886; ")
    found = search(tree, decision(-3322)).compute()
    assert str(found).startswith("no leaf of -3322 or more, but -3323 at most; ")
    assert found.move_text == "none: no leaf is worth as much"
    assert found.summary()["estimate"] == "no leaf of -3322 or more, but -3323 at most"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: search(ConnectFour(), optimisation()), "has 2 players; use alphabeta"),
        (lambda: search(ConnectFour(), enumeration(2)), "has 2 players; use alphabeta"),
        (lambda: search(Pig(), decision(2)), "players"),
        (lambda: search(Salesman(), optimisation(), time=1.0), "leave out time= and nodes="),
        (lambda: search(Salesman(), enumeration(3), using=abdada(2)), "such as par_list"),
        (lambda: decision("x"), "target must be a number, not 'x'"),
        (lambda: decision(float("nan")), "target must be a number"),
        (lambda: search(Salesman(), enumeration), r"enumeration makes one: write enumeration"),
        (lambda: parse_algorithm("decision()"), r"takes a target, as in decision\(21\)"),
        (lambda: enumeration(10**9), "whole number from 0 to 1,000,000"),
    ],
)
def test_wrong_uses_say_what_to_do(make: Any, words: str) -> None:
    with pytest.raises((AlgorithmError, ArgumentError), match=words):
        make()


@frozen
class Words(SearchTree[str, str]):
    """All words over two letters, up to a length."""

    length: int = 4

    def start(self) -> str:
        return ""

    def moves(self, state: str) -> Any:
        yield from "ab" if len(state) < self.length else ""

    def make_move(self, state: str, move: str) -> str:
        return state + move


class OfText(Words):
    def measure(self, state: str) -> str:
        return state[-1:]


class OfSet(Words):
    def measure(self, state: str) -> frozenset[int]:
        return frozenset({len(state)})

    def combine(self, first: frozenset[int], second: frozenset[int]) -> frozenset[int]:
        return first | second


class OfPair(Words):
    def measure(self, state: str) -> tuple[int, int]:
        return 1, len(state)

    def combine(self, first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
        return first[0] + second[0], first[1] + second[1]


@pytest.mark.parametrize("kind", [OfSet, pytest.param(OfText, marks=pytest.mark.long)])
def test_what_has_no_fixed_size_is_folded_by_python(kind: type[Words]) -> None:
    tree = kind()
    wanted = search(tree, enumeration(), engine="interpreted").compute().value
    for _ in range(3):  # the first search does not wait for machine code
        assert search(tree, enumeration()).compute().value == wanted
    with pytest.raises(RuleError, match="length is fixed"):
        search(tree, enumeration(), engine="native").compute()


@pytest.mark.parametrize("kind", [OfText, OfSet, OfPair])
def test_a_fold_of_any_values_is_shown(kind: type[Words], tmp_path: Path) -> None:
    run = search(kind(), enumeration(), using=par_list.to_ply(1), engine="interpreted").compute()
    assert "found" in run.report(tmp_path / "run.html").read_text(encoding="utf-8")
    assert "found" in run.draw()._repr_svg_()
    assert "found" in run._repr_html_()
    assert json.loads(run.to_trace())["traceEvents"]
    assert json.loads(run.sparks.to_json())


def test_live_windows_are_read_as_fixed_by_a_fold() -> None:
    for using in par_list.live().to_size(5), young_brothers_wait.to_size(3):
        assert search(OfPair(), enumeration(), using=using).compute(num_workers=2).value == (31, 98)


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_a_node_at_the_last_ply_is_worth_no_more_than_its_bound(depth: int) -> None:
    found = {
        search(Salesman(), optimisation(depth), using=using).compute(num_workers=2).value
        for using in (seq, par_list.to_ply(1), par_list.to_ply(2), par_list.live().to_size(20))
    }
    assert len(found) == 1


@pytest.mark.parametrize("using", [seq, par_list, LIVE.to_size(70), par_list.everywhere.grain(0)])
def test_a_whole_tree_is_searched_however_deep(using: Strategy) -> None:
    lengths = (399, 400, 401, 402) if using == seq else (401,)
    for length in (*lengths, 3300):  # 400 is the first depth tried, 3,200 the second
        tree = Corridor(length)
        found = search(tree, optimisation(), using=using, engine="interpreted").compute()
        assert (found.value, found.line) == (length, (1,) * length)
        found = search(tree, enumeration(), using=using, engine="interpreted").compute()
        assert found.value == found.nodes == 2 * length + 1


def test_a_deep_fold_measures_each_node_once() -> None:
    measured = []

    class Recorded(Corridor):
        def measure(self, state: int) -> int:
            measured.append(state)
            return 1

    found = search(Recorded(600), enumeration(600), engine="interpreted").compute()
    assert len(measured) == found.nodes == found.value == 1201


@pytest.mark.parametrize("algorithm", [enumeration(), optimisation(), decision(5000)])
def test_a_tree_deeper_than_any_search_is_no_answer(
    algorithm: Algorithm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strategies.algorithms.trees.SEARCH_PLIES", 1000)
    with pytest.raises(AlgorithmError, match="below 1,000 plies"):
        search(Corridor(5000), algorithm).compute()


def test_a_null_window_is_not_tested_by_another() -> None:
    with pytest.raises(StrategyError, match="decision is one such test"):
        search(Salesman(), decision(-4000), using=scout.to_ply(2))


@drawn
def test_a_rule_that_fails_is_told_with_its_moves() -> None:
    first, width = tuple(range(1, 31, 2)), (2,) * 7 + (0,) * 8
    tree = Numbered(first, width, (0,) * 15, (1,) * 15, bad=(12,))
    for algorithm in optimisation(), enumeration():
        for using in seq, par_list_chunk(1).to_ply(1):
            with pytest.raises(RuleFailed, match="after the moves 1 0 1, in 12"):
                search(tree, algorithm, using=using).compute()


ENDING = [run for run in RUNS if run.get("scheduler") != "threads"]
"""Dask's threads still work on other tasks when an error is raised."""


@drawn
@given(numbered(), usings(), st.sampled_from(ENDING), st.data())
@examples(40)
def test_a_divided_search_tells_the_moves_of_a_rule_that_fails(
    tree: Numbered, using: Strategy, run: dict[str, Any], data: st.DataObject
) -> None:
    bad = data.draw(st.integers(0, len(tree.width) - 1))
    with pytest.raises(RuleFailed) as raised:
        search(evolve(tree, bad=(bad,)), enumeration(), using=using).compute(**run)
    assert end_of(tree, tuple(map(int, raised.value.moves))) == bad


def test_the_status_of_a_tree_is_whether_it_has_branches() -> None:
    tree = Queens(3)
    assert tree.status(tree.start()) == Status.IN_PLAY
    assert search(tree, enumeration()).compute().value == 0
