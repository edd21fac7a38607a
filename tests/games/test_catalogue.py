from pathlib import Path

import pytest

from games import (
    CATALOGUE,
    HANDOUT_BIG,
    MINNIE,
    ConnectFour,
    Map,
    Pursuit,
    Riskless,
    TicTacToe,
    Twenty48,
    find_game,
    with_chance,
)

LIBRARIES = {"chess": "chess", "chess960": "chess", "openspiel": "pyspiel"}
"""The libraries that adapted games need."""


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_name_makes_a_game_with_a_start(name: str) -> None:
    if name in LIBRARIES:
        pytest.importorskip(LIBRARIES[name], reason="an extra that is not installed")
    game = find_game(name)
    state = game.start()
    assert game.status(state) == 0
    assert CATALOGUE[name].about


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("tictactoe", TicTacToe()),
        (" connect_four(width=5, height=4) ", ConnectFour(5, 4)),
        ("connect_four()", ConnectFour()),
        ("twenty48(target=None)", Twenty48(None)),
        ("twenty48:64", Twenty48(64)),
        ("riskless", Riskless(Map.load("islands"))),
        ("riskless:duel", Riskless(Map.load("duel"))),
        ("riskless(map=duel)", Riskless(Map.load("duel"))),
        ("handout_big", HANDOUT_BIG),
        ("pursuit_line(goal=4,chance=minnie)", with_chance(Pursuit.line(4), MINNIE)),
        ("riskless:duel(chance=minnie)", with_chance(Riskless(Map.load("duel")), MINNIE)),
    ],
)
def test_texts_name_games(text: str, game: object) -> None:
    assert find_game(text) == game


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("checkers", "no game 'checkers'; games: tictactoe connect_four othello"),
        ("", "'' is not a game; write"),
        ("connect_four(width=5", "is not a game; write"),
        (
            "connect_four(wide=5)",
            "takes no 'wide'; parameters: width height connect pairs chance repetition",
        ),
        ("connect_four(5)", "'5' is not parameter=value"),
        ("connect_four(width=)", "'width=' is not parameter=value"),
        ("connect_four(width=5,width=6)", "connect_four: width is given twice"),
        ("connect_four(width=99)", "connect_four: a board of 99 columns"),
        ("connect_four(width=wide)", "connect_four: width must be like 7, not 'wide'"),
        ("connect_four:5(width=5)", "takes no '5'"),
        ("tictactoe:3", "takes no '3'; parameters: chance repetition"),
        ("handout_big(depth=3)", "takes no 'depth'; parameters: chance repetition"),
        ("riskless:atlantis", "riskless: there is no map 'atlantis'; maps: continents"),
        ("riskless:none.txt", "riskless: none.txt: "),
        ("tictactoe(chance=bob)", "chance must be maxie or minnie, not 'bob'"),
        ("twenty48(chance=minnie)", "there is no player 1"),
        ("twenty48(target=__import__)", "twenty48: target must be like 2048, not '__import__'"),
    ],
)
def test_bad_texts_are_refused_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        find_game(text)
    assert "\n" not in str(caught.value)


def test_a_name_is_a_text() -> None:
    with pytest.raises(TypeError, match="a game's name must be a text"):
        find_game(5)  # type: ignore[arg-type]


def test_a_file_of_a_map_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text(Map.load("duel").to_text())
    assert find_game(f"riskless:{path}") == Riskless(Map.load("duel"))


def test_a_map_may_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(Map.load("duel").to_text())
    assert find_game(f"riskless:{path}") == Riskless(Map.load("duel"))
    path.write_text("cap five")
    with pytest.raises(ValueError, match=r"mine\.txt: line 1, column 1: expected"):
        find_game(f"riskless:{path}")


@pytest.mark.parametrize("name", ["riskless", "pacman"])
def test_a_file_that_cannot_be_read_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    wrong = {
        None: "cannot be read: No such file",
        b"\xff\xfe": "line 1, column 1: this is not UTF-8 text",
        "é\nöö".encode() + b"\x80\n": "line 2, column 3: this is not UTF-8 text",
    }
    for data, complaint in wrong.items():
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(ValueError, match=rf"{name}: .*mine\.txt: {complaint}"):
            find_game(f"{name}:{path}")
    path.unlink()
    path.mkdir()
    with pytest.raises(ValueError, match=r"mine\.txt: cannot be read: Is a directory"):
        find_game(f"{name}:{path}")


def test_files_of_other_systems_are_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes("\ufeff".encode() + b"#####\r\n#P.G#\r\n#####\r\n")
    assert find_game(f"pacman:{path}").maze.rows == ("P.G",)  # type: ignore[attr-defined]
