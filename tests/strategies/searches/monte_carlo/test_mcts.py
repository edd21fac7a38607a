"""Monte Carlo tree search: what it must find, and what must not change its result."""

from __future__ import annotations

import _thread
import pickle
from collections.abc import Iterator
from time import process_time
from typing import Any

import pytest
from attrs import evolve, frozen
from dask.tokenize import tokenize
from hypothesis import given
from hypothesis import strategies as st

from games import MAXIE, WIN, ConnectFour, ExplicitGame, Game, Othello, Status, TicTacToe, Twenty48
from games.connect_four import Discs
from games.failed import RuleFailed
from games.u64 import U64
from strategies import (
    AlgorithmError,
    Result,
    StrategyError,
    eval_list,
    mcts,
    minimax,
    par_list,
    par_list_chunk,
    r0,
    search,
    seq,
)
from strategies.algebra.wording import plural
from strategies.insight.analysis.simulate import simulate
from strategies.insight.analysis.simulation import FREE
from strategies.insight.report.page import report_page
from strategies.insight.selection.tune import tune
from strategies.native.kept_engines import engine_for
from strategies.native.kernels.rollout import rollout
from strategies.searches.monte_carlo.counted import Scale
from strategies.searches.monte_carlo.job import Job
from strategies.searches.monte_carlo.tree import Tree, scale_of
from tests.properties import examples
from tests.strategies.given import trees
from tests.strategies.patience import patiently


@frozen
class Policy(ConnectFour):
    """A rollout policy, and an estimate that fails for positions with twelve discs.

    The policy yields the leftmost column that is not full `times[0]` times, and each other one
    `times[1]` times.  If there are no others, it has no move if the last column is full.
    """

    times: tuple[int, int] = (9, 1)
    """Numbers in a tuple, so that both policies share one kernel."""

    def rollout_moves(self, state: Discs) -> Iterator[int]:
        last = -1
        for move in self.moves(state):
            last = move
        which = 0
        for move in self.moves(state):
            if self.times[1] > 0 or last == self.width - 1:
                for _ in range(self.times[which]):
                    yield move
            which = 1

    def estimate(self, state: Discs) -> int:
        return 100 // (12 - state.all.bit_count())


LEFT, MOSTLY_LEFT = Policy(times=(1, 0)), Policy()


def answer(game: Any, algorithm: Any, **more: Any) -> Any:
    """Return the result of a search with one worker, without its times."""
    found = search(game, algorithm, **more).compute(num_workers=1)
    return found.move, found.value, found.moves, found.line, found.nodes, found.plies, found.tree()


@pytest.mark.parametrize(
    ("game", "more"),
    [
        (ConnectFour(), {}),
        pytest.param(Othello(), {}, marks=pytest.mark.long),
        pytest.param(TicTacToe(), {}, marks=pytest.mark.long),
        pytest.param(Twenty48(), {}, marks=pytest.mark.long),
        (ConnectFour(), {"rollout": 4, "rollouts": 2}),
        (ConnectFour(), {"allocate": "uniform"}),
        (MOSTLY_LEFT, {"rollout": "policy"}),
        (Twenty48(), {"rollout": 4}),
    ],
)
def test_both_engines_grow_the_same_tree(game: Any, more: dict[str, Any]) -> None:
    algorithm = mcts(20, seed=3, **more)
    native = answer(game, algorithm, engine="native")
    assert native == answer(game, algorithm, engine="interpreted")
    assert native == answer(game, algorithm, engine="native")
    assert sum(m.visits for m in native[2]) == 20


@examples(15)
@given(trees(depth=3, wins=True), st.integers(0, 5))
def test_a_small_tree_is_solved(game: ExplicitGame, seed: int) -> None:
    """With enough simulations and much exploration, the minimax value is proven."""
    found = search(game, mcts(3_000, c=50, seed=seed), engine="interpreted").compute(num_workers=1)
    wanted = search(game, minimax(10, nearer_wins=False), engine="interpreted").compute()
    assert found.proven
    assert found.value == wanted.value
    if found.move is not None and abs(found.value) < WIN:
        assert found.visits[found.move]
    if found.move is not None:
        below = game.make_move(game.start(), found.move)
        assert brute(game, below) == wanted.value


