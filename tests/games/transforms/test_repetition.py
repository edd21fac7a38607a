"""Repetition as a draw, inside searches, against a search that keeps the path itself."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import (
    CHANCE,
    MAXIE,
    ConnectFour,
    Game,
    PigForMany,
    Status,
    TicTacToe,
    Twenty48,
    find_game,
    play,
    with_repetition,
)
from games.laws import traces
from games.transforms.repetition import Walk, WithRepetitionAndChance
from strategies import (
    Strategy,
    alphabeta,
    expectimax,
    jamboree,
    minimax,
    mtdf,
    par_list,
    pvs,
    scout,
    search,
    seq,
    young_brothers_wait,
)
from strategies.native.kept_engines import engine_for
from strategies.native.verification.parity import checked, compare_rules
from tests.games.cyclic import Cycle, Mover, Token, cycles

DEPTH = 6


@frozen
class Valued(Cycle):
    """A cycle whose places have values, and where the last place is won by whoever comes there."""

    def status(self, state: Token) -> Status:
        if state.place + 1 < len(self.ways) or state.place == 0:
            return Status.IN_PLAY
        return Status.MINNIE_WINS if state.turn == MAXIE else Status.MAXIE_WINS

    def moves(self, state: Token) -> Iterator[int]:
        if self.status(state) == Status.IN_PLAY and state.place not in self.luck:
            yield from range(len(self.ways[state.place]))

    def estimate(self, state: Token) -> Any:
        return (7 * state.place + 3 * state.turn) % 9 - 4

    def utility(self, state: Token) -> Any:
        return {Status.MAXIE_WINS: 8, Status.MINNIE_WINS: -8}[self.status(state)]


@st.composite
def valued(draw: st.DrawFn, luck: bool = False) -> Valued:
    game = draw(cycles(luck=luck, players=2))
    return Valued(game.ways, game.luck)


def value(game: Game[Any, Any], state: Any, depth: int, path: tuple[Any, ...], most: int) -> float:
    """Return the value of a position, whose path is kept aside, as in a textbook."""
    if game.status(state) != Status.IN_PLAY:
        return game.utility(state)
    if state in path[-most:]:
        return 0
    if depth == 0:
        return game.estimate(state)
    if game.player(state) == CHANCE:
        return sum(p * value(game, s, depth - 1, (), most) for p, s in game.outcomes(state))
    after = (game.make_move(state, move) for move in game.moves(state))
    best = max if game.player(state) == MAXIE else min
    return best(value(game, s, depth - 1, (*path, state), most) for s in after)


ALGORITHMS = (
    minimax(DEPTH, nearer_wins=False), alphabeta(DEPTH, nearer_wins=False),
    alphabeta(DEPTH, nearer_wins=False, table="1MB"), pvs(DEPTH, nearer_wins=False),
    mtdf(DEPTH, nearer_wins=False),
)  # fmt: skip
POLICIES = (
    seq, par_list.to_ply(3), jamboree(0.5).everywhere, young_brothers_wait.to_ply(2),
    scout.to_ply(2),
)  # fmt: skip


SEARCHES = [
    (algorithm, using)
    for algorithm in ALGORITHMS
    for using in POLICIES
    if using == seq or algorithm.name in ("alphabeta", "minimax")
    if algorithm.name != "minimax" or using in POLICIES[:2]
]


@given(valued(), st.sampled_from(SEARCHES), st.integers(1, 8))
def test_a_repetition_is_a_draw_under_every_strategy(
    game: Valued, asked: tuple[Any, Strategy], plies: int
) -> None:
    algorithm, using = asked
    drawn = with_repetition(game, plies)
    if game.status(game.start()) != Status.IN_PLAY:
        return
    found = search(drawn, algorithm, using=using, engine="interpreted").compute(num_workers=2)
    assert found.value == value(game, game.start(), DEPTH, (), plies)


@given(valued(luck=True), st.integers(1, 8), st.sampled_from(POLICIES[:2]))
def test_an_outcome_of_chance_begins_anew(game: Valued, plies: int, using: Strategy) -> None:
    drawn = with_repetition(game, plies)
    asked = search(drawn, expectimax(5, nearer_wins=False), using=using, engine="interpreted")
    expected = value(game, game.start(), 5, (), plies)
    assert asked.compute().value == pytest.approx(expected, abs=1e-9)


@given(valued(), st.lists(st.integers(0, 2), min_size=1, max_size=12))
def test_the_play_before_a_search_counts(game: Valued, choices: list[int]) -> None:
    states = [game.start()]
    for choice in choices:
        moves = list(game.moves(states[-1]))
        if not moves:
            return
        states.append(game.make_move(states[-1], moves[choice % len(moves)]))
    if game.status(states[-1]) != Status.IN_PLAY:
        return
    drawn = with_repetition(game, 16)
    state = drawn.after(states)
    after = [
        value(game, game.make_move(states[-1], move), 2, tuple(states), 16)
        for move in game.moves(states[-1])
    ]
    best = max if game.player(states[-1]) == MAXIE else min
    asked = search(drawn, alphabeta(3, nearer_wins=False), state=state, engine="interpreted")
    assert asked.compute().value == best(after)


RING = Valued(((1, 2), (0, 2), (3, 1), (0,), (0,)))


def test_a_draw_is_found_where_it_is_best() -> None:
    """Whoever leaves the cycle of places 0 and 1 loses."""
    game = Valued(((1, 2), (0, 2), (3,), (3,)))
    drawn = with_repetition(game)
    assert search(drawn, alphabeta(4), engine="interpreted").compute().value == 0
    assert search(game, alphabeta(5), engine="interpreted").compute().value != 0


def test_a_whole_play_ends_at_the_first_repetition() -> None:
    drawn = with_repetition(Cycle(((1,), (2,), (0,))))
    record = play(drawn, Mover(0), Mover(0))
    assert (record.status, record.ended, len(record.turns)) == (Status.DRAW, "rules", 6)
    last = record.replay()[-1]
    assert drawn.show(last).endswith("the position occurs again: a draw")
    assert drawn.label(last).endswith("=")
    assert drawn.utility(last) == 0


@pytest.mark.long
def test_both_engines_agree() -> None:
    drawn = with_repetition(RING, 5)
    engine, twin = engine_for(drawn, "native"), checked(drawn)
    assert engine.native, engine.reason
    state, turn = drawn.start(), 0
    while count := compare_rules(engine, twin, state):
        state, turn = engine.branch(state, turn % count), turn + 1
    for depth in range(1, 9):
        native = search(drawn, alphabeta(depth), engine="native").compute()
        plain = search(drawn, alphabeta(depth), engine="interpreted").compute()
        assert (native.value, native.move, native.nodes) == (plain.value, plain.move, plain.nodes)
        for using in POLICIES:
            asked = search(drawn, alphabeta(depth), using=using, engine="native")
            found = asked.compute(num_workers=2)
            assert (found.value, found.move) == (plain.value, plain.move)


@given(st.data())
def test_turns_are_read_with_the_positions_before_them(data: st.DataObject) -> None:
    """Also of a game with a `parse_state` of its own, which reads pictures, too."""
    game = data.draw(st.sampled_from([TicTacToe(), RING, ConnectFour(4, 3, 3)]))
    played = data.draw(traces(with_repetition(game, 4), max_plies=9))
    moves = zip(played.states, played.choices, strict=False)
    texts = [game.move_text(state.position, move) for state, move in moves]
    assert played.game.parse_state(" ".join(texts)) == played.state


def test_a_picture_is_read_without_a_past() -> None:
    drawn = with_repetition(TicTacToe(), 4)
    assert drawn.parse_state("O . . / . X . / . . X").known == 0


def test_the_command_line_and_texts() -> None:
    game = find_game("tictactoe(repetition=4)")
    assert game == with_repetition(TicTacToe(), 4)
    assert eval(repr(game)) == pickle.loads(pickle.dumps(game)) == game
    assert isinstance(with_repetition(Valued(((0,),), (0,)), 4), WithRepetitionAndChance)
    assert with_repetition(RING).parse_state("0 1").known == 2
    assert isinstance(game.parse_state("5 1"), Walk)


def test_wrong_games_are_refused() -> None:
    with pytest.raises(ValueError, match="plies must be a whole number, 1 to 64, not 0"):
        with_repetition(TicTacToe(), 0)
    for game in (PigForMany(), Twenty48()):
        with pytest.raises(ValueError, match=r"a draw between two players, and .* has [13]"):
            with_repetition(game)
