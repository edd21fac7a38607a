"""Games of several players: maxn and paranoid by definition, on both engines, in parallel."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, Game, PigForMany, Status, TicTacToe, against_all
from games.nim import NimForMany
from strategies import (
    RuleFailed,
    alphabeta,
    maxn,
    mcts,
    par_list,
    paranoid,
    parse_strategy,
    search,
    solve,
    study,
)
from strategies.algebra.strategy import Strategy
from strategies.algorithms.errors import AlgorithmError
from strategies.algorithms.names import parse_algorithm
from strategies.native.calls.maxn import search_maxn
from strategies.native.compiler.kernel_functions import kernel_dispatcher
from strategies.native.kept_engines import engine_for
from strategies.native.kernels import maxn as kernels
from strategies.native.memory.cells import Stop
from strategies.players.game_loop import play_out
from strategies.players.search_agent import SearchAgent
from tests.properties import examples
from tests.strategies.given import searches

RUNS: list[dict[str, Any]] = [
    {"num_workers": 1},
    {"num_workers": 4},
    {"scheduler": "threads", "num_workers": 2},
]


@frozen
class Nested(Game[tuple[int, ...], int]):
    """A tree of nested tuples in which players move in turn; a leaf is a tuple of floats.

    A state is the path to it. If `dice` divides the depth of a node, chance moves there.
    """

    native = False
    players = 3
    shape: Any = ()
    value_sum: float | None = None  # type: ignore[misc]
    value_range: tuple[float, float] | None = None
    dice: int = 0

    def at(self, state: tuple[int, ...]) -> Any:
        found = self.shape
        for index in state:
            found = found[index]
        return found

    def start(self) -> tuple[int, ...]:
        return ()

    def status(self, state: tuple[int, ...]) -> Status:
        return Status.OVER if isinstance(self.at(state)[0], float) else Status.IN_PLAY

    def player(self, state: tuple[int, ...]) -> int:
        return -1 if self.dice and len(state) % self.dice == 1 else len(state) % 3

    def moves(self, state: tuple[int, ...]) -> Iterator[int]:
        if self.status(state) == Status.IN_PLAY and self.player(state) != CHANCE:
            yield from range(len(self.at(state)))

    def make_move(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def outcomes(self, state: tuple[int, ...]) -> Iterator[tuple[float, tuple[int, ...]]]:
        n = len(self.at(state))
        for i in range(n):
            yield 1 / n, (*state, i)

    def estimate(self, state: tuple[int, ...]) -> Any:
        raise AssertionError("a search of all plies estimates nothing")

    def utility(self, state: tuple[int, ...]) -> Any:
        return self.at(state)


def by_definition(game: Game[Any, Any], state: Any, depth: int) -> tuple[tuple[float, ...], Any]:
    """Return the value of maxn and the leftmost optimal move, by definition."""
    if game.status(state) != Status.IN_PLAY:
        return game.utility(state), None  # type: ignore[return-value]
    if depth == 0:
        return game.estimate(state), None  # type: ignore[return-value]
    player = game.player(state)
    if player == CHANCE:
        mean = (0.0,) * game.players
        for p, child in game.outcomes(state):
            found = by_definition(game, child, depth - 1)[0]
            mean = tuple(m + p * v for m, v in zip(mean, found, strict=True))
        return mean, None
    best: tuple[tuple[float, ...], Any] | None = None
    for move in game.moves(state):
        found = by_definition(game, game.make_move(state, move), depth - 1)[0]
        if best is None or found[player] > best[0][player]:
            best = found, move
    assert best is not None
    return best


def shares(draw: random.Random) -> tuple[float, ...]:
    """Draw three integer shares of 6."""
    a, b = sorted(draw.randint(0, 6) for _ in range(2))
    return float(a), float(b - a), float(6 - b)


def shape(draw: random.Random, depth: int) -> Any:
    if depth == 0 or (depth < 3 and draw.random() < 0.15):
        return shares(draw)
    return tuple(shape(draw, depth - 1) for _ in range(draw.randint(1, 3)))


def nested(seed: int, dice: int = 0) -> Nested:
    return Nested(shape(random.Random(seed), 5), 6, (0, 6), dice)


@given(st.integers(0, 10**6), st.sampled_from([0, 2, 3]))
def test_pruning_changes_neither_value_nor_move(seed: int, dice: int) -> None:
    game = nested(seed, dice)
    wanted, move = by_definition(game, (), 9)
    found = search_maxn(engine_for(game), (), 9)
    assert found.value == pytest.approx(wanted, abs=1e-12)
    assert found.line[:1] == (() if move is None else (move,))


def test_both_prunings_save_nodes() -> None:
    def nodes(top: Any, total: Any) -> int:
        games = [Nested(shape(random.Random(s), 5), total, top) for s in range(60)]
        return sum(search_maxn(engine_for(g), (), 9).nodes for g in games)

    full, shallow = nodes(None, None), nodes((0, 99), 6)
    immediate, both = nodes((0, 6), None), nodes((0, 6), 6)
    assert both < min(shallow, immediate)
    assert max(shallow, immediate) < full


@examples(30)
@given(
    st.integers(0, 10**6), st.sampled_from([0, 2]), searches(scouts=False), st.integers(3, 9),
    st.sampled_from(RUNS),
)  # fmt: skip
def test_no_strategy_changes_value_or_move(
    seed: int, dice: int, strategy: Strategy, depth: int, run: dict[str, Any]
) -> None:
    game = nested(seed, dice)
    found = search(game, maxn(9), using=strategy).compute(**run)
    wanted, move = by_definition(game, (), 9)
    assert found.value == pytest.approx(wanted, abs=1e-12)
    assert found.move == move
    assert found.sparks.balanced()


@pytest.mark.parametrize("depth", [1, 4, 7])
def test_the_engines_agree(depth: int) -> None:
    game = PigForMany(target=9)
    found = [
        search_maxn(engine_for(game, choice), game.start(), depth)
        for choice in ("native", "interpreted")
    ]
    assert found[0] == found[1]
    assert found[0].value == pytest.approx(by_definition(game, game.start(), depth)[0], abs=1e-12)


def test_a_kernel_has_one_version_for_all_nodes() -> None:
    """A second version for a constant argument would call the first and be called by it, so that no
    process would find them in the cache."""
    game = PigForMany(target=9)
    search_maxn(engine_for(game, "native"), game.start(), 4)
    made = kernel_dispatcher(kernels.maxn, HAS_CHANCE=True)
    versions = [*made.overloads, *made.kept[2]]  # compiled now, and loaded
    assert versions
    assert "Literal" not in str(versions)


def test_strategies_with_compiled_rules() -> None:
    game = PigForMany(target=9)
    alone = search(game, maxn(7)).compute()
    for using in ("jamboree(0.5).everywhere.grain(plies=3)", "par_list.to_ply(3)"):
        result = search(game, maxn(7), using=parse_strategy(using)).compute(num_workers=2)
        assert (result.value, result.move) == (alone.value, alone.move)
    assert "Guess: (" in str(result)
    assert result.summary()["win"] is False


@examples(30)
@given(st.integers(0, 10**6), st.sampled_from([0, 2]), searches(), st.sampled_from(RUNS))
def test_paranoid_is_one_against_all(
    seed: int, dice: int, strategy: Strategy, run: dict[str, Any]
) -> None:
    game = nested(seed, dice)

    def worth(state: Any) -> float:
        if game.status(state) != Status.IN_PLAY:
            return game.utility(state)[0]  # type: ignore[no-any-return]
        if game.player(state) == CHANCE:
            return sum(p * worth(s) for p, s in game.outcomes(state))
        best = max if game.player(state) == 0 else min
        return best(worth(game.make_move(state, m)) for m in game.moves(state))

    found = search(game, paranoid(9), using=strategy).compute(**run)
    assert found.value == pytest.approx(worth(()), abs=1e-12)


def test_paranoid_compiles_for_any_player() -> None:
    game = PigForMany(target=9)
    state = game.parse_state("0 7 4, Player2 has brought 5")
    assert engine_for(against_all(game, 2)).reason == ""
    found = search(game, paranoid(6), state=state).compute()
    wanted = search(against_all(game, 2), alphabeta(6), state=state, engine="interpreted").compute()
    assert (found.value, found.move, found.nodes) == (wanted.value, wanted.move, wanted.nodes)
    assert found.search().compute().value == found.value
    with pytest.raises(ValueError, match="no player 3"):
        against_all(game, 3)


def test_runs_of_several_players_are_drawn_and_written(tmp_path: Path) -> None:
    answer = search(PigForMany(target=9), maxn(3), using=parse_strategy("par_list.to_ply(1)"))
    result = answer.compute(num_workers=2)
    result.to_trace(tmp_path / "run.json")
    assert "nan" not in (tmp_path / "run.json").read_text()
    result.draw("graph").write(tmp_path / "run.svg")
    assert "(0.888889, 0.0555556, 0.0555556)" in (tmp_path / "run.svg").read_text()
    assert answer.trace()[-1].startswith("Overall choice: move ")


def test_a_search_with_a_limit_has_no_trace() -> None:
    with pytest.raises(AlgorithmError, match="without a limit"):
        search(TicTacToe(), alphabeta(3), time=60).trace()


def test_errors_say_what_to_use_instead() -> None:
    game = PigForMany()
    with pytest.raises(AlgorithmError, match="has 3 players; use maxn or paranoid"):
        search(game, alphabeta(3))
    with pytest.raises(AlgorithmError, match="solve is for one player or two opponents"):
        solve(game)
    with pytest.raises(AlgorithmError, match="but TicTacToe has 2; use alphabeta"):
        search(TicTacToe(), maxn(3))
    with pytest.raises(AlgorithmError, match=r"takes no limit of nodes; use .* paranoid"):
        search(game, maxn(3), nodes=1)
    with pytest.raises(ValueError, match="maxn has none"):
        search(game, maxn(3), using=parse_strategy("scout"))
    for text in ("maxn(depth=4)", "paranoid(depth=4)"):
        assert repr(parse_algorithm(text)) == text


def test_a_stopped_search_returns_no_result() -> None:
    game, stop = PigForMany(target=9), Stop()
    stop.set()
    found = search_maxn(engine_for(game), game.start(), 12, stop)
    assert not found.finished
    assert found.nodes < 200


@pytest.mark.parametrize(
    "algorithm",
    [maxn(9), *(pytest.param(a, marks=pytest.mark.long) for a in (paranoid(9), mcts(60, seed=1)))],
)
def test_a_game_of_three_players_needs_no_estimate(algorithm: Any) -> None:
    game = Countdown()
    native, interpreted = (
        search(game, algorithm, engine=engine).compute(num_workers=1)
        for engine in ("native", "interpreted")
    )
    assert (native.value, native.line) == (interpreted.value, interpreted.line)


@frozen
class Countdown(Game[int, int]):
    """Three players take one or two objects in turn; the last one gets least."""

    players = 3

    def start(self) -> int:
        return 7

    def status(self, state: int) -> Status:
        return Status.IN_PLAY if state > 0 else Status.OVER

    def player(self, state: int) -> int:
        return state % 3

    def moves(self, state: int) -> Any:
        return (1, 2) if state > 1 else (1,)

    def make_move(self, state: int, move: int) -> int:
        return state - move

    def utility(self, state: int) -> Any:
        return (1, 0, 2)


def test_each_agent_plays_the_move_of_its_search() -> None:
    game = PigForMany(target=9)
    first = game.parse_state("0 7 3, Player2 has brought 2")
    agents = [SearchAgent(a(2), engine="interpreted") for a in (maxn, maxn, paranoid)]
    played = play_out(game, agents, state=first, engine="interpreted", moves=1)
    after = game.make_move(first, agents[2].next_move(game, first))
    assert played.last in (after, *(s for _, s in game.outcomes(after)))


def test_paranoid_can_be_studied_and_maxn_is_refused() -> None:
    game = PigForMany(target=9)
    state = game.parse_state("0 7 4, Player2 has brought 5")
    found = study(game, paranoid(2), [par_list], state=state, workers=[1], repeat=1)
    assert [row.strategy for row in found.rows] == ["seq", "par_list"]
    with pytest.raises(AlgorithmError, match="maxn finds one per player"):
        study(game, maxn(2), [par_list])


@pytest.mark.parametrize("many", [1, 2, 4])
@pytest.mark.parametrize("algorithm", [maxn(4), paranoid(4), mcts(50)], ids=lambda a: str(a.name))
def test_a_tuple_of_another_length_is_refused(algorithm: Any, many: int) -> None:
    class Wrong(NimForMany):
        def utility(self, state: Any) -> Any:
            return (0.5,) * many

    game = Wrong((1, 1), players=3)
    with pytest.raises(RuleFailed, match="not a tuple of 3 numbers, one per player"):
        search(game, algorithm, engine="interpreted").compute()
