"""Searches of positions where chance moves: values below each outcome, and every picture."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games import CHANCE, ExplicitGame, Game, Pig
from strategies import alphabeta, expectimax, jamboree, maxn, mcts, pvs, search, seq
from strategies.algebra.strategy import Strategy
from tests.properties import examples
from tests.strategies.given import searches, trees

ALGORITHMS = (
    alphabeta(4), pvs(4), expectimax(4), expectimax(4, nearer_wins=False), expectimax(4, cutoff=0.2)
)  # fmt: skip


def chance_node(game: ExplicitGame) -> Any:
    """Return the first position where chance moves, in order of depth; None if there is none."""
    near = [game.start()]
    for state in near:
        if game.status(state):
            continue
        if game.player(state) == CHANCE:
            return state
        near += [game.make_move(state, move) for move in game.moves(state)]
    return None


@examples(40)
@given(
    trees(4, chance=True, width=3, wins=True), searches(), st.sampled_from(ALGORITHMS),
    st.integers(1, 3),
)  # fmt: skip
def test_the_value_is_the_mean_of_the_values_below(
    game: ExplicitGame, using: Strategy, algorithm: Any, depth: int
) -> None:
    """The results below the outcomes belong to the value, whatever the algorithm and strategy."""
    state = chance_node(game)
    assume(state is not None)
    using, algorithm = using if algorithm.narrows else seq, algorithm.at_depth(depth)
    found = search(game, algorithm, state=state, using=using, engine="interpreted").compute()
    below = found.outcomes()
    assert (found.move, found.line, len(below)) == (None, (), len(list(game.outcomes(state))))
    mean = sum(p * result.value for p, result in below)
    large = sum(p * abs(result.value) for p, result in below)  # wins of both sides cancel out
    assert mean == pytest.approx(found.value, rel=1e-12, abs=1e-9 + 1e-15 * large)
    for (p, result), (chance, child) in zip(below, game.outcomes(state), strict=True):
        assert (p, result.request and result.request.state) == (chance, child)


ROLLED = Pig(target=20).make_move(Pig(target=20).start(), 0)
MANY: Game = Pig.of(3, target=9)


@pytest.mark.parametrize("using", [seq, jamboree(0.5).to_ply(2)], ids=repr)
@pytest.mark.parametrize("game", [Pig(target=20), MANY], ids=["two", "three"])
def test_everything_can_be_shown(game: Game, using: Strategy, tmp_path: Path) -> None:
    """No picture, page, trace or table fails at a chance root, or says that the game is over."""
    state = game.make_move(game.start(), 0)
    algorithm = expectimax(3) if game.players == 2 else maxn(3)
    answer = search(game, algorithm, state=state, using=using, engine="interpreted")
    found = answer.compute(num_workers=2)
    texts = [found.draw(what).svg for what in ("timeline", "graph", "bounds", "tree", "overview")]
    texts += [str(found), found._repr_html_(), answer._repr_html_(), str(found.diagnosis())]
    texts += [found.report(tmp_path / "r.html").read_text(), found.to_trace(), str(found.rows())]
    if game.players == 2:
        texts += answer.trace()
        assert any("Therefore value of (Chance,0-0/0+0?) is" in line for line in texts)
    assert "none: chance moves" in str(found)
    assert not any("the game is over" in text for text in texts)
    assert json.dumps(found.summary())


def test_only_chance_roots_have_outcomes() -> None:
    """A root of a player, a root at depth 0 and a terminal root have none."""
    game = Pig(target=20)
    for state, depth in ((game.start(), 2), (ROLLED, 0), (game.parse_state("19 0"), 0)):
        answer = search(game, expectimax(depth), state=state, engine="interpreted")
        assert answer.compute(num_workers=1).outcomes() == ()


def test_a_sampled_chance_root_says_so() -> None:
    """Monte Carlo search says that chance moves, too."""
    found = search(Pig(), mcts(50), state=ROLLED, engine="interpreted").compute()
    assert str(found).startswith("move none: chance moves, ")
    assert len(found.moves) == 6


@pytest.mark.parametrize("cutoff", [0.02, 0.1, 0.2, 0.5])
def test_a_cutoff_counts_from_the_root(cutoff: float) -> None:
    """Below an outcome, the search cuts off where the search of the root did."""
    algorithm = expectimax(5, cutoff=cutoff)
    found = search(Pig(target=20), algorithm, state=ROLLED, engine="interpreted").compute()
    mean = sum(p * result.value for p, result in found.outcomes())
    assert mean == pytest.approx(found.value, rel=1e-12)
