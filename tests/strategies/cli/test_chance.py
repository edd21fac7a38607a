"""Commands where chance moves: the position, the outcomes, and the default algorithm."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from games import CATALOGUE, RandomAgent, find_game
from strategies.cli.group import jamboree
from strategies.cli.play_command import _seated

DICE = """
from attrs import frozen
from games import CHANCE, Game, Status

@frozen
class Throw:
    left: int
    die: int
    turn: int

@frozen
class Dice(Game[Throw, int]):
    size: int = 6

    def start(self):
        return Throw(self.size, 0, 0)

    def status(self, state):
        if state.left > 0:
            return Status.IN_PLAY
        return Status.MAXIE_WINS if state.turn else Status.MINNIE_WINS

    def player(self, state):
        return state.turn if state.die else CHANCE

    def moves(self, state):
        for take in range(1, min(state.die, state.left) + 1):
            yield take

    def make_move(self, state, move):
        return Throw(state.left - move, 0, 1 - state.turn)

    def outcomes(self, state):
        for die in range(1, 4):
            yield 1 / 3, Throw(state.left, die, state.turn)

    def estimate(self, state):
        return 0
"""
FAST = ["--engine", "interpreted"]


def run(*args: Any, stdin: str | None = None) -> Any:
    return CliRunner().invoke(jamboree, [*map(str, args)], input=stdin)


@pytest.fixture
def dice(tmp_path: Any) -> str:
    path = tmp_path / "dice_of_a_test.py"
    path.write_text(DICE)
    return f"{path}:Dice"


@pytest.mark.parametrize("algorithm", ["expectimax(4)", "mcts(100)", None])
def test_a_search_where_chance_moves_shows_the_outcomes(dice: str, algorithm: str | None) -> None:
    how = ["search", dice, *FAST, *([] if algorithm is None else ["--algorithm", algorithm])]
    text, data = run(*how).stdout, json.loads(run(*how, "--json").stdout)
    assert "none: chance moves" in text
    assert "the game is over" not in text
    assert [o["probability"] for o in data["outcomes"]] == [1 / 3] * 3
    for outcome in data["outcomes"]:
        assert outcome["position"] in text
    if algorithm != "mcts(100)":
        mean = sum(o["value"] / 3 for o in data["outcomes"])
        assert mean == pytest.approx(data["value"])
        assert all(o["move"] == o["line"][0] for o in data["outcomes"])
    assert (data["chosen"] is None) == (algorithm is not None)
    assert ("chosen: chance moves" in text) == (algorithm is None)


@pytest.mark.parametrize("option", ["--explain", "--trace", "--time=5", "--using=par_list"])
def test_options_work_where_chance_moves(dice: str, option: str) -> None:
    found = run("search", dice, *FAST, "--algorithm", "expectimax(3)", option)
    assert (found.exit_code, found.stderr) == (0, "")
    assert "best reply" in found.stdout


@pytest.mark.parametrize("command", ["search", "solve", "simulate", "study", "play"])
def test_every_command_reads_outcomes_in_positions(dice: str, command: str) -> None:
    """The same text names a position for each of them, and a wrong one is refused alike."""
    more = {
        "simulate": [*FAST, "--algorithm", "expectimax(2)", "--using", "par_list", "--no-measure"],
        "study": [*FAST, "--algorithm", "expectimax(2)", "--using", "par_list", "--repeat", 1],
        "search": FAST, "solve": ["--engine", "interpreted"],
        "play": ["--maxie", "random", "--minnie", "random"],
    }[command]  # fmt: skip
    found = run(command, dice, *more, "--state", "#0 1; 2 2")
    assert (found.exit_code, found.stderr) == (0, ""), found.stderr
    if command == "search":
        assert found.stdout.startswith("Throw(left=3, die=0, turn=0)\nChance moves.")
        assert (
            run(command, dice, *more, "--state", "-", stdin="0 1\n2 2").stdout[:30]
            == (found.stdout[:30])
        )
    wrong = run(command, dice, *more, "--state", "0 1; 5")
    assert wrong.exit_code == 2
    assert "--state: line 1, column 6: '5' is none of the 3 outcomes of chance: 0 (" in wrong.stderr


QUICK = ["tictactoe", "connect_four", "pig", "pacman", "pursuit_line", "handout_big"]


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.long) for n in CATALOGUE]
)
def test_a_search_without_options_answers(name: str) -> None:
    """Every game of the catalogue has a default search that ends, with a value."""
    if name == "openspiel":
        pytest.importorskip("pyspiel")
    data = json.loads(run("search", name, *FAST, "--json").stdout)
    assert data["chosen"]
    assert data["value"] is not None
    start = find_game(name).start()
    assert (data["move"] is None) == (find_game(name).player(start) == -1)


def test_players_that_are_not_named_fit_the_game() -> None:
    """Play chooses by the same rules as search, for every player but Maxie."""
    for game, choice in (("pig", "expectimax(depth=6)"), ("pig:3", "maxn(depth=6)")):
        rules = find_game(game)
        seats = _seated(rules, rules.start(), None, None, ())
        assert [str(seat) for seat in seats[1:]] == [choice] * (rules.players - 1)
    named = _seated(rules, rules.start(), RandomAgent(), RandomAgent(), (RandomAgent(),))
    assert {type(seat) for seat in named} == {RandomAgent}