def brute(game: ExplicitGame, state: Any) -> float:
    """Return the minimax value of the complete game."""
    if game.status(state) != Status.IN_PLAY:
        return game.utility(state)
    best = max if game.player(state) == MAXIE else min
    return best(brute(game, game.make_move(state, m)) for m in game.moves(state))


@pytest.mark.parametrize("using", [par_list, eval_list, par_list_chunk(2)], ids=repr)
def test_no_strategy_changes_the_trees(using: Any) -> None:
    algorithm = mcts(400, trees=4)
    found = search(ConnectFour(), algorithm, using=using).compute(num_workers=2)
    wanted = search(ConnectFour(), algorithm).compute()
    assert (found.move, found.moves, found.line) == (wanted.move, wanted.moves, wanted.line)
    assert found.sparks.created == {"par_list": 4, "par_list_chunk(2)": 2}.get(repr(using), 0)
    stock = search(ConnectFour(), algorithm, using=using).compute(scheduler="sync")
    assert stock.moves == wanted.moves


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("workers", [1, 2])  # with one, the search runs in the main thread
def test_processor_time_includes_all_threads(threads: int, workers: int) -> None:
    answer = search(ConnectFour(), mcts(100_000, threads=threads))
    answer.compute(num_workers=workers)  # to compile
    before = process_time()
    records = answer.compute(num_workers=workers).records
    spent = process_time() - before
    assert 0.6 * spent < sum(r.cpu for r in records) < 1.05 * spent


def test_threads_lose_no_simulations() -> None:
    found = search(ConnectFour(), mcts(20_000, threads=2)).compute()
    assert found.simulations == sum(found.visits.values()) == 20_000
    assert found.move == 3


def test_each_thread_of_a_tree_has_a_record() -> None:
    found = search(ConnectFour(), mcts(20_000, threads=3)).compute()
    task, *joins = found.records
    assert (task.role, [r.role for r in joins], found.tasks) == ("step", ["join"] * 2, 1)
    assert sum(r.leaves for r in found.records) == found.simulations == 20_000
    assert sum(r.nodes for r in found.records) == found.nodes
    assert all(min(r.nodes, r.leaves) >= 0 for r in found.records)
    assert all(task.start <= r.start < r.end <= task.end for r in joins)
    assert all(0 < r.cpu <= r.seconds + 0.001 for r in joins)


@pytest.mark.parametrize("using", [seq, par_list], ids=repr)
def test_each_thread_of_a_tree_has_a_lane(using: Any) -> None:
    """The threads of the next tree of a task take over the lanes of those before."""
    found = search(ConnectFour(), mcts(8_000, trees=4, threads=2), using=using).compute(
        scheduler="sync"
    )
    tasks = 4 if using == par_list else 1
    assert found.tasks == found.summary()["tasks"] == tasks
    assert sorted(r.key for r in found.records if r.role == "join") == [
        ("join", (number,)) for number in range(4)
    ]
    picture = found.draw().svg
    assert "worker 2" in picture
    assert "worker 3" not in picture
    assert f"{plural(tasks, 'task')}, 4 joins" in picture


def test_threads_share_one_budget_of_simulations() -> None:
    """A single thread makes all requested simulations, because threads have no fixed shares."""
    game = ConnectFour()
    job = Job(game, game.start(), mcts(1_000, threads=2))
    engine = engine_for(game)
    grown = Tree(engine, job, scale_of(engine, job), 2, job.algorithm.memory)
    grown._grow(0, 1_000, 0)
    grown._grow(1, 1_000, 1)
    assert grown.done == [1_000, 0]
    assert sum(grown.result().top[()].visits) == 1_000


def test_a_strategy_needs_several_trees() -> None:
    with pytest.raises(StrategyError, match=r"par_list orders trees, .* such as trees=4"):
        search(ConnectFour(), mcts(9), using=par_list)
    assert search(ConnectFour(), mcts(9), using=r0).strategy == seq


