"""A move may have any text, also none, wherever a search is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from games import Game, Status
from strategies import alphabeta, par_list, search

PICTURES = ("tree", "graph", "timeline")


class Three(Game[str, str]):
    """Two players append a letter or nothing; labels are too long to be names of positions."""

    texts = ("a", "b", "")

    def start(self) -> str:
        return "|"

    def status(self, state: str) -> Status:
        return Status.OVER if state.count("|") == 3 else Status.IN_PLAY

    def player(self, state: str) -> int:
        return state.count("|") - 1

    def moves(self, state: str) -> Iterator[str]:
        if state.count("|") < 3:
            yield from self.texts

    def make_move(self, state: str, move: str) -> str:
        return f"{state}{move}|"

    def estimate(self, state: str) -> float:
        return len(state)

    def utility(self, state: str) -> float:
        return len(state)

    def label(self, state: str) -> str:
        return f"a long label of {state}"


class Blank(Three):
    texts = ("a", " b", " ")

    def move_text(self, state: str, move: str) -> str:
        return move


@pytest.mark.parametrize("game", [Three(), Blank()], ids=["empty", "blank"])
def test_a_search_of_moves_without_texts_is_shown(game: Game, tmp_path: Path) -> None:
    answer = search(game, alphabeta(2), using=par_list.to_ply(1), engine="interpreted")
    found = answer.compute(num_workers=2)
    assert found.report(tmp_path / "report.html").exists()
    assert found.replay(tmp_path / "replay.html").exists()
    assert answer.replay(tmp_path / "search.html").exists()
    assert all(str(found.draw(picture)) for picture in PICTURES)
    assert answer.trace()
    assert "∅" in (tmp_path / "search.html").read_text()
