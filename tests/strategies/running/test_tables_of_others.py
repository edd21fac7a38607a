"""A table that outlives its search is used only by searches for which its entries mean the same.

Searches run one after the other in one process, with tables of the same size. Each must find the
result that it finds when it runs first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import product
from typing import Any

import dask
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, MAXIE, MINNIE, ExplicitGame, Game, Nim, NimForMany, Pig, TicTacToe, Tree
from strategies import (
    alphabeta,
    expectimax,
    maxn,
    mcts,
    minimax,
    mtdf,
    par_list,
    paranoid,
    pvs,
    search,
    solve,
)
from strategies.native.calls.alphabeta import search_alphabeta
from strategies.native.calls.expectimax import search_expectimax, search_star
from strategies.native.kept_engines import engine_for
from strategies.native.memory.transposition_table import Table
from strategies.running.execution.iteration import table_for
from strategies.running.runtime import cancellation
from strategies.running.runtime import ordered_scheduler as runner
from tests.games.test_laws_of_games import FOR_MANY, MIXED
from tests.properties import DEEP, examples
from tests.strategies.clusters import cluster
from tests.strategies.given import trees

pytestmark = pytest.mark.filterwarnings("ignore:Computing mixed collections")
"""The warning of Dask about two kinds of collections that are computed in one run."""

SIZE = "4kB"

Answer = tuple[Any, Any]
"""A value and a move, as `repr` to distinguish types of numbers."""


def each(*options: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the options with and without nearer wins, with the same table."""
    return [{"nearer_wins": nearer, **more} for more in options for nearer in (True, False)]


TABLED: list[Any] = [
    *(make(3, table=SIZE, **more) for make in (alphabeta, pvs, mtdf) for more in each({})),
    *(
        expectimax(3, table=SIZE, **more)
        for more in each(
            {},
            {"cutoff": 0.3},
            {"cutoff": 0.05},
            {"rounded": True},
            {"rounded": True, "cutoff": 0.3},
            {"pruning": "star1"},
            {"pruning": "star2"},
        )
    ),
    *(make(2, table=SIZE) for make in (alphabeta, pvs, expectimax)),
    *(make(4, table=SIZE) for make in (alphabeta, mtdf, expectimax)),
]
PLAIN: list[Any] = [
    minimax(3),
    minimax(3, nearer_wins=False),
    alphabeta(3),
    expectimax(3),
    expectimax(3, rounded=True),
    expectimax(3, pruning="star2"),
]
SAMPLED: list[Any] = [mcts(30, seed=1, memory="128kB")]
FOR_TWO = [*TABLED, *PLAIN, *SAMPLED]
FOR_MORE = [maxn(3), maxn(4), paranoid(3), paranoid(4), *SAMPLED]


def wide(branches: int) -> ExplicitGame:
    """Return a tree whose best and worst branches are the last of many."""
    leaves = [Tree(f"leaf {k}", value=k) for k in range(branches)]
    last = Tree("worst", MINNIE, tuple(reversed(leaves)), value=3)
    others = [Tree(f"low {k}", MINNIE, (Tree(f"end {k}", value=-k - 1),)) for k in range(branches)]
    better = Tree("better", MINNIE, (Tree("one", value=7), Tree("two", value=7)), value=2)
    return ExplicitGame.from_tree(Tree("root", MAXIE, (*others, last, better), value=0))


def deep(*kinds: int) -> ExplicitGame:
    """Return a tree with three branches at each node, in which players of these kinds alternate."""

    def node(level: int, number: int) -> Tree:
        below = [node(level + 1, 3 * number + k) for k in range(3)] if level < len(kinds) else []
        value = number * 7919 % 19 - 6
        kind = kinds[level] if below else MAXIE
        chances = (0.25, 0.25, 0.5) if kind == CHANCE else ()
        return Tree(f"{level}.{number}", kind, tuple(below), value, chances)

    return ExplicitGame.from_tree(node(0, 0))


