"""A rule that raises an error is named wherever games are played, with the moves before it."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from games import CHANCE, Game, RandomAgent, Status, TicTacToe, play
from games.endings import utility_of
from games.failed import RuleFailed
from strategies import minimax, tournament
from strategies.cli.group import jamboree
from strategies.players.game_loop import play_out
from strategies.players.search_agent import SearchAgent
from strategies.players.tournaments.entrants import Called, Entrant, Seat
from strategies.players.tournaments.pairings import play_pairing
from tests.properties import examples


@frozen
class Faulty(Game[int, int]):
    """Players and chance count up in turn to 6, and one rule fails at one ply."""

    value_range = (-1, 1)
    rule: str = ""
    ply: int = 0

    def check(self, rule: str, state: int) -> None:
        if rule == self.rule and state == self.ply:
            raise ZeroDivisionError("a fault")

    def start(self) -> int:
        return 0

    def status(self, state: int) -> Status:
        self.check("status", state)
        return Status.IN_PLAY if state < 6 else Status.DRAW

    def player(self, state: int) -> int:
        self.check("player", state)
        return CHANCE if state % 3 == 2 else state % 3

    def moves(self, state: int) -> Iterator[int]:
        self.check("moves", state)
        yield 1

    def make_move(self, state: int, move: int) -> int:
        self.check("make_move", state)
        return state + move

    def outcomes(self, state: int) -> Iterator[tuple[float, int]]:
        self.check("outcomes", state)
        yield 1.0, state + 1

    def estimate(self, state: int) -> float:
        return 0.0

    def utility(self, state: int) -> float:
        self.check("utility", state)
        return 0.0


RULES = {
    "status": range(7), "player": range(6), "moves": (0, 1, 3, 4), "make_move": (0, 1, 3, 4),
    "outcomes": (2, 5), "utility": (6,),
}  # fmt: skip
"""The rules, and the plies at which each is asked."""
FAULTS = [(rule, ply) for rule, plies in RULES.items() for ply in plies]
TEXTS = ("1", "1", "outcome 0", "1", "1", "outcome 0")
"""The texts of the turns of a game."""


def fails(game: Faulty, act: Any, *, moves: bool = True) -> None:
    with pytest.raises(RuleFailed) as caught:
        act()
    found = caught.value
    assert (found.rule.split()[0], found.state) == (game.rule, game.ply)
    assert found.moves == (TEXTS[: game.ply] if moves else ())
    cause: Any = found
    while isinstance(cause, RuleFailed):
        cause = cause.__cause__
    assert isinstance(cause, ZeroDivisionError)


AGENTS = {
    "random": [RandomAgent(1), RandomAgent(2)],
    "search": [SearchAgent(minimax(1), engine="interpreted")] * 2,
}


@examples(30)
@given(st.sampled_from(FAULTS), st.sampled_from(list(AGENTS)))
def test_a_rule_that_fails_while_a_game_is_played(fault: tuple[str, int], agents: str) -> None:
    game = Faulty(*fault)
    last = game.rule == "utility"

    def played() -> None:
        found = play_out(game, AGENTS[agents], 1, engine="interpreted")
        utility_of(game, found.last, found.ended)

    fails(game, played, moves=not last)
    fails(game, lambda: play(game, *AGENTS[agents]).utility, moves=not last)
    entrants = [Entrant(agent) for agent in AGENTS[agents]]
    seats = [Seat(entrant, game) for entrant in entrants]
    fails(game, lambda: play_pairing(game, *seats, (), 1))
    fails(game, lambda: tournament(game, entrants, rounds=1, ply_limit=99))


def test_a_rule_that_is_no_method_of_the_game_is_named_too() -> None:
    def fault(*_: Any) -> Any:
        raise ZeroDivisionError("a fault")

    for bind in (staticmethod, classmethod):
        for name in ("status", "player", "moves", "make_move", "utility"):
            rule = types.FunctionType(fault.__code__.replace(co_name=name), {})
            game = type("Bound", (Faulty,), {name: bind(rule)})()
            with pytest.raises(RuleFailed, match=f"^{name} .*a fault"):
                _ = play(game, RandomAgent(1), RandomAgent(2)).utility


def test_the_command_line_names_the_rule_and_the_moves(tmp_path: Any) -> None:
    file = tmp_path / "faulty.py"
    file.write_text(
        "from tests.strategies.players.test_failing_rules import Faulty\n"
        "def bad():\n    return Faulty('make_move', 4)\n"
    )
    for command in (
        ["tournament", f"{file}:bad", "alphabeta(depth=1)", "random", "--rounds", "1"],
        ["play", f"{file}:bad", "--maxie", "random", "--minnie", "random"],
    ):
        result = CliRunner().invoke(jamboree, command)
        assert result.exit_code == 2
        assert (
            "make_move 1 failed after the moves 1 1 outcome 0 1, in 4: ZeroDivision"
            in result.output
        )


def test_an_error_of_an_agent_says_whose_it_is_and_where() -> None:
    def lost(game: Game[Any, Any], state: Any) -> Any:
        raise KeyError("a book without this position")

    for raising in (
        lambda: play_out(TicTacToe(), [Called(lost), RandomAgent()]),
        lambda: tournament(TicTacToe(), [lost, "random"], rounds=1),
    ):
        with pytest.raises(KeyError) as raised:
            raising()
        (note,) = raised.value.__notes__
        assert note.startswith("lost was to move in ")
