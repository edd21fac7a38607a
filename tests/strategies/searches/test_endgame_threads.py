"""The same table for any strategy and number of workers, and bounds that enclose the values."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Nim
from strategies import (
    EndgameTable,
    StrategyError,
    endgame_table,
    eval_list,
    par_buffer,
    par_list,
    par_list_chunk,
    seq,
)
from strategies.native.calls import position_graph, settling
from strategies.native.calls.position_graph import Work, explored, one_by_one
from strategies.native.calls.settling import Settling
from strategies.native.kept_engines import engine_for
from strategies.native.kernels import sweeps
from strategies.native.kernels.position_graph import SIZE
from strategies.native.memory.cells import Stop, cells
from tests.properties import examples
from tests.strategies.searches.test_endgame_tables import (
    LONG,
    PIG,
    ROOK,
    Chain,
    Graph,
    Small2048,
    expected,
    graphs,
)

STRATEGIES = st.sampled_from([seq, par_list, par_list_chunk(2), par_buffer(2), eval_list])


@contextmanager
def few_are_many() -> Iterator[None]:
    """Treat a few positions as many inside the block, so that threads share them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(position_graph, "FEW", 1)
        patch.setattr(position_graph, "TOGETHER", 1)
        patch.setattr(settling, "ENOUGH", 1)
        patch.setattr(settling, "LARGE", 3)
        yield


def same(one: EndgameTable, other: EndgameTable) -> bool:
    return all(
        getattr(one, row).tobytes() == getattr(other, row).tobytes()
        for row in ("words", "low", "high")
    )


def lucky(graph: Graph, places: set[int]) -> Graph:
    """Return the graph in which chance moves at some places."""
    movers = tuple(-1 if p in places else m for p, m in enumerate(graph.movers))
    return Chain(movers, graph.branches, graph.ends) if places else graph


@given(graphs(), st.sets(st.integers(1, 9)), STRATEGIES, st.integers(1, 3))
@examples(100, times=80)
def test_threads_find_the_same_table(
    graph: Graph, places: set[int], using: Any, workers: int
) -> None:
    game = lucky(graph, places)
    with few_are_many():
        alone = endgame_table(game, using=seq, workers=1, engine="interpreted")
        shared = endgame_table(game, using=using, workers=workers, engine="interpreted")
    assert same(alone, shared)
    assert len(shared) == sum(place in shared for place in range(len(graph.movers)))


def backwards(calls: Sequence[Callable[[], int]]) -> Generator[int, None, None]:
    """Make calls in the opposite order: what threads may do at worst."""
    yield from reversed([call() for call in reversed(calls)])


@given(graphs(), st.sets(st.integers(1, 9)))
@examples(100, times=80)
def test_pieces_that_are_made_at_once_do_not_need_each_other(
    graph: Graph, places: set[int]
) -> None:
    game, found = lucky(graph, places), []
    for at_once in (one_by_one, backwards):
        work = Work(Stop(), at_once, workers=3)
        with few_are_many():
            made = explored(engine_for(game, "interpreted"), 0, 1 << 20, work, cells(SIZE))
            low, high = Settling(made, 0.0, 1e-12, work).settle()
        found.append([row.tolist() for row in (made.words, made.kinds, low, high)])
    assert found[0] == found[1]


@given(graphs(), st.integers(1, 3))
@examples(150)
def test_bounds_enclose_the_expectations(graph: Graph, workers: int) -> None:
    """Also where components are swept by two threads, and where one component leads to others."""
    chain = Chain((-1,) * len(graph.movers), graph.branches, graph.ends)
    with few_are_many():
        table = endgame_table(chain, workers=workers, engine="interpreted")
    wanted = expected(chain)
    for place in range(len(chain.movers)):
        if place in table:
            low, high = table.bounds(place)
            assert low - 1e-9 <= wanted[place] <= high + 1e-9
            assert high - low < 1e-11 or places_without_end(chain, place)


def places_without_end(chain: Chain, place: int) -> bool:
    """Return whether play can go from a place to one from which it never ends."""
    seen, ahead = {place}, [place]
    while ahead:
        here = ahead.pop()
        if chain.ends[here] is None:
            ahead += list({*chain.branches[here]} - seen)
            seen |= {*chain.branches[here]}
    ending = {p for p in seen if chain.ends[p] is not None}
    while more := {p for p in seen - ending if ending & {*chain.branches[p]}}:
        ending |= more
    return ending != seen


@pytest.mark.parametrize(
    "game",
    [ROOK, PIG, *(pytest.param(game, marks=LONG) for game in (Small2048(), Nim((3, 4, 5))))],
)
def test_machine_code_finds_the_same_table_on_any_threads(game: Any) -> None:
    with few_are_many():
        tables = [
            endgame_table(game, using=using, workers=workers)
            for using, workers in ((seq, None), (par_list, 3), (par_buffer(2), 2))
        ]
    assert all(same(tables[0], other) for other in tables)
    assert same(tables[0], endgame_table(game, workers=1))


def test_a_strategy_that_fits_no_list_is_refused() -> None:
    with pytest.raises(StrategyError):
        endgame_table(Nim((1, 1)), using=7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="workers"):
        endgame_table(Nim((1, 1)), workers=0)


@given(st.integers(1, 4), st.integers(1, 4))
@examples(5)
def test_each_position_of_a_game_without_cycles_is_worked_out_once(a: int, b: int) -> None:
    """However the moves lead: a sweep over all positions for each ply would take n² steps."""
    game, worked = Nim((a, b, 2)), list[int]()
    count = sweeps.worked_out

    def counted(*given: Any) -> float:
        worked.append(given[1])
        return count(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeps, "worked_out", counted)
        table = endgame_table(game, engine="interpreted")
    assert len(worked) == len(set(worked)) < len(table)
