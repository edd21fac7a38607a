"""Trees that are kept: a search continues an earlier one, and loses and doubles no visit."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from games import ConnectFour, Status, TicTacToe, Twenty48
from graphs.errors import ArgumentError
from strategies import AlgorithmError, SearchAgent, mcts, search
from strategies.algorithms.positions import children
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.mcts_tree import SHAPE, USED
from strategies.players.game_loop import play_out
from strategies.searches.monte_carlo.job import Job
from strategies.searches.monte_carlo.tree import Tree
from tests.properties import DEEP, examples
from tests.strategies.searches.monte_carlo.test_selection import Weighed

GAMES: list[Any] = [Weighed(), Twenty48()]


def begun(game: Any, algorithm: Any, plies: list[int]) -> tuple[Any, Any, Any]:
    """Return a search, the position some plies below its root, and the counts of its branch there.

    Each ply goes to one of the visited branches.
    """
    first = search(game, algorithm).compute(num_workers=1)
    found = {p.path: p for p in first.tree()}
    state, path, here = game.start(), (), None
    for ply in plies:
        below = [p for p in found.values() if p.path[:-1] == path]
        if below:
            here = below[ply % len(below)]
            path, state = here.path, here.state
    return first, state, here


rules = st.sampled_from([{}, {"allocate": "puct"}, {"rave": 50}, {"rollout": 3}, {"threads": 2}])


@examples(25)
@given(st.sampled_from(GAMES), rules, st.lists(st.integers(0, 5), min_size=1, max_size=3))
def test_the_root_has_the_visits_and_values_of_the_position(
    game: Any, rule: dict[str, Any], plies: list[int]
) -> None:
    if rule.get("rollout") and isinstance(game, ConnectFour):
        return
    if game == Twenty48() and not DEEP:
        rule = {}  # its other kernel is for guided choices
    algorithm = mcts(300, reuse=True, **({"rollout": 3} if game == Twenty48() else {}) | rule)
    first, state, here = begun(game, algorithm, plies)
    if here is None or game.status(state) != Status.IN_PLAY or here.proven:
        return
    again = search(game, evolve(algorithm, simulations=1), state=state).after(first)
    found = again.compute(num_workers=1)
    assert found.carried in {p.visits for p in first.tree() if p.state == state}
    below = {p.path[len(here.path) :]: p for p in first.tree() if p.path[:-1] == here.path}
    if found.carried == here.visits and below:
        grown = {p.path: p for p in found.tree(1)}
        more = [grown[path].visits - (below[path].visits if path in below else 0) for path in grown]
        assert sorted(more)[-1:] == [1]  # the one simulation, and nothing else
        assert sum(more) == found.simulations == 1
        for path, p in below.items():
            if grown[path].visits == p.visits and not p.proven:
                assert grown[path].value == pytest.approx(p.value)


@pytest.mark.parametrize("rule", [{}, {"allocate": "puct", "rave": 40}, {"trees": 2}], ids=repr)
def test_agents_that_reuse_trees_play_the_same_on_both_engines(rule: dict[str, Any]) -> None:
    played, game = [], Weighed()
    for engine in ("native", "interpreted", "native"):
        agent = SearchAgent(mcts(40, reuse=True, **rule), engine=engine)
        state, line = game.parse_state("255235465151743522746644"), []
        while game.status(state) == Status.IN_PLAY:
            found = agent.look(game, state)
            line.append((found.move, found.moves, found.carried))
            state = game.make_move(state, found.move)
        played.append(line)
    assert played[0] == played[1] == played[2]
    assert any(carried for _, _, carried in played[0])


def test_visits_grow_along_a_game_and_none_is_lost() -> None:
    """The visits of the root's moves are those it had, less its own first one, and the new ones."""
    game, agent = Weighed(), SearchAgent(mcts(500, reuse=True))
    before = agent.look(game, game.start())
    state = game.start()
    for _ in range(7):
        state = game.make_move(state, before.move)
        found = agent.look(game, state)
        assert found.carried == before.visits[before.move] > 0
        assert sum(found.visits.values()) == found.carried - 1 + found.simulations
        before = found


def test_a_tree_that_is_continued_in_place_is_the_tree_and_more() -> None:
    game, algorithm = Weighed(), mcts(1_000, reuse=True)
    first = search(game, algorithm).compute()
    again = search(game, algorithm).after(first).compute()
    assert again.carried == 1_000
    assert sum(again.visits.values()) == 2_000
    assert all(again.visits[m] >= first.visits[m] for m in first.visits)
    assert again.nodes > first.nodes
    twice = search(game, algorithm).after(first).compute()
    assert twice.moves == again.moves  # the kept tree has not changed


SHUNNED = Weighed(weights=(3.0, 2.0, 1.0, 0.0, 1.0, 2.0, 3.0))
"""Connect Four in which the middle column is not to be tried."""


