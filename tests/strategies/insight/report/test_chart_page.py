"""Pages about what was sampled, played and learned: complete, escaped, without a request."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from games import ConnectFour, RandomAgent, TicTacToe
from strategies import Entrant, learn, mcts, par_list, search, tournament

SMALL = ConnectFour(5, 4)


def cells(page: str, name: str) -> list[list[str]]:
    """The cells of the table of a section, its head first."""
    (part,) = re.findall(rf'<section id="{name}">(.*?)</section>', page, re.S)
    rows = re.findall(r"<tr>(.*?)</tr>", part, re.S)
    return [[unescape(c) for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]


def written(result: Any, path: Path) -> str:
    assert result.report(path) == path
    page = path.read_text(encoding="utf-8")
    assert set(re.findall(r"https?:[^\s\"'<]*", page)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in page
    assert page.endswith("</html>\n")
    return page


def within(page: str) -> None:
    """Bars and marks stand within their room."""
    spans = re.findall(r"left:([-\d.]+)%;width:([-\d.]+)%", page)
    assert spans
    assert all(float(a) >= 0 and float(a) + float(b) <= 100.4 for a, b in spans)
    assert all(0 <= float(a) <= 100 for a in re.findall(r'<i style="left:([-\d.]+)%"', page))


def test_a_monte_carlo_search_shows_its_moves_and_its_trees(tmp_path: Path) -> None:
    answer = search(TicTacToe(), mcts(120, trees=3), using=par_list, engine="interpreted")
    result = answer.compute(num_workers=2)
    page = written(result, tmp_path / "mcts.html")
    head, *rows = cells(page, "moves")
    assert head[:3] == ["move", "visits", "share"]
    visits = [int(row[1].replace(",", "")) for row in rows]
    assert visits == sorted((m.visits for m in result.moves), reverse=True)
    assert sum(visits) == sum(m.visits for m in result.moves)
    assert '<section id="timeline">' in page
    assert result.sparks.line in unescape(page)
    within(page)


def test_a_tournament_shows_its_standings(tmp_path: Path) -> None:
    players = ["alphabeta(depth=2)", Entrant(RandomAgent(), "b & c"), "random(seed=4)"]
    found = tournament(SMALL, players, rounds=2)
    page = written(found, tmp_path / "tournament.html")
    _, *rows = cells(page, "standings")
    assert [row[0] for row in rows] == [s.player for s in found.standings]
    assert [row[1:10] for row in rows] == [row[1:] for row in found.rows[1:]]
    assert "<td>b &amp; c</td>" in page
    assert len(cells(page, "against")) == len(cells(page, "likely")) == 4
    within(page)


def test_learning_shows_its_curve(tmp_path: Path) -> None:
    found = learn(SMALL, games=30, engine="interpreted")
    page = written(found, tmp_path / "learned.html")
    _, *rows = cells(page, "results")
    assert rows[-1][0] == f"{found.games:,}"
    assert 1 <= len(rows) <= 61
    assert len(cells(page, "errors")) == len(rows) + 1
    within(page)


def test_a_page_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    result = search(TicTacToe(), mcts(5), engine="interpreted").compute()
    with pytest.raises(OSError, match="missing"):
        result.report(tmp_path / "missing" / "mcts.html")
    assert list(tmp_path.iterdir()) == []
