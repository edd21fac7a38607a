"""Answers of rules as plain data: equal answers are identical in every process, others differ."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

from attrs import field, frozen

from games.answers import answers, plain
from games.laws import LAWS
from games.laws.examine import Verdict, examine
from games.laws.plays import Plays
from tests.games.laws.given import Heap, Pile, ThreePile, WindyPile

ROOT = Path(__file__).parents[3]
PURITY = ("answers_are_fixed", "answers_keep_in_any_order", "answers_keep_in_a_fresh_process")


@frozen
class OfAttrs:
    cells: frozenset[int]


@dataclass(frozen=True)
class OfDataclass:
    cells: frozenset[int]


class OfTuple(NamedTuple):
    cells: frozenset[int]


KINDS: list[Any] = [OfAttrs, OfDataclass, OfTuple]


def verdict_on(name: str, game: Any) -> Verdict:
    (law,) = [law for law in LAWS if law.name == name]
    return examine(law, Plays(game, "dev", seed=0, max_plies=12))


def test_plain_data_distinguishes_exactly_the_values_that_differ() -> None:
    class Thing:
        def __init__(self, x: int) -> None:
            self.x = x

    same = [
        ({"a", "b"}, {"b", "a"}), ({1: "x"}, {1: "x"}), (float("nan"), float("nan")),
        (Heap(1, 0), Heap(1, 0)), (Thing(1), Thing(1)), ((1, [2]), (1, [2])), (True, 1),
    ]  # fmt: skip
    for one, other in same:
        assert plain(one) == plain(other)
    different = [1, 2, "1", ("a", "b"), ("b", "a"), {"a"}, Heap(1, 0), Heap(2, 0), Thing(1), None]
    assert len({repr(plain(value)) for value in different}) == len(different)


def test_the_order_in_which_a_set_was_made_does_not_show() -> None:
    """Also where records hold it, which print it in that order."""
    one, other = frozenset([0, 8]), frozenset([8, 0])
    assert repr(one) != repr(other)
    for kind in KINDS:
        assert plain([kind(one)]) == plain([kind(other)]) != plain([kind(one - {8})])


def test_only_rules_that_may_be_called_are_called() -> None:
    game = WindyPile(9)
    assert "moves" in answers(game, game.start())
    assert "outcomes" in answers(game, Heap(5, -1))
    assert {"moves", "estimate"} & set(answers(game, Heap(0, 0))) == set()
    assert "estimate" not in answers(ThreePile(3), Heap(0, 0))


@frozen(eq=False)
class Lone:
    """A state that equals only itself, and holds a set."""

    left: int
    names: Any = field(default=frozenset({"one", "two", "three"}), repr=False)


@frozen
class LonePile(Pile):
    native = False

    def start(self) -> Any:
        return Lone(self.size)

    def player(self, state: Any) -> int:
        return 0

    def status(self, state: Any) -> Any:
        return Pile.status(self, Heap(state.left, 0))

    def make_move(self, state: Any, move: int) -> Any:
        return Lone(state.left - move)

    key = bounds = candidates = None  # type: ignore[assignment]


def test_states_without_equality_and_sets_count_as_pure() -> None:
    for name in PURITY:
        assert verdict_on(name, LonePile()).result == "pass"


def test_the_report_says_so_if_expected_and_actual_values_print_alike() -> None:
    verdict = verdict_on("states_are_values", LonePile(3))
    assert verdict.expected.startswith("a copy equal to Lone(left=3")
    assert verdict.got.endswith("which prints alike, but Lone equals only itself (eq=False)")


def test_games_of_a_script_and_of_a_file_reach_a_fresh_process(tmp_path: Path) -> None:
    game = dedent("""\
        from attrs import frozen
        from games import Game, Status
        @frozen
        class Place:
            at: int = 0
        @frozen
        class Walk(Game):
            native = False
            def start(self): return Place()
            def status(self, s): return Status.DRAW if s.at > 2 else Status.IN_PLAY
            def player(self, s): return 0
            def moves(self, s): yield from WORDS if s.at <= 2 else ()
            def make_move(self, s, m): return Place(s.at + 1)
            def estimate(self, s): return 0
        WORDS = {"left", "right", "on", "back"}
        """)
    ask = dedent("""\
        from games.laws import LAWS
        from games.laws.examine import examine
        from games.laws.plays import Plays
        law = [law for law in LAWS if law.name == "answers_keep_in_a_fresh_process"][0]
        for game in (Walk(), hidden.Walk()):
            verdict = examine(law, Plays(game, "dev", 0, 9))
            print(verdict.result, verdict.reason, verdict.expected)
        """)
    (tmp_path / "hidden.py").write_text(game)
    load = dedent(f"""\
        import sys
        from importlib.util import module_from_spec, spec_from_file_location
        spec = spec_from_file_location("hidden", {str(tmp_path / "hidden.py")!r})
        hidden = sys.modules["hidden"] = module_from_spec(spec)
        spec.loader.exec_module(hidden)
        """)
    ran = subprocess.run(
        [sys.executable, "-c", load + game + ask],
        env={"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    said = ran.stdout.splitlines()
    assert len(said) == 2
    for verdict in said:
        assert verdict.startswith("broken  moves to answer ("), ran.stdout
        assert verdict.endswith("again in a fresh process"), ran.stdout
