"""PUCT, first-play urgency and RAVE: what each must do, and what none may change."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, log, sqrt
from statistics import fmean
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given
from hypothesis import strategies as st

from games import (
    CHANCE,
    MAXIE,
    MINNIE,
    WIN,
    ConnectFour,
    ExplicitGame,
    Game,
    Status,
    Tree,
    Twenty48,
)
from games.connect_four import Discs
from games.failed import RuleFailed
from strategies import AlgorithmError, mcts, minimax, search, solve
from strategies.native.kernels import uct
from strategies.native.kernels.mcts_selection import PRIOR, select_guided
from strategies.native.kernels.mcts_tree import (
    AMAF,
    BRANCHES,
    CONTROL,
    GREATEST,
    GUIDES,
    KNOWN,
    LEAST,
    LINKS,
    NODE,
    PATH,
    PROVES,
    REWARD,
    SUM,
    THREADS,
    TOTAL,
    VIEW,
    VISITS,
    WON,
    back_up,
    proven_cell,
)
from strategies.native.memory.cells import cells
from strategies.native.memory.floats import bits_of
from strategies.searches.monte_carlo import tree
from tests.properties import DEEP, examples
from tests.strategies.given import trees

RULES: list[dict[str, Any]] = [
    {"allocate": "puct"},
    {"allocate": "puct", "fpu": -0.3},
    {"fpu": 1.2},
    {"rave": 100},
    {"allocate": "puct", "rave": 30, "fpu": 0.1},
]


@frozen
class Weighed(ConnectFour):
    """Connect Four with priors: those of the game are its `weights`."""

    weights: tuple[float, ...] = (1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0)  # floats share code

    def prior(self, state: Discs, move: int) -> float:
        return self.weights[move]


@frozen
class Bare(ConnectFour):
    """Connect Four without priors."""

    prior = None  # type: ignore[assignment]


def same(one: Any, other: Any) -> bool:
    """Return whether two results have the same trees."""
    return (one.moves, one.line, one.nodes, one.plies) == (
        other.moves, other.line, other.nodes, other.plies
    )  # fmt: skip


options = st.fixed_dictionaries(
    {"seed": st.integers(0, 3), "c": st.sampled_from([0, 0.7, 1.4])},
    optional={
        "allocate": st.just("puct"),
        "fpu": st.sampled_from([-0.5, 0, 1.1]),
        "rave": st.sampled_from([1, 50.5, 1000]),
        "rollout": st.sampled_from([0, 3, "random"]),
        "trees": st.just(2),
    },
)


@examples(30)
@given(st.sampled_from([Weighed(), *[Twenty48()] * DEEP]), options)
def test_both_engines_agree_under_all_options(game: Any, more: dict[str, Any]) -> None:
    if isinstance(game, Twenty48):
        more["rollout"] = more["rollout"] if more.get("rollout") in (0, 3) else 4
    elif more.get("rollout") in (0, 3):
        del more["rollout"]
    algorithm = mcts(60, **more)
    native = search(game, algorithm, engine="native").compute(num_workers=1)
    assert same(native, search(game, algorithm, engine="interpreted").compute(num_workers=1))
    assert same(native, search(game, algorithm, engine="native").compute(num_workers=1))
    assert sum(native.visits.values()) == native.simulations


@examples(10)
@given(trees(depth=3, wins=True), st.sampled_from(RULES), st.integers(0, 3))
def test_a_small_tree_is_solved_under_each_rule(
    game: ExplicitGame, rule: dict[str, Any], seed: int
) -> None:
    algorithm = mcts(5_000, c=50, seed=seed, **rule)
    found = search(game, algorithm, engine="interpreted").compute(num_workers=1)
    wanted = search(game, minimax(10, nearer_wins=False), engine="interpreted").compute()
    assert not found.proven or found.value == wanted.value
    assert found.proven or "fpu" in rule


def test_a_proven_move_is_no_proven_position() -> None:
    game = evolve(ExplicitGame.from_nested([0, 1]), value_range=(-1, 1))
    # The second move is better, and never tried.
    found = search(game, mcts(500, c=50, fpu=1.2), engine="interpreted").compute(num_workers=1)
    assert found.moves[0].proven
    assert found.moves[1].visits == 0
    assert not found.proven


@pytest.mark.parametrize("rule", RULES, ids=repr)
@pytest.mark.parametrize(
    "moves",
    ["112233", "255235465151743522746644", "25777131474464721417", "4444443", "3444233"],
)
def test_proven_values_are_those_of_solve(rule: dict[str, Any], moves: str) -> None:
    game = ConnectFour()
    state = game.parse_state(moves)
    found = search(Weighed(), mcts(5_000, **rule), state=state).compute(num_workers=1)
    if found.proven:
        proof = solve(game, state).value
        assert (found.value >= WIN, found.value <= -WIN) == (proof >= WIN, proof <= -WIN)
    for move in found.moves:
        if move.proven:
            proof = solve(game, game.make_move(state, move.move)).value
            assert (move.value >= WIN, move.value <= -WIN) == (proof >= WIN, proof <= -WIN)


@pytest.mark.parametrize("engine", ["native", "interpreted"])
def test_the_kernel_with_options_is_the_plain_one_without_them(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Urgency without limit is UCB1, so the other kernel must grow the same tree."""
    plain = search(Weighed(), mcts(150), engine=engine).compute(num_workers=1)
    monkeypatch.setattr(tree, "urgency", lambda _: inf)
    other = search(Weighed(), mcts(150, fpu=1), engine=engine).compute(num_workers=1)
    assert same(plain, other)


