"""The rules of Riskless: worked examples, and a slow implementation on random play."""

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import MAXIE, Status
from games.riskless import Map, Riskless, map_names
from graphs import Graph
from tests.games.given import children, perft, positions, ring

LIMITS = "cap 5\ntarget {target}\nplies {plies}\n"
LINE = LIMITS + "territory a {a}\nterritory b {b}\nterritory c {c}\nroad a b\nroad b c\n"


def line(a: str, b: str, c: str, target: int = 15, plies: int = 9) -> Riskless:
    """Return a game on three territories in a row."""
    return Riskless(Map.from_text(LINE.format(a=a, b=b, c=c, target=target, plies=plies)))


def after(game: Riskless, *moves: str) -> str:
    return game.label(game.parse_state(" ".join(moves)))


@pytest.mark.parametrize(
    ("a", "b", "c", "expected"),
    [
        ("maxie 3", "empty", "minnie 1", "X1,X4,O2@1"),  # an empty target is taken
        ("maxie 2", "maxie 1", "minnie 1", "X1,X4,O2@1"),  # armies join their own
        ("maxie 3", "minnie 1", "minnie 1", "X1,X3,O2@1"),  # the larger number wins
        ("maxie 1", "minnie 3", "minnie 1", "X1,O3,O2@1"),  # also when it defends
        ("maxie 2", "minnie 2", "minnie 1", "X1,X1,O2@1"),  # a tie goes to the attacker
        ("maxie 5", "maxie 4", "minnie 5", "X1,X5,O5@1"),  # nobody is above the cap
        ("maxie 0", "empty", "minnie 1", "X1,X1,O2@1"),  # no armies take an empty territory
        ("maxie 0", "minnie 0", "minnie 1", "X1,X1,O2@1"),  # or one without armies
        ("maxie 0", "minnie 1", "minnie 1", "X1,O2,O2@1"),  # but nothing else
        ("maxie 1", "empty", "empty", "X1,X2,.@1"),
    ],
)
def test_a_move_from_a_to_b(a: str, b: str, c: str, expected: str) -> None:
    game = line(a, b, c)
    made = game.make_move(game.start(), (0, 1))
    assert game.label(made) == expected
    assert game.parse_state(expected) == made


def test_both_players_train_after_every_move() -> None:
    game = line("maxie 1", "empty", "minnie 1")
    assert after(game, "a>b") == "X1,X2,O2@1"
    assert after(game, "a>b", "c>b") == "X2,O1,O1@2"
    assert after(game, "a>b", "c>b", "a>b") == "X1,X2,O2@3"


def test_the_target_counts_after_training_and_cap() -> None:
    game = line("maxie 4", "empty", "minnie 1", target=6)
    won = game.parse_state("a>b")
    assert game.label(won) == "X1,X5,O2@1"
    assert game.status(won) == Status.MAXIE_WINS
    capped = line("maxie 5", "empty", "minnie 1", target=7)
    assert capped.status(capped.parse_state("a>b")) == Status.IN_PLAY
    beyond = line("maxie 4", "empty", "minnie 1", target=5)
    assert beyond.status(beyond.parse_state("a>b")) == Status.MAXIE_WINS


def test_minnie_reaches_the_target_on_maxies_move() -> None:
    game = line("maxie 1", "empty", "minnie 4", target=5)
    assert game.status(game.parse_state("a>b")) == Status.MINNIE_WINS


def test_both_at_the_target_is_a_draw() -> None:
    game = line("maxie 3", "empty", "minnie 4", target=5)
    end = game.parse_state("a>b")
    assert game.label(end) == "X1,X4,O5@1"
    assert game.status(end) == Status.DRAW
    assert game.utility(end) == 0


def test_a_player_without_territories_has_lost() -> None:
    game = line("maxie 3", "minnie 2", "empty")
    end = game.parse_state("a>b")
    assert game.status(end) == Status.MAXIE_WINS
    assert list(game.moves(end)) == []
    game = line("minnie 1", "maxie 1", "empty")
    assert game.status(game.parse_state("b>c a>b")) == Status.IN_PLAY


def test_the_last_territory_falls_on_minnies_move() -> None:
    game = line("maxie 0", "minnie 2", "minnie 5")
    state = game.parse_state("O5,X1,.@1")
    end = game.make_move(state, (0, 1))
    assert game.label(end) == "O1,O5,.@2"
    assert game.status(end) == Status.MINNIE_WINS


def test_a_single_territory_is_won_by_its_owner() -> None:
    for owner, status in (("maxie", Status.MAXIE_WINS), ("minnie", Status.MINNIE_WINS)):
        text = f"cap 1\ntarget 1\nplies 1\nterritory a {owner} 0\n"
        game = Riskless(Map.from_text(text))
        assert game.status(game.start()) == status
        assert list(game.moves(game.start())) == []


def test_the_last_ply_is_a_draw_unless_it_wins() -> None:
    game = line("maxie 1", "empty", "minnie 1", plies=2)
    assert game.status(game.parse_state("a>b")) == Status.IN_PLAY
    assert game.status(game.parse_state("a>b c>b")) == Status.DRAW
    game = line("maxie 2", "minnie 1", "empty", plies=1)
    assert game.status(game.parse_state("a>b")) == Status.MAXIE_WINS


