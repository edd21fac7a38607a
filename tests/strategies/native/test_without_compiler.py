"""If the compiler itself fails, rules are interpreted, with a message that says why."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import attrs
import pytest
from attrs import evolve, frozen
from click.testing import CliRunner

from games import TicTacToe
from games.game import Game, Status
from games.problems import Queens
from strategies import alphabeta, mcts, par_list, search, solve
from strategies.cli.group import jamboree
from strategies.native import compiling, kept_engines
from strategies.native.compiler import build, rules_in_numba
from strategies.native.fingerprint import fingerprint
from strategies.native.kept_engines import engine_for
from strategies.native.kernels import alphabeta as kernels
from strategies.native.references import is_foreign
from strategies.rules.language.messages import RuleError
from strategies.searches.local_search.climb import climb
from tests.strategies.native.counting import mixed

GAME = TicTacToe()
SPARKS = par_list.to_ply(1)
ANSWERS: dict[str, Any] = {
    "search": lambda how: search(
        GAME, alphabeta(3), using=par_list.to_ply(1), engine=how
    ).compute(),
    "tables": lambda how: search(GAME, alphabeta(3, table="4kB"), engine=how).compute("sync"),
    "a limit": lambda how: search(GAME, alphabeta(2), engine=how, time=60).compute("threads"),
    "mcts": lambda how: search(GAME, mcts(20), engine=how).compute(),
    "solve": lambda how: solve(GAME, GAME.parse_state("1 4 2 5"), engine=how, memory="4kB"),
    "climb": lambda how: climb(Queens(5), engine=how),
}


def fails(*_args: Any) -> Any:
    raise AttributeError("a library has changed\nwith a second line")


@pytest.fixture
def afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reset all engines, so that none has compiled anything or recorded a failure, and leave out
    the trial of the first search, which a small one may end in."""
    monkeypatch.setattr(kept_engines, "_tried", {TicTacToe})
    monkeypatch.setattr(kept_engines, "_engines", {})
    monkeypatch.setattr(kept_engines, "_known", {})
    monkeypatch.setattr(compiling, "_broken", "")


@pytest.fixture(params=["loading", "binding", "building"])
def broken(request: Any, afresh: None, monkeypatch: pytest.MonkeyPatch) -> str:
    """Break the compiler: on import, when it compiles the rules, or a kernel."""
    if request.param == "loading":
        monkeypatch.setitem(sys.modules, "strategies.native.compiler.build", None)
        return "cannot be loaded with Python"
    if request.param == "binding":
        monkeypatch.setattr(rules_in_numba, "bind", fails)
    else:
        monkeypatch.setattr(build, "build", fails)
    return "fails with Python"


@pytest.mark.parametrize("asked", ANSWERS)
def test_a_compiler_that_fails_costs_speed_but_changes_no_result(asked: str, broken: str) -> None:
    found, wanted = ANSWERS[asked]("auto"), ANSWERS[asked]("interpreted")
    if asked == "solve":
        assert str(found) == str(wanted)
    else:
        assert found.value == wanted.value


def test_the_reason_is_reported(broken: str) -> None:
    used = engine_for(GAME)
    assert not used.native
    assert broken in used.reason
    assert f"attrs {attrs.__version__}" in used.reason
    assert "Error: " in used.reason
    assert "\n" not in used.reason
    assert broken in climb(Queens(5)).reason


@pytest.mark.parametrize("asked", ANSWERS)
def test_requesting_the_native_engine_raises_one_error(asked: str, broken: str) -> None:
    with pytest.raises(RuleError, match=broken):
        ANSWERS[asked]("native")


@pytest.mark.parametrize(
    "command",
    [
        ["search", "tictactoe", "--algorithm", "alphabeta(2)"],
        ["search", "tictactoe", "--algorithm", "mcts(9)"],
        ["solve", "tictactoe", "--state", "1 4 2 5", "--memory", "4kB"],
        ["climb", "queens:5"],
    ],
)
def test_commands_print_the_reason_once(command: list[str], broken: str) -> None:
    ran = CliRunner().invoke(jamboree, command)
    assert ran.exit_code == 0
    assert " ".join(ran.output.split()).count(f"interpreted: the rule compiler {broken}") == 1


def test_after_a_late_failure_all_kernels_are_interpreted(
    afresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = build.build
    used = engine_for(GAME)
    assert used.native

    def some(kernel: Any, *args: Any) -> Any:
        return fails() if kernel is kernels.alphabeta else real(kernel, *args)

    monkeypatch.setattr(build, "build", some)
    with pytest.raises(RuleError, match="a library has changed"):
        ANSWERS["tables"]("native")
    assert ANSWERS["tables"]("auto").value == 3
    assert not used.native
    assert used.reason.endswith("AttributeError: a library has changed")
    assert used.search(GAME.start(), 3).value == 3


def test_without_numba_rules_are_interpreted_too() -> None:
    """This runs in a fresh interpreter, because this one has loaded Numba."""
    code = """
import sys
sys.modules["numba"] = None
from games import TicTacToe
from strategies import alphabeta, engine_for, search
print(search(TicTacToe(), alphabeta(3)).compute().value, engine_for(TicTacToe()).reason)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("3 the rule compiler cannot be loaded with Python")
    assert "import of numba halted" in ran.stdout


@frozen
class At:
    a: int


@frozen
class Evolving(Game[At, int]):
    """A game whose rules call `evolve` by both of its names."""

    def start(self) -> At:
        return At(0)

    def status(self, state: At) -> Status:
        return Status.IN_PLAY

    def player(self, state: At) -> int:
        return 0

    def moves(self, state: At) -> Iterator[int]:
        for move in range(2):  # noqa: UP028
            yield move

    def make_move(self, state: At, move: int) -> At:
        return evolve(state, a=state.a + move)

    def estimate(self, state: At) -> float:
        return attrs.evolve(state, a=2 * state.a).a


def test_evolve_is_recognised_with_any_module_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Python 3.13, attrs stores there the module of the last class that it created."""
    before = fingerprint(Evolving)
    monkeypatch.setattr(evolve, "__module__", __name__)
    monkeypatch.setattr(evolve, "__qualname__", "At.__replace__")
    assert is_foreign(evolve)
    assert fingerprint(Evolving) == before
    assert engine_for(Evolving(), "native").call(mixed, At(0), 2) == 12


def test_the_compiler_loads_if_evolve_has_any_module_name() -> None:
    code = """
import attrs
attrs.evolve.__module__ = "strategies.native.compiler.build"
import strategies.native.compiler.build
"""
    subprocess.run([sys.executable, "-c", code], check=True)