# PUCT -------------------------------------------------------------------------------------------


def arms(player: int, chances: tuple[float, ...]) -> ExplicitGame:
    """Return a tree with moves to throws that `player` wins with these odds."""
    sign = 1 if player == MAXIE else -1
    throws = (
        Tree("", CHANCE, (Tree(value=sign), Tree(value=-sign)), chances=(p, 1 - p)) for p in chances
    )
    return ExplicitGame.from_tree(Tree("", player, tuple(throws)))


@frozen
class Arms(ExplicitGame):
    """Throws with priors."""

    def prior(self, state: Any, move: int) -> float:
        return (1, 2, 5)[move]


@pytest.mark.parametrize("player", [MAXIE, MINNIE])
@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_puct_equalises_the_criterion_of_all_moves(player: int, weighed: bool, seed: int) -> None:
    many, c = 3000, 1.5
    plain = arms(player, (0.45, 0.55, 0.5))
    game: Any = Arms(*(getattr(plain, f.name) for f in plain.__attrs_attrs__)) if weighed else plain
    algorithm = mcts(many, c=c, seed=seed, allocate="puct")
    found = search(game, algorithm, engine="interpreted").compute()
    sign = 1 if player == MAXIE else -1
    priors = (1 / 8, 2 / 8, 5 / 8) if weighed else (1 / 3, 1 / 3, 1 / 3)
    criteria = [
        sign * m.value + c * p * sqrt(many) / (1 + m.visits)
        for m, p in zip(found.moves, priors, strict=True)
        if m.value is not None
    ]
    assert sum(found.visits.values()) == many
    assert max(criteria) - min(criteria) < 0.06


def test_a_move_of_no_weight_is_not_visited_and_weights_need_no_sum() -> None:
    one = search(Weighed(weights=(0.0, *(1.0,) * 5, 0.0)), mcts(300, allocate="puct")).compute()
    assert one.visits[0] == one.visits[6] == 0
    scaled = search(Weighed(weights=(0.0, *(8.0,) * 5, 0.0)), mcts(300, allocate="puct")).compute()
    assert same(one, scaled)


def test_equal_weights_and_no_weights_are_uniform_priors() -> None:
    algorithm = mcts(100, allocate="puct")
    without = search(Bare(), algorithm, engine="interpreted").compute()
    for weights in ((1.0,) * 7, (0.0,) * 7):
        assert same(without, search(Weighed(weights=weights), algorithm).compute())


@pytest.mark.parametrize("engine", ["native", "interpreted"])
@pytest.mark.parametrize("weight", [-1.0, float("nan"), inf])
def test_a_wrong_prior_is_reported_with_its_rule(engine: str, weight: float) -> None:
    game = Weighed(weights=(1.0, 1.0, 1.0, weight, 1.0, 1.0, 1.0))
    with pytest.raises(RuleFailed, match=r"^prior 4 failed in|^prior failed in"):
        search(game, mcts(50, allocate="puct"), engine=engine).compute()


# First-play urgency -----------------------------------------------------------------------------


def test_a_low_urgency_keeps_a_good_first_move() -> None:
    """The first move wins nine times in ten: others are tried only when its criterion is lower."""
    game = arms(MAXIE, (0.9, 0.5, 0.5))
    tried = search(game, mcts(30, c=0, fpu=-1), engine="interpreted").compute()
    assert tried.visits[1] == tried.visits[2] == 0
    every = search(game, mcts(30, c=0, fpu=2), engine="interpreted").compute()
    assert min(every.visits.values()) > 0
    for player in (MAXIE, MINNIE):  # the urgency is from the side of the player who moves
        found = search(arms(player, (0.9, 0.5)), mcts(30, c=0, fpu=-1), engine="interpreted")
        assert found.compute().visits[1] == 0


