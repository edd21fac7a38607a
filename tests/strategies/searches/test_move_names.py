"""A move has one name, the game's, wherever people read it: in Python, on the command line, in
pictures, pages and tables."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from games import CHANCE, ConnectFour, ExplicitGame, Game, Nim, Status, find_game
from games.catalogue import CATALOGUE
from games.position_text import read_position
from strategies import (
    Solution,
    alphabeta,
    expectimax,
    mcts,
    pvs,
    search,
    solve,
    study,
    young_brothers_wait,
)  # fmt: skip
from strategies.cli.group import jamboree
from strategies.insight.pictures.overview import draw_overview
from strategies.running.plans.plan import Names

NAMED = [name for name in CATALOGUE if name not in ("openspiel", "chess", "chess960")]


def opened(game: Game[Any, Any]) -> tuple[str, Any]:
    """Return a position where a player moves, and its text: the start, or after two outcomes."""
    text, state = "", game.start()
    while game.status(state) == Status.IN_PLAY and game.player(state) == CHANCE:
        text = f"{text} 0".strip()
        state = read_position(game, text)
    return text, state


def told(*arguments: str) -> str:
    """Return what the command prints."""
    found = CliRunner().invoke(jamboree, [*arguments, "--engine", "interpreted"])
    assert found.exit_code == 0, found.output
    return found.stdout


@pytest.mark.parametrize("name", NAMED)
def test_a_move_has_one_name(name: str, tmp_path: Path) -> None:
    game = find_game(name)
    at, state = opened(game)
    chance = name.startswith("twenty48") or name in ("pacman", "pig")
    algorithm = (expectimax if chance else alphabeta)(9 if isinstance(game, ExplicitGame) else 2)
    answer = search(game, algorithm, state=state, engine="interpreted")
    result = answer.compute(num_workers=1)
    text = game.move_text(state, result.move)
    assert game.parse_move(state, text) == result.move
    assert result.move_text == result.line_texts[0] == text
    assert str(result).startswith(f"move {text}, ")
    assert repr(result).startswith(f"<Result: move {text}, ")
    assert f">move {escape(text)}, " in result._repr_html_()
    assert f">{escape(text)}</text>" in answer._drawn(result).svg
    page = result.report(tmp_path / "page.html", sequential=False).read_text(encoding="utf-8")
    assert re.search(rf"<dt>move</dt><dd>{re.escape(escape(text))}</dd>", page)
    if name != "handout_first":  # the values of all moves read a leaf that must not be evaluated
        assert text in [row["move"] for row in result.values().summary()]
    where = ["--state", at] if at else []
    shown = told("search", name, *where, "--algorithm", repr(algorithm))
    assert re.search(rf"^move +{re.escape(text)}$", shown, re.MULTILINE)
    data = json.loads(told("search", name, *where, "--algorithm", repr(algorithm), "--json"))
    assert data["move"] == text


@pytest.mark.parametrize("game", [ConnectFour(4, 3), Nim.of("1-2-3")], ids=repr)
def test_other_results_name_moves_as_the_game_does(game: Game[Any, Any]) -> None:
    state = game.start()
    sampled = search(game, mcts(60), engine="interpreted").compute(num_workers=1)
    assert sampled.move_text == game.move_text(state, sampled.move)
    assert repr(sampled).startswith(f"<MonteCarloResult: move {sampled.move_text}, ")
    solved = solve(game, memory="1MB", engine="interpreted")
    assert solved.line_texts[0] == game.move_text(state, solved.move)
    assert f"; line {solved.line_texts[0]}" in solved._repr_html_()
    assert Solution(0, 0).line_texts == ()
    measured = study(game, alphabeta(2), [], workers=[1], repeat=1, engine="interpreted")
    found = search(game, alphabeta(2), engine="interpreted").compute(num_workers=1)
    assert measured.found.startswith(f"{found.move_text}, ")


def test_a_deepening_search_names_the_order_of_the_root() -> None:
    game = ConnectFour(5, 4)
    using = young_brothers_wait.to_size(50)
    result = search(game, pvs(7), using=using, engine="interpreted").compute(num_workers=1)
    last = result.iterations.splitlines()[-1]
    assert sorted(last.split()[-5:]) == ["1", "2", "3", "4", "5"]
    assert sorted(result.graphs[-1].order) == [0, 1, 2, 3, 4], "the moves themselves"


def test_a_move_below_the_plan_is_named_by_the_rules() -> None:
    game = ConnectFour(4, 4)
    answer = search(game, alphabeta(5), using=young_brothers_wait.to_ply(1), engine="interpreted")
    names = Names(answer.plan)
    assert [names.move((), 3), names.move((3,), 2), names.move((3, 2), 0)] == ["4", "3", "1"]
    assert names.move((3, 2), 9) == "9", "no such branch"
    assert ">4</text>" in draw_overview(answer).svg