def slow_move(game: Riskless, state: Any, move: tuple[int, int]) -> str:
    """Make a move by the rules of section 4.1, on a list of owners and a list of armies."""
    source, end = move
    me = game.player(state)
    cells = range(len(game.map.names))
    owners = [
        0 if (state.maxies >> v) & 1 else 1 if (state.minnies >> v) & 1 else -1 for v in cells
    ]
    armies = [game.armies(state, v) for v in cells]
    moving, armies[source] = armies[source], 0
    if owners[end] in (me, -1):
        owners[end], armies[end] = me, armies[end] + moving
    elif moving >= armies[end]:
        owners[end], armies[end] = me, moving - armies[end]
    else:
        armies[end] -= moving
    armies = [min(n + (o >= 0), game.map.cap) for n, o in zip(armies, owners, strict=True)]
    texts = [f"{'XO'[o]}{n}" if o >= 0 else "." for o, n in zip(owners, armies, strict=True)]
    return ",".join(texts) + f"@{state.ply + 1}"


GAMES = [*(Riskless(Map.load(name)) for name in map_names()), ring(64)]
PLACES = st.sampled_from(GAMES).flatmap(lambda game: st.tuples(st.just(game), positions(game)))


@given(PLACES)
def test_every_move_agrees_with_the_slow_rules(place: tuple[Riskless, Any]) -> None:
    game, state = place
    for move in game.moves(state):
        assert game.label(game.make_move(state, move)) == slow_move(game, state, move)


@given(PLACES)
def test_moves_are_all_roads_from_own_territories(place: tuple[Riskless, Any]) -> None:
    game, state = place
    mine = state.maxies if game.player(state) == MAXIE else state.minnies
    expected = [(u, v) for u, v in game.map.roads.edges if (mine >> u) & 1]
    in_play = game.status(state) == Status.IN_PLAY
    assert list(game.moves(state)) == (expected if in_play else [])
    assert in_play == bool(children(game, state))


@given(PLACES)
def test_positions_and_moves_read_back(place: tuple[Riskless, Any]) -> None:
    game, state = place
    assert game.parse_state(game.label(state)) == state
    assert state.maxies & state.minnies == 0
    for move in game.moves(state):
        assert game.parse_move(state, game.move_text(state, move)) == move
    assert abs(game.estimate(state)) <= game.map.cap * len(game.map.names)


BETTER = Riskless.on("islands", estimate="strategic")


def features_by_hand(game: Riskless, state: Any) -> tuple[int, ...]:
    """Compute the features territory by territory."""
    found = [0, 0, 0, 0, 0]
    owner = [0 if (state.maxies >> v) & 1 else 1 if (state.minnies >> v) & 1 else None
             for v in range(len(game.map.names))]  # fmt: skip
    for v, who in enumerate(owner):
        if who is not None:
            n, near = game.armies(state, v), [owner[u] for u in game.map.roads.adjacency[v]]
            parts = (n, 1, n < game.map.cap, n * (1 - who in near), set(near) <= {who})
            found = [f + (1 - 2 * who) * part for f, part in zip(found, parts, strict=True)]
    return tuple(found)


@given(positions(BETTER))
def test_features_agree_with_the_territories(state: Any) -> None:
    assert BETTER.features(state) == features_by_hand(BETTER, state)

    weighed = zip(BETTER.weights, features_by_hand(BETTER, state), strict=True)
    assert BETTER.estimate(state) == sum(weight * number for weight, number in weighed)


def test_an_unknown_estimate_is_refused() -> None:
    with pytest.raises(ValueError, match="no estimate 'best'; estimates: armies strategic"):
        Riskless.on("islands", estimate="best")
    with pytest.raises(ValueError, match="one weight each for armies, territories, growing"):
        Riskless(Map.load("duel"), (1, 2))


def test_estimate_is_the_difference_of_armies() -> None:
    game = line("maxie 3", "maxie 2", "minnie 4")
    assert game.estimate(game.start()) == 1


def test_perft() -> None:
    game = Riskless(Map.load("islands"))
    assert [perft(game, game.start(), d) for d in range(5)] == [1, 4, 14, 66, 370]


def test_a_game_can_be_compared_hashed_and_pickled() -> None:
    names = {"Riskless": Riskless, "Map": Map, "Graph": Graph}
    for game in GAMES:
        assert eval(repr(game), names) == pickle.loads(pickle.dumps(game)) == game
        assert hash(game) == hash(pickle.loads(pickle.dumps(game)))
    assert GAMES[0] != GAMES[1]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a>c", "line 1, column 1: 'a>c' is not a legal move; legal moves: a>b b>a b>c"),
        ("X1,O1", "line 1, column 6: 2 cells where a position has 3"),
        ("X1,O1,O1 .@3", "line 1, column 10: 4 cells where a position has 3"),
        ("X1,O1,O1@x", "line 1, column 10: the ply is 0 to .*, not 'x'"),
        ("X1,O1,O1@-1", "the ply is 0 to .*, not '-1'"),
        ("X1,O1,O1@999", "the ply is 0 to .*, not '999'"),
        ("X1,O1,.3", "line 1, column 7: '.3': armies on a territory that nobody owns"),
        ("X1,O1,Z1", "line 1, column 7: 'Z1' is not X and a number"),
        ("X1,O6,O1", "line 1, column 4: 'O6': at most 5 armies"),
        (".,.,.", "line 1, column 1: somebody owns a territory"),
    ],
)
def test_bad_positions_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        line("maxie 1", "maxie 1", "minnie 3").parse_state(text)