def test_threads_share_the_counts_of_moves() -> None:
    found = search(Weighed(), mcts(20_000, rave=100, threads=2)).compute()
    assert sum(found.visits.values()) == found.simulations == 20_000
    found = search(Weighed(), mcts(20_000, allocate="puct", threads=2)).compute()
    assert sum(found.visits.values()) == found.simulations == 20_000


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"fpu": "x"}, "fpu must be the value of a move without visits"),
        ({"fpu": inf}, "fpu must be"),
        ({"rave": -1}, "rave must be a number of 0 or more, such as 300"),
        ({"reuse": 1}, "reuse must be True or False"),
        ({"allocate": "uniform", "fpu": 0}, "uniform allocation plays all moves equally often"),
        ({"allocate": "uniform", "rave": 9}, "uniform allocation"),
        ({"rave": 9, "rollouts": 2}, "rave learns from the moves of single plays"),
    ],
)
def test_options_that_are_wrong_are_refused(more: dict[str, Any], why: str) -> None:
    with pytest.raises(AlgorithmError, match=why):
        mcts(9, **more)


@examples(20)
@given(
    st.lists(st.lists(st.integers(-90, 300), min_size=1, max_size=4), min_size=1, max_size=3),
    st.sampled_from(RULES),
)
def test_minnie_selects_as_maxie_does_in_the_mirrored_game(
    ends: list[list[int]], rule: dict[str, Any]
) -> None:
    """Also where no range of values is known, and the rewards seen give the scale."""
    visits = []
    for player, sign in ((MAXIE, 1), (MINNIE, -1)):
        throws = []
        for row in [[-50, 200], *ends]:
            below = tuple(Tree(value=sign * v) for v in row)
            throws.append(Tree("", CHANCE, below, chances=(1 / len(row),) * len(row)))
        game = evolve(ExplicitGame.from_tree(Tree("", player, tuple(throws))), value_range=None)
        visits.append(search(game, mcts(60, **rule), engine="interpreted").compute().visits)
    assert visits[0] == visits[1]


branch = st.tuples(
    st.integers(0, 9), st.integers(0, 100), st.integers(0, 9), st.integers(0, 100),
    st.integers(1, 5), st.sampled_from([None, None, -WIN, 0, WIN]),
)  # fmt: skip


@examples(200)
@given(
    st.lists(branch, min_size=1, max_size=5), st.sampled_from([MAXIE, MINNIE]), st.booleans(),
    st.sampled_from([0.0, 0.7]), st.sampled_from([inf, -0.25, 0.5]), st.sampled_from([0.0, 20.0]),
    st.integers(0, 40),
)  # fmt: skip
def test_the_selected_branch_has_the_greatest_criterion(
    branches: list[Any], mover: int, puct: bool, c: float, fpu: float, rave: float, least: int
) -> None:
    """The formulas of the literature, for rewards from `least` to 100 that are mapped to 0 to 1."""
    control, table = cells(CONTROL), cells(200)
    control[THREADS], control[SUM], control[PROVES], control[VIEW] = 1, 100, 1, 50
    control[GUIDES], control[AMAF], control[WON] = 100, 150, 100
    table[LEAST], table[GREATEST] = least, 100
    width, lowest = 100 - least, least if mover == MAXIE else 0
    visits = 1 + sum(b[0] for b in branches)
    total = sum(b[4] for b in branches)
    criteria = []
    for i, (count, mean, met, as_move, prior, known) in enumerate(branches):
        node = 8 + 2 * i
        table[50 + node + VISITS], table[50 + node + TOTAL] = count, count * mean
        table[150 + node + VISITS], table[150 + node + TOTAL] = met, met * as_move
        table[100 + node + PRIOR] = int(bits_of(prior / total))
        table[KNOWN + node] = 0 if known is None else proven_cell(float(known))
        value = (mean - lowest) / width if count else fpu
        if rave and met:
            beta = sqrt(rave / (3 * visits + rave)) if count else 1
            value = beta * (as_move - lowest) / width + ((1 - beta) * value if count else 0)
        if known is not None:
            worth = (known + WIN) / (2 * WIN) * 100
            value = ((worth if mover == MAXIE else 100 - worth) - lowest) / width
            value = -inf if known == (-WIN if mover == MAXIE else WIN) else value
        if puct:
            value += c * prior / total * sqrt(visits) / (1 + count)
        elif count or (rave and met):
            value += c * sqrt(log(visits) / max(1, count))
        criteria.append(value)
    links = 8 * BRANCHES + len(branches)
    chosen = select_guided(
        control, table, links, visits, mover, puct, c, -WIN, 100 / (2 * WIN), -WIN, WIN, fpu, rave
    )
    assert criteria[chosen] == max(criteria) or criteria[chosen] == pytest.approx(max(criteria))


