"""Output in notebooks: text, a board, and a picture in the notebook's theme."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from games import HANDOUT_SMALL, ConnectFour, Position
from games.laws import check_laws
from games.problems import Queens
from strategies import alphabeta, explain, mcts, par_list, search, seq, simulate, solve
from strategies.insight.pictures.style import THEMES
from strategies.searches.local_search.algorithms import steepest_descent
from strategies.searches.local_search.climb import climb
from strategies.searches.monte_carlo.result import SHOWN

GAME = ConnectFour(4, 4)
STATE = GAME.parse_state("1 2")
ANSWER = search(GAME, alphabeta(3), state=STATE, using=par_list, engine="interpreted")


@cache
def result() -> Any:
    return ANSWER.compute(num_workers=1)


@cache
def solved() -> Any:
    return solve(GAME, STATE, memory="1MB", engine="interpreted")


@pytest.mark.parametrize("shown", [lambda: ANSWER, result], ids=["search", "result"])
def test_a_search_and_its_result_show_the_board_and_a_picture(shown: Callable[[], Any]) -> None:
    html = shown()._repr_html_()
    assert html.index(Position(GAME, STATE)._repr_html_()) < html.index('class="jam"')
    assert html.count("<svg") == html.count('class="board"') + html.count(THEMES) == 2
    ElementTree.fromstring(f"<div>{html}</div>")


def test_a_ledger_is_a_table_of_its_counts() -> None:
    sparks = result().sparks
    cells = [e.text for e in ElementTree.fromstring(f"<d>{sparks._repr_html_()}</d>").iter("td")]
    assert cells == ["-" if n is None else str(n) for n in sparks.counts.values()]
    assert sparks.table.split()[len(cells) :] == cells


WORDS: dict[str, tuple[Callable[[], Any], str]] = {
    "solve": (solved, "a draw; line "),
    "climb": (
        lambda: climb(Queens(6), steepest_descent(), restarts=3, engine="interpreted"),
        "after",
    ),
    "explain": (lambda: explain(par_list, branches=4), "a node with 4 branches"),
    "against": (lambda: result().against(), "times the"),
    "simulated result": (lambda: simulate(ANSWER, 2).result, "leaves"),
    "simulate": (lambda: simulate(ANSWER, 2), "simulated: 2 workers"),
    "check_laws": (
        lambda: check_laws(HANDOUT_SMALL, skip={"engines_agree": "it would compile"}),
        "ExplicitGame",
    ),
}


@pytest.mark.parametrize(("shown", "told"), WORDS.values(), ids=WORDS)
def test_text_is_wrapped_at_the_width_of_the_page(shown: Callable[[], Any], told: str) -> None:
    html = shown()._repr_html_()
    first = next(ElementTree.fromstring(f"<div>{html}</div>").iter("pre"))
    assert told in (first.text or "")
    assert first.get("style") == "white-space:pre-wrap;font-family:monospace"


def test_a_solution_shows_its_board() -> None:
    assert Position(GAME, STATE)._repr_html_() in solved()._repr_html_()


TREES = [(1, seq, "one tree"), (3, seq, "3 trees in one task"), (3, par_list, "3 trees in 3 tasks")]


def test_a_monte_carlo_search_shows_the_board_and_its_trees() -> None:
    for trees, using, told in TREES:
        lazy = search(GAME, mcts(60, trees=trees), state=STATE, using=using)
        html = lazy._repr_html_()
        assert html.index(f"\n{told}</pre>") < html.index(Position(GAME, STATE)._repr_html_())
        (words,) = ElementTree.fromstring(f"<div>{html}</div>").findall("pre[1]")
        assert (words.text or "").split("\n")[0] == repr(lazy)


def test_a_monte_carlo_result_is_a_table_of_its_moves() -> None:
    found = search(ConnectFour(14, 3), mcts(60), engine="interpreted").compute(num_workers=1)
    html = found._repr_html_()
    cells = [e.text for e in ElementTree.fromstring(f"<d>{html}</d>").iter("td")]
    visits = [int(text) for text in cells[1::4]]
    assert len(visits) == SHOWN
    assert visits == sorted((m.visits for m in found.moves), reverse=True)[:SHOWN]
    assert set(cells[::4]) <= set(found.move_texts)
    assert html.endswith("<p>and 2 more moves</p>")
