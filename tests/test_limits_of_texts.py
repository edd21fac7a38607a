"""Long texts are read in time that grows with their length, and messages repeat little of them."""

import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import pytest

import jamboree as j
from games.riskless.map import read_map
from strategies.values.notation import parse_using

NAMES = [
    "tictactoe", "connect_four", "othello", "nim:3-4-5", "pig", "pacman:mixed", "twenty48",
    "riskless:square", "pursuit", "handout_big", *["chess"] * (find_spec("chess") is not None),
]  # fmt: skip
GAMES = {name: j.find_game(name) for name in NAMES}
READERS: dict[str, Callable[[str], Any]] = {
    **{f"{name} state": game.parse_state for name, game in GAMES.items()},
    **{f"{name} move": partial(game.parse_move, game.start()) for name, game in GAMES.items()},
    "find_game": j.find_game,
    "map": read_map,
    "maze": j.Maze.from_text,
    "graph": j.Graph.from_text,
    "strategy": j.parse_strategy,
    "algorithm": j.parse_algorithm,
    "using": parse_using,
}
PARTS = [
    "x", "X", ". ", "\n", "X O\n", "9", "1 ", "-", "/", "8/", "P", "\x1b[2J", "'", "(", "par_list(",
    "jamboree(0.5).", "0.5,", "split_at(0.5, ", "road a b\n", "territory a empty\n", "#\n", "0 1\n",
    "\u202e", "\\",
]  # fmt: skip
WHOLE = [
    "by_kind({})", "mcts({})", "alphabeta({})", "f({})", "nim({})", "nim:{}", "connect_four({})",
    "{}",
]  # fmt: skip
MOST = 1000


class Text(str):
    """A text that counts the characters which searches in it may pass."""

    passed = 0

    def count(self, part: str, start: Any = None, end: Any = None) -> int:
        Text.passed += (len(self) if end is None else end) - (start or 0)
        return super().count(part, start, end)

    def rfind(self, part: str, start: Any = None, end: Any = None) -> int:
        Text.passed += (len(self) if end is None else end) - (start or 0)
        return super().rfind(part, start, end)


def steps(read: Callable[[str], Any], text: str) -> tuple[int, str]:
    """Return the calls that reading a text makes, builtin ones included, with the characters that
    searches in it pass; and what the reader says."""
    made, said, Text.passed = 0, "", 0

    def count(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        read(Text(text))
    except ValueError as error:
        said = str(error)
    finally:
        sys.setprofile(None)
    return made + Text.passed, said


def in_time(name: str, lengths: tuple[int, int]) -> None:
    for part in PARTS:
        for whole in WHOLE if name in ("find_game", "strategy", "algorithm", "using") else ["{}"]:
            texts = [whole.format(part * (most // len(part))) for most in lengths]
            (few, _), (many, said) = (steps(READERS[name], text) for text in texts)
            assert many <= 3 * few + 2_000, (name, part, whole)
            assert len(said) < MOST, (name, part, whole)
            assert said.isprintable(), (name, part, whole, said)


@pytest.mark.parametrize("name", READERS)
def test_a_text_twice_as_long_takes_no_more_than_three_times_the_steps(name: str) -> None:
    in_time(name, (1_000, 2_000))


@pytest.mark.long
@pytest.mark.timeout(240)
@pytest.mark.parametrize("name", READERS)
def test_texts_of_100_kilobytes_are_read(name: str) -> None:
    in_time(name, (100_000, 200_000))


def nests() -> dict[str, Callable[[int], Any]]:
    def applied(depth: int) -> Any:
        made: j.Strategy = j.par_list
        for _ in range(depth):
            made = j.par_list(made)
        return made

    def sized(depth: int) -> Any:
        made: j.Strategy = j.par_list
        for k in range(depth):
            made = made.to_size(k + 1)
        return made

    def tree(depth: int) -> Any:
        shape: Any = 1
        for _ in range(depth):
            shape = [shape]
        return j.ExplicitGame.from_nested(shape)

    def by_hand(depth: int) -> Any:
        made = j.Tree(value=1)
        for _ in range(depth):
            made = j.Tree(branches=(made,))
        return j.ExplicitGame.from_tree(made)

    return {
        "applied": applied,
        "sized": sized,
        "nested": tree,
        "tree": by_hand,
        "calls": lambda depth: j.parse_strategy("par_list(" * depth + "seq" + ")" * depth),
        "brackets": lambda depth: j.parse_strategy("(" * depth + "par_list" + ")" * depth),
        "signs": lambda depth: j.parse_algorithm("alphabeta(" + "-" * depth + "1)"),
        "attributes": lambda depth: j.parse_strategy("par_list" + ".everywhere" * depth),
    }


@pytest.mark.parametrize("name", nests())
def test_deep_nesting_is_refused_in_one_sentence_or_works(name: str) -> None:
    for depth in (1, 20, 59, 61, 499, 501, 5000):
        try:
            made = nests()[name](depth)
        except j.JamboreeError as error:
            said = str(error)
        else:
            said = ""
            assert made == made
            assert repr(made)
            assert isinstance(hash(made), int)
        assert len(said) < MOST
        assert said.isprintable()