@pytest.mark.parametrize("threads", [1, 3])
def test_all_regions_of_a_tree_are_copied(threads: int) -> None:
    """The sums of the guides, of the counts as moves and of each view are those of the tree."""
    game, algorithm = SHUNNED, mcts(800, allocate="puct", rave=50, threads=threads, reuse=True)
    engine, job = engine_for(game), Job(game, game.start(), algorithm)
    kept = search(game, algorithm).compute().kept[0]
    copy = Tree(engine, job, kept.scale, threads, algorithm.memory)
    copy.adopt(kept)
    source, stride = kept.source, kept.stride
    held = [source[SHAPE + n * stride : SHAPE + (n + 1) * stride] for n in range(1 + threads + 2)]
    counts = sum(map(sum, held[1:-2]))
    starts = [SHAPE + n * copy.capacity for n in range(1, copy.plain + 2)]
    found = [sum(copy.cells[start : start + copy.cells[USED]]) for start in starts]
    views = 0 if threads == 1 else threads
    wanted = [counts, *[0] * (threads - 1), *[counts] * views, sum(held[-2]), sum(held[-1])]
    assert found == wanted
    assert min(counts, sum(held[-2]), sum(held[-1])) > 0


def test_priors_are_kept() -> None:
    game, algorithm = SHUNNED, mcts(300, allocate="puct", fpu=-1, reuse=True)
    first = search(game, algorithm).compute()
    state = game.make_move(game.start(), first.move)
    again = search(game, algorithm, state=state).after(first).compute()
    assert again.carried == first.visits[first.move]
    assert again.visits[3] == 0


def test_proven_values_are_kept() -> None:
    game = Weighed()
    state = game.parse_state("11223")
    first = search(game, mcts(5_000, reuse=True), state=state).compute()
    found = first
    while not game.status(state):
        state = game.make_move(state, found.move)
        if game.status(state):
            break
        known = next(p for p in first.tree(1) if p.state == state) if found is first else None
        found = search(game, mcts(2_000, reuse=True), state=state).after(found).compute()
        if known is not None and known.proven:
            assert (found.proven, found.value, found.simulations) == (True, known.value, 0)


def test_a_position_that_is_not_in_the_tree_begins_a_new_one() -> None:
    game, algorithm = Weighed(), mcts(200, reuse=True)
    first = search(game, algorithm, state=game.parse_state("4444")).compute()
    fresh = search(game, algorithm).compute()
    assert search(game, algorithm).after(first).compute().moves == fresh.moves
    assert fresh.carried == 0


def test_games_between_agents_do_not_share_trees() -> None:
    agents = [SearchAgent(mcts(50, seed=seed, reuse=True), engine="interpreted") for seed in (0, 1)]
    one, other = (play_out(TicTacToe(), agents, engine="interpreted") for _ in range(2))
    assert (one.last, one.nodes) == (other.last, other.nodes)
    assert agents[0].last == {}


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_and_full_memory_lose_no_visit(threads: int) -> None:
    game = Weighed()
    algorithm = mcts(6_000, threads=threads, memory="128kB", reuse=True)
    first = search(game, algorithm).compute()
    state = game.make_move(game.start(), first.move)
    found = search(game, algorithm, state=state).after(first).compute()
    assert found.carried == first.visits[first.move]
    assert sum(found.visits.values()) <= found.carried + found.simulations
    assert found.simulations == 6_000


def test_results_keep_their_trees_in_other_processes() -> None:
    game, algorithm = TicTacToe(), mcts(50, reuse=True)
    first = search(game, algorithm, engine="interpreted").compute()
    copy = pickle.loads(pickle.dumps(first))
    one, other = (
        search(game, algorithm, engine="interpreted").after(r).compute() for r in (first, copy)
    )
    assert one.moves == other.moves
    assert one.carried == 50


def test_children_are_positions_after_moves_or_outcomes() -> None:
    game = Twenty48()
    after = [child for _, child in game.outcomes(game.start())]
    found = children(game, game.start(), "chance")
    assert [child for _, _, child in found] == after


def test_what_cannot_be_continued_is_refused() -> None:
    game, algorithm = TicTacToe(), mcts(20, reuse=True)
    first = search(game, algorithm, engine="interpreted").compute()
    answer = search(game, algorithm, engine="interpreted")
    with pytest.raises(AlgorithmError, match=r"kept its trees, as that of mcts\(reuse=True\)"):
        answer.after(search(game, mcts(20), engine="interpreted").compute())
    with pytest.raises(AlgorithmError, match="does not continue a tree of"):
        search(game, mcts(20, c=1, reuse=True), engine="interpreted").after(first)
    with pytest.raises(ArgumentError, match="another game"):
        search(ConnectFour(), algorithm, engine="interpreted").after(first)
