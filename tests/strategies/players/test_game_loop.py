"""Complete games between searches: the same on both engines, fair chance, correct counts."""

from __future__ import annotations

import pytest

from games import ConnectFour, RandomAgent, Twenty48
from games.game import Status
from strategies import alphabeta, expectimax, parse_strategy, search
from strategies.native.kept_engines import engine_for
from strategies.players.game_loop import next_turn, play_out, row
from strategies.players.search_agent import SearchAgent

GAME = Twenty48()
AGENT = SearchAgent(expectimax(2, cutoff=0.01, table="64kB"))


@pytest.mark.parametrize(
    ("game", "moves"), [(GAME, 12), pytest.param(Twenty48(32), None, marks=pytest.mark.long)]
)
def test_a_game_follows_from_its_seed_on_both_engines(game: Twenty48, moves: int | None) -> None:
    """The second game is played to its end."""
    for seed in range(3):
        native, slow = (
            play_out(game, [AGENT], seed, moves=moves, engine=e) for e in ("native", "interpreted")
        )
        assert (native.last, native.moves, native.drawn) == (slow.last, slow.moves, slow.drawn)
        assert (native.nodes, native.leaves) == (slow.nodes, slow.leaves)
    assert len({play_out(game, [AGENT], seed, moves=moves).last for seed in range(6)}) > 1


def test_a_strategy_plays_the_same_game() -> None:
    agent = SearchAgent(AGENT.algorithm, parse_strategy("par_list"), workers=1)
    plain, sparked = (play_out(GAME, [a], 5, moves=4) for a in (AGENT, agent))
    assert (plain.last, plain.moves) == (sparked.last, sparked.moves)
    assert plain.sparks.created == 0


def test_nodes_of_searches_in_tasks_are_counted() -> None:
    algorithm, text = expectimax(3), "par_list"
    agents = [SearchAgent(algorithm), SearchAgent(algorithm, parse_strategy(text), workers=1)]
    plain, sparked = (play_out(GAME, [a], 5, moves=6) for a in agents)
    assert (plain.nodes, plain.leaves) == (sparked.nodes, sparked.leaves)
    moved = plain.first
    created, drawn, engine = 0, 0, engine_for(GAME)
    moved, _, _, drawn = next_turn(engine, moved, -1, 5, drawn)
    for _ in range(6):
        found = search(GAME, algorithm, state=moved, using=parse_strategy(text)).compute()
        created += found.sparks.created
        branch = list(GAME.moves(moved)).index(found.move)
        moved, _, _, drawn = next_turn(engine, moved, branch, 5, drawn)
    assert moved == sparked.last
    assert sparked.sparks.created == created > 6
    assert sparked.sparks.balanced()
    told = row(GAME, agents[1:], sparked)
    assert (told["created"], told["converted"], told["GC'd"]) == (created, created, "-")
    assert told["ms a move"] == pytest.approx(1e3 * sparked.seconds / 6, abs=1e-3)
    assert "created" not in row(GAME, agents[:1], plain)


def test_two_players_take_turns() -> None:
    game = ConnectFour(5, 4)
    agents = [SearchAgent(alphabeta(5)), RandomAgent(1)]
    played = play_out(game, agents, engine="interpreted")
    assert played.status == Status.MAXIE_WINS == game.status(played.last)
    assert played.drawn == 0
    with pytest.raises(ValueError, match="player 1 is to move but has no agent"):
        play_out(game, [RandomAgent(1)])


def test_outcomes_are_drawn_with_their_probabilities() -> None:
    engine = engine_for(GAME)
    state = GAME.make_move(GAME.parse_state("2 2 . .  4 8 . .  . . . .  . . . ."), 0)
    places: dict[int, int] = {}
    for seed in range(4000):
        after, playing, player, drawn = next_turn(engine, state, -1, seed, 0)
        assert (playing, player, drawn) == (True, 0, 1)
        new = int(after.cells ^ state.cells)
        places[new] = places.get(new, 0) + 1
    assert len(places) == 26
    fours = sum(n for cell, n in places.items() if cell.bit_length() % 4 == 2)
    assert 320 < fours < 480


def test_the_score_is_the_sum_of_merged_tiles() -> None:
    state, score, seed = GAME.start(), 0, 11
    engine = engine_for(GAME, "interpreted")
    state, playing, _, drawn = next_turn(engine, state, -1, seed, 0)
    while playing:
        before = state
        moved = GAME.make_move(state, next(iter(GAME.moves(state))))
        score += paid(before.cells, moved.cells)
        state, playing, _, drawn = next_turn(engine, before, 0, seed, drawn)
    found = GAME.metrics(GAME.start(), state, drawn)
    assert found["score"] == score > 0
    assert found["best tile"] == max(1 << (int(state.cells >> 4 * i) & 15) for i in range(16))


def paid(before: int, after: int) -> int:
    """Return the points of a move: each new tile, from the highest down, merged two others."""
    total = made = 0
    for p in range(15, 0, -1):
        had, has = (sum((int(c) >> 4 * i) & 15 == p for i in range(16)) for c in (before, after))
        made = has - had + 2 * made
        total += made << p
    return total
