"""The help of each command names all that its JSON has."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from strategies.cli.group import COMMANDS, jamboree

SLOW = "--engine interpreted"
TWO = f"search handout_small --algorithm 'alphabeta(2)' {SLOW}"
STUDY = f"study handout_small --algorithm 'alphabeta(2)' --repeat 1 --workers 1,2 {SLOW}"
RUNS = [
    f"{TWO} --using par_list --values all --trace --explain",
    f"search pig --state '' --algorithm 'expectimax(2)' {SLOW}",
    f"search pig --state roll --algorithm 'expectimax(2)' {SLOW}",
    f"search tictactoe --algorithm 'mcts(20)' {SLOW}",
    f"search pig --state roll --algorithm 'mcts(20)' {SLOW}",
    f"solve tictactoe --state '1 2 3 4' --using par_list {SLOW}",
    f"solve tictactoe --state '1 2 3 4' --endgame {{folder}}/end.npz {SLOW}",
    f"climb queens:4 --restarts 2 --using par_list {SLOW}",
    f"perft tictactoe --depth 2 --divide {SLOW}",
    "perft tictactoe --depth 2 --distinct",
    f"perft tictactoe --expect {{folder}}/counts.csv {SLOW}",
    STUDY,
    f"{STUDY} --before {{folder}}/study.json --using seq",
    f"study tictactoe --set {{folder}}/set.txt --algorithm 'alphabeta(2)' --repeat 1 {SLOW}",
    f"simulate handout_small --algorithm 'alphabeta(2)' --using par_list --workers 2,3 {SLOW}",
    "tournament handout_small random 'random(seed=1)' --rounds 1 --plies 0",
    "tune connect_four(width=4,height=4) --agent alphabeta(1) --generations 1 --trials 1 --match 1",
    f"learn tictactoe --file {{folder}}/c.npz --games 2 --trials 1 --test 2 {SLOW}",
    "games",
    "check tictactoe --seed 1 --max-plies 3",
]
BY_NAME = {
    "tune": {"before", "after", "weights"},
    "learn": {"means"},
    "games": {"games", "parameters"},
    "search": {"reasons"},
    "solve": {"reasons"},
    "climb": {"reasons"},
}
"""The names, by command, of objects whose own names are those of weights, games and the like."""


def names(data: Any, by_name: set[str]) -> Iterator[str]:
    """Yield the names of all objects in some data."""
    if isinstance(data, list):
        for one in data:
            yield from names(one, by_name)
    elif isinstance(data, dict):
        for name, value in data.items():
            yield name
            inner = value.values() if name in by_name and isinstance(value, dict) else [value]
            yield from names(list(inner), by_name)


def run(line: str) -> str:
    ran = CliRunner().invoke(jamboree, shlex.split(line))
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def of_json(command: str) -> str:
    """Return what the help of a command says of its JSON."""
    return (
        run(f"{command} --help").partition("--json prints one object:")[2].partition("Options:")[0]
    )


@pytest.mark.parametrize("line", RUNS)
def test_the_help_of_a_command_names_all_that_its_json_has(line: str, tmp_path: Path) -> None:
    (tmp_path / "counts.csv").write_text("position,depth,count\n,1,9\n,2,72\n")
    (tmp_path / "set.txt").write_text("1 2 3 4 | best 5, 7\n1 4 2 5 | name two\n")
    if "study.json" in line:
        (tmp_path / "study.json").write_text(run(f"{STUDY} --json"))
    command = line.partition(" ")[0]
    found = json.loads(run(f"{line.format(folder=tmp_path)} --json"))
    told = set(re.findall(r"\w+", of_json(command)))
    assert set(names(found, BY_NAME.get(command, set()))) - told == set()


def test_each_command_with_json_is_run() -> None:
    have = {name for name in COMMANDS if "Print one JSON object" in run(f"{name} --help")}
    assert have == {line.partition(" ")[0] for line in RUNS}
