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
from strategies import (
    Strategy,
    abdada,
    alphabeta,
    by_kind,
    critical,
    eval_tuple,
    explain,
    jamboree,
    mcts,
    par_list,
    perft,
    rseq,
    search,
    seq,
    simulate,
    solve,
    study,
    tournament,
    tune,
    young_brothers_wait,
)  # fmt: skip
from strategies.algebra.strategy import unfolded
from strategies.insight.pictures.picture import THEMES
from strategies.searches.local_search.algorithms import steepest_descent
from strategies.searches.local_search.climb import climb
from strategies.searches.monte_carlo.result import SHOWN
from strategies.support.printing import Table

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
    visits = [int(text) for text in cells[1::5]]
    assert len(visits) == SHOWN
    assert visits == sorted((m.visits for m in found.moves), reverse=True)[:SHOWN]
    assert set(cells[::5]) <= set(found.move_texts)
    assert html.endswith("<p>and 2 more moves</p>")
    assert Position(ConnectFour(14, 3))._repr_html_() in html


STRATEGIES = [
    par_list, jamboree(0.5).to_ply(2), young_brothers_wait, par_list(jamboree(0.5)),
    by_kind(max=par_list), par_list.to_ply(1).grain(1), critical, jamboree(0.5).everywhere.live(),
]  # fmt: skip


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
def test_a_strategy_shows_its_words_and_its_groups(strategy: Strategy) -> None:
    html = strategy._repr_html_()
    parts = ElementTree.fromstring(f"<div>{html}</div>")
    assert parts.findtext("pre") == explain(strategy, branches=4)
    layer = unfolded(strategy, "max", 4)
    assert html.count('class="mark spark ') == sum(layer.sparks) > 0
    assert html.count('class="mark step ') == len(layer.groups) - sum(layer.sparks)
    assert html.count(THEMES) == 1
    assert f"a node with 4 branches, using {strategy!r}</text>" in html


OTHERS = [
    (seq, "seq, on a node"), (abdada(2), "abdada(workers=2): 2 threads"),
    (rseq, "rseq, in a search:\nseq, on a node"), (par_list.to_ply(1).joined(), "joined: "),
    (eval_tuple(rseq, par_list), "eval_tuple("),
]  # fmt: skip


@pytest.mark.parametrize(("using", "told"), OTHERS, ids=[repr(s) for s, _ in OTHERS])
def test_a_strategy_without_tasks_of_its_own_shows_its_words(using: Any, told: str) -> None:
    parts = ElementTree.fromstring(f"<div>{using._repr_html_()}</div>")
    assert told in (parts.findtext("pre") or "")
    assert repr(using) in (parts.findtext("pre") or "")
    assert len(parts) == 1


def test_a_plan_shows_what_its_search_shows() -> None:
    assert ANSWER.plan._repr_html_() == ANSWER._repr_html_()


TABLES: dict[str, Callable[[], Any]] = {
    "values": lambda: result().values(),
    "perft": lambda: perft(GAME, 2, engine="interpreted"),
    "study": lambda: study(
        GAME, alphabeta(1), [seq], workers=[1], repeat=2, engine="interpreted"
    ),
    "tune": lambda: tune(
        GAME, alphabeta(2), candidates=[par_list], workers=1, measure=False, engine="interpreted"
    ),
    "tournament": lambda: tournament(
        GAME, ["random", "alphabeta(depth=1)", "alphabeta(depth=2)"], rounds=2
    ),
    "ledger": lambda: result().sparks,
}  # fmt: skip


@pytest.mark.parametrize("made", TABLES.values(), ids=TABLES)
def test_tables_are_tables_and_nothing_printed_is_left_out(made: Callable[[], Any]) -> None:
    shown = made()
    parts = ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>")
    words = [word for text in parts.itertext() for word in text.split()]
    heads = [[e.get("style") for e in table.iter("th")] for table in parts.iter("table")]
    assert heads
    assert all(sides[0] == "text-align:left" or shown is result().sparks for sides in heads)
    rule = {"-" * n for n in range(2, 40)}  # the lines under the headers of plain text
    assert sorted(set(str(shown).split()) - rule) == sorted(set(words) & set(str(shown).split()))


def test_what_a_table_holds_is_escaped() -> None:
    html = Table([["<a>", "b"], ["c & d", "<script>"]])._repr_html_()
    assert [e.text for e in ElementTree.fromstring(html).iter("td")] == ["c & d", "<script>"]
