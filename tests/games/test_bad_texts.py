"""Texts that are almost a position, a maze or a map are read, or refused in one line that names the
place."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import Map, Maze, find_game
from games.riskless import map_names
from tests.games.given import positions

NAMES = [
    "tictactoe", "connect_four(width=5,height=4)", "othello(size=4)", "nim:3-4-5", "pig",
    "pig(players=3)", "pacman:mixed", "twenty48", "twenty48_pessimistic", "riskless:square",
    "pursuit", "pursuit_line", *["chess"] * (find_spec("chess") is not None),
]  # fmt: skip
GAMES = [find_game(name) for name in NAMES]
CHARACTERS = "XOxo.#PGAR*? 0123456789,-/@~:;+|\n\tabz\u00bd\u00b2\u0663\ufb01"
MISTAKES = st.lists(
    st.tuples(st.integers(0, 400), st.sampled_from(["add", "drop", "change"]),
              st.sampled_from(CHARACTERS)),
    min_size=1, max_size=3,
)  # fmt: skip
PLACE = re.compile(r"line (\d+), column (\d+): ")


def spoilt(text: str, mistakes: list[tuple[int, str, str]]) -> str:
    for place, how, c in mistakes:
        k = place % (len(text) + 1)
        text = text[:k] + ("" if how == "drop" else c) + text[k + (how != "add") :]
    return text


def refused_well(read: Callable[[str], Any], text: str) -> bool:
    """Say whether a text was refused; the error must name a place in the text or at its end."""
    said = ""
    try:
        read(text)
    except ValueError as error:
        said = str(error)
    else:
        return False
    found = PLACE.match(said)
    assert found, f"{said} (of {text!r})"
    assert "\n" not in said
    line, column = map(int, found.groups())
    lines = text.split("\n")
    assert 1 <= line <= len(lines)
    assert 1 <= column <= len(lines[line - 1]) + 1
    return True


@given(
    st.sampled_from(GAMES).flatmap(lambda game: st.tuples(st.just(game), positions(game, 8))),
    st.sampled_from(["show", "label"]), MISTAKES,
)  # fmt: skip
def test_positions(place: tuple[Any, Any], drawn_by: str, mistakes: Any) -> None:
    game, state = place
    refused_well(game.parse_state, spoilt(getattr(game, drawn_by)(state), mistakes))


@given(st.sampled_from(["small", "mixed", "three"]), MISTAKES)
def test_mazes(name: str, mistakes: Any) -> None:
    rows = Maze.load(name).rows
    frame = "#" * (len(rows[0]) + 2)
    text = "\n".join([frame, *(f"#{row}#" for row in rows), frame])
    assert Maze.from_text(text).rows == rows
    refused_well(Maze.from_text, spoilt(text, mistakes))


@given(st.sampled_from(map_names()), MISTAKES)
def test_maps(name: str, mistakes: Any) -> None:
    refused_well(Map.from_text, spoilt(Map.load(name).to_text(), mistakes))


@pytest.mark.parametrize("name", NAMES)
def test_nonsense_is_refused(name: str) -> None:
    for text in ("?", "\n\n  no such thing", "X" * 500, ". " * 500, "9" * 5000, "@", "/", ":"):
        assert refused_well(find_game(name).parse_state, text), text