def test_functions_that_need_a_plan_are_refused_in_one_line() -> None:
    answer = search(TicTacToe(), mcts(9, trees=2), using=par_list, engine="interpreted")
    result = answer.compute()
    assert "2 sparks" in result.draw().svg
    for refused in (
        answer.trace,
        result.search,
        lambda: result.draw("graph"),
        lambda: simulate(answer, workers=2),
        lambda: report_page(result),
        lambda: tune(TicTacToe(), mcts(9), workers=2, burden=FREE, measure=False),
    ):
        with pytest.raises(AlgorithmError, match=r"^mcts plans no positions.*$"):
            refused()


def test_a_full_tree_is_reported_and_the_search_continues() -> None:
    small = search(ConnectFour(), mcts(20_000, memory="128kB")).compute()
    large = search(ConnectFour(), mcts(20_000)).compute()
    assert small.full
    assert not large.full
    assert small.simulations == 20_000
    assert small.nodes * 40 <= 1 << 17 < large.nodes * 40


def test_a_win_at_once_is_proven() -> None:
    game = ConnectFour()
    found = search(game, mcts(1_000), state=game.parse_state("112233")).compute()
    assert (found.move, found.value, found.proven) == (3, WIN, True)
    assert found.simulations < 1_000


def test_a_time_limit_returns_the_result_so_far() -> None:
    found = patiently(
        lambda s: search(ConnectFour(), mcts(10**12), time=s).compute(),
        lambda found: found.simulations,
    )
    assert 0 < found.simulations < 10**12
    assert found.move is not None


def test_progress_is_reported_while_trees_grow() -> None:
    told: list[int] = []
    asked = mcts(10**12, trees=3)

    def found_in(seconds: float) -> Result:
        told.clear()
        answer = search(ConnectFour(), asked, using=par_list, time=seconds)
        return answer.compute(num_workers=2, progress=told.append)

    found = patiently(found_in, lambda _: len(told) > 1)
    assert told == sorted(told)
    assert 0 < told[-1] <= found.simulations + 3 * 16


@pytest.mark.parametrize("scheduler", [None, "threads", "sync"])
def test_an_interrupt_returns_the_result_so_far(scheduler: str | None) -> None:
    def interrupt(made: int) -> None:
        if made:
            _thread.interrupt_main()

    answer = search(ConnectFour(), mcts(10**12, trees=3))
    found = answer.compute(scheduler, num_workers=2, progress=interrupt)
    assert 0 < found.simulations < 10**12
    assert found.move in range(7)


@frozen
class Turns:
    left: int
    turn: int


@frozen
class Three(Game[Turns, int]):
    """Three players take one or two stones; the player who takes the last one wins everything."""

    players = 3

    def start(self) -> Turns:
        return Turns(5, 0)

    def status(self, state: Turns) -> Status:
        return Status.IN_PLAY if state.left > 0 else Status.OVER

    def player(self, state: Turns) -> int:
        return state.turn

    def moves(self, state: Turns) -> Any:
        for n in range(1, min(2, state.left) + 1):  # noqa: UP028
            yield n

    def make_move(self, state: Turns, move: int) -> Turns:
        return Turns(state.left - move, (state.turn + 1) % 3)

    def utility(self, state: Turns) -> Any:
        last = (state.turn + 2) % 3
        return tuple(float(p == last) for p in range(3))


def test_three_players_maximise_their_own_results() -> None:
    """With two stones left the player takes both; with three no move wins, so any is accepted."""
    native = answer(Three(), mcts(120), engine="native")
    assert native == answer(Three(), mcts(120), engine="interpreted")
    found = search(Three(), mcts(500), state=Turns(2, 1)).compute()
    assert found.move == 2
    assert found.value > 0.9
    assert search(Three(), mcts(500), state=Turns(3, 2)).compute().value < 0.2