GAMES: dict[str, Game[Any, Any]] = {
    "deep tree": deep(MAXIE, MINNIE, MINNIE, MAXIE),
    "deep tree with dice": deep(MINNIE, CHANCE, MINNIE, MAXIE),
    "tictactoe": TicTacToe(),
    "pig": Pig(6),
    "mixed tree": MIXED,
    "wide tree": wide(130),
    "nim": Nim((2, 1)),
    "misere nim": Nim((2, 1), misere=True),
    "tree for three": FOR_MANY,
    "nim for three": NimForMany((2, 1)),
}


SMALL = [name for name in GAMES if name not in ("tictactoe", "wide tree")]


def algorithms(game: Game[Any, Any]) -> list[Any]:
    """Return the algorithms that accept the game."""
    return FOR_MORE if game.players > 2 else FOR_TWO


def found_by(answer: Any) -> Answer:
    """Return value and move as text, so that 1 differs from 1.0."""
    return repr(answer.value), answer.move


Run = Callable[[list[Any]], Iterable[Any]]
"""Functions that run searches one after the other."""


def by(**how: Any) -> Run:
    """Run each search in a separate run."""
    return lambda asked: [one.compute(**how) for one in asked]


def at_once(asked: list[Any]) -> Iterable[Any]:
    """Run all searches in one run of the ordered scheduler."""
    found: tuple[Any, ...] = dask.compute(*asked, scheduler=runner.get, num_workers=1)
    return found


RUNS: dict[str, Run] = {
    "own": by(num_workers=1),
    "own, in one run": at_once,
    "sync": by(scheduler="sync"),
    "threads": by(scheduler="threads", num_workers=2),
}


def forget() -> None:
    """Discard all tables: those of a process belong to its stop flag."""
    cancellation.interrupt()


@cache
def alone(game: Game[Any, Any], algorithm: Any, engine: str) -> Answer:
    """Return the result of a search with a fresh table."""
    forget()
    return found_by(search(game, algorithm, engine=engine).compute(scheduler="sync"))


Asked = tuple[Game[Any, Any], Any]
"""A game and the algorithm that searches it."""


def wrong(searches: Iterable[Asked], run: Run, engine: str, using: Any = None) -> list[Any]:
    """Return the searches of a sequence whose result differs from their result alone."""
    asked = list(searches)
    wanted = [alone(*one, engine) for one in asked]
    how = [{} if using is None or a in SAMPLED else {"using": using} for _, a in asked]
    forget()
    answers = run([search(g, a, engine=engine, **h) for (g, a), h in zip(asked, how, strict=True)])
    found = list(map(found_by, answers))
    return [row for row in zip(asked, found, wanted, strict=True) if row[1] != row[2]]


def pairs_of(game: Game[Any, Any], those: list[Any]) -> Iterator[list[Asked]]:
    """Return all ordered pairs of algorithms on a game."""
    return ([(game, a), (game, b)] for a, b in product(those, repeat=2))


def test_alpha_beta_does_not_read_entries_of_expectimax() -> None:
    forget()
    for algorithm in (expectimax(3, table=SIZE), alphabeta(3, table=SIZE)):
        asked = search(TicTacToe(), algorithm, engine="interpreted")
        found = asked.compute(scheduler="sync")
        assert (found.value, found.move) == (3, 4)


def test_a_table_is_reused_by_a_search_with_the_same_meaning() -> None:
    """Otherwise the other tests here would pass because no table is shared."""
    few = TABLED[::4]  # of the wide tree, which takes as long as all others
    for game, algorithm in (*product((MIXED,), TABLED), *product((GAMES["wide tree"],), few)):
        forget()
        asked = search(game, algorithm, engine="interpreted")
        first, second = (asked.compute(scheduler="sync") for _ in range(2))
        assert found_by(second) == found_by(first)
        assert second.table.hits > 0 or second.table.probes == 0


def test_two_algorithms_share_a_table_if_only_their_depths_differ() -> None:
    engine = engine_for(MIXED, "interpreted")
    for one, other in product(TABLED, repeat=2):
        same = table_for(engine, one) is table_for(engine, other)
        assert same == (one == other.at_depth(one.depth)), (one, other)
    assert table_for(engine, TABLED[0]) is not table_for(engine_for(Pig(6)), TABLED[0])


