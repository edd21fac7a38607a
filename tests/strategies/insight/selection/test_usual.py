"""The algorithm chosen when the user names none: it fits the game, and is done soon."""

from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve, frozen
from hypothesis import given

from games import CATALOGUE, ExplicitGame, Game, NoEstimate, Pig, Status, find_game, with_chance
from strategies import search
from strategies.algorithms.algorithm import Algorithm
from strategies.algorithms.monte_carlo import MonteCarlo
from strategies.insight.selection.usual import LIMITED_DEPTH, SEEN, usual
from tests.strategies.given import trees


@given(trees(4, chance=True, wins=True))
def test_a_small_game_is_searched_to_its_end(game: ExplicitGame) -> None:
    """The choice has the value of a search of all plies; expectimax only where chance moves."""
    chosen = usual(game, game.start()).algorithm
    assert isinstance(chosen, Algorithm)
    deeper = evolve(chosen, depth=9, nearer_wins=False)
    values = [
        search(game, algorithm, engine="interpreted").compute(num_workers=1).value
        for algorithm in (evolve(chosen, nearer_wins=False), deeper)
    ]
    assert values[0] == values[1]
    drawn = any(kind == "chance" for kind in kinds(game))
    assert (chosen.name == "expectimax") == drawn


def kinds(game: ExplicitGame) -> Iterator[str]:
    """Yield who moves at each position in play."""
    near = [game.start()]
    for state in near:
        if game.status(state) == Status.IN_PLAY:
            chance = game.player(state) == -1
            yield "chance" if chance else "player"
            near += (
                [s for _, s in game.outcomes(state)]
                if chance
                else [game.make_move(state, m) for m in game.moves(state)]
            )


@frozen
class Wide(Game[int, int]):
    """A line of plies with many moves each; perhaps without an estimate."""

    width: int = 3
    players: int = 2
    judged: bool = True
    plies: int = 100
    telling: bool = True
    """Whether positions differ in their estimates."""

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        return Status.IN_PLAY if state < self.plies else Status.DRAW

    def player(self, state: int) -> int:
        return state % self.players

    def moves(self, state: int) -> Iterator[int]:
        yield from range(self.width)

    def make_move(self, state: int, move: int) -> int:
        return state + 1

    def estimate(self, state: int) -> Any:
        if not self.judged:
            raise NoEstimate("only the end has a value")
        value = state * self.telling
        return value if self.players < 3 else (value,) * self.players


@pytest.mark.parametrize(
    ("game", "choice"),
    [
        (Wide(), "alphabeta(depth=6)"),
        (Wide(40), "alphabeta(depth=3)"),
        (Wide(400), "alphabeta(depth=2)"),
        (Wide(1000), "mcts(simulations=1000000)"),
        (Wide(2000, plies=1), "mcts(simulations=1000000)"),
        (Wide(5, plies=3), "alphabeta(depth=3)"),
        (Wide(judged=False), "mcts(simulations=1000000)"),
        (Wide(5, plies=3, judged=False), "alphabeta(depth=3)"),
        (Wide(telling=False), "mcts(simulations=1000000)"),
        (Wide(5, plies=3, telling=False), "alphabeta(depth=3)"),
        (Wide(players=1, telling=False), "pvs(depth=12)"),
        (with_chance(Wide(telling=False), 1), "expectimax(depth=6)"),
        (Wide(players=3), "maxn(depth=6)"),
        (Wide(players=1), "pvs(depth=12)"),
        (Wide(400, players=1), "pvs(depth=3)"),
        (with_chance(Wide(), 1), "expectimax(depth=6)"),
        (with_chance(Wide(players=3), 1), "maxn(depth=6)"),
        (Pig(), "expectimax(depth=6)"),
    ],
    ids=repr,
)
def test_the_choice_fits_the_game(game: Game, choice: str) -> None:
    """Players, chance, width and estimates decide; the choice is the same each time."""
    assert repr(usual(game, game.start()).algorithm) == choice
    assert usual(game, game.start()) == usual(game, game.start())


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_game_has_a_choice_that_it_accepts(name: str) -> None:
    """No choice is refused by its game; with a limit it is as deep as the limit allows."""
    if name == "openspiel":
        pytest.importorskip("pyspiel")
    game = find_game(name)
    chosen = usual(game, game.start())
    chosen.algorithm.check(game)
    assert chosen.why
    limited = usual(game, game.start(), limited=True).algorithm
    depths = chosen.algorithm.depth, LIMITED_DEPTH
    assert isinstance(limited, MonteCarlo) or limited.depth in depths


def test_rules_are_asked_about_few_positions() -> None:
    """Counting stops after about `SEEN` positions, whatever the width."""
    made = []

    @frozen
    class Counted(Wide):
        def make_move(self, state: int, move: int) -> int:
            made.append(move)
            return super().make_move(state, move)

    usual(Counted(7), 0)
    assert len(made) < SEEN + 2 * 7


def test_a_search_that_must_have_plans_is_chosen_by_depth() -> None:
    game = Wide(telling=False)
    assert repr(usual(game, 0, plans=True).algorithm) == "alphabeta(depth=6)"
    assert usual(game, 0, limited=True).algorithm == usual(game, 0).algorithm


def test_positions_without_a_hash_are_searched_without_a_table() -> None:
    class Listed(Game[list[int], int]):
        players = 1

        def start(self) -> list[int]:
            return [0]

        def status(self, state: list[int]) -> Status:
            return Status.IN_PLAY

        def player(self, state: list[int]) -> int:
            return 0

        def moves(self, state: list[int]) -> range:
            return range(3)

        def make_move(self, state: list[int], move: int) -> list[int]:
            return [state[0] + 1]

        def estimate(self, state: list[int]) -> int:
            return 0

    game = Listed()
    assert usual(game, game.start()).algorithm.name == "alphabeta"
    assert search(game, usual(game, game.start()).algorithm).compute().move == 0


def test_a_rule_that_fails_is_left_to_the_search() -> None:
    """A choice is made, and the search reports the rule."""

    @frozen
    class Broken(Wide):
        def make_move(self, state: int, move: int) -> int:
            raise ZeroDivisionError

    assert usual(Broken(), 0).algorithm.depth == 6
