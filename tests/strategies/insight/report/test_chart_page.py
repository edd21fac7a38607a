"""Reports of sampling, tournaments and learning are complete, escaped, and request nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import dask
import pytest

from games import ConnectFour, RandomAgent, TicTacToe
from strategies import (
    Entrant,
    learn,
    mcts,
    par_list,
    par_list_chunk,
    search,
    tournament,
    using,
)  # fmt: skip
from tests.pages import REPORTS

SMALL = ConnectFour(5, 4)


def cells(page: str, name: str) -> list[list[str]]:
    """Return the cells of the table of a section, the header first."""
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
    """Check that bars and marks are within their charts."""
    spans = re.findall(r"left:([-\d.]+)%;width:([-\d.]+)%", page)
    assert spans
    assert all(float(a) >= 0 and float(a) + float(b) <= 100.4 for a, b in spans)
    assert all(0 <= float(a) <= 100 for a in re.findall(r'<i style="left:([-\d.]+)%"', page))


def data_of(page: str) -> Any:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(text)


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
    again = "result = search(TicTacToe(), mcts(simulations=120, trees=3), using=par_list"
    assert again in unescape(page)
    assert ". . .\n. . .\n. . ." in page
    assert {f"tree {n}" for n in (1, 2, 3)} <= set(data_of(page)["words"])
    told = dict(re.findall(r"<dt>(\w+)</dt><dd>(.*?)</dd>", page))
    counts = {k: str(n) for k, n in result.sparks.counts.items() if k.isalpha()}
    assert {k: told[k] for k in counts} == counts
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


def test_an_evaluation_shows_its_calls_and_what_each_waited_for(tmp_path: Path) -> None:
    values = [dask.delayed(sum)([n, n + 1]) for n in range(6)]
    run = using(values, par_list_chunk(2)).run(num_workers=2)
    page = written(run, tmp_path / "values.html")
    assert "<h1>Values</h1>" in page
    assert "[1, 3, 5, 7, 9, 11]" in page
    assert "<dt>converted</dt><dd>3</dd>" in page
    assert page.count("<td>sum twice</td>") == 3
    data = data_of(page)
    words = data["words"]
    assert {words[n] for n in data["window"]} == {words[n] for n in data["found"]} == {""}
    titles = [words[n] for n in data["name"]]
    assert sorted(t for t in titles if t.startswith("spark")) == [
        "spark 0:",
        "spark 1:",
        "spark 2:",
    ]
    sparks = [i for i, t in enumerate(titles) if t.startswith("spark")]
    (last,) = (i for i, t in enumerate(titles) if t.startswith("fold"))
    assert sorted(last - before for before in data["after"][last]) == sparks
    assert sorted(data["marks"]) == list(range(page.count('<g class="mark ')))
    assert "searching" not in page.lower()


def test_a_value_that_python_cannot_write_is_named(tmp_path: Path) -> None:
    """Integers of more than 4,300 digits have no text."""
    run = using([dask.delayed(pow)(10, 5_000), 1], par_list).run(num_workers=2)
    assert "list without a text: Exceeds the limit" in written(run, tmp_path / "values.html")
    assert "list without a text: Exceeds the limit" in str(run)


@pytest.mark.parametrize("name", REPORTS)
def test_every_fact_and_every_number_of_a_table_is_explained(
    reports: Callable[[str], Path], name: str
) -> None:
    page = reports(name).read_text(encoding="utf-8")
    facts = re.findall(r"<div( title=\"[^\"]+\")?><dt>(.*?)</dt>", page)
    assert facts
    assert [fact for title, fact in facts if not title] == []
    heads = re.findall(r"<th class=num( title=\"[^\"]+\")?>(.*?)</th>", page)
    bare = {head for title, head in heads if not title and not head.isdecimal()}
    assert bare <= PLAIN
    left = re.findall(r"<th(?: title=\"[^\"]+\")?>(.*?)</th>", page)
    assert not {"from", "took", "CPU time", "nodes", "tasks", "worker"} & set(left), "numbers"


PLAIN = {"as a bar", "depth", "workers", "games", "won", "drawn", "lost", "score against"}
"""Column headers that need no explanation."""


def test_a_page_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    result = search(TicTacToe(), mcts(5), engine="interpreted").compute()
    with pytest.raises(OSError, match="missing"):
        result.report(tmp_path / "missing" / "mcts.html")
    assert list(tmp_path.iterdir()) == []


def test_the_error_for_a_wrong_path_is_clear() -> None:
    result = search(TicTacToe(), mcts(5), engine="interpreted").compute()
    with pytest.raises(
        ValueError, match="path must be the path of a file, as a text or a Path, not 3"
    ):
        result.report(3)