@pytest.mark.parametrize("run", RUNS)
@given(st.data())
@examples(20)
def test_the_result_of_a_search_does_not_depend_on_earlier_searches(run: str, data: Any) -> None:
    game = GAMES[data.draw(st.sampled_from(SMALL))]
    those = data.draw(st.lists(st.sampled_from(algorithms(game)), min_size=2, max_size=8))
    assert wrong([(game, a) for a in those], RUNS[run], "interpreted") == []


def pairs_of_trees(engine: str) -> st.SearchStrategy[tuple[str, list[ExplicitGame]]]:
    """Return pairs of trees for an engine. Native searches of floats need kernels of their own."""
    one = trees(depth=3, chance=True, wins=True, floats=DEEP or engine == "interpreted")
    return st.tuples(st.just(engine), st.lists(one, min_size=2, max_size=2))


@given(
    st.one_of(pairs_of_trees("interpreted"), *[pairs_of_trees("native")] * DEEP),
    st.lists(st.tuples(st.booleans(), st.sampled_from(TABLED)), min_size=2, max_size=10),
    st.sampled_from([None, par_list]),
)
@examples(40)
def test_searches_of_any_two_trees_on_both_engines(
    pair: tuple[str, list[ExplicitGame]], those: list[tuple[bool, Any]], using: Any
) -> None:
    engine, games = pair
    assert wrong([(games[k], a) for k, a in those], RUNS["sync"], engine, using) == []


@pytest.mark.long
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("name", GAMES)
def test_all_ordered_pairs(name: str, run: str) -> None:
    game = GAMES[name]
    assert [
        found
        for pair in pairs_of(game, algorithms(game))
        if (found := wrong(pair, RUNS[run], "interpreted"))
    ] == []


@pytest.mark.long
def test_all_ordered_pairs_with_compiled_rules() -> None:
    for game in (TicTacToe(), MIXED):
        for pair in pairs_of(game, TABLED):
            assert wrong(pair, RUNS["sync"], "native") == []


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    pytest.importorskip("distributed")
    with cluster(workers=1) as client:
        yield client


def test_on_a_worker_of_a_cluster(client: Any) -> None:
    """The worker is a thread of this process, whose tables `forget` discards."""
    few = [
        alphabeta(3, table=SIZE),
        expectimax(3, table=SIZE),
        expectimax(3, table=SIZE, pruning="star1"),
    ]
    for pair in pairs_of(TicTacToe(), few):
        assert wrong(pair, by(scheduler=client), "interpreted") == []


def kernels_with(game: Any, table: Table) -> Iterator[Callable[[], Any]]:
    """Return all ways to search with a given table."""
    used, state, depth = engine_for(game, "interpreted"), game.start(), 3
    for nearer in (True, False):
        more = {"table": table, "nearer": nearer}
        yield partial(search_alphabeta, used, state=state, depth=depth, **more)
        for options in ({}, {"cutoff": 0.3}, {"rounded": True}):
            yield partial(search_expectimax, used, state, depth, **options, **more)
        bounds = expectimax(depth, nearer_wins=nearer, pruning="star1").bounds(game)
        for probes in (True, False):
            yield partial(search_star, used, state, depth, bounds, probes=probes, **more)
    if type(game).outcomes is Game.outcomes:
        yield partial(solve, game, memory=table, engine="interpreted")


@pytest.mark.parametrize("games", [(MIXED,), (Nim((2, 1)), Nim((2, 1), misere=True))])
def test_a_given_table_discards_the_entries_of_other_searches(games: Any) -> None:
    table = Table(SIZE)
    asks = [ask for game in games for ask in kernels_with(game, table)]

    def found(ask: Callable[[], Any], fresh: bool = False) -> Any:
        if fresh:
            table.claim(object())
        answer = ask()
        return repr(answer.value), answer.line[:1]

    wanted = [found(ask, fresh=True) for ask in asks]
    for i, j in product(range(len(asks)), repeat=2):
        assert found(asks[i], fresh=True) == wanted[i]
        assert found(asks[j]) == wanted[j], (asks[i], asks[j])
