"""Searches read an endgame table: its positions are leaves with their exact values."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from games import (
    MINNIE,
    WIN,
    ConnectFour,
    Game,
    Nim,
    RandomAgent,
    Status,
    TicTacToe,
    play,
    with_chance,
)
from games.laws import check_laws
from graphs import ArgumentError
from strategies import (
    EndgameTable,
    SearchAgent,
    abdada,
    alphabeta,
    endgame_table,
    expectimax,
    jamboree,
    lazy_smp,
    mcts,
    minimax,
    mtdf,
    par_list,
    pvs,
    search,
    seq,
    solve,
    tournament,
    with_endgame,
)
from strategies.algorithms.errors import AlgorithmError
from strategies.players.game_loop import at_once
from tests.properties import DEEP, examples
from tests.strategies.clusters import two_processes
from tests.strategies.searches.test_endgame_tables import (
    ENGINES,
    LONG,
    PIG,
    ROOK,
    Graph,
    RookEndgame,
    by_definition,
    graphs,
)


@cache
def after(game: Any, moves: str) -> EndgameTable:
    """Return the table of all positions after some moves."""
    return endgame_table(game, game.parse_state(moves) if moves else None, engine="interpreted")


ALGORITHMS = st.one_of(
    st.builds(make, st.integers(1, 4)) for make in (alphabeta, minimax, pvs, mtdf)
) | st.builds(lambda depth: alphabeta(depth, table="64kB"), st.integers(1, 4))
STRATEGIES = st.sampled_from([seq, par_list.to_ply(2), jamboree(0.5).everywhere])


@given(graphs(), ALGORITHMS, STRATEGIES)
@examples(80)
def test_a_search_of_any_depth_finds_the_exact_value(
    graph: Graph, algorithm: Any, using: Any
) -> None:
    """In games whose plays return to positions, also at once, where no search without a table
    does."""
    table = endgame_table(graph, engine="interpreted")
    wanted = by_definition(graph, 0)
    for place in range(len(graph.movers)):
        if place not in table or graph.ends[place] is not None:
            continue
        found = search(
            graph, algorithm, state=place, using=using, engine="interpreted", endgame=table
        ).compute(num_workers=1)
        assert found.value == wanted[place]
        assert table.value(found.move) == wanted[place]


@given(graphs(), STRATEGIES, st.integers(1, 3))
@examples(20)
def test_a_position_that_leads_to_itself_is_worth_its_value_there(
    graph: Graph, using: Any, depth: int
) -> None:
    graph = evolve(graph, branches=((0, *graph.branches[0]), *graph.branches[1:]))
    table = endgame_table(graph, engine="interpreted")
    asked = {"using": using, "engine": "interpreted", "endgame": table}
    found = search(graph, alphabeta(depth), **asked).compute(num_workers=1)
    for row in found.values(num_workers=1):
        assert row.value == table.value(row.move)
    with pytest.raises(AlgorithmError, match=r"no move leads back at once; use alphabeta"):
        search(graph, mcts(9), engine="interpreted", endgame=table)


@pytest.mark.parametrize(
    ("engine", "whole"),
    [
        pytest.param("native", True, marks=LONG),
        pytest.param("native", False, marks=LONG),
        ("interpreted", True),
        ("interpreted", False),
    ],
)
def test_wins_count_as_in_solve_above_a_table_and_inside_it(engine: str, whole: bool) -> None:
    """The table has the positions after 1 5 3: other lines are searched to the end."""
    game = TicTacToe()
    table = after(game, "1 5 3")
    if not whole:  # one value that is no whole number makes all of them floats
        table = evolve(table, low=np.where(table.words == table.words[0], 0.5, table.low))
        table = evolve(table, high=np.where(table.words == table.words[0], 0.5, table.high))
    won = 0
    for text in ("1 2", "1 5", "1 2 3", "2 1", "1 5 3", "1 5 3 4"):
        state = game.parse_state(text)
        depth = 9 - len(text.split())
        found = search(game, alphabeta(depth), state=state, engine=engine, endgame=table)
        exact = solve(game, state, line=0, engine="interpreted").value
        assert found.compute(num_workers=1).value == exact, text
        won += exact != 0
    assert won >= 2


@pytest.mark.parametrize("engine", [pytest.param("native", marks=LONG), "interpreted"])
def test_expectations_are_those_of_the_table(engine: str) -> None:
    game = PIG
    table = endgame_table(game, engine="interpreted", precision=1e-13)
    for depth in (1, 2, 3):
        found = search(game, expectimax(depth), engine=engine, endgame=table).compute(num_workers=1)
        assert found.value == pytest.approx(table.value(game.start()), abs=1e-9)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_probability_to_win_is_that_part_of_a_win(engine: str, tmp_path: Path) -> None:
    """Where chance takes the place of a player, a table counts a win 1 and a search `WIN`."""
    game = with_chance(Nim((1, 2)), MINNIE)
    whole = search(game, expectimax(4), engine="interpreted").compute(num_workers=1)
    below = [game.make_move(game.start(), m) for m in game.moves(game.start())]
    few = engine == "native" and not DEEP  # each table is code of its own
    for at in (game.start(), *below)[: 1 if few else None]:
        made = endgame_table(game, at, engine="interpreted")
        for table in (made, EndgameTable.load(made.save(tmp_path / "nim.npz"), game, at)):
            found = search(game, expectimax(4), engine=engine, endgame=table).compute(num_workers=1)
            assert found.value == pytest.approx(whole.value, rel=1e-12)
            assert found.move == whole.move


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        pytest.param(ROOK, alphabeta(2), marks=LONG),
        (ROOK, pvs(4)),
        pytest.param(ROOK, mcts(50), marks=LONG),
        (ConnectFour(3, 3, connect=3), alphabeta(2)),
        pytest.param(ConnectFour(3, 3, connect=3), pvs(4), marks=LONG),
        pytest.param(ConnectFour(3, 3, connect=3), mcts(50), marks=LONG),
    ],
)
def test_both_engines_read_the_same(game: Any, algorithm: Any) -> None:
    """Also where a game has a key of its own."""
    table = after(game, "")
    found = [search(game, algorithm, engine=engine, endgame=table).compute() for engine in ENGINES]
    assert len({(r.move, r.value, r.nodes) for r in found}) == 1
    assert found[0].nodes <= 4 * (
        1 + len(list(game.moves(game.start())))
    )  # the root and its branches, in each iteration


def test_an_agent_with_a_table_mates_in_time() -> None:
    game, table = ROOK, after(ROOK, "")
    agent = SearchAgent(alphabeta(1), engine="interpreted", endgame=table)
    for seed in range(3):
        record = play(game, agent, RandomAgent(seed))
        assert record.status == Status.MAXIE_WINS
        plies = table.plies(game.start())
        assert plies is not None
        assert len(record.turns) <= plies


@given(graphs(), st.integers(0, 99), st.sampled_from([None, 1]))
@examples(60)
def test_an_agent_with_a_table_earns_the_value(graph: Graph, seed: int, ties: int | None) -> None:
    """Also where a move that keeps the value goes round in a circle; repetition is worth 0."""
    table = endgame_table(graph, engine="interpreted")
    agent = SearchAgent(alphabeta(1), workers=1, engine="interpreted", endgame=table, ties=ties)
    for side in (0, 1):
        seats = (agent, RandomAgent(seed)) if side == 0 else (RandomAgent(seed), agent)
        earned = play(graph, *seats, ply_limit=200).utility
        assert earned >= table.value(0) if side == 0 else earned <= table.value(0)


def test_a_game_with_a_table_is_a_value() -> None:
    game = TicTacToe()
    state, table = game.parse_state("1 5"), after(game, "1 5")
    made = with_endgame(game, table, state)
    assert pickle.loads(pickle.dumps(made)) == made
    assert made == with_endgame(made, table, state) != game
    assert made != with_endgame(game, table)
    assert repr(made).startswith("TicTacToe() with <an endgame table of 634 positions")


def test_a_table_of_another_game_is_refused() -> None:
    table = endgame_table(RookEndgame(size=3), engine="interpreted")
    with pytest.raises(ArgumentError, match=r"the endgame table is of RookEndgame\(size=3\), not"):
        search(TicTacToe(), alphabeta(2), endgame=table)


def test_a_search_deeper_than_wins_are_counted_is_refused() -> None:
    game = TicTacToe()
    state, table = game.parse_state("1 5"), after(game, "1 5")
    for depth in 500, 501, 1000:
        for nearer in True, False:
            algorithm = alphabeta(depth, nearer_wins=nearer)
            if depth > 500 and nearer:
                with pytest.raises(ArgumentError, match=r"500 plies or fewer, or give nearer_wins"):
                    search(game, algorithm, state=state, endgame=table)
            else:
                answer = search(game, algorithm, state=state, endgame=table, engine="interpreted")
                assert answer.compute().value == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_a_position_of_the_table_is_over_for_every_search(engine: str) -> None:
    """Also for those that ask for moves and not for the status."""
    made = with_endgame(ROOK, after(ROOK, ""))
    searches = [
        (alphabeta(3), seq), (pvs(3), seq), (pvs(3), abdada(workers=2)), (mcts(20), seq),
        (pvs(3), lazy_smp(workers=2)), (alphabeta(3, table="64kB"), abdada(workers=2)),
    ]  # fmt: skip
    for algorithm, using in searches:
        if engine == "native" and algorithm == mcts(20) and not DEEP:
            continue  # its machine code asks for the status, as that of the others
        assert search(made, algorithm, using=using, engine=engine).compute().move is None


def test_wrong_arguments_are_refused() -> None:
    game, wrong = TicTacToe(), "rook.npz"
    table: Any = after(game, "1 5")
    calls: list[Callable[[], Any]] = [
        lambda: search(game, alphabeta(2), endgame=wrong),  # type: ignore[call-overload]
        lambda: with_endgame(game, wrong),  # type: ignore[arg-type]
        lambda: SearchAgent(alphabeta(2), endgame=7),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(ArgumentError, match=r"must be an EndgameTable; EndgameTable\.load rea"):
            call()
    for ask in (table.value, table.plies, table.moves, lambda s: with_endgame(game, table, s)):
        with pytest.raises(ArgumentError, match="a state of TicTacToe is of class Marks"):
            ask("1 5")


def test_a_file_of_another_kind_is_no_table(tmp_path: Path) -> None:
    for content in (b"", b"PK", b"\x80\x04N.", b"text"):
        (tmp_path / "a.npz").write_bytes(content)
        with pytest.raises(ArgumentError, match="is no endgame table, such as"):
            EndgameTable.load(tmp_path / "a.npz", TicTacToe())


@frozen
class Race(Game[tuple[int, int, int], int]):
    """A pile with a score, whose rules call each other: whoever ends it gets a bonus."""

    size: int = 9

    def start(self) -> tuple[int, int, int]:
        return self.size, 0, 0

    def status(self, state: tuple[int, int, int]) -> Status:
        return Status.IN_PLAY if any(True for _ in self.moves(state)) else Status.OVER

    def player(self, state: tuple[int, int, int]) -> int:
        return state[1]

    def moves(self, state: tuple[int, int, int]) -> Iterator[int]:
        for take in (1, 2, 3):
            if take <= state[0]:
                yield take

    def make_move(self, state: tuple[int, int, int], move: int) -> tuple[int, int, int]:
        left, turn, score = state
        after = left - move, 1 - turn, score + (move if turn == 0 else -move)
        if self.status(after) == Status.OVER:
            return after[0], after[1], after[2] + (50 if turn == 0 else -50)
        return after

    def estimate(self, state: tuple[int, int, int]) -> int:
        return state[2]

    def utility(self, state: tuple[int, int, int]) -> int:
        return state[2]


@pytest.mark.parametrize("engine", ENGINES)
def test_rules_that_call_each_other_lead_where_they_always_lead(engine: str) -> None:
    game = Race()
    table = endgame_table(game, engine="interpreted")
    for left in range(1, 10):
        state = left, (9 - left) % 2, 0
        if state not in table:
            continue
        few = engine == "native" and not DEEP
        for algorithm in (alphabeta(1), pvs(3), mcts(30))[: 1 if few else None]:
            found = search(game, algorithm, state=state, engine=engine, endgame=table).compute()
            assert found.value == table.value(state)


def test_a_game_with_a_table_is_not_solved_again() -> None:
    game = TicTacToe()
    made = with_endgame(game, after(game, "1 5"), game.start())
    for solver in (solve, endgame_table):
        with pytest.raises(ArgumentError, match=r"solve TicTacToe\(\) itself, not the"):
            solver(made)


def test_all_wins_are_worth_the_same_if_asked() -> None:
    game = TicTacToe()
    state, table = game.parse_state("1 2"), after(game, "1 2")
    for depth in (1, 2, 5, 7):
        equal = alphabeta(depth, nearer_wins=False)
        for engine in ("interpreted", "native") if DEEP else ("interpreted",):
            found = search(game, equal, state=state, endgame=table, engine=engine)
            assert found.compute(num_workers=1).value == WIN


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        pytest.param(TicTacToe(), "1 5 3", marks=LONG),
        pytest.param(RookEndgame(size=3), "", marks=LONG),
        (Nim((1, 2, 3)), "1:1"),
    ],
)
def test_a_game_with_a_table_obeys_the_laws_of_games(game: Any, moves: str) -> None:
    """The table has the positions after some moves; both engines agree on what the game is then."""
    made = with_endgame(game, after(game, moves), game.start())
    skip = {"hooks_change_no_value": "a game with its table is not solved again"}
    report = check_laws(made, skip=skip, seed=1)
    assert report.ok, report.broken[0]


@pytest.mark.parametrize("scheduler", ["sync", "threads", "processes", None])
def test_every_scheduler_reads_a_table(scheduler: str | None) -> None:
    game = Nim((1, 2, 3))
    table = endgame_table(game, engine="interpreted")
    known = table.value(game.start()), table.moves(game.start())[0]
    with two_processes() if scheduler == "processes" else nullcontext() as pool:
        shared: Any = {"num_workers": 2} if pool is None else {"pool": pool}
        for using in (seq, par_list, jamboree(0.5)):
            answer = search(game, alphabeta(2), using=using, endgame=table, engine="interpreted")
            found = answer.compute(scheduler=scheduler, **shared)
            assert (found.value, found.move) == known


def test_a_player_of_a_tournament_reads_a_table_from_its_file(tmp_path: Path) -> None:
    game = ROOK
    file = after(game, "").save(tmp_path / "rook.npz")
    text = f"alphabeta(depth=1) ties=3 endgame={file}"
    agent = SearchAgent.parse(text)
    assert str(agent) == text == str(SearchAgent.parse(f"alphabeta(1) endgame={file} ties=3"))
    agent.check(game)
    assert pickle.loads(pickle.dumps(agent)) == agent
    players = [f"white: alphabeta(1) endgame={file}", "black: random(2)"]
    found = tournament(game, players, rounds=1, plies=0, ply_limit=60, workers=1)
    (won,) = [g for g in found.finished if g.pairing.maxie == "white"]
    assert won.record.status == Status.MAXIE_WINS
    with pytest.raises(ArgumentError, match="is the endgame table of another game"):
        agent.check(TicTacToe())
    with pytest.raises(ArgumentError, match="is the endgame table of another game"):
        tournament(TicTacToe(), players, rounds=1)
    with pytest.raises(FileNotFoundError):
        SearchAgent.parse("alphabeta(1) endgame=missing.npz").check(game)
    for wrong in ("alphabeta(1) endgame=", "alphabeta(1) ties=1 ties=2"):
        with pytest.raises(AlgorithmError):
            SearchAgent.parse(wrong)


def test_a_game_loop_heeds_the_options_of_a_player() -> None:
    """It searches by itself for plain searches only."""
    game = TicTacToe()
    table = after(game, "1 5")
    assert at_once(SearchAgent(alphabeta(2)), game) == alphabeta(2)
    for agent in (SearchAgent(alphabeta(2), ties=3), SearchAgent(alphabeta(2), endgame=table)):
        assert at_once(agent, game) is None
