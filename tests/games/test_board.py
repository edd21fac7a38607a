"""Boards as pictures: what a text shows, and what each cell becomes."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from games import (
    MINNIE,
    Board,
    ConnectFour,
    Game,
    Othello,
    Pig,
    Position,
    RandomAgent,
    TicTacToe,
    Twenty48,
    find_game,
    play,
    with_chance,
)
from games.board import HUES, LOOKS
from games.catalogue import CATALOGUE
from games.problems import Queens
from graphs.limits import BOARD_CELLS

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {
    "tictactoe", "connect_four", "othello", "twenty48", "twenty48_features", "pacman",
    "twenty48_pessimistic", "pursuit", "pursuit_line", "chess", "chess960",
}  # fmt: skip


def elements(svg: str, name: str, **given: str) -> list[ElementTree.Element]:
    found = ElementTree.fromstring(svg).iter(f"{SVG}{name}")
    return [e for e in found if all(e.get(key) == value for key, value in given.items())]


def letters(svg: str) -> list[str]:
    return [e.text or "" for e in elements(svg, "text")]


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name != "openspiel"])
def test_the_games_with_a_board_draw_it(name: str) -> None:
    found = Position(find_game(name))
    assert bool(found.svg) == (name in DRAWN)
    assert found.board.startswith(found.svg or "<pre")


@pytest.mark.parametrize(("game", "text"), [(ConnectFour(), "445332"), (Othello(), "d3 c3 c4")])
def test_discs_are_dots_in_the_cells_where_they_lie(game: Game[Any, Any], text: str) -> None:
    found = Position(game, game.parse_state(text))
    cells = [line.split()[:8] for line in found.game.show(found.state).split("\n")]
    for mark, hue in zip("XO", HUES, strict=True):
        (path,) = elements(found.svg, "path", stroke=hue)
        at = {
            (int(float(y)) // 28, int(float(x)) // 28)
            for x, y in (dot.split("h")[0].split() for dot in path.get("d", "").split("M")[1:])
        }
        rows = enumerate(cells[: len(game.picture(found.state).rows)])  # type: ignore[union-attr]
        assert at == {(r, c) for r, row in rows for c, cell in enumerate(row) if cell == mark}


def test_crosses_rings_tiles_walls_and_letters() -> None:
    signs = Position(TicTacToe()).after("5 1 9").svg
    grid, crosses, rings = (e.get("d", "") for e in elements(signs, "path"))
    assert (grid.count("h"), crosses.count("M"), rings.count("M")) == (4, 2, 1)
    tiles = Twenty48().parse_state("2 4 2048" + " ." * 13)
    svg = Position(Twenty48(), tiles).svg
    assert letters(svg) == ["2", "4", "2048"]
    tints = [float(e.get("fill-opacity", "")) for e in elements(svg, "rect")]
    assert tints == sorted(tints)
    assert len(set(tints)) == 3
    maze = Position(find_game("pacman"))
    (walls,) = elements(maze.svg, "path", **{"stroke-width": "28"})
    assert walls.get("d", "").count("h28") == maze.game.show(maze.state).count("#")
    assert letters(maze.svg).count("·") == maze.game.show(maze.state).count(".")


READ = {
    "a row": (". P A . G", 1, 5),
    "blanks between": ("X .\n. O\nX moves", 2, 2),
    "no blanks": ("...\n.x.", 2, 3),
    "a puzzle": (Queens(6).show((0,) * 6), 6, 6),
}


@pytest.mark.parametrize(("text", "high", "wide"), READ.values(), ids=READ)
def test_the_board_of_a_text(text: str, high: int, wide: int) -> None:
    board = Board.of_text(text)
    assert board is not None
    assert (len(board.rows), len(board.rows[0])) == (high, wide)
    drawn = ["".join(row) for row in board.rows] + board.below.split("\n")
    assert [line.replace(" ", "") for line in text.split("\n")] == [
        line.replace(" ", "") for line in drawn if line
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a",
        "a[3]",
        "X O",
        "one line",
        "3  |||\n4  ||||",
        "0 0, Maxie has brought 0",
        "abcde",
    ],
)
def test_a_text_without_a_board(text: str) -> None:
    assert Board.of_text(text) is None


@frozen
class Odd(TicTacToe):
    """A game with odd signs."""

    def show(self, state: Any) -> str:
        return "< & \" '\n. . . .\nA < B"


def test_the_text_under_a_board_and_its_signs_are_escaped() -> None:
    parts = ElementTree.fromstring(f"<div>{Position(Odd()).board}</div>")
    assert parts.findtext("pre") == "A < B"
    assert letters(Position(Odd()).svg) == ["<", "&", '"', "'"]


def test_colours_are_those_of_the_text_around() -> None:
    for name in DRAWN:
        drawn = ElementTree.fromstring(Position(find_game(name)).svg).iter()
        paints = {e.get(key) for e in drawn for key in ("fill", "stroke")} - {None, "none"}
        assert paints <= {"currentColor", "#fff", *HUES}


def test_a_large_board_is_shown_as_text() -> None:
    board = Board(["." * (BOARD_CELLS + 1)])
    assert board.svg() == ""
    with pytest.raises(TypeError, match="the same number of cells"):
        Board(["..", "."])
    with pytest.raises(TypeError, match="look must be one of signs, discs, tiles, not 'coins'"):
        Board([".."], "coins")


def test_a_game_made_from_another_draws_its_board() -> None:
    game = ConnectFour(4, 4)
    state = game.parse_state("1 2")
    assert with_chance(game, MINNIE).picture(state) == game.picture(state)


def test_a_record_shows_its_last_position_and_its_turns() -> None:
    for game in TicTacToe(), Pig(20):
        record = play(game, RandomAgent(1), RandomAgent(2), seed=3)
        html = record._repr_html_()
        parts = ElementTree.fromstring(f"<div>{html}</div>")
        assert html.startswith(Position(game, record.replay()[-1]).board)
        turns = [f"#{t}" if isinstance(t, int) else t for t in record.turns]
        assert [code.text for code in parts.iter("code")][:60] == turns[:60]
        assert "random against random: " in (parts.findall("p")[-1].text or "")


@given(st.lists(st.text(max_size=6), min_size=1, max_size=4), st.sampled_from(LOOKS), st.text())
def test_any_texts_are_drawn_as_well_formed_pictures(row: list[str], look: str, says: str) -> None:
    ElementTree.fromstring(Board([row, row], look).svg(says))


def test_cells_are_texts_and_long_numbers_no_tiles() -> None:
    with pytest.raises(TypeError, match="cell must be a text, not 1"):
        Board([[1, 2]])  # type: ignore[list-item]
    assert "1" * 5000 in Board([["1" * 5000]], "tiles").svg()
