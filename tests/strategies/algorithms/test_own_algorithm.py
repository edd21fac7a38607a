"""An algorithm of a user's own, that of the page on it, keeps the laws of all algorithms."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from games import MAXIE, ConnectFour, ExplicitGame, Game, Othello, Status
from strategies import (
    Algorithm,
    AlgorithmError,
    abdada,
    alphabeta,
    engine_for,
    jamboree,
    par_list,
    parse_algorithm,
    register_algorithm,
    search,
    seq,
)
from strategies.algebra.strategy import Strategy
from strategies.algorithms.kernels import (
    IN_PLAY,
    INFINITY,
    Control,
    branches_of,
    child_of,
    kernel,
    leaf,
)
from strategies.algorithms.names import ALGORITHMS
from strategies.native.engine import Engine
from strategies.native.memory.cells import cells
from strategies.rules.language.messages import RuleError
from strategies.rules.machine import memory
from tests.properties import examples
from tests.strategies.given import RUNS, searches, trees

sys.path.append(str(Path(__file__).parents[3] / "docs"))
from quiet import Quiescence

sys.path.pop()

SMALL = ConnectFour(4, 4)


def directly(game: Game[Any, Any], state: Any, depth: int, swing: float, extra: int) -> float:
    """Return the value of quiescence search by its definition, without windows."""
    if game.status(state) != Status.IN_PLAY:
        return game.utility(state)
    best = max if game.player(state) == MAXIE else min
    found = []
    if depth <= 0:
        found.append(game.estimate(state))
        if depth == -extra:
            return found[0]
    for move in game.moves(state):
        child = game.make_move(state, move)
        loud = game.status(child) != Status.IN_PLAY or (
            abs(game.estimate(child) - game.estimate(state)) > swing
        )
        if depth > 0 or loud:
            found.append(directly(game, child, depth - 1, swing, extra))
    return best(found)


@pytest.mark.usefixtures("any_length")
@given(
    trees(), searches(), st.sampled_from(RUNS), st.integers(1, 3),
    st.sampled_from([0.0, 1.0, 3.0]), st.integers(0, 3),
)  # fmt: skip
@examples(60)
def test_the_value_is_that_of_the_definition(
    game: ExplicitGame, using: Strategy, run: dict[str, Any], depth: int, swing: float, extra: int
) -> None:
    algorithm = Quiescence(depth, nearer_wins=False, swing=swing, extra=extra)
    found = search(game, algorithm, using=using).compute(**run)
    assert found.value == directly(game, game.start(), depth, swing, extra)
    assert found.sparks.balanced()


@pytest.mark.parametrize("game", [SMALL, pytest.param(Othello(6), marks=pytest.mark.long)])
def test_both_engines_search_alike(game: Game[Any, Any]) -> None:
    own = Quiescence(3, swing=1.0)
    for using in seq, par_list.to_ply(1), jamboree(0.5).to_ply(2):
        one, other = (
            search(game, own, using=using, engine=engine).compute(num_workers=1)
            for engine in ("native", "interpreted")
        )
        assert (one.value, one.move, one.nodes) == (other.value, other.move, other.nodes)


def test_without_further_plies_it_is_alpha_beta() -> None:
    own = search(SMALL, Quiescence(5, extra=0)).compute()
    known = search(SMALL, alphabeta(5)).compute()
    assert (own.value, own.line, own.nodes, own.leaves) == (
        known.value, known.line, known.nodes, known.leaves,
    )  # fmt: skip


@given(st.integers(0, 9), st.floats(0, 9), st.integers(0, 9), st.booleans())
def test_text_and_pickle_give_it_back(depth: int, swing: float, extra: int, nearer: bool) -> None:
    ALGORITHMS["quiescence"] = Quiescence  # another test may have run the file again
    made = Quiescence(depth, swing, extra, nearer_wins=nearer)
    assert parse_algorithm(repr(made)) == made == pickle.loads(pickle.dumps(made))
    assert hash(made) == hash(evolve(made))


@given(trees(), st.sampled_from([0.0, 1.0, 3.0]), st.integers(0, 3))
@examples(30)
def test_a_leaf_has_the_value_that_the_kernel_gives_it(
    game: ExplicitGame, swing: float, extra: int
) -> None:
    own = Quiescence(1, nearer_wins=False, swing=swing, extra=extra)
    assert own.leaf_value(game, game.start(), 0) == directly(game, game.start(), 0, swing, extra)


def test_a_table_that_no_search_would_use_is_refused() -> None:
    for table in 65_536, "64kB":
        with pytest.raises(AlgorithmError, match="the kernel of quiescence gets no table: leave"):
            Quiescence(3, table=table)
    assert Quiescence(3, table=None) == Quiescence(3, table=0) == Quiescence(3)


def test_what_needs_ordered_branches_is_refused() -> None:
    with pytest.raises(AlgorithmError, match="quiescence has no ordered branches"):
        search(ConnectFour(), Quiescence(3), using=abdada(2)).compute()


@pytest.fixture
def names() -> Iterator[dict[str, Any]]:
    known = dict(ALGORITHMS)
    yield ALGORITHMS
    ALGORITHMS.clear()
    ALGORITHMS.update(known)


def test_a_class_may_derive_from_a_known_one(names: dict[str, Any]) -> None:
    @register_algorithm
    class NegaMax(type(alphabeta(1))):  # type: ignore[misc]  # a class that is computed
        name = "negamax"

    assert repr(parse_algorithm("negamax(4)")) == "negamax(depth=4)"
    one, other = (search(SMALL, a).compute() for a in (NegaMax(4), alphabeta(4)))
    assert (one.value, one.move, one.nodes) == (other.value, other.move, other.nodes)


def test_wrong_classes_are_refused(names: dict[str, Any]) -> None:
    @frozen(repr=False)
    class Own(Algorithm):
        name = "own"

    with pytest.raises(ValueError, match="Own has no kernel: set kernel"):
        register_algorithm(Own)
    for name, why in (
        ("pvs", "is a name of this package"),
        ("rpar", "is a name of this package"),
        ("jamboree", "is a name"),
        ("a b", "word"),
    ):
        other = type("Other", (Own,), {"name": name, "kernel": staticmethod(len)})
        with pytest.raises(ValueError, match=why):
            register_algorithm(other)
    for wrong in 3, Game, Quiescence(1):
        with pytest.raises(ValueError, match="a subclass of Algorithm is needed"):
            register_algorithm(wrong)  # type: ignore[type-var]


class Rows(Game[tuple[tuple[int, ...], int], int]):
    """Take a number of a row; the others change with it. Positions are of varying size."""

    def start(self) -> tuple[tuple[int, ...], int]:
        return (3, 1, 4, 1, 5, 9), 0

    def status(self, state: tuple[tuple[int, ...], int]) -> Status:
        return Status.IN_PLAY if len(state[0]) > 2 else Status.DRAW

    def player(self, state: tuple[tuple[int, ...], int]) -> int:
        return state[1] % 2

    def moves(self, state: tuple[tuple[int, ...], int]) -> Iterator[int]:
        yield from range(len(state[0]))

    def make_move(
        self, state: tuple[tuple[int, ...], int], move: int
    ) -> tuple[tuple[int, ...], int]:
        row = list(state[0])
        taken = row.pop(move)
        return tuple([(7 * n + taken) % 11 for n in row]), state[1] + 1

    def estimate(self, state: tuple[tuple[int, ...], int]) -> int:
        total = 0
        for n in state[0]:
            total = (5 * total + n) % 101
        return total - 50

    def utility(self, state: tuple[tuple[int, ...], int]) -> int:
        return 0


@kernel
def greedy(game: Any, state: Any, depth: int, control: Control) -> float:
    """Follow the best child, which one step of the loop makes and the end of the node reads."""
    if depth == 0 or game.status(state) != IN_PLAY:
        return float(leaf(game, state))
    best, most = state, -INFINITY
    for index, branch in enumerate(branches_of(game, state)):
        child = child_of(game, state, branch)
        worth = float(leaf(game, child)) + 0.001 * index
        if worth > most:
            best, most = child, worth
    return greedy(game, best, depth - 1, control)


@kernel
def listing(game: Any, state: Any, depth: int, control: Control) -> float:
    """Search the children after all have been made."""
    if depth == 0 or game.status(state) != IN_PLAY:
        return float(leaf(game, state))
    children = [child_of(game, state, branch) for branch in branches_of(game, state)]
    best = -INFINITY
    for child in children:
        best = max(best, -listing(game, child, depth - 1, control))
    return best


@kernel
def queueing(game: Any, state: Any, depth: int, control: Control) -> float:
    """Move positions about in a list, alone and with numbers, and look them up in a dict."""
    if game.status(state) != IN_PLAY:
        return float(leaf(game, state))
    waiting = [child_of(game, state, branch) for branch in branches_of(game, state)]
    waiting.insert(1, state)
    del waiting[0]
    waiting = waiting[1:] + waiting[:1]
    known = {-1: state}
    pairs = [(state, 0.5)]
    while len(waiting) > 0:
        known[len(waiting)] = waiting[0]
        pairs.insert(0, (waiting.pop(0), float(len(waiting))))
    total = float(leaf(game, known[-1]))
    for index, (one, number) in enumerate(pairs):
        other = known[1 + index % (len(known) - 1)]
        total = 3.0 * total + float(leaf(game, one)) + number - float(leaf(game, other))
    return total


@kernel
def telling(game: Any, state: Any, depth: int, control: Control) -> float:
    """Raise an error whose text looks like a hole of a template."""
    i7000000 = len("<<cells>> i7000000")
    if depth == 3:
        raise ValueError("<<cells>> <<rule.moves>> i7000000 ( i7000001, {i7000002}")
    return float(game.estimate(state)) + i7000000


@kernel
def before(game: Any, state: Any, depth: int, control: Control) -> float:
    """Read a position that was made between the start of a generator and its first step."""
    if game.status(state) != IN_PLAY:
        return float(leaf(game, state))
    moves = game.moves(state)
    first = game.make_move(state, 0)
    total = 0.0
    for move in moves:
        total = (
            3.0 * total + float(leaf(game, first)) + float(leaf(game, game.make_move(state, move)))
        )
    return total


@pytest.mark.parametrize("one", [greedy, listing, queueing, before])
@given(st.lists(st.integers(0, 10), min_size=2, max_size=6), st.integers(0, 4))
def test_a_kernel_may_keep_positions(one: Any, row: list[int], depth: int) -> None:
    """Positions are of varying size, so that their memory is given back."""
    found = [
        engine_for(Rows(), engine).call(one, (tuple(row), 0), depth, cells(1))
        for engine in ("native", "interpreted")
    ]
    assert found[0] == found[1]


def made(game: Any, state: Any) -> Iterator[Any]:
    for branch in branches_of(game, state):
        yield child_of(game, state, branch)


@kernel
def generating(game: Any, state: Any, depth: int, control: Control) -> float:
    """Read children that a generator makes; their positions are on the way."""
    total = 0.0
    for child in made(game, state):
        for one in made(game, child):
            total = 3.0 * total + float(leaf(game, one))
    return total


def worth(pair: Any) -> int:
    return int(pair[0].estimate(pair[1]))


@kernel
def mapping(game: Any, state: Any, depth: int, control: Control) -> float:
    """Have a rule called for each child."""
    pairs = [(game, child_of(game, state, branch)) for branch in branches_of(game, state)]
    total = 0.0
    for value in map(worth, pairs):
        total = 3.0 * total + value
    return total


@pytest.mark.parametrize(
    ("one", "why"), [(generating, "made yields in a loop"), (mapping, "worth calls rules")]
)
def test_a_kernel_whose_machine_code_would_be_wrong_is_not_compiled(one: Any, why: str) -> None:
    state, control = Rows().start(), cells(1)
    with pytest.raises(RuleError, match=why):
        engine_for(Rows(), "native").call(one, state, 2, control)
    found = engine_for(Rows(), "interpreted").call(one, state, 2, control)
    assert Engine(Rows(), "auto").call(one, state, 2, control) == found


def told(engine: str, depth: int) -> object:
    try:
        return engine_for(Rows(), engine).call(telling, Rows().start(), depth, cells(1))
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("depth", [2, 3])
def test_a_text_of_a_kernel_may_look_like_a_hole(depth: int) -> None:
    assert told("native", depth) == told("interpreted", depth)


def test_a_kernel_gives_memory_back_where_it_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    """All positions of this search take more than 16 MB, those of one path little."""
    monkeypatch.setattr(memory, "ARENA", 1 << 24)  # of the thread that searches
    engine, state = engine_for(Rows(), "native"), (tuple(range(10)), 0)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(engine.call, listing, state, 9, cells(1)).result() == 0