# Each choice of a search ------------------------------------------------------------------------


class Choices:
    """Keeps what the moves of the root were worth, and tells what should have been chosen."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[tuple[int, float, float, float]] = []
        monkeypatch.setattr(uct, "back_up", self.back_up)

    def back_up(self, control: Any, table: Any, depth: int, share: int) -> None:
        """Note the chosen branch, its reward, and the range of rewards from the next choice on."""
        mover, low, high = control[PATH + 1], table[LEAST], table[GREATEST]
        if mover == MINNIE and control[PROVES]:
            low, high = control[SUM] - high, control[SUM] - low
        branch = (control[PATH + 2] - table[LINKS] // BRANCHES) // NODE
        self.made.append((branch, control[REWARD + mover] / share, low, high))
        back_up(control, table, depth, share)

    def check(self, priors: tuple[float, ...], c: float, fpu: float, puct: bool, top: int) -> None:
        """Check each choice: means and `fpu` count from -1 to 1 within the range."""
        rewards: list[list[float]] = [[] for _ in priors]
        low, high = 0.0, float(top)
        for number, (branch, reward, *after) in enumerate(self.made, 1):
            criteria = []
            for seen, prior in zip(rewards, priors, strict=True):
                mean = 2 * (fmean(seen) - low) / (high - low) - 1 if seen else fpu
                if puct:
                    mean += c * prior * sqrt(number) / (1 + len(seen))
                elif seen:
                    mean += c * sqrt(log(number) / len(seen))
                criteria.append(mean)
            assert criteria[branch] == pytest.approx(max(criteria), abs=1e-6)
            rewards[branch].append(reward)
            low, high = after


@frozen
class Split(Game[tuple[int, int], int]):
    """Three players; player 1 takes one of three numbers, and chance adds or takes away some."""

    players = 3

    def start(self) -> tuple[int, int]:
        return 0, 0

    def status(self, state: tuple[int, int]) -> Status:
        return Status.OVER if state[0] == 2 else Status.IN_PLAY

    def player(self, state: tuple[int, int]) -> int:
        return 1 if state[0] == 0 else CHANCE

    def moves(self, state: tuple[int, int]) -> Iterator[int]:
        if state[0] == 0:
            yield from (3, 5, 4)

    def make_move(self, state: tuple[int, int], move: int) -> tuple[int, int]:
        return 1, move

    def outcomes(self, state: tuple[int, int]) -> Iterator[tuple[float, tuple[int, int]]]:
        for change in (-60, 0, 2, 4):
            yield 0.25, (2, state[1] + change)

    def utility(self, state: tuple[int, int]) -> Any:
        return state[1] - 60.0, float(state[1]), state[1] - 30.0


def throws(player: int) -> Any:
    """Return a tree with moves of `player` to throws for points, whose range is not declared."""
    below, odds = [], (0.25, 0.5, 0.25)
    for ends in ((-30, 10, 14), (0, 2, 4), (-4, 4, 30)):
        below.append(Tree("", CHANCE, tuple(Tree(value=v) for v in ends), chances=odds))
    plain = evolve(ExplicitGame.from_tree(Tree("", player, tuple(below))), value_range=None)
    return Arms(*(getattr(plain, f.name) for f in plain.__attrs_attrs__))


@pytest.mark.parametrize(
    "game", [arms(MAXIE, (0.4, 0.6, 0.5)), throws(MAXIE), throws(MINNIE), Split()]
)
@pytest.mark.parametrize(
    "rule",
    [
        {"allocate": "puct"},
        {"allocate": "puct", "fpu": -0.3},
        {"allocate": "puct", "fpu": -0.1, "c": 0.1},
        {"fpu": 0.9},
        {"fpu": 1.5, "c": 0.5},
    ],
    ids=repr,
)
def test_each_choice_has_the_greatest_criterion_in_a_whole_search(
    game: Any, rule: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The formulas of the page, with a range of rewards that widens from that of a single play."""
    monkeypatch.setattr(tree, "PLAYS", 1)
    choices = Choices(monkeypatch)
    found = search(game, mcts(150, **rule), engine="interpreted").compute()
    priors = (1 / 8, 2 / 8, 5 / 8) if isinstance(game, Arms) else (1 / 3, 1 / 3, 1 / 3)
    fpu, puct = rule.get("fpu", 0), rule.get("allocate") == "puct"
    choices.check(priors, rule.get("c", 1.4), fpu, puct, found.tops[0].scale.top)
    assert [made[0] for made in choices.made].count(0) == found.moves[0].visits