@pytest.mark.parametrize("player", range(3))
@pytest.mark.parametrize("allocate", ["ucb", "puct", "uniform"])
def test_each_of_three_players_takes_the_move_that_is_best_for_them(
    player: int, allocate: str
) -> None:
    """With two stones left, taking both wins, and taking one leaves the win to the next."""
    algorithm = mcts(200, allocate=allocate)
    found = search(Three(), algorithm, state=Turns(2, player), engine="interpreted").compute()
    assert found.move == 2
    assert found.value == 1


@pytest.mark.parametrize("turn", range(3))
def test_a_finished_position_has_its_result_as_its_value(turn: int) -> None:
    found = search(Three(), mcts(10**12), state=Turns(0, turn)).compute()
    assert found.player == turn
    assert found.value == Three().utility(Turns(0, turn))[turn]
    assert (found.move, found.proven, found.simulations) == (None, True, 1)
    game = TicTacToe()
    for time in None, 1e-9:
        for won in "1 4 2 5 3", "1 4 2 5 7 6", "1 2 3 5 4 6 8 7 9":
            state = game.parse_state(won)
            over = search(game, mcts(100), state=state, time=time, engine="interpreted").compute()
            assert (over.value, over.proven, over.move) == (game.utility(state), True, None)


def test_for_three_players_the_value_is_printed_with_its_player() -> None:
    found = search(Three(), mcts(50), state=Turns(5, 2)).compute()
    assert (found.player, found.summary()["player"]) == (2, 2)
    assert " for Player 2, line" in str(found)
    assert search(TicTacToe(), mcts(50), engine="interpreted").compute().player is None


@pytest.mark.parametrize("engine", ["native", "interpreted"])
def test_rollouts_draw_from_the_moves_of_the_policy(engine: str) -> None:
    """With one simulation for each reply, the plies are those of the only play of the policy."""
    game, plan = LEFT, mcts(7, rollout="policy", allocate="uniform")
    found = search(game, plan, state=game.make_move(game.start(), 0), engine=engine).compute()
    played = 0
    for move in range(7):
        state = game.make_move(game.make_move(game.start(), 0), move)
        while game.status(state) == Status.IN_PLAY:
            state = game.make_move(state, next(game.rollout_moves(state)))
            played += 1
    assert found.plies == played


def test_a_move_given_twice_is_twice_as_likely() -> None:
    word, left = U64(0), 0
    for _ in range(3_000):
        end, word, _ = rollout(MOSTLY_LEFT, MOSTLY_LEFT.start(), word, 1, True, False, 0, 0, None)
        left += end.all == 1
    assert 1_700 < left < 1_900


def test_a_policy_is_needed_and_gives_moves() -> None:
    with pytest.raises(AlgorithmError, match=r"rollout_moves\(state\).*TicTacToe has none"):
        search(TicTacToe(), mcts(rollout="policy"))
    game, plan = LEFT, mcts(7, rollout="policy", allocate="uniform")
    full = game.parse_state("777777")
    for engine in ("native", "interpreted"):
        with pytest.raises(RuleFailed, match=r"^rollout_moves failed in .*it returned none"):
            search(game, plan, state=full, engine=engine).compute()


def test_a_failure_in_one_thread_ends_the_others() -> None:
    game, plan = Policy(), mcts(10**12, threads=2)
    job = Job(game, game.start(), evolve(plan, rollout=3))
    engine = engine_for(game)
    grown = Tree(engine, job, Scale(-1.0, 1.0, False), 2, plan.memory)
    with pytest.raises(ZeroDivisionError):
        grown._grow(0, 10**12, 0)
    grown._grow(1, 10**12, 1)
    assert grown.done == [0, 0]


def test_equal_searches_have_equal_keys() -> None:
    one, same = (search(LEFT, mcts(9, rollout="policy")) for _ in range(2))
    assert tokenize(one) == tokenize(same)
    others = (mcts(9), mcts(9, seed=1, rollout="policy"))
    assert tokenize(one) not in {tokenize(search(LEFT, a)) for a in others}
    assert tokenize(one) != tokenize(search(MOSTLY_LEFT, mcts(9, rollout="policy")))
    copy = pickle.loads(pickle.dumps(one))
    assert tokenize(copy) == tokenize(one)
    assert copy.compute().moves == one.compute().moves
